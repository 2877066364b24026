"""Sets of numbers, as intervals: what is possible for a number, and what a comparison leaves of it."""

from __future__ import annotations

import math
from collections.abc import Iterable

Number = int | float
Range = tuple[tuple[Number, Number], ...]  # closed intervals, in order, apart from each other

EVERYTHING: Range = ((-math.inf, math.inf),)
NATURAL: Range = ((0, math.inf),)
RESULTS = (-(2**31), 2**31 - 1)  # of the results of calls, as facts hold them
# Of comparisons: what holds where one fails, and what it is with its sides exchanged.
NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
TURNED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_MOST = 4  # intervals of a range


def point(number: Number) -> Range:
    return ((number, number),)


def meet(a: Range, b: Range) -> Range:
    if EVERYTHING in (a, b):
        return a if b == EVERYTHING else b
    return tuple((max(x[0], y[0]), min(x[1], y[1])) for x in a for y in b if max(x[0], y[0]) <= min(x[1], y[1]))


def join(parts: Iterable[Range]) -> Range:
    """The union; with more gaps than are kept, the narrowest are filled."""
    merged: list[list[Number]] = []
    for low, high in sorted(interval for part in parts for interval in part):
        if merged and low <= merged[-1][1] + 1:
            merged[-1][1] = max(merged[-1][1], high)
        else:
            merged.append([low, high])
    while len(merged) > _MOST:
        at = min(range(len(merged) - 1), key=lambda index: merged[index + 1][0] - merged[index][1])
        merged[at : at + 2] = [[merged[at][0], merged[at + 1][1]]]
    return tuple((low, high) for low, high in merged)


def add(a: Range, b: Range) -> Range:
    if len(b) == 1 and b[0][0] == b[0][1]:
        by = b[0][0]
        return tuple((low + by, high + by) for low, high in a) if by else a
    return join([((x[0] + y[0], x[1] + y[1]),) for x in a for y in b])


def scale(a: Range, factor: int) -> Range:
    """Every number of `a` times `factor`, which is not 0; what lies between the multiples counts, too."""
    if factor == 1:
        return a
    return tuple(sorted((min(low * factor, high * factor), max(low * factor, high * factor)) for low, high in a))


def single(a: Range) -> Number | None:
    """The number of a range that has one."""
    return a[0][0] if len(a) == 1 and a[0][0] == a[0][1] else None


def holds(a: Range, operator: str) -> bool | None:
    """Whether every number of `a` compares so with 0, or none does; None where some do."""
    low, high = a[0][0], a[-1][1]
    zero = any(first <= 0 <= last for first, last in a)
    if operator == "==":
        return False if not zero else True if low == high else None
    if operator == "!=":
        return True if not zero else False if low == high else None
    if operator == "<":
        return True if high < 0 else False if low >= 0 else None
    if operator == "<=":
        return True if high <= 0 else False if low > 0 else None
    if operator == ">":
        return True if low > 0 else False if high <= 0 else None
    return True if low >= 0 else False if high < 0 else None


def solutions(operator: str, bound: Number, *, whole: bool) -> Range:
    """The numbers that compare so with `bound`. whole: of integers; else borders count as inside."""
    below = math.ceil(bound) - 1 if whole else bound
    above = math.floor(bound) + 1 if whole else bound
    if operator == "==":
        return point(bound)
    if operator == "!=":
        return ((-math.inf, below), (above, math.inf)) if whole and bound == int(bound) else EVERYTHING
    if operator == "<":
        return ((-math.inf, below),)
    if operator == "<=":
        return ((-math.inf, math.floor(bound) if whole else bound),)
    if operator == ">":
        return ((above, math.inf),)
    return ((math.ceil(bound) if whole else bound, math.inf),)


def within(inner: Range, outer: Range) -> bool:
    return all(any(low <= first and last <= high for low, high in outer) for first, last in inner)
