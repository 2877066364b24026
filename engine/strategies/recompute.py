"""A stratum evaluated from nothing in place of its old relations: the strategy `bootstrap`, and what others fall back
on. What differs between the two is found when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping

from ..backends.embedded.relation import OLD, Relation
from ..backends.embedded.replacement import Replacement
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
        fresh = task.relations[name]
        fresh.replacement = Replacement(old, fresh, OLD)
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


BOOTSTRAP = Strategy(
    "bootstrap", "Evaluate every stratum below which something changed from nothing.", start, recompute
)

__all__ = ["BOOTSTRAP", "bootstrap_because", "recompute", "start"]
