"""What a shard holds, and what all phases do with it: look up, find instantiations, say who is to know of a tuple."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from ...backends.embedded.choice import Choices
from ...backends.embedded.execute import (
    AFTER,
    BEFORE,
    BEFORE_OR_AFTER,
    BETWEEN,
    Driving,
    Executor,
    Instantiations,
    Shared,
    View,
)
from ...backends.embedded.keys import Column, Indices, Mask
from ...backends.embedded.relation import DELTA, NEW, NO_ROWS, OLD, Relation
from ...datalog.plan import HEAD, CompiledRule
from ...errors import EngineError
from ..barred import newly_barred
from ..counting import COUNTING
from ..level_counts import LevelCounts
from .copies import Copy, is_heavy, shard_of
from .localise import LocalProgram, LocalStratum
from .messages import Number, Outbox
from .report import Report, Settings

UNMARKED: Final = np.uint8(0xFF & ~DELTA)
Fired = tuple[CompiledRule, Instantiations]


class Held:
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
        self.out = Outbox(number)
        self.pending: dict[int, dict[str, list[list[Column]]]] = {}
        self.losses: list[tuple[str, list[Column], Column, Number]] = []
        self.deaths: dict[str, list[Column]] = {}
        self.risen: dict[str, list[tuple[list[Column], int, Number | None]]] = {}
        self.seen: set[tuple[int, int]] = set()
        self.tables: dict[str, LevelCounts] = {}  # of homes, where the strategy `counting` keeps them

    def table(self, home: str) -> LevelCounts | None:
        """Where the strategy keeps counts of every level, those of a relation's tuples."""
        return self.tables.setdefault(home, LevelCounts()) if self.settings.strategy == COUNTING.name else None

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

    def targets(self, copy: Copy, columns: list[Column], size: int) -> Iterator[tuple[int, slice | Column]]:
        """Which of some tuples each shard is to have."""
        return self.program.targets(copy, columns, size)

    def running(self, stratum: LocalStratum) -> Iterator[CompiledRule]:
        """The rules that this shard runs: one that is localised on nothing runs in the first."""
        yield from (each.rule for each in stratum.rules if each.variable is not None or not self.number)

    def uses(self, stratum: LocalStratum, name: str) -> Iterator[tuple[CompiledRule, int]]:
        """Where rules that run here use a copy of a relation of the stratum."""
        for rule in self.running(stratum):
            for literal, atom in enumerate(rule.body):
                if atom.same_stratum and atom.relation == name:
                    yield rule, literal

    def from_below(self, stratum: LocalStratum, sign: int) -> Iterator[Fired]:
        """Instantiations that changes of lower relations take (or give), in their views before (after) all changes.
        Those that are given may come several times, with the driver's views as they are now."""
        for rule in self.running(stratum):
            for literal, atom in enumerate(rule.body):
                if atom.same_stratum:
                    continue
                relation = self.named(atom.relation)
                deleted, inserted = changes_of(relation)
                rows = deleted if (sign < 0) != atom.negated else inserted
                if not len(rows):
                    continue
                driver: list[Column | None] = [column[rows] for column in relation.columns]
                size = len(rows)
                if atom.negated:
                    driver, size = newly_barred(self.executor, relation, rule, literal, rows, sign)
                if not size:
                    continue
                views = views_of(rule, literal, sign)
                plan = self.program.plan(rule, literal)
                for found in self.executor.run(plan, Driving(driver, size), views, levelled=True):
                    yield rule, found

    def deriving(self, stratum: LocalStratum, name: str, columns: list[Column], size: int) -> Iterator[Fired]:
        shared: Shared = {}
        for rule in self.running(stratum):
            if rule.head == name:
                plan, views = self.program.plan(rule, HEAD), [AFTER] * len(rule.body)
                for found in self.executor.run(
                    plan, Driving(list(columns), size), views, levelled=True, origins=True, shared=shared
                ):
                    yield rule, found

    def ask(
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
                if rule.spread:
                    wanted[:, is_heavy(columns[rule.asked], self.program.heavy)] = True
        for target in range(self.program.shards):
            places = np.flatnonzero(wanted[target])
            some = [column[places] for column in columns]
            self.out.add(target, kind, name, some, len(places), None if levels is None else levels[places])

    def located(self, relation: Relation, columns: list[Column], size: int) -> Column:
        rows = relation.locate(columns, size)
        if (rows < 0).any():
            raise EngineError(f"internal error: a tuple of {relation.name} is not in shard {self.number}")
        return rows

    def is_home(self, name: str) -> bool:
        copy = self.copies[name]
        return self.program.homes[copy.relation] == copy


def distinct_rows(rows: Column) -> tuple[Column, Indices]:
    """Distinct rows, and where each of the given ones is among them."""
    touched, places = np.unique(rows, return_inverse=True)
    distinct: Column = touched.astype(np.int32)
    return distinct, places


def changes_of(relation: Relation) -> tuple[Column, Column]:
    """Rows that went and rows that came, by their states."""
    if relation.uniform:
        return NO_ROWS, NO_ROWS
    state = relation.state[: relation.size] & (OLD | NEW)
    return np.flatnonzero(state == OLD).astype(np.int32), np.flatnonzero(state == NEW).astype(np.int32)


def views_of(rule: CompiledRule, driver: int, sign: int) -> list[View]:
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
