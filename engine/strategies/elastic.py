"""The elastic choice: for each stratum, Update within a budget, and Bootstrap past it.

The budget is counted in rows, keys and runs (`prices`), not in seconds, so that the choice is the same on every
machine. Bootstrap has found, by the time that it comes to a level, a share of the stratum's tuples: those on the levels
up to it. An update may have spent, at each level, a fraction (the switching parameter) of that share of what the
stratum's last evaluation from nothing cost: then it goes on to cost about that fraction of the whole. For it meets low
levels first, and most of what comes or goes on them has consequences further up. On the first levels, of which little
can be said, it may spend a quarter of that fraction.

Past that the partial work is dropped and the stratum is bootstrapped. What is dropped is wasted, so an update that is
bound to fail is not begun: where the changes alone, at least one key each, would spend the budget, and where earlier
updates tell that so many changes cost more than it.

What one change costs differs by orders of magnitude from change to change, so little is said by few of them: what was
paid is held to the changes that it was paid for, and to some more that cost nothing. What was not tried teaches
nothing either: each time, the expectation gets lower, until an update is tried again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..backends.embedded.execute import BudgetSpent, Executor
from ..backends.embedded.prices import UPDATE
from ..backends.embedded.relation import Relation
from .interface import Outcome, Strategy, Task
from .recompute import bootstrap_because, start
from .semi_naive import NO_COUNTS
from .update import update

DEFAULT_SWITCH: Final = 0.25  # of a Bootstrap is what an update may cost; see benchmarks/switch.py
_BEGINNING: Final = 0.25  # of the budget is what may be spent on any level
_SAMPLE: Final = 4096  # rows of a relation whose levels are looked at
_SMALL: Final = 400 * UPDATE.run  # work that is not worth a choice: it takes about as long either way
_DELETION: Final = 2.0  # what a deletion costs beside an insertion of the same
_FREE: Final = 64.0  # changes without cost that expectations start from
_HOPELESS: Final = 1.5  # budgets: what an update is expected to cost that is not begun
_SPENT: Final = 2.0  # budgets: what an update that was dropped would have cost, as far as expectations go
_FORGET: Final = 0.5  # what is left of earlier experience after each update
_RETRY: Final = 0.75  # what is left of an expectation after each update that was not begun


def maintain(task: Task) -> Outcome:
    if not task.counted:
        return bootstrap_because(task, NO_COUNTS)
    budget = task.switch * max(task.kept.work.get(task.stratum.index, 0), _SMALL if task.switch else 0)
    limit = f"the budget of {int(budget)} joined rows"
    if task.changes * (UPDATE.row + UPDATE.key) > budget:
        return bootstrap_because(task, f"{task.changes} changes below it are more than {limit}")
    weight = _weight(task)
    paid, changes = task.kept.paid.get(task.stratum.index, (0.0, 0.0))
    if paid * weight > _HOPELESS * budget * (changes + _FREE):
        task.kept.paid[task.stratum.index] = _RETRY * paid, changes
        return bootstrap_because(task, f"{task.changes} changes below it are expected to cost more than {limit}")
    with _budget(task, budget) as visiting:
        before = _growing(task.executor)
        try:
            outcome = update(task.program, task.stratum, task.relations, task.executor, visiting)
            cost = _growing(task.executor) - before
        except BudgetSpent:
            outcome, cost = None, _SPENT * budget
    task.kept.paid[task.stratum.index] = _FORGET * paid + cost, _FORGET * changes + weight
    if outcome is None:
        return bootstrap_because(task, f"the update spent its part of {limit}")
    outcome.strategy, outcome.reason = "update", f"within {limit}"
    return outcome


@contextmanager
def _budget(task: Task, budget: float) -> Iterator[Callable[[int], None]]:
    """Update's prices, and as much of `budget` to spend as the level allows that was told last. Indexes that are made
    take part of it, at most half of what any level allows: they serve later updates as well."""
    executor, usual = task.executor, task.executor.prices
    executor.prices = UPDATE
    executor.indexed, executor.most_indexed = 0, int(_BEGINNING * budget / 2)
    spent, level = executor.spent, -1
    shares: NDArray[np.float64] | None = None

    def visiting(of: int) -> None:
        nonlocal level
        level = of

    def allowed() -> float:
        nonlocal shares
        if shares is None:
            shares = _shares(task.stratum.relations, task.relations)
        share = shares[min(level, len(shares) - 1)] if level > 0 else shares[1] / 2  # it has just begun
        return spent + budget * max(_BEGINNING, float(share))

    executor.budget = spent + _BEGINNING * budget
    executor.extended = allowed
    try:
        yield visiting
    finally:
        executor.budget, executor.extended = float("inf"), None
        executor.most_indexed = 0
        executor.prices = usual


def _shares(names: Iterable[str], relations: Mapping[str, Relation]) -> NDArray[np.float64]:
    """For each level, at least those up to 1, the share of the tuples that lie on the levels up to it. It is an
    estimate, dead rows included."""
    tuples = np.zeros(2, np.int64)
    for relation in (relations.get(name) for name in names):
        if relation is None or relation.level is None:  # one that is not loaded is not much looked at
            continue
        step = relation.size // _SAMPLE + 1
        found = step * np.bincount(relation.level[: relation.size : step], minlength=len(tuples))
        found[: len(tuples)] += tuples
        tuples = found.astype(np.int64)
    return np.asarray(tuples.cumsum() / max(1, tuples.sum()))


def _growing(executor: Executor) -> float:
    """What grows with the changes: runs of plans are as many for few of them."""
    return replace(executor.done, runs=0).cost(UPDATE)


def _weight(task: Task) -> float:
    """The changes below the stratum, in insertions."""
    weight = 0.0
    for uses, negated in ((task.stratum.positive_uses, False), (task.stratum.negated_uses, True)):
        for name in uses:
            relation = task.relations.get(name)  # one that is not loaded has not changed
            if relation is not None and name not in task.stratum.relations:
                gained, lost = len(relation.inserted), len(relation.deleted)
                weight += gained + lost + (_DELETION - 1) * (gained if negated else lost)
    return weight


ELASTIC = Strategy("elastic", "For each stratum, update within a budget of work; past it, bootstrap.", start, maintain)

__all__ = ["DEFAULT_SWITCH", "ELASTIC"]
