"""The elastic choice: for each stratum, Update within a budget, and Bootstrap past it.

The budget is counted in rows that joins put out, not in seconds, so that the choice is the same on every machine: a
fraction (the switching parameter) of what the stratum's last Bootstrap cost. Past it the partial work is dropped, the
stratum is bootstrapped, and old and new are compared so that the strata above get a difference either way.
"""

from __future__ import annotations

from typing import Final

from ..backends.embedded.execute import BudgetSpent
from .interface import Outcome, Strategy, Task
from .recompute import bootstrap_because, start
from .semi_naive import NO_COUNTS
from .update import update

DEFAULT_SWITCH: Final = 0.2
_SMALL: Final = 1000  # joined rows that are not worth a choice: they take about as long either way


def maintain(task: Task) -> Outcome:
    executor = task.executor
    if not task.counted:
        return bootstrap_because(task, NO_COUNTS)
    budget = task.switch * max(task.kept.work.get(task.stratum.index, 0), _SMALL if task.switch else 0)
    if task.changes > budget:
        more = f"{task.changes} changes below it are more than the budget of {int(budget)} joined rows"
        return bootstrap_because(task, more)
    executor.budget = executor.work + budget
    try:
        outcome = update(task.program, task.stratum, task.relations, executor)
    except BudgetSpent:
        executor.budget = float("inf")
        return bootstrap_because(task, f"the update spent its budget of {int(budget)} joined rows")
    finally:
        executor.budget = float("inf")
    outcome.strategy, outcome.reason = "update", f"within the budget of {int(budget)} joined rows"
    return outcome


ELASTIC = Strategy(
    "elastic", "For each stratum update within a budget of work, and bootstrap past it.", start, maintain
)

__all__ = ["DEFAULT_SWITCH", "ELASTIC"]
