"""The engine's face for many versions: facts with the versions that have them in, any version's relations out.

Up to 64 versions of the facts of one program are evaluated in one fixpoint (`strategies/versions.py`). Each of them can
then be read as an `Evaluation` of its own, with levels and proofs, at the cost of a mask over rows that all share.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np

from .backends.embedded.choice import Choices
from .backends.embedded.execute import Executor
from .backends.embedded.keys import Column, Words, places_of
from .backends.embedded.relation import SETTLED, Relation
from .backends.embedded.version_sets import MOST_VERSIONS, consolidate_sets, everywhere, has
from .backends.embedded.widths import width
from .datalog.program import Program
from .errors import EngineError, FactError
from .evaluation import Evaluation
from .facts import Batch, Rows, constant_words, encode_rows, to_rows
from .report import Difference
from .state import LazyRelations
from .strategies.versions import Arrivals, evaluate
from .symbols import SymbolTable


class Versions:
    """A program's relations over `count` versions of its facts. Made by `Versions.evaluate`; never changes."""

    def __init__(self, program: Program, symbols: SymbolTable, count: int):
        self.program, self.symbols, self.count = program, symbols, count
        inputs = set(program.input_storage.values())
        self.relations = {
            name: Relation(name, schema.arity, levelled=name not in inputs, counted=False)
            for name, schema in program.stored.items()
        }
        for relation in self.relations.values():
            relation.versions = np.empty(0, np.uint64)
        self.arrivals = {name: Arrivals() for name in self.relations}
        self.work = 0  # rows that joins put out, partial instantiations included
        self._varying: dict[str, Column] = {}
        self._at: dict[int, Evaluation] = {}

    @classmethod
    def evaluate(cls, program: Program, batch: Batch, sets: Mapping[str, Words], count: int) -> Versions:
        """Evaluate versions 0 to `count` - 1. `sets`: for each relation of the batch the versions of each row, version
        i being bit i; a fact that comes several times is in all versions of any. Raises FactError, and EngineError for
        a program with aggregates or more than 64 versions."""
        if not 0 < count <= MOST_VERSIONS:
            raise EngineError(f"{count} versions are asked for; one fixpoint holds 1 to {MOST_VERSIONS}")
        made = next((each for each in program.strata if each.aggregation is not None), None)
        if made is not None and made.aggregation is not None:
            raise EngineError(
                f"the program aggregates {made.aggregation.source}, and aggregates are not evaluated over many "
                "versions at once: evaluate each version by itself"
            )
        versions = cls(program, SymbolTable(), count)
        versions._load(batch, sets)
        executor = Executor(versions.relations, constant_words(program, versions.symbols), versions.symbols.compare,
                            Choices(versions.relations, lambda name, key: None))  # fmt: skip
        for stratum in program.strata:
            evaluate(program, stratum, versions.relations, executor, everywhere(count), versions.arrivals)
        for relation in versions.relations.values():
            relation.settle()
        versions.work = executor.work
        return versions

    def _load(self, batch: Batch, sets: Mapping[str, Words]) -> None:
        bounds = everywhere(self.count)
        for name, columns, size in encode_rows(self.program, batch, self.symbols):
            of_rows = np.asarray(sets.get(name, ()), np.uint64)
            if len(of_rows) != size or (of_rows & ~bounds).any():
                raise FactError(f"facts of {name} need one set of versions below {self.count} for each of {size} rows")
            columns, of_rows = consolidate_sets(columns, size, of_rows)
            held = places_of(of_rows)
            relation = self.relations[self.program.input_storage[name]]
            relation.append([column[held] for column in columns], len(held), 0, 1, SETTLED)
            assert relation.versions is not None
            relation.versions[: relation.size] = of_rows[held]
            relation.settle()

    def at(self, version: int) -> Evaluation:
        """One version, to be read: its tuples with their levels, its strings and its proofs."""
        found = self._at.get(version)
        if found is None:
            self._check(version)
            found = self._at[version] = _Version(self, version)
        return found

    def forget(self, version: int) -> None:
        """Let go of what was read of a version."""
        self._at.pop(version, None)

    def difference(self, old: int, new: int) -> Difference:
        """What an update from one version to another changes in inputs and outputs; no strata are reported."""
        self._check(old)
        self._check(new)
        inputs = tuple(self.program.input_storage.values())
        inserted: dict[str, Rows] = {}
        deleted: dict[str, Rows] = {}
        for name in dict.fromkeys((*inputs, *self.program.outputs)):
            rows = self.varying(name)
            sets = self.sets(name)[rows]
            was, now = has(sets, old), has(sets, new)
            inserted[name] = self._rows(name, rows[now & ~was])
            deleted[name] = self._rows(name, rows[was & ~now])
        return Difference(inserted, deleted, inputs=inputs, outputs=tuple(self.program.outputs))

    def varying(self, name: str) -> Column:
        """The rows of a stored relation that not all versions have."""
        if name not in self._varying:
            self._varying[name] = places_of(self.sets(name) != everywhere(self.count)).astype(np.int32)
        return self._varying[name]

    def sets(self, name: str) -> Words:
        """Of each row of a stored relation, the versions that have it."""
        relation = self.relations[name]
        assert relation.versions is not None
        return relation.versions[: relation.size]

    def rows(self, name: str) -> Rows:
        """The tuples of a stored relation that any version has, in the order of `sets`."""
        return self._rows(name, np.arange(self.relations[name].size, dtype=np.int32))

    def _rows(self, name: str, rows: Column) -> Rows:
        columns = [column[rows] for column in self.relations[name].columns]
        return to_rows(columns, self.program.stored[name].kinds, len(rows))

    @property
    def tuples(self) -> int:
        """Rows of all relations, inputs included."""
        return sum(relation.size for relation in self.relations.values())

    def _check(self, version: int) -> None:
        if not 0 <= version < self.count:
            raise EngineError(f"there is no version {version} among {self.count}")


class _Masked(LazyRelations):
    """The relations of one version, each made when it is first used: columns and arrangements are those of all."""

    def __init__(self, versions: Versions, version: int):
        super().__init__()
        self._versions, self._version = versions, version

    def __missing__(self, name: str) -> Relation:
        of_all = self._versions.relations[name]
        relation = self[name] = Relation(name, of_all.arity, of_all.level is not None, counted=False)
        relation.columns, relation.size, relation.stable = of_all.columns, of_all.size, of_all.size
        # No row comes any more, so that what one version arranges serves all.
        relation.arrangements, relation.fanouts = of_all.arrangements, of_all.fanouts
        here = has(self._versions.sets(name), self._version)
        relation.state = here * np.uint8(SETTLED)
        relation.dead = relation.size - int(np.count_nonzero(here))
        relation.uniform = relation.dead == 0
        if relation.level is not None:
            arrivals = self._versions.arrivals[name]
            relation.level = np.zeros(relation.size, width(max(arrivals.levels, default=0)))
            for rows, sets, level in zip(arrivals.rows, arrivals.sets, arrivals.levels, strict=True):
                relation.level[rows[has(sets, self._version)]] = level
        return relation

    def copy(self) -> LazyRelations:
        _refuse()


class _Version(Evaluation):
    def __init__(self, versions: Versions, version: int):
        super().__init__(versions.program, versions.symbols, _Masked(versions, version), {})

    def uncounted(self) -> list[str]:
        return list(self.program.stratum_of)

    def update(self, *_: Any, **__: Any) -> NoReturn:
        _refuse()

    def count(self) -> NoReturn:
        _refuse()


def _refuse() -> NoReturn:
    raise EngineError("one of many versions can be read and not be changed, copied or saved: bootstrap its facts")


__all__ = ["Versions"]
