"""Proofs of minimal height, rebuilt from levels, top-down.

A tuple of level k has an instantiation whose same-stratum tuples all lie below k: that is what a level is. The rules
are tried in their order with the head bound; of the instantiations that fire at the tuple's level the one with the
smallest hash of its body tuples' strings is taken, so that the same state gives the same proof whatever its history.
All proofs that are asked for together go down together and share what they have in common; the cost is that of the
lookups of the tuples in the proofs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from .backends.embedded.execute import AFTER, Driving, Executor
from .backends.embedded.keys import Column, Indices, Words, mix
from .backends.embedded.relation import NEW, Relation
from .datalog.aggregates import Aggregation
from .datalog.plan import HEAD, CompiledRule
from .datalog.program import Program
from .datalog.syntax import Rule
from .digest import tuple_hashes
from .facts import to_rows, to_values
from .symbols import SymbolTable

Node = tuple[str, int]  # stored relation, row
_MOST_ROWS: Final = 20  # of a group, in the proof of a count or a sum


@dataclass(slots=True, eq=False)
class Proof:
    """Why a tuple holds. `row` has symbol ids and values; `body` has the positive atoms in the rule's order, shared
    between proofs of one call (of an atom that names some columns only, one of the rows that have them); `absent` names
    the rule's negated atoms as (relation, row with None for `_`).

    `rule` is None for an input fact. Where an atom of the rule is an aggregate's relation, `aggregation` is its own:
    `row` has the group and the value, `body` what was aggregated (for `min` and `max` one row that has the value), and
    `omitted` says how many rows were left out; an aggregate that is 0 for lack of rows comes last in a body. A proof
    may be thousands of steps high: walk it with a stack.
    """

    relation: str
    row: tuple[int, ...]
    level: int
    rule: Rule | None = None
    body: list[Proof] = field(default_factory=list, repr=False)
    absent: list[tuple[str, tuple[int | None, ...]]] = field(default_factory=list, repr=False)
    aggregation: Aggregation | None = None
    omitted: int = 0

    @property
    def is_input(self) -> bool:
        return self.rule is None and self.aggregation is None


@dataclass(slots=True)
class _Step:
    rule: CompiledRule | None
    body: tuple[Node, ...]  # in the order of the positive literals
    omitted: int = 0


class Prover:
    """One call's work: `steps` is what has been decided, shared by everything that is asked for."""

    def __init__(self, program: Program, relations: Mapping[str, Relation], executor: Executor, symbols: SymbolTable):
        self.program, self.relations, self.executor, self.symbols = program, relations, executor, symbols
        self.steps: dict[Node, _Step | None] = {}  # None: an input fact
        self.public = {**{storage: name for name, storage in program.input_storage.items()}, **program.demanded}

    def prove(self, nodes: Sequence[Node]) -> dict[Node, Proof]:
        """A proof of each node and of everything below it; every node is a row that is present."""
        frontier = list(dict.fromkeys(nodes))
        while frontier:
            by_relation: dict[str, list[int]] = {}
            for name, row in frontier:
                by_relation.setdefault(name, []).append(row)
            frontier = []
            for name, rows in by_relation.items():
                self._decide(name, np.array(rows, np.int32))
                for row in rows:
                    step = self.steps[name, row]
                    if step is not None:
                        frontier.extend(node for node in step.body if node not in self.steps)
            frontier = list(dict.fromkeys(frontier))
        return self._build()

    def _decide(self, name: str, rows: Column) -> None:
        """Choose an instantiation for each row: the first rule that has one at the row's level, then the smallest."""
        index = self.program.stratum_of.get(name)
        relation = self.relations[name]
        if index is None or relation.level is None:
            self.steps.update(((name, row), None) for row in rows.tolist())
            return
        made = self.program.strata[index].aggregation
        if made is not None:
            self._decide_groups(made, relation, rows)
            return
        for rule in self.program.strata[index].rules_of[name]:
            rows = self._try_rule(rule, relation, rows)
            if not len(rows):
                return
        raise AssertionError(f"a tuple of {name} has no derivation at its level")

    def _try_rule(self, rule: CompiledRule, relation: Relation, rows: Column) -> Column:
        """Decide the rows that `rule` derives at their level; the others are returned."""
        levels = relation.levels_of(rows)
        candidates = np.flatnonzero((levels == 0) == rule.from_input)
        if not len(candidates):
            return rows
        chosen = rows[candidates]
        pieces = self.executor.run(
            self.program.plan(rule, HEAD),
            Driving([column[chosen] for column in relation.columns], len(chosen), limits=levels[candidates]),
            [AFTER] * len(rule.body),
            levelled=True,
            track=True,
        )
        found = next(pieces, None)
        if found is None:
            return rows
        assert found.origins is not None and found.levels is not None
        # Everything below the limit fires at the row's level or earlier, and nothing fires earlier than that.
        positive = [literal for literal, atom in enumerate(rule.body) if not atom.negated]
        order = found.origins
        if found.size > len(np.unique(found.origins)):
            hashes = self._hash_bodies(rule, positive, found.body, found.size)
            best = np.lexsort((hashes, found.origins))
            first = np.flatnonzero(np.diff(found.origins[best], prepend=-1))
            picked: Indices = best[first]
        else:
            picked = np.arange(found.size)
        bodies = [found.body[literal][picked].tolist() for literal in positive]
        for position, origin in enumerate(order[picked].tolist()):
            body = tuple((rule.body[literal].relation, of_literal[position])
                         for literal, of_literal in zip(positive, bodies, strict=True))  # fmt: skip
            self.steps[relation.name, int(chosen[origin])] = _Step(rule, body)
        decided = np.zeros(len(rows), np.bool_)
        decided[candidates[order[picked]]] = True
        return rows[~decided]

    def _decide_groups(self, made: Aggregation, relation: Relation, rows: Column) -> None:
        """The rows of each group, those with the smallest hashes if there are many."""
        source = self.relations[made.source]
        groups = [column[rows] for column in relation.columns[:-1]]
        probes, found = source.rows_with(made.group, groups, len(rows), NEW)
        if made.operator in ("min", "max") and made.target is not None:
            extreme = source.columns[made.target][found] == relation.columns[-1][rows][probes]
            probes, found = probes[extreme], found[extreme]
        order = np.lexsort([self._hash_rows(made.source, found), probes])
        probes, found = probes[order], found[order]
        starts = np.searchsorted(probes, np.arange(len(rows) + 1))
        most = 1 if made.operator in ("min", "max") else _MOST_ROWS
        for row, start, end in zip(rows.tolist(), starts[:-1].tolist(), starts[1:].tolist(), strict=True):
            shown = min(end - start, most)
            omitted = 0 if most == 1 else end - start - shown
            body = tuple((made.source, each) for each in found[start : start + shown].tolist())
            self.steps[made.relation, row] = _Step(None, body, omitted)

    def _hash_bodies(self, rule: CompiledRule, positive: Sequence[int], body: Mapping[int, Column], size: int) -> Words:
        hashes = np.zeros(size, np.uint64)
        for literal in positive:
            hashes = mix(hashes ^ self._hash_rows(rule.body[literal].relation, body[literal]))
        return hashes

    def _hash_rows(self, name: str, rows: Column) -> Words:
        """A hash of each row's strings and values."""
        relation = self.relations[name]
        kinds = self.program.stored[name].kinds
        distinct, places = np.unique(rows, return_inverse=True)
        columns = [column[distinct] for column in relation.columns]
        ids = [column for column, kind in zip(columns, kinds, strict=True) if kind == "symbol"]
        lane = np.zeros(0, np.uint64)
        if ids:
            used, inverse = np.unique(np.concatenate(ids), return_inverse=True)
            lane = self.symbols.lanes(used)[0]
            parts = iter(np.split(inverse.astype(np.int32), len(ids)))
            columns = [next(parts) if kind == "symbol" else column
                       for column, kind in zip(columns, kinds, strict=True)]  # fmt: skip
        hashes: Words = tuple_hashes(columns, kinds, len(distinct), 0, lane)[places]
        return hashes

    def _build(self) -> dict[Node, Proof]:
        rows_of: dict[str, list[int]] = {}
        for name, row in self.steps:
            rows_of.setdefault(name, []).append(row)
        proofs: dict[Node, Proof] = {}
        for name, rows in rows_of.items():
            relation = self.relations[name]
            index = np.array(rows, np.int32)
            values = to_rows([column[index] for column in relation.columns], self.program.stored[name].kinds, len(rows))
            levels: NDArray[np.int32] = (
                np.zeros(len(rows), np.int32) if relation.level is None else relation.levels_of(index)
            )
            public = self.public.get(name, name)
            for row, value, level in zip(rows, values.tolist(), levels.tolist(), strict=True):
                proofs[name, row] = Proof(public, tuple(value), level)
        for node, step in self.steps.items():
            if step is None or (step.rule is not None and step.rule.source is None):
                continue  # an input fact, also of a relation that has rules
            proof = proofs[node]
            proof.body = [proofs[self._seen_through(each)] for each in step.body if each[0] not in self.program.magic]
            if step.rule is None:
                proof.aggregation = self.program.aggregations[node[0]]
                proof.omitted = step.omitted
            else:
                proof.rule = step.rule.source
                self._add_absent(step.rule, proof)
        for proof in proofs.values():
            if proof.aggregation is not None and proof.aggregation.source in self.program.auxiliary:
                # The rows of its body are the engine's own: what they are made of is shown.
                below = {id(each): each for row in proof.body for each in row.body}
                proof.body = list(below.values())
        return proofs

    def _seen_through(self, node: Node) -> Node:
        """Of a row of a projection, the row that it was taken from."""
        while node[0] in self.program.projections:
            step = self.steps[node]
            assert step is not None
            node = step.body[0]
        return node

    def _add_absent(self, rule: CompiledRule, proof: Proof) -> None:
        negated = [atom for atom in rule.body if atom.negated]
        if not negated:
            return
        values: dict[int, int] = {}
        positive = [atom for atom in rule.body if not atom.negated and atom.relation not in self.program.magic]
        for atom, below in zip(positive, proof.body, strict=True):
            projection = self.program.projections.get(atom.relation)
            named = below.row if projection is None else [below.row[column] for column in projection.columns]
            values.update((operand, value) for operand, value in zip(atom.operands, named, strict=True)
                          if operand is not None and operand >= 0)  # fmt: skip
        for atom in negated:
            row: list[int | None] = []
            for operand, kind in zip(atom.operands, self.program.stored[atom.relation].kinds, strict=True):
                if operand is None or operand >= 0:
                    row.append(None if operand is None else values[operand])
                else:
                    row.append(int(to_values(self.executor.constants[~operand, None], kind)[0]))
            made = self.program.aggregations.get(atom.relation)
            if made is None:
                proof.absent.append((atom.relation, tuple(row)))
            else:
                group = tuple(value for value in row[:-1] if value is not None)
                proof.body.append(Proof(atom.relation, (*group, 0), 0, aggregation=made))
