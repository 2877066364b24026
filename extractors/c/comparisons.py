"""Comparisons of numbers: whether one holds where control is, and what it shows where it decides which way is taken."""

from __future__ import annotations

import math
from typing import NamedTuple

from tree_sitter import Node

from pliant.extractors.c.entities import Form
from pliant.extractors.c.forms import add_up, form, form_of, is_number, of_arithmetic, of_sign
from pliant.extractors.c.lowering import Lowering
from pliant.extractors.c.places import operator_of
from pliant.extractors.c.spreads import RANGE, has_unsigned, limit, of_term, path_of, shown, spread, token, whole
from pliant.extractors.lowering.correlation import correlate, unguarded
from pliant.extractors.lowering.ranges import (
    EVERYTHING,
    NATURAL,
    NEGATED,
    TURNED,
    Range,
    add,
    holds,
    meet,
    scale,
    solutions,
)
from pliant.extractors.lowering.source import elements, only
from pliant.extractors.ssa import UNDEFINED, Block, Value


class Compared(NamedTuple):
    """A form that is compared with 0."""

    form: Form
    operator: str


def compared(lo: Lowering, node: Node) -> Compared | None:
    """A condition that is no connective, as a comparison with 0."""
    kind = node.type
    if kind == "parenthesized_expression":
        inner = only(node)
        return compared(lo, inner) if inner is not None else None
    if kind == "binary_expression" and (operator := operator_of(node)) in TURNED:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        a = form(lo, left) if left is not None else None
        b = form(lo, right) if right is not None and a is not None else None
        if a is None or b is None:
            return None
        for one, other in ((a, b), (b, a)):  # what is compared with an unsigned number is made one
            if has_unsigned(lo, one) and other.constant < 0:
                return None
        known = add_up(a, b, -1)
        return Compared(known, operator) if known is not None else None
    if kind == "unary_expression" and operator_of(node) == "!":
        argument = node.child_by_field_name("argument")
        inner_test = compared(lo, argument) if argument is not None else None
        return Compared(inner_test.form, NEGATED[inner_test.operator]) if inner_test is not None else None
    known = form(lo, node) if is_number(kind) else None
    return Compared(known, "!=") if known is not None else None


def verdict(lo: Lowering, test: Compared) -> bool | None:
    """Whether a comparison holds wherever control comes from; None where that is not known."""
    known, operator = test
    if known.terms and operator in ("==", "!=") and whole(lo, known):
        factor = math.gcd(*(count for _, count in known.terms))
        if known.constant % factor:
            return operator == "!="
    return holds(spread(lo, known), operator)


def truth(lo: Lowering, node: Node) -> bool | None:
    """Whether a condition that was lowered, or changes nothing, holds; None where that is not known."""
    kind = node.type
    if kind == "parenthesized_expression":
        inner = only(node)
        return truth(lo, inner) if inner is not None else None
    if kind == "binary_expression" and operator_of(node) in ("&&", "||"):
        decisive = operator_of(node) == "||"
        sides = [truth(lo, side) for side in elements(node)]
        return decisive if decisive in sides else None if None in sides else not decisive
    if kind == "unary_expression" and operator_of(node) == "!":
        argument = node.child_by_field_name("argument")
        inner_truth = truth(lo, argument) if argument is not None else None
        return None if inner_truth is None else not inner_truth
    test = compared(lo, node)
    return verdict(lo, test) if test is not None else None


def foreseen(lo: Lowering, node: Node) -> bool | None:
    """The same of a condition that is not lowered yet."""
    lo.lowered, before = False, lo.lowered
    known = truth(lo, node)
    lo.lowered = before
    return known


def decided(lo: Lowering, test: Compared | None, consulted: int) -> bool | None:
    """What a condition comes to by what is known of variables; constants alone stand for how the program is built.
    consulted: how much had been asked of variables before it."""
    return verdict(lo, test) if test is not None and lo.consulted > consulted else None


def correlated(lo: Lowering, test: Compared, outcome: bool) -> tuple[Value, dict[Block, Block]]:
    """Variables that were joined with a number, or with what was known of it, become what they can be where the
    comparison has this outcome. Returns what the number itself is then, and from where control came to joins."""
    known, operator = test
    one, came = UNDEFINED, dict[Block, Block]()
    for value, factor in known.terms:
        others = Form(tuple(term for term in known.terms if term[0] != value), known.constant)
        rest = spread(lo, others)

        def may_be(found: Range, factor: int = factor, rest: Range = rest) -> bool:
            return holds(add(scale(found, factor), rest), operator) in (None, outcome)

        if rest == EVERYTHING:
            continue
        if RANGE in lo.fn.fields_of.get(value, ()):
            correlate(lo, token(lo, value, RANGE), lambda one, _: may_be(lo.ranges.get(one, EVERYTHING)))
        came = correlate(lo, value, lambda one, pred: may_be(of_term(lo, one, 1, pred)))
        one = lo.fn.by_way(unguarded(lo, value), came)
    return (one, came) if len(known.terms) == 1 else (UNDEFINED, {})


def show(lo: Lowering, test: Compared, outcome: bool) -> None:
    """A comparison has this outcome where control is."""
    known, operator = test
    if not known.terms:
        return
    (base, name), _, factor, _ = path_of(lo, known)
    if operator in ("==", "!=") and known.constant % factor:
        return
    left = solved(lo, test, outcome)
    before = shown(lo, base, name)
    if len(known.terms) == 1 and name == RANGE:
        before = meet(before, lo.ranges.get(base, EVERYTHING)) if before is not None else lo.ranges.get(base)
        if base in lo.unsigned:
            left = meet(left, NATURAL) or left
    limit(lo, (base, name), meet(before, left) or left if before is not None else left)


def solved(lo: Lowering, test: Compared, outcome: bool) -> Range:
    """The numbers that what is compared, as it is followed, can be where the comparison has this outcome."""
    known, operator = test
    _, sign, factor, all_whole = path_of(lo, known)
    if not outcome:
        operator = NEGATED[operator]
    if sign < 0:
        operator = TURNED[operator]
    bound = -known.constant / (sign * factor)
    return solutions(operator, int(bound) if bound == int(bound) else bound, whole=all_whole)


@form_of("unary_expression")
def _unary(lo: Lowering, node: Node) -> Form | None:
    return _truth_value(lo, node) if operator_of(node) == "!" else of_sign(lo, node)


@form_of("binary_expression")
def _binary(lo: Lowering, node: Node) -> Form | None:
    operator = operator_of(node)
    return _truth_value(lo, node) if operator in TURNED or operator in ("&&", "||") else of_arithmetic(lo, node)


def _truth_value(lo: Lowering, node: Node) -> Form | None:
    known = truth(lo, node)
    return Form((), int(known)) if known is not None else None
