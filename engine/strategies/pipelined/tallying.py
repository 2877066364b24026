"""Tallying: levels are final, and what fires at them is counted at the homes of heads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np

from ...backends.embedded.execute import BEFORE_OR_AFTER, BETWEEN, Driving, View
from ...backends.embedded.keys import Column
from ...backends.embedded.relation import DELTA, KEPT, NEW, OLD, SETTLED, Relation
from ..barred import newly_barred
from ..counting import COUNTING
from ..heads import by_relation
from .growing import Growing
from .held import UNMARKED, Fired, changes_of, distinct_rows, views_of
from .localise import LocalStratum
from .messages import Number, by_level, lowest

KEPT_BUT_DELTA: Final = View(True, KEPT, barred=DELTA)


class Tallying(Growing):
    def _begin_tally(self, stratum: LocalStratum) -> None:
        if self.settings.level >= 0:  # what fires above was counted when it was met
            self._count(stratum, self.using(stratum, self.rows_from(stratum, self.settings.level)))
            if not self.settings.fresh:
                self._begin_settle(stratum)
            return
        if self.settings.fresh:
            self._count(stratum, self.whole(stratum, recursive=True))
            return
        for name in stratum.relations:
            self._begin_recount(stratum, name)
        self._count(stratum, self._gained(stratum))
        self._count(stratum, self._moved(stratum), moved=True)
        self._begin_settle(stratum)

    def _begin_retally(self, stratum: LocalStratum) -> None:
        """After an evaluation from nothing in place of old relations."""
        self._count(stratum, self.whole(stratum, recursive=True))
        self._begin_settle(stratum)

    def _begin_settle(self, stratum: LocalStratum) -> None:
        for some in stratum.copies.values():
            for copy in some:
                self._settle(self.relation(copy))

    def _begin_recount(self, stratum: LocalStratum, name: str) -> None:
        """Tuples with another level than before are counted afresh, if something that was there derives them."""
        home = self.relation(stratum.home(name))
        assert home.total is not None
        state = home.state[: home.size]
        again = ((state & (OLD | NEW | KEPT)) == (OLD | NEW)) & (home.total[: home.size] > 0)
        if home.former is not None:
            moved = np.zeros(home.size, np.bool_)
            moved[: len(home.former)] = home.former[: home.size] > 0
            again |= moved & ((state & KEPT) != 0)
        rows = np.flatnonzero(again).astype(np.int32)
        revived = np.flatnonzero((state & (OLD | NEW | KEPT)) == (OLD | NEW)).astype(np.int32)
        if len(rows) or len(revived):
            home.put("count", revived, 0)
            table = self.table(home.name)
            if table is not None:  # what moves and what is gained comes on top
                home.put("count", rows, table.at(rows, home.levels_of(rows)))
                return
            home.put("count", rows, 0)
            home.state[rows] |= DELTA
            home.uniform = False
        columns = [column[rows] for column in home.columns]
        self.ask(stratum, name, "recount", columns, len(rows), home.levels_of(rows))

    def _gained(self, stratum: LocalStratum) -> Iterator[Fired]:
        """Each instantiation of the new view that was not in the old one, or lost a tuple meanwhile, once."""
        for rule in self.running(stratum):
            for literal, atom in enumerate(rule.body):
                relation = self.named(atom.relation)
                state = relation.state[: relation.size]
                if relation.uniform:
                    continue
                levels = None
                if atom.negated:
                    rows = changes_of(relation)[0]
                    driver, size = newly_barred(self.executor, relation, rule, literal, rows, +1)
                else:
                    rows = np.flatnonzero((state & (NEW | KEPT)) == NEW).astype(np.int32)
                    driver, size = [column[rows] for column in relation.columns], len(rows)
                    levels = relation.levels_of(rows) if atom.same_stratum else None
                if not size:
                    continue
                views = views_of(rule, literal, +1)
                plan = self.program.plan(rule, literal)
                for found in self.executor.run(plan, Driving(driver, size, levels=levels), views, levelled=True):
                    yield rule, found

    def _moved(self, stratum: LocalStratum) -> Iterator[Fired]:
        """Each instantiation of what was there all the time that fires at another level than before, once."""
        driving: dict[str, tuple[Column, Column]] = {}
        ceiling = 0
        for some in stratum.copies.values():
            for copy in some:
                relation = self.relation(copy)
                if relation.former is None:
                    continue
                if len(relation.former) < len(relation.state):
                    longer = np.zeros(len(relation.state), np.int32)
                    longer[: len(relation.former)] = relation.former
                    relation.former = longer
                rows = np.flatnonzero(relation.former[: relation.size]).astype(np.int32)
                rows = rows[(relation.state[rows] & KEPT) != 0]
                if len(rows):
                    former = relation.former[rows] - np.int32(1)
                    driving[copy.name] = rows, former
                    ceiling = max(ceiling, int(former.max()))
                    relation.own()
                    relation.state[rows] |= DELTA
                    relation.uniform = False
        for name, (rows, former) in driving.items():
            relation = self.relations[name]
            columns, levels = [column[rows] for column in relation.columns], relation.levels_of(rows)
            for rule, literal in self.uses(stratum, name):
                views = []
                for other, atom in enumerate(rule.body):
                    if atom.same_stratum:
                        views.append(KEPT_BUT_DELTA if other < literal else BETWEEN)
                    else:
                        views.append(BEFORE_OR_AFTER if atom.negated else BETWEEN)
                plan = self.program.plan(rule, literal)
                for found in self.executor.run(
                    plan,
                    Driving(columns, len(rows), levels=levels, former=former, ceiling=ceiling),
                    views,
                    levelled=True,
                ):
                    yield rule, found
        for name, (rows, _) in driving.items():
            # At home the mark says what is counted afresh, unless there is a table that knows it.
            if not self.is_home(name) or self.settings.strategy == COUNTING.name:
                self.relations[name].state[rows] &= UNMARKED

    def _count(self, stratum: LocalStratum, instantiations: Iterable[Fired], moved: bool = False) -> None:
        """Tell homes of instantiations, by the level at which they fire. `moved`: the total has them already."""
        for name, found in by_relation(instantiations):
            heads, levels = found.together()
            columns, at, counts = by_level(heads, levels, found.size)
            if moved:
                at = -1 - at
                if self.settings.strategy == COUNTING.name:
                    self._unmove(stratum, name, heads, found.formerly(), found.size)
            self._send_counts(stratum, name, columns, at, counts)

    def _unmove(self, stratum: LocalStratum, name: str, heads: list[Column], former: Column, size: int) -> None:
        """Tell homes of levels at which instantiations do not fire any more."""
        columns, at, counts = by_level(heads, former, size)
        self._send_counts(stratum, name, columns, -1 - at, -counts)

    def _send_counts(self, stratum: LocalStratum, name: str, columns: list[Column], at: Column, counts: Number) -> None:
        for target, places in self.targets(stratum.home(name), columns, len(at)):
            some = [column[places] for column in columns]
            if target == self.number:
                self._tally(stratum, name, some, at[places], counts[places])
            else:
                self.out.add(target, "tally", name, some, len(at[places]), at[places], counts[places])

    def _tally(self, stratum: LocalStratum, name: str, columns: list[Column], levels: Column, counts: Number) -> None:
        """Count instantiations of tuples. Of a stratum without recursion this is how its tuples arrive."""
        home = self.relation(stratum.home(name))
        if not len(levels):
            return
        rows = home.locate(columns, len(levels))
        if (rows < 0).any():
            some = [column[rows < 0] for column in columns]
            tuples, at = lowest(some, levels[rows < 0], int((rows < 0).sum()))
            home.append(tuples, len(at), at, 0, SETTLED)
            home.settle()
            rows = home.locate(columns, len(levels))
        assert home.total is not None and home.count is not None
        home.own()
        moved = levels < 0
        levels = np.where(moved, -1 - levels, levels)
        self._add(home, "total", rows, np.where(moved, 0, counts))
        table = self.table(home.name)
        if table is not None:
            table.add(rows, levels, counts)
        at = home.levels_of(rows)
        if (levels < at).any():  # only of inputs of a stratum without recursion, which have level 0
            lower = levels < at
            home.put("count", rows[lower], 0)
            home.put("level", rows[lower], levels[lower])
            at = home.levels_of(rows)
        counted = levels == at
        if table is None:
            counted &= (home.state[rows] & DELTA) == 0
        self._add(home, "count", rows[counted], counts[counted])

    def _add(self, home: Relation, what: str, rows: Column, counts: Number) -> None:
        if not len(rows):
            return
        touched, places = distinct_rows(rows)
        sums = np.bincount(places, weights=counts, minlength=len(touched)).astype(np.int64)
        home.put(what, touched, getattr(home, what)[touched].astype(np.int64) + sums)  # type: ignore[arg-type]

    def _recount(self, stratum: LocalStratum, name: str, columns: list[Column], levels: Column) -> None:
        """How many instantiations fire at each tuple's level."""
        counts = np.zeros(len(levels), np.int64)
        for rule, found in self.deriving(stratum, name, columns, len(levels)):
            assert found.levels is not None and found.origins is not None
            fires = np.zeros(found.size, np.int32) if rule.from_input else found.levels + 1
            here = found.origins[fires == levels[found.origins]]
            counts += np.bincount(here, minlength=len(levels))
        met = np.flatnonzero(counts)
        tuples = [column[met] for column in columns]
        for target, places in self.targets(stratum.home(name), tuples, len(met)):
            some = [column[places] for column in tuples]
            self.out.add(target, "recounted", name, some, len(met[places]), None, counts[met][places])

    def _settle(self, relation: Relation) -> None:
        """The current view is the new one: mark what came and what went."""
        relation.former = None
        if relation.uniform:
            return
        relation.own()
        state = relation.state[: relation.size]
        marked = state & np.uint8(DELTA)
        before, now = (state & OLD) != 0, (state & NEW) != 0
        settled = np.where(before, np.where(now, SETTLED, OLD), np.where(now, NEW, 0)).astype(np.uint8)
        relation.state[: relation.size] = settled | marked
