"""`return`: the ways in which a function is left by it, and the numbers that each gives."""

from __future__ import annotations

import math

from tree_sitter import Node

from pliant.extractors.c import forms, spreads
from pliant.extractors.c.conditions import branch, is_identity
from pliant.extractors.c.entities import LARGEST, Way
from pliant.extractors.c.expressions import converted
from pliant.extractors.c.lowering import Lowering, statement
from pliant.extractors.c.operands import is_struct, literal_number
from pliant.extractors.c.places import operator_of, stripped
from pliant.extractors.c.ways import ways
from pliant.extractors.lowering.ranges import point
from pliant.extractors.lowering.source import elements
from pliant.extractors.ssa import Value


@statement("return_statement")
def return_(lo: Lowering, node: Node) -> None:
    children = elements(node)
    if lo.in_macro_function:
        for child in children:
            lo.expression(child)
        lo.fn.stop()
        return
    if not children:
        lo.leave_with(None, node)
        return
    return_value(lo, children[0], node)


def return_value(lo: Lowering, child: Node, node: Node) -> None:
    """Leave with an expression; one that is true or false leaves in two ways."""
    fn = lo.fn
    lo.gives = True
    inner = stripped(child)
    kind = lo.types.resolve(lo.returns)
    if not kind.pointer and is_test(lo, inner):
        yes, no = branch(lo, inner)
        for block, outcome in ((yes, 1), (no, 0)):
            fn.block = block
            if fn.reachable():
                lo.leave_with(fn.opaque, node, [Way(point(outcome))])
        return
    if inner.type == "conditional_expression" and not kind.pointer:
        condition = inner.child_by_field_name("condition")
        arms = inner.child_by_field_name("consequence"), inner.child_by_field_name("alternative")
        if condition is not None and arms[0] is not None and arms[1] is not None:
            for block, arm in zip(branch(lo, condition), arms, strict=True):
                fn.block = block
                if fn.reachable() and arm is not None:
                    return_value(lo, arm, node)
            return
    if lo.is_zero(inner) and not kind.arithmetic:
        lo.leave_with(lo.null("return", node, "literal"), node, [Way(point(0))])
        return
    value = converted(lo, lo.expression(child), kind, child)
    if lo.in_macro_function and value in lo.call_info:
        lo.behind(value)
    lo.leave_with(lo.fn.opaque if is_struct(lo, inner) else value, node, _ways(lo, value, inner))


def _ways(lo: Lowering, value: Value, node: Node) -> list[Way]:
    """The ways to a `return` of the expression `node`: a number, or a pointer, which is 0 or another."""
    if lo.types.resolve(lo.returns).pointer:
        if value in lo.known_null or lo.is_literal_null(value):
            return [Way(point(0))]
        return [Way(((1, math.inf),) if value != lo.fn.opaque and lo.is_nonnull(value) else None)]
    kind = lo.types.resolve(lo.returns)
    number = literal_number(lo, node)
    if number is not None and abs(number) <= LARGEST:
        return [Way(point(number))]
    known = forms.form(lo, node)
    if known is None:
        return [Way(None)]
    if not known.terms:
        return [Way(point(spreads.wrapped(known.constant, kind)))]
    given = spreads.spread(lo, known)
    alone = known.terms[0][0] if len(known.terms) == 1 and known.terms[0][1] == 1 and not known.constant else None
    return ways(lo, alone, given) if alone is not None else [Way(given)]


def is_test(lo: Lowering, node: Node) -> bool:
    kind = node.type
    if kind == "binary_expression":
        return operator_of(node) in ("&&", "||", "==", "!=", "<", ">", "<=", ">=")
    if kind == "unary_expression":
        return operator_of(node) == "!"
    if kind == "call_expression":
        function = node.child_by_field_name("function")
        return function is not None and is_identity(lo, function)
    return False
