"""Many versions at once: one fixpoint over tuples that carry the set of versions that have them.

A join holds in the versions that all of its rows are in (AND), a tuple in those of any of its derivations (OR), and a
negated atom of a complete lower stratum bars the versions that have such a row (AND NOT). What is new at an iteration
is a tuple with the versions that had not had it; so the iteration at which a version joins a tuple's set is the tuple's
level in that version, exactly as if that version had been evaluated alone.

    for each iteration: for each rule and each atom of the stratum in its body:
        the atom ranges over what was new at the last iteration, (row, new versions); all others over all rows
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from ..backends.embedded.arrangement import concatenate
from ..backends.embedded.execute import AFTER, Driving, Executor, Instantiations, Shared
from ..backends.embedded.keys import Column, Words, places_of
from ..backends.embedded.relation import SETTLED, Relation
from ..backends.embedded.version_sets import consolidate_sets, has
from ..datalog.aggregates import Aggregation
from ..datalog.program import Program, Stratum
from .aggregate import grouped
from .bootstrap import run_whole
from .families import Family, families

_MANY_HEADS: Final = 1 << 22  # heads that are put together before more are collected


@dataclass(slots=True)
class Arrivals:
    """At which level which versions came to have a row, for the rows of one relation."""

    rows: list[Column] = field(default_factory=list)
    sets: list[Words] = field(default_factory=list)
    levels: list[int] = field(default_factory=list)

    def note(self, rows: Column, sets: Words, level: int) -> None:
        self.rows.append(rows)
        self.sets.append(sets)
        self.levels.append(level)


def evaluate(
    program: Program,
    stratum: Stratum,
    relations: Mapping[str, Relation],
    executor: Executor,
    everywhere: np.uint64,
    arrivals: Mapping[str, Arrivals],
) -> int:
    """Fill the stratum's relations, which are empty, in all versions (the set `everywhere`) of the lower ones. The
    number of levels."""
    if stratum.aggregation is not None:
        _aggregate(stratum.aggregation, relations, int(everywhere).bit_length(), arrivals)
        return 1
    all_versions = np.full(1, everywhere, np.uint64)
    heads = _Heads(stratum, relations, arrivals)
    for rule in stratum.rules:
        if rule.from_input:
            alone = Family(rule, ((rule, slice(0, len(rule.head_operands))),))
            heads.add(alone, run_whole(program, rule, relations, executor, all_versions))
    heads.arrive(0)
    together = families(rule for rule in stratum.rules if not rule.from_input)
    for family in together:
        if not any(atom.same_stratum for atom in family.rule.body):
            heads.add(family, run_whole(program, family.rule, relations, executor, all_versions))
    recursive = [(family, literal) for family in together
                 for literal, atom in enumerate(family.rule.body) if atom.same_stratum]  # fmt: skip
    level = 1
    while True:
        shared: dict[str, Shared] = {name: {} for name in stratum.relations}
        for family, literal in recursive:
            body = family.rule.body
            name = body[literal].relation
            rows, sets = heads.newest[name]
            if len(rows) and all(relations[atom.relation].size for atom in body if not atom.negated):
                driver = [column[rows] for column in relations[name].columns]
                plan = program.plan(family.rule, literal)
                views = [AFTER] * len(body)
                heads.add(
                    family,
                    executor.run(plan, Driving(driver, len(rows), versions=sets), views, shared=shared[name]),
                )
        if not heads.arrive(level):
            return level
        level += 1


def _aggregate(
    made: Aggregation, relations: Mapping[str, Relation], count: int, arrivals: Mapping[str, Arrivals]
) -> None:
    """Group by group in each version for itself: the rows of a group differ from version to version."""
    source, relation = relations[made.source], relations[made.relation]
    assert source.versions is not None
    parts: list[tuple[list[Column], Words]] = []
    for version in range(count):
        rows = places_of(has(source.versions[: source.size], version)).astype(np.int32)
        if len(rows):
            columns = grouped(made, source, rows)
            parts.append((columns, np.full(len(columns[-1]), 1 << version, np.uint64)))
    if parts:
        sets = concatenate([part[1] for part in parts])
        columns = [concatenate([part[0][index] for part in parts]) for index in range(relation.arity)]
        columns, sets = consolidate_sets(columns, len(sets), sets)
        relation.append(columns, len(sets), 1, 1, SETTLED)
        relation.versions = sets
        relation.settle()
        arrivals[made.relation].note(np.arange(len(sets), dtype=np.int32), sets, 1)


@dataclass(slots=True)
class _Waiting:
    parts: list[tuple[list[Column], int, Words]] = field(default_factory=list)
    size: int = 0

    def put_together(self, arity: int) -> tuple[list[Column], Words]:
        columns = [concatenate([part[0][index] for part in self.parts]) for index in range(arity)]
        sets = concatenate([part[2] for part in self.parts])
        columns, sets = consolidate_sets(columns, len(sets), sets)
        self.parts, self.size = [(columns, len(sets), sets)], 0
        return columns, sets


class _Heads:
    """Collects the heads that fire at one level. `newest`: rows with the versions that joined them at the last one."""

    def __init__(self, stratum: Stratum, relations: Mapping[str, Relation], arrivals: Mapping[str, Arrivals]):
        self.relations = {name: relations[name] for name in stratum.relations}
        self.arrivals = arrivals
        self.waiting: dict[str, _Waiting] = {}
        nothing = np.zeros(0, np.int32), np.zeros(0, np.uint64)
        self.newest: dict[str, tuple[Column, Words]] = dict.fromkeys(stratum.relations, nothing)

    def add(self, family: Family, pieces: Iterable[Instantiations]) -> None:
        for piece in pieces:
            assert piece.versions is not None
            for rule, columns in family.members:
                waiting = self.waiting.setdefault(rule.head, _Waiting())
                waiting.parts.append((piece.heads[columns], piece.size, piece.versions))
                waiting.size += piece.size
                if waiting.size > _MANY_HEADS:
                    waiting.put_together(len(rule.head_operands))

    def arrive(self, level: int) -> int:
        """How many tuples some versions have from `level` on."""
        arrived = 0
        for name, relation in self.relations.items():
            relation.settle()
            waiting = self.waiting.pop(name, None)
            if waiting is None:
                self.newest[name] = np.zeros(0, np.int32), np.zeros(0, np.uint64)
                continue
            rows, sets = self._join_sets(relation, *waiting.put_together(relation.arity))
            self.newest[name] = rows, sets
            if len(rows):
                self.arrivals[name].note(rows, sets, level)
            arrived += len(rows)
        return arrived

    def _join_sets(self, relation: Relation, columns: list[Column], sets: Words) -> tuple[Column, Words]:
        """Rows with the versions that had not had them, which they have from now on."""
        rows = relation.locate(columns, len(sets))
        known = places_of(rows >= 0)
        assert relation.versions is not None
        before = relation.versions[rows[known]]
        fresh = sets.copy()
        fresh[known] &= ~before
        relation.versions[rows[known]] = before | sets[known]
        missing = places_of(rows < 0)
        if len(missing):
            first = relation.append([column[missing] for column in columns], len(missing), 0, 0, SETTLED)
            relation.versions[first : relation.size] = sets[missing]
            rows[missing] = np.arange(first, relation.size, dtype=np.int32)
        new = places_of(fresh)
        return rows[new], fresh[new]


__all__ = ["Arrivals", "evaluate"]
