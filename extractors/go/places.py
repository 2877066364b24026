"""What can be assigned to: its parts are evaluated once, also where it is read before it is written (`m[f()] += 1`)."""

from __future__ import annotations

from typing import NamedTuple

from tree_sitter import Node

from pliant.extractors.go.body import Body, Typed
from pliant.extractors.go.expressions import element_type, member_span, reach, through, typed, value
from pliant.extractors.go.names import Global, Local, Package
from pliant.extractors.go.types import NULLABLE, target
from pliant.extractors.ir.operands import ANY, OTHER, Operand, Type
from pliant.extractors.ir.unit import Span
from pliant.extractors.lowering.source import only, span, text


class Written(NamedTuple):
    """kind: `variable`, `field` (also `*`, what a pointer points to), `element`, or `nothing`. name: of the variable or
    the field; base and key: of the others. type: of what it holds."""

    kind: str
    type: Type
    at: Span
    name: str = ""
    base: Operand = OTHER
    key: Operand = OTHER


def place(body: Body, node: Node) -> Written:
    """Where an expression on the left of an assignment is."""
    at = span(node)
    match node.type:
        case "identifier":
            name = text(node)
            meaning = body.meaning(name) if name != "_" else None
            if isinstance(meaning, Local | Global):
                return Written("variable", meaning.type, at, body.variable(meaning))
        case "parenthesized_expression":
            inner = only(node)
            return place(body, inner) if inner is not None else Written("nothing", ANY, at)
        case "selector_expression":
            operand, field = node.child_by_field_name("operand"), node.child_by_field_name("field")
            if operand is not None and field is not None:
                return _field(body, operand, field, node)
        case "index_expression":
            base, kind = typed(body, node.child_by_field_name("operand"))
            base, kind = through(body, base, kind, node)
            key = value(body, node.child_by_field_name("index"))
            return Written("element", element_type(kind), at, base=base, key=key)
        case "unary_expression" if node.children[0].type == "*":
            base, kind = typed(body, node.child_by_field_name("operand"))
            return Written("field", target(body.file.underlying(kind)), at, "*", base)
        case _:
            value(body, node)
    return Written("nothing", ANY, at)


def _field(body: Body, operand: Node, field: Node, node: Node) -> Written:
    meaning = body.meaning(text(operand)) if operand.type == "identifier" else None
    if isinstance(meaning, Package):
        return Written("variable", ANY, span(node), body.member(meaning.path, text(field)))
    base, kind = typed(body, operand)
    at = member_span(node, field)
    base, found = reach(body, base, kind, text(field), at)
    return Written("field", found or ANY, at, text(field), base)


def read(body: Body, where: Written) -> Typed:
    """What a place holds."""
    build = body.build
    match where.kind:
        case "variable":
            return build.get(where.name, where.at), where.type
        case "field":
            return build.give("load", where.base, where.name, span=where.at), where.type
        case "element":
            return build.give("element", where.base, where.key, span=where.at), where.type
    return OTHER, ANY


def write(body: Body, where: Written, found: Operand) -> None:
    """A place holds a value from here on."""
    build = body.build
    match where.kind:
        case "variable":
            build.set(where.name, found, where.at)
        case "field" if where.name == "*" and (struct := body.file.struct_of(where.type)) is not None:
            build.do("require", where.base, "pointer", "* =", span=where.at)
            for name, kind in struct.fields.items():
                if body.file.shape(kind) in NULLABLE:
                    held = build.give("load", found, name, span=where.at)
                    build.do("store", where.base, name, held, span=where.at)
        case "field":
            build.do("store", where.base, where.name, found, span=where.at)
        case "element":
            build.do("put", where.base, where.key, found, span=where.at)
