"""What an update does around its strata: facts go in and out, differences are read, views become one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, MutableMapping, Sequence
from functools import partial

import numpy as np

from .backends.embedded.keys import Column
from .backends.embedded.relation import NEW, NO_ROWS, OLD, Relation
from .backends.embedded.replacement import Replacement
from .datalog.program import Program
from .datalog.syntax import Kind
from .facts import Rows, to_rows
from .report import Changed, Difference, StratumReport
from .strategies.interface import Kept

_MANY_DEAD = 1024  # tombstones that are worth a compaction, if they are most of a relation


def change_input(
    relation: Relation, insert: tuple[list[Column], int] | None, delete: tuple[list[Column], int] | None
) -> None:
    """Put facts in and take facts out, marked as changes; what changes nothing is left out."""
    inserted = np.zeros(0, np.int32)
    named = inserted  # rows that the insertion names, present or not
    if insert is not None:
        columns, size = insert
        named = relation.locate(columns, size)
        missing = np.flatnonzero(named < 0)
        known = named[named >= 0]
        revived = known[(relation.state[known] & NEW) == 0]
        if len(revived):
            relation.set_state(revived, NEW)
        start = relation.append([column[missing] for column in columns], len(missing), 0, 1, NEW)
        relation.settle()
        inserted = np.concatenate([revived, np.arange(start, relation.size, dtype=np.int32)])
    deleted = np.zeros(0, np.int32)
    if delete is not None:
        rows = relation.locate(*delete)
        rows = np.setdiff1d(rows[rows >= 0], np.concatenate([named, inserted]))
        deleted = rows[(relation.state[rows] & NEW) != 0]
        if len(deleted):
            relation.set_state(deleted, OLD)
    relation.inserted, relation.deleted = inserted, deleted


def difference(
    program: Program,
    relations: MutableMapping[str, Relation],
    inputs: tuple[str, ...],
    outputs: tuple[str, ...],
    reports: list[StratumReport],
) -> Difference:
    """What the running update has marked in these relations, to be read at any time later."""
    inserted: dict[str, Callable[[], Rows]] = {}
    deleted: dict[str, Callable[[], Rows]] = {}
    for name in dict.fromkeys((*inputs, *outputs)):
        kinds = program.stored[name].kinds
        relation = relations.get(name)
        if relation is None:  # one that is not loaded has not changed
            inserted[name] = deleted[name] = partial(to_rows, [NO_ROWS] * len(kinds), kinds, 0)
        elif relation.replacement is not None:
            inserted[name] = partial(_gained, relation.replacement, kinds)
            deleted[name] = partial(_lost, relation.replacement, kinds)
        else:
            inserted[name] = partial(_rows_at, relation.columns, relation.inserted, kinds)
            deleted[name] = partial(_rows_at, relation.columns, relation.deleted, kinds)
    return Difference(Changed(inserted), Changed(deleted), reports, inputs, outputs)


def compact(program: Program, relations: MutableMapping[str, Relation], kept: Kept) -> None:
    """The views of the update that ran become one; relations of mostly tombstones are compacted."""
    names: Iterable[str] = list(relations)
    for name in names:
        relation = relations[name]
        relation.finish_update()
        if relation.dead > _MANY_DEAD and 2 * relation.dead > relation.size:
            rows = relation.rows_in(NEW)
            relations[name] = relation.compacted()
            if name in program.stratum_of:
                kept.renumber(program.stratum_of[name], name, rows, relation.size)


def _rows_at(columns: Sequence[Column], rows: Column, kinds: Sequence[Kind]) -> Rows:
    return to_rows([column[rows] for column in columns], kinds, len(rows))


def _gained(replacement: Replacement, kinds: Sequence[Kind]) -> Rows:
    return _rows_at(replacement.columns, replacement.change.inserted, kinds)


def _lost(replacement: Replacement, kinds: Sequence[Kind]) -> Rows:
    return to_rows(replacement.change.deleted, kinds, replacement.change.deletions)


__all__ = ["change_input", "compact", "difference"]
