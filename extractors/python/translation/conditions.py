"""Conditions: predicates, and branches on them. What is evaluated only in some cases gets a block of its own."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.ir import Predicate
from pliant.extractors.ir.builder import Place
from pliant.extractors.ir.operands import OTHER, Operand, negated
from pliant.extractors.python.translation.functions import Body, elements, expression, span, text

_ORDERED = {"<": ("<", False), "<=": ("<=", False), ">": ("<", True), ">=": ("<=", True)}


def branch(body: Body, node: Node, yes: Place, no: Place) -> None:
    """Go to `yes` where a condition holds, and to `no` where it does not."""
    kind = node.type
    if kind == "parenthesized_expression" and len(elements(node)) == 1:
        branch(body, elements(node)[0], yes, no)
        return
    if kind == "not_operator" and (argument := node.child_by_field_name("argument")) is not None:
        branch(body, argument, no, yes)
        return
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if kind == "boolean_operator" and left is not None and right is not None:
        operator = node.child_by_field_name("operator")
        one, other = left, right
        body.builder.both(
            operator is not None and text(operator) == "and",
            lambda holds, fails: branch(body, one, holds, fails),
            lambda holds, fails: branch(body, other, holds, fails),
            yes,
            no,
        )
        return
    if kind == "comparison_operator" and (sides := _tests(node)) is not None:
        one, equal, other = sides
        first, second = body.builder.block(), body.builder.block()
        branch(body, one, first, second)
        for place, holds in ((first, equal), (second, not equal)):
            body.builder.start(place)
            branch(body, other, *((yes, no) if holds else (no, yes)))
        return
    if kind == "comparison_operator":
        body.builder.branch(comparison(body, node), yes, no, span(node))
        return
    value = body.expression(node)
    body.builder.branch(Predicate("truth", (value,)), yes, no, span(node))


def _tests(node: Node) -> tuple[Node, bool, Node] | None:
    """The sides of `(a is None) == (b is None)`, and whether they have to be equal: the right one is asked on both ways
    of the left one, so that later tests tell the ways apart."""
    operators = [child.type for child in node.children_by_field_name("operators")]
    sides = [_inside(each) for each in elements(node)]
    if len(sides) != 2 or len(operators) != 1 or operators[0] not in ("==", "!=", "is", "is not"):
        return None
    for side in sides:
        if side.type == "not_operator":
            continue
        if side.type != "comparison_operator" or any(each.type not in _SIMPLE for each in elements(side)):
            return None
    if sides[1].type == "not_operator" and any(each.type != "identifier" for each in elements(sides[1])):
        return None
    return sides[0], operators[0] in ("==", "is"), sides[1]


_SIMPLE = frozenset(("identifier", "attribute", "none", "true", "false", "integer", "string", "float"))


def _inside(node: Node) -> Node:
    while node.type == "parenthesized_expression" and len(elements(node)) == 1:
        node = elements(node)[0]
    return node


@expression("comparison_operator")
def compare(body: Body, node: Node) -> Operand:
    """A comparison as a value."""
    return body.builder.give("test", comparison(body, node), span=span(node))


def comparison(body: Body, node: Node) -> Predicate:
    """The predicate of a comparison, whose operands are evaluated here; of a chain, that each holds."""
    operands = elements(node)
    operators = [child.type for child in node.children_by_field_name("operators")]
    values = [OTHER if operand.type == "none" else body.expression(operand) for operand in operands]
    found: Predicate | None = None
    for index, operator in enumerate(operators[: len(values) - 1]):
        one = _one(body, node, operator, (operands[index], values[index]), (operands[index + 1], values[index + 1]))
        found = one if found is None else Predicate("and", (found, one))
    return found or Predicate("truth", (OTHER,))


def _one(body: Body, node: Node, operator: str, left: tuple[Node, Operand], right: tuple[Node, Operand]) -> Predicate:
    builder = body.builder
    if operator in ("is", "==", "is not", "!=", "<>"):
        equal = _equal(left, right)
        return equal if operator in ("is", "==") else negated(equal)
    values = [builder.null(span(side)) if side.type == "none" else value for side, value in (left, right)]
    if operator in _ORDERED:
        builder.do("compare", operator, values[0], values[1], span=span(node))
        question, turned = _ORDERED[operator]
        return Predicate(question, (values[1], values[0]) if turned else (values[0], values[1]))
    builder.do("require", values[1], "operator", "in", span=span(node))
    member = Predicate("in", (values[0], values[1]))
    return negated(member) if operator == "not in" else member


def _equal(left: tuple[Node, Operand], right: tuple[Node, Operand]) -> Predicate:
    for (side, _), (_, other) in ((left, right), (right, left)):
        if side.type == "none":
            return Predicate("null", (other,))
    return Predicate("==", (left[1], right[1]))
