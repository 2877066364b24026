"""A stratum evaluated from nothing in place of its old relations, and the difference between the two, marked in the
rows: the strategy `bootstrap`, and what others fall back on."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..backends.embedded.keys import EXACT_WIDTH, Column, pack, unpack
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
    before = task.executor.spent
    outcome = bootstrap(task.program, task.stratum, task.relations, task.executor, tables)
    task.kept.work[task.stratum.index] = int(task.executor.spent - before)
    return outcome


def bootstrap_because(task: Task, reason: str) -> Outcome:
    outcome = recompute(task)
    outcome.reason = reason
    return outcome


def _mark_difference(old: Relation, fresh: Relation) -> None:
    """Mark what `fresh` has and `old` had not, and add what `old` had alone, as deleted."""
    columns, size = _in_one_alone(old, fresh)
    rows = fresh.locate(columns, size)
    inserted = np.sort(rows[rows >= 0])
    fresh.inserted = inserted
    if len(inserted):
        fresh.set_state(inserted, NEW)
    lost = np.flatnonzero(rows < 0)
    if len(lost):
        start = fresh.append([column[lost] for column in columns], len(lost), 0, 0, OLD)
        fresh.settle()
        fresh.deleted = np.arange(start, fresh.size, dtype=np.int32)


def _in_one_alone(old: Relation, fresh: Relation) -> tuple[list[Column], int]:
    """The tuples that are in the OLD view of one and not in the other, and how many they are."""
    rows = None if old.uniform else old.rows_in(OLD)
    size = old.size if rows is None else len(rows)
    mine = [column[: old.size] if rows is None else column[rows] for column in old.columns]
    theirs = [column[: fresh.size] for column in fresh.columns]
    if old.arity <= EXACT_WIDTH:  # sorting words is several times faster than looking them up
        words = np.concatenate([pack(mine, size), pack(theirs, fresh.size)])
        words.sort()
        twice = words[1:] == words[:-1]
        alone = np.ones(len(words), np.bool_)
        alone[1:] &= ~twice
        alone[:-1] &= ~twice
        words = words[alone]
        return unpack(words, old.arity), len(words)
    there = fresh.locate(mine, size)
    known = np.zeros(fresh.size, np.bool_)
    known[there[there >= 0]] = True
    lost, new = there < 0, ~known
    columns = [np.concatenate([left[lost], right[new]]) for left, right in zip(mine, theirs, strict=True)]
    return columns, int(np.count_nonzero(lost)) + int(np.count_nonzero(new))


BOOTSTRAP = Strategy(
    "bootstrap", "Evaluate every stratum below which something changed from nothing.", start, recompute
)

__all__ = ["BOOTSTRAP", "bootstrap_because", "recompute", "start"]
