"""Bootstrap: semi-naive evaluation of one stratum from nothing, keeping the multiplicity of each level's new tuples.

Level k is made of the instantiations whose highest body tuple has level k - 1. For each body literal in turn that
literal ranges over level k - 1 alone, literals before it over everything, literals after it over what is older: each
instantiation is met once, at the level at which it fires.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..backends.embedded.arrangement import concatenate
from ..backends.embedded.execute import AFTER, STABLE, Executor, Instantiations, Shared, View
from ..backends.embedded.keys import Column, consolidate
from ..backends.embedded.relation import NEW, SETTLED, Relation
from ..datalog.plan import HEAD, CompiledRule
from ..datalog.program import Program, Stratum
from .families import Family, families
from .interface import Outcome
from .level_counts import LevelCounts

_MANY_HEADS: Final = 1 << 23  # heads that are counted before more are collected

_Counted = tuple[list[Column], NDArray[np.int64]]


def bootstrap(
    program: Program,
    stratum: Stratum,
    relations: Mapping[str, Relation],
    executor: Executor,
    tables: Mapping[str, LevelCounts] | None = None,
) -> Outcome:
    """Fill the stratum's relations, which are empty, from the NEW view of the lower ones. `tables` take the counts of
    all levels, for each relation."""
    work, fired = executor.work, executor.instantiations
    heads = _Heads(stratum, relations, tables or {})
    for rule in stratum.rules:
        if rule.from_input:
            storage = relations[rule.body[0].relation]
            heads.add(rule, run_whole(program, rule, relations, executor))
            assert storage.arity == len(rule.head_operands)
    heads.arrive(0)
    together = families(rule for rule in stratum.rules if not rule.from_input)
    for family in together:
        if not any(atom.same_stratum for atom in family.rule.body):
            heads.add_all(family, run_whole(program, family.rule, relations, executor), executor)
    level = 1
    recursive = [
        (family, literal, tuple(_view(family.rule, other, literal) for other in range(len(family.rule.body))))
        for family in together
        for literal, atom in enumerate(family.rule.body)
        if atom.same_stratum
    ]
    while True:
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
                pieces = executor.run(plan, newest, size, views, shared=shared[relation.name])
                heads.add_all(family, pieces, executor)
        if not heads.arrive(level):
            break
        level += 1
    for table in (tables or {}).values():
        table.sort()
    return Outcome(executor.instantiations - fired, executor.work - work, level)


def _view(rule: CompiledRule, other: int, driver: int) -> View:
    return STABLE if rule.body[other].same_stratum and other > driver else AFTER


def run_whole(
    program: Program, rule: CompiledRule, relations: Mapping[str, Relation], executor: Executor
) -> Iterator[Instantiations]:
    """All instantiations of a rule without same-stratum atoms, driven by what promises the fewest rows."""
    positive = [literal for literal, atom in enumerate(rule.body) if not atom.negated]
    views = [AFTER] * len(rule.body)
    if not positive:  # the head is made of constants
        driver: Sequence[Column] = [np.full(1, executor.constants[~operand]) for operand in rule.head_operands]
        yield from executor.run(program.plan(rule, HEAD), driver, 1, views)
        return

    def promised(literal: int) -> tuple[float, int]:
        constants = sum(operand is not None and operand < 0 for operand in rule.body[literal].operands)
        return relations[rule.body[literal].relation].size / 16**constants, literal

    if not all(relations[rule.body[literal].relation].size for literal in positive):
        return
    literal = min(positive, key=promised)
    relation = relations[rule.body[literal].relation]
    if relation.uniform:
        driver, size = [column[: relation.size] for column in relation.columns], relation.size
    else:
        rows = relation.rows_in(NEW)
        driver, size = [column[rows] for column in relation.columns], len(rows)
    yield from executor.run(program.plan(rule, literal), driver, size, views)


class _Heads:
    """Collects the heads that fire at one level and lets those arrive that are new."""

    def __init__(self, stratum: Stratum, relations: Mapping[str, Relation], tables: Mapping[str, LevelCounts]):
        self.tables = tables
        self.level = 0  # at which what is collected fires
        self.relations = {name: relations[name] for name in stratum.relations}
        self.found: dict[str, list[list[Column]]] = {name: [] for name in stratum.relations}
        self.waiting: dict[str, int] = dict.fromkeys(stratum.relations, 0)  # rows in `found`
        self.new: dict[str, list[_Counted]] = {name: [] for name in stratum.relations}

    def add(self, rule: CompiledRule, pieces: Iterable[Instantiations]) -> None:
        for piece in pieces:
            self._take(rule, piece.heads, piece.size)

    def add_all(self, family: Family, pieces: Iterable[Instantiations], executor: Executor) -> None:
        """Each piece is one of every member's."""
        for piece in pieces:
            executor.instantiations += piece.size * (len(family.members) - 1)
            for rule, columns in family.members:
                self._take(rule, piece.heads[columns], piece.size)

    def _take(self, rule: CompiledRule, heads: list[Column], size: int) -> None:
        self.found[rule.head].append(heads)
        self.waiting[rule.head] += size
        if self.waiting[rule.head] > _MANY_HEADS:
            self._count(rule.head)

    def _count(self, name: str) -> None:
        """Consolidate what was found and keep what is not there yet."""
        relation, parts, size = self.relations[name], self.found[name], self.waiting[name]
        if not size:
            return
        columns = [concatenate([part[index] for part in parts]) for index in range(relation.arity)]
        parts.clear()
        self.waiting[name] = 0
        columns, counts = consolidate(columns, size)
        if relation.size:
            rows = relation.locate(columns, len(counts))
            new = np.flatnonzero(rows < 0)
            if len(new) < len(counts):
                known = np.flatnonzero(rows >= 0)
                if relation.total is not None:
                    relation.total[rows[known]] += counts[known].astype(np.int32)
                if self.tables:
                    self.tables[name].note(rows[known], self.level, counts[known])
                columns, counts = [column[new] for column in columns], counts[new]
        if len(counts):
            self.new[name].append((columns, counts))

    def arrive(self, level: int) -> int:
        """The number of tuples that are new at `level`; they are the relations' newest rows from now on."""
        arrived = 0
        for name, relation in self.relations.items():
            self._count(name)
            relation.settle()
            new = self.new[name]
            if not new:
                continue
            columns, counts = new[0]
            if len(new) > 1:
                counts = np.concatenate([part[1] for part in new])
                columns = [np.concatenate([part[0][index] for part in new]) for index in range(relation.arity)]
                columns, counts = consolidate(columns, len(counts), counts)
            new.clear()
            first = relation.append(columns, len(counts), level, counts, SETTLED)
            if self.tables:
                self.tables[name].note(np.arange(first, relation.size, dtype=np.int32), level, counts)
            arrived += len(counts)
        self.level = level + 1
        return arrived
