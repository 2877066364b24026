"""An index of a relation: sorted runs of (key word, row), which `search` looks keys up in.

New rows are sorted into a run of their own when the arrangement is next used; runs are merged as they grow to a
similar size, so that there are at most logarithmically many and a row is copied logarithmically often. A run is
never modified: copies of a relation share them. Rows that have died stay until the relation is compacted; whoever
looks rows up asks the relation which of them are in view.

Rows from `relation.stable` on are the newest level of a Bootstrap. They are kept in a run of their own, so that a
lookup can leave them out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from . import kernels
from .keys import (
    EXACT_WIDTH,
    Column,
    Keys,
    Words,
    half_of,
    in_order,
    is_sorted,
    key_words,
    order_of,
)
from .pair_bits import PairBits, dense
from .parallel import run_all, threads_for

if TYPE_CHECKING:
    from .relation import Relation

_WORTH_STARTS = 1024  # entries of a run
_STARTS_PER_PROBE = 16  # entries and values for each probe; with fewer probes bisection is cheaper than counting them
_WORTH_BITS = 1 << 16  # entries of a run
_BITS_PER_KEY = 8  # entries for each whole tuple that was looked up; with fewer of these there is little to spare
_SEARCH_COST = 4  # a search of one key takes as long as merging so many entries
_CALL_COST = 1000  # and what is done for one more run, whatever the keys, as long as merging so many
_WORTH_A_THREAD = 1 << 16  # entries to merge
_GLANCE = 64  # rows that show that a relation is not in order, as a rule
_MERGE_RATIO = 3  # a run is merged into the one before it when that is less than so many times its size
_TINY = 1 << 12  # entries of a run that is merged with whatever comes: one more run to search costs more than that


@dataclass(slots=True, eq=False)
class Run:
    """`keys` ascending. `starts` is made once there were many searches by one column: where each value of it starts.
    `shift`: by how many bits of the keys it stands above the others. `probes`: how many keys were searched by it
    before. `bits`, once many whole pairs were."""

    keys: Keys
    rows: Column
    starts: Column | None = None
    shift: int = 0
    probes: int = 0
    bits: PairBits | None = None

    @property
    def nbytes(self) -> int:
        extra = sum(each.nbytes for each in (self.starts, self.bits) if each is not None)
        return self.keys.nbytes + self.rows.nbytes + extra

    def value_starts(self, pair: bool, probes: int) -> Column | None:
        """Where the entries of each value of the first column start, if the values are dense and it is worth it."""
        size = len(self.keys)
        if self.starts is None and size >= _WORTH_STARTS:
            self.probes += probes
            last = int(self.keys[-1] >> np.uint64(32) if pair else self.keys[-1])
            if last < 4 * size + (1 << 16) and _STARTS_PER_PROBE * self.probes >= size + last:
                values = (self.keys >> np.uint64(32) if pair else self.keys).astype(np.intp)
                starts = np.zeros(last + 2, np.int32)
                np.cumsum(np.bincount(values, minlength=last + 1), out=starts[1:])
                self.starts, self.shift = starts, 32 if pair else 0
        return self.starts


class Arrangement:
    """Keyed by `columns`, in this order; up to two columns are packed exactly, and two can be searched by the first."""

    __slots__ = ("_covered", "_located", "_recent", "_recent_end", "_searched", "_sparse", "columns", "exact", "runs")

    def __init__(self, columns: tuple[int, ...], runs: Sequence[Run] = (), covered: int = 0):
        self.columns = columns
        self.exact = len(columns) <= EXACT_WIDTH
        self.runs = list(runs)
        self._covered = covered
        self._recent: Run | None = None
        self._recent_end = covered
        self._located = 0  # keys that were looked up since there were bits last
        self._sparse = 0  # how many rows there were when they were too few for bits
        self._searched = 0  # what searching more than one run has cost, in entries that are merged, but for what were

    def copy(self) -> Arrangement:
        copied = Arrangement(self.columns, self.runs, self._covered)
        copied._recent, copied._recent_end = self._recent, self._recent_end
        return copied

    @property
    def nbytes(self) -> int:
        runs = self.runs if self._recent is None else [*self.runs, self._recent]
        return sum(run.nbytes for run in runs)

    @property
    def covered(self) -> int:
        return self._covered

    def prepare(self, relation: Relation, recent: bool) -> list[Run]:
        """The runs of all stable rows, and of the newest ones too if `recent`."""
        if self._covered < relation.stable:
            if self._recent is not None and self._recent_end == relation.stable:
                run = self._recent
            else:
                run = self._sort(relation, self._covered, relation.stable)
            self._push(run)
            self._covered = self._recent_end = relation.stable
            self._recent = None
        if not recent or relation.size == self._covered:
            return self.runs
        if self._recent is None or self._recent_end != relation.size:
            self._recent = self._sort(relation, self._covered, relation.size)
            self._recent_end = relation.size
        return [*self.runs, self._recent]

    def take_recent(self, relation: Relation, words: Words) -> None:
        """The rows after `relation.stable` are in the order of `words`, their keys: there is nothing to sort. To be
        called where `prepare` was, when they were not there yet."""
        if self._covered == relation.stable:
            keys = words if self.exact else half_of(words)
            self._recent = Run(keys, np.arange(relation.stable, relation.size, dtype=np.int32))
            self._recent_end = relation.size

    def _sort(self, relation: Relation, start: int, end: int) -> Run:
        columns = [relation.columns[column][start:end] for column in self.columns]
        size = end - start
        head = min(size, _GLANCE)
        if is_sorted(key_words([column[:head] for column in columns], head)):
            keys = key_words(columns, size)
            if is_sorted(keys):
                return Run(keys, np.arange(start, end, dtype=np.int32))
        if 0 < len(columns) <= EXACT_WIDTH:
            return Run(*in_order(columns, size, start))
        keys = key_words(columns, size)
        order = order_of(keys)
        return Run(keys[order], (order + start).astype(np.int32))

    def note_search(self, keys: int) -> None:
        """The last runs are merged once searching each of them has cost as much as that."""
        if len(self.runs) < 2:
            return
        self._searched += (len(self.runs) - 1) * (keys * _SEARCH_COST + _CALL_COST)
        first, size = len(self.runs) - 1, len(self.runs[-1].keys)
        while first and size + len(self.runs[first - 1].keys) <= self._searched:
            first -= 1
            size += len(self.runs[first].keys)
        if first < len(self.runs) - 1:
            while len(self.runs) > first + 1:
                last = self.runs.pop()
                self.runs[-1] = merge_runs(self.runs[-1], last)
            self._searched -= size

    def forget_searches(self) -> None:
        """What was searched so far says nothing of what will be."""
        self._searched = 0

    def note_located(self, keys: int) -> None:
        """Whole tuples are looked up in rows that will be there for long."""
        self._located += keys

    def improve(self) -> None:
        """Give the rows bits, in one run, if so many whole tuples were looked up that it pays."""
        if len(self.columns) != EXACT_WIDTH or self._covered < max(_WORTH_BITS, 2 * self._sparse):
            return
        if self.runs[0].bits is not None or _BITS_PER_KEY * self._located < self._covered:
            return
        self._located = 0
        if not dense([run.keys for run in self.runs]):
            self._sparse = self._covered
            return
        run = _as_one(self.runs)
        run.bits = PairBits(run.keys)
        self.runs = [run]

    def _push(self, run: Run) -> None:
        self.runs.append(run)
        while len(self.runs) > 1 and len(self.runs[-2].keys) < max(_MERGE_RATIO * len(self.runs[-1].keys), _TINY):
            last = self.runs.pop()
            self.runs[-1] = merge_runs(self.runs[-1], last)

    def merged(self, relation: Relation) -> Run:
        """All rows in one run."""
        runs = self.prepare(relation, recent=True)
        if not runs:
            return Run(np.zeros(0, np.uint64 if self.exact else np.uint32), np.zeros(0, np.int32))
        return _as_one(runs)


def _as_one(runs: Sequence[Run]) -> Run:
    """The last and smallest first, so that the rows of the largest are moved once."""
    return reduce(lambda later, earlier: merge_runs(earlier, later), runs[-2::-1], runs[-1])


def merge_runs(first: Run, second: Run) -> Run:
    """Both in one; each thread merges a range of keys."""
    size = len(first.keys) + len(second.keys)
    keys, rows = np.empty(size, first.keys.dtype), np.empty(size, np.int32)
    threads = threads_for(len(first.keys), _WORTH_A_THREAD)
    cuts = [len(first.keys) * index // threads for index in range(threads)]
    of_second = [0, *(int(second.keys.searchsorted(first.keys[cut])) for cut in cuts[1:]), len(second.keys)]
    cuts.append(len(first.keys))

    def merge(index: int) -> None:
        mine, others = slice(cuts[index], cuts[index + 1]), slice(of_second[index], of_second[index + 1])
        into = slice(mine.start + others.start, mine.stop + others.stop)
        kernels.merge(
            first.keys[mine], first.rows[mine], second.keys[others], second.rows[others], keys[into], rows[into]
        )

    run_all([partial(merge, index) for index in range(threads)])
    return Run(keys, rows)


def concatenate(parts: Sequence[Any]) -> Any:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


__all__ = ["Arrangement", "Run", "concatenate", "merge_runs"]
