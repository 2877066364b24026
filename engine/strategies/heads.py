"""From instantiations of rules to the rows of their heads.

Rules, and the drivers of one rule, often derive the same heads: a symmetric rule derives each of them twice. So all
that a step of an update finds is sorted and looked up together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from ..backends.embedded.arrangement import concatenate
from ..backends.embedded.execute import Instantiations
from ..backends.embedded.grouping import group
from ..backends.embedded.keys import EXACT_WIDTH, Column, Counts, consolidate, pack
from ..backends.embedded.relation import Relation
from ..datalog.plan import CompiledRule
from ..errors import EngineError

_MANY: Final = 100  # heads that are worth sorting before they are looked up
_BATCH: Final = 1 << 20  # instantiations that wait to be looked up together


@dataclass(slots=True)
class Found:
    """Instantiations of rules with the same relation in the head, whose heads are not looked up yet. `levels`: at which
    they fire; `former`: at which they did, where they moved."""

    heads: list[list[Column]] = field(default_factory=list)
    levels: list[Column] = field(default_factory=list)
    former: list[Column] = field(default_factory=list)
    size: int = 0

    def note(self, rule: CompiledRule, found: Instantiations) -> None:
        assert found.levels is not None
        self.heads.append(found.heads)
        self.levels.append(np.zeros(found.size, np.int32) if rule.from_input else found.levels + 1)
        if found.former is not None:
            self.former.append(found.former + 1)
        self.size += found.size

    def together(self) -> tuple[list[Column], Column]:
        """Heads, and the levels at which they fire."""
        if len(self.levels) == 1:
            return self.heads[0], self.levels[0]
        return [concatenate(parts) for parts in zip(*self.heads, strict=True)], concatenate(self.levels)


def by_relation(
    instantiations: Iterable[tuple[CompiledRule, Instantiations]],
) -> Iterator[tuple[str, Found]]:
    """The instantiations of all rules by the relation of their heads, in batches that bound the memory in use."""
    batches: dict[str, Found] = {}
    for rule, found in instantiations:
        batch = batches.get(rule.head)
        if batch is None:
            batch = batches[rule.head] = Found()
        batch.note(rule, found)
        if batch.size > _BATCH:
            yield rule.head, batches.pop(rule.head)
    yield from batches.items()


def grouped_heads(relation: Relation, found: Found) -> tuple[list[Column], list[Column], Counts] | None:
    """Distinct (levels, head) in order, where `levels` are those at which they fire, and those at which they did if
    they moved; heads in the order of the arrangement that finds them; and how often each is there. None where it is
    not worth it or they do not fit a word."""
    if found.size < _MANY or not relation.arity:
        return None
    order = relation.whole().columns
    of_levels = [found.levels, found.former] if found.former else [found.levels]
    parts = [
        [*levels, *(heads[column] for column in order)]
        for heads, *levels in zip(found.heads, *of_levels, strict=True)
    ]  # fmt: skip
    grouped = group(parts, found.size)
    if grouped is None:
        return None
    columns, counts = grouped
    of_column = dict(zip(order, columns[len(of_levels) :], strict=True))
    return columns[: len(of_levels)], [of_column[column] for column in range(len(order))], counts


def rows_of(relation: Relation, heads: list[Column], size: int, sign: int) -> Column:
    """The rows of heads; one without a row gets one."""
    rows = relation.locate(heads, size)
    missing = np.flatnonzero(rows < 0)
    if len(missing):
        if sign < 0:
            raise EngineError(f"internal error: a derivation of {relation.name} is lost that never was")
        lacking = [column[missing] for column in heads]
        absent, of_absent = consolidate(lacking, len(missing))
        first = relation.append(absent, len(of_absent), 0, 0, 0)
        relation.settle()
        if relation.arity <= EXACT_WIDTH:  # in the order of their words; to look them up would arrange them first
            places = pack(absent, len(of_absent)).searchsorted(pack(lacking, len(missing)))
            rows[missing] = first + places
        else:
            rows[missing] = relation.locate(lacking, len(missing))
    return rows
