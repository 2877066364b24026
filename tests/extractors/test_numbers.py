"""What a comparison says of the number in it, held to all numbers of a few bits."""

from __future__ import annotations

import math
import operator
from typing import Literal

import corpus
from hypothesis import given
from hypothesis import strategies as st

from pliant.extractors.lowering.ranges import NEGATED, meet
from pliant.extractors.passes.numbers import Form, solutions_of

_BITS = 4
_SIZE = 1 << _BITS
_NUMBERS = range(-_SIZE // 2, _SIZE // 2)
_COMPARE = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_Operator = Literal["==", "!=", "<", "<=", ">", ">="]


def _fits(number: int) -> int:
    """What is left of a number in these bits."""
    return (number - _NUMBERS.start) % _SIZE + _NUMBERS.start


@given(
    factor=st.integers(-6, 6).filter(bool),
    constant=st.sampled_from(_NUMBERS),
    compared=st.sampled_from(sorted(_COMPARE)),
    number=st.sampled_from(_NUMBERS),
)
@corpus.examples(300)
def test_what_compares_so_is_among_the_solutions(factor: int, constant: int, compared: _Operator, number: int) -> None:
    form = Form(1, factor, constant, _BITS, True)
    found = solutions_of(form, compared, number)
    assert list(found) == sorted(found)
    for root in _NUMBERS:
        if _COMPARE[compared](_fits(factor * root + constant), number):
            assert any(low <= root <= high for low, high in found), (root, found)


@given(number=st.integers(-9, 9), compared=st.sampled_from(sorted(_COMPARE)), root=st.floats(-10, 10))
@corpus.examples(100)
def test_a_number_that_is_no_integer_is_on_one_of_both_sides(number: int, compared: _Operator, root: float) -> None:
    form = Form(1, 1, 0, -1, False)
    which = compared if _COMPARE[compared](root, number) else NEGATED[compared]
    place = root if root.is_integer() else math.floor(root) + 0.5
    found = solutions_of(form, which, number)
    assert any(low <= place <= high for low, high in found)
    assert not meet(found, solutions_of(form, NEGATED[which], number))


def test_arithmetic_that_cannot_overflow_has_the_solutions_of_the_equation() -> None:
    assert solutions_of(Form(1, 2, 1, 0, True), "==", 21) == ((10, 10),)
    assert solutions_of(Form(1, 2, 0, 0, True), "==", 7) == ()
