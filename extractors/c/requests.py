"""What allocations ask for: the bytes that they need at least, by the numbers that are known where control is."""

from __future__ import annotations

import math

from tree_sitter import Node

from pliant.extractors.c import forms, spreads
from pliant.extractors.c.declarations import described
from pliant.extractors.c.lowering import Lowering
from pliant.extractors.c.places import operator_of, stripped
from pliant.extractors.lowering.ranges import Number
from pliant.extractors.ssa import Value

Bounds = tuple[Number, Number]
_MODULUS = 2**64  # of size_t
_UNKNOWN: Bounds = (-math.inf, math.inf)


def requested(lo: Lowering, name: str, call: Value, given: list[Node]) -> None:
    """Note a call of an allocating function that asks for more than the limit of the models."""
    positions = lo.models.sizes.get(name, ())
    if not positions or max(positions) >= len(given):
        return
    least: Number = 1
    for position in positions:
        least = _product(least, _as_size(_bounds(lo, given[position]))[0])
    if least > lo.models.largest_allocation:
        lo.emit("excessive", call)


def _bounds(lo: Lowering, node: Node) -> Bounds:
    """The numbers that an expression, which was lowered, can be. Sums and products do not wrap."""
    node = stripped(node)
    if node.type == "sizeof_expression":
        known = forms.constant(lo, node)
        return (known, known) if known is not None else (1, math.inf)
    if node.type == "cast_expression":
        inner, kind = node.child_by_field_name("value"), node.child_by_field_name("type")
        target = lo.types.resolve(described(kind)) if kind is not None else None
        if inner is not None and target is not None and target.base == "size_t" and not target.levels:
            return _as_size(_bounds(lo, inner))
    if node.type == "binary_expression" and (operator := operator_of(node)) in ("+", "*"):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None:
            a, b = _bounds(lo, left), _bounds(lo, right)
            if b"sizeof" in (node.text or b""):  # a size_t, and so is what it is multiplied with
                a, b = _as_size(a), _as_size(b)
            if operator == "+":
                return a[0] + b[0], a[1] + b[1]
            if min(a[0], b[0]) >= 0:
                return _product(a[0], b[0]), _product(a[1], b[1])
    known_form = forms.form(lo, node)
    if known_form is None:
        return _UNKNOWN
    ranges = spreads.spread(lo, known_form)
    return ranges[0][0], ranges[-1][1]


def _product(a: Number, b: Number) -> Number:
    return a * b if a and b else 0  # also of no number and infinity


def _as_size(bounds: Bounds) -> Bounds:
    """The numbers as `size_t`, where those below 0 are large ones."""
    low, high = bounds
    if low >= 0:
        return bounds
    return (max(low + _MODULUS, 0), high + _MODULUS) if high < 0 else (0, math.inf)
