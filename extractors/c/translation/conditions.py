"""Conditions: predicates, and branches on them. What is evaluated only in some cases gets a block of its own."""

from __future__ import annotations

from functools import lru_cache

from tree_sitter import Node

from pliant.extractors.c.models import models
from pliant.extractors.c.translation.body import ZERO, Body, Typed
from pliant.extractors.c.translation.kinds import INT
from pliant.extractors.ir.builder import Place
from pliant.extractors.ir.operands import BOOLEAN, Constant, Operand, Predicate, negated
from pliant.extractors.lowering.source import elements, text
from pliant.extractors.lowering.trees import inside, operator_of, spine

COMPARISONS = {"==": "==", "!=": "==", "<": "<", "<=": "<=", ">": "<", ">=": "<="}
CONNECTIVES = frozenset(("&&", "||"))
_EXPANDS = frozenset(("identifier", "call_expression"))
_NO_CONDITIONS = frozenset(("compound_statement", "parenthesized_expression"))  # a block that gives a value
_TRUE, _FALSE = Constant("boolean", True), Constant("boolean", False)


def branch(body: Body, node: Node | None, yes: Place, no: Place) -> None:
    """Go where a condition says. What stands behind `&&` or `||` is evaluated only where the front leaves it open."""
    outer = body.frame
    node, positive = _meant(body, node)
    if not positive:
        yes, no = no, yes
    build = body.builder
    operator = operator_of(node) if node is not None else ""
    if node is None:
        build.choose([yes, no])
    elif operator in CONNECTIVES:
        *firsts, last = spine(node, operator)
        for each in firsts:
            middle = build.block()
            branch(body, each, *((middle, no) if operator == "&&" else (yes, middle)))
            build.start(middle)
        branch(body, last, yes, no)
    elif operator in ("==", "!=") and _are_conditions(node):
        one, other = build.block(), build.block()
        branch(body, node.child_by_field_name("left"), one, other)
        for place, sides in ((one, (yes, no)), (other, (no, yes))):
            build.start(place)
            branch(body, node.child_by_field_name("right"), *(sides if operator == "==" else sides[::-1]))
    elif node.type == "comma_expression":
        while node is not None and node.type == "comma_expression":
            body.expression(node.child_by_field_name("left"))
            node = node.child_by_field_name("right")
        branch(body, node, yes, no)
    elif node.type == "conditional_expression" and node.child_by_field_name("consequence") is not None:
        one, other = build.block(), build.block()
        branch(body, node.child_by_field_name("condition"), one, other)
        for place, name in ((one, "consequence"), (other, "alternative")):
            build.start(place)
            branch(body, node.child_by_field_name(name), yes, no)
    else:
        asked, at = _question(body, node, operator), body.at(node)
        if outer is not None:  # a macro asks, whatever it asks of
            body.frame = outer
        build.branch(asked, yes, no, at)
    body.frame = outer


def _are_conditions(node: Node) -> bool:
    """Whether `a == !b` compares whether two things hold; of a variable, so that it may be asked twice."""
    left, right = _sides(node)
    if left is None or right is None or not is_test(left) or right.type != "unary_expression":
        return False
    asked = inside(right.child_by_field_name("argument"))
    return right.children[0].type == "!" and asked is not None and asked.type == "identifier"


def is_test(node: Node) -> bool:
    """Whether an expression is true or false."""
    if node.type == "unary_expression":
        return node.children[0].type == "!"
    return node.type == "binary_expression" and operator_of(node) in (*COMPARISONS, *CONNECTIVES)


def _meant(body: Body, node: Node | None) -> tuple[Node | None, bool]:
    """A condition without parentheses, `!` and macros around it, to be read in the frame of the body; whether it is
    asked as it stands, or denied."""
    positive = True
    while node is not None:
        kind = node.type
        if kind == "parenthesized_expression":
            inner = inside(node)
            if inner is None or inner.type in _NO_CONDITIONS:
                break
            node = inner
        elif kind == "unary_expression" and node.children[0].type == "!":
            node, positive = node.child_by_field_name("argument"), not positive
        elif kind in _EXPANDS:
            following = likely(body, node) or body.expanded(node)
            if following is None:
                break
            node = following
        else:
            break
    return node, positive


def likely(body: Body, node: Node) -> Node | None:
    """The argument of what says how often a condition holds."""
    if node.type != "call_expression":
        return None
    function, *_ = node.children
    if function.type != "identifier":
        return None
    name = text(function)
    if not tells_how_likely(name):
        return None
    given = elements(node.child_by_field_name("arguments"))
    return given[0] if given and body.meaning(name) is None else None


@lru_cache(maxsize=4096)
def tells_how_likely(name: str) -> bool:
    return name in models().identity or name.lower().rstrip("_").endswith("likely")


def _question(body: Body, node: Node, operator: str) -> Predicate:
    """What a branch asks where there is no connective; its operands are evaluated here."""
    if operator not in COMPARISONS:
        return truth(body, body.expression(node))
    found = _compared(body, operator, *_sides(node))
    return negated(found) if operator == "!=" else found


def _sides(node: Node) -> tuple[Node | None, Node | None]:
    return inside(node.child_by_field_name("left")), inside(node.child_by_field_name("right"))


def _compared(body: Body, operator: str, left: Node | None, right: Node | None) -> Predicate:
    if operator in ("==", "!="):
        for side, other in ((right, left), (left, right)):
            if side is not None and side.type == "null":
                return Predicate("null", (body.value(other),))
    (a, kind), (b, other_kind) = body.expression(left), body.expression(right)
    if operator in ("==", "!="):
        if b == ZERO and kind.levels:
            return Predicate("null", (a,))
        if a == ZERO and other_kind.levels:
            return Predicate("null", (b,))
    values: tuple[Operand, ...] = (b, a) if operator in (">", ">=") else (a, b)
    return Predicate(COMPARISONS[operator], values)


def truth(body: Body, found: Typed) -> Predicate:
    """Whether a value is not 0 and not null."""
    value, kind = found
    if kind.levels:
        return negated(Predicate("null", (value,)))
    if isinstance(value, Constant) and isinstance(value.content, int):
        return Predicate("always", (_TRUE if value.content else _FALSE,))
    return Predicate("truth", (value,))


def kept(body: Body, node: Node) -> Typed:
    """A condition as a value: 1 or 0."""
    outer, build = body.frame, body.builder
    at = body.at(node)
    meant, positive = _meant(body, node)
    operator = operator_of(meant) if meant is not None else ""
    if meant is None or operator in CONNECTIVES or meant.type in ("comma_expression", "conditional_expression"):
        yes, no = build.block(), build.block()
        branch(body, meant, *((yes, no) if positive else (no, yes)))
        body.frame = outer
        return build.chosen("truth.", BOOLEAN, [(yes, lambda: _TRUE), (no, lambda: _FALSE)]), INT
    asked = _question(body, meant, operator)
    body.frame = outer
    return build.give("test", asked if positive else negated(asked), span=at), INT
