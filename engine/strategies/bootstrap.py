"""Bootstrap: semi-naive evaluation of one stratum from nothing, keeping the multiplicity of each level's new tuples.

Level k is made of the instantiations whose highest body tuple has level k - 1. For each body literal in turn that
literal ranges over level k - 1 alone, literals before it over everything, literals after it over what is older: each
instantiation is met once, at the level at which it fires.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from ..backends.embedded.arrangement import concatenate
from ..backends.embedded.ascent import Ascended, Driven, ShortLevels
from ..backends.embedded.execute import AFTER, STABLE, Driving, Executor, Instantiations, Shared, View
from ..backends.embedded.keys import (
    EXACT_WIDTH,
    Column,
    Counts,
    Words,
    consolidate_words,
    count_words,
    merge_counts,
    places_of,
    unpack,
)
from ..backends.embedded.relation import NEW, SETTLED, Relation
from ..datalog.plan import HEAD, CompiledRule
from ..datalog.program import Stratum
from .families import Family, families
from .interface import Outcome, Plans
from .level_counts import LevelCounts

_MANY_HEADS: Final = 1 << 23  # heads that are counted before more are collected


def bootstrap(
    program: Plans,
    stratum: Stratum,
    relations: Mapping[str, Relation],
    executor: Executor,
    tables: Mapping[str, LevelCounts] | None = None,
) -> Outcome:
    """Fill the stratum's relations, which are empty, from the NEW view of the lower ones. `tables` take the counts of
    all levels, for each relation."""
    work, fired = executor.work, executor.instantiations
    rules = [rule for rule in stratum.rules if _may_fire(rule, relations)]
    if all(any(atom.same_stratum for atom in rule.body) for rule in rules):  # none is the first to fire
        rules = []
    heads = _Heads(stratum, relations, executor, tables or {})
    for rule in rules:
        if rule.from_input:
            storage = relations[rule.body[0].relation]
            heads.add(rule, run_whole(program, rule, relations, executor))
            assert storage.arity == len(rule.head_operands)
    heads.arrive(0)
    together = families(rule for rule in rules if not rule.from_input)
    for family in together:
        if not any(atom.same_stratum for atom in family.rule.body):
            heads.add_all(family, run_whole(program, family.rule, relations, executor))
    level = 1
    recursive = [
        (family, literal, tuple(_view(family.rule, other, literal) for other in range(len(family.rule.body))))
        for family in together
        for literal, atom in enumerate(family.rule.body)
        if atom.same_stratum
    ]
    short = ShortLevels(executor, heads.relations, [_driven(program, *each) for each in recursive])
    while True:
        if not heads.waiting and short.due() and (ascended := short.ascend(level, bool(tables))) is not None:
            level = heads.ascended(ascended)
            if ascended.over:
                break
        shared: dict[str, Shared] = {name: {} for name in stratum.relations}
        for family, literal, views in recursive:
            rule = family.rule
            relation = relations[rule.body[literal].relation]
            if relation.size > relation.stable and all(
                relations[atom.relation].size for atom in rule.body if not atom.negated
            ):
                newest = [column[relation.stable : relation.size] for column in relation.columns]
                plan = program.plan(rule, literal)
                size = relation.size - relation.stable
                pieces = executor.run(plan, Driving(newest, size), views, shared=shared[relation.name])
                heads.add_all(family, pieces)
        if not heads.arrive(level):
            break
        level += 1
    for table in (tables or {}).values():
        table.sort()
    return Outcome(executor.instantiations - fired, executor.work - work, level)


def _driven(program: Plans, family: Family, literal: int, views: Sequence[View]) -> Driven:
    heads = [(rule.head, family.rule.head_operands[columns]) for rule, columns in family.members]
    return Driven(program.plan(family.rule, literal), views, heads)


def _may_fire(rule: CompiledRule, relations: Mapping[str, Relation]) -> bool:
    """Whether no relation below the stratum that it joins is empty."""
    return all(atom.negated or atom.same_stratum or relations[atom.relation].size for atom in rule.body)


def _view(rule: CompiledRule, other: int, driver: int) -> View:
    return STABLE if rule.body[other].same_stratum and other > driver else AFTER


def run_whole(
    program: Plans,
    rule: CompiledRule,
    relations: Mapping[str, Relation],
    executor: Executor,
    everywhere: Words | None = None,
    levelled: bool = False,
) -> Iterator[Instantiations]:
    """All instantiations of a rule, driven by what promises the fewest rows. `everywhere`: the set of all versions,
    where there are many; all relations are in some of them then. `levelled`: with the levels at which they fire."""
    positive = [literal for literal, atom in enumerate(rule.body) if not atom.negated]
    views = [AFTER] * len(rule.body)
    if not positive:  # the head is made of constants
        driver: Sequence[Column] = [np.full(1, executor.constants[~operand]) for operand in rule.head_operands]
        yield from executor.run(
            program.plan(rule, HEAD), Driving(driver, 1, versions=everywhere), views, levelled=levelled
        )
        return

    def promised(literal: int) -> tuple[float, int]:
        constants = sum(operand is not None and operand < 0 for operand in rule.body[literal].operands)
        return relations[rule.body[literal].relation].size / 16**constants, literal

    if not all(relations[rule.body[literal].relation].size for literal in positive):
        return
    literal = min(positive, key=promised)
    relation = relations[rule.body[literal].relation]
    sets = None if relation.versions is None else relation.versions[: relation.size]
    if relation.uniform:
        driver, size = [column[: relation.size] for column in relation.columns], relation.size
    else:
        rows = relation.rows_in(NEW)
        driver, size = [column[rows] for column in relation.columns], len(rows)
    levels = None
    if levelled and rule.body[literal].same_stratum:
        levels = relation.levels_of(np.arange(relation.size, dtype=np.int32) if relation.uniform else rows)
    plan = program.plan(rule, literal)
    yield from executor.run(plan, Driving(driver, size, levels=levels, versions=sets), views, levelled=levelled)


@dataclass(slots=True)
class _Waiting:
    """Heads that were found for a relation at the running level. `new`: those that were counted and are not there yet,
    as words in the order of `order`, or as columns (and words, where these are in order) if they have more than two."""

    order: tuple[int, ...]
    parts: list[tuple[list[Column], int]] = field(default_factory=list)
    size: int = 0
    new: list[tuple[Words, Counts]] = field(default_factory=list)
    new_wide: list[tuple[list[Column], Counts, Words | None]] = field(default_factory=list)


class _Heads:
    """Collects the heads that fire at one level and lets those arrive that are new."""

    def __init__(
        self,
        stratum: Stratum,
        relations: Mapping[str, Relation],
        executor: Executor,
        tables: Mapping[str, LevelCounts],
    ):
        self.executor = executor
        self.tables = tables
        self.level = 0  # at which what is collected fires
        self.relations = {name: relations[name] for name in stratum.relations}
        self.waiting: dict[str, _Waiting] = {}

    def add(self, rule: CompiledRule, pieces: Iterable[Instantiations]) -> None:
        for piece in pieces:
            self._take(rule, piece.heads, piece.size)

    def add_all(self, family: Family, pieces: Iterable[Instantiations]) -> None:
        """Each piece is one of every member's."""
        for piece in pieces:
            self.executor.instantiations += piece.size * (len(family.members) - 1)
            for rule, columns in family.members:
                self._take(rule, piece.heads[columns], piece.size)

    def _take(self, rule: CompiledRule, heads: list[Column], size: int) -> None:
        relation, waiting = self.relations[rule.head], self.waiting.get(rule.head)
        if waiting is None:
            waiting = self.waiting[rule.head] = _Waiting(relation.whole().columns)
        waiting.parts.append(([heads[column] for column in waiting.order], size))
        waiting.size += size
        if waiting.size > _MANY_HEADS:
            self._count(relation, waiting)

    def _count(self, relation: Relation, waiting: _Waiting) -> None:
        """Consolidate what was found and keep what is not there yet."""
        if not waiting.size:
            return
        parts, waiting.parts, waiting.size = waiting.parts, [], 0
        if relation.arity > EXACT_WIDTH:
            self._count_wide(relation, waiting, parts)
            return
        words, counts, rows = count_words(parts, relation.locator())
        self.executor.search(relation, len(words))
        relation.whole().note_search(len(words))
        if rows is not None:
            new = places_of(rows < 0)
            if len(new) < len(words):
                self._add_known(relation, rows, counts)
                words, counts = words[new], counts[new]
        if len(words):
            waiting.new.append((words, counts))

    def _count_wide(self, relation: Relation, waiting: _Waiting, parts: list[tuple[list[Column], int]]) -> None:
        columns = [concatenate([part[index] for part, _ in parts]) for index in range(relation.arity)]
        columns, counts, words = consolidate_words(columns, sum(size for _, size in parts))
        if relation.size:
            self.executor.search(relation, len(counts))
            rows = relation.locate(columns, len(counts), words)
            new = places_of(rows < 0)
            if len(new) < len(counts):
                self._add_known(relation, rows, counts)
                columns, counts = [column[new] for column in columns], counts[new]
                words = None if words is None else words[new]
        if len(counts):
            waiting.new_wide.append((columns, counts, words))

    def _add_known(self, relation: Relation, rows: Column, counts: Counts) -> None:
        """What derives tuples that are there already; `rows` are distinct but for -1."""
        known = places_of(rows >= 0)
        rows, counts = rows[known], counts[known]
        if relation.total is not None:
            relation.put("total", rows, relation.total[rows] + counts)
        if relation.above is not None:
            newest = places_of(rows >= relation.stable)  # they are of the level before
            relation.put("above", rows[newest], relation.above[rows[newest]] + counts[newest])
        if self.tables:
            self.tables[relation.name].note(rows, self.level, counts)

    def ascended(self, found: Ascended) -> int:
        """Note what has fired at short levels; the next level."""
        for name, table in self.tables.items():
            fired = found.fired[name]
            if len(fired.rows):
                table.note(fired.rows, fired.levels, fired.counts)
        self.level = found.level
        return found.level

    def arrive(self, level: int) -> int:
        """The number of tuples that are new at `level`; they are the relations' newest rows from now on."""
        arrived = 0
        for name, relation in self.relations.items():
            waiting = self.waiting.pop(name, None)
            if waiting is None:
                relation.settle()
                continue
            self._count(relation, waiting)
            relation.settle()
            columns: list[Column] = []
            words: Words | None = None
            if waiting.new:
                words, counts = waiting.new[0]
                if len(waiting.new) > 1:
                    words, counts = merge_counts(waiting.new)
                by_column = dict(zip(waiting.order, unpack(words, relation.arity), strict=True))
                columns = [by_column[column] for column in range(relation.arity)]
            elif waiting.new_wide:
                columns, counts, words = waiting.new_wide[0]
                if len(waiting.new_wide) > 1:
                    counts = np.concatenate([part[1] for part in waiting.new_wide])
                    parts = [part[0] for part in waiting.new_wide]
                    columns = [np.concatenate([part[index] for part in parts]) for index in range(relation.arity)]
                    columns, counts, words = consolidate_words(columns, len(counts), counts)
            else:
                continue
            if words is not None:
                relation.whole().prepare(relation, recent=False)
            first = relation.append(columns, len(counts), level, counts, SETTLED, above=1)
            if words is not None:
                relation.whole().take_recent(relation, words)
            if self.tables:
                self.tables[name].note(np.arange(first, relation.size, dtype=np.int32), level, counts)
            arrived += len(counts)
        self.level = level + 1
        return arrived
