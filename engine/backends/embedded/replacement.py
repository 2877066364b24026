"""What differs between a relation that was evaluated from nothing and the one whose place it took.

Comparing millions of tuples takes a good part of the time that evaluating them took, and often nobody asks: no stratum
above uses the relation, and the caller wants only the result. So it is done when it is asked for. A row's values never
change, hence what is found later is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .keys import Column, Mask, pack_bits, unpack_bits

if TYPE_CHECKING:
    from .relation import Relation


@dataclass(frozen=True, slots=True)
class Change:
    """`inserted`: the new relation's rows that the old one had not. `deleted`: columns of what only the old one had."""

    inserted: Column
    deleted: list[Column]
    deletions: int


class Replacement:
    """`old` and `fresh` are compared as they are when this is made: `old` in its view `view`, `fresh` as a whole."""

    def __init__(self, old: Relation, fresh: Relation, view: int):
        self._old: Relation | None = old
        self._view = view
        self._fresh: Relation | None = fresh
        self._size = fresh.size
        self.columns: list[Column] = [column[: fresh.size] for column in fresh.columns]
        self._change: Change | None = None

    @property
    def change(self) -> Change:
        if self._change is None:
            assert self._old is not None
            rows = None if self._old.uniform else self._old.rows_in(self._view)
            size = self._old.size if rows is None else len(rows)
            mine = [column[:size] if rows is None else column[rows] for column in self._old.columns]
            inserted, lost, count = self._compare(mine, size)
            self._change = Change(np.flatnonzero(inserted).astype(np.int32), lost, count)
            self._old = self._fresh = None
        return self._change

    @property
    def changes(self) -> int:
        return len(self.change.inserted) + self.change.deletions

    def _compare(self, mine: Sequence[Column], size: int) -> tuple[Mask, list[Column], int]:
        """Which rows of the new relation are not among `mine`, and those of `mine` that are not in it."""
        packed = pack_bits([(mine, size), (self.columns, self._size)]) if mine and size and self._size else None
        if packed is None:
            assert self._fresh is not None
            there = self._fresh.locate(mine, size)
            there[there >= self._size] = -1  # it came back later
            inserted = np.ones(self._size, np.bool_)
            inserted[there[there >= 0]] = False
            lost = there < 0
            return inserted, [column[lost] for column in mine], int(np.count_nonzero(lost))
        (old_words, fresh_words), widths = packed
        # Sorting words is several times faster than arranging one relation and looking the other up in it.
        words = np.concatenate([old_words, fresh_words])
        words.sort()
        twice = words[1:] == words[:-1]
        alone = np.ones(len(words), np.bool_)
        alone[1:] &= ~twice
        alone[:-1] &= ~twice
        words = words[alone]
        if not len(words):
            return np.zeros(self._size, np.bool_), [column[:0] for column in mine], 0
        places = np.minimum(np.searchsorted(words, fresh_words), len(words) - 1)
        inserted = words[places] == fresh_words
        gone = np.ones(len(words), np.bool_)
        gone[places[inserted]] = False
        words = words[gone]
        return inserted, unpack_bits(words, widths), len(words)
