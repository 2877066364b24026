"""A stratum evaluated from nothing in place of its old relations, and the difference between the two, marked in the
rows: the strategy `bootstrap`, and what others fall back on."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..backends.embedded.relation import NEW, OLD, Relation
from .bootstrap import bootstrap
from .interface import Outcome, Strategy, Task
from .level_counts import LevelCounts


def recompute(task: Task, counted: bool = True, tables: Mapping[str, LevelCounts] | None = None) -> Outcome:
    """Evaluate in place of the old relations, of which only the OLD view is relied on. Without `counted` the counts of
    the stratum are unknown afterwards. `tables`: as in `start`."""
    before = {name: task.relations[name] for name in task.stratum.relations}
    for name, old in before.items():
        task.relations[name] = Relation(name, old.arity, levelled=True, counted=counted)
    outcome = start(task, tables)
    for name, old in before.items():
        _mark_difference(old, task.relations[name])
    outcome.strategy = "bootstrap"
    return outcome


def start(task: Task, tables: Mapping[str, LevelCounts] | None = None) -> Outcome:
    """Fill relations that are empty; their counts are kept where they have a place for them, and those of every level
    in `tables`, if they are given."""
    outcome = bootstrap(task.program, task.stratum, task.relations, task.executor, tables)
    task.kept.work[task.stratum.index] = outcome.work
    return outcome


def bootstrap_because(task: Task, reason: str) -> Outcome:
    outcome = recompute(task)
    outcome.reason = reason
    return outcome


def _mark_difference(old: Relation, fresh: Relation) -> None:
    """Mark what `fresh` has and `old` had not, and add what `old` had alone, as deleted."""
    rows = old.rows_in(OLD)
    columns = [column[rows] for column in old.columns]
    there = fresh.locate(columns, len(rows))
    is_new = np.ones(fresh.size, np.bool_)
    is_new[there[there >= 0]] = False
    fresh.inserted = np.flatnonzero(is_new).astype(np.int32)
    if len(fresh.inserted):
        fresh.set_state(fresh.inserted, NEW)
    lost = np.flatnonzero(there < 0)
    if len(lost):
        start = fresh.append([column[lost] for column in columns], len(lost), 0, 0, OLD)
        fresh.settle()
        fresh.deleted = np.arange(start, fresh.size, dtype=np.int32)


BOOTSTRAP = Strategy(
    "bootstrap", "Evaluate every stratum below which something changed from nothing.", start, recompute
)

__all__ = ["BOOTSTRAP", "bootstrap_because", "recompute", "start"]
