"""Names of stubs, of the standard library and of typed packages: modules, classes, functions and values, with imports
followed.

Stubs are read as syntax trees through typeshed_client with one fixed version and platform, so that the same package
gives the same types on every machine. Nothing is imported.
"""

from __future__ import annotations

import ast
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import typeshed_client
from typeshed_client import ImportedName, ModulePath, NameInfo, OverloadedName, SearchContext

from .dependencies import Dependencies
from .library_types import Type, members

VERSION = (3, 13)
PLATFORM = "linux"
_TYPING = ("typing", "typing_extensions")
TRANSPARENT = frozenset({"ClassVar", "Final", "Required", "NotRequired", "ReadOnly", "Annotated"})
_OPAQUE = frozenset({"Callable", "Type", "Concatenate", "Unpack", "Protocol", "Generic", "TypeAlias", "TypedDict"})
_SPECIAL = (
    TRANSPARENT
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


def last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def decorators(node: ast.AST) -> set[str]:
    found = getattr(node, "decorator_list", ())
    return {last_name(decorator) for decorator in found}


def _definitions(info: NameInfo) -> tuple[ast.AST | ImportedName, ...]:
    return tuple(info.ast.definitions) if isinstance(info.ast, OverloadedName) else (info.ast,)


_CONTEXT: SearchContext = typeshed_client.get_search_context(
    search_path=[],
    version=VERSION,
    platform=PLATFORM,
    implementation_name="cpython",
    implementation_version=VERSION,
)


_UNREADABLE = (OSError, SyntaxError, ValueError, RecursionError, MemoryError, RuntimeError, typeshed_client.InvalidStub)
_MOST_BYTES = 8 << 20  # of a module of a package that is read
logging.getLogger("typeshed_client").setLevel(logging.ERROR)  # it warns of what sources of packages have and stubs not


def _bounded(path: Path) -> str:
    if path.stat().st_size > _MOST_BYTES:
        raise OSError(f"{path} is larger than {_MOST_BYTES >> 20} MiB")
    return path.read_text(encoding="utf-8")


def has_stubs(module: str) -> bool:
    return typeshed_client.get_stub_file(module, search_context=_CONTEXT) is not None


class Names:
    """All stub modules, loaded when first asked for, and what names in them stand for."""

    def __init__(self, extra: dict[str, str] | None = None, dependencies: Dependencies | None = None) -> None:
        """extra: module -> stub text for modules that nobody else has; names in it are fully qualified."""
        self._extra = {**(extra or {}), "": "from typing import Any, NoReturn, Self"}
        self._installed = {} if dependencies is None else dependencies.modules
        self._context = _CONTEXT
        self._modules: dict[str, Entity | None] = {}
        self._resolving: set[tuple[str, str]] = set()
        self._classes: dict[str, Entity | None] = {}

    # Modules and names.

    def exists(self, module: str) -> bool:
        return module in self._extra or module in self._installed or has_stubs(module)

    def module_names(self) -> list[str]:
        """Every module that there is, sorted."""
        found = {name for name, _ in typeshed_client.get_all_stub_files(self._context)}
        return sorted((found | self._extra.keys() | self._installed.keys()) - {""})

    def module(self, name: str) -> Entity | None:
        """The module `name` as an entity whose children are its names; None where no stub exists."""
        if name not in self._modules:
            self._modules[name] = self._load(name)
        return self._modules[name]

    def _load(self, name: str) -> Entity | None:
        path = None
        if name in self._extra:
            text = self._extra[name]
        elif (path := typeshed_client.get_stub_file(name, search_context=self._context)) is not None:
            text = path.read_text(encoding="utf-8")
        elif (path := self._installed.get(name)) is not None:
            try:
                return self._parsed(name, _bounded(path), path)
            except _UNREADABLE:  # nothing is told of it, as of a package without types
                return None
        else:
            return None
        return self._parsed(name, text, path)

    def _parsed(self, name: str, text: str, path: Path | None) -> Entity:
        tree = ast.parse(text, filename=str(path or name))
        is_package = path is not None and path.stem == "__init__"
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
            return entity("alias" if last_name(node.annotation) == "TypeAlias" else "value")
        if isinstance(node, ast.Assign):
            return self._assigned(parent, node, entity)
        return None

    def _assigned(self, parent: Entity, node: ast.Assign, entity: Callable[[str], Entity]) -> Entity | None:
        value = node.value
        if isinstance(value, ast.Call):
            called = last_name(value)
            if called == "_Alias" and parent.name in _TYPING:
                return self.find(_ALIASES[name]) if (name := last_name(node.targets[0])) in _ALIASES else None
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

    # What the next layers know of classes and values.

    def members(self, cls: Entity) -> dict[str, Entity]:
        """Member name -> the entity that an instance finds, by the MRO; `object` is left out."""
        raise NotImplementedError

    def is_enum(self, cls: Entity) -> bool:
        raise NotImplementedError

    def value_type(self, value: Entity) -> Type:
        """The type of a module variable, class attribute or property as it is read."""
        raise NotImplementedError
