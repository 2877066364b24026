"""Operators that compute numbers, strings and truth values; casts; `c ? a : b`."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from pliant.extractors.ir.operands import ANY, BOOLEAN, OTHER, Constant, Operand, Type
from pliant.extractors.java.translation.body import Body, expression
from pliant.extractors.java.translation.conditions import CONNECTIVES, QUESTIONS, branch, is_strict, question
from pliant.extractors.java.translation.literals import literal
from pliant.extractors.java.translation.types_of import binary_type, fitted, of_arms, type_of, unbox
from pliant.extractors.java.translation.written import is_primitive, unboxed
from pliant.extractors.lowering.source import elements, span, text
from pliant.extractors.lowering.trees import operator_of, spine

CONCATENATION = "concat"  # of strings, or of what may be one


@expression("parenthesized_expression")
def parenthesized(body: Body, node: Node) -> Operand:
    value: Operand = OTHER
    for child in elements(node):
        value = body.expression(child)
    return value


@expression("binary_expression")
def binary(body: Body, node: Node) -> Operand:
    operator = operator_of(node)
    if operator in QUESTIONS or is_strict(body, node, operator):
        return body.builder.give("test", question(body, node), span=span(node))
    if operator in CONNECTIVES:
        return kept(body, node)
    operands = [(each, body.expression(each)) for each in spine(node, operator)]
    return arithmetic(body, operator, operands, node)


def arithmetic(
    body: Body, operator: str, operands: Sequence[tuple[Node, Operand]], node: Node, wanted: Type = ANY
) -> Operand:
    """What an operator makes of values, from the left to the right. A sum in which a string may be is one, unless a
    number is wanted."""
    build, (first, value) = body.builder, operands[0]
    kind, left = type_of(body, first), [(first, value)]
    for right in operands[1:]:
        kind = binary_type(operator, [kind, type_of(body, right[0])])
        number = operator != "+" or is_primitive(kind) or unboxed(wanted) != ANY
        for each, operand in [*left, right] if number else []:
            unbox(body, each, operand, operator)
        left = []
        value = build.give("arithmetic", operator if number else CONCATENATION, (value, right[1]), span=span(node))
    body.file.types[node.id] = kind
    return value


def kept(body: Body, node: Node) -> Operand:
    """A condition as a value."""
    yes, no = body.builder.block(), body.builder.block()
    branch(body, node, yes, no)
    truth: list[Operand] = [Constant("boolean", True), Constant("boolean", False)]
    return body.builder.chosen("test", BOOLEAN, [(yes, lambda: truth[0]), (no, lambda: truth[1])])


@expression("instanceof_expression")
def instanceof(body: Body, node: Node) -> Operand:
    if node.child_by_field_name("name") is not None or node.child_by_field_name("pattern") is not None:
        return kept(body, node)
    return body.builder.give("test", question(body, node), span=span(node))


@expression("unary_expression")
def unary(body: Body, node: Node) -> Operand:
    known = literal(node)
    if known is not None:
        return known
    operator, operand = node.children[0].type, node.child_by_field_name("operand")
    if operator == "!":
        return kept(body, node)
    value = body.expression(operand)
    if operand is not None:
        unbox(body, operand, value, operator)
    return body.builder.give("arithmetic", operator, (value,), span=span(node))


@expression("cast_expression")
def cast(body: Body, node: Node) -> Operand:
    inner = node.child_by_field_name("value")
    value, kind = body.expression(inner), type_of(body, node)
    if inner is not None and _by_reflection(inner) and unboxed(kind) != ANY:
        return body.builder.give("convert", value, kind, "asserted", span=span(node))
    if inner is not None:
        fitted(body, inner, value, kind, "cast")
    return body.builder.give("convert", value, kind, "cast", span=span(node))


def _by_reflection(node: Node) -> bool:
    """Whether a call runs a method that reflection has found: one that gives a number or a truth gives no null."""
    name = node.child_by_field_name("name") if node.type == "method_invocation" else None
    return name is not None and text(name) == "invoke"


@expression("ternary_expression")
def ternary(body: Body, node: Node) -> Operand:
    condition = node.child_by_field_name("condition")
    arms = [node.child_by_field_name(each) for each in ("consequence", "alternative")]
    if condition is None or None in arms:
        return OTHER
    yes, no = body.builder.block(), body.builder.block()
    with body.scope():
        branch(body, condition, yes, no)
        kinds = [type_of(body, each) for each in arms]
        kind = of_arms(kinds)

        def arm(each: Node) -> Operand:
            value = body.expression(each)
            if is_primitive(kind) and unboxed(type_of(body, each)) == kind:
                unbox(body, each, value, "?:")
            return value

        one, other = (each for each in arms if each is not None)
        return body.builder.chosen("chosen", kind, [(yes, lambda: arm(one)), (no, lambda: arm(other))])
