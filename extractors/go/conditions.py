"""Conditions: as branches, and as truth values that are kept."""

from __future__ import annotations

from operator import eq, ge, gt, le, lt

from tree_sitter import Node

from pliant.extractors.go.body import Body, Typed
from pliant.extractors.go.expressions import value
from pliant.extractors.go.names import BUILTINS
from pliant.extractors.ir.builder import Place
from pliant.extractors.ir.operands import BOOLEAN, Constant, Operand, Predicate, negated
from pliant.extractors.lowering.source import elements, only, span, text
from pliant.extractors.lowering.trees import operator_of, spine

_COMPARISONS = {"==": "==", "!=": "==", "<": "<", "<=": "<=", ">": "<", ">=": "<="}
_FLIPPED = {"==": "==", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_HOLDS = {"==": eq, "<": lt, "<=": le, ">": gt, ">=": ge}
_CONNECTIVES = {"&&": "and", "||": "or"}
_PATHS = frozenset(("identifier", "selector_expression"))
CONDITIONS = frozenset((*_COMPARISONS, *_CONNECTIVES))
_SIMPLE = frozenset(
    [
        "identifier",
        "nil",
        "true",
        "false",
        "int_literal",
        "float_literal",
        "rune_literal",
        "interpreted_string_literal",
        "raw_string_literal",
    ]
)


def condition(body: Body, node: Node | None, yes: Place, no: Place) -> None:
    """Go where a condition says. What stands behind `&&` or `||` is evaluated only where the front leaves it open."""
    node = _inner(node)
    while node is not None and _is_not(node):
        node, yes, no = _inner(node.child_by_field_name("operand")), no, yes
    operator = operator_of(node) if node is not None else ""
    if node is None or operator not in _CONNECTIVES:
        body.build.branch(_question(body, node), yes, no, span(node) if node is not None else None)
        return
    *firsts, last = spine(node, operator)
    for each in firsts:
        middle = body.build.block()
        condition(body, each, *((middle, no) if operator == "&&" else (yes, middle)))
        body.build.start(middle)
    condition(body, last, yes, no)


def kept(body: Body, node: Node) -> Typed:
    """A condition as a value."""
    build = body.build
    if _is_open(node):
        yes, no = build.block(), build.block()
        condition(body, node, yes, no)
        truth: list[Operand] = [Constant("boolean", True), Constant("boolean", False)]
        return build.chosen("test", BOOLEAN, [(yes, lambda: truth[0]), (no, lambda: truth[1])]), BOOLEAN
    return build.give("test", _tree(body, node), span=span(node)), BOOLEAN


def _question(body: Body, node: Node | None) -> Predicate:
    """What a branch asks where there is no connective."""
    operator = operator_of(node) if node is not None else ""
    if node is None or operator not in _COMPARISONS:
        asked = value(body, node)
        return Predicate("always" if isinstance(asked, Constant) and asked.kind == "boolean" else "truth", (asked,))
    left, right = _inner(node.child_by_field_name("left")), _inner(node.child_by_field_name("right"))
    if right is not None and right.type == "nil":
        found = Predicate("null", (value(body, left),))
    elif left is not None and left.type == "nil":
        found = Predicate("null", (value(body, right),))
    else:
        operands = (value(body, left), value(body, right))
        found = Predicate(_COMPARISONS[operator], operands[::-1] if operator in (">", ">=") else operands)
        positive = "==" if operator == "!=" else operator
        found = of_length(body, found, positive, left, operands[1], first=True)
        found = of_length(body, found, positive, right, operands[0], first=False)
    return negated(found) if operator == "!=" else found


def of_length(
    body: Body, found: Predicate, operator: str, measured: Node | None, other: Operand, *, first: bool
) -> Predicate:
    """A comparison of `len(x)`, which is 0 where `x` is nil. first: whether it stands on the left."""
    if measured is None or measured.type != "call_expression":
        return found
    function, given = measured.child_by_field_name("function"), elements(measured.child_by_field_name("arguments"))
    if function is None or text(function) != "len" or len(given) != 1 or given[0].type not in _PATHS:
        return found
    if body.meaning("len") != BUILTINS["len"]:
        return found
    asked = operator if first else _FLIPPED[operator]
    empty: bool | None  # whether it holds of what is empty, if that shows; an index is not negative
    if isinstance(other, Constant) and type(other.content) is int:
        empty = _HOLDS[asked](0, other.content)
    else:
        empty = {">": False, "<=": True}.get(asked)
    if empty is None:
        return found
    nil = Predicate("null", (value(body, given[0]),))
    return Predicate("or", (nil, found)) if empty else Predicate("and", (negated(nil), found))


def _tree(body: Body, node: Node) -> Predicate:
    """A condition all of which may be evaluated."""
    inner = _inner(node)
    assert inner is not None
    if _is_not(inner):
        operand = inner.child_by_field_name("operand")
        return negated(_tree(body, operand)) if operand is not None else _question(body, None)
    operator = operator_of(inner)
    if operator not in _CONNECTIVES:
        return _question(body, inner)
    first, *rest = spine(inner, operator)
    found = _tree(body, first)
    for each in rest:
        found = Predicate(_CONNECTIVES[operator], (found, _tree(body, each)))
    return found


def _is_open(node: Node) -> bool:
    """Whether evaluating a part of a condition that decides nothing any more would do something, or fail."""
    todo, connected, simple = [node], 0, True
    while todo:
        current = _inner(todo.pop())
        if current is None:
            continue
        operator = operator_of(current)
        if operator in _CONNECTIVES:
            operands = spine(current, operator)
            connected += len(operands) - 1
            todo += operands
        elif _is_not(current):
            todo += [each for each in [current.child_by_field_name("operand")] if each is not None]
        else:
            parts = (
                [current.child_by_field_name("left"), current.child_by_field_name("right")] if operator else [current]
            )
            simple = simple and all(each is not None and each.type in _SIMPLE for each in parts)
    return connected > _FLAT or (connected > 0 and not simple)


_FLAT = 8  # connectives in a predicate that is kept as one tree


def _inner(node: Node | None) -> Node | None:
    while node is not None and node.type == "parenthesized_expression":
        node = only(node)
    return node


def _is_not(node: Node) -> bool:
    return node.type == "unary_expression" and node.children[0].type == "!"
