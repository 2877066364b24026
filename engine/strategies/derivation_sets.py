"""Pipelined semi-naive maintenance (Loo and others 2006) with derivation sets (Nigam, Jia, Loo, Scedrov 2011).

Changes wait in a queue, in any order, insertions and deletions mixed:

    pick     a tuple for which derivations come or go
    fire     the delta rules: what the tuple derives with the tuples that are there, by what comes and goes of it
    commit   its derivation set is what it was, and what came, without what went

A derivation says which instantiation it is, and its support: the tuples of the stratum that its proof uses, all the way
down. One whose head is in its own support is a cycle: it is noted, because it counts as an instantiation, and derives
nothing. So a deletion that leaves nothing but cycles leaves no derivation, however the queue is ordered. A delta rule
ranges over old sets before the picked tuple and over new ones after it; then each derivation comes and goes as often as
it is made, and the end does not depend on the order.

Levels and counts follow from the sets: a proof of least height uses no tuple twice on a path, so it is no cycle.

The sets grow with the number of proofs, which is exponential. Past a number of members, the stratum is handed
over to the levelled Update and the sets are dropped; they are made again from nothing by the next update, if they fit.
This is a baseline to compare with: it goes tuple by tuple, as published.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from sys import getsizeof
from typing import Final, TypeVar

import numpy as np

from ..backends.embedded.execute import Driving, Executor, Instantiations
from ..backends.embedded.keys import Column
from ..backends.embedded.relation import NEW, Relation
from ..datalog.plan import HEAD, CompiledRule
from ..datalog.program import Stratum
from ..errors import EngineError
from .heads import rows_of
from .interface import Outcome, Plans, Strategy, Task
from .recompute import bootstrap_because, start
from .semi_naive import NO_COUNTS
from .update import LevelledUpdate, update

BUDGET: Final = 50_000  # of derivations that come or go in an update, and of members of their supports
_NOT_NEW: Final = np.uint8(0xFF & ~NEW)
Key = TypeVar("Key")
Node = tuple[str, int]  # a relation and a row of it
Support = frozenset[Node]
Proof = tuple[Support, int]  # the tuples of the stratum that it uses, its own among them, and its height
Derivation = tuple[int, tuple[Node, ...], Support, int]  # rule, body, support, level at which it fires


class _TooMany(Exception):
    """More derivations than the budget."""


@dataclass(slots=True)
class DerivationSets:
    """Of each tuple its derivations, and its proofs: those that are no cycles. `of`: the relations whose rows they
    name; if another has come in place of one of these, they say nothing."""

    derivations: dict[Node, dict[Derivation, int]] = field(default_factory=dict)
    proofs: dict[Node, dict[Proof, int]] = field(default_factory=dict)
    of: dict[str, Relation] = field(default_factory=dict)

    def hold_for(self, relations: Mapping[str, Relation]) -> bool:
        return all(relations.get(name) is relation for name, relation in self.of.items())

    @property
    def nbytes(self) -> int:
        """Bytes of the dictionaries, derivations and supports; numbers and names are shared with other objects."""
        found = getsizeof(self.derivations) + getsizeof(self.proofs)
        for derivations in self.derivations.values():
            found += getsizeof(derivations)
            found += sum(getsizeof(each) + getsizeof(each[1]) + getsizeof(each[2]) for each in derivations)
        for proofs in self.proofs.values():
            found += getsizeof(proofs) + sum(getsizeof(each) + getsizeof(each[0]) for each in proofs)
        return found


class PipelinedSemiNaive(LevelledUpdate):
    """`sets`: of the old state; None to make those of the new one from nothing.

    A row that is NEW may be there: its derivation set says whether it is."""

    keeps_above = False

    def __init__(
        self,
        program: Plans,
        stratum: Stratum,
        relations: Mapping[str, Relation],
        executor: Executor,
        sets: DerivationSets | None,
    ):
        super().__init__(program, stratum, relations, executor)
        self.anew = sets is None
        self.sets = sets or DerivationSets()
        self.queue: dict[Node, dict[Derivation, int]] = {}
        self.changed: set[Node] = set()
        self.raised: list[Node] = []  # rows that became NEW
        self.made = 0

    def propagate(self) -> None:
        for name in self.stratum.relations:
            self.relations[name].own()
        if self.anew:
            for rule in self.stratum.rules:
                if not any(atom.same_stratum for atom in rule.body):
                    self.note(rule, self.whole(rule), +1)
        else:
            for sign in (-1, +1):
                self.from_below(sign)
        while self.queue:
            self.pick()
            self.visited += 1
        self.sets.of = {name: self.relations[name] for name in self.used() if name in self.relations}
        self.write()

    def used(self) -> set[str]:
        return {atom.relation for rule in self.stratum.rules for atom in rule.body} | set(self.stratum.relations)

    # Fire

    def from_below(self, sign: int) -> None:
        for rule, literal, rows, driver, size, views in self.lower_drivers(sign):
            found = self.executor.run(self.program.plan(rule, literal), Driving(driver, size), views, track=True)
            self.note(rule, self.bodies(rule, found, literal, rows), sign)

    def whole(self, rule: CompiledRule) -> Iterator[tuple[list[Column], list[tuple[Node, ...]]]]:
        views = self.views(rule, HEAD)
        positive = [literal for literal, atom in enumerate(rule.body) if not atom.negated]
        if not positive:
            constants = [np.full(1, self.executor.constants[~operand]) for operand in rule.head_operands]
            found = self.executor.run(self.program.plan(rule, HEAD), Driving(constants, 1), views, track=True)
            yield from self.bodies(rule, found, HEAD, None)
            return
        relation = self.relations[rule.body[positive[0]].relation]
        rows = relation.rows_in(NEW)
        driver = [column[rows] for column in relation.columns]
        found = self.executor.run(self.program.plan(rule, positive[0]), Driving(driver, len(rows)), views, track=True)
        yield from self.bodies(rule, found, positive[0], rows)

    def bodies(
        self, rule: CompiledRule, pieces: Iterable[Instantiations], driver: int, rows: Column | None
    ) -> Iterator[tuple[list[Column], list[tuple[Node, ...]]]]:
        """Heads, and the rows of the positive literals of each. `rows`: those that the driver ranged over."""
        for found in list(pieces):
            parts: list[list[Node]] = []
            for literal, atom in enumerate(rule.body):
                if atom.negated:
                    continue
                if literal == driver:
                    assert rows is not None and found.origins is not None
                    of_literal = rows[found.origins]
                else:
                    of_literal = found.body[literal]
                parts.append([(atom.relation, row) for row in of_literal.tolist()])
            yield found.heads, list(zip(*parts, strict=True)) if parts else [()] * found.size

    def note(
        self,
        rule: CompiledRule,
        found: Iterable[tuple[list[Column], list[tuple[Node, ...]]]],
        sign: int,
        picked: Node | None = None,
        driver: int = -1,
        ranges: tuple[dict[Proof, int], dict[Proof, int], dict[Proof, int]] = ({}, {}, {}),
    ) -> None:
        """Add (sign 1) or remove (sign -1) the derivations that instantiations are. `ranges`: the tuples that a literal
        ranges over: one before the driver, the driver, and one after it."""
        relation = self.relations[rule.head]
        positive = [literal for literal, atom in enumerate(rule.body) if not atom.negated]
        own = [place for place, literal in enumerate(positive) if rule.body[literal].same_stratum]
        for heads, bodies in found:
            if not bodies:
                continue
            rows = rows_of(relation, heads, len(bodies), +1).tolist()
            for row, body in zip(rows, bodies, strict=True):
                choices = []
                for place in own:
                    if body[place] == picked:
                        choices.append(ranges[1 + (positive[place] > driver) - (positive[place] < driver)].items())
                    else:
                        choices.append(self.sets.proofs.get(body[place], {}).items())
                waiting = self.queue.setdefault((rule.head, row), {})
                for chosen in product(*choices):
                    number = sign
                    for _, times in chosen:
                        number *= times
                    support = frozenset().union(*(proof[0] for proof, _ in chosen))
                    self.made += 1 + len(support)
                    if self.made > BUDGET:
                        raise _TooMany
                    fires = 0 if rule.from_input else 1 + max((proof[1] for proof, _ in chosen), default=0)
                    derivation = (rule.index, body, support, fires)
                    waiting[derivation] = waiting.get(derivation, 0) + number

    # Pick and commit

    def pick(self) -> None:
        node = next(iter(self.queue))
        changes = self.queue.pop(node)
        old = self.sets.proofs.get(node, {})
        delta: dict[Proof, int] = {}
        kept = self.sets.derivations.setdefault(node, {})
        for derivation, number in changes.items():
            if not number:
                continue
            self.changed.add(node)
            _add(kept, derivation, number)
            _, _, support, fires = derivation
            if node not in support:
                proof = (support | {node}, fires)
                delta[proof] = delta.get(proof, 0) + number
        delta = {proof: number for proof, number in delta.items() if number}
        if not delta:
            return
        new = dict(old)
        for proof, number in delta.items():
            _add(new, proof, number)
        self.sets.proofs[node] = new
        name, row = node
        relation = self.relations[name]
        if not relation.state[row] & NEW:
            relation.state[row] |= NEW
            relation.uniform = False
            self.raised.append(node)
        rows = np.array([row], np.int32)
        columns = [column[rows] for column in relation.columns]
        for rule, literal in self.stratum.positive_uses.get(name, ()):
            plan, views = self.program.plan(rule, literal), self.views(rule, HEAD)
            found = self.executor.run(plan, Driving(columns, 1), views, track=True)
            bodies = self.bodies(rule, found, literal, rows)
            self.note(rule, bodies, +1, node, literal, (old, delta, new))

    # The end

    def write(self) -> None:
        """Put levels and counts into the rows: a tuple is there if it has a proof."""
        nodes = self.changed
        if self.anew:
            nodes = {
                (name, row) for name in self.stratum.relations for row in self.relations[name].rows_in(NEW).tolist()
            }
            nodes |= self.changed
        by_relation: dict[str, list[tuple[int, int, int, int]]] = {}
        for name, row in sorted(nodes):
            derivations = self.sets.derivations.get((name, row), {})
            proofs = self.sets.proofs.get((name, row))
            if not proofs:
                by_relation.setdefault(name, []).append((row, -1, 0, 0))
                self.sets.proofs.pop((name, row), None)
                if not derivations:
                    self.sets.derivations.pop((name, row), None)
                continue
            level = min(height for _, height in proofs)
            first = {(rule, body) for rule, body, _, fires in derivations if fires == level}
            every = {(rule, body) for rule, body, _, _ in derivations}
            by_relation.setdefault(name, []).append((row, level, len(first), len(every)))
        for name, found in by_relation.items():
            relation = self.relations[name]
            rows, levels, counts, totals = (np.array(each) for each in zip(*found, strict=True))
            rows = rows.astype(np.int32)
            there = levels >= 0
            relation.put("level", rows[there], levels[there])
            relation.put("count", rows, counts)
            relation.put("total", rows, totals)
            relation.state[rows[~there]] &= _NOT_NEW
            relation.uniform = False
            self.touched.setdefault(name, []).append(rows)

    def undo(self) -> None:
        """As it was: nothing but marks was written."""
        for name, row in self.raised:
            self.relations[name].state[row] &= _NOT_NEW


def _add(into: dict[Key, int], key: Key, number: int) -> None:
    left = into.get(key, 0) + number
    if left < 0:
        raise EngineError("internal error: a derivation went that never came")
    if left:
        into[key] = left
    else:
        into.pop(key, None)


def maintain(task: Task) -> Outcome:
    if not task.counted:
        return bootstrap_because(task, NO_COUNTS)
    index = task.stratum.index
    sets = task.kept.derivations.pop(index, None)
    if sets is not None and not sets.hold_for(task.relations):
        sets = None
    made = PipelinedSemiNaive(task.program, task.stratum, task.relations, task.executor, sets)
    try:
        outcome = made.run()
    except _TooMany:
        made.undo()
        outcome = update(task.program, task.stratum, task.relations, task.executor)
        outcome.strategy, outcome.reason = (
            "update",
            f"derivations that came or went, and their supports, were more than {BUDGET}",
        )
        return outcome
    task.kept.derivations[index] = made.sets
    if sets is None:
        outcome.reason = "derivation sets were made from nothing"
    return outcome


PIPELINED: Final = Strategy(
    "pipelined",
    "Pick, fire and commit tuples one by one, with derivation sets; past a budget, update.",
    start,
    maintain,
)

__all__ = ["BUDGET", "PIPELINED", "DerivationSets"]
