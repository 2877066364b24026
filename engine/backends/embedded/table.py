"""The running result of a plan: a column for each variable, and a row for each choice of body tuples so far.

Where asked for, a row also has the highest level so far, the driver row that it came from, and the body rows used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import numpy as np

from ...datalog.plan import Scan
from .arrangement import concatenate
from .kernels import Entries
from .keys import Column, Indices, Mask, Words, places_of
from .parallel import run_all, thread_count

_WORTH_SHARING: Final = 1 << 17  # rows that are taken of column after column

# What first lookups gave to rules that are driven by the same rows: entries, and how many there are.
Shared = dict[tuple[object, ...], tuple[list[Entries], int]]


@dataclass(slots=True)
class Driver:
    """Of a table that holds the driver's rows as they are: where answers are shared, and how to name them.

    `scan`: which of the rows these are. `columns`: the driver's column of each variable.
    """

    answers: Shared
    scan: tuple[object, ...]
    columns: dict[int, int]


@dataclass(slots=True)
class Table:
    size: int
    variables: dict[int, Column]
    levels: Column | None = None
    former: Column | None = None
    origins: Indices | None = None
    limits: Column | None = None
    body: dict[int, Column] = field(default_factory=dict)
    driver: Driver | None = None
    ceiling: int = 0  # no row has moved from or to a higher level
    whole: bool = False  # not to be taken apart
    versions: Words | None = None  # of each row, the versions that all of it is in; never 0

    def take(self, index: Indices, carried: Sequence[int]) -> Table:
        if len(index) >= _WORTH_SHARING and len(carried) > 1 and thread_count() > 1:
            columns = run_all([partial(self.variables[variable].__getitem__, index) for variable in carried])
            taken = self.take(index, ())
            taken.variables = dict(zip(carried, columns, strict=True))
            return taken
        return Table(
            len(index),
            {variable: self.variables[variable].take(index) for variable in carried},
            None if self.levels is None else self.levels.take(index),
            None if self.former is None else self.former.take(index),
            None if self.origins is None else self.origins.take(index),
            None if self.limits is None else self.limits.take(index),
            {literal: rows.take(index) for literal, rows in self.body.items()},
            ceiling=self.ceiling,
            whole=self.whole,
            versions=None if self.versions is None else self.versions.take(index),
        )


def moved(table: Table) -> Table:
    """What of a table has another level than before."""
    assert table.levels is not None
    other = table.levels != table.former
    return table if other.all() else table.take(places_of(other), tuple(table.variables))


def split(table: Table, pieces: int) -> list[Table]:
    """The table in so many pieces, the last first."""
    carried = tuple(table.variables)
    index = np.array_split(np.arange(table.size), min(pieces, table.size))
    return [table.take(each, carried) for each in reversed(index)]


def stacked(tables: Sequence[Table]) -> Table:
    first = tables[0]
    return Table(
        sum(table.size for table in tables),
        {variable: concatenate([table.variables[variable] for table in tables]) for variable in first.variables},
        None if first.levels is None else concatenate([table.levels for table in tables]),
        None if first.former is None else concatenate([table.former for table in tables]),
        None if first.origins is None else concatenate([table.origins for table in tables]),
        None if first.limits is None else concatenate([table.limits for table in tables]),
        {literal: concatenate([table.body[literal] for table in tables]) for literal in first.body},
        ceiling=first.ceiling,
        whole=first.whole,
        versions=None if first.versions is None else concatenate([table.versions for table in tables]),
    )


def within(table: Table, versions: Words, carried: Sequence[int]) -> Table:
    """What of a table holds in some of these versions of its rows."""
    held = places_of(versions)
    left = table.take(held, carried)
    left.versions = versions[held]
    return left


def scanned(scan: Scan, driver: Sequence[Column | None], size: int, constants: Column) -> Table:
    variables: dict[int, Column] = {}
    for column, variable in scan.binds:
        values = driver[column]
        assert values is not None
        variables[variable] = values
    return Table(size, variables)


def scan_mask(scan: Scan, driver: Sequence[Column | None], constants: Column) -> Mask | None:
    keep: Mask | None = None
    for column, constant in scan.constants:
        values = driver[column]
        assert values is not None
        same = values == constants[constant]
        keep = same if keep is None else keep & same
    for first, second in scan.equal_columns:
        left, right = driver[first], driver[second]
        assert left is not None and right is not None
        same = left == right
        keep = same if keep is None else keep & same
    return keep


__all__ = ["Driver", "Shared", "Table", "moved", "scan_mask", "scanned", "split", "stacked", "within"]
