"""One step of a plan: joins a table with a relation, or filters it, and keeps account of what that cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from ...bound import Spent
from ...datalog.plan import Compare, Comparison, Lookup, Operand, Step
from .arrangement import Arrangement, Run
from .kernels import Entries, Joined, Levels, Seen, Wanted
from .keys import EXACT_WIDTH, Column, Indices, Keys, Mask, key_words, places_of
from .meeting import join_entries, taken
from .prices import BOOTSTRAP, Prices, Work
from .relation import Relation
from .search import count, locate, ranges
from .table import Table, split, within
from .version_sets import unite
from .views import View

PIECE: Final = 1 << 21  # rows that one step of a plan may put out at once
NO_TRAP: Final = float("inf")
_UNLIMITED: Final = float("inf")
_SHARED_KEYS: Final = 1 << 16  # of an answer that is kept for other rules


class BudgetSpent(Exception):
    """The work that was allowed is done and the result is not there yet."""


class Unexpected(Exception):
    """A join is about to put out so many rows that it pays to look for another."""


class TooManyRows(Exception):
    def __init__(self, rows: int):
        self.rows = rows


class Joins:
    """`work` counts the rows that joins have put out so far, partial instantiations included; `keys` and `runs`: as
    in `Work`. Where these cost more than `budget`, and than what it is `extended` to, BudgetSpent is raised."""

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
        self.most: float = _UNLIMITED  # rows that `work` may count, or as many as are then `allowed`
        self.allowed: Callable[[], float] | None = None
        self.forgiven = 0  # rows of a dropped update, which do not count
        self.extended: Callable[[], float] | None = None  # what it is from now on; asked when it is spent
        self.overdrawn = False  # whether that was asked
        self.trap: float = NO_TRAP  # rows that the next join may put out before others are weighed against it

    def charge(self, rows: int) -> None:
        self.work += rows
        if self.work - self.forgiven > self.most:
            self.most = self.most if self.allowed is None else self.allowed()
            if self.work - self.forgiven > self.most:
                raise Spent
        if self.budget < _UNLIMITED and self.spent > self.budget:
            if self.extended is not None:
                self.budget, self.overdrawn = self.extended(), True
            if self.spent > self.budget:
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
        runs = self.runs_of(arrangement, relation, view)
        self.keys += keys * len(runs)
        return runs

    def runs_of(self, arrangement: Arrangement, relation: Relation, view: View) -> list[Run]:
        if not arrangement.covered:
            self.indexed += relation.stable
        runs = arrangement.prepare(relation, view.recent)
        if len(runs) > 1 and relation.size == relation.stable:
            arrangement.note_search(0)
            runs = arrangement.prepare(relation, view.recent)
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

    def _keys(self, lookup: Lookup, order: tuple[int, ...], table: Table, whole: bool = False) -> Keys:
        """`whole`: as words of the arrangement; one column may else be as it is."""
        operands = lookup.key_operands
        if len(operands) == 1 and not whole:
            return self.column(operands[0], table).view(np.uint32)
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
        versioned = table.versions is not None and relation.versions is not None
        met = self._met(step, relation, table, view, joining=False, keys=True, rows=versioned)
        if table.versions is not None and relation.versions is not None:
            barred = np.zeros(table.size, np.uint64)
            if met is not None and met.rows is not None:
                assert met.keys is not None
                unite(barred, met.keys, relation.versions[met.rows])
            return within(table, table.versions & ~barred, step.carried)
        present = np.zeros(table.size, np.bool_)
        if met is not None:
            assert met.keys is not None
            present[met.keys] = True
        return table.take(places_of(~present), step.carried)

    def join(self, step: Lookup, table: Table, view: View, track: bool, relation: Relation | None = None) -> Table:
        relation = relation or self.relations[step.relation]
        if not relation.size:
            return Table(0, {})
        versioned = table.versions is not None and relation.versions is not None
        keys = track or any(each is not None for each in (table.origins, table.limits, table.versions))
        met = self._met(step, relation, table, view, joining=True, keys=keys, rows=track or versioned)
        if met is None:
            return Table(0, {})
        variables = dict(zip(step.carried, met.carried, strict=True))
        fetched = met.fetched if met.seconds is None else [met.seconds]
        variables.update(zip([variable for _, variable in step.binds], fetched, strict=True))
        joined = Table(met.size, variables, met.levels, met.former, ceiling=table.ceiling, whole=table.whole)
        if met.keys is None:
            return joined
        if table.origins is not None:
            joined.origins = table.origins.take(met.keys)
        if table.limits is not None:
            joined.limits = table.limits.take(met.keys)
        if track:
            assert met.rows is not None
            joined.body = {literal: rows.take(met.keys) for literal, rows in table.body.items()}
            joined.body[step.literal] = met.rows
        if table.versions is not None:
            joined.versions = table.versions.take(met.keys)
            if relation.versions is not None and met.rows is not None:
                joined.versions &= relation.versions[met.rows]
                held = places_of(joined.versions)
                if len(held) < joined.size:
                    return joined.take(held, tuple(joined.variables))
        return joined

    def _met(
        self, step: Lookup, relation: Relation, table: Table, view: View, joining: bool, keys: bool, rows: bool
    ) -> Joined | None:
        """The entries of the relation that the table's rows meet; None if there are none. `joining`: with the columns
        and levels that a join needs, those that the step binds as `fetched` or as `seconds`. `keys`, `rows`: and which
        of the table's rows, and of the relation's, they are."""
        bound = [column for column, _ in step.binds] if joining else []
        seen, checks, whole, seconds = None, [], False, False
        if not step.key_columns:
            entries, total = self._all(relation, table, view)
        else:
            arrangement, prefix = relation.arrangement(step.key_columns)
            whole = arrangement.exact and len(step.key_columns) == relation.arity
            seconds = bool(bound) and prefix and relation.arity == EXACT_WIDTH  # it is in the key: no need for the row
            if not relation.uniform and view.wanted is not None:
                seen = Seen(relation.state, view.wanted, view.barred)
            if whole:
                wanted = self._keys(step, arrangement.columns, table, whole=True)
                entries, total = _one_each(locate(self._runs(arrangement, relation, view, table.size), wanted))
            else:
                entries, total = self._find(step, arrangement, prefix, relation, table, view)
            if not arrangement.exact:
                operands = zip(step.key_columns, step.key_operands, strict=True)
                checks = [(relation.columns[column], self.column(operand, table)) for column, operand in operands]
        if not total:
            return None
        levels = None
        if joining and table.levels is not None:
            of_rows = relation.level if step.levelled else None
            levels = Levels(table.levels, table.former, of_rows, relation.former, table.ceiling)
        limited = table.limits is not None and step.levelled and relation.level is not None
        asked = Wanted(keys, rows or limited or bool(step.equal_columns), seconds)
        met = join_entries(
            entries, total, asked,
            [table.variables[variable] for variable in step.carried] if joining else [],
            [] if seconds else [relation.columns[column] for column in bound], checks, seen, levels,
        )  # fmt: skip
        if whole:
            self.charge(met.size)
        if met.rows is not None and (step.equal_columns or limited):
            kept = np.ones(met.size, np.bool_)
            for first, second in step.equal_columns:
                kept &= relation.columns[first].take(met.rows) == relation.columns[second].take(met.rows)
            if table.limits is not None and relation.level is not None and limited:
                assert met.keys is not None
                kept &= relation.level.take(met.rows) < table.limits.take(met.keys)
            met = taken(met, places_of(kept))
        return met if met.size else None

    def _all(self, relation: Relation, table: Table, view: View) -> tuple[list[Entries], int]:
        """Every row that is in view, for each row of the table."""
        rows = np.arange(relation.size if view.recent else relation.stable, dtype=np.int32)
        if not relation.uniform:
            rows = rows[view.admits(relation.state.take(rows))]
        total = table.size * len(rows)
        self._admit(total, table)
        return [Entries(None, rows, np.zeros(table.size, np.intp), np.full(table.size, len(rows)))], total

    def _find(
        self, step: Lookup, arrangement: Arrangement, prefix: bool, relation: Relation, table: Table, view: View
    ) -> tuple[list[Entries], int]:
        """The entries that the table's rows meet; other rules may have asked for the same."""
        name: tuple[object, ...] = ()
        if table.driver is not None:
            columns = table.driver.columns
            operands = tuple([columns[each] if each >= 0 else each for each in step.key_operands])
            name = (step.relation, step.key_columns, operands, view.recent, *table.driver.scan)
            known = table.driver.answers.get(name)
            if known is not None:
                self._admit(known[1], table)
                return known
        order = arrangement.columns[: len(step.key_columns)]
        keys = self._keys(step, order, table)
        found = ranges(self._runs(arrangement, relation, view, table.size), keys, prefix, len(order) == 1)
        total = sum(each.total for each in found)
        self._admit(total, table)
        entries = [Entries(each.run.keys, each.run.rows, each.low, each.counts) for each in found]
        if table.driver is not None and table.size <= _SHARED_KEYS:
            table.driver.answers[name] = entries, total
        return entries, total


def _one_each(rows: Column) -> tuple[list[Entries], int]:
    """Rows that were looked up, -1 where there is none, as entries."""
    there = rows >= 0
    return [Entries(None, rows, np.arange(len(rows)), there.astype(np.intp))], int(np.count_nonzero(there))


def pieces(rows: int) -> int:
    """How many pieces of a table put out PIECE rows each, if all of it puts out `rows`."""
    return 2 * (rows // PIECE + 1)


ORDERINGS: Final[dict[str, Callable[..., Mask]]] = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}

__all__ = ["NO_TRAP", "PIECE", "BudgetSpent", "Joins", "TooManyRows", "Unexpected", "pieces"]
