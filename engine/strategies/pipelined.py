"""Asynchronous evaluation: shards run their rules on what they hold, and tell each other what they derive.

A shard holds copies of relations (`pipelined_plan`) and never waits inside a phase: messages may come in any order, in
any batch and late. What makes this right, phase by phase:

    grow     The levels are the least solution of level(head) = min over instantiations of 1 + max(level(body)). A tuple
             is put in at the level at which it is derived, and again when it is derived at a lower one; whatever uses
             it is then derived again. A shard takes its lowest level first, so that little is put in too high.
    lose     Old levels stand still. An instantiation that loses a body tuple is taken from its head's count once: when
             the first of them leaves the shard's view. A tuple whose count at its level is used up is dead everywhere.
             What supports a tuple at its level lies below, so no cycle keeps it up, and the dead are the same in any
             order.
    regrow   From what is left, grow by what is gained, and by what still derives the dead.
    tally    Levels are final. Instantiations that are new or fire at another level are counted at the home of their
             head; tuples that have another level are counted afresh.

An evaluation from nothing is grow and tally. A phase ends when no message is under way. The result is that of
Bootstrap, tuple by tuple, level by level, count by count. Closed strata (`pipelined_plan`) need none of this: each
shard runs the embedded strategy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from ..backends.embedded.arrangement import concatenate
from ..backends.embedded.choice import Choices
from ..backends.embedded.execute import (
    AFTER,
    AFTER_BUT_DELTA,
    BEFORE,
    BEFORE_OR_AFTER,
    BETWEEN,
    Executor,
    Instantiations,
    Shared,
    View,
)
from ..backends.embedded.keys import Column, Indices, Mask, consolidate
from ..backends.embedded.relation import DELTA, KEPT, NEW, NO_ROWS, OLD, SETTLED, Relation
from ..datalog.plan import HEAD, CompiledRule
from ..errors import EngineError
from . import registry
from .aggregate import AGGREGATE
from .interface import Kept, Task
from .pipelined_messages import Message, Number, Outbox, by_level, lowest
from .pipelined_plan import ALL, Copy, LocalProgram, LocalRule, LocalStratum, shard_of
from .recompute import recompute
from .recompute import start as bootstrap

KEPT_BUT_DELTA: Final = View(True, np.array([bool(state & KEPT) and not state & DELTA for state in range(16)]))
_LEFT: Final = np.uint8(0xFF & ~(NEW | KEPT | DELTA))
_UNMARKED: Final = np.uint8(0xFF & ~DELTA)
Found = Iterable[tuple[LocalRule, Instantiations]]


@dataclass(slots=True)
class Settings:
    """`ahead`: whether a shard goes on with what it derives itself before it sends. `fresh`: the stratum's relations
    are empty. `overdelete`: whatever loses an instantiation is dead, as in delete-and-rederive. `strategy`, `switch`,
    `work`: for closed strata, and what the stratum's last evaluation from nothing cost a shard."""

    ahead: bool = True
    fresh: bool = True
    overdelete: bool = False
    strategy: str = "bootstrap"
    switch: float = 0.0
    work: int = 0


@dataclass(slots=True)
class Report:
    """What a shard did in a step. `changes`: relation -> (inserted, deleted, size), at homes, when it is published.
    `strata`: index -> (work, instantiations, levels), of which the whole is made."""

    shard: int = 0
    work: int = 0
    instantiations: int = 0
    arrived: int = 0
    levels: int = 0
    sent_rows: int = 0
    sent_bytes: int = 0
    received_rows: int = 0
    held_rows: int = 0
    seconds: float = 0.0
    reasons: list[str] = field(default_factory=list)
    strata: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    changes: dict[str, tuple[int, int, int]] = field(default_factory=dict)


class Shard:
    """`relations`: by the names of copies; those that are missing are empty. A shard may be thrown away between steps
    and made again from its relations: what it has not sent or put in is nowhere else."""

    def __init__(
        self,
        number: int,
        program: LocalProgram,
        relations: dict[str, Relation],
        constants: Column,
        compare: Callable[[str, Column, Column], Mask],
    ):
        self.number, self.program, self.relations = number, program, relations
        self.levelled = {copy.name for each in program.strata for some in each.copies.values() for copy in some}
        self.copies = {copy.name: copy for copy in program.copies()}
        self.executor = Executor(relations, constants, compare, Choices(relations, lambda name, key: None))
        self.settings = Settings()
        self.report = Report(number)
        self.written: set[str] = set()  # names of relations that may have changed since the shard was made
        self.out = Outbox(number)
        self.pending: dict[int, dict[str, list[list[Column]]]] = {}
        self.losses: list[tuple[str, list[Column], Column, Number]] = []
        self.deaths: dict[str, list[Column]] = {}
        self.seen: set[tuple[int, int]] = set()

    def relation(self, copy: Copy) -> Relation:
        return self.named(copy.name)

    def named(self, name: str) -> Relation:
        found = self.relations.get(name)
        if found is None:
            copy = self.copies[name]
            home = self.program.homes[copy.relation] == copy
            levelled = name in self.levelled
            found = Relation(name, self.program.arity(copy.relation), levelled, levelled and home)
            self.relations[name] = found
        return found

    # Phases

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
        with self._noted(index):
            getattr(self, f"_begin_{phase}")(stratum)
            self._run(stratum)

    def receive(self, index: int, settings: Settings, messages: Iterable[Message]) -> None:
        self.settings = settings
        stratum = self.program.strata[index] if index >= 0 else None
        for name in stratum.names() if stratum is not None else ():
            self.named(name)
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
        self.report.work, self.report.instantiations = self.executor.work, self.executor.instantiations
        return found

    def reported(self) -> Report:
        """What was done since the last time."""
        found, self.report = self.report, Report(self.number)
        self.executor.work = self.executor.instantiations = 0
        return found

    def _take(self, stratum: LocalStratum | None, message: Message) -> None:
        columns, size = message.columns, message.size
        match message.kind:
            case "rows":
                assert message.counts is not None
                self._change(message.name, columns, message.counts)
                return
        assert stratum is not None
        match message.kind:
            case "arrive":
                assert message.levels is not None
                self._wait(message.name, columns, message.levels)
            case "lost":
                assert message.levels is not None and message.counts is not None
                self.losses.append((message.name, columns, message.levels, message.counts))
            case "dead":
                self._die(message.name, columns, size)
            case "ask":
                self._emit(stratum, self._deriving(stratum, message.name, columns, size))
            case "tally":
                assert message.levels is not None and message.counts is not None
                self._tally(stratum, message.name, columns, message.levels, message.counts)
            case "recount":
                assert message.levels is not None
                self._recount(stratum, message.name, columns, message.levels)
            case "recounted":
                assert message.counts is not None
                home = self.relation(stratum.home(message.name))
                rows = self._located(home, columns, size)
                assert home.count is not None
                home.put("count", rows, home.count[rows].astype(np.int64) + message.counts)
                self.written.add(home.name)
            case _:
                raise EngineError(f"internal error: a message of the kind {message.kind!r}")

    def _run(self, stratum: LocalStratum) -> None:
        """Until nothing is left to do here."""
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

    # Growing

    def _begin_grow(self, stratum: LocalStratum) -> None:
        if not self.settings.fresh:
            self._empty(stratum)
        self._emit(stratum, self._whole(stratum, recursive=False))

    def _begin_single(self, stratum: LocalStratum) -> None:
        """A stratum without recursion: levels and counts in one go."""
        self._count(stratum, self._whole(stratum, recursive=False))

    def _begin_closed(self, stratum: LocalStratum) -> None:
        """A stratum that needs no exchange: as the embedded engine does it."""
        embedded = self.program.embedded(stratum)
        for copy in stratum.below:
            _note_changes(self.relation(copy))
        kept = Kept({stratum.index: self.settings.work} if self.settings.work else {})
        # The plans come from the local program, which has the same method.
        task = Task(self.program, embedded, self.relations, self.executor, kept, switch=self.settings.switch)  # type: ignore[arg-type]
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
        self.report.levels += outcome.levels
        self.report.reasons.append(f"{outcome.strategy or self.settings.strategy}: {outcome.reason}")
        for name in embedded.relations:
            _changed(self.relations[name])  # has them marked, where that was put off
        self.written.update(embedded.relations)

    def _empty(self, stratum: LocalStratum) -> None:
        """Take everything out of the current view, to put it in again."""
        for some in stratum.copies.values():
            for copy in some:
                relation = self.relation(copy)
                relation.own()
                relation.state[: relation.size] &= np.uint8(OLD)
                relation.uniform = not relation.size
                if relation.count is not None and relation.size:
                    relation.put("count", slice(relation.size), 0)
                    relation.put("total", slice(relation.size), 0)
                self.written.add(relation.name)

    def _whole(self, stratum: LocalStratum, recursive: bool) -> Iterator[tuple[LocalRule, Instantiations]]:
        """All instantiations of rules, each once: of those without atoms of the stratum, or of all."""
        for rule in stratum.rules:
            own = any(atom.same_stratum for atom in rule.rule.body)
            if (recursive or not own) and (rule.variable is not None or not self.number):
                for found in self._whole_rule(rule.rule):
                    yield rule, found

    def _whole_rule(self, rule: CompiledRule) -> Iterator[Instantiations]:
        positive = [literal for literal, atom in enumerate(rule.body) if not atom.negated]
        views = [AFTER] * len(rule.body)
        if not positive:  # the head is made of constants
            driver = [np.full(1, self.executor.constants[~operand]) for operand in rule.head_operands]
            yield from self.executor.run(self.program.plan(rule, HEAD), driver, 1, views, levelled=True)
            return

        def promised(literal: int) -> tuple[float, int]:
            constants = sum(operand is not None and operand < 0 for operand in rule.body[literal].operands)
            return self.named(rule.body[literal].relation).size / 16**constants, literal

        if not all(self.named(rule.body[literal].relation).size for literal in positive):
            return
        literal = min(positive, key=promised)
        relation = self.named(rule.body[literal].relation)
        rows = slice(relation.size) if relation.uniform else relation.rows_in(NEW)
        size = relation.size if isinstance(rows, slice) else len(rows)
        levels = None
        if rule.body[literal].same_stratum:
            assert relation.level is not None
            levels = relation.level[rows].astype(np.int32)
        driver_columns = [column[rows] for column in relation.columns]
        plan = self.program.plan(rule, literal)
        yield from self.executor.run(plan, driver_columns, size, views, levelled=True, driver_levels=levels)

    def _emit(self, stratum: LocalStratum, instantiations: Found) -> None:
        """Heads as they arrive at all copies of their relations: here, and in other shards."""
        for name, heads, levels, size in _by_relation(instantiations):
            columns, at = lowest(heads, levels, size)
            for copy in stratum.copies[name]:
                self._route(copy, columns, at)

    def _route(self, copy: Copy, columns: list[Column], levels: Column) -> None:
        for target, places in self._targets(copy, columns, len(levels)):
            if target == self.number and self.settings.ahead:
                self._wait(copy.name, [column[places] for column in columns], levels[places])
            else:
                size = len(levels) if isinstance(places, slice) else len(places)
                self.out.add(target, "arrive", copy.name, [column[places] for column in columns], size, levels[places])

    def _targets(self, copy: Copy, columns: list[Column], size: int) -> Iterator[tuple[int, slice | Column]]:
        """Which of some tuples each shard is to have."""
        shards = self.program.shards
        if copy.key == ALL:
            yield from ((target, slice(None)) for target in range(shards))
            return
        if copy.key < 0 or shards == 1:
            yield 0, slice(None)
            return
        yield from _parted(shard_of(columns[copy.key], shards), shards)

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
                self.written.add(name)
                self.report.arrived += len(rows)
        self.report.levels += bool(driving)
        self._emit(stratum, self._using(stratum, driving))
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

    def _using(
        self, stratum: LocalStratum, driving: Mapping[str, Column]
    ) -> Iterator[tuple[LocalRule, Instantiations]]:
        """Instantiations with a body tuple among `driving`; one with several may come several times."""
        for name, rows in driving.items():
            relation = self.relations[name]
            columns, levels = [column[rows] for column in relation.columns], relation.levels_of(rows)
            shared: Shared = {}
            for rule, literal in self._uses(stratum, name):
                views = [AFTER] * len(rule.rule.body)
                for found in self.executor.run(
                    self.program.plan(rule.rule, literal), columns, len(rows), views,
                    levelled=True, driver_levels=levels, shared=shared,
                ):  # fmt: skip
                    yield rule, found

    def _uses(self, stratum: LocalStratum, name: str) -> Iterator[tuple[LocalRule, int]]:
        """Where rules that run here use a copy of a relation of the stratum."""
        for rule in stratum.rules:
            if rule.variable is None and self.number:
                continue
            for literal, atom in enumerate(rule.rule.body):
                if atom.same_stratum and atom.relation == name:
                    yield rule, literal

    # Losing

    def _begin_lose(self, stratum: LocalStratum) -> None:
        for name, heads, levels, size in _by_relation(self._from_below(stratum, -1)):
            self._lost(stratum, name, heads, levels, size)

    def _from_below(self, stratum: LocalStratum, sign: int) -> Iterator[tuple[LocalRule, Instantiations]]:
        """Instantiations that changes of lower relations take (or give), in their views before (after) all changes.
        Those that are given may come several times, with the driver's views as they are now."""
        for rule in stratum.rules:
            if rule.variable is None and self.number:
                continue
            for literal, atom in enumerate(rule.rule.body):
                if atom.same_stratum:
                    continue
                relation = self.named(atom.relation)
                deleted, inserted = _changes(relation)
                rows = deleted if (sign < 0) != atom.negated else inserted
                if not len(rows):
                    continue
                driver: list[Column | None] = [column[rows] for column in relation.columns]
                size = len(rows)
                if atom.negated:
                    driver, size = self._projected(rule.rule, literal, rows, sign)
                if not size:
                    continue
                views = _views(rule.rule, literal, sign)
                plan = self.program.plan(rule.rule, literal)
                for found in self.executor.run(plan, driver, size, views, levelled=True):
                    yield rule, found

    def _projected(self, rule: CompiledRule, literal: int, rows: Column, sign: int) -> tuple[list[Column | None], int]:
        """What a negated atom newly bars (or no longer bars), where no other row bars it."""
        atom = rule.body[literal]
        relation = self.named(atom.relation)
        named = tuple(column for column, operand in enumerate(atom.operands) if operand is not None)
        values, size = [relation.columns[column][rows] for column in named], len(rows)
        if len(named) < relation.arity:
            values, counts = consolidate(values, size)
            view = BEFORE if sign < 0 else AFTER
            free = self.executor.absent(relation, named, values, len(counts), view)
            values, size = [column[free] for column in values], len(free)
        columns: list[Column | None] = [None] * relation.arity
        for column, of_column in zip(named, values, strict=True):
            columns[column] = of_column
        return columns, size

    def _lost(self, stratum: LocalStratum, name: str, heads: list[Column], levels: Column, size: int) -> None:
        columns, at, counts = by_level(heads, levels, size)
        for target, places in self._targets(stratum.home(name), columns, len(at)):
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
            rows = self._located(home, columns, len(levels))
            assert home.total is not None and home.count is not None
            home.own()
            self.written.add(home.name)
            touched, places = _unique(rows)
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
                for target, of_target in self._targets(copy, tuples, len(dead)):
                    some = [column[of_target] for column in tuples]
                    size = len(dead[of_target])
                    if target == self.number and self.settings.ahead:
                        self._die(copy.name, some, size)
                    else:
                        self.out.add(target, "dead", copy.name, some, size)

    def _die(self, name: str, columns: list[Column], size: int) -> None:
        if size:
            rows = self._located(self.named(name), columns, size)
            self.deaths.setdefault(name, []).append(rows)

    def _bury(self, stratum: LocalStratum) -> None:
        """Take dead tuples out of the view, with all instantiations that use them."""
        dead: dict[str, Column] = {}
        for name, parts in self.deaths.items():
            rows = np.unique(concatenate(parts))
            rows = rows[(self.relations[name].state[rows] & NEW) != 0]
            if len(rows):
                dead[name] = rows
        self.deaths = {}
        for name, rows in dead.items():
            relation = self.relations[name]
            relation.own()
            relation.state[rows] |= DELTA
            relation.uniform = False
            self.written.add(name)
        for name, heads, levels, size in _by_relation(self._dying(stratum, dead)):
            self._lost(stratum, name, heads, levels, size)
        for name, rows in dead.items():
            self.relations[name].state[rows] &= _LEFT

    def _dying(self, stratum: LocalStratum, dead: Mapping[str, Column]) -> Iterator[tuple[LocalRule, Instantiations]]:
        """Each instantiation of the view with a tuple that is marked as dying once."""
        for name, rows in dead.items():
            relation = self.relations[name]
            columns, levels = [column[rows] for column in relation.columns], relation.levels_of(rows)
            for rule, literal in self._uses(stratum, name):
                views = []
                for other, atom in enumerate(rule.rule.body):
                    if atom.same_stratum:
                        views.append(AFTER_BUT_DELTA if other < literal else AFTER)
                    else:
                        views.append(BEFORE_OR_AFTER if atom.negated else BETWEEN)
                plan = self.program.plan(rule.rule, literal)
                for found in self.executor.run(plan, columns, len(rows), views, levelled=True, driver_levels=levels):
                    yield rule, found

    # Growing again

    def _begin_regrow(self, stratum: LocalStratum) -> None:
        self._emit(stratum, self._from_below(stratum, +1))
        for name in stratum.relations:
            home = self.relation(stratum.home(name))
            assert home.total is not None
            rows = np.flatnonzero((home.state[: home.size] & (OLD | NEW)) == OLD)
            rows = rows[home.total[rows] > 0]
            self._ask(stratum, name, "ask", [column[rows] for column in home.columns], len(rows), None)

    def _ask(
        self, stratum: LocalStratum, name: str, kind: str, columns: list[Column], size: int, levels: Column | None
    ) -> None:
        """Ask the shards that may derive tuples of a relation."""
        if not size:
            return
        rules = [rule for rule in stratum.rules if rule.rule.head == name]
        wanted = np.zeros((self.program.shards, size), np.bool_)
        for rule in rules:
            if rule.variable is None:
                wanted[0] = True
            elif rule.asked is None:
                wanted[:] = True
            else:
                wanted[shard_of(columns[rule.asked], self.program.shards), np.arange(size)] = True
        for target in range(self.program.shards):
            places = np.flatnonzero(wanted[target])
            some = [column[places] for column in columns]
            self.out.add(target, kind, name, some, len(places), None if levels is None else levels[places])

    def _deriving(
        self, stratum: LocalStratum, name: str, columns: list[Column], size: int
    ) -> Iterator[tuple[LocalRule, Instantiations]]:
        shared: Shared = {}
        for rule in stratum.rules:
            if rule.rule.head == name and (rule.variable is not None or not self.number):
                plan, views = self.program.plan(rule.rule, HEAD), [AFTER] * len(rule.rule.body)
                for found in self.executor.run(
                    plan, list(columns), size, views, levelled=True, origins=True, shared=shared
                ):
                    yield rule, found

    # Counting

    def _begin_tally(self, stratum: LocalStratum) -> None:
        if self.settings.fresh:
            self._count(stratum, self._whole(stratum, recursive=True))
            return
        for name in stratum.relations:
            self._begin_recount(stratum, name)
        self._count(stratum, self._gained(stratum))
        self._count(stratum, self._moved(stratum), moved=True)
        for some in stratum.copies.values():
            for copy in some:
                self._settle(self.relation(copy))

    def _begin_retally(self, stratum: LocalStratum) -> None:
        """After an evaluation from nothing in place of old relations."""
        self._count(stratum, self._whole(stratum, recursive=True))
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
            home.put("count", rows, 0)
            home.state[rows] |= DELTA
            home.uniform = False
            self.written.add(home.name)
        columns = [column[rows] for column in home.columns]
        self._ask(stratum, name, "recount", columns, len(rows), home.levels_of(rows))

    def _gained(self, stratum: LocalStratum) -> Iterator[tuple[LocalRule, Instantiations]]:
        """Each instantiation of the new view that was not in the old one, or lost a tuple meanwhile, once."""
        for rule in stratum.rules:
            if rule.variable is None and self.number:
                continue
            for literal, atom in enumerate(rule.rule.body):
                relation = self.named(atom.relation)
                state = relation.state[: relation.size]
                if relation.uniform:
                    continue
                levels = None
                if atom.negated:
                    rows = _changes(relation)[0]
                    driver, size = self._projected(rule.rule, literal, rows, +1)
                else:
                    rows = np.flatnonzero((state & (NEW | KEPT)) == NEW).astype(np.int32)
                    driver, size = [column[rows] for column in relation.columns], len(rows)
                    levels = relation.levels_of(rows) if atom.same_stratum else None
                if not size:
                    continue
                views = _views(rule.rule, literal, +1)
                plan = self.program.plan(rule.rule, literal)
                for found in self.executor.run(plan, driver, size, views, levelled=True, driver_levels=levels):
                    yield rule, found

    def _moved(self, stratum: LocalStratum) -> Iterator[tuple[LocalRule, Instantiations]]:
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
            for rule, literal in self._uses(stratum, name):
                views = []
                for other, atom in enumerate(rule.rule.body):
                    if atom.same_stratum:
                        views.append(KEPT_BUT_DELTA if other < literal else BETWEEN)
                    else:
                        views.append(BEFORE_OR_AFTER if atom.negated else BETWEEN)
                plan = self.program.plan(rule.rule, literal)
                for found in self.executor.run(
                    plan, columns, len(rows), views, levelled=True, driver_levels=levels, driver_former=former,
                    ceiling=ceiling,
                ):  # fmt: skip
                    yield rule, found
        for name, (rows, _) in driving.items():
            if not self._is_home(name):  # there the mark says what is counted afresh
                self.relations[name].state[rows] &= _UNMARKED

    def _is_home(self, name: str) -> bool:
        copy = self.copies[name]
        return self.program.homes[copy.relation] == copy

    def _count(self, stratum: LocalStratum, instantiations: Found, moved: bool = False) -> None:
        """Tell homes of instantiations, by the level at which they fire. `moved`: the total has them already."""
        for name, heads, levels, size in _by_relation(instantiations):
            columns, at, counts = by_level(heads, levels, size)
            if moved:
                at = -1 - at
            for target, places in self._targets(stratum.home(name), columns, len(at)):
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
        self.written.add(home.name)
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
        at = home.levels_of(rows)
        if (levels < at).any():  # only of inputs of a stratum without recursion, which have level 0
            lower = levels < at
            home.put("count", rows[lower], 0)
            home.put("level", rows[lower], levels[lower])
            at = home.levels_of(rows)
        counted = (levels == at) & ((home.state[rows] & DELTA) == 0)
        self._add(home, "count", rows[counted], counts[counted])

    def _add(self, home: Relation, what: str, rows: Column, counts: Number) -> None:
        if not len(rows):
            return
        touched, places = _unique(rows)
        sums = np.bincount(places, weights=counts, minlength=len(touched)).astype(np.int64)
        home.put(what, touched, getattr(home, what)[touched].astype(np.int64) + sums)  # type: ignore[arg-type]

    def _recount(self, stratum: LocalStratum, name: str, columns: list[Column], levels: Column) -> None:
        """How many instantiations fire at each tuple's level."""
        counts = np.zeros(len(levels), np.int64)
        for rule, found in self._deriving(stratum, name, columns, len(levels)):
            assert found.levels is not None and found.origins is not None
            fires = np.zeros(found.size, np.int32) if rule.rule.from_input else found.levels + 1
            here = found.origins[fires == levels[found.origins]]
            counts += np.bincount(here, minlength=len(levels))
        met = np.flatnonzero(counts)
        tuples = [column[met] for column in columns]
        for target, places in self._targets(stratum.home(name), tuples, len(met)):
            some = [column[places] for column in tuples]
            self.out.add(target, "recounted", name, some, len(met[places]), None, counts[met][places])

    # Between strata

    def _begin_publish(self, stratum: LocalStratum) -> None:
        """Tell copies that only higher strata use what came and what went, and the caller how much that was."""
        for name in stratum.relations:
            home = self.relation(stratum.home(name))
            deleted, inserted = _changes(home) if not self.settings.fresh else (NO_ROWS, home.rows_in(NEW))
            size = home.size if home.uniform else int(np.count_nonzero(home.state[: home.size] & NEW))
            self.report.changes[name] = (len(inserted), len(deleted), size)
            for rows, sign in ((deleted, -1), (inserted, 1)):
                tuples = [column[rows] for column in home.columns]
                for copy in stratum.later[name]:
                    for target, places in self._targets(copy, tuples, len(rows)):
                        some = [column[places] for column in tuples]
                        counts = np.full(len(rows[places]), sign, np.int64)
                        if target == self.number:
                            self._change(copy.name, some, counts)
                        else:
                            self.out.add(target, "rows", copy.name, some, len(counts), None, counts)

    def _inputs(self) -> None:
        """Tell the caller what became of the inputs."""
        for name in self.program.inputs:
            home = self.relation(self.program.homes[name])
            deleted, inserted = _changes(home)
            size = home.size if home.uniform else int(np.count_nonzero(home.state[: home.size] & NEW))
            self.report.changes[name] = (len(inserted), len(deleted), size)

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
        self.written.add(relation.name)

    def _change(self, name: str, columns: list[Column], counts: Number) -> None:
        """Tuples of a finished relation come and go; what changes nothing is left out."""
        relation = self.named(name)
        self.written.add(name)
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

    def finish(self) -> None:
        """The views of the epoch that ran become one."""
        for relation in self.relations.values():
            if relation.uniform and relation.former is None:
                continue
            self.written.add(relation.name)
            relation.former = None
            relation.inserted = relation.deleted = NO_ROWS
            state = relation.state[: relation.size]
            alive = (state & NEW) != 0
            relation.own()
            relation.state[: relation.size] = np.where(alive, SETTLED, 0).astype(np.uint8)
            relation.dead = relation.size - int(np.count_nonzero(alive))
            relation.uniform = relation.dead == 0
            if relation.dead and relation.count is not None:
                gone = np.flatnonzero(~alive).astype(np.int32)
                relation.put("count", gone, 0)
                relation.put("total", gone, 0)
        for name, relation in list(self.relations.items()):
            if 2 * relation.dead > relation.size:
                self.relations[name] = relation.compacted()

    def _located(self, relation: Relation, columns: list[Column], size: int) -> Column:
        rows = relation.locate(columns, size)
        if (rows < 0).any():
            raise EngineError(f"internal error: a tuple of {relation.name} is not in shard {self.number}")
        return rows


def _by_relation(instantiations: Found) -> Iterator[tuple[str, list[Column], Column, int]]:
    """Heads and the levels at which they fire, by relation."""
    heads: dict[str, list[list[Column]]] = {}
    levels: dict[str, list[Column]] = {}
    for rule, found in instantiations:
        if not found.size:
            continue
        assert found.levels is not None
        heads.setdefault(rule.rule.head, []).append(found.heads)
        fires = np.zeros(found.size, np.int32) if rule.rule.from_input else found.levels + np.int32(1)
        levels.setdefault(rule.rule.head, []).append(fires)
    for name, parts in heads.items():
        at = concatenate(levels[name])
        yield name, [concatenate(list(some)) for some in zip(*parts, strict=True)], at, len(at)


def _parted(shards_of: Indices, shards: int) -> Iterator[tuple[int, Column]]:
    order = np.argsort(shards_of, kind="stable")
    ends = np.searchsorted(shards_of[order], np.arange(shards + 1))
    for target in range(shards):
        if ends[target] < ends[target + 1]:
            yield target, order[ends[target] : ends[target + 1]].astype(np.int32)


def _unique(rows: Column) -> tuple[Column, Indices]:
    """Distinct rows, and where each of the given ones is among them."""
    touched, places = np.unique(rows, return_inverse=True)
    distinct: Column = touched.astype(np.int32)
    return distinct, places


def _views(rule: CompiledRule, driver: int, sign: int) -> list[View]:
    """For a change that literal `driver` ranges over: literals before it range over what did not change, literals after
    it over all there was (or is)."""
    views = []
    for literal, atom in enumerate(rule.body):
        if literal < driver:
            same = AFTER if atom.same_stratum and sign < 0 else BETWEEN
            views.append(BEFORE_OR_AFTER if atom.negated else same)
        elif atom.same_stratum:
            views.append(AFTER)
        else:
            views.append(BEFORE if sign < 0 else AFTER)
    return views


def _changes(relation: Relation) -> tuple[Column, Column]:
    """Rows that went and rows that came, by their states."""
    if relation.uniform:
        return NO_ROWS, NO_ROWS
    state = relation.state[: relation.size] & (OLD | NEW)
    return np.flatnonzero(state == OLD).astype(np.int32), np.flatnonzero(state == NEW).astype(np.int32)


def _note_changes(relation: Relation) -> None:
    relation.deleted, relation.inserted = _changes(relation)


def _changed(relation: Relation) -> int:
    return len(relation.inserted) + len(relation.deleted)


__all__ = ["Report", "Settings", "Shard"]
