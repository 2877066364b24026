"""Delete and rederive (Gupta, Mumick, Subrahmanian 1993), made to end in the levels and counts of Bootstrap.

    over-delete   whatever has a derivation that a deletion takes, and so on transitively, leaves the view
    rederive      what the rest still derives comes back, level by level
    insert        as in Update

Deletions come first for all lower relations together: until the insertion a lower tuple that is new is not there yet,
and one that is new already bars. A tuple that was not over-deleted lost no derivation, so its level and its count stay
as they are. Whatever uses an over-deleted tuple is over-deleted itself, so that rederivation touches nothing else. As
in Update the total says which over-deleted tuples have a derivation left that is worth searching.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..backends.embedded.execute import AFTER, BEFORE_OR_AFTER, BETWEEN, Executor
from ..backends.embedded.keys import Column, Mask, distinct
from ..backends.embedded.relation import Relation
from ..datalog.program import Stratum
from .heads import Heads
from .interface import Outcome, Plans, Strategy, Task
from .recompute import bootstrap_because, start
from .semi_naive import NO_COUNTS
from .update import LevelledUpdate


class _DeleteAndRederive(LevelledUpdate):
    keeps_above = False

    def __init__(self, program: Plans, stratum: Stratum, relations: Mapping[str, Relation], executor: Executor):
        super().__init__(program, stratum, relations, executor)
        self.overdeleting = True
        self.overdeleted: dict[str, Mask] = {}
        self.frontier: dict[str, list[Column]] = {}

    def propagate(self) -> None:
        self.lower = (BETWEEN, BEFORE_OR_AFTER)
        self.from_below(-1)
        self.overdelete()
        self.overdeleting = False
        self.rederive()
        self.settle()
        self.lower = (AFTER, AFTER)
        self.from_below(+1)
        self.settle()

    def schedule(self, relation: Relation, heads: Heads, changes: NDArray[np.int64], counted: bool) -> None:
        if not self.overdeleting:
            super().schedule(relation, heads, changes, counted)
            return
        # Nothing waits: what is over-deleted leaves at once.
        relation.note(heads.rows, heads.levels, changes, counted=counted)
        rows = heads.rows
        marked = self.overdeleted.get(relation.name)
        if marked is None:
            marked = self.overdeleted[relation.name] = np.zeros(relation.size, np.bool_)
        rows = distinct(rows[~marked[rows]])
        if len(rows):
            marked[rows] = True
            self.frontier.setdefault(relation.name, []).append(rows)

    def overdelete(self) -> None:
        while self.frontier:
            leaving = {name: np.concatenate(parts) for name, parts in self.frontier.items()}
            self.frontier = {}
            self.derivations_using(leaving, -1)
            self.leave(leaving)
            self.visited += 1

    def rederive(self) -> None:
        for name, marked in self.overdeleted.items():
            rows = marked.nonzero()[0].astype(np.int32)
            self.touched.setdefault(name, []).append(rows)
            total = self.relations[name].total
            assert total is not None
            derived = rows[total[rows] > 0]
            if len(derived):
                self.derivations_of(name, derived)


def maintain(task: Task) -> Outcome:
    if not task.counted:
        return bootstrap_because(task, NO_COUNTS)
    return _DeleteAndRederive(task.program, task.stratum, task.relations, task.executor).run()


DRED: Final = Strategy(
    "dred", "Delete whatever a deletion may reach, derive again what still holds, then insert.", start, maintain
)

__all__ = ["DRED"]
