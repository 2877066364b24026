"""Classes, functions and values of stubs: bases, members, signatures, and what containers hold."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from .dependencies import Dependencies
from .library_annotations import Annotations
from .library_names import Entity, decorators, last_name
from .library_types import ANY, NONE, SELF, TUPLE, Type, awaited, instance, members, substitute, union, variables


@dataclass(frozen=True, slots=True)
class Parameter:
    """position counts from 0 without the receiver and is -1 for a keyword-only one; name is "" for a positional-only
    one; kind is plain, star or double_star."""

    position: int
    name: str
    type: Type
    required: bool
    kind: str = "plain"


@dataclass(frozen=True, slots=True)
class Signature:
    parameters: tuple[Parameter, ...]
    returns: Type
    receiver: Type  # annotation of the receiver, ANY where there is none

    def accepts(self, count: int) -> bool:
        """Whether a call with `count` explicit arguments fits."""
        plain = [p for p in self.parameters if p.kind == "plain"]
        if count < sum(p.required for p in plain):
            return False
        return count <= len(plain) or any(p.kind != "plain" for p in self.parameters)

    def counts(self) -> range:
        """Argument counts worth a fact: every one that fits, where any number fits a few more than are named."""
        plain = [p for p in self.parameters if p.kind == "plain"]
        extra = 4 if any(p.kind != "plain" for p in self.parameters) else 0
        return range(sum(p.required for p in plain), len(plain) + extra + 1)


class Stubs(Annotations):
    """The standard library, typed packages, and the modules that model files add."""

    def __init__(self, extra: dict[str, str] | None = None, dependencies: Dependencies | None = None) -> None:
        super().__init__(extra, dependencies)
        self._mro: dict[str, tuple[Type, ...]] = {}
        self._signatures: dict[str, tuple[Signature, ...]] = {}
        self._elements: dict[tuple[str, Type], Type] = {}

    # Classes.

    def bases(self, cls: Entity) -> tuple[Type, ...]:
        """The direct base classes as instances in terms of the class's own type variables."""
        node = cls.nodes[0]
        assert isinstance(node, ast.ClassDef)
        found = []
        for base in node.bases:
            entity = self.lookup(base.value if isinstance(base, ast.Subscript) else base, self.scope_of(cls))
            if entity is not None and entity.kind == "special" and entity.name == "TypedDict":
                found.append(instance("typing._TypedDict"))
            else:
                type_ = self.evaluate(base, self.scope_of(cls))
                if type_.kind in ("instance", "tuple") and type_.name != "builtins.object":
                    found.append(type_)
        return tuple(found)

    def parameters(self, cls: Entity) -> tuple[Type, ...]:
        """The class's type parameters in order; a constrained one is not a variable but holds its place."""
        node = cls.nodes[0]
        assert isinstance(node, ast.ClassDef)
        scope = self.scope_of(cls)
        appearing: dict[Type, None] = {}
        for base in node.bases:
            if not isinstance(base, ast.Subscript):
                continue
            entity = self.lookup(base.value, scope)
            arguments = base.slice.elts if isinstance(base.slice, ast.Tuple) else [base.slice]
            if entity is not None and entity.kind == "special" and entity.name in ("Generic", "Protocol"):
                return tuple(self.evaluate(argument, scope) for argument in arguments)
            type_ = self.evaluate(base, scope)
            appearing.update(dict.fromkeys(Type("variable", name) for name in variables(type_)))
        return tuple(appearing)

    def _bound(self, type_: Type) -> dict[str, Type]:
        """Type variable -> argument for an instance type; without arguments every variable is ANY."""
        cls = self.find_class(type_.name)
        if cls is None:
            return {}
        parameters = self.parameters(cls)
        args = (union(type_.args),) if type_.kind == "tuple" else type_.args
        padded = [*args, *[ANY] * len(parameters)]
        return {p.name: a for p, a in zip(parameters, padded, strict=False) if p.kind == "variable"}

    def mro(self, cls: Entity) -> tuple[Type, ...]:
        """The linearised bases, the class first, in terms of the class's own type variables."""
        if cls.name in self._mro:
            return self._mro[cls.name]
        own = instance(cls.name, *self.parameters(cls))
        self._mro[cls.name] = (own,)  # stands while bases are read, so that a cycle ends
        chains: list[list[Type]] = []
        for base in self.bases(cls):
            entity = self.find_class(base.name)
            if entity is not None:
                bound = self._bound(base)
                chains.append([substitute(type_, bound) for type_ in self.mro(entity)])
        chains.append([chain[0] for chain in chains])
        result = [own]
        while chains := [chain for chain in chains if chain]:
            tails = {type_.name for chain in chains for type_ in chain[1:]}
            head = next((chain[0] for chain in chains if chain[0].name not in tails), chains[0][0])
            result.append(head)
            chains = [[type_ for type_ in chain if type_.name != head.name] for chain in chains]
        self._mro[cls.name] = tuple(result)
        return self._mro[cls.name]

    def members(self, cls: Entity) -> dict[str, Entity]:
        """Member name -> the entity that an instance finds, by the MRO; `object` is left out."""
        found: dict[str, Entity] = {}
        for base in self.mro(cls):
            entity = self.find_class(base.name)
            for name in entity.children if entity is not None else ():
                if name not in found and entity is not None:
                    member = self.child(entity, name)
                    if member is not None:
                        found[name] = member
        return found

    def is_protocol(self, cls: Entity) -> bool:
        node = cls.nodes[0]
        assert isinstance(node, ast.ClassDef)
        return any(
            last_name(base.value if isinstance(base, ast.Subscript) else base) == "Protocol" for base in node.bases
        )

    def has_fixed_length(self, cls: Entity) -> bool:
        """Whether instances are tuples with a known number of elements, each of a type of its own."""
        return any(base.kind == "tuple" or base.name == "typing.NamedTuple" for base in self.mro(cls)[1:])

    def is_enum(self, cls: Entity) -> bool:
        return any(base.name == "enum.Enum" for base in self.mro(cls))

    # Functions and values.

    def signatures(self, function: Entity) -> tuple[Signature, ...]:
        if function.name not in self._signatures:
            nodes = [node for node in function.nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
            # In sources, what implements overloads stands below them, and says less.
            overloads = [node for node in nodes if "overload" in decorators(node)]
            self._signatures[function.name] = tuple(self._signature(function, node) for node in overloads or nodes)
        return self._signatures[function.name]

    def _signature(self, function: Entity, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Signature:
        scope = self.scope_of(function)
        given = node.args
        positional = [*given.posonlyargs, *given.args]
        defaults = [None] * (len(positional) - len(given.defaults)) + [*given.defaults]
        numbered = list(zip(positional, defaults, strict=True))
        receiver = ANY
        if function.owner is not None and "staticmethod" not in decorators(node) and numbered:
            receiver = self.evaluate(numbered[0][0].annotation, scope)
            numbered = numbered[1:]
        nameless = {arg.arg for arg in given.posonlyargs}
        found = [
            Parameter(
                position,
                "" if arg.arg in nameless or (arg.arg.startswith("__") and not arg.arg.endswith("__")) else arg.arg,
                self._with_default(arg.annotation, default, scope),
                default is None,
            )
            for position, (arg, default) in enumerate(numbered)
        ]
        for arg, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
            found.append(Parameter(-1, arg.arg, self._with_default(arg.annotation, default, scope), default is None))
        if given.vararg is not None:
            found.append(Parameter(len(numbered), "", self.evaluate(given.vararg.annotation, scope), False, "star"))
        if given.kwarg is not None:
            found.append(Parameter(-1, "", self.evaluate(given.kwarg.annotation, scope), False, "double_star"))
        returns = awaited(self.evaluate(node.returns, scope))
        if receiver.kind == "variable":  # def f(self: T) -> T
            returns = substitute(returns, {receiver.name: SELF})
        if decorators(node) & {"contextmanager", "asynccontextmanager"} and returns.args:
            returns = instance("contextlib.AbstractContextManager", returns.args[0])
        return Signature(tuple(found), returns, receiver)

    def _with_default(self, annotation: ast.expr | None, default: ast.expr | None, scope: Entity) -> Type:
        """The type of a parameter; one whose default is None takes None, also where older sources do not say so."""
        type_ = self.evaluate(annotation, scope)
        is_none = isinstance(default, ast.Constant) and default.value is None
        return union((type_, NONE)) if is_none and type_.kind != "any" else type_

    def value_type(self, value: Entity) -> Type:
        """The type of a module variable, class attribute or property as it is read."""
        node = value.nodes[0]
        if isinstance(node, ast.FunctionDef):
            return self._signature(value, node).returns
        if value.owner is not None and isinstance(node, ast.Assign) and self.is_enum(value.owner):
            return instance(value.owner.name)
        if isinstance(node, ast.AnnAssign):
            type_ = self.evaluate(node.annotation, self.scope_of(value))
            if type_ is ANY and isinstance(node.value, ast.Constant) and node.value.value is not ...:
                return instance(f"builtins.{type(node.value.value).__name__}")
            if value.owner is not None and node.value is not None and self.is_enum(value.owner):
                return instance(value.owner.name)
            return type_
        return ANY

    # What containers hold.

    def bound_member(self, type_: Type, name: str) -> Type | None:
        """What calling method `name` of an instance gives, in terms of the instance's arguments; None if it has none.
        Overloads that take a slice are left out."""
        cls = self.find_class(type_.name)
        if cls is None:
            return None
        bound = self._bound(type_)
        for base in self.mro(cls):
            entity = self.find_class(base.name)
            method = self.child(entity, name) if entity is not None and name in entity.children else None
            if method is None:
                continue
            if method.kind != "function":
                return None
            single = [s for s in self.signatures(method) if not _takes_slice(s)]
            mapping = self._bound(base)
            returns = substitute(union(s.returns for s in single), {**mapping, "Self": type_})
            return substitute(returns, bound)
        return None

    def iterated(self, type_: Type) -> Type:
        """What iterating over an instance gives; ANY where that is unknown."""
        return self._element("iteration", type_)

    def contained(self, type_: Type) -> Type:
        """What a container gives for a subscript or, where it takes none, in iteration; ANY for anything else."""
        return self._element("contained", type_)

    def held(self, type_: Type) -> Type:
        """What an instance holds: what it contains, else what entering it gives, else its only type argument."""
        return self._element("held", type_)

    def _element(self, how: str, type_: Type) -> Type:
        key = (how, type_)
        if key not in self._elements:
            self._elements[key] = ANY  # stands while a class that contains itself is looked at
            work = {"iteration": self._iterated, "contained": self._contained, "held": self._held}[how]
            self._elements[key] = work(type_)
        return self._elements[key]

    def _iterated(self, type_: Type) -> Type:
        if type_.name == TUPLE:
            return union(type_.args)
        for step, start in (("__next__", "__iter__"), ("__anext__", "__aiter__")):
            found = self.bound_member(type_, step)
            if found is not None:
                return found
            iterator = self.bound_member(type_, start)
            if iterator is not None:
                inner = (self.bound_member(m, step) for m in members(iterator) if m.kind == "instance")
                return union(found or ANY for found in inner)
        return ANY

    def _contained(self, type_: Type) -> Type:
        if type_.name == TUPLE:
            return union(type_.args)
        found = self.bound_member(type_, "__getitem__")
        return self.iterated(type_) if found is None or found.kind == "any" else found

    def _held(self, type_: Type) -> Type:
        found = self.contained(type_)
        for method in ("__enter__", "__aenter__"):
            if found.kind == "any":
                entered = self.bound_member(type_, method)
                found = ANY if entered is None or entered == type_ else entered
        cls = self.find_class(type_.name)
        if found.kind == "any" and cls is not None and not self.is_protocol(cls):
            parameters = self.parameters(cls)
            if len(parameters) == 1 and parameters[0].kind == "variable" and type_.args:
                return type_.args[0]
        return found


def _takes_slice(signature: Signature) -> bool:
    return any(p.type.kind == "instance" and p.type.name == "builtins.slice" for p in signature.parameters[:1])
