"""Aggregates: a relation of (group..., value) kept over the relation whose rows it groups.

It is filled by one sort. A change costs by the rows that changed: counts and sums are added to, an extreme value is
compared with what came, and only where it left are the rows of its group looked up. Every tuple has level and count 1;
its total is the number of rows of its group, which says when a group has none left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..backends.embedded.keys import Column, Indices, pack
from ..backends.embedded.relation import NEW, OLD, SETTLED, Relation
from ..datalog.aggregates import Aggregation
from .interface import Outcome, Strategy, Task

Values = NDArray[np.int64]


def start(task: Task) -> Outcome:
    made = _aggregation(task)
    source, relation = task.relations[made.source], task.relations[made.relation]
    rows = source.rows_in(NEW)
    groups = _Groups([source.columns[column][rows] for column in made.group], len(rows))
    if len(rows):
        values = groups.aggregate(made, _targets(made, source, rows))
        columns = [*groups.columns, _words(values)]
        relation.append(columns, groups.size, 1, 1, SETTLED, groups.counts)
        relation.settle()
    task.kept.work[task.stratum.index] = len(rows)
    return Outcome(len(rows), len(rows), 1, AGGREGATE.name)


def grouped(made: Aggregation, source: Relation, rows: Column) -> list[Column]:
    """The columns of the aggregate over some rows of its source, one row a group."""
    groups = _Groups([source.columns[column][rows] for column in made.group], len(rows))
    return [*groups.columns, _words(groups.aggregate(made, _targets(made, source, rows)))]


def maintain(task: Task) -> Outcome:
    made = _aggregation(task)
    source, relation = task.relations[made.source], task.relations[made.relation]
    came, left = source.inserted, source.deleted
    rows = np.concatenate([came, left])
    groups = _Groups([source.columns[column][rows] for column in made.group], len(rows))
    arrived = np.arange(len(rows)) < len(came)
    old = _old(relation, made, groups)
    sizes = old.sizes + groups.sums(np.where(arrived, 1, -1))
    values, read = _values(made, source, groups, rows, arrived, old, sizes)
    same = old.present & (sizes > 0) & (values == old.values)
    lost, gained = np.flatnonzero(old.present & ~same), np.flatnonzero((sizes > 0) & ~same)
    relation.put("total", old.rows[same], sizes[same])
    relation.put("total", old.rows[lost], 0)
    relation.deleted = old.rows[lost]
    if len(lost):
        relation.set_state(relation.deleted, OLD)
    relation.inserted = _insert(relation, [*(column[gained] for column in groups.columns), _words(values[gained])])
    relation.put("total", relation.inserted, sizes[gained])
    return Outcome(len(rows) + read, len(rows) + read, 1, AGGREGATE.name, f"{groups.size} groups changed")


@dataclass(slots=True)
class _Old:
    """What was known of each group: `rows` and `values` where it was `present`."""

    present: NDArray[np.bool_]
    rows: Column
    values: Values
    sizes: Values


class _Groups:
    """Rows by equal columns: `columns` of each group, `counts` of its rows, `of` the group of each row."""

    def __init__(self, columns: Sequence[Column], size: int):
        exact = len(columns) <= 2
        keys = [pack(columns, size)] if exact else [*reversed(columns)]
        self.order: Indices = np.argsort(keys[0]) if exact else np.lexsort(keys)
        differs = np.zeros(size, np.bool_)
        differs[:1] = True
        for key in keys:
            ordered = key[self.order]
            differs[1:] |= ordered[1:] != ordered[:-1]
        self.starts = np.flatnonzero(differs)
        self.size = len(self.starts)
        self.counts: Values = np.diff(self.starts, append=size)
        self.columns = [column[self.order[self.starts]] for column in columns]
        self.of = np.empty(size, np.intp)
        self.of[self.order] = np.cumsum(differs) - 1

    def sums(self, values: Values) -> Values:
        found: Values = np.add.reduceat(values[self.order], self.starts)
        return found

    def aggregate(self, made: Aggregation, values: Values) -> Values:
        """The value of each group, from a value for each row."""
        ordered = values[self.order]
        if made.operator in ("min", "max"):
            best: Values = (np.minimum if made.operator == "min" else np.maximum).reduceat(ordered, self.starts)
            return best
        sums: Values = np.add.reduceat(ordered, self.starts)
        return _wrapped(sums, made)


def _aggregation(task: Task) -> Aggregation:
    assert task.stratum.aggregation is not None
    return task.stratum.aggregation


def _targets(made: Aggregation, source: Relation, rows: Column) -> Values:
    if made.target is None:
        return np.ones(len(rows), np.int64)
    return _read(source.columns[made.target][rows], made)


def _read(column: Column, made: Aggregation) -> Values:
    return (column.view(np.uint32) if made.kind == "unsigned" else column).astype(np.int64)


def _wrapped(values: Values, made: Aggregation) -> Values:
    """The value that 32 bits hold."""
    return _read(_words(values), made)


def _words(values: Values) -> Column:
    return values.astype(np.uint32).view(np.int32)


def _old(relation: Relation, made: Aggregation, groups: _Groups) -> _Old:
    probes, rows = relation.rows_with(range(len(made.group)), groups.columns, groups.size, OLD)
    present = np.zeros(groups.size, np.bool_)
    present[probes] = True
    of_group = np.zeros(groups.size, np.int32)
    of_group[probes] = rows
    values, sizes = np.zeros(groups.size, np.int64), np.zeros(groups.size, np.int64)
    values[probes] = _read(relation.columns[-1][rows], made)
    assert relation.total is not None
    sizes[probes] = relation.total[rows]
    return _Old(present, of_group, values, sizes)


def _values(
    made: Aggregation,
    source: Relation,
    groups: _Groups,
    rows: Column,
    arrived: NDArray[np.bool_],
    old: _Old,
    sizes: Values,
) -> tuple[Values, int]:
    """The value of each group now, and how many rows were read for it beside those that changed."""
    targets = _targets(made, source, rows)
    if made.operator in ("count", "sum"):
        return _wrapped(old.values + groups.sums(np.where(arrived, targets, -targets)), made), 0
    smaller = np.minimum if made.operator == "min" else np.maximum
    worst = np.iinfo(np.int64).max if made.operator == "min" else np.iinfo(np.int64).min
    values: Values = np.where(old.present, old.values, worst)
    extreme_left = ~arrived & (targets == values[groups.of])
    smaller.at(values, groups.of[arrived], targets[arrived])
    asked = np.zeros(groups.size, np.bool_)
    asked[groups.of[extreme_left]] = True
    asked &= sizes > 0
    again = np.flatnonzero(asked)
    if not len(again):
        return values, 0
    probes, found = source.rows_with(made.group, [column[again] for column in groups.columns], len(again), NEW)
    values[again] = worst
    smaller.at(values, again[probes], _targets(made, source, found))
    return values, len(found)


def _insert(relation: Relation, columns: Sequence[Column]) -> Column:
    """Put tuples in that are not there now; their rows. One that was there before gets its row back."""
    size = len(columns[0])
    rows = relation.locate(columns, size)
    missing = np.flatnonzero(rows < 0)
    known = rows[rows >= 0]
    first = relation.append([column[missing] for column in columns], len(missing), 1, 1, NEW)
    relation.settle()
    rows[missing] = np.arange(first, relation.size, dtype=np.int32)
    if len(known):
        relation.set_state(known, NEW)
        relation.put("level", known, 1)
        relation.put("count", known, 1)
    return rows


AGGREGATE = Strategy("aggregate", "Group the rows below, and keep the groups up to date.", start, maintain)

__all__ = ["AGGREGATE"]
