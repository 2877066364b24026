"""Between strata: finished relations are told to those who use them, and inputs come in."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ...backends.embedded.keys import Column, consolidate
from ...backends.embedded.relation import NEW, NO_ROWS, OLD, SETTLED
from .held import Held, changes_of
from .localise import LocalStratum
from .messages import Number


class Publishing(Held):
    def _begin_publish(self, stratum: LocalStratum) -> None:
        """Tell copies that only higher strata use what came and what went, and the caller how much that was."""
        for name in stratum.relations:
            home = self.relation(stratum.home(name))
            deleted, inserted = changes_of(home) if not self.settings.fresh else (NO_ROWS, home.rows_in(NEW))
            size = home.size if home.uniform else int(np.count_nonzero(home.state[: home.size] & NEW))
            self.report.changes[name] = (len(inserted), len(deleted), size)
            for rows, sign in ((deleted, -1), (inserted, 1)) if stratum.later[name] else ():
                tuples = [column[rows] for column in home.columns]
                for copy in stratum.later[name]:
                    for target, places in self.targets(copy, tuples, len(rows)):
                        some = [column[places] for column in tuples]
                        counts = np.full(len(rows[places]), sign, np.int64)
                        if target == self.number:
                            self._change(copy.name, some, counts)
                        else:
                            self.out.add(target, "rows", copy.name, some, len(counts), None, counts)

    def _inputs(self) -> None:
        """Tell the caller what became of the inputs."""
        for name in self.program.inputs:
            if self.program.homes[name].name not in self.relations:
                continue  # it has no tuple here, or the epoch does not touch it
            home = self.relation(self.program.homes[name])
            deleted, inserted = changes_of(home)
            size = home.size if home.uniform else int(np.count_nonzero(home.state[: home.size] & NEW))
            self.report.changes[name] = (len(inserted), len(deleted), size)

    def _change(self, name: str, columns: list[Column], counts: Number) -> None:
        """Tuples of a finished relation come and go; what changes nothing is left out."""
        relation = self.named(name)
        for sign in (-1, 1):
            chosen = np.flatnonzero(np.sign(counts) == sign)
            if not len(chosen):
                continue
            some, _ = consolidate([column[chosen] for column in columns], len(chosen))
            size = len(some[0]) if some else 1
            rows = relation.locate(some, size)
            known = rows[rows >= 0]
            state = relation.state[known]
            if sign < 0:
                present = known[(state & NEW) != 0]
                if len(present):
                    relation.own()
                    was = relation.state[present] & OLD
                    relation.set_state(present, 0)
                    relation.state[present] = was
                continue
            absent = known[(state & NEW) == 0]
            if len(absent):
                was = (relation.state[absent] & OLD) != 0
                relation.set_state(absent, NEW)
                relation.state[absent[was]] = SETTLED
            missing = np.flatnonzero(rows < 0)
            if len(missing):
                state_of = SETTLED if self.settings.fresh else NEW
                relation.append([column[missing] for column in some], len(missing), 0, 1, state_of)
                relation.settle()

    def finish(self, names: Iterable[str]) -> None:
        """The views of the epoch that ran become one."""
        there = {name: self.relations[name] for name in names if name in self.relations}
        for relation in there.values():
            if relation.uniform and relation.former is None:
                continue
            relation.former = None
            relation.inserted = relation.deleted = NO_ROWS
            state = relation.state[: relation.size]
            alive = (state & NEW) != 0
            relation.own()
            relation.state[: relation.size] = np.where(alive, SETTLED, 0).astype(np.uint8)
            relation.dead = relation.size - int(np.count_nonzero(alive))
            relation.known = relation.size
            relation.uniform = relation.dead == 0
            if relation.dead and relation.count is not None:
                gone = np.flatnonzero(~alive).astype(np.int32)
                relation.put("count", gone, 0)
                relation.put("total", gone, 0)
        for name, relation in there.items():
            if 2 * relation.dead > relation.size:
                table = self.tables.get(name)
                if table is not None:
                    table.renumber(np.flatnonzero(relation.state[: relation.size]).astype(np.int32), relation.size)
                self.relations[name] = relation.compacted()
