"""Types of the standard library's stubs: names resolved, aliases expanded, generics substituted.

Stubs are read as syntax trees through typeshed_client with one fixed version and platform, so that the same package
gives the same types on every machine. Nothing is imported. A type expression becomes a `Type`; what the analyses have
no use for (callables, class objects, protocols' variance) becomes `ANY`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

import typeshed_client
from typeshed_client import ImportedName, ModulePath, NameInfo, OverloadedName, SearchContext

VERSION = (3, 13)
PLATFORM = "linux"


@dataclass(frozen=True, slots=True)
class Type:
    """kind: instance, tuple (of known length), variable, union, none, any, never or self.

    name: the class of an instance, the defining name of a variable. args: type arguments, elements, alternatives.
    """

    kind: str
    name: str = ""
    args: tuple[Type, ...] = ()


ANY = Type("any")
NONE = Type("none")
NEVER = Type("never")
SELF = Type("self")
TUPLE = "builtins.tuple"
_AWAITABLES = {"typing.Awaitable": 0, "typing.Coroutine": 2, "types.CoroutineType": 2}
_TYPING = ("typing", "typing_extensions")
_TRANSPARENT = frozenset({"ClassVar", "Final", "Required", "NotRequired", "ReadOnly", "Annotated"})
_OPAQUE = frozenset({"Callable", "Type", "Concatenate", "Unpack", "Protocol", "Generic", "TypeAlias", "TypedDict"})
_SPECIAL = (
    _TRANSPARENT
    | _OPAQUE
    | {"Any", "Union", "Optional", "Tuple", "Literal", "Self", "NoReturn", "Never", "LiteralString"}
    | {"TypeGuard", "TypeIs"}
)
_ALIASES = {  # names of typing that its stub defines as `_Alias()`, for type checkers to know
    "List": "builtins.list",
    "Dict": "builtins.dict",
    "Set": "builtins.set",
    "FrozenSet": "builtins.frozenset",
    "Counter": "collections.Counter",
    "Deque": "collections.deque",
    "DefaultDict": "collections.defaultdict",
    "OrderedDict": "collections.OrderedDict",
    "ChainMap": "collections.ChainMap",
}
_PROPERTIES = frozenset(
    {"property", "cached_property", "_magic_enum_attr", "DynamicClassAttribute", "abstractproperty"}
)
_TYPE_VARIABLES = frozenset({"TypeVar", "ParamSpec", "TypeVarTuple"})


def instance(name: str, *args: Type) -> Type:
    return Type("instance", name, args)


def members(type_: Type) -> tuple[Type, ...]:
    """The alternatives of a type: a union's members, else the type itself."""
    return type_.args if type_.kind == "union" else (type_,)


def includes_none(type_: Type) -> bool:
    """Whether None is one of the alternatives. In stubs `Any | None` says that a check is expected; where None is
    possible and a check is not expected they say `X | Any`, which does not count."""
    return any(member.kind == "none" for member in members(type_))


def union(types: Iterable[Type]) -> Type:
    flat: dict[Type, None] = {}
    for type_ in types:
        flat.update(dict.fromkeys(members(type_)))
    if len(flat) > 1:
        flat.pop(NEVER, None)
    found = tuple(flat)
    if not found:
        return ANY
    return found[0] if len(found) == 1 else Type("union", args=found)


def substitute(type_: Type, mapping: dict[str, Type]) -> Type:
    if type_.kind == "variable":
        return mapping.get(type_.name, type_)
    if type_.kind == "self":
        return mapping.get("Self", type_)
    if not type_.args:
        return type_
    args = tuple(substitute(arg, mapping) for arg in type_.args)
    return union(args) if type_.kind == "union" else Type(type_.kind, type_.name, args)


def variables(type_: Type) -> dict[str, None]:
    """Names of the type variables in a type, in order of appearance."""
    if type_.kind == "variable":
        return {type_.name: None}
    found: dict[str, None] = {}
    for arg in type_.args:
        found.update(variables(arg))
    return found


def awaited(type_: Type) -> Type:
    """The type with coroutines and awaitables replaced by what awaiting them gives."""
    found = []
    for member in members(type_):
        position = _AWAITABLES.get(member.name, -1) if member.kind == "instance" else -1
        found.append(member.args[position] if 0 <= position < len(member.args) else member)
    return union(found)


@dataclass(frozen=True, eq=False)
class Entity:
    """What a name of a stub stands for.

    kind: module, class, function, value, alias, variable (a type variable) or special (a form of typing).
    name: the fully qualified name of the definition. module: the stub that holds it. owner: the class around it.
    nodes: its definitions, several where it is overloaded.
    """

    kind: str
    name: str
    module: str
    owner: Entity | None = None
    nodes: tuple[ast.AST, ...] = ()
    children: dict[str, NameInfo] = field(default_factory=dict)

    @cached_property
    def cache(self) -> dict[str, Entity | None]:
        return {}


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


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def decorators(node: ast.AST) -> set[str]:
    found = getattr(node, "decorator_list", ())
    return {_last_name(decorator) for decorator in found}


def _definitions(info: NameInfo) -> tuple[ast.AST | ImportedName, ...]:
    return tuple(info.ast.definitions) if isinstance(info.ast, OverloadedName) else (info.ast,)


_CONTEXT: SearchContext = typeshed_client.get_search_context(
    search_path=[],
    version=VERSION,
    platform=PLATFORM,
    implementation_name="cpython",
    implementation_version=VERSION,
)


def has_stubs(module: str) -> bool:
    return typeshed_client.get_stub_file(module, search_context=_CONTEXT) is not None


class Stubs:
    """All stub modules, loaded when first asked for."""

    def __init__(self, extra: dict[str, str] | None = None) -> None:
        """extra: module -> stub text for modules that typeshed does not have; names in it are fully qualified."""
        self._extra = {**(extra or {}), "": "from typing import Any, NoReturn, Self"}
        self._context = _CONTEXT
        self._modules: dict[str, Entity | None] = {}
        self._resolving: set[tuple[str, str]] = set()
        self._expanding: set[str] = set()
        self._mro: dict[str, tuple[Type, ...]] = {}
        self._signatures: dict[str, tuple[Signature, ...]] = {}
        self._elements: dict[tuple[str, Type], Type] = {}
        self._classes: dict[str, Entity | None] = {}

    # Modules and names.

    def exists(self, module: str) -> bool:
        return module in self._extra or has_stubs(module)

    def module_names(self) -> list[str]:
        """Every module that there is, sorted."""
        found = {name for name, _ in typeshed_client.get_all_stub_files(self._context)}
        return sorted((found | self._extra.keys()) - {""})

    def module(self, name: str) -> Entity | None:
        """The module `name` as an entity whose children are its names; None where no stub exists."""
        if name not in self._modules:
            self._modules[name] = self._load(name)
        return self._modules[name]

    def _load(self, name: str) -> Entity | None:
        path = None
        if name in self._extra:
            tree = ast.parse(self._extra[name])
        elif path := typeshed_client.get_stub_file(name, search_context=self._context):
            tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
        else:
            return None
        is_package = path is not None and path.name == "__init__.pyi"
        # Star imports are expanded here from modules already loaded; typeshed_client would parse each of them again.
        stars = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"]
        tree.body = [node for node in tree.body if node not in stars]
        names = typeshed_client.parse_ast(
            tree,
            self._context,
            ModulePath(tuple(name.split("."))),
            file_path=path or self._context.typeshed / f"{name}.pyi",
            is_init=is_package,
        )
        for star in stars:
            base = name.split(".") if is_package else name.split(".")[:-1]
            base = base[: len(base) - max(star.level - 1, 0)] if star.level else []
            source = ".".join([*base, star.module] if star.module else base)
            for exported in self._exported(source):
                imported = ImportedName(ModulePath(tuple(source.split("."))), exported)
                names.setdefault(exported, NameInfo(exported, True, imported))
        return Entity("module", name, name, children=names)

    def _exported(self, module: str) -> list[str]:
        entity = self.module(module)
        if entity is None:
            return []
        public = entity.children.get("__all__")
        if public is None:
            return [name for name, info in entity.children.items() if info.is_exported]
        names = []
        for node in _definitions(public):
            value = getattr(node, "value", node)
            if isinstance(value, (ast.List, ast.Tuple)):
                names += [item.value for item in value.elts if isinstance(item, ast.Constant)]
        return [str(name) for name in names]

    def submodule(self, module: str, name: str) -> Entity | None:
        return self.module(f"{module}.{name}") if self.exists(f"{module}.{name}") else None

    def child(self, parent: Entity, name: str) -> Entity | None:
        """What `name` stands for inside a module or directly in the body of a class; imports are followed."""
        if name not in parent.cache:
            key = (parent.name, name)
            if key in self._resolving:
                return None
            self._resolving.add(key)
            try:
                info = parent.children.get(name)
                parent.cache[name] = None if info is None else self._classify(parent, info)
            finally:
                self._resolving.discard(key)
        return parent.cache[name]

    def _classify(self, parent: Entity, info: NameInfo) -> Entity | None:
        if parent.name in _TYPING and info.name in _SPECIAL:
            return Entity("special", info.name, parent.name)
        definitions = _definitions(info)
        imported = [node for node in definitions if isinstance(node, ImportedName)]
        nodes = tuple(node for node in definitions if isinstance(node, ast.AST))
        if not nodes:
            return self._imported(imported[-1], parent)
        name = f"{parent.name}.{info.name}"
        owner = parent if parent.kind == "class" else None
        node = nodes[0]

        def entity(kind: str) -> Entity:
            return Entity(kind, name, parent.module, owner, nodes, info.child_nodes or {})

        if isinstance(node, ast.ClassDef):
            return Entity("class", name, parent.module, owner, (node,), info.child_nodes or {})
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return entity("value" if decorators(node) & _PROPERTIES else "function")
        if isinstance(node, ast.AnnAssign):
            return entity("alias" if _last_name(node.annotation) == "TypeAlias" else "value")
        if isinstance(node, ast.Assign):
            return self._assigned(parent, node, entity)
        return None

    def _assigned(self, parent: Entity, node: ast.Assign, entity: Callable[[str], Entity]) -> Entity | None:
        value = node.value
        if isinstance(value, ast.Call):
            called = _last_name(value)
            if called == "_Alias" and parent.name in _TYPING:
                return self.find(_ALIASES[name]) if (name := _last_name(node.targets[0])) in _ALIASES else None
            if called in _TYPE_VARIABLES:
                return entity("variable")
            return entity("alias" if called == "NewType" else "value")
        is_enum_member = parent.kind == "class" and self.is_enum(parent)
        if isinstance(value, (ast.Name, ast.Attribute)) and not is_enum_member:
            found = self.lookup(value, parent, functions=True)
            if found is not None:
                return found
        if isinstance(value, (ast.Subscript, ast.BinOp)) and parent.kind == "module":
            return entity("alias")
        return entity("value")

    def _imported(self, imported: ImportedName, importer: Entity) -> Entity | None:
        module = ".".join(imported.module_name)
        if imported.name is None:
            return self.module(module)
        if module == importer.name:  # a package imports from itself what it does not define
            return self.submodule(module, imported.name)
        source = self.module(module)
        found = None if source is None else self.child(source, imported.name)
        return found or self.submodule(module, imported.name)

    def lookup(self, node: ast.expr, scope: Entity, *, functions: bool = False) -> Entity | None:
        """What a name or a dotted name stands for in the body of a module or class. In a type a function or value of
        the class does not hide the global name (a method `list`, the type `list`), unless `functions` asks for it."""
        if isinstance(node, ast.Name):
            around: Entity | None = scope if scope.kind == "class" else None
            while around is not None:
                found = self.child(around, node.id) if node.id in around.children else None
                if found is not None and (functions or found.kind not in ("function", "value")):
                    return found
                around = around.owner
            return self._global(node.id, scope.module)
        if isinstance(node, ast.Attribute):
            base = self.lookup(node.value, scope, functions=functions)
            return None if base is None else self.attribute(base, node.attr)
        return None

    def _global(self, name: str, module: str) -> Entity | None:
        holder = self.module(module)
        if holder is not None and name in holder.children:
            return self.child(holder, name)
        builtins = self.module("builtins")
        if builtins is not None and name in builtins.children:
            return self.child(builtins, name)
        return self.module(name) if module in self._extra else None

    def attribute(self, base: Entity, name: str) -> Entity | None:
        """The entity that `base.name` reads: a module's name, a class's member, a member of a value's class."""
        if base.kind == "module":
            return self.child(base, name) or self.submodule(base.name, name)
        if base.kind == "class":
            return self.members(base).get(name)
        if base.kind == "value":
            for member in members(self.value_type(base)):
                found = self.find_class(member.name) if member.kind == "instance" else None
                if found is not None and name in self.members(found):
                    return self.members(found)[name]
        return None

    def find(self, dotted: str) -> Entity | None:
        """The entity with this dotted name, starting from the longest prefix that is a module."""
        parts = dotted.split(".")
        for size in range(len(parts), 0, -1):
            entity = self.module(".".join(parts[:size]))
            if entity is None:
                continue
            for part in parts[size:]:
                entity = self.attribute(entity, part) if entity is not None else None
            if entity is not None:
                return entity
        return None

    def find_class(self, name: str) -> Entity | None:
        if name not in self._classes:
            found = self.find(name)
            self._classes[name] = found if found is not None and found.kind == "class" else None
        return self._classes[name]

    # Type expressions.

    def qualified(self, text: str) -> Type:
        """The type that a model file spells with fully qualified names."""
        scope = self.module("")
        assert scope is not None
        return self.evaluate(ast.parse(text.strip(), mode="eval").body, scope)

    def evaluate(self, node: ast.expr | None, scope: Entity) -> Type:
        if node is None:
            return ANY
        if isinstance(node, ast.Constant):
            if node.value is None:
                return NONE
            if isinstance(node.value, str):
                try:
                    return self.evaluate(ast.parse(node.value, mode="eval").body, scope)
                except SyntaxError:
                    return ANY
            return ANY
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return union((self.evaluate(node.left, scope), self.evaluate(node.right, scope)))
        if isinstance(node, ast.Subscript):
            entity = self.lookup(node.value, scope)
            arguments = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            return ANY if entity is None else self._applied(entity, arguments, scope)
        if isinstance(node, (ast.Name, ast.Attribute)):
            entity = self.lookup(node, scope)
            return ANY if entity is None else self._applied(entity, None, scope)
        return ANY

    def _applied(self, entity: Entity, arguments: list[ast.expr] | None, scope: Entity) -> Type:
        if entity.kind == "special":
            return self._special(entity.name, arguments or [], scope)
        if entity.kind == "variable":
            return self._variable(entity)
        if entity.kind == "alias":
            expanded = self._alias(entity)
            given = [self.evaluate(argument, scope) for argument in arguments or ()]
            free = variables(expanded)
            return substitute(expanded, dict(zip(free, given + [ANY] * len(free), strict=False))) if free else expanded
        if entity.kind != "class":
            return ANY
        if entity.name == "builtins.type":
            return ANY
        if entity.name == TUPLE and arguments is not None:
            return self._tuple(arguments, scope)
        if arguments is None:
            return instance(entity.name)
        return instance(entity.name, *(self.evaluate(argument, scope) for argument in arguments))

    def _tuple(self, arguments: list[ast.expr], scope: Entity) -> Type:
        if len(arguments) == 2 and isinstance(arguments[1], ast.Constant) and arguments[1].value is ...:
            return instance(TUPLE, self.evaluate(arguments[0], scope))
        if any(isinstance(argument, ast.Starred) for argument in arguments):
            return instance(TUPLE)
        return Type("tuple", TUPLE, tuple(self.evaluate(argument, scope) for argument in arguments))

    def _special(self, name: str, arguments: list[ast.expr], scope: Entity) -> Type:
        if name in _TRANSPARENT:
            return self.evaluate(arguments[0], scope) if arguments else ANY
        if name == "Optional":
            return union((self.evaluate(arguments[0], scope), NONE))
        if name == "Union":
            return union(self.evaluate(argument, scope) for argument in arguments)
        if name == "Tuple":
            return self._tuple(arguments, scope) if arguments else instance(TUPLE)
        if name in ("NoReturn", "Never"):
            return NEVER
        if name == "Self":
            return SELF
        if name == "LiteralString":
            return instance("builtins.str")
        if name in ("TypeGuard", "TypeIs"):
            return instance("builtins.bool")
        if name == "Literal":
            return union(self._literal(argument, scope) for argument in arguments)
        return ANY

    def _literal(self, node: ast.expr, scope: Entity) -> Type:
        if isinstance(node, ast.Constant):
            return NONE if node.value is None else instance(f"builtins.{type(node.value).__name__}")
        if isinstance(node, ast.Attribute):
            owner = self.lookup(node.value, scope)
            return instance(owner.name) if owner is not None and owner.kind == "class" else ANY
        return ANY

    def _variable(self, entity: Entity) -> Type:
        """A type variable; one that is constrained to a list of types (AnyStr) counts as the first of them."""
        node = entity.nodes[0]
        call = node.value if isinstance(node, ast.Assign) else None
        if isinstance(call, ast.Call) and _last_name(call) == "TypeVar" and len(call.args) > 1:
            return self.evaluate(call.args[1], self._scope(entity))
        return Type("variable", entity.name)

    def _alias(self, entity: Entity) -> Type:
        if entity.name in self._expanding:
            return ANY
        node = entity.nodes[0]
        value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
        if isinstance(value, ast.Call):  # NewType("Name", base)
            value = value.args[1]
        self._expanding.add(entity.name)
        try:
            return self.evaluate(value, self._scope(entity))
        finally:
            self._expanding.discard(entity.name)

    def _scope(self, entity: Entity) -> Entity:
        found = entity.owner or self.module(entity.module)
        assert found is not None, entity.name
        return found

    # Classes.

    def bases(self, cls: Entity) -> tuple[Type, ...]:
        """The direct base classes as instances in terms of the class's own type variables."""
        node = cls.nodes[0]
        assert isinstance(node, ast.ClassDef)
        found = []
        for base in node.bases:
            entity = self.lookup(base.value if isinstance(base, ast.Subscript) else base, self._scope(cls))
            if entity is not None and entity.kind == "special" and entity.name == "TypedDict":
                found.append(instance("typing._TypedDict"))
            else:
                type_ = self.evaluate(base, self._scope(cls))
                if type_.kind in ("instance", "tuple") and type_.name != "builtins.object":
                    found.append(type_)
        return tuple(found)

    def parameters(self, cls: Entity) -> tuple[Type, ...]:
        """The class's type parameters in order; a constrained one is not a variable but holds its place."""
        node = cls.nodes[0]
        assert isinstance(node, ast.ClassDef)
        scope = self._scope(cls)
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
            _last_name(base.value if isinstance(base, ast.Subscript) else base) == "Protocol" for base in node.bases
        )

    def has_fixed_length(self, cls: Entity) -> bool:
        """Whether instances are tuples with a known number of elements, each of a type of its own."""
        return any(base.kind == "tuple" or base.name == "typing.NamedTuple" for base in self.mro(cls)[1:])

    def is_enum(self, cls: Entity) -> bool:
        return any(base.name == "enum.Enum" for base in self.mro(cls))

    # Functions and values.

    def signatures(self, function: Entity) -> tuple[Signature, ...]:
        if function.name not in self._signatures:
            nodes = (node for node in function.nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))
            self._signatures[function.name] = tuple(self._signature(function, node) for node in nodes)
        return self._signatures[function.name]

    def _signature(self, function: Entity, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Signature:
        scope = self._scope(function)
        given = node.args
        positional = [*given.posonlyargs, *given.args]
        required = [True] * (len(positional) - len(given.defaults)) + [False] * len(given.defaults)
        numbered = list(zip(positional, required, strict=True))
        receiver = ANY
        if function.owner is not None and "staticmethod" not in decorators(node) and numbered:
            receiver = self.evaluate(numbered[0][0].annotation, scope)
            numbered = numbered[1:]
        nameless = {arg.arg for arg in given.posonlyargs}
        found = [
            Parameter(
                position,
                "" if arg.arg in nameless or (arg.arg.startswith("__") and not arg.arg.endswith("__")) else arg.arg,
                self.evaluate(arg.annotation, scope),
                needed,
            )
            for position, (arg, needed) in enumerate(numbered)
        ]
        for arg, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
            found.append(Parameter(-1, arg.arg, self.evaluate(arg.annotation, scope), default is None))
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

    def value_type(self, value: Entity) -> Type:
        """The type of a module variable, class attribute or property as it is read."""
        node = value.nodes[0]
        if isinstance(node, ast.FunctionDef):
            return self._signature(value, node).returns
        if value.owner is not None and isinstance(node, ast.Assign) and self.is_enum(value.owner):
            return instance(value.owner.name)
        if isinstance(node, ast.AnnAssign):
            type_ = self.evaluate(node.annotation, self._scope(value))
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
