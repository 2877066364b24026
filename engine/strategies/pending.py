"""What waits in an update: changes of counts, at the levels at which the instantiations fire, lowest level first.

A pending change names its head by row. A head that has no row gets one, dead until it arrives, so that everything
pending for it meets in one place. What is pending for a tuple that fell is forgotten by the clock when its derivations
are searched: changes older than that are dropped when their level comes.

Changes above the level at which a tuple is present say nothing of it, and do not wait. One kind is worth keeping: where
a derivation moves from a tuple's own level to the next, the tuple may die, and what moved may be all that derives it.
Such a tuple is HINTED, and from then on all changes at its next level wait, gains and losses alike. If their sum is the
tuple's total when it dies, nothing else derives it: neither what was there at the next level before nor what fires
higher can be less than nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..backends.embedded.arrangement import concatenate
from ..backends.embedded.keys import Column, consolidate, places_of
from ..backends.embedded.relation import HINTED, NEW, Relation

_NO_HINT: Final = np.uint8(0xFF & ~HINTED)


@dataclass(frozen=True, slots=True)
class Change:
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
        self._hinted: dict[str, list[Column]] = {}
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
        former: bool = False,
        unique: bool = False,
        moved_from: Column | None = None,
    ) -> None:
        """Let changes wait at their levels. `former`: heads that are moving are taken at the level that they had.
        `moved_from`: at which levels what comes has fired up to now."""
        assert relation.level is not None
        # A head that is present below can only lose that place by dying, and then its derivations are asked for.
        of_heads = relation.levels_of(rows)
        if former:
            of_heads = relation.former_levels(rows, of_heads)
        state = relation.state[rows]
        matters = ((state & NEW) == 0) | (of_heads >= levels)
        if moved_from is not None or relation.name in self._hinted:
            hinted = (state & HINTED) != 0
            if moved_from is not None:
                hinting = places_of(~(matters | hinted) & (of_heads == moved_from) & (of_heads + 1 == levels))
                if len(hinting):
                    hinted[hinting] = True
                    self._hint(relation, rows[hinting])
            matters |= hinted & (of_heads + 1 == levels)
        if not matters.all():
            rows, levels, counts = rows[matters], levels[matters], counts[matters]
        if not len(rows):
            return
        lowest, highest = int(levels.min()), int(levels.max())
        if lowest == highest:
            self._wait(lowest, relation.name, rows, counts, unique)
            return
        steps = levels[1:] - levels[:-1]
        if int(steps.min()) < 0:
            narrow = levels.astype(np.int16) if highest < 1 << 15 else levels  # few bits are put in order by counting
            order = np.argsort(narrow, kind="stable")
            rows, levels, counts = rows[order], levels[order], counts[order]
            steps = levels[1:] - levels[:-1]
        start = 0
        for end in [*(places_of(steps) + 1).tolist(), len(levels)]:
            self._wait(int(levels[start]), relation.name, rows[start:end], counts[start:end], unique)
            start = end

    def _hint(self, relation: Relation, rows: Column) -> None:
        relation.own()
        relation.state[rows] |= HINTED
        self._hinted.setdefault(relation.name, []).append(rows)

    def take_hints(self, relation: Relation, rows: Column, level: int) -> NDArray[np.int64]:
        """What waits at `level` for rows of the level below, which wait for it no longer."""
        found = np.zeros(len(rows), np.int64)
        hinted = places_of(relation.state[rows] & HINTED)
        waiting = self._at.get(level)
        if not len(hinted) or waiting is None or relation.name not in waiting.changes:
            return found
        of_rows, sums = self.net(relation, waiting.changes[relation.name])
        order = np.argsort(of_rows)
        of_rows, sums = of_rows[order], sums[order]
        waiting.changes[relation.name] = [Change(of_rows, sums, self.clock, unique=True)]
        if len(of_rows):
            at = np.minimum(of_rows.searchsorted(rows[hinted]), len(of_rows) - 1)
            found[hinted] = np.where(of_rows[at] == rows[hinted], sums[at], 0)
        taken = places_of(found)
        if len(taken):
            self._wait(level, relation.name, rows[taken], -found[taken], unique=True)
        return found

    def void_hints(self, relation: Relation, rows: Column) -> None:
        """Nothing derives these rows: what waits for them above is of derivations that are gone."""
        hinted = rows[(relation.state[rows] & HINTED) != 0]
        if len(hinted):
            self.drop_hints(relation, hinted)
            self.forget([(relation, hinted)])

    def drop_hints(self, relation: Relation, rows: Column) -> None:
        """Let no more changes above these rows wait."""
        if relation.name in self._hinted:
            relation.state[rows] &= _NO_HINT

    def finish(self, relations: Mapping[str, Relation]) -> None:
        for name, parts in self._hinted.items():
            relations[name].state[concatenate(parts)] &= _NO_HINT

    def _wait(self, level: int, name: str, rows: Column, counts: NDArray[np.int64], unique: bool) -> None:
        self.at(level).changes.setdefault(name, []).append(Change(rows, counts, self.clock, unique))

    def at(self, level: int) -> Waiting:
        waiting = self._at.get(level)
        if waiting is None:
            waiting = self._at[level] = Waiting()
            heappush(self._levels, level)
        return waiting

    def net(self, relation: Relation, changes: list[Change]) -> tuple[Column, NDArray[np.int64]]:
        """The sum of the changes of each row, without those that are older than the row's last death."""
        if any(each.time < relation.clock for each in changes):  # its last death was after one of them
            died = relation.deaths()
            changes = [_since_death(died, each) if each.time < relation.clock else each for each in changes]
        if len(changes) == 1 and changes[0].unique:
            return changes[0].rows, changes[0].counts
        rows = concatenate([each.rows for each in changes])
        counts = concatenate([each.counts for each in changes])
        columns, sums = consolidate([rows], len(rows), counts)
        return columns[0], sums

    def forget(self, fallen: Iterable[tuple[Relation, Column]]) -> None:
        """What waits for these rows is void from now on."""
        fallen = [(relation, rows) for relation, rows in fallen if len(rows)]
        self.clock += bool(fallen)
        for relation, rows in fallen:
            relation.deaths()[rows] = relation.clock = self.clock


def _since_death(died: NDArray[np.int32], change: Change) -> Change:
    lasting = died[change.rows] <= change.time
    if lasting.all():
        return change
    return Change(change.rows[lasting], change.counts[lasting], change.time, change.unique)


__all__ = ["Change", "Pending", "Waiting"]
