"""What an analysis without paths knows of one value: whether it may be null, which numbers it may be, and bits that it
surely has."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pliant.extractors.ir.operands import Constant
from pliant.extractors.lowering.ranges import EVERYTHING, NATURAL, Number, Range, add, join, meet

NULL, PRESENT = 1, 2  # what a value may be
ZERO: Range = ((0, 0),)
_BELOW: Range = ((-math.inf, -1),)
_ABOVE: Range = ((1, math.inf),)
NOT_ZERO: Range = (*_BELOW, *_ABOVE)
_SIGNS = (_BELOW, ZERO, _ABOVE)
_OVERFLOWS = 2**31  # numbers from here on may, in some language


@dataclass(frozen=True, slots=True)
class Known:
    """null: whether it may be null where that is no number. other: whether it may be neither null nor a number.
    numbers: those that it may be; the fractions below 1 belong to 1 and those above -1 to -1, others to both numbers
    beside them. bits: those that it has, if it is a number."""

    null: bool
    other: bool
    numbers: Range = EVERYTHING
    bits: int = 0

    @property
    def is_possible(self) -> bool:
        return self.null or self.other or bool(self.numbers)

    def __or__(self, other: Known) -> Known:
        if self == other:
            return self
        bits = self.bits if not other.numbers else other.bits if not self.numbers else self.bits & other.bits
        return Known(self.null or other.null, self.other or other.other, join((self.numbers, other.numbers)), bits)

    def widened(self, other: Known) -> Known:
        """An upper bound of both, of which there are only so many above `self`."""
        both = self | other
        if both.numbers == self.numbers:
            return both
        return Known(both.null, both.other, join(sign for sign in _SIGNS if meet(sign, both.numbers)), both.bits)

    def among(self, numbers: Range) -> Known:
        """The value, if it is one of `numbers`."""
        return Known(False, False, meet(self.numbers, numbers), self.bits)

    def without(self, number: int) -> Known:
        """The value, if it is not that number."""
        rest: Range = ((-math.inf, number - 1), (number + 1, math.inf))
        return Known(self.null, self.other, meet(self.numbers, rest), self.bits)

    @property
    def only(self) -> Number | None:
        """The number that it is, if that is known."""
        if self.null or self.other or len(self.numbers) != 1 or self.numbers[0][0] != self.numbers[0][1]:
            return None
        return self.numbers[0][0]


class Domain:
    """What is known of values of a language. pointers: whether 0 is null, and pointers are numbers."""

    def __init__(self, *, pointers: bool) -> None:
        self.pointers = pointers
        self.anything = Known(not pointers, not pointers)
        self.null = Known(False, False, ZERO) if pointers else Known(True, False, ())
        self.present = Known(False, False, NOT_ZERO) if pointers else Known(False, True)
        self.truth = Known(False, False, ((0, 1),))

    def constant(self, constant: Constant) -> Known:
        content = constant.content
        if constant.kind == "null":
            return self.null
        if constant.kind in ("integer", "boolean") and isinstance(content, int):
            number = int(content)
            return Known(False, False, ((number, number),), max(number, 0))
        is_unclear = constant.kind == "float" or (self.pointers and constant.kind == "other")
        return self.anything if is_unclear else self.present

    def nullness(self, known: Known) -> int:
        """Whether a value may be null, or may not."""
        if self.pointers:
            is_null = bool(meet(known.numbers, ZERO)) and not known.bits
            return NULL * is_null | PRESENT * bool(meet(known.numbers, NOT_ZERO))
        return NULL * known.null | PRESENT * (known.other or bool(known.numbers))

    def with_nullness(self, known: Known, nullness: int) -> Known:
        """A value, if it is null, or if it is not."""
        if self.pointers:
            return known if nullness == NULL | PRESENT else known.among(ZERO if nullness == NULL else NOT_ZERO)
        is_there = bool(nullness & PRESENT)
        numbers = known.numbers if is_there else ()
        return Known(known.null and bool(nullness & NULL), known.other and is_there, numbers, known.bits)

    def with_truth(self, known: Known, *, holds: bool) -> Known:
        """A value, if it counts as true, or if it does not."""
        if self.pointers:
            return self.with_nullness(known, PRESENT if holds else NULL)
        if holds:
            return Known(False, known.other, meet(known.numbers, NOT_ZERO), known.bits)
        return Known(known.null, known.other, meet(known.numbers, ZERO) if not known.bits else (), known.bits)

    def compared(self, left: Known, right: Known, *, or_equal: bool, whole: bool) -> tuple[Known, Known]:
        """Two values, if the first one is less than the second one. whole: whether they are whole numbers."""
        if any(each.null or each.other or not each.numbers for each in (left, right)):
            return left, right
        low, high = left.numbers[0][0], right.numbers[-1][1]
        if whole:
            by = 0 if or_equal else 1
            return left.among(((-math.inf, high - by),)), right.among(((low + by, math.inf),))
        is_below = high < 0 or (high == 0 and not or_equal)
        is_above = low > 0 or (low == 0 and not or_equal)
        below = _BELOW if is_below else join((_BELOW, ZERO)) if high == 0 else EVERYTHING
        above = _ABOVE if is_above else join((ZERO, _ABOVE)) if low == 0 else EVERYTHING
        return left.among(below), right.among(above)

    def computed(self, operator: str, left: Known, right: Known, *, signed: bool) -> Known:
        """What an operator gives of two values. signed: whether numbers that it gives do not wrap around."""
        operator = operator.removesuffix("=")
        if left.null or left.other or right.null or right.other:
            return self.anything
        one, other = left.only, right.only
        if operator in ("|", "&"):
            return self._masked(operator, left, right)
        if operator in ("+", "-") and signed and other is not None and abs(other) < _OVERFLOWS:
            by = other if operator == "+" else -other
            return Known(False, False, _bounded(add(left.numbers, ((by, by),))))
        if operator == "+" and signed and one is not None and abs(one) < _OVERFLOWS:
            return Known(False, False, _bounded(add(right.numbers, ((one, one),))))
        return self.anything

    def _masked(self, operator: str, left: Known, right: Known) -> Known:
        one, other = left.only, right.only
        if isinstance(one, int) and isinstance(other, int):
            number = one | other if operator == "|" else one & other
            return Known(False, False, ((number, number),), max(number, 0))
        natural = [meet(each.numbers, NATURAL) == each.numbers for each in (left, right)]
        if operator == "&":
            bits = left.bits & right.bits
            numbers = NATURAL if any(natural) else EVERYTHING
        else:
            bits = left.bits | right.bits
            numbers = NATURAL if all(natural) else EVERYTHING
            if PRESENT in (self.nullness(left), self.nullness(right)):
                numbers = meet(numbers, NOT_ZERO)
        return Known(False, False, meet(numbers, NOT_ZERO) if bits else numbers, bits)


def _bounded(numbers: Range) -> Range:
    """Sums that may be too large for their type, so that nobody knows what they are, are any number."""
    ends = [end for interval in numbers for end in interval if not math.isinf(end)]
    return numbers if all(abs(end) < _OVERFLOWS for end in ends) else EVERYTHING
