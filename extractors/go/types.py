"""Types as a file writes them, and what its own named types are.

A named type of the package is `Type("class", name, ".")`, whichever file declares it; one that a function declares has
the function's name in front and no module; one of an imported package has its import path as its module. Of the types
of this file it is known what they stand for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol

from tree_sitter import Node

from pliant.extractors.go.names import CGO, Named
from pliant.extractors.ir.operands import ANY, BOOLEAN, STRING, Type
from pliant.extractors.lowering.source import elements, text

FIXED = "fixed"  # the name of an array type that is no slice
INTERFACE = Type("interface", "any")
ERROR = Type("interface", "error")
_NUMBERS = (
    "int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr byte rune float32 float64 complex64 complex128"
)
BASIC: dict[str, Type] = {
    **{name: Type("number", name) for name in _NUMBERS.split()},
    "string": STRING,
    "bool": BOOLEAN,
    "error": ERROR,
    "any": INTERFACE,
    "comparable": ANY,
}
_DEPTH = 12  # types in types that are read

# Kinds of types of which a variable starts as nil and fails where it is used so.
NULLABLE = frozenset(("pointer", "map", "function", "interface", "channel"))


class Look(Protocol):
    """Where a type is written: says what names mean there."""

    def type_named(self, name: str) -> Type: ...
    def package_path(self, name: str) -> str | None: ...
    def anonymous(self, node: Node) -> Type: ...


class Signature(NamedTuple):
    """parameters: their types, those of a receiver left out; variadic: whether the last one takes many arguments.
    receiver: `pointer`, `value`, `interface`, or nothing of a function that is no method."""

    parameters: tuple[Type, ...]
    variadic: bool
    results: tuple[Type, ...]
    receiver: str = ""

    @property
    def type(self) -> Type:
        return Type("function", of=self.results)


@dataclass(slots=True)
class Struct:
    """fields: in their order, the embedded ones among them; embedded: the names of those."""

    fields: dict[str, Type] = field(default_factory=dict)
    embedded: list[str] = field(default_factory=list)


def written(node: Node | None, look: Look, depth: int = _DEPTH) -> Type:
    """The type that a node writes."""
    if node is None or not depth:
        return ANY
    match node.type:
        case "type_identifier" | "identifier":
            return look.type_named(text(node))
        case "pointer_type":
            return Type("pointer", of=(written(_last(node), look, depth - 1),))
        case "slice_type":
            return Type("array", of=(_part(node, "element", look, depth),))
        case "qualified_type":
            path = look.package_path(text(_field(node, "package")))
            return ANY if path in (None, CGO) else Type("class", text(_field(node, "name")), path or "")
        case "map_type":
            return Type("map", of=(_part(node, "key", look, depth), _part(node, "value", look, depth)))
        case "array_type" | "implicit_length_array_type":
            return Type("array", FIXED, of=(_part(node, "element", look, depth),))
        case "channel_type":
            return Type("channel", of=(_part(node, "value", look, depth),))
        case "function_type":
            return Type("function", of=tuple(results(node, look, depth - 1)))
        case "struct_type":
            return look.anonymous(node)
        case "interface_type":
            return INTERFACE if not elements(node) else Type("interface")
        case "generic_type":
            found = _part(node, "type", look, depth)
            given = elements(_field(node, "type_arguments"))
            of = tuple(
                written(elements(each)[0] if each.type == "type_elem" else each, look, depth - 1) for each in given
            )
            return replace(found, of=of) if found.kind == "class" else found
        case "parenthesized_type":
            return written(_last(node), look, depth - 1)
    return ANY


def parameters(node: Node | None, look: Look, depth: int = _DEPTH) -> Iterator[tuple[Node | None, Type, bool]]:
    """The parameters of a list: the node of the name, if it has one; the type; whether it takes many arguments."""
    for each in elements(node):
        kind = _part(each, "type", look, depth)
        many = each.type == "variadic_parameter_declaration"
        names: list[Node | None] = [child for child in each.children_by_field_name("name") if child.is_named]
        for name in names or [None]:
            yield name, kind, many


def results(node: Node, look: Look, depth: int = _DEPTH) -> list[Type]:
    """The types of what a function gives. node: its declaration, its literal or its type."""
    result = node.child_by_field_name("result")
    if result is None:
        return []
    if result.type == "parameter_list":
        return [kind for _, kind, _ in parameters(result, look, depth)]
    return [written(result, look, depth)]


def signature(node: Node, look: Look, receiver: str = "") -> Signature:
    """The signature that a declaration, a literal or a method of an interface writes."""
    taken = list(parameters(node.child_by_field_name("parameters"), look))
    variadic = bool(taken) and taken[-1][2]
    return Signature(tuple(kind for _, kind, _ in taken), variadic, tuple(results(node, look)), receiver)


def struct_of(node: Node, look: Look) -> Struct:
    """What a struct type consists of."""
    found = Struct()
    for each in (inner for part in elements(node) for inner in elements(part)):
        if each.type != "field_declaration":
            continue
        kind = written(each.child_by_field_name("type"), look)
        names = [text(name) for name in each.children_by_field_name("name") if name.is_named]
        if not names:  # embedded
            plain = kind.name.rpartition(".")[2] if kind.kind == "class" else text(_field(each, "type"))
            if each.children[0].type == "*":
                kind = Type("pointer", of=(kind,))
            names = [plain]
            found.embedded.append(plain)
        for name in names:
            found.fields[name] = kind
    return found


def type_parameters(node: Node) -> dict[str, Named]:
    """The names of the type parameters of a declaration, or of the receiver of a method: any type each."""
    found: dict[str, Named] = {}
    for each in elements(node.child_by_field_name("type_parameters")):
        found.update((text(name), Named(ANY)) for name in each.children_by_field_name("name") if name.is_named)
    todo = elements(node.child_by_field_name("receiver"))
    while todo:
        each = todo.pop()
        if each.type == "type_arguments":
            found.update((text(inner), Named(ANY)) for inner in elements(each))
        elif each.type in ("parameter_declaration", "pointer_type", "generic_type", "parenthesized_type"):
            todo += elements(each)
    return found


def target(kind: Type) -> Type:
    """What a pointer points to; another type itself."""
    return kind.of[0] if kind.kind == "pointer" and kind.of else kind


def one(results_: tuple[Type, ...]) -> Type:
    """The type of what a call gives."""
    return results_[0] if len(results_) == 1 else Type("tuple", of=results_) if results_ else ANY


def _field(node: Node, name: str) -> Node:
    found = node.child_by_field_name(name)
    return found if found is not None else node


def _part(node: Node, name: str, look: Look, depth: int) -> Type:
    return written(node.child_by_field_name(name), look, depth - 1)


def _last(node: Node) -> Node | None:
    inner = elements(node)
    return inner[-1] if inner else None
