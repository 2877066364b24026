"""One step of a plan: joins a table with a relation, or filters it, and keeps account of what that cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np

from ...datalog.plan import Compare, Comparison, Lookup, Operand, Step
from .arrangement import Arrangement, Run, concatenate
from .keys import Column, Indices, Keys, Mask, high_column, key_words, low_column, places_of
from .parallel import run_all
from .prices import BOOTSTRAP, Prices, Work
from .relation import Relation
from .search import WORTH_SHARING, Hits, count, find, locate
from .table import Table, moved, split, where, within
from .version_sets import unite
from .views import View

PIECE: Final = 1 << 21  # rows that one step of a plan may put out at once
NO_TRAP: Final = float("inf")
_UNLIMITED: Final = float("inf")
_SHARED_ROWS: Final = 1 << 16  # of an answer that is kept for other rules


class BudgetSpent(Exception):
    """The work that was allowed is done and the result is not there yet."""


class Unexpected(Exception):
    """A join is about to put out so many rows that it pays to look for another."""


class TooManyRows(Exception):
    def __init__(self, rows: int):
        self.rows = rows


class Joins:
    """`work` counts the rows that joins have put out so far, partial instantiations included; `keys` and `runs`: as
    in `Work`. Where these cost more than `budget`, BudgetSpent is raised."""

    def __init__(
        self,
        relations: Mapping[str, Relation],
        constants: Column,
        compare_symbols: Callable[[str, Column, Column], Mask],
    ):
        self.relations = relations
        self.constants = constants
        self.compare_symbols = compare_symbols
        self.work = 0
        self.keys = 0
        self.runs = 0
        self.indexed = 0  # rows of arrangements that were made; `most_indexed` of them at most are paid for
        self.most_indexed = 0
        self.prices: Prices = BOOTSTRAP
        self.budget: float = _UNLIMITED  # of what `spent` says
        self.trap: float = NO_TRAP  # rows that the next join may put out before others are weighed against it

    def charge(self, rows: int) -> None:
        self.work += rows
        if self.budget < _UNLIMITED and self.spent > self.budget:
            raise BudgetSpent

    def search(self, relation: Relation, keys: int, to_stay: bool = False) -> None:
        """Note that whole tuples are looked up. `to_stay`: in runs that will be there for long."""
        whole = relation.whole()
        self.keys += keys * max(1, len(whole.runs))
        if to_stay:
            whole.note_located(keys)

    @property
    def done(self) -> Work:
        return Work(self.work, self.keys, self.runs)

    @property
    def spent(self) -> float:
        """The cost of what was done so far, at the prices of now."""
        return self.done.cost(self.prices) + min(self.indexed, self.most_indexed)

    def _runs(self, arrangement: Arrangement, relation: Relation, view: View, keys: int) -> list[Run]:
        """The runs in which `keys` keys are looked up."""
        if not arrangement.covered:
            self.indexed += relation.stable
        runs = arrangement.prepare(relation, view.recent)
        if len(runs) > 1 and relation.size == relation.stable:
            arrangement.note_search(0)
            runs = arrangement.prepare(relation, view.recent)
        self.keys += keys * len(runs)
        return runs

    def counts(self, lookup: Lookup, table: Table, view: View, relation: Relation | None = None) -> Indices:
        """Rows of the relation that each row of the table meets, those out of view included."""
        relation = relation or self.relations[lookup.relation]
        if not lookup.key_columns:
            return np.full(table.size, relation.size if view.recent else relation.stable)
        arrangement, prefix = relation.arrangement(lookup.key_columns)
        order = arrangement.columns[: len(lookup.key_columns)]
        keys, runs = self._keys(lookup, order, table), self._runs(arrangement, relation, view, table.size)
        return count(runs, keys, prefix, len(order) == 1)

    def _keys(self, lookup: Lookup, order: tuple[int, ...], table: Table) -> Keys:
        operands = lookup.key_operands
        if order != lookup.key_columns:
            operand_of = dict(zip(lookup.key_columns, operands, strict=True))
            operands = tuple([operand_of[column] for column in order])
        return key_words([self.column(operand, table) for operand in operands], table.size)

    def filter(self, step: Step, table: Table, views: Sequence[View], track: bool) -> Table:
        if isinstance(step, Compare):
            return self._compare(step, table)
        if step.absent:
            return self._absent(step, table, views[step.literal])
        return self.join(step, table, views[step.literal], track)

    def _admit(self, rows: int, table: Table) -> None:
        """Before a join puts out `rows` rows: too many at once are asked for in pieces."""
        if rows > self.trap:
            raise Unexpected
        if rows > PIECE and table.size > 1 and not table.whole:
            raise TooManyRows(rows)
        self.charge(rows)

    def absent(
        self, relation: Relation, key_columns: tuple[int, ...], values: Sequence[Column], size: int, view: View
    ) -> Indices:
        """Which of `size` keys no row of the relation has, in `view`."""
        operands = tuple(range(len(key_columns)))
        step = Lookup(0, relation.name, key_columns, operands, (), (), True, False, ())
        table = Table(size, dict(enumerate(values)), origins=np.arange(size))
        found, todo = [np.zeros(0, np.intp)], [table]
        while todo:
            table = todo.pop()
            try:
                origins = self._absent(step, table, view).origins
            except TooManyRows as many:
                todo.extend(split(table, pieces(many.rows)))
                continue
            assert origins is not None
            found.append(origins)
        return np.concatenate(found)

    def column(self, operand: Operand, table: Table) -> Column:
        if operand >= 0:
            return table.variables[operand]
        return np.full(table.size, self.constants[~operand], np.int32)

    def _compare(self, step: Compare, table: Table) -> Table:
        keep = places_of(self._holds(step.comparison, table))
        return table.take(keep, step.carried)

    def _holds(self, comparison: Comparison, table: Table) -> Mask:
        left, right = self.column(comparison.left, table), self.column(comparison.right, table)
        if comparison.operator in ("=", "!="):
            equal: Mask = left == right
            return equal if comparison.operator == "=" else ~equal
        if comparison.kind == "symbol":
            return self.compare_symbols(comparison.operator, left, right)
        if comparison.kind == "unsigned":
            return ORDERINGS[comparison.operator](left.view(np.uint32), right.view(np.uint32))
        return ORDERINGS[comparison.operator](left, right)

    def _absent(self, step: Lookup, table: Table, view: View) -> Table:
        relation = self.relations[step.relation]
        if not relation.size:
            return table
        if not step.key_columns:
            if table.versions is not None and relation.versions is not None:
                every = np.bitwise_or.reduce(relation.versions[: relation.size])
                return within(table, table.versions & ~every, step.carried)
            found = relation.uniform or bool(view.admits(relation.state[: relation.size]).any())
            return table.take(np.zeros(0, np.intp), step.carried) if found else table
        if table.versions is not None and relation.versions is not None:
            barred = np.zeros(table.size, np.uint64)
            for probes, rows, _ in self._matches(step, relation, table, view, rows_wanted=True):
                unite(barred, probes, relation.versions[rows])
            return within(table, table.versions & ~barred, step.carried)
        present = np.zeros(table.size, np.bool_)
        for probes, _, _ in self._matches(step, relation, table, view, rows_wanted=False):
            present[probes] = True
        return table.take(places_of(~present), step.carried)

    def join(self, step: Lookup, table: Table, view: View, track: bool, relation: Relation | None = None) -> Table:
        relation = relation or self.relations[step.relation]
        levelled = table.levels is not None and step.levelled
        versioned = table.versions is not None and relation.versions is not None
        parts: list[tuple[Indices, Column | None, list[Column]]] = []
        if not relation.size:
            pass
        elif not step.key_columns:
            parts = self._product(step, relation, table, view)
        else:
            parts = list(self._matches(step, relation, table, view, rows_wanted=levelled or track or versioned))
        if not parts:
            return Table(0, {})
        probes = concatenate([part[0] for part in parts])
        joined = table.take(probes, step.carried)
        for index, (_, variable) in enumerate(step.binds):
            joined.variables[variable] = concatenate([part[2][index] for part in parts])
        if levelled or track or versioned:
            rows = concatenate([part[1] for part in parts if part[1] is not None])
            if joined.versions is not None and relation.versions is not None:
                joined.versions = joined.versions & relation.versions[rows]
                held = places_of(joined.versions)
                if len(held) < joined.size:
                    joined, rows = joined.take(held, tuple(joined.variables)), rows[held]
            if track:
                joined.body[step.literal] = rows
            if levelled and relation.level is not None and joined.levels is not None:
                levels = relation.levels_of(rows)
                if joined.former is not None:
                    former = levels if relation.former is None else relation.former_levels(rows, levels)
                    joined.former = np.maximum(joined.former, former)
                joined.levels = np.maximum(joined.levels, levels)
                if joined.former is not None:
                    return moved(joined, tuple(joined.variables), joined.ceiling)
        return joined

    def _product(
        self, step: Lookup, relation: Relation, table: Table, view: View
    ) -> list[tuple[Indices, Column | None, list[Column]]]:
        rows = np.arange(relation.size if view.recent else relation.stable, dtype=np.int32)
        if not relation.uniform:
            rows = rows[view.admits(relation.state.take(rows))]
        for first, second in step.equal_columns:
            rows = rows[relation.columns[first].take(rows) == relation.columns[second].take(rows)]
        self._admit(table.size * len(rows), table)
        probes = np.repeat(np.arange(table.size), len(rows))
        rows = np.tile(rows, table.size)
        probes, rows = self._below_limit(step, relation, table, probes, rows)
        return [(probes, rows, [relation.columns[column].take(rows) for column, _ in step.binds])]

    def _matches(
        self, step: Lookup, relation: Relation, table: Table, view: View, rows_wanted: bool
    ) -> list[tuple[Indices, Column | None, list[Column]]]:
        """(probe, row, bound columns) of each entry that matches; rows are left out where nobody needs them."""
        arrangement, prefix = relation.arrangement(step.key_columns)
        filtered = not relation.uniform
        if arrangement.exact and len(step.key_columns) == relation.arity:
            runs = self._runs(arrangement, relation, view, table.size)
            rows = locate(runs, self._keys(step, arrangement.columns, table))
            probes = places_of(rows >= 0)
            rows = rows[probes]
            if filtered:
                probes, rows = where(view.admits(relation.state.take(rows)), probes, rows)
            self.charge(len(probes))
            probes, rows = self._below_limit(step, relation, table, probes, rows)
            return [(probes, rows, [])] if len(probes) else []
        found = self._find(step, arrangement, prefix, relation, table, view)
        if not found:
            return []
        needs_rows = (
            rows_wanted or filtered or not arrangement.exact or bool(step.equal_columns) or table.limits is not None
            or (bool(step.binds) and not (prefix and relation.arity == 2))
        )  # fmt: skip

        def select(hits: Hits) -> tuple[Indices, Column | None, list[Column]]:
            if not needs_rows:
                return hits.probes, None, _values_from_keys(step, arrangement.columns, hits)
            probes, rows = hits.probes, hits.run.rows.take(hits.positions)
            if not arrangement.exact:
                same = np.ones(len(rows), np.bool_)
                for column, operand in zip(step.key_columns, step.key_operands, strict=True):
                    same &= relation.columns[column].take(rows) == self.column(operand, table)[probes]
                probes, rows = where(same, probes, rows)
            if filtered:
                probes, rows = where(view.admits(relation.state.take(rows)), probes, rows)
            for first, second in step.equal_columns:
                equal = relation.columns[first].take(rows) == relation.columns[second].take(rows)
                probes, rows = where(equal, probes, rows)
            probes, rows = self._below_limit(step, relation, table, probes, rows)
            return probes, rows, [relation.columns[column].take(rows) for column, _ in step.binds]

        if max(len(hits.probes) for hits in found) < WORTH_SHARING:
            parts = [select(hits) for hits in found]
        else:
            parts = run_all([partial(select, some) for hits in found for some in hits.shared_out()])
        return [part for part in parts if len(part[0])]

    def _find(
        self, step: Lookup, arrangement: Arrangement, prefix: bool, relation: Relation, table: Table, view: View
    ) -> list[Hits]:
        """The entries that the table's rows meet; other rules may have asked for the same."""
        name: tuple[object, ...] = ()
        if table.driver is not None:
            columns = table.driver.columns
            operands = tuple([columns[each] if each >= 0 else each for each in step.key_operands])
            name = (step.relation, step.key_columns, operands, view.recent, *table.driver.scan)
            known = table.driver.answers.get(name)
            if known is not None:
                self._admit(known[0], table)
                return known[1]
        order = arrangement.columns[: len(step.key_columns)]
        keys = self._keys(step, order, table)
        rows = 0

        def admit(promised: int) -> None:
            nonlocal rows
            rows = promised
            self._admit(promised, table)

        runs = self._runs(arrangement, relation, view, table.size)
        found = find(runs, keys, prefix, admit, len(order) == 1)
        if table.driver is not None and rows <= _SHARED_ROWS:
            table.driver.answers[name] = (rows, found)
        return found

    def _below_limit(
        self, step: Lookup, relation: Relation, table: Table, probes: Indices, rows: Column
    ) -> tuple[Indices, Column]:
        if table.limits is None or not step.levelled or relation.level is None:
            return probes, rows
        return where(relation.level.take(rows) < table.limits[probes], probes, rows)


def pieces(rows: int) -> int:
    """How many pieces of a table put out PIECE rows each, if all of it puts out `rows`."""
    return 2 * (rows // PIECE + 1)


def _values_from_keys(step: Lookup, columns: tuple[int, ...], hits: Hits) -> list[Column]:
    """The columns of a pair are in its key word: no need to visit the rows."""
    if not step.binds:
        return []
    words = hits.run.keys.take(hits.positions)
    return [low_column(words) if column == columns[1] else high_column(words) for column, _ in step.binds]


ORDERINGS: Final[dict[str, Callable[..., Mask]]] = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}

__all__ = ["NO_TRAP", "PIECE", "BudgetSpent", "Joins", "TooManyRows", "Unexpected", "pieces"]
