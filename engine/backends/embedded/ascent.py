"""Many short levels of a recursive stratum by one call: for a few rows a level takes less time than to ask for it.

Its relations are copied into hash tables first, which takes time for each of their rows. So this is done only after so
many short levels in a row that it would have paid for them already. Long levels, and steps that are less common
(symbols in order, keys of more than two columns of a lower stratum), are left to `execute`, as `walk` leaves them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...datalog.plan import Compare, Lookup, Operand, Plan
from . import choice as choosing
from .execute import Executor
from .kernels import Ascent, Derived, Held, Leg, Sieve, Tier, Way
from .keys import EXACT_WIDTH, Column, Counts, Indices, half_of, pack, pack_bits
from .relation import SETTLED, Relation
from .views import View
from .walk import LONG, SHORT, leg, sieve

_FEWEST: Final = 8  # short levels, one after the other, before an ascent
_ROWS: Final = 2048  # that are put into hash tables in the time that a short level takes without them
_WORK: Final = 1 << 16  # before it is charged


class Driven(NamedTuple):
    """A rule that is driven by an atom of its own stratum. `heads`: relations and operands of all rules with this
    body."""

    plan: Plan
    views: Sequence[View]
    heads: Sequence[tuple[str, Sequence[Operand]]]


class Fired(NamedTuple):
    """By how many instantiations rows were derived at levels. A pair of these may be there twice."""

    rows: Column
    levels: Column
    counts: Counts


class Ascended(NamedTuple):
    """`level`: the next one; if nothing is new at it, it is `over`. `fired`: of each relation, if that was noted."""

    level: int
    over: bool
    fired: Mapping[str, Fired]


class ShortLevels:
    """The levels of one stratum, whose relations are all that its rules change."""

    def __init__(self, executor: Executor, relations: Mapping[str, Relation], driven: Sequence[Driven]) -> None:
        self._executor, self._relations, self._driven = executor, dict(relations), driven
        self._numbers = {name: number for number, name in enumerate(relations)}
        self._passed = 0  # short levels, one after the other, that were asked for one by one
        self._possible = all(
            relation.uniform and relation.versions is None and relation.arity <= Ascent.most_columns
            for relation in relations.values()
        )

    def due(self) -> bool:
        """Whether the next levels are to be asked for by one call; to be asked once a level."""
        if not self._possible:
            return False
        relations = self._relations.values()
        if sum(relation.size - relation.stable for relation in relations) > SHORT:
            self._passed = 0
            return False
        self._passed += 1
        return self._passed > _FEWEST and self._passed * _ROWS > sum(relation.size for relation in relations)

    def ascend(self, level: int, noting: bool) -> Ascended | None:
        """Evaluate levels from `level` on, noting all that fires or not. None where this is not the way."""
        self._passed = 0
        ways = self._ways()
        if ways is None:
            self._possible = False
            return None
        started, executor = perf_counter(), self._executor
        executor.runs += 1  # a level costs no more than its rows and keys from here on
        tiers = [Tier(relation.columns, relation.stable, relation.size) for relation in self._relations.values()]
        ascent = Ascent(tiers, [way for way, _ in ways], executor.constants, level, SHORT, LONG, noting)
        done: Literal["over", "long", "more"] = "more"
        charged = 0
        while done == "more":
            done = ascent.go(_WORK)
            work = sum(tally.work for tally in ascent.tallies())
            executor.charge(work - charged)
            charged = work
        for tally, (_, driven) in zip(ascent.tallies(), ways, strict=True):
            if not tally.runs:
                continue
            cost = executor.cost(driven.plan)
            cost.runs += tally.runs
            cost.driven += tally.driven
            cost.instantiations += tally.found
            cost.joined += tally.work
            executor.keys += tally.searched
            executor.instantiations += tally.found * len(driven.heads)
        fired = {}
        for number, (name, relation) in enumerate(self._relations.items()):
            derived, first = ascent.derived(number), relation.size
            order = _take(relation, derived)
            if noting:
                fired[name] = _fired(derived, first, order)
            if done == "over" or ascent.level > level:
                newest = 0 if done == "over" else np.count_nonzero(derived.levels == ascent.level - 1)
                relation.stable = relation.size - int(newest)
        if ways:
            executor.cost(ways[0][1].plan).seconds += perf_counter() - started
        return Ascended(ascent.level, done == "over", fired)

    def _ways(self) -> list[tuple[Way, Driven]] | None:
        """What can fire; None where some of it is not for an ascent."""
        found = []
        for driven in self._driven:
            steps = self._steps(driven)
            if steps is None or len(driven.plan.rule.names) > Ascent.most_variables:
                return None
            scan = driven.plan.scan
            atom = driven.plan.rule.body[driven.plan.driver]
            heads = [(self._numbers[name], operands) for name, operands in driven.heads]
            way = Way(self._numbers[atom.relation], scan.constants, scan.equal_columns, scan.binds, steps, heads)
            if not any(isinstance(step, Leg) and not step.absent and not step.runs for step in steps):
                found.append((way, driven))
        return found

    def _steps(self, driven: Driven) -> list[Leg | Sieve | Held] | None:
        """The steps of a plan, in the order that is chosen now."""
        executor, plan, node = self._executor, driven.plan, driven.plan.start
        steps: list[Leg | Sieve | Held] = []
        lookups: list[Lookup | Compare] = list(node.filters)
        while node.choices:
            if node.extensions and choosing.EXTEND == "always":
                return None
            several = len(node.choices) > 1 or node.extensions
            lookup = executor.choices.at(node).lookup if several else node.choices[0]
            node = plan.after(node, lookup)
            lookups += [lookup, *node.filters]
        for step in lookups:
            if isinstance(step, Lookup) and step.absent and not executor.relations[step.relation].size:
                continue
            made = self._step(step, driven.views)
            if made is None:
                return None
            steps.append(made)
        return steps

    def _step(self, step: Lookup | Compare, views: Sequence[View]) -> Leg | Sieve | Held | None:
        if isinstance(step, Compare):
            return sieve(step)
        view, number = views[step.literal], self._numbers.get(step.relation)
        if number is not None:
            operands = step.key_operands
            return Held(number, step.key_columns, operands, not view.recent, step.binds, step.equal_columns)
        made = leg(self._executor, step, view, False, 0, 0)
        if made is None or len(made.binds) > Ascent.most_columns or len(made.runs) > Ascent.most_runs:
            return None
        return made


def _order(derived: Derived, columns: Sequence[Column], size: int) -> Indices:
    """The rows by their levels, those of a level by their words. They come level by level: sorting what is nearly in
    order takes little time, if it is one number a row."""
    words = pack(columns, size)
    exact = len(columns) <= EXACT_WIDTH
    packed = pack_bits([([derived.levels, *(columns if exact else [half_of(words).view(np.int32)])], size)])
    if packed is not None and size:
        [keys], _ = packed
        order: Indices = np.argsort(keys, kind="stable")
        ordered = keys[order]
        if exact or not (ordered[1:] == ordered[:-1]).any():
            return order
    by_last_key: list[NDArray[Any]] = [*reversed(derived.columns), words, derived.levels]
    return np.lexsort(by_last_key)


def _take(relation: Relation, derived: Derived) -> Indices:
    """Give a relation what was derived in it, in the order in which levels one by one would have; that order."""
    size = len(derived.levels)
    order = _order(derived, [derived.columns[column] for column in relation.whole().columns], size)
    levels, counts = derived.levels[order], derived.counts[order]
    if len(derived.again) and relation.total is not None:
        relation.put("total", derived.again, relation.total[derived.again] + derived.again_others)
    raised = derived.again_above.nonzero()[0]
    if len(raised) and relation.above is not None:
        rows = derived.again[raised]
        relation.put("above", rows, relation.above[rows] + derived.again_above[raised])
    columns, above = [column[order] for column in derived.columns], derived.above[order] + 1
    relation.append(columns, size, levels, counts, SETTLED, counts + derived.others[order], above)
    return order


def _fired(derived: Derived, first: int, order: Indices) -> Fired:
    """first: the number of the first new row; order: of the new rows."""
    rows, fired_at = derived.known
    numbers = np.arange(first + len(order), dtype=np.int32)
    new = numbers[first:].copy()
    numbers[first + order] = new
    return Fired(
        np.concatenate([new, numbers[rows]]),
        np.concatenate([derived.levels[order], fired_at]),
        np.concatenate([derived.counts[order], np.ones(len(rows), np.int64)]),
    )


__all__ = ["Ascended", "Driven", "Fired", "ShortLevels"]
