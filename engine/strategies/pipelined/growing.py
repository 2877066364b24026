"""Growing: tuples are put in at the levels at which they are derived, the lowest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from ...backends.embedded.arrangement import concatenate
from ...backends.embedded.keys import Column, Mask, consolidate
from ...backends.embedded.relation import KEPT, NEW, OLD, SETTLED, Relation
from ..bootstrap import run_whole
from ..heads import by_relation
from .climbing import Climbing
from .copies import Copy
from .held import Fired
from .localise import LocalStratum
from .messages import lowest


class Growing(Climbing):
    def _begin_grow(self, stratum: LocalStratum) -> None:
        if self.settings.level >= 0:  # up to this level all is there
            driving = self.rows_from(stratum, self.settings.level)
            for name in driving:
                self.relations[name].settle()
            self._emit(stratum, self.using(stratum, driving))
            return
        if not self.settings.fresh:
            self.empty(stratum)
        self._emit(stratum, self.whole(stratum, recursive=False))

    def _begin_regrow(self, stratum: LocalStratum) -> None:
        self._emit(stratum, self.from_below(stratum, +1))
        for name in stratum.relations:
            home = self.relation(stratum.home(name))
            assert home.total is not None
            rows = np.flatnonzero((home.state[: home.size] & (OLD | NEW)) == OLD).astype(np.int32)
            rows = rows[home.total[rows] > 0]
            table = self.table(home.name)
            if table is not None:  # it says where the dead are derived next
                levels = table.next_level(rows, -1)
                for copy in stratum.copies[name]:
                    self._route(copy, [column[rows] for column in home.columns], levels)
                continue
            self.ask(stratum, name, "ask", [column[rows] for column in home.columns], len(rows), None)

    def whole(self, stratum: LocalStratum, recursive: bool) -> Iterator[Fired]:
        """All instantiations of rules, each once: of those without atoms of the stratum, or of all."""
        for rule in self.running(stratum):
            if recursive or not any(atom.same_stratum for atom in rule.body):
                for found in run_whole(self.program, rule, self.relations, self.executor, levelled=True):
                    yield rule, found

    def _emit(self, stratum: LocalStratum, instantiations: Iterable[Fired]) -> None:
        """Heads as they arrive at all copies of their relations: here, and in other shards."""
        for name, found in by_relation(instantiations):
            columns, at = lowest(*found.together(), found.size)
            for copy in stratum.copies[name]:
                self._route(copy, columns, at)

    def _route(self, copy: Copy, columns: list[Column], levels: Column) -> None:
        for target, places in self.targets(copy, columns, len(levels)):
            if target == self.number and self.settings.ahead:
                self._wait(copy.name, [column[places] for column in columns], levels[places])
            else:
                size = len(levels) if isinstance(places, slice) else len(places)
                self.out.add(target, "arrive", copy.name, [column[places] for column in columns], size, levels[places])

    def _wait(self, name: str, columns: list[Column], levels: Column) -> None:
        if not len(levels):
            return
        low, high = int(levels.min()), int(levels.max())
        for level in range(low, high + 1) if high - low < 8 else np.unique(levels).tolist():
            chosen: slice | Mask = slice(None) if low == high else levels == level
            some = [column[chosen] for column in columns]
            if some and not len(some[0]):
                continue
            self.pending.setdefault(level, {}).setdefault(name, []).append(some)

    def _grow(self, stratum: LocalStratum) -> bool:
        """The lowest level that waits; False where what it derives has to be sent first."""
        level = min(self.pending)
        driving: dict[str, Column] = {}
        for name, parts in self.pending.pop(level).items():
            rows = self._put(name, parts, level)
            if len(rows):
                driving[name] = rows
                self.report.arrived += len(rows)
        self.report.levels += bool(driving)
        self._emit(stratum, self.using(stratum, driving))
        return True

    def _put(self, name: str, parts: list[list[Column]], level: int) -> Column:
        """Put tuples in at a level; the rows of those that had none, or a higher one."""
        relation = self.named(name)
        size = sum(len(part[0]) if part else 1 for part in parts)
        columns = [concatenate(list(some)) for some in zip(*parts, strict=True)]
        columns, counts = consolidate(columns, size)
        size = len(counts)
        rows = relation.locate(columns, size)
        there = rows >= 0
        known = rows[there]
        assert relation.level is not None
        present = (relation.state[known] & NEW) != 0
        higher = relation.level[known] > level
        self._lower(relation, known[present & higher], level)
        revived = known[~present]
        if len(revived):
            relation.put("level", revived, level)
            relation.state[revived] |= NEW
            relation.uniform = False
        missing = ~there
        first = relation.size
        state = SETTLED if self.settings.fresh else NEW
        if missing.any():
            first = relation.append([column[missing] for column in columns], int(missing.sum()), level, 0, state)
            relation.settle()
        fresh = np.arange(first, relation.size, dtype=np.int32)
        return np.concatenate([known[present & higher], revived, fresh])

    def _lower(self, relation: Relation, rows: Column, level: int) -> None:
        """Move tuples of the view down; what they had before the phase is remembered where that matters."""
        if not len(rows):
            return
        if not self.settings.fresh:
            if relation.former is None or len(relation.former) < relation.size:
                longer = np.zeros(len(relation.state), np.int32)
                if relation.former is not None:
                    longer[: len(relation.former)] = relation.former
                relation.former = longer
            kept = rows[((relation.state[rows] & KEPT) != 0) & (relation.former[rows] == 0)]
            relation.former[kept] = relation.levels_of(kept) + np.int32(1)
        relation.put("level", rows, level)
