"""How many instantiations derive each tuple at each level: a table (row, level) -> count, in sorted runs.

A pair is a word, row before level, so that a row's next level is one bisection away. A pair is in one run only; counts
change in place, new pairs go into a run of their own, and runs are merged as they grow to a similar size. Pairs whose
count fell to zero stay until they are most of the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..backends.embedded.keys import Column, Words, consolidate, high_column, low_column, pack
from ..errors import EngineError

NEVER: Final = np.int32(2**31 - 1)  # the level of what is derived at none
_MERGE_RATIO: Final = 3
_MANY_ZEROS: Final = 1024  # that are worth a compaction, if they are most of the table

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Run:
    words: Words
    counts: Counts


class LevelCounts:
    __slots__ = ("_noted", "_runs", "_shared", "_zeros")

    def __init__(self) -> None:
        self._runs: list[_Run] = []
        self._noted: list[tuple[Words, Counts]] = []
        self._shared = False
        self._zeros = 0

    @classmethod
    def of(cls, rows: Column, levels: Column, counts: Counts) -> LevelCounts:
        """As `pairs` gave them."""
        made = cls()
        if len(rows):
            made._runs = [_Run(pack([rows, levels], len(rows)), counts)]
        return made

    def __len__(self) -> int:
        """Pairs, those of count zero included."""
        return sum(len(run.words) for run in self._runs)

    @property
    def nbytes(self) -> int:
        return sum(run.words.nbytes + run.counts.nbytes for run in self._runs)

    def copy(self) -> LevelCounts:
        """A table that parts from this one when either changes."""
        copied = LevelCounts()
        copied._runs, copied._zeros = list(self._runs), self._zeros
        self._shared = copied._shared = True
        return copied

    def note(self, rows: Column, level: int | Column, counts: Counts) -> None:
        """Counts of rows that the table does not have at this level, or at one of its own, to be added up by `sort`."""
        self._noted.append((_words(rows, level), counts))

    def sort(self) -> None:
        """Take in what was noted."""
        if self._noted:
            words = np.concatenate([words for words, _ in self._noted])
            counts = np.concatenate([counts for _, counts in self._noted])
            self._noted = []
            order = np.argsort(words)
            words = words[order]
            starts = np.flatnonzero(np.concatenate([[True], words[1:] != words[:-1]]))
            self._push(_Run(words[starts], np.add.reduceat(counts[order], starts)))

    def add(self, rows: Column, levels: Column, changes: Counts) -> None:
        """Change the counts of pairs, which may repeat."""
        if self._shared:
            self._runs = [_Run(run.words, run.counts.copy()) for run in self._runs]
            self._shared = False
        columns, sums = consolidate([rows, levels], len(rows), changes)
        words = pack(columns, len(sums))
        for run in self._runs:
            if not len(words):
                return
            at = run.words.searchsorted(words)
            at[at == len(run.words)] = 0
            hit = run.words[at] == words
            places = at[hit]
            before = run.counts[places]
            after = before + sums[hit]
            if len(after) and int(after.min()) < 0:
                raise EngineError("internal error: a level lost more derivations than it had")
            run.counts[places] = after
            self._zeros += int(np.count_nonzero(after == 0)) - int(np.count_nonzero(before == 0))
            words, sums = words[~hit], sums[~hit]
        if len(words):
            if int(sums.min()) < 0:
                raise EngineError("internal error: a level lost derivations that it never had")
            self._push(_Run(words, sums))
        if self._zeros > _MANY_ZEROS and 2 * self._zeros > len(self):
            self._compact()

    def at(self, rows: Column, level: int | Column) -> Counts:
        """The count of each row at a level, or at one of its own."""
        words = _words(rows, level)
        counts = np.zeros(len(rows), np.int64)
        for run in self._runs:
            at = run.words.searchsorted(words)
            at[at == len(run.words)] = 0
            hit = run.words[at] == words
            counts[hit] = run.counts[at[hit]]
        return counts

    def next_level(self, rows: Column, level: int) -> Column:
        """The lowest level above `level` at which each row is derived; NEVER if there is none."""
        found = np.full(len(rows), NEVER, np.int32)
        words = _words(rows, level + 1)
        for run in self._runs:
            left = np.arange(len(rows))
            at = run.words.searchsorted(words)
            while len(left):
                inside = at < len(run.words)
                left, at = left[inside], at[inside]
                same = high_column(run.words[at]) == rows[left]
                left, at = left[same], at[same]
                derived = run.counts[at] > 0
                hits = left[derived]
                found[hits] = np.minimum(found[hits], low_column(run.words[at[derived]]))
                left, at = left[~derived], at[~derived] + 1
        return found

    def renumber(self, kept: Column, size: int) -> None:
        """Of `size` rows only `kept` (ascending) are left, and are numbered anew in their order."""
        numbers = np.full(size, -1, np.int32)
        numbers[kept] = np.arange(len(kept), dtype=np.int32)
        self._compact()
        run = self._runs[0] if self._runs else None
        if run is not None:
            rows = numbers[high_column(run.words)]
            self._runs = [_Run(pack([rows, low_column(run.words)], len(rows)), run.counts)]

    def pairs(self) -> tuple[Column, Column, Counts]:
        """Rows, levels and counts, in order; zeros left out."""
        self._compact()
        if not self._runs:
            return np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, np.int64)
        run = self._runs[0]
        return high_column(run.words), low_column(run.words), run.counts

    def _push(self, run: _Run) -> None:
        self._runs.append(run)
        while len(self._runs) > 1 and len(self._runs[-2].words) < _MERGE_RATIO * len(self._runs[-1].words):
            last = self._runs.pop()
            self._runs[-1] = _merged([self._runs[-1], last])

    def _compact(self) -> None:
        if len(self._runs) > 1 or self._zeros:
            run = _merged(self._runs)
            kept = run.counts > 0
            self._runs = [_Run(run.words[kept], run.counts[kept])] if kept.any() else []
            self._zeros = 0
            self._shared = False


def _words(rows: Column, level: int | Column) -> Words:
    return pack([rows, np.full(len(rows), level, np.int32)], len(rows))


def _merged(runs: Sequence[_Run]) -> _Run:
    words = np.concatenate([run.words for run in runs])
    order = np.argsort(words, kind="stable")
    return _Run(words[order], np.concatenate([run.counts for run in runs])[order])


__all__ = ["NEVER", "LevelCounts"]
