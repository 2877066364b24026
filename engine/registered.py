"""A query that is kept up to date with an evaluation: its strata are maintained in the same epoch, after those below.

    evaluation:   inputs ──► strata of the program ──┬──► strata of one registered query, in relations of its own
                                                     └──► strata of another

What is below is read as it stands in the evaluation, with its arrangements and the changes that the running epoch has
marked; nothing of it is kept twice. Queries do not see each other, and one that fails stops alone.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Sequence
from time import perf_counter

import numpy as np

from .backends.embedded.choice import Choices, Estimate
from .backends.embedded.execute import Executor
from .backends.embedded.keys import Column
from .backends.embedded.relation import SETTLED, Relation
from .bound import bounded
from .changes import change_input, compact, difference
from .datalog.program import Program, Stratum
from .datalog.syntax import PARAMETERS
from .errors import TooLarge
from .facts import Rows, constant_words, to_rows, to_words
from .report import Difference, StratumReport
from .state import LazyRelations
from .strategies import registry
from .strategies.elastic import DEFAULT_SWITCH
from .strategies.interface import Kept, Strategy, Task
from .symbols import SymbolTable


class _Above(ChainMap[str, Relation]):
    """Relations of a query, and those below it. What is put in place of one, and be it for a moment, goes where that
    one is."""

    def __setitem__(self, name: str, relation: Relation) -> None:
        own, below = self.maps
        (own if name in own else below)[name] = relation


class Registered:
    """Made by `Evaluation.register`. `difference`: of the outputs, in the last epoch or change of parameters. `failed`:
    why it is not maintained any more. `seconds`: that the last epoch took here."""

    def __init__(
        self, program: Program, below: Program, relations: LazyRelations, symbols: SymbolTable, estimate: Estimate
    ):
        self._strata = program.above(below)
        self.program = program
        self.outputs = program.outputs[len(below.outputs) :]
        self.symbols = symbols
        self.failed: TooLarge | None = None
        self.seconds = 0.0
        self.reports: list[StratumReport] = []
        self._own = {
            name: Relation(name, schema.arity, levelled=name != PARAMETERS)
            for name, schema in program.stored.items()
            if name not in below.stored
        }
        if PARAMETERS in self._own:
            self._own[PARAMETERS].settle()
        self._relations = _Above(self._own, relations)
        self._constants = constant_words(program, symbols)
        self._choices = Choices(self._relations, estimate)
        self._kept = Kept()
        self._run(registry.strategy("bootstrap"), start=True)
        self.difference = self._finish()
        if self.failed is not None:
            raise self.failed

    def follow(self) -> None:
        """Part of the epoch of the evaluation: its strata are done, and their changes are marked."""
        if self.failed is None:
            self._run(registry.strategy(registry.DEFAULT))
            self.difference = self._finish()

    def change(self, insert: Sequence[Sequence[str | int]], delete: Sequence[Sequence[str | int]] = ()) -> Difference:
        """Take rows into the parameters of a shared query and out of them, between two epochs. Raises TooLarge where
        the program has a bound; the query is not maintained any more then."""
        if self.failed is not None:
            raise self.failed
        change_input(self._own[PARAMETERS], self._parameters(insert), self._parameters(delete))
        self._run(registry.strategy(registry.DEFAULT))
        self.difference = self._finish()
        if self.failed is not None:
            raise self.failed
        return self.difference

    def rows(self, name: str) -> Rows:
        """The tuples of an output, as of `Evaluation.rows`."""
        relation = self._own[name]
        rows = relation.rows_in(SETTLED)
        return to_rows([column[rows] for column in relation.columns], self.program.stored[name].kinds, len(rows))

    def levels_counts(self, name: str) -> tuple[Column, Column]:
        """Level and count of each tuple of one of its own relations, in the order of `rows`."""
        relation = self._own[name]
        rows = relation.rows_in(SETTLED)
        assert relation.count is not None
        return relation.levels_of(rows), relation.count[rows]

    @property
    def size(self) -> int:
        """Rows of its own relations."""
        return sum(relation.size - relation.dead for relation in self._own.values())

    @property
    def nbytes(self) -> int:
        """Bytes of its own relations and what strategies keep of them."""
        return sum(relation.nbytes for relation in self._own.values()) + self._kept.nbytes

    def _parameters(self, rows: Sequence[Sequence[str | int]]) -> tuple[list[Column], int]:
        kinds = self.program.stored[PARAMETERS].kinds
        columns: list[Column] = []
        for index, kind in enumerate(kinds):
            values = [row[index] for row in rows]
            columns.append(self.symbols.intern(values) if kind == "symbol" else to_words(np.array(values, np.int64)))
        return columns, len(rows)

    def _run(self, strategy: Strategy, *, start: bool = False) -> None:
        began = perf_counter()
        executor = Executor(self._relations, self._constants, self.symbols.compare, self._choices)
        apply = registry.start if start else registry.maintain
        try:
            with bounded(self.program, self._own, self.symbols, executor):
                self.reports = [apply(self._task(stratum, executor), strategy) for stratum in self._strata]
        except TooLarge as error:
            self.failed = error
        self.seconds = perf_counter() - began

    def _task(self, stratum: Stratum, executor: Executor) -> Task:
        return Task(self.program, stratum, self._relations, executor, self._kept, switch=DEFAULT_SWITCH)

    def _finish(self) -> Difference:
        if self.failed is not None:
            self._own.clear()
            return Difference()
        found = difference(self.program, self._own, (), self.outputs, self.reports)
        compact(self.program, self._own, self._kept)
        return found


__all__ = ["Registered"]
