"""Looking keys up in the sorted runs of an arrangement: all entries of a key, how many there are, or its one row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from . import kernels
from .arrangement import Run
from .keys import Column, Indices, Keys
from .parallel import run_all, threads_for

_FEW_STARTS = 8  # values for each probe; with more it is cheaper to look at two of them for each probe than at all
_WORTH_SEARCHING = 1 << 16  # keys to search for in a thread


@dataclass(slots=True)
class Hits:
    """A part of a lookup's answer: probe `probes[i]` met the entry `positions[i]` of `run`."""

    run: Run
    probes: Indices
    positions: Indices


class Range(NamedTuple):
    """Of key `i` a run has `counts[i]` entries, from `low[i]` on; `total` of all keys."""

    run: Run
    low: Indices
    counts: Indices
    total: int


def ranges(runs: Sequence[Run], keys: Keys, prefix: bool, one_column: bool = False) -> list[Range]:
    """The entries whose key is `keys[i]` (whose first column is, if `prefix`), for every i, in each run that has any.

    `one_column`: the keys are values of a column.
    """
    found = []
    parts = _parts(len(keys), _WORTH_SEARCHING)
    for run in runs:
        starts = run.value_starts(prefix, len(keys)) if one_column else None
        if starts is not None or len(parts) == 1:
            low, counts, total = kernels.find_ranges(run.keys, starts, keys, prefix)
        else:
            search = partial(kernels.find_ranges, run.keys, None)
            of_parts = run_all([partial(search, keys[part], prefix) for part in parts])
            low, counts = (np.concatenate([each[index] for each in of_parts]) for index in (0, 1))
            total = sum(each[2] for each in of_parts)
        if total:
            found.append(Range(run, low, counts, total))
    return found


def find(runs: Sequence[Run], keys: Keys, prefix: bool, one_column: bool = False) -> list[Hits]:
    """What `ranges` has, entry by entry."""
    return [Hits(each.run, *kernels.expand(each.low, each.counts)) for each in ranges(runs, keys, prefix, one_column)]


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
    for each in ranges(others, keys, prefix, one_column):
        total += each.counts
    return total


def locate(runs: Sequence[Run], keys: Keys, threads: int | None = None) -> Column:
    """Where each key has at most one entry: the row of each key, or -1. `threads`: so many search."""
    parts = _parts(len(keys), _WORTH_SEARCHING, threads)
    if len(parts) == 1:
        return kernels.find_rows(runs, keys)
    return np.concatenate(run_all([partial(kernels.find_rows, runs, keys[part]) for part in parts]))


def _parts(size: int, worth: int, threads: int | None = None) -> list[slice]:
    """Work in parts of at least `worth` to be done at the same time; in so many as `threads` if that is given."""
    count = threads or threads_for(size, worth)
    if count == 1:
        return [slice(0, size)]
    cuts = [size * index // count for index in range(count + 1)]
    return [slice(start, end) for start, end in pairwise(cuts)]


__all__ = ["Hits", "Range", "count", "find", "locate", "ranges"]
