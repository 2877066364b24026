"""A failing input made small: delta debugging over whatever parts an input has.

`ddmin` is Zeller and Hildebrandt's minimising delta debugging (TSE 2002). An input that is a tree is reduced level by
level from the top, as Misherghi and Su's hierarchical delta debugging does (ICSE 2006); then by lines and bytes. It is
forty lines: the libraries for it (picire, Hypothesis) bring processes, caches and generators of their own and know no
trees of tree-sitter's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

C = TypeVar("C")
P = TypeVar("P")
Fails = Callable[[C], bool]


class Spent(Exception):
    """As many inputs were tried as a reduction may try."""


class Pass(Protocol[C]):
    """A smaller input that fails, too, or the same one."""

    def __call__(self, case: C, fails: Fails[C], /) -> C: ...


def reduce(case: C, fails: Fails[C], passes: Sequence[Pass[C]], most: int) -> C:
    """The smallest failing input that the passes come to, or the smallest one after `most` tries."""
    best = case
    tries = 0

    def counted(smaller: C) -> bool:
        nonlocal tries, best
        if tries == most:
            raise Spent
        tries += 1
        failing = fails(smaller)
        if failing:
            best = smaller
        return failing

    try:
        while True:
            before = best
            for each in passes:
                best = each(best, counted)
            if best == before:
                return best
    except Spent:
        return best


def ddmin(parts: Sequence[P], fails: Callable[[list[P]], bool]) -> list[P]:
    """Parts of which none can be left out; `fails` of all of them holds."""
    kept = list(parts)
    if kept and fails([]):
        return []
    pieces = 2
    while len(kept) >= 2:
        size = -(-len(kept) // pieces)
        for start in range(0, len(kept), size):
            rest = kept[:start] + kept[start + size :]
            if rest and fails(rest):
                kept, pieces = rest, max(pieces - 1, 2)
                break
        else:
            if size == 1:
                return kept
            pieces = min(len(kept), 2 * pieces)
    return kept


def first(case: C, candidates: Callable[[C], Iterator[C]], fails: Fails[C]) -> C:
    """Replaces the input by its first candidate that fails, until none does."""
    while True:
        for candidate in candidates(case):
            if candidate != case and fails(candidate):
                case = candidate
                break
        else:
            return case
