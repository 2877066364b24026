"""Levels, counts and totals: arrays of numbers that are not negative, each of the narrowest type that holds its own.

Most fit a byte. Whoever writes larger ones widens the array first; it gets narrower again when it is copied anyway.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...errors import EngineError

Numbers = NDArray[Any]  # of one of WIDTHS

# The wide ones have a sign: numpy makes 64-bit floats or integers of arithmetic that mixes unsigned words with others.
WIDTHS: Final = (np.dtype(np.uint8), np.dtype(np.uint16), np.dtype(np.int32), np.dtype(np.int64))
_HIGHEST: Final = {1: 2**8 - 1, 2: 2**16 - 1, 4: 2**31 - 1, 8: 2**63 - 1}  # by bytes


def highest_of(values: Numbers | int) -> int:
    if isinstance(values, int):
        return values
    return int(values.max()) if len(values) else 0


def most(numbers: Numbers) -> int:
    """What is the most that the array can hold."""
    return _HIGHEST[numbers.itemsize]


def fits(numbers: Numbers, value: int) -> bool:
    return value <= _HIGHEST[numbers.itemsize]


def width(value: int) -> np.dtype[Any]:
    """The narrowest type that holds `value`."""
    for each in WIDTHS:
        if value <= _HIGHEST[each.itemsize]:
            return each
    raise EngineError(f"a tuple has {value} derivations, more than can be counted")


def widened(numbers: Numbers, value: int) -> Numbers:
    """The array itself, or a copy of a type that holds `value`."""
    return numbers if value <= _HIGHEST[numbers.itemsize] else numbers.astype(width(value))


def narrowed(numbers: Numbers) -> Numbers:
    """The same numbers in the narrowest type that holds all of them."""
    return numbers.astype(width(highest_of(numbers)), copy=False)


__all__ = ["WIDTHS", "Numbers", "fits", "highest_of", "most", "narrowed", "widened", "width"]
