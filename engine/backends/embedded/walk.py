"""Short tables go through a plan in one call: for a few rows a join takes less time than to ask for it.

What is less common is left to `execute`: the order of symbols, atoms that share no variable with what is bound or that
repeat one, keys of more than two columns; and tables that grow long, for which joins are weighed, shared with other
rules, and split between threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ...datalog.plan import Compare, Lookup, Plan, Step
from . import choice as choosing
from .choice import Choices
from .joins import Joins
from .kernels import Leg, Seen, Sieve
from .keys import EXACT_WIDTH, Column
from .views import View

SHORT: Final = 512  # rows of a table
LONG: Final = 1 << 15  # entries that a join may meet
_UNBOUNDED: Final = float("inf")


def legs(joins: Joins, choices: Choices, plan: Plan, views: Sequence[View]) -> Iterator[Leg | Sieve | None]:
    """The steps of the plan in the order that is chosen now; None where there is one that is not for short tables."""
    node = plan.start
    while True:
        for index, step in enumerate(node.filters):
            if isinstance(step, Compare):
                yield sieve(step)
            elif joins.relations[step.relation].size or not step.absent:
                last = not node.choices and _joins_nothing(node.filters[index + 1 :])
                yield leg(joins, step, views[step.literal], last, _UNBOUNDED, LONG)
        if not node.choices:
            return
        if node.extensions and choosing.EXTEND == "always":
            yield None
            return
        lookup, most_asked, most_met = node.choices[0], _UNBOUNDED, LONG
        if len(node.choices) > 1 or node.extensions:
            choice = choices.at(node)
            lookup, most_met = choice.lookup, choosing.TRAP
            most_asked = choosing.FEW / choice.fanout if choice.fanout else _UNBOUNDED
        node = plan.after(node, lookup)
        last = not node.choices and _joins_nothing(node.filters)
        yield leg(joins, lookup, views[lookup.literal], last, most_asked, most_met)


def _joins_nothing(filters: Sequence[Step]) -> bool:
    return not any(isinstance(each, Lookup) and not each.absent for each in filters)


def sieve(step: Compare) -> Sieve | None:
    comparison = step.comparison
    if comparison.kind == "symbol" and comparison.operator not in ("=", "!="):
        return None
    unsigned = comparison.kind == "unsigned"
    return Sieve(comparison.operator, comparison.left, comparison.right, unsigned, step.carried)


def leg(joins: Joins, step: Lookup, view: View, last: bool, most_asked: float, most_met: int) -> Leg | None:
    relation = joins.relations[step.relation]
    if not step.key_columns or step.equal_columns:
        return None
    if not relation.size:
        return Leg((), (), False, False, False, None, None, None, (), (), -1, last, most_asked, most_met)
    arrangement, prefix = relation.arrangement(step.key_columns)
    if not arrangement.exact:
        return None
    operands, order = step.key_operands, arrangement.columns[: len(step.key_columns)]
    if order != step.key_columns:
        operands = tuple([operands[step.key_columns.index(column)] for column in order])
    binds: list[tuple[Column, int]] = []
    second = -1
    if prefix and relation.arity == EXACT_WIDTH:
        if step.binds:  # it is in the key: no need for the row
            second = step.binds[0][1]
    else:
        binds = [(relation.columns[column], variable) for column, variable in step.binds]
    seen = None
    if not relation.uniform and view.wanted is not None:
        seen = Seen(relation.state, view.wanted, view.barred)
    return Leg(
        joins.runs_of(arrangement, relation, view), operands, len(step.key_columns) == relation.arity, prefix,
        step.absent, seen, relation.level if step.levelled else None, relation.former, step.carried, binds, second,
        last, most_asked, most_met,
    )  # fmt: skip


__all__ = ["LONG", "SHORT", "leg", "legs", "sieve"]
