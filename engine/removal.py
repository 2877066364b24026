"""Why a tuple is gone: input changes that together took every derivation that it had.

Every instantiation that derived a removed tuple has lost something: a body tuple, or the absence of a negated one. One
such loss is picked for each and followed down to the inputs. What is picked is enough: once these inputs have
changed, every instantiation of every tuple met on the way lacks an input or another tuple met on the way, so none of
them has a derivation left, also where they had held each other up. It need not be the smallest such set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .backends.embedded.execute import AFTER, Driving, Executor, Instantiations
from .backends.embedded.keys import Column, Mask
from .backends.embedded.relation import NEW, Relation
from .datalog.aggregates import Aggregation
from .datalog.plan import HEAD, BodyAtom, CompiledRule
from .datalog.program import Program
from .errors import EngineError
from .facts import Rows, to_rows

Fact = tuple[str, tuple[int, ...]]  # relation, row of ids and values
_BROKEN_BEFORE, _INPUT, _DERIVED, _NEGATED, _WHOLE = range(5)  # what is picked first; _WHOLE: it is not lost


@dataclass(frozen=True, slots=True)
class Removal:
    """`deleted`: input facts whose loss is enough, together with the tuples of `gained` that now hold and bar a rule.
    `tuples`: how many removed tuples, the target included, were met on the way."""

    deleted: list[Fact]
    gained: list[Fact]
    tuples: int


class Remover:
    """Follows removed tuples from the state before an update, `relations`, to inputs; `now` is the state after it."""

    def __init__(
        self, program: Program, relations: Mapping[str, Relation], executor: Executor, now: Mapping[str, Relation]
    ):
        self.program, self.relations, self.executor, self.now = program, relations, executor, now
        self.public = {storage: name for name, storage in program.input_storage.items()}
        self.met: dict[str, set[int]] = {}
        self.deleted: dict[str, list[int]] = {}
        self.gained: dict[Fact, None] = {}

    def explain(self, name: str, row: int) -> Removal:
        frontier = {name: [row]}
        self.met = {name: {row}}
        while frontier:
            following: dict[str, list[int]] = {}
            for relation, rows in frontier.items():
                if relation in self.public:
                    self.deleted.setdefault(relation, []).extend(rows)
                    continue
                for lost, of_lost in self.losses(relation, np.array(rows, np.int32)):
                    met = self.met.setdefault(lost, set())
                    fresh = [each for each in of_lost.tolist() if each not in met]
                    met.update(fresh)
                    if fresh:
                        following.setdefault(lost, []).extend(fresh)
            frontier = following
        deleted = [
            (self.public[name], tuple(values))
            for name, rows in self.deleted.items()
            for values in self.values(name, np.array(rows, np.int32)).tolist()
        ]
        tuples = sum(len(rows) for name, rows in self.met.items()
                     if name not in self.public and name not in self.program.projections)  # fmt: skip
        return Removal(deleted, list(self.gained), tuples)

    def values(self, name: str, rows: Column) -> Rows:
        columns = [column[rows] for column in self.relations[name].columns]
        return to_rows(columns, self.program.stored[name].kinds, len(rows))

    def losses(self, name: str, rows: Column) -> list[tuple[str, Column]]:
        """For each instantiation that derived one of `rows`, one tuple that it lost: (relation, rows) in pieces."""
        lost: list[tuple[str, Column]] = []
        relation = self.relations[name]
        made = self.program.aggregations.get(name)
        if made is not None:
            return self.groups_lost(made, relation, rows)
        for rule in self.program.strata[self.program.stratum_of[name]].rules_of[name]:
            columns: list[Column | None] = [column[rows] for column in relation.columns]
            views = [AFTER] * len(rule.body)
            plan = self.program.plan(rule, HEAD)
            for found in self.executor.run(plan, Driving(columns, len(rows)), views, levelled=True, track=True):
                lost.extend(self.picked(rule, found))
        return lost

    def picked(self, rule: CompiledRule, found: Instantiations) -> list[tuple[str, Column]]:
        preference = np.full((len(rule.body), found.size), _WHOLE, np.int8)
        for literal, atom in enumerate(rule.body):
            if atom.negated:
                holds = self.holding(rule, atom, found)
                preference[literal][holds] = _NEGATED
                continue
            rows = found.body[literal]
            distinct, places = np.unique(rows, return_inverse=True)
            gone = self.gone(atom.relation, distinct)
            met = np.array(sorted(self.met.get(atom.relation, ())), np.int32)
            kinds = np.where(np.isin(distinct, met), _BROKEN_BEFORE, self.kind(atom.relation))
            preference[literal] = np.where(gone, kinds, _WHOLE)[places]
        best = preference.argmin(axis=0)
        if found.size and int(preference.min(axis=0).max()) == _WHOLE:
            raise EngineError(f"internal error: a removed tuple of {rule.head} still has a derivation")
        lost = []
        for literal, atom in enumerate(rule.body):
            mine = np.flatnonzero(best == literal)
            if not len(mine):
                continue
            if atom.negated:
                self.note_gained(rule, atom, found, mine)
            else:
                lost.append((atom.relation, np.unique(found.body[literal][mine])))
        return lost

    def groups_lost(self, made: Aggregation, relation: Relation, rows: Column) -> list[tuple[str, Column]]:
        """For each value of an aggregate that is not there any more, a row of its group that is gone, one that had the
        value if there is one; a group that only grew has another value now."""
        source = self.relations[made.source]
        groups = [column[rows] for column in relation.columns[:-1]]
        probes, found = source.rows_with(made.group, groups, len(rows), NEW)
        left = self.gone(made.source, found)
        probes, found = probes[left], found[left]
        if made.target is None:
            extreme = np.zeros(len(found), np.bool_)
        else:
            extreme = source.columns[made.target][found] == relation.columns[-1][rows][probes]
        order = np.lexsort([~extreme, probes])
        first = np.unique(probes[order], return_index=True)
        grown = np.setdiff1d(np.arange(len(rows)), first[0])
        after = self.now[made.relation]
        _, values = after.rows_with(range(len(groups)), [column[grown] for column in groups], len(grown), NEW)
        kinds = self.program.stored[made.relation].kinds
        for fact in to_rows([column[values] for column in after.columns], kinds, len(values)).tolist():
            self.gained[made.relation, tuple(fact)] = None
        return [(made.source, found[order][first[1]])]

    def kind(self, name: str) -> int:
        projection = self.program.projections.get(name)
        name = name if projection is None else projection.relation
        return _INPUT if name in self.public else _DERIVED

    def gone(self, name: str, rows: Column) -> Mask:
        relation = self.relations[name]
        return ~self.now[name].contains([column[rows] for column in relation.columns], len(rows))

    def bound(self, rule: CompiledRule, atom: BodyAtom, found: Instantiations) -> tuple[tuple[int, ...], list[Column]]:
        """The columns of a negated atom that are not `_`, with their values in each instantiation."""
        values: dict[int, Column] = {}
        for literal, each in enumerate(rule.body):
            if not each.negated:
                relation = self.relations[each.relation]
                for column, operand in enumerate(each.operands):
                    if operand is not None and operand >= 0:
                        values[operand] = relation.columns[column][found.body[literal]]
        named = tuple(column for column, operand in enumerate(atom.operands) if operand is not None)
        columns = []
        for column in named:
            operand = atom.operands[column]
            assert operand is not None
            constant = operand < 0
            columns.append(np.full(found.size, self.executor.constants[~operand]) if constant else values[operand])
        return named, columns

    def holding(self, rule: CompiledRule, atom: BodyAtom, found: Instantiations) -> Mask:
        """The instantiations whose negated atom holds now."""
        named, columns = self.bound(rule, atom, found)
        held = np.ones(found.size, np.bool_)
        free = Executor(self.now, self.executor.constants, self.executor.compare_symbols, self.executor.choices).absent(
            self.now[atom.relation], named, columns, found.size, AFTER
        )
        held[free] = False
        return held

    def note_gained(self, rule: CompiledRule, atom: BodyAtom, found: Instantiations, which: NDArray[np.intp]) -> None:
        """One tuple that holds now for each of these instantiations' negated atom."""
        named, columns = self.bound(rule, atom, found)
        relation = self.now[atom.relation]
        present = relation.rows_in(NEW)
        there = [relation.columns[column][present] for column in named]
        kinds = self.program.stored[atom.relation].kinds
        for values in {tuple(int(column[place]) for column in columns) for place in which.tolist()}:
            same = np.ones(len(present), np.bool_)
            for column, value in zip(there, values, strict=True):
                same &= column == value
            row = present[np.flatnonzero(same)[:1]]
            [fact] = to_rows([column[row] for column in relation.columns], kinds, 1).tolist()
            self.gained[self.public.get(atom.relation, atom.relation), tuple(fact)] = None
