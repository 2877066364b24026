"""The elastic choice: for each stratum, Update within a budget, and Bootstrap past it.

The budget is counted in rows that joins put out and in runs of plans, not in seconds, so that the choice is the same on
every machine: a fraction (the switching parameter) of what the stratum's last evaluation from nothing cost. A row that
Update joins is dearer than one of Bootstrap: it is looked up in full relations, a few at a time. Past the budget the
partial work is dropped and the stratum is bootstrapped. What is dropped is wasted, so an update that is bound to fail
is not begun: changes take away or add their share of the stratum's instantiations at least, unless they meet nothing,
and where that share of the last Bootstrap's work is more than the budget, the stratum is bootstrapped at once. That an
update failed says little of the next: what one fact changes differs by orders of magnitude from fact to fact.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from ..backends.embedded.execute import RUN_ROWS, BudgetSpent, Executor
from .interface import Outcome, Strategy, Task
from .recompute import bootstrap_because, start
from .semi_naive import NO_COUNTS
from .update import update

DEFAULT_SWITCH: Final = 0.2  # of a Bootstrap is what a dropped update may waste; see benchmarks/switch.py
_ROW: Final = 1.5  # what a row that Update joins costs, in rows that Bootstrap joins: benchmarks/prices.py
_SMALL: Final = 400 * RUN_ROWS  # work that is not worth a choice: it takes about as long either way


def maintain(task: Task) -> Outcome:
    if not task.counted:
        return bootstrap_because(task, NO_COUNTS)
    changes, work = task.changes, task.kept.work.get(task.stratum.index, 0)
    budget = task.switch * max(work, _SMALL if task.switch else 0)
    limit = f"the budget of {int(budget)} joined rows"
    if changes * _ROW > budget:
        return bootstrap_because(task, f"{changes} changes below it are more than {limit}")
    inputs = _rows_below(task)
    if inputs is not None and _ROW * work * changes > inputs * budget:
        return bootstrap_because(task, f"{changes} of {inputs} rows below it changed, which promises more than {limit}")
    try:
        with _budget(task.executor, budget):
            outcome = update(task.program, task.stratum, task.relations, task.executor)
    except BudgetSpent:
        return bootstrap_because(task, f"the update spent {limit}")
    outcome.strategy, outcome.reason = "update", f"within {limit}"
    return outcome


@contextmanager
def _budget(executor: Executor, budget: float) -> Iterator[None]:
    """Rows at Update's price, and no more than `budget` of them."""
    usual, executor.row_price = executor.row_price, _ROW
    executor.budget = executor.spent + budget
    try:
        yield
    finally:
        executor.budget = float("inf")
        executor.row_price = usual


def _rows_below(task: Task) -> int | None:
    """Rows of the lower relations that the stratum uses; None if one is not loaded, which is not worth loading it."""
    rows = 0
    for name in {*task.stratum.positive_uses, *task.stratum.negated_uses}.difference(task.stratum.relations):
        relation = task.relations.get(name)
        if relation is None:
            return None
        rows += relation.size
    return rows


ELASTIC = Strategy("elastic", "For each stratum, update within a budget of work; past it, bootstrap.", start, maintain)

__all__ = ["DEFAULT_SWITCH", "ELASTIC"]
