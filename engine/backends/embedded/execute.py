"""Runs a plan over the rows of its driver, a whole column at a time.

The running result is a table: a column for each variable that is still needed, and, where asked for, the highest
level so far, the driver row that each row came from, and the body rows used. Each row of the result is one rule
instantiation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Final

import numpy as np

from ...datalog.plan import HEAD, Extension, Lookup, Node, Plan, Proposal
from ...report import RuleCost
from . import choice as choosing
from . import kernels
from .choice import Choices
from .joins import NO_TRAP, BudgetSpent, Joins, TooManyRows, Unexpected, pieces
from .keys import Column, Indices, Mask, Words, places_of
from .relation import Relation
from .table import Driver, Shared, Table, moved, scan_mask, scanned, split, stacked
from .views import AFTER, AFTER_BUT_DELTA, ALL, BEFORE, BEFORE_OR_AFTER, BETWEEN, STABLE, View
from .walk import SHORT, legs

_WORTH: Final = 2 / 3  # of the rows that atoms would put out: what an extension may put out to be taken
_SAMPLE: Final = 2048  # rows for which joins are weighed


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


@dataclass(slots=True)
class Driving:
    """The rows that drive a plan. columns: of the driver's relation, None for those that nothing needs. levels: of the
    rows; 0 where they are not given. former: the rows have moved from these levels to `levels`, none of them, nor any
    that is marked as moved in its relation, above `ceiling`; the instantiations wanted are those that fire at another
    level than before. limits: for each row, the level below which same-stratum body tuples have to lie. versions: those
    that each row is in; then an instantiation holds in those that all of its body is in, if there are any."""

    columns: Sequence[Column | None]
    size: int
    levels: Column | None = None
    former: Column | None = None
    ceiling: int = 0
    limits: Column | None = None
    versions: Words | None = None


_Waiting = tuple[Table, Node, int, Lookup | Extension | None]  # at a node, before a filter or the step that is given


class Executor(Joins):
    """Takes tables through plans: at each node it filters, chooses what to join, and joins."""

    def __init__(
        self,
        relations: Mapping[str, Relation],
        constants: Column,
        compare_symbols: Callable[[str, Column, Column], Mask],
        choices: Choices,
    ):
        super().__init__(relations, constants, compare_symbols)
        self.choices = choices
        self.costs: dict[tuple[int, int], RuleCost] = {}  # by rule and driver
        self.instantiations = 0

    def run(
        self,
        plan: Plan,
        driving: Driving,
        views: Sequence[View],
        *,
        levelled: bool = False,
        origins: bool = False,
        track: bool = False,
        shared: Shared | None = None,
    ) -> Iterator[Instantiations]:
        """The instantiations of the plan's rule over its driver's rows, in pieces that bound the memory in use.

        `views`: one for each literal of the body. `levelled` asks for the levels at which they fire, `origins` for the
        rows that they come from; `track` for `body` as well, and for a single piece; atoms are joined then, for an
        extension does not say which rows it used. `shared`: handed to all runs that have the same driver, as long as
        no relation changes.
        """
        plain = not (track or origins or driving.limits is not None or driving.versions is not None)
        if plain and driving.size <= SHORT:
            found = self._walk(plan, driving, views, levelled)
            if found is not None:
                if found.size:
                    yield found
                return
        table = self._table(plan, driving, levelled, track or origins, shared)
        table.whole = track
        cost = self.cost(plan)
        cost.runs += 1
        self.runs += 1
        cost.driven += driving.size
        todo: list[_Waiting] = [(table, plan.start, 0, None)]
        started, work = perf_counter(), self.work
        try:
            self.charge(table.size)
            while todo:
                complete = self._advance(plan, todo, views, track)
                if complete is not None and complete.former is not None:
                    complete = moved(complete)
                if complete is not None:
                    self.instantiations += complete.size
                    cost.instantiations += complete.size
                    heads = [self.column(operand, complete) for operand in plan.rule.head_operands]
                    cost.seconds += perf_counter() - started
                    yield Instantiations(
                        complete.size, heads, complete.levels, complete.former, complete.origins, complete.body,
                        complete.versions,
                    )  # fmt: skip
                    started = perf_counter()
        finally:
            cost.seconds += perf_counter() - started
            cost.joined += self.work - work

    def _table(self, plan: Plan, driving: Driving, levelled: bool, origins: bool, shared: Shared | None) -> Table:
        """The driver's rows that its scan accepts."""
        scan = plan.scan
        table = scanned(scan, driving.columns, driving.size, self.constants)
        if levelled:
            table.levels = np.zeros(driving.size, np.int32) if driving.levels is None else driving.levels
        if origins:
            table.origins = np.arange(driving.size)
        table.former, table.ceiling, table.limits = driving.former, driving.ceiling, driving.limits
        table.versions = driving.versions
        keep = scan_mask(scan, driving.columns, self.constants)
        if keep is not None:
            table = table.take(places_of(keep), tuple(table.variables))
        if shared is not None:
            columns = {variable: column for column, variable in scan.binds}
            table.driver = Driver(shared, (scan.constants, scan.equal_columns), columns)
        return table

    def _walk(self, plan: Plan, driving: Driving, views: Sequence[View], levelled: bool) -> Instantiations | None:
        """All instantiations over a short driver, by one call; None where that is not the way."""
        scan, rule, cost = plan.scan, plan.rule, self.cost(plan)
        if driving.former is not None and not plan.start.choices:  # a join tells what has moved
            return None
        started = perf_counter()
        driven, size, levels, former = driving.size, driving.size, driving.levels, driving.former
        columns: list[Column | None] = [None] * len(rule.names)
        for column, variable in scan.binds:
            columns[variable] = driving.columns[column]
        if levelled and levels is None:
            levels = np.zeros(size, np.int32)
        keep = scan_mask(scan, driving.columns, self.constants)
        if keep is not None:
            places = places_of(keep)
            columns = [None if column is None else column.take(places) for column in columns]
            levels = None if levels is None else levels.take(places)
            former = None if former is None else former.take(places)
            size = len(places)
        walked = kernels.walk(
            legs(self, self.choices, plan, views), self.constants, columns, size, levels, former, driving.ceiling
        )
        if walked is None:
            return None
        self.runs += 1
        self.keys += walked.searched
        self.instantiations += walked.size
        self.charge(size + walked.work)
        cost.runs += 1
        cost.driven += driven
        cost.instantiations += walked.size
        cost.joined += size + walked.work
        heads: list[Column] = []
        for operand in rule.head_operands if walked.size else ():
            values = walked.columns[operand] if operand >= 0 else None
            heads.append(np.full(walked.size, self.constants[~operand], np.int32) if values is None else values)
        cost.seconds += perf_counter() - started
        return Instantiations(walked.size, heads, walked.levels, walked.former, None, {})

    def cost(self, plan: Plan) -> RuleCost:
        key = (plan.rule.index, plan.driver)
        found = self.costs.get(key)
        if found is None:
            rule, driver = plan.rule, plan.driver
            found = self.costs[key] = RuleCost(rule, "head" if driver == HEAD else rule.body[driver].relation)
        return found

    def _advance(self, plan: Plan, todo: list[_Waiting], views: Sequence[View], track: bool) -> Table | None:
        """Take one table that waits through the plan; what of it is put off waits. Complete instantiations, if any."""
        table, node, position, chosen = todo.pop()
        try:
            while True:
                while table.size and position < len(node.filters):
                    table = self.filter(node.filters[position], table, views, track)
                    position += 1
                if not table.size:
                    return None
                if not node.choices:
                    return table
                trap = NO_TRAP
                if chosen is None:
                    chosen = node.choices[0]
                    if node.extensions and choosing.EXTEND == "always" and not track:
                        chosen = node.extensions[0]
                    elif len(node.choices) > 1 or node.extensions:
                        choice = self.choices.at(node)
                        chosen = choice.lookup
                        if table.size * choice.fanout > choosing.FEW:
                            raise Unexpected
                        trap = choosing.TRAP
                self.trap = trap
                try:
                    if isinstance(chosen, Extension):
                        table = self._extend(chosen, table)
                    else:
                        table = self.join(chosen, table, views[chosen.literal], track)
                finally:
                    self.trap = NO_TRAP
                node, position, chosen = plan.after(node, chosen), 0, None
        except TooManyRows as many:
            todo.extend((piece, node, position, chosen) for piece in split(table, pieces(many.rows)))
        except Unexpected:
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
                counts.append(self.counts(lookup, sample, views[lookup.literal]))
        totals = [int(each.sum()) for each in counts]
        best = min(range(len(totals)), key=totals.__getitem__)
        choice.lookup, choice.fanout = lookups[best], totals[best] / sample.size
        scale = table.size / sample.size
        outgrown = choice.spent + promised
        choice.spent += int(totals[best] * scale)
        if node.extensions and not track and not choice.declined and totals[best] * scale > choosing.FEW:
            extension, choice.declined = self._weigh_extensions(node, sample, np.minimum.reduce(counts), outgrown)
            if extension is not None:
                return [(extension, table)]
        if len(lookups) > 1 and not track and totals[best] * scale > choosing.FEW:
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
                counts = self.counts(lookup, table, views[lookup.literal])
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
        return proposals, [self.counts(each.proposing, table, ALL, self._prefix(each)) for each in proposals]

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
            part = self.join(proposal.proposing, part, ALL, False, self._prefix(proposal))
            for other in extension.proposals:
                if part.size and other is not proposal and other.validating is not None:
                    part = self.join(other.validating, part, ALL, False, self._prefix(other))
            if part.size:
                parts.append(part)
        return stacked(parts) if parts else Table(0, {})


__all__ = [
    "AFTER", "AFTER_BUT_DELTA", "ALL", "BEFORE", "BEFORE_OR_AFTER", "BETWEEN", "STABLE",
    "BudgetSpent", "Executor", "Instantiations", "Shared", "View",
]  # fmt: skip
