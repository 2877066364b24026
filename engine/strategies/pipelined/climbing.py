"""Climbing: all shards take the levels together, one after another.

A step puts the tuples of a level in and finds what fires at the next. Each instantiation is met once, and counted at
once, as in Bootstrap; the price is an exchange for each level. What a shard derives for itself is put in before the
others' messages of the same level come. From empty relations rows are in the order of their levels, those of the newest
level last; where a stratum is evaluated anew in an update, the rows of before are in the way, and levels tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from ...backends.embedded.arrangement import concatenate
from ...backends.embedded.execute import AFTER, AFTER_BUT_DELTA, STABLE, Driving, Shared
from ...backends.embedded.keys import EXACT_WIDTH, Column, Counts, Mask, consolidate, count_words, unpack
from ...backends.embedded.relation import DELTA, NEW, OLD, SETTLED, Relation
from ...backends.embedded.widths import fits
from ...datalog.plan import CompiledRule
from ..bootstrap import run_whole
from ..families import Family, families
from .copies import ALL
from .held import UNMARKED, Fired, Held
from .localise import LocalStratum
from .messages import Number

_MANY_HEADS: Final = 1 << 23  # heads that are counted before more are collected


@dataclass(slots=True)
class _Heads:
    """Heads that fire at a level. `counted`: distinct ones, in parts of many."""

    arity: int
    parts: list[tuple[list[Column], int]] = field(default_factory=list)
    size: int = 0
    counted: list[tuple[list[Column], Counts]] = field(default_factory=list)

    def add(self, columns: list[Column], size: int) -> None:
        self.parts.append((columns, size))
        self.size += size
        if self.size > _MANY_HEADS:
            self._count()

    def _count(self) -> None:
        if not self.size:
            return
        parts, self.parts, size, self.size = self.parts, [], self.size, 0
        if self.arity <= EXACT_WIDTH:
            words, counts, _ = count_words(parts, None)
            self.counted.append((unpack(words, self.arity), counts))
        else:
            columns = [concatenate([part[index] for part, _ in parts]) for index in range(self.arity)]
            self.counted.append(consolidate(columns, size))

    def together(self) -> tuple[list[Column], Counts]:
        """Distinct heads, and how many instantiations each has."""
        self._count()
        return _summed(self.counted)


class Climbing(Held):
    def _begin_climb(self, stratum: LocalStratum) -> None:
        level = self.settings.level
        if not self.settings.fresh and level == stratum.first_level:
            self.empty(stratum)
        self.part_newest(stratum, level - 1)
        heads: dict[str, _Heads] = {}
        for rule, columns, size in self._fired(stratum, level):
            if rule.head not in heads:
                heads[rule.head] = _Heads(len(rule.head_operands))
            heads[rule.head].add(columns, size)
        for some in stratum.copies.values():
            for copy in some:
                self.relation(copy).settle()
        for name in sorted(heads):
            self._tell_fired(stratum, name, *heads[name].together())

    def part_newest(self, stratum: LocalStratum, level: int) -> None:
        """Have rows of a level, which are the last, be the newest. Relations that come from elsewhere have none."""
        if not self.settings.fresh:
            return
        for some in stratum.copies.values():
            for copy in some:
                relation = self.relation(copy)
                assert relation.level is not None
                levels = relation.level[: relation.size]
                if fits(levels, level):
                    relation.stable = int(np.searchsorted(levels, levels.dtype.type(max(level, 0))))
                else:
                    relation.stable = relation.size

    def rows_from(self, stratum: LocalStratum, level: int) -> dict[str, Column]:
        """Rows of a level and above."""
        found = {}
        for some in stratum.copies.values():
            for copy in some:
                relation = self.relation(copy)
                assert relation.level is not None
                wanted = relation.level[: relation.size] >= level
                if not relation.uniform:
                    wanted &= (relation.state[: relation.size] & NEW) != 0
                rows = np.flatnonzero(wanted).astype(np.int32)
                if len(rows):
                    found[copy.name] = rows
        return found

    def empty(self, stratum: LocalStratum) -> None:
        """Take everything out of the current view, to put it in again."""
        for some in stratum.copies.values():
            for copy in some:
                relation = self.relation(copy)
                self.tables.pop(relation.name, None)
                relation.own()
                relation.state[: relation.size] &= np.uint8(OLD)
                relation.uniform = not relation.size
                if relation.count is not None and relation.size:
                    relation.put("count", slice(relation.size), 0)
                    relation.put("total", slice(relation.size), 0)

    def using(self, stratum: LocalStratum, driving: Mapping[str, Column]) -> Iterator[Fired]:
        """Each instantiation with a body tuple among `driving` once."""
        marked = {}
        if any(sum(atom.same_stratum for atom in rule.rule.body) > 1 for rule in stratum.rules):
            for name, rows in driving.items():
                relation = self.relations[name]
                relation.own()
                marked[name] = relation.uniform
                relation.state[rows] |= DELTA
                relation.uniform = False
        for name, rows in driving.items():
            relation = self.relations[name]
            columns, levels = [column[rows] for column in relation.columns], relation.levels_of(rows)
            shared: Shared = {}
            for rule, literal in self.uses(stratum, name):
                views = [
                    AFTER_BUT_DELTA if atom.same_stratum and other < literal else AFTER
                    for other, atom in enumerate(rule.body)
                ]
                for found in self.executor.run(
                    self.program.plan(rule, literal),
                    Driving(columns, len(rows), levels=levels),
                    views,
                    levelled=True,
                    shared=shared,
                ):
                    yield rule, found
        for name, uniform in marked.items():
            self.relations[name].state[driving[name]] &= UNMARKED
            self.relations[name].uniform = uniform

    def _fired(self, stratum: LocalStratum, level: int) -> Iterator[tuple[CompiledRule, list[Column], int]]:
        """Heads that fire at a level, the rows of the level below being the newest."""
        rules = list(self.running(stratum))
        if not level:
            for rule in rules:
                if rule.from_input:
                    for piece in run_whole(self.program, rule, self.relations, self.executor):
                        yield rule, piece.heads, piece.size
            return
        together = families(rule for rule in rules if not rule.from_input)
        for family in together if level == 1 else ():
            if not any(atom.same_stratum for atom in family.rule.body):
                for piece in run_whole(self.program, family.rule, self.relations, self.executor):
                    yield from self._of_members(family, piece.heads, piece.size)
        if not self.settings.fresh:
            driving = self.rows_from(stratum, level - 1)
            for rule, piece in self.using(stratum, driving):
                yield rule, piece.heads, piece.size
            self.report.levels += bool(driving)
            return
        shared: dict[str, Shared] = {}
        for family in together:
            rule = family.rule
            for literal, atom in enumerate(rule.body):
                relation = self.relations[atom.relation]
                size = relation.size - relation.stable
                if not atom.same_stratum or not size:
                    continue
                if not all(self.relations[each.relation].size for each in rule.body if not each.negated):
                    continue
                newest = [column[relation.stable : relation.size] for column in relation.columns]
                views = [
                    STABLE if each.same_stratum and other > literal else AFTER for other, each in enumerate(rule.body)
                ]
                plan = self.program.plan(rule, literal)
                of_driver = shared.setdefault(atom.relation, {})
                for piece in self.executor.run(plan, Driving(newest, size), views, shared=of_driver):
                    yield from self._of_members(family, piece.heads, piece.size)
        self.report.levels += bool(shared)

    def _of_members(
        self, family: Family, heads: list[Column], size: int
    ) -> Iterator[tuple[CompiledRule, list[Column], int]]:
        self.executor.instantiations += size * (len(family.members) - 1)
        for rule, columns in family.members:
            yield rule, heads[columns], size

    def _tell_fired(self, stratum: LocalStratum, name: str, columns: list[Column], counts: Counts) -> None:
        """The home is to know how often each head fired, other copies that it is there."""
        home, *others = stratum.copies[name]
        for target, places in self.targets(home, columns, len(counts)):
            some = [column[places] for column in columns]
            if target == self.number:
                self.report.rose += self._put_counted(self.relation(home), some, counts[places])
            else:
                self.out.add(target, "fired", home.name, some, len(counts[places]), None, counts[places])
        size = len(counts)
        for copy in others:
            if copy.key == ALL:  # what this shard knows of it all others do
                new = np.flatnonzero(self._looked_up(self.relation(copy), columns, size)[1])
                columns, size = [column[new] for column in columns], len(new)
        for copy in others:
            for target, places in self.targets(copy, columns, size):
                some = [column[places] for column in columns]
                many = size if isinstance(places, slice) else len(places)
                if target == self.number:
                    self.report.rose += self._put_known(self.relation(copy), some, many)
                else:
                    self.out.add(target, "new", copy.name, some, many)

    def _rise(self) -> None:
        """What others derived at the level."""
        risen, self.risen = self.risen, {}
        for name, parts in risen.items():
            relation = self.named(name)
            if parts[0][2] is not None:
                counted = [(columns, counts) for columns, _, counts in parts if counts is not None]
                self._put_counted(relation, *_summed(counted))
                continue
            columns = [concatenate(list(some)) for some in zip(*(part[0] for part in parts), strict=True)]
            size = sum(part[1] for part in parts)
            if len(parts) > 1:
                columns, counts = consolidate(columns, size)
                size = len(counts)
            self._put_known(relation, columns, size)

    def _put_counted(self, home: Relation, columns: list[Column], counts: Number) -> int:
        """Count instantiations of distinct tuples that fire at the level; how many tuples are new."""
        if not len(counts):
            return 0
        level = self.settings.level
        rows, new = self._looked_up(home, columns, len(counts))
        known = np.flatnonzero(~new)
        if len(known):
            assert home.total is not None and home.count is not None
            there, more = rows[known], counts[known]
            home.put("total", there, home.total[there].astype(np.int64) + more)
            here = home.levels_of(there) == level
            home.put("count", there[here], home.count[there[here]].astype(np.int64) + more[here])
        rows = self._put_new(home, columns, rows, new, counts)
        table = self.table(home.name)
        if table is not None:
            table.add(rows, np.full(len(rows), level, np.int32), counts)
        return int(np.count_nonzero(new))

    def _put_known(self, relation: Relation, columns: list[Column], size: int) -> int:
        """Put distinct tuples in at the level; how many were not there."""
        if not size:
            return 0
        rows, new = self._looked_up(relation, columns, size)
        self._put_new(relation, columns, rows, new)
        return int(np.count_nonzero(new))

    def _looked_up(self, relation: Relation, columns: list[Column], size: int) -> tuple[Column, Mask]:
        """The rows of distinct tuples, or -1, and which of them are not in the view."""
        rows = relation.locate(columns, size)
        new = rows < 0
        if not relation.uniform:
            new |= (relation.state[rows] & NEW) == 0
        return rows, new

    def _put_new(
        self, relation: Relation, columns: list[Column], rows: Column, new: Mask, counts: Number | None = None
    ) -> Column:
        """Put tuples that are not in the view in at the level; the rows of all."""
        missing, again = np.flatnonzero(rows < 0), np.flatnonzero(new & (rows >= 0))
        if len(again):
            relation.put("level", rows[again], self.settings.level)
            relation.state[rows[again]] |= NEW
            if counts is not None:
                relation.put("count", rows[again], counts[again])
                relation.put("total", rows[again], counts[again])
        if len(missing):
            state = SETTLED if self.settings.fresh else NEW
            some = [column[missing] for column in columns]
            many: Number | int = 0 if counts is None else counts[missing]
            first = relation.append(some, len(missing), self.settings.level, many, state)
            rows[missing] = np.arange(first, relation.size, dtype=np.int32)
        self.report.arrived += len(again) + len(missing)
        return rows


def _summed(parts: list[tuple[list[Column], Counts]]) -> tuple[list[Column], Counts]:
    if len(parts) == 1:
        return parts[0]
    columns = [concatenate(list(some)) for some in zip(*(part[0] for part in parts), strict=True)]
    counts = np.concatenate([part[1] for part in parts])
    return consolidate(columns, len(counts), counts)


__all__ = ["Climbing"]
