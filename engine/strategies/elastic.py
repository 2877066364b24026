"""The elastic choice: for each stratum, Update within a budget, and Bootstrap past it.

The budget is counted in rows that joins put out, not in seconds, so that the choice is the same on every machine: a
fraction (the switching parameter) of what the stratum's last Bootstrap cost. Past it the partial work is dropped, the
stratum is bootstrapped, and old and new are compared so that the strata above get a difference either way.
"""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping
from time import perf_counter
from typing import Final, Literal

import numpy as np

from ..backends.embedded.execute import BudgetSpent, Executor
from ..backends.embedded.relation import NEW, OLD, Relation
from ..datalog.program import Program, Stratum
from ..report import StratumReport
from .bootstrap import Outcome, bootstrap
from .update import update

Strategy = Literal["elastic", "update", "bootstrap"]
DEFAULT_SWITCH: Final = 0.2
_SMALL: Final = 1000  # joined rows that are not worth a choice: they take about as long either way


def maintain(
    program: Program,
    stratum: Stratum,
    relations: MutableMapping[str, Relation],
    executor: Executor,
    strategy: Strategy,
    switch: float,
    bootstrap_work: dict[int, int],
) -> StratumReport:
    """Bring `stratum` up to date with the changes marked in lower relations; `bootstrap_work` is kept current."""
    started = perf_counter()
    changes = _changes((set(stratum.positive_uses) | set(stratum.negated_uses)) - set(stratum.relations), relations)
    if not changes:
        return StratumReport(stratum.relations, "none", "nothing below it changed", 0, 0, 0, perf_counter() - started)
    chosen, reason, outcome = strategy, "asked for", None
    if strategy == "elastic":
        budget = switch * max(bootstrap_work.get(stratum.index, 0), _SMALL if switch else 0)
        reason = f"within the budget of {int(budget)} joined rows"
        if changes > budget:
            chosen, reason = (
                "bootstrap",
                f"{changes} changes below it are more than the budget of {int(budget)} joined rows",
            )
        else:
            executor.budget = executor.work + budget
            try:
                chosen, outcome = "update", update(program, stratum, relations, executor)
            except BudgetSpent:
                chosen, reason = "bootstrap", f"the update spent its budget of {int(budget)} joined rows"
            finally:
                executor.budget = float("inf")
    elif strategy == "update":
        outcome = update(program, stratum, relations, executor)
    if outcome is None:
        outcome = _rebuild(program, stratum, relations, executor)
        bootstrap_work[stratum.index] = outcome.work
    changed = _changes(stratum.relations, relations)
    seconds = perf_counter() - started
    return StratumReport(stratum.relations, chosen, reason, outcome.instantiations, changed, outcome.levels, seconds)


def _changes(names: Iterable[str], relations: MutableMapping[str, Relation]) -> int:
    loaded = (relations.get(name) for name in names)  # one that is not loaded has not changed
    return sum(len(relation.inserted) + len(relation.deleted) for relation in loaded if relation is not None)


def _rebuild(
    program: Program, stratum: Stratum, relations: MutableMapping[str, Relation], executor: Executor
) -> Outcome:
    """Bootstrap in place of the old relations, of which only the OLD view is relied on."""
    before = {name: relations[name] for name in stratum.relations}
    for name, old in before.items():
        relations[name] = Relation(name, old.arity, levelled=True)
    outcome = bootstrap(program, stratum, relations, executor)
    for name, old in before.items():
        _mark_difference(old, relations[name])
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
