"""What is told of a function, class or value of the library: its signature and the models, as rows.

The rows of an entity depend on nothing but its definition and the models. A column that is an object is still a `Type`
here; library_stubs.py names it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from pliant.extractors.python.semantics import SEMANTICS

from .library_classes import Parameter, Signature, Stubs
from .library_models import Models
from .library_names import Entity, decorators
from .library_types import (
    ANY,
    TUPLE,
    Type,
    awaited,
    includes_none,
    instance,
    members,
    substitute,
    union,
    variables,
)

Told = tuple[str, tuple[str | int | Type, ...]]  # relation, columns

# Instances that no rule asks anything of: nothing in them is null and nothing in them refers to other objects.
_DULL = frozenset({"builtins.object", "builtins.ellipsis", "builtins.slice"})
_OF_NONE = frozenset({"builtins.object", "typing.Hashable", "types.NoneType"})  # classes that None is an instance of
# Special methods that syntax calls and whose result is worth knowing, and special attributes that code reads.
_SPECIAL_METHODS = frozenset(
    f"__{name}__"
    for name in [
        "enter",
        "aenter",
        "call",
        "truediv",
        "rtruediv",
        "add",
        "radd",
        "sub",
        "rsub",
        "mul",
        "rmul",
        "mod",
        "or",
        "ror",
        "and",
        "rand",
        "xor",
        "missing",
    ]
)
_SPECIAL_VALUES = frozenset(
    f"__{name}__"
    for name in ["cause", "context", "traceback", "file", "spec", "loader", "self", "func", "wrapped", "name"]
)
# Methods annotated with Self that give the receiver itself; the others give another instance of its class.
_OBJECTS = frozenset(("instance", "tuple", "self"))  # kinds of types that None is not of
_SAME_OBJECT = frozenset({"__enter__", "__aenter__", "__iter__", "__aiter__", "__await__"})
_REMOVING = frozenset({"remove", "discard", "pop"})  # take an element to find it or a default, and store neither
_STARRED = 4  # arguments of a parameter that takes any number of them, of which something is told
_ALTERNATIVES = 4  # most that a type argument is spelled with
_NESTING = 2  # depth to which an object is spelled with type arguments


class Knowledge:
    """Stubs and models together, with what was found out so far."""

    def __init__(self, stubs: Stubs, models: Models) -> None:
        self.stubs = stubs
        self.models = models
        self._told: dict[str, tuple[Told, ...]] = {}

    def told(self, entity: Entity) -> tuple[Told, ...]:
        """The rows of a function, method, value or (for calling it) class."""
        if entity.name not in self._told:
            self._told[entity.name] = tuple(self._tell(entity))
        return self._told[entity.name]

    def is_asked_for(self, name: str, member: Entity) -> bool:
        """Whether source code can reach this member of a class: special names only where syntax uses them."""
        if name.startswith("__") and name.endswith("__"):
            return name in (_SPECIAL_VALUES if member.kind == "value" else _SPECIAL_METHODS)
        return member.kind in ("function", "value", "class")

    def _tell(self, entity: Entity) -> Iterator[Told]:
        if entity.kind == "value":
            yield from self._value(entity)
        elif entity.kind == "class":
            yield from self._constructor(entity)
        elif entity.kind == "function":
            yield "lib_function", (entity.name,)
            if any(isinstance(node, ast.AsyncFunctionDef) for node in entity.nodes):
                yield "lib_asynchronous", (entity.name,)
            yield from self._function(entity)

    # Objects.

    def objects(self, type_: Type) -> tuple[Type, ...]:
        """The instances among a type's alternatives, each in the one form in which objects are spelled."""
        normal = (self._normal(member, 0) for member in members(type_))
        kept = (t for t in normal if t.kind in ("instance", "tuple") and t.name not in _DULL)
        return tuple(dict.fromkeys(kept))

    def _normal(self, type_: Type, depth: int) -> Type:
        """The type without arguments that say nothing about what the object holds, and not too deep."""
        if type_.kind == "union":
            found = union(self._normal(member, depth) for member in type_.args)
            unclear = len(found.args) > _ALTERNATIVES or any(member.kind == "any" for member in found.args)
            return ANY if unclear else found
        if type_.kind == "none":
            return type_
        if type_.kind not in ("instance", "tuple") or (depth and type_.name in _DULL):
            return ANY
        cls = self.stubs.find_class(type_.name)
        if cls is None:
            return ANY
        if not type_.args or depth >= _NESTING:
            return instance(type_.name)
        args = type_.args
        if type_.name != TUPLE:
            parameters = self.stubs.parameters(cls)
            own = instance(cls.name, *parameters)
            asked = {**variables(self.stubs.iterated(own)), **variables(self.stubs.held(own))}
            padded = (*args, *[ANY] * len(parameters))
            args = tuple(a if p.name in asked else ANY for p, a in zip(parameters, padded, strict=False))
        args = tuple(self._normal(arg, depth + 1) for arg in args)
        if all(arg.kind == "any" for arg in args):
            return instance(type_.name)
        return Type(type_.kind, type_.name, args)

    def _content(self, cls: Entity) -> set[Type]:
        """The type variables that stand for what an instance of the class holds."""
        held = self.stubs.held(instance(cls.name, *self.stubs.parameters(cls)))
        return {member for member in members(held) if member.kind == "variable"}

    # Values.

    def _modelled_type(self, entity: Entity, key: str) -> Type | None:
        text = self.models.get(entity.name, key)
        return None if text is None else self.stubs.qualified(text)

    def _value(self, value: Entity) -> Iterator[Told]:
        type_ = self._modelled_type(value, "value") or self.stubs.value_type(value)
        if type_.kind == "none":
            return
        if self.models.get(value.name, "nullable", includes_none(type_)):
            yield "lib_value_nullable", (value.name,)
        if any(member.kind == "self" for member in members(type_)):
            yield "lib_returns_receiver", (value.name,)
        for object_ in self.objects(_in_class(type_, value)):
            yield "lib_value", (value.name, object_)

    # Calls.

    def _constructor(self, cls: Entity) -> Iterator[Told]:
        told = self.models.get(cls.name, "returns_contents")
        if told is not None:
            for position in told:
                yield "lib_returns_contents", (cls.name, position)
            return
        if self.stubs.has_fixed_length(cls):
            return
        found = self.stubs.members(cls)
        signatures = []
        for name in ("__new__", "__init__"):
            method = found.get(name)
            if method is None or method.kind != "function" or method.owner is None:
                continue
            owner = instance(method.owner.name, *self.stubs.parameters(method.owner))
            for s in self.stubs.signatures(method):
                made = s.returns if name == "__new__" and s.returns.kind == "instance" else owner
                signatures.append(Signature(s.parameters, made, ANY))
        yield from self._contents(cls.name, signatures, None)
        for method in (found.get(name) for name in ("__new__", "__init__")):
            if method is not None and method.kind == "function" and method.owner is not None:
                yield from self._required(cls.name, self.stubs.signatures(method))

    def _function(self, function: Entity) -> Iterator[Told]:
        name = function.name
        signatures = self.stubs.signatures(function)
        modelled = self._modelled_type(function, "returns")
        returns = modelled or union(s.returns for s in signatures)
        if self.models.get(name, "mutates") is True:
            yield "lib_mutates", (name,)
        for key in ("changes", "repeats"):
            for position in self.models.get(name, key) or ():
                yield f"lib_{key}", (name, position)
        if self.models.get(name, "iterated") is True:
            yield "lib_iterated", (name,)
        if self.models.get(name, "noreturn", returns.kind == "never"):
            yield "lib_noreturn", (name,)
            return
        if returns.kind == "none":
            yield "lib_returns_none", (name,)
            return
        for count in self._nullable_counts(name, signatures, modelled):
            yield "lib_nullable", (name, count)
        if all(member.kind in _OBJECTS for member in members(returns)):
            yield "lib_present", (name,)
        yield from self._results(function, returns)
        yield from self._arguments(name, signatures, modelled)
        yield from self._required(name, signatures)
        told = self.models.get(name, "returns_contents")
        if told is not None:
            for position in told:
                yield "lib_returns_contents", (name, position)
        elif modelled is None:
            yield from self._contents(name, signatures, function.owner)

    def _nullable_counts(self, name: str, signatures: Sequence[Signature], modelled: Type | None) -> Iterator[int]:
        """Argument counts with which the call may return None.

        Looked at are the overloads that accept the count and are not given an argument that is annotated as None
        itself: `get(key, default: None = None)` is nullable with one argument and hands on its second. All of them have
        to include None. One is not enough: an overload for a single literal or for a callback (`assertRaises`) would
        make every other call nullable too.
        """
        counts = sorted({count for s in signatures for count in s.counts()})
        told = self.models.get(name, "nullable")
        if told is None and modelled is not None:
            told = includes_none(modelled)
        if isinstance(told, list):
            yield from told
        elif told is not None:
            yield from counts if told else ()
        else:
            for count in counts:
                fitting = [s for s in signatures if s.accepts(count) and not _takes_none(s, count)]
                if fitting and all(includes_none(s.returns) for s in fitting):
                    yield count

    def _required(self, name: str, signatures: Sequence[Signature]) -> Iterator[Told]:
        """Parameters that take no None, in none of the overloads that have them. Of those that extraction knows, each
        call says so itself."""
        refused: dict[tuple[int, str], bool] = {}
        for parameter in (p for s in signatures for p in s.parameters if p.kind != "double_star"):
            refuses = all(t.kind in ("instance", "tuple") and t.name not in _OF_NONE for t in members(parameter.type))
            for key in _keys(parameter):
                refused[key] = refused.get(key, True) and refuses
        known = SEMANTICS.arguments.get(name, ())
        for (position, keyword), refuses in refused.items():
            if refuses and position not in known:
                yield "lib_requires", (name, -1, position, keyword)

    def _results(self, function: Entity, returns: Type) -> Iterator[Told]:
        name, owner = function.name, function.owner
        if owner is not None and any("classmethod" in decorators(node) for node in function.nodes):
            returns = substitute(returns, {"Self": instance(owner.name)})
        is_receiver = any(member.kind == "self" for member in members(returns))
        if self.models.get(name, "returns_receiver", is_receiver):
            yield "lib_returns_receiver", (name,)
        own_name = name.rpartition(".")[2]
        is_same = own_name in _SAME_OBJECT or own_name.startswith("__i")
        if self.models.get(name, "fresh", is_receiver and not is_same):
            yield "lib_fresh", (name,)
        content = self._content(owner) if owner is not None else set()
        if self.models.get(name, "returns_item", not content.isdisjoint(members(returns))):
            yield "lib_returns_item", (name,)
        for object_ in self.objects(_in_class(returns, function)):
            yield "lib_returns", (name, object_)

    def _arguments(self, name: str, signatures: Sequence[Signature], modelled: Type | None) -> Iterator[Told]:
        rows: list[Told] = []
        for s in signatures if modelled is None else ():
            results = {member for member in members(s.returns) if member.kind in ("variable", "none")}
            for p in s.parameters:
                if p.kind == "double_star":
                    continue
                if _hands_on(p, results):
                    rows.append(("lib_returns_argument", (name, p.position, p.name)))
                elif not results.isdisjoint(self._held_variables(p)):
                    rows.append(("lib_returns_argument_item", (name, p.position, p.name)))
        for key in ("returns_argument", "returns_argument_item"):
            told = self.models.get(name, key)
            if told is not None:
                rows = [row for row in rows if row[0] != f"lib_{key}"]
                rows += [(f"lib_{key}", (name, a.get("position", -1), a.get("name", ""))) for a in told]
        yield from rows

    def _held_variables(self, parameter: Parameter) -> set[Type]:
        """The type variables that stand for what a container given as the argument contains."""
        return {member for member in self._contained(parameter.type) if member.kind == "variable"}

    def _contained(self, type_: Type) -> set[Type]:
        containers = [m for m in members(type_) if m.kind in ("instance", "tuple") and m.args]
        return {member for container in containers for member in members(self.stubs.contained(container))}

    def _contents(self, name: str, signatures: Sequence[Signature], owner: Entity | None) -> Iterator[Told]:
        """Results that hold what the receiver or an argument holds: themselves, or as element `j` of tuples."""
        kept: dict[int, None] = {}
        filtered = set()
        for s in signatures:
            held = self._contained(s.returns)
            sources = {p.position: (self._held_variables(p), p) for p in s.parameters if p.position >= 0}
            for position, (found, parameter) in sources.items():
                if not found.isdisjoint(held):
                    kept[position] = None
                    if any(member.kind == "none" for member in self._contained(parameter.type)):
                        filtered.add(position)  # filter(None, Iterable[T | None]) -> filter[T]
            content = self._content(owner) if owner is not None else set()
            if not content.isdisjoint(held):
                kept[-1] = None
            everything = [(-1, content), *((position, found) for position, (found, _) in sources.items())]
            for tuple_ in (member for member in held if member.kind == "tuple"):
                for position, found in everything:
                    for j, element in enumerate(tuple_.args):
                        if not found.isdisjoint(members(element)):
                            yield "lib_returns_tuples", (name, position, j)
        for position in kept:
            if position not in filtered:
                yield "lib_returns_contents", (name, position)

    def stored(self, method: Entity) -> Iterator[Told]:
        """Arguments that a mutating method puts into its receiver, themselves or what they hold."""
        if method.owner is None or method.name.rpartition(".")[2] in _REMOVING:
            return
        content = self._content(method.owner)
        for s in self.stubs.signatures(method):
            for p in s.parameters:
                if p.position >= 0 and not content.isdisjoint(members(p.type)):
                    yield "lib_stores", (method.name, p.position)
                elif p.position >= 0 and not content.isdisjoint(self._held_variables(p)):
                    yield "lib_stores_contents", (method.name, p.position)


def _keys(parameter: Parameter) -> list[tuple[int, str]]:
    """The position and the name by which a parameter is passed, each without the other; of one that takes any number of
    arguments, the first positions."""
    if parameter.kind == "star":
        return [(parameter.position + more, "") for more in range(_STARRED)]
    named = [(-1, parameter.name)] if parameter.name else []
    return [(parameter.position, ""), *named] if parameter.position >= 0 else named


def _in_class(type_: Type, entity: Entity) -> Type:
    """The type with Self inside of other types read as the class around the entity; a plain Self is left."""
    if entity.owner is None:
        return type_
    own = {"Self": instance(entity.owner.name)}
    return union(member if member.kind == "self" else substitute(member, own) for member in members(type_))


def _takes_none(signature: Signature, count: int) -> bool:
    """Whether a call with `count` arguments gives one to a parameter that is annotated as None."""
    nones = (p for p in signature.parameters if p.type.kind == "none" and p.kind == "plain")
    return any(p.required or count > p.position >= 0 for p in nones)


def _hands_on(parameter: Parameter, results: set[Type]) -> bool:
    """Whether the result may be the argument: both can be the same type variable, or the argument can only be None and
    the result too. `T | None -> T` does not hand on the None that it takes."""
    given = members(awaited(parameter.type))
    if parameter.type.kind == "none" or not includes_none(parameter.type):
        return not results.isdisjoint(member for member in given if member.kind in ("variable", "none"))
    return any(member.kind == "none" for member in results) and not results.isdisjoint(
        member for member in given if member.kind == "variable"
    )
