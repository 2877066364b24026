"""What a file declares, as its functions ask for it: names, types, fields, signatures."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tree_sitter import Node

from pliant.extractors.go.names import BUILTINS, Global, Meaning, Named, Package
from pliant.extractors.go.types import BASIC, FIXED, Look, Signature, Struct, signature, struct_of, target, written
from pliant.extractors.ir.operands import ANY, Type
from pliant.extractors.ir.unit import Class, Function, Unit
from pliant.extractors.lowering.isolation import Spent
from pliant.extractors.lowering.source import elements, span, text

_BASIC: dict[str, Meaning] = {name: Named(kind) for name, kind in BASIC.items()}
_OWN = ("", ".")
_MOST_EMBEDDED = 64  # types that are looked through for a field or method
_LOOK_STEPS = 4  # of each of them

_Way = tuple["_Way", str] | None  # the embedded fields on the way to a type, the last one first


class File:
    """unit: what becomes of the file. unmodelled: construct -> how often it was met. spent: on the functions that were
    translated, and on types that were looked through for a field."""

    def __init__(self) -> None:
        self.unit = Unit("go", ".")
        self.unmodelled: dict[str, int] = {}
        self.spent = Spent()
        self.names: dict[str, Meaning] = {}
        self.parameters: dict[str, Named] = {}  # type parameters of what is being declared
        self.signatures: dict[str, Signature] = {}
        self.methods: dict[tuple[str, str], Signature] = {}
        self._meant: dict[str, Type] = {}  # named type that is no struct -> what it stands for
        self._structs: dict[str, Struct] = {}
        self._anonymous: dict[int, Type] = {}
        self._taken: dict[str, int] = {}
        self._mentioned: set[str] = set()

    # Names.

    def meaning(self, name: str) -> Meaning:
        return (
            self.parameters.get(name)
            or self.names.get(name)
            or _BASIC.get(name)
            or BUILTINS.get(name)
            or Global(name, here=False)
        )

    def type_named(self, name: str) -> Type:
        return self.foreign(name, self.meaning(name))

    def foreign(self, name: str, meaning: Meaning) -> Type:
        """The type that a name is: if no type of that name is known here, one of another file of the package."""
        if isinstance(meaning, Named):
            return meaning.type
        return Type("class", name, ".") if isinstance(meaning, Global) and not meaning.here else ANY

    def package_path(self, name: str) -> str | None:
        meaning = self.meaning(name)
        return meaning.path if isinstance(meaning, Package) else None

    def anonymous(self, node: Node) -> Type:
        return self.struct(node, "struct", ".", lambda: struct_of(node, self))

    def mention(self, module: str) -> None:
        if module not in self._mentioned:
            self._mentioned.add(module)
            self.unit.mentions.append(module)

    def unique(self, name: str) -> str:
        """The name of a function or a type: another one of its name is `name#2`."""
        count = self._taken[name] = self._taken.get(name, 0) + 1
        return name if count == 1 else f"{name}#{count}"

    # Types.

    def name_type(self, spec: Node, look: Look, scope: dict[str, Meaning], prefix: str = "") -> Type:
        """Give the type of a declaration its name in a scope."""
        name = text(spec.child_by_field_name("name") or spec)
        if spec.type == "type_alias":
            kind = written(spec.child_by_field_name("type"), look)
        elif prefix:
            kind = Type("class", self.unique(f"{prefix}.{name}"))
        else:
            kind = Type("class", self.unique(name), ".")
        scope[name] = Named(kind)
        return kind

    def fill_type(self, spec: Node, look: Look, kind: Type) -> None:
        """Read what a named type consists of."""
        node = spec.child_by_field_name("type")
        if node is None or spec.type == "type_alias":
            return
        at = span(spec.child_by_field_name("name") or spec)
        if node.type == "struct_type":
            self.add_struct(kind, struct_of(node, look)).span = at
            return
        found = Class(kind, "class", span=at)
        meant = written(node, look)
        if node.type == "interface_type":
            found.kind, meant = "interface", Type("interface", kind.name)
            for each in elements(node):
                if each.type == "method_elem":
                    name = text(each.child_by_field_name("name") or each)
                    self.methods[kind.name, name] = signature(each, look, "interface")
                elif len(inner := elements(each)) == 1 and (base := written(inner[0], look)).kind == "class":
                    found.bases.append(base)
        if meant != kind:
            self._meant[kind.name] = meant
        self.unit.classes.append(found)

    def struct(self, node: Node, name: str, module: str, read: Callable[[], Struct]) -> Type:
        """The type of a struct; one that has no name gets one at its first reading. read: what it consists of."""
        known = self._anonymous.get(node.start_byte)
        if known is None:
            known = self._anonymous[node.start_byte] = Type("class", self.unique(name), module)
            self.add_struct(known, read())
        return known

    def add_struct(self, kind: Type, struct: Struct) -> Class:
        self._structs[kind.name] = struct
        bases = [target(struct.fields[name]) for name in struct.embedded]
        self.unit.classes.append(Class(kind, "struct", [each for each in bases if each.kind == "class"], struct.fields))
        return self.unit.classes[-1]

    def struct_of(self, kind: Type) -> Struct | None:
        kind = self.underlying(kind)
        return self._structs.get(kind.name) if kind.kind == "class" and kind.module in _OWN else None

    def underlying(self, kind: Type) -> Type:
        """What a named type of this file stands for; another type itself."""
        for _ in range(8):
            if kind.kind != "class" or kind.module not in _OWN or kind.name not in self._meant:
                break
            kind = self._meant[kind.name]
        return kind

    def shape(self, kind: Type) -> str:
        """`struct`, `slice`, `fixed` (an array), `unknown` (a named type of elsewhere), or the kind of the type."""
        kind = self.underlying(kind)
        if kind.kind == "array":
            return FIXED if kind.name == FIXED else "slice"
        if kind.kind != "class":
            return kind.kind
        return "struct" if kind.module in _OWN and kind.name in self._structs else "unknown"

    # Members.

    def field(self, kind: Type, name: str) -> tuple[list[str], Type | None]:
        """How a field or method is reached from a struct or a pointer to one: the embedded fields on the way, and the
        type of the field; None if it is a method, or unknown."""
        for holder, struct, way in self._embedding(target(self.underlying(kind))):
            if struct is not None and name in struct.fields:
                return _path(way), struct.fields[name]
            if (holder.name, name) in self.methods:
                return _path(way), None
        return [], None

    def method(self, kind: Type, name: str) -> Signature | None:
        """The method of a type or of a pointer to it, if this file declares it."""
        kind = target(kind)
        return self.methods.get((kind.name, name)) if kind.kind == "class" and kind.module in _OWN else None

    def is_plain(self, kind: Type) -> bool:
        """Whether all methods of a type, or of a pointer to it, are its own: this file declares it, and it embeds
        nothing."""
        kind = target(kind)
        if kind.kind != "class" or kind.module not in _OWN:
            return False
        struct = self._structs.get(kind.name)
        if struct is not None:
            return not struct.embedded
        return self.underlying(kind).kind not in ("class", "interface", "any")

    def _embedding(self, kind: Type) -> Iterator[tuple[Type, Struct | None, _Way]]:
        """The type and those that it embeds, the nearest first, up to _MOST_EMBEDDED."""
        todo: list[tuple[Type, _Way]] = [(kind, None)]
        seen: set[str] = set()
        for holder, way in todo:
            if len(seen) == _MOST_EMBEDDED:
                return
            if holder.kind != "class" or holder.module not in _OWN or holder.name in seen:
                continue
            self.spent.all += _LOOK_STEPS
            seen.add(holder.name)
            struct = self.struct_of(holder) if holder.name in self._meant else self._structs.get(holder.name)
            yield holder, struct, way
            if struct is not None:
                todo += [(target(struct.fields[name]), (way, name)) for name in struct.embedded[:_MOST_EMBEDDED]]

    # Functions.

    def add(self, function: Function) -> Function:
        self.unit.functions.append(function)
        return function


def _path(way: _Way) -> list[str]:
    path: list[str] = []
    while way is not None:
        way, name = way
        path.append(name)
    return path[::-1]
