"""The elastic choice: for each stratum, Update within a budget, and Bootstrap past it.

The budget is counted in rows, keys and runs (`prices`), not in seconds, so that the choice is the same on every machine
that has the same kernels: it is a fraction (the switching parameter) of what the stratum's last evaluation from nothing
cost. An update that has spent it is asked how far it has come: it meets levels from below, and the share that the
levels up to the one at hand have of what Bootstrap takes is the part that is done. What it has spent for that part
tells what is left, and if that is more than a Bootstrap takes, the partial work is dropped and the stratum is
bootstrapped. Otherwise it goes on until that would be so at the same part, and is asked again. It may spend two
Bootstraps at most: a stratum that has grown has levels of which old tuples tell nothing.

What is dropped is wasted, so an update that is bound to fail is not begun: where the changes alone, at least one key
each, would spend the budget, and where earlier updates tell that so many changes cost more than a Bootstrap.

Where the program has a bound on joined rows and an update passes it, its work is dropped as well and does not count.
From there on every stratum is bootstrapped, so that a change ends in an error only if a Bootstrap would.

What one change costs differs by orders of magnitude from change to change, so little is said by few of them: what was
paid is held to the changes that it was paid for, and to some more that cost nothing. What was not tried teaches
nothing either: each time, the expectation gets lower, until an update is tried again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..backends.embedded.execute import BudgetSpent, Executor
from ..backends.embedded.prices import BOOTSTRAP, UPDATE
from ..backends.embedded.relation import Relation
from ..bound import Spent
from ..datalog.program import Stratum
from .interface import Outcome, Strategy, Task
from .recompute import bootstrap_because, start
from .semi_naive import NO_COUNTS
from .update import update

DEFAULT_SWITCH: Final = 0.15  # of a Bootstrap is what an update may cost, whatever is left then; benchmarks/switch.py
_SAMPLE: Final = 4096  # rows of a relation whose levels are looked at
_SMALL: Final = 400 * UPDATE.run  # work that is not worth a choice: it takes about as long either way
_DELETION: Final = 2.0  # what a deletion costs beside an insertion of the same
_FREE: Final = 64.0  # changes without cost that expectations start from
_MOST: Final = 2.0  # Bootstraps: what an update may cost that promises to be worth it
_DROPPED: Final = 2.0  # Bootstraps: what an update that was dropped would have cost, as far as expectations go
_FORGET: Final = 0.5  # what is left of earlier experience after each update
_PAST_BOUND: Final = "the update joined as many rows as an evaluation may"
_RETRY: Final = 0.75  # what is left of an expectation after each update that was not begun


def maintain(task: Task) -> Outcome:
    if not task.counted:
        return bootstrap_because(task, NO_COUNTS)
    if task.executor.forgiven:
        return bootstrap_because(task, _PAST_BOUND)
    whole = task.kept.work.get(task.stratum.index, 0)
    budget = task.switch * max(whole, _SMALL)
    limit = f"the budget of {int(budget)} joined rows"
    if task.changes * (UPDATE.row + UPDATE.key) > budget:
        return bootstrap_because(task, f"{task.changes} changes below it are more than {limit}")
    weight = _weight(task)
    paid, changes = task.kept.paid.get(task.stratum.index, (0.0, 0.0))
    if paid * weight > max(whole, _SMALL) * (changes + _FREE):
        task.kept.paid[task.stratum.index] = _RETRY * paid, changes
        return bootstrap_because(task, f"{task.changes} changes below it are expected to cost more than a Bootstrap")
    before, growing = task.executor.done.cost(UPDATE), _growing(task.executor)
    with _budget(task, budget, whole) as visiting:
        try:
            outcome = update(task.program, task.stratum, task.relations, task.executor, visiting)
            cost = _growing(task.executor) - growing
        except (BudgetSpent, Spent) as error:
            outcome, cost = None, _DROPPED * max(whole, _SMALL)
            if isinstance(error, Spent):
                task.executor.forgiven = task.executor.work
    task.kept.paid[task.stratum.index] = _FORGET * paid + cost, _FORGET * changes + weight
    if task.executor.forgiven:
        return bootstrap_because(task, _PAST_BOUND)
    if outcome is None:
        return bootstrap_because(task, f"the update spent {limit}, and more than a Bootstrap was left to do")
    spent = task.executor.done.cost(UPDATE) - before
    outcome.strategy = "update"
    outcome.reason = f"within {limit}" if spent <= budget else f"past {limit}, with less than a Bootstrap left to do"
    return outcome


@contextmanager
def _budget(task: Task, budget: float, whole: float) -> Iterator[Callable[[int], None]]:
    """Update's prices, and `budget` to spend, or more as long as less than the `whole` seems to be left. What it gives
    takes each level that is visited. Indexes that are made take part of the budget, at most half of it: they serve
    later updates as well."""
    executor, usual = task.executor, task.executor.prices
    executor.prices = UPDATE
    executor.indexed, executor.most_indexed, executor.overdrawn = 0, int(budget / 2), False
    spent, level = executor.spent, -1
    shares: NDArray[np.float64] | None = None
    loaded = [relation for relation in map(task.relations.get, task.stratum.relations) if relation is not None]
    before = [(relation, relation.size) for relation in loaded]  # rows that come wait at level 0 at first

    def visiting(of: int) -> None:
        nonlocal level
        level = of

    def allowed() -> float:
        nonlocal shares
        if shares is None:
            shares = _shares(before, _runs(task.stratum), whole)
        return spent + max(budget, whole * _affordable(_passed(shares, level)))

    executor.budget, executor.extended = spent + budget, allowed
    try:
        yield visiting
    finally:
        executor.budget, executor.extended = float("inf"), None
        executor.most_indexed, executor.overdrawn = 0, False
        executor.prices = usual


def _passed(shares: NDArray[np.float64], level: int) -> float:
    """The share of the levels up to the one at hand. Before the first one nothing is done: what comes first, from the
    strata below, is all that there is where nothing is recursive."""
    return float(shares[min(level, len(shares) - 1)]) if level >= 0 else 0.0


def _affordable(done: float) -> float:
    """What an update may have cost, in Bootstraps, for a part that is done, if the rest costs one at the same rate."""
    return min(done / (1 - done), _MOST) if done < 1 else _MOST


def _shares(before: Sequence[tuple[Relation, int]], runs: int, whole: float) -> NDArray[np.float64]:
    """For each level, the share that the levels up to it have of what Bootstrap takes, which is `whole`: so many `runs`
    of plans on each, and the rest follows the tuples. It is an estimate from the rows of before, dead ones included."""
    tuples = np.zeros(2, np.int64)
    for relation, size in before:
        if relation.level is None:
            continue
        step = size // _SAMPLE + 1
        found = step * np.bincount(relation.level[:size:step], minlength=len(tuples))
        found[: len(tuples)] += tuples
        tuples = found.astype(np.int64)
    of_level = min(BOOTSTRAP.run * runs, whole / len(tuples))
    costs = of_level + tuples * ((whole - of_level * len(tuples)) / max(1, tuples.sum()))
    return np.asarray(costs.cumsum() / max(1, costs.sum()))


def _runs(stratum: Stratum) -> int:
    """How many plans Bootstrap runs on a level."""
    return sum(len(stratum.positive_uses.get(name, ())) for name in stratum.relations)


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


ELASTIC = Strategy(
    "elastic", "For each stratum, update; past a budget, bootstrap where more than that is left to do.", start, maintain
)

__all__ = ["DEFAULT_SWITCH", "ELASTIC"]
