"""Literals of structs, arrays, maps and functions."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.go import functions
from pliant.extractors.go.body import Body, Typed
from pliant.extractors.go.expressions import element_type, expression, fitting, value
from pliant.extractors.go.names import Local
from pliant.extractors.go.types import signature, target, written
from pliant.extractors.ir.operands import ANY, Operand, Type
from pliant.extractors.ir.unit import Function
from pliant.extractors.lowering.source import elements, only, span, text


@expression("composite_literal")
def composite(body: Body, node: Node) -> Typed:
    kind = written(node.child_by_field_name("type"), body)
    return literal(body, node.child_by_field_name("body"), kind, node), kind


def literal(body: Body, braces: Node | None, kind: Type, at: Node) -> Operand:
    """A new object with what stands between braces."""
    parts = [_part(each) for each in elements(braces)]
    shape = body.file.shape(kind)
    struct = body.file.struct_of(kind)
    if struct is not None:
        names = list(struct.fields)
        return _fields(body, [(_name(key) or names[min(n, len(names) - 1)] if names else "", each)
                              for n, (key, each) in enumerate(parts)], kind, at)  # fmt: skip
    if shape == "unknown" and parts and all(_is_field(body, key) for key, _ in parts):
        return _fields(body, [(_name(key), each) for key, each in parts], kind, at)
    inner = element_type(body.file.underlying(kind))
    of_key = body.file.underlying(kind).of[0] if shape == "map" else ANY
    values: list[Operand] = []
    for key, each in parts:
        if key is not None and (shape == "map" or key.type != "identifier"):
            _element(body, key, of_key)
        values.append(_element(body, each, inner))
    return body.build.give("allocate", kind, tuple(values), span=span(at))


def _part(node: Node) -> tuple[Node | None, Node | None]:
    """Key and value of an element."""
    if node.type != "keyed_element":
        return None, only(node)
    key, found = node.child_by_field_name("key"), node.child_by_field_name("value")
    return (only(key) if key is not None else None), (only(found) if found is not None else None)


def _name(key: Node | None) -> str:
    return text(key) if key is not None and key.type == "identifier" else ""


def _is_field(body: Body, key: Node | None) -> bool:
    """Whether the key of a literal whose type another file declares is the name of a field."""
    return key is not None and key.type == "identifier" and not isinstance(body.meaning(text(key)), Local)


def _fields(body: Body, given: list[tuple[str, Node | None]], kind: Type, at: Node) -> Operand:
    struct = body.file.struct_of(kind)
    types = struct.fields if struct is not None else {}
    values = [(name, _element(body, each, types.get(name, ANY)), each) for name, each in given]
    made = body.new(kind, tuple(name for name, _ in given), span(at))
    for name, found, each in values:
        body.build.do("store", made, name, found, span=span(each) if each is not None else None)
    return made


def _element(body: Body, node: Node | None, kind: Type) -> Operand:
    """An element, whose type may be left out: it is that of the elements, or what they point to."""
    if node is None or node.type != "literal_value":
        return fitting(body, node, kind) if node is not None else value(body, None)
    return literal(body, node, target(body.file.underlying(kind)), node)


@expression("func_literal")
def function(body: Body, node: Node) -> Typed:
    body.literals += 1
    inner = Body(body.file, Function(f"{body.name}.func{body.literals}", span=span(node), extent=span(node)), body)
    body.file.add(inner.function)
    functions.translate(inner, node)
    return body.build.give("closure", inner.name, (), span=span(node)), signature(node, body).type
