"""Full counting: of every tuple the count at each level at which it is derived, not only at the first.

The table always equals the current view: an instantiation that comes or goes changes the count of its head at the level
at which it fires, also above the head's own level. So a tuple that dies at one level is not searched for: the next
level at which it is derived is read. This costs a table that grows with the instantiations' levels and not with the
tuples, and work for changes that no tuple ever sees.

Only this strategy keeps the table current. Where another one touched the stratum last, or the state was opened from
disk, the stratum is bootstrapped, and Bootstrap fills the table as it goes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..backends.embedded.arrangement import concatenate
from ..backends.embedded.execute import Executor
from ..backends.embedded.keys import Column, distinct
from ..backends.embedded.relation import NEW, Relation
from ..datalog.program import Stratum
from . import recompute
from .heads import Heads
from .interface import Outcome, Plans, Strategy, Task
from .level_counts import NEVER, LevelCounts
from .pending import Change, Waiting
from .update import LevelledUpdate


class _Counting(LevelledUpdate):
    """What waits at a level is rows to look at; the table says what there is."""

    keeps_above = False

    def __init__(
        self,
        program: Plans,
        stratum: Stratum,
        relations: Mapping[str, Relation],
        executor: Executor,
        tables: Mapping[str, LevelCounts],
    ):
        super().__init__(program, stratum, relations, executor)
        self.tables = tables
        self.at = 0  # the level that is visited

    def schedule(self, relation: Relation, heads: Heads, changes: NDArray[np.int64], counted: bool) -> None:
        self.tables[relation.name].add(heads.rows, heads.levels, changes)
        super().schedule(relation, heads, changes, counted)

    def move(self, relation: Relation, heads: Heads, former: Column) -> None:
        table = self.tables[relation.name]
        table.add(heads.rows, former, -heads.counts)
        table.add(heads.rows, heads.levels, heads.counts)
        super().move(relation, heads, former)

    def visit(self, level: int, waiting: Waiting) -> None:
        self.at = level
        super().visit(level, waiting)

    def net(self, name: str, changes: list[Change]) -> tuple[Column, NDArray[np.int64]]:
        """What the level's count of each row differs by from what the row has."""
        relation = self.relations[name]
        assert relation.level is not None and relation.count is not None
        rows = distinct(concatenate([each.rows for each in changes]))
        counts = self.tables[name].at(rows, self.at)
        present = (relation.state[rows] & NEW) != 0
        absent = rows[~present & (counts == 0)]
        if len(absent):
            self.derivations_of(name, absent)
        here = present & (relation.level[rows] == self.at)
        counts[here] -= relation.count[rows[here]]
        differs = counts != 0
        return rows[differs], counts[differs]

    def derivations_of(self, name: str, rows: Column) -> None:
        """Of tuples that this level does not derive: look at them where they are derived next."""
        levels = self.tables[name].next_level(rows, self.at)
        derived = levels < NEVER
        if derived.any():
            rows = rows[derived]
            self.pending.put(self.relations[name], rows, levels[derived], np.zeros(len(rows), np.int64))

    def bury(self, dead: Mapping[str, Column], level: int) -> Mapping[str, tuple[Column, NDArray[np.int64]]]:
        """The table knows where the dead are derived next, once it has lost what their death takes."""
        self.derivations_using(dead, -1)
        self.leave(dead)
        for name, rows in dead.items():
            self.derivations_of(name, rows)
        return {}


def start(task: Task) -> Outcome:
    tables = {name: LevelCounts() for name in task.stratum.relations}
    outcome = recompute.start(task, tables)
    task.kept.level_counts[task.stratum.index] = tables
    return outcome


def maintain(task: Task) -> Outcome:
    index = task.stratum.index
    tables = task.kept.level_counts.get(index)
    if tables is None:
        tables = {name: LevelCounts() for name in task.stratum.relations}
        outcome = recompute.recompute(task, tables=tables)
        touched = task.kept.touched.get(index)
        why = "the state came without them" if touched is None else f"{touched} was the last to change it"
        outcome.reason = f"its counts by level are not known: {why}"
    else:
        outcome = _Counting(task.program, task.stratum, task.relations, task.executor, tables).run()
    task.kept.level_counts[index] = tables
    return outcome


COUNTING: Final = Strategy(
    "counting", "As update, but keep the counts of all levels, so that nothing is searched for.", start, maintain
)

__all__ = ["COUNTING"]
