"""Runs a plan over the rows of its driver, a whole column at a time.

The running result is a table: a column for each variable that is still needed, and, where asked for, the highest
level so far, the driver row that each row came from, and the body rows used. Each row of the result is one rule
instantiation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Final, NamedTuple

import numpy as np

from ...datalog.plan import HEAD, Compare, Comparison, Extension, Lookup, Node, Operand, Plan, Proposal, Step
from ...report import RuleCost
from . import choice as choosing
from .arrangement import WORTH_SHARING, Arrangement, Hits, Run, concatenate, count, find, locate
from .choice import Choices
from .keys import Column, Indices, Keys, Mask, Words, high_column, key_words, low_column, places_of
from .parallel import run_all
from .prices import BOOTSTRAP, Prices, Work
from .relation import DELTA, KEPT, NEW, OLD, STATES, Relation
from .table import Driver, Shared, Table, moved, scan_mask, scanned, split, stacked, where, within
from .version_sets import unite


class View(NamedTuple):
    """Which rows of a literal's relation count: whether the newest level of a Bootstrap does, and which states do."""

    recent: bool
    states: Mask


def _states(wanted: int, barred: int = 0) -> Mask:
    return np.array([bool(state & wanted) and not state & barred for state in range(STATES)])


BEFORE: Final = View(True, _states(OLD))
BETWEEN: Final = View(True, _states(KEPT))
AFTER: Final = View(True, _states(NEW))
AFTER_BUT_DELTA: Final = View(True, _states(NEW, barred=DELTA))
BEFORE_OR_AFTER: Final = View(True, _states(OLD | NEW))
STABLE: Final = View(False, _states(NEW))
ALL: Final = View(True, np.ones(STATES, np.bool_))


PIECE: Final = 1 << 21  # rows that one step of a plan may put out at once
_FEW: Final = 512  # rows that a join may be expected to put out before other joins are weighed against it
_TRAP: Final = 2048  # rows past which one that was expected to put out few is weighed after all
_NO_TRAP: Final = float("inf")
_UNLIMITED: Final = float("inf")
_SHARED_ROWS: Final = 1 << 16  # of an answer that is kept for other rules
_WORTH: Final = 2 / 3  # of the rows that atoms would put out: what an extension may put out to be taken
_SAMPLE: Final = 2048  # rows for which joins are weighed


class BudgetSpent(Exception):
    """The work that was allowed is done and the result is not there yet."""


class _Unexpected(Exception):
    """A join is about to put out so many rows that it pays to look for another."""


class _TooManyRows(Exception):
    def __init__(self, rows: int):
        self.rows = rows


@dataclass(slots=True)
class Instantiations:
    """`heads`: one column for each column of the rule's head. `levels`: the highest level in the body (0 if none is
    levelled). `former`: that level before rows moved, where it was another. `origins`: the driver row of each.
    `body`: literal -> rows used, for positive literals of the steps. `versions`: the versions that each holds in."""

    size: int
    heads: list[Column]
    levels: Column | None
    former: Column | None
    origins: Indices | None
    body: dict[int, Column]
    versions: Words | None = None


_Waiting = tuple[Table, Node, int, Lookup | Extension | None]  # at a node, before a filter or the step that is given


class Executor:
    """`work` counts the rows that joins have put out so far, partial instantiations included; `keys` and `runs`: as
    in `Work`. Where these cost more than `budget`, BudgetSpent is raised."""

    def __init__(
        self,
        relations: Mapping[str, Relation],
        constants: Column,
        compare_symbols: Callable[[str, Column, Column], Mask],
        choices: Choices,
    ):
        self.relations = relations
        self.constants = constants
        self.compare_symbols = compare_symbols
        self.choices = choices
        self.costs: dict[tuple[int, int], RuleCost] = {}  # by rule and driver
        self.work = 0
        self.instantiations = 0
        self.keys = 0
        self.runs = 0
        self.indexed = 0  # rows of arrangements that were made; `most_indexed` of them at most are paid for
        self.most_indexed = 0
        self.prices: Prices = BOOTSTRAP
        self.budget: float = _UNLIMITED  # of what `spent` says
        self._trap: float = _NO_TRAP

    def charge(self, rows: int) -> None:
        self.work += rows
        if self.budget < _UNLIMITED and self.spent > self.budget:
            raise BudgetSpent

    def search(self, relation: Relation, keys: int) -> None:
        """Note that whole tuples are looked up."""
        self.keys += keys * max(1, len(relation.whole().runs))

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
            arrangement.note_search(0, to_stay=True)
            runs = arrangement.prepare(relation, view.recent)
        self.keys += keys * len(runs)
        return runs

    def run(
        self,
        plan: Plan,
        driver: Sequence[Column | None],
        size: int,
        views: Sequence[View],
        *,
        levelled: bool = False,
        driver_levels: Column | None = None,
        driver_former: Column | None = None,
        ceiling: int = 0,
        limits: Column | None = None,
        origins: bool = False,
        track: bool = False,
        shared: Shared | None = None,
        driver_versions: Words | None = None,
    ) -> Iterator[Instantiations]:
        """The instantiations of the plan's rule over `size` driver rows, in pieces that bound the memory in use.

        `views`: one for each literal of the body. `driver_former`: the rows moved from these levels to `driver_levels`,
        none of them, nor any that is marked as moved in its relation, above `ceiling`; the instantiations wanted are
        those that fire at another level than before. `limits`: for each driver row, the level below which same-stratum
        body tuples have to lie. `origins` asks for these; `track` for `body` as well, and for a single piece. `shared`:
        handed to all runs that have the same driver, as long as no relation changes. `driver_versions`: the versions
        that each driver row is in; then an instantiation holds in those that all of its body is in, if there are any.
        """
        table = scanned(plan.scan, driver, size, self.constants)
        if levelled:
            table.levels = np.zeros(size, np.int32) if driver_levels is None else driver_levels
        if track or origins:
            table.origins = np.arange(size)
        table.former, table.ceiling, table.limits, table.whole = driver_former, ceiling, limits, track
        table.versions = driver_versions
        keep = scan_mask(plan.scan, driver, self.constants)
        if keep is not None:
            table = table.take(places_of(keep), tuple(table.variables))
        if shared is not None:
            scan = plan.scan
            columns = {variable: column for column, variable in scan.binds}
            table.driver = Driver(shared, (scan.constants, scan.equal_columns), columns)
        cost = self.cost(plan)
        cost.runs += 1
        self.runs += 1
        cost.driven += size
        todo: list[_Waiting] = [(table, plan.start, 0, None)]
        started, work = perf_counter(), self.work
        try:
            self.charge(table.size)
            while todo:
                complete = self._advance(plan, todo, views, track)
                if complete is not None and complete.former is not None:
                    complete = moved(complete, tuple(complete.variables))
                if complete is not None:
                    self.instantiations += complete.size
                    cost.instantiations += complete.size
                    heads = [self._column(operand, complete) for operand in plan.rule.head_operands]
                    cost.seconds += perf_counter() - started
                    yield Instantiations(
                        complete.size, heads, complete.levels, complete.former, complete.origins, complete.body,
                        complete.versions,
                    )  # fmt: skip
                    started = perf_counter()
        finally:
            cost.seconds += perf_counter() - started
            cost.joined += self.work - work

    def cost(self, plan: Plan) -> RuleCost:
        key = (plan.rule.index, plan.driver)
        found = self.costs.get(key)
        if found is None:
            rule, driver = plan.rule, plan.driver
            text = rule.source.text if rule.source is not None else f"{rule.head} from {rule.body[0].relation}"
            found = self.costs[key] = RuleCost(text, "head" if driver == HEAD else rule.body[driver].relation)
        return found

    def _advance(self, plan: Plan, todo: list[_Waiting], views: Sequence[View], track: bool) -> Table | None:
        """Take one table that waits through the plan; what of it is put off waits. Complete instantiations, if any."""
        table, node, position, chosen = todo.pop()
        try:
            while True:
                while table.size and position < len(node.filters):
                    table = self._filter(node.filters[position], table, views, track)
                    position += 1
                if not table.size:
                    return None
                if not node.choices:
                    return table
                trap = _NO_TRAP
                if chosen is None:
                    chosen = node.choices[0]
                    if node.extensions and choosing.EXTEND == "always":
                        chosen = node.extensions[0]
                    elif len(node.choices) > 1 or node.extensions:
                        choice = self.choices.at(node)
                        chosen = choice.lookup
                        if table.size * choice.fanout > _FEW:
                            raise _Unexpected
                        trap = _TRAP
                self._trap = trap
                try:
                    if isinstance(chosen, Extension):
                        table = self._extend(chosen, table)
                    else:
                        table = self._join(chosen, table, views[chosen.literal], track)
                finally:
                    self._trap = _NO_TRAP
                node, position, chosen = plan.after(node, chosen), 0, None
        except _TooManyRows as many:
            todo.extend((piece, node, position, chosen) for piece in split(table, _pieces(many.rows)))
        except _Unexpected:
            todo.extend((part, node, position, step) for step, part in self._weigh(node, table, views, track))
        return None

    def _weigh(
        self, node: Node, table: Table, views: Sequence[View], track: bool
    ) -> list[tuple[Lookup | Extension, Table]]:
        """Choose by counting what each choice would put out: for a sample, and for each row where rows differ much."""
        choice = self.choices.at(node)
        variables = tuple(table.variables)
        sample = table
        if table.size > _SAMPLE:
            sample = table.take(np.linspace(0, table.size - 1, _SAMPLE).astype(np.intp), variables)
        promised = table.size * choice.fanout
        lookups, counts = [], []
        for lookup in node.choices:
            relation = self.relations[lookup.relation]
            if not relation.size:
                return []
            if (
                lookup is choice.lookup
                or relation.has_arrangement(lookup.key_columns)
                or relation.size < choice.spent + promised
            ):
                lookups.append(lookup)
                counts.append(self._counts(lookup, sample, views[lookup.literal]))
        totals = [int(each.sum()) for each in counts]
        best = min(range(len(totals)), key=totals.__getitem__)
        choice.lookup, choice.fanout = lookups[best], totals[best] / sample.size
        scale = table.size / sample.size
        outgrown = choice.spent + promised
        choice.spent += int(totals[best] * scale)
        if node.extensions and not choice.declined and totals[best] * scale > _FEW:
            extension, choice.declined = self._weigh_extensions(node, sample, np.minimum.reduce(counts), outgrown)
            if extension is not None:
                return [(extension, table)]
        if len(lookups) > 1 and not track and totals[best] * scale > _FEW:
            least = np.minimum.reduce(counts)
            if 2 * int(least.sum()) < totals[best]:
                met = [np.count_nonzero(each) for each in counts]
                order = sorted(range(len(lookups)), key=met.__getitem__)
                known = [counts[index] for index in order] if sample is table else None
                return self._part([lookups[index] for index in order], table, views, known)
        return [(lookups[best], table)]

    def _part(
        self, lookups: list[Lookup], table: Table, views: Sequence[View], known: Sequence[Indices] | None
    ) -> list[tuple[Lookup | Extension, Table]]:
        """Each row to the lookup that puts out least for it; rows that one has nothing for are gone before the next is
        asked. `known`: what each lookup puts out, where that was counted for all rows."""
        variables = tuple(table.variables)
        least, chosen = np.full(table.size, np.iinfo(np.intp).max), np.zeros(table.size, np.int8)
        left: Indices | None = None
        for index, lookup in enumerate(lookups):
            if known is None:
                counts = self._counts(lookup, table, views[lookup.literal])
            else:
                counts = known[index] if left is None else known[index][left]
            some = places_of(counts)
            if len(some) < table.size:
                left = some if left is None else left[some]
                table, counts, least, chosen = table.take(some, variables), counts[some], least[some], chosen[some]
            chosen[counts < least] = index
            least = np.minimum(least, counts)
        parts = [places_of(chosen == index) for index in range(len(lookups))]
        return [(lookup, table.take(part, variables))
                for lookup, part in zip(lookups, parts, strict=True) if len(part)]  # fmt: skip

    def _weigh_extensions(
        self, node: Node, sample: Table, least: Indices, outgrown: float
    ) -> tuple[Extension | None, bool]:
        """The extension that puts out least, if that is little enough beside what the atoms would; and whether all were
        counted in vain. `outgrown`: the size of a relation up to which it pays to make a prefix of it."""
        if choosing.EXTEND == "never":
            return None, True
        found, fewest, counted = None, _WORTH * int(least.sum()), True
        for extension in node.extensions:
            relations = [self.relations[each.proposing.relation] for each in extension.proposals]
            if not all(
                self.choices.prefixes.known(relation, each.columns) or relation.size < outgrown
                for each, relation in zip(extension.proposals, relations, strict=True)
            ):
                counted = False
                continue
            _, counts = self._propositions(extension, sample)
            promised = int(np.minimum.reduce(counts).sum())
            if promised < fewest:
                found, fewest = extension, promised
        return found, counted and found is None

    def _propositions(self, extension: Extension, table: Table) -> tuple[list[Proposal], list[Indices]]:
        """Which atoms may propose values of the variable, and how many each has for each row of the table."""
        proposals = [each for each in extension.proposals if each.proposing.key_columns]
        return proposals, [self._counts(each.proposing, table, ALL, self._prefix(each)) for each in proposals]

    def _prefix(self, proposal: Proposal) -> Relation:
        return self.choices.prefixes.get(self.relations[proposal.proposing.relation], proposal.columns)

    def _extend(self, extension: Extension, table: Table) -> Table:
        """Count, propose, validate: each row takes the values of its smallest proposer that all others have, too."""
        proposals, counts = self._propositions(extension, table)
        smallest, least = np.argmin(counts, axis=0), np.minimum.reduce(counts)
        parts = []
        for index, proposal in enumerate(proposals):
            asking = places_of((smallest == index) & (least > 0))
            if not len(asking):
                continue
            part = table.take(asking, tuple(table.variables))
            part = self._join(proposal.proposing, part, ALL, False, self._prefix(proposal))
            for other in extension.proposals:
                if part.size and other is not proposal and other.validating is not None:
                    part = self._join(other.validating, part, ALL, False, self._prefix(other))
            if part.size:
                parts.append(part)
        return stacked(parts) if parts else Table(0, {})

    def _counts(self, lookup: Lookup, table: Table, view: View, relation: Relation | None = None) -> Indices:
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
        return key_words([self._column(operand, table) for operand in operands], table.size)

    def _filter(self, step: Step, table: Table, views: Sequence[View], track: bool) -> Table:
        if isinstance(step, Compare):
            return self._compare(step, table)
        if step.absent:
            return self._absent(step, table, views[step.literal])
        return self._join(step, table, views[step.literal], track)

    def _admit(self, rows: int, table: Table) -> None:
        """Before a join puts out `rows` rows: too many at once are asked for in pieces."""
        if rows > self._trap:
            raise _Unexpected
        if rows > PIECE and table.size > 1 and not table.whole:
            raise _TooManyRows(rows)
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
            except _TooManyRows as many:
                todo.extend(split(table, _pieces(many.rows)))
                continue
            assert origins is not None
            found.append(origins)
        return np.concatenate(found)

    def _column(self, operand: Operand, table: Table) -> Column:
        if operand >= 0:
            return table.variables[operand]
        return np.full(table.size, self.constants[~operand], np.int32)

    def _compare(self, step: Compare, table: Table) -> Table:
        keep = places_of(self._holds(step.comparison, table))
        return table.take(keep, step.carried)

    def _holds(self, comparison: Comparison, table: Table) -> Mask:
        left, right = self._column(comparison.left, table), self._column(comparison.right, table)
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
            found = relation.uniform or bool(view.states[relation.state[: relation.size]].any())
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

    def _join(self, step: Lookup, table: Table, view: View, track: bool, relation: Relation | None = None) -> Table:
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
            rows = rows[view.states[relation.state[rows]]]
        for first, second in step.equal_columns:
            rows = rows[relation.columns[first][rows] == relation.columns[second][rows]]
        self._admit(table.size * len(rows), table)
        probes = np.repeat(np.arange(table.size), len(rows))
        rows = np.tile(rows, table.size)
        probes, rows = self._below_limit(step, relation, table, probes, rows)
        return [(probes, rows, [relation.columns[column][rows] for column, _ in step.binds])]

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
                probes, rows = where(view.states[relation.state[rows]], probes, rows)
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
            probes, rows = hits.probes, hits.run.rows[hits.positions]
            if not arrangement.exact:
                same = np.ones(len(rows), np.bool_)
                for column, operand in zip(step.key_columns, step.key_operands, strict=True):
                    same &= relation.columns[column][rows] == self._column(operand, table)[probes]
                probes, rows = where(same, probes, rows)
            if filtered:
                probes, rows = where(view.states[relation.state[rows]], probes, rows)
            for first, second in step.equal_columns:
                equal = relation.columns[first][rows] == relation.columns[second][rows]
                probes, rows = where(equal, probes, rows)
            probes, rows = self._below_limit(step, relation, table, probes, rows)
            return probes, rows, [relation.columns[column][rows] for column, _ in step.binds]

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
        return where(relation.level[rows] < table.limits[probes], probes, rows)


def _pieces(rows: int) -> int:
    """How many pieces of a table put out PIECE rows each, if all of it puts out `rows`."""
    return 2 * (rows // PIECE + 1)


def _values_from_keys(step: Lookup, columns: tuple[int, ...], hits: Hits) -> list[Column]:
    """The columns of a pair are in its key word: no need to visit the rows."""
    if not step.binds:
        return []
    words = hits.run.keys[hits.positions]
    return [low_column(words) if column == columns[1] else high_column(words) for column, _ in step.binds]


ORDERINGS: Final[dict[str, Callable[..., Mask]]] = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


__all__ = [
    "AFTER", "AFTER_BUT_DELTA", "ALL", "BEFORE", "BEFORE_OR_AFTER", "BETWEEN", "STABLE",
    "BudgetSpent", "Executor", "Instantiations", "Shared", "View",
]  # fmt: skip
