"""The engine's face: a program and facts in, relations with levels and counts out, kept up to date by batches."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from .backends.embedded.choice import Choices
from .backends.embedded.execute import Executor
from .backends.embedded.keys import Column, Mask
from .backends.embedded.prices import Work
from .backends.embedded.relation import NEW, SETTLED, Relation
from .bound import Spent, bounded
from .changes import change_input, compact, difference
from .datalog.program import Program, Stratum
from .digest import combine, relation_digest
from .errors import EngineError, FactError, TooMuch
from .facts import Batch, Rows, constant_words, encode, to_rows, to_words
from .proofs import Node, Proof, Prover
from .registered import Registered
from .removal import Removal, Remover
from .report import Difference, RuleCost, StratumReport
from .state import Form, LazyRelations, Saved, SavedState, State, save
from .strategies import registry
from .strategies.elastic import DEFAULT_SWITCH
from .strategies.interface import Kept, Task
from .strategies.recompute import recompute
from .symbols import SymbolTable


class Evaluation:
    """A program's relations over some facts. Make one with `Evaluation.bootstrap` or `Evaluation.open`."""

    def __init__(
        self,
        program: Program,
        symbols: SymbolTable,
        relations: Mapping[str, Relation],
        bootstrap_work: dict[int, int],
    ):
        self.program = program
        self.symbols = symbols
        self._kept = Kept(bootstrap_work)
        self.reports: list[StratumReport] = []  # what the last bootstrap or update did
        self._relations = relations if isinstance(relations, LazyRelations) else LazyRelations(None, relations)
        self._constants = constant_words(program, symbols)
        self._choices = Choices(self._relations, self._relations.fanout)
        self._last: Executor | None = None  # of the last bootstrap or update
        self._origin: SavedState | None = None  # a state on disk with the same symbol ids
        self._touched: set[str] = set()  # relations that may have changed since
        self._broken = False
        self._registered: list[Registered] = []

    @classmethod
    def bootstrap(
        cls, program: Program, batch: Batch, strategy: str = "bootstrap", symbols: SymbolTable | None = None
    ) -> Evaluation:
        """Evaluate from scratch. Relations without facts in the batch are empty. Raises FactError, and TooLarge where
        the program has a bound.

        `strategy` is the one that later updates will use, if what it keeps of a stratum is to be there from the start.
        `symbols`: a table to share, so that ids mean the same in all that share it.
        """
        chosen = registry.strategy(strategy)
        symbols = SymbolTable() if symbols is None else symbols
        facts = encode(program, batch, symbols)
        inputs = set(program.input_storage.values())
        relations = {
            name: Relation(name, schema.arity, levelled=name not in inputs) for name, schema in program.stored.items()
        }
        for name, (columns, size) in facts.items():
            relations[name].append(columns, size, 0, 1, SETTLED)
        for name in inputs:
            relations[name].settle()
        evaluation = cls(program, symbols, relations, {})
        executor = evaluation._executor()
        evaluation._last = executor
        with bounded(program, evaluation._relations, symbols, executor):
            evaluation.reports = [
                registry.start(evaluation._task(stratum, executor), chosen) for stratum in program.strata
            ]
        return evaluation

    def extended(self, program: Program) -> Evaluation:
        """This evaluation with the strata that `program`, made by `self.program.extended`, has on top. Nothing else is
        evaluated, and arrays are shared as with `copy`. Raises TooLarge where the program has a bound."""
        self._refuse_broken()
        strata = program.above(self.program)
        relations = self._relations.copy()
        for name, schema in program.stored.items():
            if name not in self.program.stored:
                relations[name] = Relation(name, schema.arity, levelled=True)
        evaluation = Evaluation(program, self.symbols, relations, {})
        evaluation._kept = self._kept.copy()
        executor = evaluation._executor()
        evaluation._last = executor
        with bounded(program, evaluation._relations, self.symbols, executor):
            evaluation.reports = [
                registry.start(evaluation._task(stratum, executor), registry.strategy("bootstrap"))
                for stratum in strata
            ]
        return evaluation

    def update(
        self,
        insert: Batch | None = None,
        delete: Batch | None = None,
        strategy: str = registry.DEFAULT,
        switch: float = DEFAULT_SWITCH,
    ) -> Difference:
        """Take facts in and out and bring every relation up to date by a strategy, named as in strategies/registry.py.

        Deleting an absent fact and inserting a present one do nothing; a fact in both ends present. An update that
        raises anything but FactError, as TooLarge where the program has a bound, leaves the evaluation unusable.
        """
        self._refuse_broken()
        chosen = registry.strategy(strategy)
        deleting = encode(self.program, delete, self.symbols, intern=False) if delete is not None else {}
        inserting = encode(self.program, insert, self.symbols) if insert is not None else {}
        self._broken = True
        for name in {**deleting, **inserting}:
            change_input(self._relations[name], inserting.get(name), deleting.get(name))
        executor = self._executor()
        self._last = executor
        with bounded(self.program, self._relations, self.symbols, executor):
            self.reports = [
                registry.maintain(self._task(stratum, executor, switch), chosen) for stratum in self.program.strata
            ]
        self._touched.update(deleting, inserting)
        self._touched.update(*(report.relations for report in self.reports if report.strategy != "none"))
        for registered in self._registered:
            registered.follow()
        difference = self._difference()
        self._finish()
        self._broken = False
        return difference

    def register(self, program: Program) -> Registered:
        """The strata that `program`, made by `self.program.extended` or `.shared`, has on top: evaluated now, and
        brought up to date by each `update` from now on, until `unregister`. A copy has none of them. Raises TooLarge
        where `program` has a bound, which is for its own strata, and for each update of them again."""
        self._refuse_broken()
        registered = Registered(program, self.program, self._relations, self.symbols, self._relations.fanout)
        self._registered.append(registered)
        return registered

    def unregister(self, registered: Registered) -> None:
        """Lets go of it, if that was not done before."""
        self._registered = [each for each in self._registered if each is not registered]

    def _finish(self) -> None:
        """The views of the epoch that ran become one; relations of mostly tombstones are compacted."""
        compact(self.program, self._relations, self._kept)

    def _task(self, stratum: Stratum, executor: Executor, switch: float = DEFAULT_SWITCH) -> Task:
        return Task(self.program, stratum, self._relations, executor, self._kept, switch=switch)

    @property
    def bootstrap_work(self) -> dict[int, int]:
        """Of each stratum, by index, what its last evaluation from nothing cost, in joined rows."""
        return dict(self._kept.work)

    def uncounted(self) -> list[str]:
        """Relations whose counts are not known, because semi_naive was the last to evaluate them."""
        return [
            name for name, relation in self._relations.items() if relation.level is not None and relation.count is None
        ]

    def count(self) -> None:
        """Bootstrap the strata whose counts are not known, so that they are."""
        self._refuse_broken()
        uncounted = {self.program.stratum_of[name] for name in self.uncounted()}
        if uncounted:
            self._broken = True
            executor = self._executor()
            with bounded(self.program, self._relations, self.symbols, executor):
                for index in sorted(uncounted):
                    recompute(self._task(self.program.strata[index], executor))
                    self._touched.update(self.program.strata[index].relations)
            self._finish()
            self._broken = False

    def _difference(self) -> Difference:
        inputs, outputs = tuple(self.program.input_storage.values()), tuple(self.program.outputs)
        return difference(self.program, self._relations, inputs, outputs, self.reports)

    def copy(self) -> Evaluation:
        """An evaluation that parts from this one with its next update; arrays are shared until one side writes.

        Both share one symbol table: ids mean the same in both, also those given later.
        """
        copied = Evaluation(self.program, self.symbols, self._relations.copy(), {})
        copied._kept = self._kept.copy()
        copied.reports = list(self.reports)
        copied._origin, copied._touched = self._origin, set(self._touched)
        copied._broken = self._broken
        return copied

    def load_as(self, other: Evaluation) -> None:
        """Reads from the saved state, now, the relations that another evaluation of it has read."""
        for name in other._relations.keys() - self._relations.keys():
            self._relations[name]

    def prove_many(self, targets: Sequence[tuple[str, Sequence[int]]]) -> list[Proof | None]:
        """A proof of minimal height of each (relation, row of ids and values); None for what does not hold.

        Proofs of one call share their parts.
        """
        by_relation: dict[str, list[int]] = {}
        for position, (name, _) in enumerate(targets):
            by_relation.setdefault(name, []).append(position)
        nodes: list[Node | None] = [None] * len(targets)
        for name, positions in by_relation.items():
            relation = self._relation(name)
            wanted = np.array([targets[position][1] for position in positions], np.int64)
            wanted = wanted.reshape(len(positions), -1)
            rows = relation.locate(self._columns(relation, wanted), len(positions))
            present = (rows >= 0) & ((relation.state[rows] & NEW) != 0) if relation.size else rows >= 0
            for position, row, there in zip(positions, rows.tolist(), present.tolist(), strict=True):
                if there:
                    nodes[position] = (name, row)
        prover = Prover(self.program, self._relations, self._executor(), self.symbols)
        proofs = prover.prove([node for node in nodes if node is not None])
        return [None if node is None else proofs[node] for node in nodes]

    def explain_removal(self, later: Evaluation, name: str, row: Sequence[int], most: float = math.inf) -> Removal:
        """Which input changes took the last derivation of a tuple of this state that `later` lacks. `later` is a
        `copy` of this evaluation after updates. A tuple may have more derivations than can be listed: raises TooMuch
        where the joins would put out more than `most` rows, FactError where the tuple does not hold here or holds
        there."""
        relation, given = self._relation(name), np.array([row], np.int64)
        columns = self._columns(relation, given)
        if not relation.contains(columns, 1)[0] or later.contains(name, given)[0]:
            raise FactError(f"the tuple of {name} was not removed: it has to hold before, and not after")
        executor = self._executor()
        executor.most = most
        remover = Remover(self.program, self._relations, executor, later._relations)
        try:
            return remover.explain(relation.name, int(relation.locate(columns, 1)[0]))
        except Spent:
            raise TooMuch(
                f"the derivations of a removed tuple of {name} take more than {most:,.0f} joined rows"
            ) from None

    @property
    def state_bytes(self) -> int:
        """Bytes of memory that the relations, their arrangements, the symbols and what strategies keep take."""
        relations = {name: self._relations[name] for name in self.program.stored}
        return self.symbols.nbytes + sum(relation.nbytes for relation in relations.values()) + self._kept.nbytes

    def digest(self) -> str:
        """128 bits in hexadecimal: the same for the same program, tuples, levels and counts, whatever the history.
        Raises EngineError where counts are not known."""
        self._refuse_uncounted(self.program.stored)
        stored = self.program.stored
        parts = ((name, relation_digest(self._relations[name], stored[name].kinds, self.symbols)) for name in stored)
        return combine(self.program.hash, parts)

    def relation_digests(self) -> dict[str, str]:
        """The digest of each stored relation, to tell which ones differ. Raises EngineError where counts are not
        known."""
        self._refuse_uncounted(self.program.stored)
        return {
            name: "{:016x}{:016x}".format(*relation_digest(self._relations[name], schema.kinds, self.symbols))
            for name, schema in self.program.stored.items()
        }

    def save(self, directory: str | os.PathLike[str], form: Form = "any", limit: int | None = None) -> Saved | None:
        """Write the state to `directory`, in place of one that may be there; see state/ for what a crash leaves.

        What changed since the state that this evaluation was opened from, or was saved to first, is enough where it is
        little ("any"). `form`: "whole" always writes everything; "delta" nothing but such a change, of `limit` bytes at
        most, and gives None where it would not do. Raises StateError if the directory cannot be written.
        """
        self.count()
        constants = [
            int(word)
            for (kind, _), word in zip(self.program.constants, self._constants, strict=True)
            if kind == "symbol"
        ]
        lookups, work = self._choices.lookups, self._kept.work
        state = State(self.program, self.symbols, self._relations, lookups, constants, work)
        saved = save(Path(directory), state, self._origin, self._touched, form, limit)
        if saved is not None and saved.state is not None:
            self._origin, self._touched = saved.state, set()
        return saved

    @classmethod
    def open(cls, directory: str | os.PathLike[str], program: Program) -> Evaluation:
        """The evaluation saved in `directory`. Raises StateError if it is not one of `program`, whole and of this
        version; damage in a relation is found, with the same error, when the relation is first used."""
        saved = SavedState(Path(directory), program)
        evaluation = cls(program, saved.symbols(), LazyRelations(saved), saved.bootstrap_work())
        evaluation._origin = saved
        return evaluation

    @property
    def saved(self) -> SavedState | None:
        """The state on disk that the next save may be a delta on."""
        return self._origin

    def rows(self, name: str) -> Rows:
        """The tuples of a stored relation, shape (n, arity): symbol ids and values, in no particular order."""
        relation = self._relation(name)
        if relation.uniform:
            columns, size = [column[: relation.size] for column in relation.columns], relation.size
        else:
            rows = relation.rows_in(NEW)
            columns, size = [column[rows] for column in relation.columns], len(rows)
        return to_rows(columns, self.program.stored[relation.name].kinds, size)

    def levels_counts(self, name: str) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Level and count of each tuple, in the order of `rows`. An input has level 0 and count 1. Raises EngineError
        where the counts are not known."""
        relation = self._relation(name)
        self._refuse_uncounted([relation.name])
        rows = relation.rows_in(NEW)
        if relation.level is None or relation.count is None:
            return np.zeros(len(rows), np.int32), np.ones(len(rows), np.int64)
        return relation.levels_of(rows), relation.count[rows].astype(np.int64)

    def levels(self, name: str) -> NDArray[np.int32]:
        """Level of each tuple, in the order of `rows`."""
        relation = self._relation(name)
        rows = relation.rows_in(NEW)
        return np.zeros(len(rows), np.int32) if relation.level is None else relation.levels_of(rows)

    def size(self, name: str) -> int:
        relation = self._relation(name)
        return relation.size if relation.uniform else len(relation.rows_in(NEW))

    def contains(self, name: str, rows: NDArray[Any]) -> Mask:
        """For each row of ids and values (shape (n, arity)): is it a tuple of the relation?"""
        relation = self._relation(name)
        return relation.contains(self._columns(relation, rows), len(rows))

    def strings(self, ids: Iterable[int] | NDArray[Any]) -> list[str]:
        """The strings of symbol ids."""
        found: list[str] = self.arrow_strings(ids).to_pylist()
        return found

    def arrow_strings(self, ids: Iterable[int] | NDArray[Any]) -> Any:
        """The strings of symbol ids, as an Arrow array."""
        array = np.asarray(ids if isinstance(ids, np.ndarray) else list(ids), np.int64)
        if len(array) and not (int(array.min()) >= 0 and int(array.max()) < len(self.symbols)):
            raise FactError("an id is given that no symbol has")
        return self.symbols.take(array)

    def symbol_ids(self, strings: Sequence[str] | Any) -> NDArray[np.int64]:
        """The ids of strings; -1 for one that the state does not know."""
        return self.symbols.ids(pa.array(strings, pa.large_string()) if isinstance(strings, list) else strings).astype(
            np.int64
        )

    def _refuse_broken(self) -> None:
        if self._broken:
            raise EngineError("an earlier update of this evaluation failed; open the state again or bootstrap it")

    def _refuse_uncounted(self, names: Iterable[str]) -> None:
        unknown = sorted(set(names) & set(self.uncounted()))
        if unknown:
            raise EngineError(
                f"the counts of {', '.join(unknown)} are not known: semi_naive keeps none; count() finds them"
            )

    def _relation(self, name: str) -> Relation:
        if name not in self.program.stored:
            if name in self.program.schemas:
                raise FactError(f"relation {name} is not evaluated: no output depends on it")
            raise FactError(f"relation {name} is not declared")
        return self._relations[name]

    def _columns(self, relation: Relation, rows: NDArray[Any]) -> list[Column]:
        rows = np.asarray(rows)
        if rows.ndim != 2 or rows.shape[1] != relation.arity:
            raise FactError(f"rows of {relation.name} have shape {rows.shape}; (n, {relation.arity}) is expected")
        return [to_words(rows[:, index]) for index in range(relation.arity)]

    def relation(self, name: str) -> Relation:
        """A stored relation as it is kept, to be read only."""
        return self._relation(name)

    @property
    def choices(self) -> Choices:
        """The join orders that the statistics choose as things stand."""
        return self._choices

    @property
    def profile(self) -> list[RuleCost]:
        """What each rule cost in the last bootstrap or update, from each atom that it was driven by."""
        return [] if self._last is None else list(self._last.costs.values())

    @property
    def work(self) -> Work:
        """What the last bootstrap or update did."""
        return Work(0, 0, 0) if self._last is None else self._last.done

    def _executor(self) -> Executor:
        return Executor(self._relations, self._constants, self.symbols.compare, self._choices)


__all__ = ["Evaluation"]
