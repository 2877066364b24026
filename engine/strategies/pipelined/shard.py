"""A shard: takes messages, goes through phases, and sends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import numpy as np

from ...backends.embedded.relation import Relation
from ...errors import EngineError
from .. import registry
from ..aggregate import AGGREGATE
from ..counting import COUNTING
from ..interface import Kept, Task
from ..recompute import recompute
from ..recompute import start as bootstrap
from .held import changes_of
from .localise import LocalStratum
from .losing import Losing
from .messages import LAST, Message
from .publishing import Publishing
from .report import Report, Settings
from .tallying import Tallying


class Shard(Losing, Tallying, Publishing):
    def begin(self, phase: str, index: int, settings: Settings) -> None:
        """The shard's own part of a phase, before any message of it."""
        self.settings = settings
        self.seen.clear()
        if index < 0:
            self._inputs()
            return
        stratum = self.program.strata[index]
        for name in stratum.names():
            self.named(name)
        if phase in ("climb", "grow", "lose", "regrow", "closed", "single") and settings.strategy != COUNTING.name:
            for name in stratum.relations:
                self.tables.pop(stratum.home(name).name, None)
        with self._noted(index):
            getattr(self, f"_begin_{phase}")(stratum)
            self._run(stratum)

    def receive(self, index: int, settings: Settings, messages: Iterable[Message]) -> None:
        self.settings = settings
        stratum = self.program.strata[index] if index >= 0 else None
        for name in stratum.names() if stratum is not None else ():
            self.named(name)
        if stratum is not None and settings.level >= 0:
            self.part_newest(stratum, settings.level)
        for message in messages:
            if (message.sender, message.number) in self.seen:
                continue
            self.seen.add((message.sender, message.number))
            self.report.received_rows += message.size
            with self._noted(index):
                self._take(stratum, message)
        if stratum is not None:
            with self._noted(index):
                self._run(stratum)

    @contextmanager
    def _noted(self, index: int) -> Iterator[None]:
        """Work within is the stratum's."""
        before = self.executor.work, self.executor.instantiations, self.report.levels
        yield
        after = self.executor.work, self.executor.instantiations, self.report.levels
        known = self.report.strata.get(str(index), (0, 0, 0))
        work, instantiations, levels = (k + a - b for k, a, b in zip(known, after, before, strict=True))
        self.report.strata[str(index)] = work, instantiations, levels

    def send(self) -> list[Message]:
        """What there is to be sent since the last time."""
        found = list(self.out.messages())
        self.report.sent_rows += sum(message.size for message in found if message.target != self.number)
        self.report.sent_bytes += sum(message.nbytes for message in found if message.target != self.number)
        self.report.asks |= any(message.kind not in LAST for message in found)
        self.report.work, self.report.instantiations = self.executor.work, self.executor.instantiations
        return found

    def reported(self) -> Report:
        """What was done since the last time."""
        found, self.report = self.report, Report(self.number)
        self.executor.work = self.executor.instantiations = 0
        return found

    def bring_back(self, relations: dict[str, Relation]) -> None:
        """Have relations as they were, and nothing begun."""
        self.relations.update(relations)
        self.pending, self.losses, self.deaths = {}, [], {}
        list(self.out.messages())

    def _take(self, stratum: LocalStratum | None, message: Message) -> None:
        columns, size = message.columns, message.size
        match message.kind:
            case "rows":
                assert message.counts is not None
                self._change(message.name, columns, message.counts)
                return
        assert stratum is not None
        match message.kind:
            case "fired" | "new":
                self.risen.setdefault(message.name, []).append((columns, size, message.counts))
            case "arrive":
                assert message.levels is not None
                self._wait(message.name, columns, message.levels)
            case "lost":
                assert message.levels is not None and message.counts is not None
                self.losses.append((message.name, columns, message.levels, message.counts))
            case "dead":
                self._die(message.name, columns, size)
            case "ask":
                self._emit(stratum, self.deriving(stratum, message.name, columns, size))
            case "tally":
                assert message.levels is not None and message.counts is not None
                self._tally(stratum, message.name, columns, message.levels, message.counts)
            case "recount":
                assert message.levels is not None
                self._recount(stratum, message.name, columns, message.levels)
            case "recounted":
                assert message.counts is not None
                home = self.relation(stratum.home(message.name))
                rows = self.located(home, columns, size)
                assert home.count is not None
                home.put("count", rows, home.count[rows].astype(np.int64) + message.counts)
            case _:
                raise EngineError(f"internal error: a message of the kind {message.kind!r}")

    def _run(self, stratum: LocalStratum) -> None:
        """Until nothing is left to do here."""
        if self.risen:
            self._rise()
        while True:
            if self.losses:
                self._lose(stratum)
            elif self.deaths:
                self._bury(stratum)
            elif self.pending:
                if not self._grow(stratum):
                    return
            else:
                return

    def _begin_single(self, stratum: LocalStratum) -> None:
        """A stratum without recursion: levels and counts in one go."""
        self._count(stratum, self.whole(stratum, recursive=False))

    def _begin_closed(self, stratum: LocalStratum) -> None:
        """A stratum that needs no exchange: as the embedded engine does it."""
        embedded = self.program.embedded(stratum)
        for copy in stratum.below:
            _note_changes(self.relation(copy))
        kept = Kept({stratum.index: self.settings.work} if self.settings.work else {})
        if embedded.relations and all(name in self.tables for name in embedded.relations):
            kept.level_counts[stratum.index] = {name: self.tables[name] for name in embedded.relations}
        task = Task(self.program, embedded, self.relations, self.executor, kept, switch=self.settings.switch)
        task.changes = sum(_changed(self.relation(copy)) for copy in stratum.below)
        if not task.changes and not self.settings.fresh:
            return
        if stratum.aggregation is not None:
            outcome = AGGREGATE.start(task) if self.settings.fresh else AGGREGATE.maintain(task)
        elif self.settings.fresh:
            outcome = bootstrap(task)
        elif self.settings.strategy == "bootstrap":
            outcome = recompute(task)
        else:
            outcome = registry.strategy(self.settings.strategy).maintain(task)
        self.tables.update(kept.level_counts.get(stratum.index, {}))
        self.report.levels += outcome.levels
        self.report.chosen[str(stratum.index)] = outcome.strategy or self.settings.strategy, outcome.reason
        for name in embedded.relations:
            _changed(self.relations[name])  # has them marked, where that was put off


def _note_changes(relation: Relation) -> None:
    relation.deleted, relation.inserted = changes_of(relation)


def _changed(relation: Relation) -> int:
    return len(relation.inserted) + len(relation.deleted)


__all__ = ["Shard"]
