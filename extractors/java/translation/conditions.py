"""Conditions: predicates, and branches on them. What is evaluated only in some cases gets a block of its own."""

from __future__ import annotations

from functools import reduce

from tree_sitter import Node

from pliant.extractors.ir.builder import Place
from pliant.extractors.ir.operands import ANY, BOOLEAN, Operand, Predicate, Type, negated
from pliant.extractors.java.translation.body import Body
from pliant.extractors.java.translation.patterns import bind, held, whole_pattern
from pliant.extractors.java.translation.types_of import type_of, unbox
from pliant.extractors.java.translation.written import is_primitive, unboxed
from pliant.extractors.lowering.source import span
from pliant.extractors.lowering.trees import inside, operator_of, spine

QUESTIONS = {"==": "==", "!=": "==", "<": "<", "<=": "<=", ">": "<", ">=": "<="}
CONNECTIVES = frozenset(("&&", "||"))
_STRICT = {"&": "and", "|": "or"}  # connectives of which both sides are evaluated


def branch(body: Body, node: Node | None, yes: Place, no: Place) -> None:
    """Go where a condition says. What stands behind `&&` or `||` is evaluated only where the front leaves it open."""
    node = inside(node)
    while node is not None and (operand := _denied(node)) is not None:
        node, yes, no = inside(operand), no, yes
    build = body.builder
    if node is None:
        build.choose([yes, no])
        return
    operator = operator_of(node)
    if operator in CONNECTIVES:
        *firsts, last = spine(node, operator)
        for each in firsts:
            middle = build.block()
            branch(body, each, *((middle, no) if operator == "&&" else (yes, middle)))
            build.start(middle)
        branch(body, last, yes, no)
    elif node.type == "ternary_expression":
        one, other = build.block(), build.block()
        branch(body, node.child_by_field_name("condition"), one, other)
        for place, name in ((one, "consequence"), (other, "alternative")):
            build.start(place)
            branch(body, node.child_by_field_name(name), yes, no)
    elif node.type == "instanceof_expression" and (pattern := whole_pattern(node)) is not None:
        asked = node.child_by_field_name("left")
        value, kind = body.expression(asked), type_of(body, asked)
        bind(body, pattern, held(body, asked, value, kind), kind, yes, no)
    elif (sides := _tests(node, operator)) is not None:
        first, second = build.block(), build.block()
        branch(body, sides[0], first, second)
        for place, holds in ((first, operator == "=="), (second, operator != "==")):
            build.start(place)
            branch(body, sides[1], *((yes, no) if holds else (no, yes)))
    else:
        build.branch(question(body, node), yes, no, span(node))


def _denied(node: Node) -> Node | None:
    """The operand of `!`."""
    if node.type != "unary_expression" or node.children[0].type != "!":
        return None
    return node.child_by_field_name("operand")


def _tests(node: Node, operator: str) -> tuple[Node, Node] | None:
    """The sides of `(a == null) == (b == null)`: the right one is asked on both ways of the left one, so that later
    tests tell the ways apart."""
    if operator not in ("==", "!=", "^"):
        return None
    left, right = inside(node.child_by_field_name("left")), inside(node.child_by_field_name("right"))
    if left is None or right is None:
        return None
    for side in (left, right):
        parts = [inside(side.child_by_field_name("left")), inside(side.child_by_field_name("right"))]
        if operator_of(side) not in QUESTIONS or any(each is None or each.type not in _SIMPLE for each in parts):
            return None
    return left, right


_SIMPLE = frozenset(
    ["identifier", "field_access", "this", "null_literal", "true", "false", "decimal_integer_literal", "string_literal"]
)


def question(body: Body, node: Node) -> Predicate:
    """What a branch asks where there is no connective; its operands are evaluated here."""
    operator = operator_of(node)
    if node.type == "instanceof_expression":
        value = body.expression(node.child_by_field_name("left"))
        return Predicate("is", (value, body.type(node.child_by_field_name("right"))))
    if is_strict(body, node, operator):
        sides = (_side(body, each) for each in spine(node, operator))
        return reduce(lambda left, right: Predicate(_STRICT[operator], (left, right)), sides)
    if operator not in QUESTIONS:
        value = body.expression(node)
        if node.type in ("true", "false"):
            return Predicate("always", (value,))
        unbox(body, node, value, "condition")
        return Predicate("truth", (value,))
    left, right = inside(node.child_by_field_name("left")), inside(node.child_by_field_name("right"))
    if right is not None and right.type == "null_literal":
        found = Predicate("null", (body.expression(left),))
    elif left is not None and left.type == "null_literal":
        found = Predicate("null", (body.expression(right),))
    else:
        found = _compared(body, operator, left, right)
    return negated(found) if operator == "!=" else found


def is_strict(body: Body, node: Node, operator: str) -> bool:
    """Whether it is `a & b` or `a | b` of truth values."""
    return operator in _STRICT and type_of(body, node) == BOOLEAN


def _side(body: Body, node: Node) -> Predicate:
    """What a side of `a & b` asks."""
    meant = inside(node)
    if meant is None:
        return Predicate("truth", (body.expression(node),))
    operand = _denied(meant)
    if operand is not None:
        return negated(_side(body, operand))
    if meant.type == "instanceof_expression" and whole_pattern(meant) is not None:
        return Predicate("truth", (body.expression(meant),))
    return question(body, meant)


def _compared(body: Body, operator: str, left: Node | None, right: Node | None) -> Predicate:
    sides = [(each, body.expression(each), type_of(body, each)) for each in (left, right)]
    values: list[Operand] = [value for _, value, _ in sides]
    for (side, value, kind), (_, _, other) in zip(sides, reversed(sides), strict=True):
        equal = operator in ("==", "!=")
        if side is not None and (_boxed(kind, other) if equal else True):
            unbox(body, side, value, operator)
    return Predicate(QUESTIONS[operator], tuple(reversed(values) if operator in (">", ">=") else values))


def _boxed(kind: Type, other: Type) -> bool:
    """Whether `==` compares numbers, since the other side is one."""
    return is_primitive(other) and (kind == ANY or unboxed(kind) != ANY)
