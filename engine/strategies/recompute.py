"""A stratum evaluated from nothing in place of its old relations: the strategy `bootstrap`, and what others fall back
on. What differs between the two is found when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from ..backends.embedded.relation import OLD, Relation
from ..backends.embedded.replacement import Replacement
from .bootstrap import bootstrap
from .interface import Outcome, Strategy, Task
from .level_counts import LevelCounts

_COPIED: Final = 16  # rows that joins put out in the time that copying and arranging a row takes


def recompute(task: Task, counted: bool = True, tables: Mapping[str, LevelCounts] | None = None) -> Outcome:
    """Evaluate in place of the old relations, of which only the OLD view is relied on. Without `counted` the counts of
    the stratum are unknown afterwards. `tables`: as in `start`."""
    # What is dropped of the old relations now is memory for the new ones.
    before = {name: task.relations[name].bare() for name in task.stratum.relations}
    for name, old in before.items():
        task.relations[name] = Relation(name, old.arity, levelled=True, counted=counted)
    with _as_they_are_now(task):
        outcome = start(task, tables)
    for name, old in before.items():
        fresh = task.relations[name]
        fresh.replacement = Replacement(old, fresh, OLD)
    outcome.strategy = "bootstrap"
    return outcome


@contextmanager
def _as_they_are_now(task: Task) -> Iterator[None]:
    """Lower relations without the marks of what changed in them, where this costs little beside evaluating the stratum:
    each row that a join meets would be asked whether it is still there."""
    below = (set(task.stratum.positive_uses) | set(task.stratum.negated_uses)) - set(task.stratum.relations)
    marked = {name: task.relations[name] for name in below if task.relations.get(name) is not None}
    affordable = task.kept.work.get(task.stratum.index, 0) // _COPIED
    task.relations.update({name: relation.now(affordable) for name, relation in marked.items()})
    try:
        yield
    finally:
        task.relations.update(marked)


def start(task: Task, tables: Mapping[str, LevelCounts] | None = None) -> Outcome:
    """Fill relations that are empty; their counts are kept where they have a place for them, and those of every level
    in `tables`, if they are given."""
    before = task.executor.spent
    for name in task.stratum.relations:
        task.relations[name].keep_above()
    outcome = bootstrap(task.program, task.stratum, task.relations, task.executor, tables)
    task.kept.work[task.stratum.index] = int(task.executor.spent - before)
    for name in task.stratum.relations:
        task.relations[name].trim()
        for arrangement in task.relations[name].arrangements.values():
            arrangement.forget_searches()
    return outcome


def bootstrap_because(task: Task, reason: str) -> Outcome:
    outcome = recompute(task)
    outcome.reason = reason
    return outcome


BOOTSTRAP = Strategy(
    "bootstrap", "Evaluate every stratum below which something changed from nothing.", start, recompute
)

__all__ = ["BOOTSTRAP", "bootstrap_because", "recompute", "start"]
