"""A stratum evaluated from nothing in place of its old relations, and the difference between the two, marked in the
rows: the strategy `bootstrap`, and what others fall back on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..backends.embedded.keys import Column, Mask, pack_bits, unpack_bits
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
    rows = None if old.uniform else old.rows_in(OLD)
    size = old.size if rows is None else len(rows)
    mine = [column[: old.size] if rows is None else column[rows] for column in old.columns]
    inserted, lost, count = _difference(mine, size, fresh)
    fresh.inserted = np.flatnonzero(inserted).astype(np.int32)
    if len(fresh.inserted):
        fresh.set_state(fresh.inserted, NEW)
    if count:
        start = fresh.append(lost, count, 0, 0, OLD)
        fresh.settle()
        fresh.deleted = np.arange(start, fresh.size, dtype=np.int32)


def _difference(mine: Sequence[Column], size: int, fresh: Relation) -> tuple[Mask, list[Column], int]:
    """Which rows of `fresh` are not among `mine`, and those of `mine` that are not in `fresh`."""
    theirs = [column[: fresh.size] for column in fresh.columns]
    packed = pack_bits([(mine, size), (theirs, fresh.size)]) if fresh.arity and size and fresh.size else None
    if packed is None:
        there = fresh.locate(mine, size)
        inserted = np.ones(fresh.size, np.bool_)
        inserted[there[there >= 0]] = False
        lost = there < 0
        return inserted, [column[lost] for column in mine], int(np.count_nonzero(lost))
    (old_words, fresh_words), widths = packed
    # Sorting words is several times faster than arranging one relation and looking the other up in it.
    words = np.concatenate([old_words, fresh_words])
    words.sort()
    twice = words[1:] == words[:-1]
    alone = np.ones(len(words), np.bool_)
    alone[1:] &= ~twice
    alone[:-1] &= ~twice
    words = words[alone]
    if not len(words):
        return np.zeros(fresh.size, np.bool_), [column[:0] for column in mine], 0
    places = np.minimum(np.searchsorted(words, fresh_words), len(words) - 1)
    inserted = words[places] == fresh_words
    gone = np.ones(len(words), np.bool_)
    gone[places[inserted]] = False
    words = words[gone]
    return inserted, unpack_bits(words, widths), len(words)


BOOTSTRAP = Strategy(
    "bootstrap", "Evaluate every stratum below which something changed from nothing.", start, recompute
)

__all__ = ["BOOTSTRAP", "bootstrap_because", "recompute", "start"]
