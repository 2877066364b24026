"""Many entries of a join at the same time, and what is left of those that were joined."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any, Final

import numpy as np

from . import kernels
from .arrangement import concatenate
from .kernels import Entries, Joined, Levels, Seen, Wanted
from .keys import Column, Indices
from .parallel import run_all, threads_for

_WORTH_A_THREAD: Final = 1 << 17  # entries to join


def join_entries(
    entries: Sequence[Entries],
    total: int,
    wanted: Wanted,
    carried: Sequence[Column],
    fetched: Sequence[Column],
    checks: Sequence[tuple[Column, Column]],
    seen: Seen | None,
    levels: Levels | None,
) -> Joined:
    """`kernels.join` of `total` entries. If they are many, each thread takes those of a range of keys."""
    threads = threads_for(total, _WORTH_A_THREAD)
    if threads < 2:
        return kernels.join(entries, wanted, carried, fetched, checks, seen, levels)
    ends = np.add.reduce([each.counts for each in entries]).cumsum()
    cuts = [0, *ends.searchsorted([total * index // threads for index in range(1, threads)]).tolist(), len(ends)]

    def join(start: int, end: int) -> Joined:
        of_keys = slice(start, end)
        part = [each._replace(low=each.low[of_keys], counts=each.counts[of_keys]) for each in entries]
        checked = [(of_rows, values[of_keys]) for of_rows, values in checks]
        levelled = levels
        if levels is not None:
            former = None if levels.former is None else levels.former[of_keys]
            levelled = levels._replace(of_keys=levels.of_keys[of_keys], former=former)
        values = [column[of_keys] for column in carried]
        found = kernels.join(part, wanted, values, fetched, checked, seen, levelled)
        return found if found.keys is None else found._replace(keys=found.keys + start)

    return _stacked(run_all([partial(join, *cut) for cut in pairwise(cuts)]))


def _stacked(parts: Sequence[Joined]) -> Joined:
    def together(name: str) -> Any:
        found = [getattr(part, name) for part in parts]
        return None if found[0] is None else np.concatenate(found)

    return Joined(
        sum(part.size for part in parts),
        together("keys"),
        together("rows"),
        together("seconds"),
        [concatenate(columns) for columns in zip(*(part.carried for part in parts), strict=True)],
        [concatenate(columns) for columns in zip(*(part.fetched for part in parts), strict=True)],
        together("levels"),
        together("former"),
    )


def taken(joined: Joined, places: Indices) -> Joined:
    """Those entries alone."""
    if len(places) == joined.size:
        return joined

    def of(column: Any) -> Any:
        return None if column is None else column.take(places)

    return Joined(
        len(places),
        of(joined.keys),
        of(joined.rows),
        of(joined.seconds),
        [column.take(places) for column in joined.carried],
        [column.take(places) for column in joined.fetched],
        of(joined.levels),
        of(joined.former),
    )


__all__ = ["join_entries", "taken"]
