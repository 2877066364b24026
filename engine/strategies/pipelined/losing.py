"""Losing: instantiations that go are taken from their heads, and heads without any at their level are dead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from ...backends.embedded.arrangement import concatenate
from ...backends.embedded.execute import AFTER, AFTER_BUT_DELTA, BEFORE_OR_AFTER, BETWEEN, Driving
from ...backends.embedded.keys import Column
from ...backends.embedded.relation import DELTA, KEPT, NEW
from ...errors import EngineError
from ..heads import Found, by_relation
from .held import Fired, Held, distinct_rows
from .localise import LocalStratum
from .messages import by_level

_LEFT: Final = np.uint8(0xFF & ~(NEW | KEPT | DELTA))


class Losing(Held):
    def _begin_lose(self, stratum: LocalStratum) -> None:
        for name, found in by_relation(self.from_below(stratum, -1)):
            self._lost(stratum, name, found)

    def _lost(self, stratum: LocalStratum, name: str, found: Found) -> None:
        columns, at, counts = by_level(*found.together(), found.size)
        for target, places in self.targets(stratum.home(name), columns, len(at)):
            some = [column[places] for column in columns]
            if target == self.number and self.settings.ahead:
                self.losses.append((name, some, at[places], counts[places]))
            else:
                self.out.add(target, "lost", name, some, len(at[places]), at[places], counts[places])

    def _lose(self, stratum: LocalStratum) -> None:
        """Heads that lost instantiations; those that are dead for it are told to all copies."""
        losses, self.losses = self.losses, []
        for name, columns, levels, counts in losses:
            home = self.relation(stratum.home(name))
            rows = self.located(home, columns, len(levels))
            assert home.total is not None and home.count is not None
            home.own()
            table = self.table(home.name)
            if table is not None:
                table.add(rows, levels, -counts)
            touched, places = distinct_rows(rows)
            here = home.levels_of(rows) == levels
            gone = np.bincount(places, weights=counts, minlength=len(touched)).astype(np.int64)
            at_level = np.bincount(places, weights=counts * here, minlength=len(touched)).astype(np.int64)
            home.put("total", touched, home.total[touched].astype(np.int64) - gone)
            left = home.count[touched].astype(np.int64) - at_level
            if len(left) and int(left.min()) < 0:
                raise EngineError(f"internal error: a tuple of {name} lost more derivations than it had")
            home.put("count", touched, left)
            dead = touched[((home.state[touched] & NEW) != 0) & ((left == 0) | self.settings.overdelete)]
            tuples = [column[dead] for column in home.columns]
            for copy in stratum.copies[name]:
                for target, of_target in self.targets(copy, tuples, len(dead)):
                    some = [column[of_target] for column in tuples]
                    size = len(dead[of_target])
                    if target == self.number and self.settings.ahead:
                        self._die(copy.name, some, size)
                    else:
                        self.out.add(target, "dead", copy.name, some, size)

    def _die(self, name: str, columns: list[Column], size: int) -> None:
        if size:
            rows = self.located(self.named(name), columns, size)
            self.deaths.setdefault(name, []).append(rows)

    def _bury(self, stratum: LocalStratum) -> None:
        """Take dead tuples out of the view, with all instantiations that use them."""
        dead: dict[str, Column] = {}
        for name, parts in self.deaths.items():
            rows = np.unique(concatenate(parts))
            rows = rows[(self.relations[name].state[rows] & NEW) != 0]
            if len(rows):
                dead[name] = rows
                self.report.died += len(rows)
        self.deaths = {}
        for name, rows in dead.items():
            relation = self.relations[name]
            relation.own()
            relation.state[rows] |= DELTA
            relation.uniform = False
        for name, found in by_relation(self._dying(stratum, dead)):
            self._lost(stratum, name, found)
        for name, rows in dead.items():
            self.relations[name].state[rows] &= _LEFT

    def _dying(self, stratum: LocalStratum, dead: Mapping[str, Column]) -> Iterator[Fired]:
        """Each instantiation of the view with a tuple that is marked as dying once."""
        for name, rows in dead.items():
            relation = self.relations[name]
            columns, levels = [column[rows] for column in relation.columns], relation.levels_of(rows)
            for rule, literal in self.uses(stratum, name):
                views = []
                for other, atom in enumerate(rule.body):
                    if atom.same_stratum:
                        views.append(AFTER_BUT_DELTA if other < literal else AFTER)
                    else:
                        views.append(BEFORE_OR_AFTER if atom.negated else BETWEEN)
                plan = self.program.plan(rule, literal)
                for found in self.executor.run(plan, Driving(columns, len(rows), levels=levels), views, levelled=True):
                    yield rule, found
