"""Looking keys up in the sorted runs of an arrangement: all entries of a key, how many there are, or its one row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np

from .arrangement import Run
from .keys import Column, Indices, Keys, order_of, places_of, prefix_bounds
from .parallel import run_all, threads_for

_MANY_KEYS = 2000  # from here on it pays to look for those that have an entry first
_WORTH_SORTING = 256  # keys to look up in a run that is not small
_STRETCH = 64  # keys in order, on average, that are as good as all in order
_LARGE = 1 << 12  # entries of a run that is not small
_FEW_STARTS = 8  # values for each probe; with more it is cheaper to look at two of them for each probe than at all
_FEW_BITS = 256  # keys; fewer are found faster by bisection
WORTH_SHARING = 1 << 17  # entries whose rows are looked at by more than one thread
_WORTH_SEARCHING = 1 << 12  # keys to search for in a thread
_WORTH_FINDING = 1 << 15  # keys to find by bits in a thread


@dataclass(slots=True)
class Hits:
    """A part of a lookup's answer: probe `probes[i]` met the entry `positions[i]` of `run`."""

    run: Run
    probes: Indices
    positions: Indices

    def shared_out(self) -> list[Hits]:
        """The same, for each thread a part if they are many."""
        parts = _parts(len(self.probes), WORTH_SHARING // 2)
        if len(parts) == 1:
            return [self]
        return [Hits(self.run, self.probes[part], self.positions[part]) for part in parts]


_Range = tuple[Run, Indices, Indices, Indices | None]  # where keys start in a run, how many; which keys, if ordered


def find(
    runs: Sequence[Run],
    keys: Keys,
    prefix: bool,
    charge: Callable[[int], None] | None = None,
    one_column: bool = False,
) -> list[Hits]:
    """Every entry whose key is `keys[i]` (whose first column is, if `prefix`), for every i.

    `charge` is told how many there will be before they are written out. `one_column`: the keys are values of a column.
    """
    ranges = _ranges(runs, keys, prefix, one_column)
    if charge is not None:
        charge(sum(int(counts.sum()) for _, _, counts, _ in ranges))
    found = []
    for run, low, counts, of_probes in ranges:
        probes, positions = _expand(low, counts)
        if len(probes):
            found.append(Hits(run, probes if of_probes is None else of_probes[probes], positions))
    return found


def count(runs: Sequence[Run], keys: Keys, prefix: bool, one_column: bool = False) -> Indices:
    """How many entries `find` would give for each key."""
    total = np.zeros(len(keys), np.intp)
    others = []
    for run in runs:
        starts = run.value_starts(prefix, len(keys)) if one_column else None
        if starts is None or len(starts) > _FEW_STARTS * len(keys):
            others.append(run)
        else:
            sizes = np.diff(starts, append=starts[-1])  # the last is that of all values past the end
            total += sizes[np.minimum(keys, np.uint64(len(starts) - 1)).view(np.int64)]
    for _, _, counts, order in _ranges(others, keys, prefix, one_column):
        if order is None:
            total += counts
        else:
            total[order] += counts
    return total


def _ranges(runs: Sequence[Run], keys: Keys, prefix: bool, one_column: bool) -> list[_Range]:
    ranges: list[_Range] = []
    bisected = []
    for run in runs:
        starts = run.value_starts(prefix, len(keys)) if one_column else None
        if starts is None:
            bisected.append(run)
            continue
        values = np.minimum(keys, np.uint64(len(starts) - 1)).view(np.int64)
        low = starts[values].astype(np.intp)
        counts = starts[np.minimum(values + 1, len(starts) - 1)].astype(np.intp)
        counts -= low
        ranges.append((run, low, counts, None))
    if bisected:
        low_keys, high_keys = prefix_bounds(keys) if prefix else (keys, keys)
        order = _search_order(max(bisected, key=lambda run: len(run.keys)), low_keys)
        if order is not None:
            low_keys = low_keys[order]
            high_keys = high_keys[order] if prefix else low_keys
        parts = _parts(len(keys), _WORTH_SEARCHING)
        for run in bisected:
            if len(parts) == 1:
                low, counts = _bounds(run, low_keys, high_keys, prefix)
            else:
                found = run_all([partial(_bounds, run, low_keys[part], high_keys[part], prefix) for part in parts])
                low, counts = (np.concatenate([each[index] for each in found]) for index in range(2))
            ranges.append((run, low, counts, order))
    return ranges


def _bounds(run: Run, low_keys: Keys, high_keys: Keys, prefix: bool) -> tuple[Indices, Indices]:
    """Where the entries of each key start in a run, and how many there are."""
    low = run.keys.searchsorted(low_keys, side="left")
    if prefix or len(low_keys) < _MANY_KEYS:
        counts = run.keys.searchsorted(high_keys, side="right")
        counts -= low
        return low, counts
    return low, _count_equal(run, low, low_keys)


def _count_equal(run: Run, low: Indices, keys: Keys) -> Indices:
    """How many entries each key has, given where its first would be; most keys of a join have none."""
    counts = np.zeros(len(keys), np.intp)
    if len(run.keys):
        hit = places_of(run.keys[np.minimum(low, len(run.keys) - 1)] == keys)
        counts[hit] = run.keys.searchsorted(keys[hit], side="right") - low[hit]
    return counts


def _search_order(run: Run, keys: Keys) -> Indices | None:
    """For keys out of order, their order: to search a run in order, if it is not small, takes a half to a seventh of
    the time of searching it at random, sorting included."""
    if len(keys) < _WORTH_SORTING or len(run.keys) < _LARGE:
        return None
    descents = int(np.count_nonzero(keys[1:] < keys[:-1]))
    return order_of(keys) if descents * _STRETCH > len(keys) else None


def _expand(starts: Indices, counts: Indices) -> tuple[Indices, Indices]:
    """(i, starts[i] + j) for every j < counts[i]."""
    hit = places_of(counts)
    if len(hit) < len(counts):
        starts, counts = starts[hit], counts[hit]
    if not len(hit):
        return hit, starts
    ends = counts.cumsum()
    total = int(ends[-1])
    if total == len(hit):
        return hit, starts
    probes = hit.repeat(counts)
    starts = starts - ends
    starts += counts
    positions = starts.repeat(counts)
    positions += np.arange(total)
    return probes, positions


def locate(runs: Sequence[Run], keys: Keys, threads: int | None = None) -> Column:
    """Where each key has at most one entry: the row of each key, or -1. `threads`: so many search."""
    if len(keys) >= _FEW_BITS:  # bits need no order: they are asked first
        runs = sorted(runs, key=lambda run: run.bits is None)
        worth = _WORTH_SEARCHING if runs and runs[0].bits is None else _WORTH_FINDING
        parts = _parts(len(keys), worth, threads)
        if len(parts) > 1:
            return np.concatenate(run_all([partial(_rows_of, runs, keys[part]) for part in parts]))
    return _rows_of(runs, keys)


def _rows_of(runs: Sequence[Run], keys: Keys) -> Column:
    """What was found in one run is not looked up in the next, if that is a good part."""
    rows = np.full(len(keys), -1, np.int32)
    places: Indices | None = None  # where those that are left are among the keys, unless they are all, in order
    left, ordered = keys, False
    for run in runs:
        if not len(run.keys):
            continue
        if run.bits is not None and len(left) >= _FEW_BITS:
            found = run.bits.rows(left, run.rows)
            hit = places_of(found >= 0)
            if len(hit) < len(left):
                found = found.take(hit)
        else:
            order = None if ordered else _search_order(run, left)
            if order is not None:
                left, places, ordered = left.take(order), order if places is None else places.take(order), True
            at = run.keys.searchsorted(left)
            hit = places_of(run.keys.take(at, mode="clip") == left)
            if not len(hit):
                continue
            found = run.rows.take(at if len(hit) == len(left) else at.take(hit))
        if len(hit) == len(left):
            rows[slice(None) if places is None else places] = found
            break
        rows[hit if places is None else places.take(hit)] = found
        if 4 * len(hit) > len(left):
            missing = np.ones(len(left), np.bool_)
            missing[hit] = False
            rest = places_of(missing)
            left, places = left.take(rest), rest if places is None else places.take(rest)
    return rows


def _parts(size: int, worth: int, threads: int | None = None) -> list[slice]:
    """Work in parts of at least `worth` to be done at the same time; in so many as `threads` if that is given."""
    count = threads or threads_for(size, worth)
    cuts = [size * index // count for index in range(count + 1)]
    return [slice(start, end) for start, end in pairwise(cuts)]


__all__ = ["WORTH_SHARING", "Hits", "count", "find", "locate"]
