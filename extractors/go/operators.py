"""Operators: numbers and strings, pointers, addresses."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.go.body import Body, Typed
from pliant.extractors.go.conditions import CONDITIONS, kept
from pliant.extractors.go.expressions import element_type, expression, member_span, reach, typed, value
from pliant.extractors.go.names import Global, Local
from pliant.extractors.go.types import target
from pliant.extractors.ir.operands import ANY, NUMBER, Type
from pliant.extractors.lowering.source import only, span, text
from pliant.extractors.lowering.trees import operator_of, spine


@expression("unary_expression")
def unary(body: Body, node: Node) -> Typed:
    operator, operand = node.children[0].type, node.child_by_field_name("operand")
    match operator:
        case "*":
            return follow(body, operand, node)
        case "&":
            return address(body, operand, node)
        case "!":
            return kept(body, node)
        case "<-":
            base, kind = typed(body, operand)
            kind = element_type(body.file.underlying(kind))
            return body.build.give("next", base, "element", span=span(node)), kind
    found, kind = typed(body, operand)
    return body.build.give("arithmetic", operator, (found,)), kind


@expression("binary_expression")
def binary(body: Body, node: Node) -> Typed:
    operator = operator_of(node)
    if operator in CONDITIONS:
        return kept(body, node)
    values, kind = [], ANY
    for operand in spine(node, operator):
        found, other = typed(body, operand)
        values.append(found)
        kind = other if kind == ANY else kind
    kind = body.file.underlying(kind)
    return body.build.give("arithmetic", operator, tuple(values)), kind if kind.kind in ("number", "string") else NUMBER


def follow(body: Body, operand: Node | None, node: Node) -> Typed:
    """What a pointer points to. A pointer to a struct is the struct, once it is known not to be nil."""
    base, kind = typed(body, operand)
    kind = body.file.underlying(kind)
    if kind.kind == "pointer" and body.file.shape(target(kind)) in ("struct", "fixed"):
        body.build.do("require", base, "pointer", "*", span=span(node))
        return base, target(kind)
    return body.build.give("load", base, "*", span=span(node)), target(kind) if kind.kind == "pointer" else ANY


_ADDRESSABLE = frozenset(("composite_literal", "identifier", "selector_expression", "index_expression"))


def address(body: Body, operand: Node | None, node: Node) -> Typed:
    """The address of a variable, a field, an element, or of what a literal makes. A struct is its own address."""
    build = body.build
    while operand is not None and operand.type == "parenthesized_expression":
        operand = only(operand)
    match operand.type if operand is not None else "":
        case "identifier":
            assert operand is not None
            meaning = body.meaning(text(operand))
            if isinstance(meaning, Local | Global) and body.file.shape(meaning.type) not in (
                "struct",
                "fixed",
                "unknown",
            ):
                kind = Type("pointer", of=(meaning.type,))
                return build.give("address", body.variable(meaning), span=span(node)), kind
        case "selector_expression":
            assert operand is not None
            base_node, field = operand.child_by_field_name("operand"), operand.child_by_field_name("field")
            package = base_node is not None and base_node.type == "identifier" and body.package_path(text(base_node))
            if field is not None and not package:
                base, kind = typed(body, base_node)
                at = member_span(operand, field)
                base, found = reach(body, base, kind, text(field), at)
                return build.give("interior", base, text(field), span=at), Type("pointer", of=(found or ANY,))
        case "index_expression":
            assert operand is not None
            base, kind = typed(body, operand.child_by_field_name("operand"))
            value(body, operand.child_by_field_name("index"))
            kind = element_type(body.file.underlying(kind))
            return build.give("interior", base, "[]", span=span(node)), Type("pointer", of=(kind,))
    made, kind = typed(body, operand)
    if operand is not None and operand.type not in _ADDRESSABLE:  # of `new`, see `parser`
        return body.holding(made, kind, node), Type("pointer", of=(kind,))
    return made, Type("pointer", of=(kind,))
