"""What waits in an update: changes of counts, at the levels at which the instantiations fire, lowest level first.

A pending change names its head by row. A head that has no row gets one, dead until it arrives, so that everything
pending for it meets in one place. What is pending for a tuple that fell is forgotten by the clock when its derivations
are searched: changes older than that are dropped when their level comes.

Changes above the level at which a tuple is present say nothing of it, and do not wait. Those one level above it are
counted at once (`Relation.above`): when the tuple dies they tell whether it is derived at the next level.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..backends.embedded import kernels
from ..backends.embedded.keys import Column
from ..backends.embedded.relation import Relation


class Change(NamedTuple):
    """`unique`: no row is there twice."""

    rows: Column
    counts: NDArray[np.int64]
    time: int
    unique: bool


@dataclass(slots=True)
class Waiting:
    """What waits at one level, by relation. `fallen`: rows that died one level below."""

    changes: dict[str, list[Change]] = field(default_factory=dict)
    fallen: dict[str, Column] = field(default_factory=dict)


class Pending:
    """`clock` goes on from update to update: it starts after the last death of any of these relations."""

    def __init__(self, relations: Iterable[Relation]):
        self._at: dict[int, Waiting] = {}
        self._levels: list[int] = []
        self.clock = 1 + max((relation.clock for relation in relations), default=0)

    def __bool__(self) -> bool:
        return bool(self._levels)

    def lowest(self) -> tuple[int, Waiting]:
        """The lowest level at which something waits, and what does: it waits no longer."""
        level = heappop(self._levels)
        return level, self._at.pop(level)

    def put(
        self,
        relation: Relation,
        rows: Column,
        levels: Column,
        counts: NDArray[np.int64],
        *,
        former: bool = False,
        unique: bool = False,
        counted: bool = False,
    ) -> None:
        """Let changes wait at their levels; the relation takes note of all of them. `former`: heads that are moving are
        taken at the level that they had. `unique`: no pair of row and level repeats. `counted`: in the totals too."""
        # A head that is present below can only lose that place by dying, and then its derivations are asked for.
        for level, waiting, changes in relation.note(rows, levels, counts, former, counted):
            change = Change(waiting, changes, self.clock, unique)
            self.at(level).changes.setdefault(relation.name, []).append(change)

    def at(self, level: int) -> Waiting:
        waiting = self._at.get(level)
        if waiting is None:
            waiting = self._at[level] = Waiting()
            heappush(self._levels, level)
        return waiting

    def net(self, relation: Relation, changes: list[Change]) -> tuple[Column, NDArray[np.int64]]:
        """The sum of the changes of each row, without those that are older than the row's last death."""
        mortal = changes[0].time < relation.clock  # its last death was after the first of them
        if not mortal and len(changes) == 1 and changes[0].unique:
            return changes[0].rows, changes[0].counts
        parts = [(each.rows, each.counts, each.time) for each in changes]
        return kernels.sum_by_row(parts, relation.deaths() if mortal else None)

    def forget(self, fallen: Iterable[tuple[Relation, Column]]) -> None:
        """What waits for these rows is void from now on."""
        fallen = [(relation, rows) for relation, rows in fallen if len(rows)]
        self.clock += bool(fallen)
        for relation, rows in fallen:
            kernels.fill(relation.deaths(), rows, self.clock)
            relation.clock = self.clock


__all__ = ["Change", "Pending", "Waiting"]
