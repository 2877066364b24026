"""All strategies by name, and the one place that applies them to a stratum."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from time import perf_counter
from typing import Final

from ..backends.embedded.relation import Relation
from ..backends.embedded.replacement import Replacement
from ..errors import EngineError
from ..report import StratumReport
from .aggregate import AGGREGATE
from .counting import COUNTING
from .derivation_sets import PIPELINED
from .dred import DRED
from .elastic import ELASTIC
from .interface import Outcome, Strategy, Task
from .recompute import BOOTSTRAP
from .semi_naive import SEMI_NAIVE
from .update import UPDATE

STRATEGIES: Final[Mapping[str, Strategy]] = {
    each.name: each for each in (ELASTIC, UPDATE, BOOTSTRAP, COUNTING, DRED, SEMI_NAIVE, PIPELINED)
}
DEFAULT: Final = ELASTIC.name


def strategy(name: str) -> Strategy:
    """Raises EngineError for a name that no strategy has."""
    found = STRATEGIES.get(name)
    if found is None:
        raise EngineError(f"there is no strategy {name!r}; expected one of {', '.join(STRATEGIES)}")
    return found


def start(task: Task, chosen: Strategy) -> StratumReport:
    """Fill the stratum's relations, which are empty."""
    started = perf_counter()
    chosen = AGGREGATE if task.stratum.aggregation is not None else chosen
    outcome = chosen.start(task)
    task.kept.touched[task.stratum.index] = chosen.name
    sizes = sum(task.relations[name].size for name in task.stratum.relations)
    name = outcome.strategy or (SEMI_NAIVE if chosen is SEMI_NAIVE else BOOTSTRAP).name
    return _report(task, name, "no earlier state", outcome, lambda: sizes, started)


def maintain(task: Task, chosen: Strategy) -> StratumReport:
    """Bring the stratum up to date with the changes below it, if there are any."""
    started = perf_counter()
    below = (set(task.stratum.positive_uses) | set(task.stratum.negated_uses)) - set(task.stratum.relations)
    task.changes = _changes(below, task.relations)
    if not task.changes:
        return _report(task, "none", "nothing below it changed", Outcome(0, 0, 0), lambda: 0, started)
    tables = task.kept.level_counts.pop(task.stratum.index, None)
    if tables is not None and chosen is COUNTING:
        task.kept.level_counts[task.stratum.index] = tables
    if chosen is not PIPELINED:
        task.kept.derivations.pop(task.stratum.index, None)
    chosen = AGGREGATE if task.stratum.aggregation is not None else chosen
    outcome = chosen.maintain(task)
    task.kept.touched[task.stratum.index] = chosen.name
    changed = [_changed(task.relations.get(name)) for name in task.stratum.relations]
    return _report(task, outcome.strategy or chosen.name, outcome.reason, outcome, lambda: _sum(changed), started)


def _report(
    task: Task, name: str, reason: str, outcome: Outcome, tuples: Callable[[], int], started: float
) -> StratumReport:
    seconds = perf_counter() - started
    return StratumReport(task.stratum.relations, name, reason, outcome.instantiations, tuples, outcome.levels, seconds)


def _changed(relation: Relation | None) -> int | Replacement:
    """How many rows changed, or what tells when it is asked."""
    if relation is None:
        return 0
    return relation.replacement or len(relation.inserted) + len(relation.deleted)


def _sum(changed: Iterable[int | Replacement]) -> int:
    return sum(each if isinstance(each, int) else each.changes for each in changed)


def _changes(names: Iterable[str], relations: Mapping[str, Relation]) -> int:
    loaded = (relations.get(name) for name in names)  # one that is not loaded has not changed
    return sum(len(relation.inserted) + len(relation.deleted) for relation in loaded if relation is not None)


__all__ = ["DEFAULT", "STRATEGIES", "maintain", "start", "strategy"]
