"""From instantiations of rules to the rows of their heads.

Rules, and the drivers of one rule, often derive the same heads: a symmetric rule derives each of them twice. So all
that a step of an update finds is sorted and looked up together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np

from ..backends.embedded.arrangement import concatenate
from ..backends.embedded.execute import Instantiations
from ..backends.embedded.grouping import group
from ..backends.embedded.keys import (
    EXACT_WIDTH,
    Column,
    Counts,
    Words,
    consolidate,
    key_words,
    places_of,
    starts_of,
    unpack,
)
from ..backends.embedded.relation import Relation
from ..datalog.plan import CompiledRule
from ..errors import EngineError

_BATCH: Final = 1 << 20  # instantiations that wait to be looked up together


@dataclass(slots=True)
class Found:
    """Instantiations of rules with the same relation in the head, whose heads are not looked up yet. `levels`: the
    highest of each body; None where the rule is of the input, which is at level 0. `former`: what that was, where it
    moved."""

    heads: list[list[Column]] = field(default_factory=list)
    levels: list[Column | None] = field(default_factory=list)
    former: list[Column] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    size: int = 0

    def note(self, rule: CompiledRule, found: Instantiations) -> None:
        assert found.levels is not None
        self.heads.append(found.heads)
        self.levels.append(None if rule.from_input else found.levels)
        if found.former is not None:
            self.former.append(found.former)
        self.sizes.append(found.size)
        self.size += found.size

    def together(self) -> tuple[list[Column], Column]:
        """Heads, and the levels at which they fire."""
        levels = [
            np.zeros(size, np.int32) if each is None else each + np.int32(1)
            for each, size in zip(self.levels, self.sizes, strict=True)
        ]
        return [concatenate(parts) for parts in zip(*self.heads, strict=True)], concatenate(levels)

    def formerly(self) -> Column:
        """The levels at which they fired."""
        former: Column = concatenate(self.former) + np.int32(1)
        return former


class Heads(NamedTuple):
    """The rows of heads, the levels at which they are derived, those at which they were if they moved, and by how many
    instantiations. `unique`: none of them is there twice."""

    rows: Column
    levels: Column
    former: Column | None
    counts: Counts
    unique: bool


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


def looked_up(relation: Relation, found: Found, sign: int) -> Heads:
    """The rows of the heads of instantiations that came (or went), those that are alike counted together if they fit a
    word. One without a row gets one."""
    of_levels: list[Any] = [found.levels, found.former] if found.former else [found.levels]
    order = relation.whole().columns
    key = len(order) if len(order) <= EXACT_WIDTH else 0
    parts = [
        [*levels, *[heads[column] for column in order]]
        for heads, *levels in zip(found.heads, *of_levels, strict=True)
    ]  # fmt: skip
    grouped = group(parts, found.size, len(of_levels), key) if order else None
    if grouped is None:
        heads, at = found.together()
        rows = rows_of(relation, heads, found.size, sign)
        return Heads(rows, at, found.formerly() if found.former else None, np.ones(found.size, np.int64), False)
    columns, counts = grouped
    if key:
        rows = _rows_by_key(relation, columns[-1], sign)
    else:
        rows = rows_of(relation, _as_stored(relation, columns[len(of_levels) :]), len(counts), sign)
    return Heads(rows, columns[0], columns[1] if found.former else None, counts, True)


def rows_of(relation: Relation, heads: list[Column], size: int, sign: int) -> Column:
    """The rows of heads; one without a row gets one."""
    if relation.arity <= EXACT_WIDTH:
        return _rows_by_key(relation, key_words([heads[column] for column in relation.whole().columns], size), sign)
    rows = relation.locate(heads, size)
    missing = places_of(rows < 0)
    if len(missing):
        lacking = [column[missing] for column in heads]
        absent, of_absent = consolidate(lacking, len(missing))
        _add_rows(relation, absent, len(of_absent), sign)
        rows[missing] = relation.locate(lacking, len(missing))
    return rows


def _rows_by_key(relation: Relation, keys: Words, sign: int) -> Column:
    """The same, of keys of the arrangement of whole tuples, of up to two columns."""
    rows = relation.locate_keys(keys)
    missing = places_of(rows < 0)
    if len(missing):
        lacking = keys[missing]
        ordered = np.sort(lacking)  # np.unique takes three times as long
        absent = ordered[starts_of(ordered[1:] != ordered[:-1])]
        first = _add_rows(relation, _as_stored(relation, unpack(absent, relation.arity)), len(absent), sign)
        rows[missing] = first + absent.searchsorted(lacking)  # to look them up would arrange them first
    return rows


def _as_stored(relation: Relation, columns: list[Column]) -> list[Column]:
    """Columns in the order of the relation, of those in the order of the arrangement of whole tuples."""
    of_column = dict(zip(relation.whole().columns, columns, strict=True))
    return [of_column[column] for column in range(len(columns))]


def _add_rows(relation: Relation, absent: list[Column], size: int, sign: int) -> int:
    """The first of the rows of tuples that had none."""
    if sign < 0:
        raise EngineError(f"internal error: a derivation of {relation.name} is lost that never was")
    first = relation.append(absent, size, 0, 0, 0)
    relation.settle()
    return first
