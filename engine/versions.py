"""The engine's face for many versions: facts with the versions that have them in, any version's relations out.

Up to 64 versions of the facts of one program are evaluated in one fixpoint (`strategies/versions.py`). Each of them can
then be read as an `Evaluation` of its own, with levels and proofs, at the cost of a mask over rows that all share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NoReturn

import numpy as np

from .backends.embedded.choice import Choices
from .backends.embedded.execute import Executor
from .backends.embedded.keys import Column, Words, places_of
from .backends.embedded.relation import SETTLED, Relation
from .backends.embedded.version_sets import MOST_VERSIONS, consolidate_sets, everywhere, has
from .backends.embedded.widths import width
from .bound import bounded
from .datalog.program import Program
from .errors import EngineError, FactError
from .evaluation import Evaluation
from .facts import Batch, Rows, constant_words, encode_rows, to_rows
from .report import Difference, StratumReport
from .state import LazyRelations
from .strategies.versions import Arrivals, evaluate
from .symbols import SymbolTable


class VersionedFacts:
    """Input facts with the versions that have them, distinct. `relations`: by storage name, each with `versions`."""

    def __init__(self, program: Program, count: int):
        if not 0 < count <= MOST_VERSIONS:
            raise EngineError(f"{count} versions are asked for; one fixpoint holds 1 to {MOST_VERSIONS}")
        self.program, self.count, self.symbols = program, count, SymbolTable()
        self.relations: dict[str, Relation] = {}
        self._varying: dict[str, Column] = {}

    @classmethod
    def of(cls, program: Program, batch: Batch, sets: Mapping[str, Words], count: int) -> VersionedFacts:
        """`sets`: for each relation of the batch the versions of each row, version i being bit i; a fact that comes
        several times is in all versions of any. Raises FactError."""
        facts = cls(program, count)
        for name, storage in program.input_storage.items():
            facts.relations[storage] = _empty(storage, len(program.inputs[name]), levelled=False)
        for name, columns, size in encode_rows(program, batch, facts.symbols):
            of_rows = np.asarray(sets.get(name, ()), np.uint64)
            if len(of_rows) != size or (of_rows & ~everywhere(count)).any():
                raise FactError(f"facts of {name} need one set of versions below {count} for each of {size} rows")
            columns, of_rows = consolidate_sets(columns, size, of_rows)
            held = places_of(of_rows)
            relation = facts.relations[program.input_storage[name]]
            relation.append([column[held] for column in columns], len(held), 0, 1, SETTLED)
            relation.versions = of_rows[held]
            relation.settle()
        return facts

    @property
    def size(self) -> int:
        """Facts that any version has."""
        return sum(relation.size for relation in self.relations.values())

    def size_of(self, version: int) -> int:
        return sum(int(np.count_nonzero(has(_sets(each), version))) for each in self.relations.values())

    def changes(self, old: int, new: int) -> tuple[int, int]:
        """How many facts come and go from one version to another."""
        came = gone = 0
        for name in self.relations:
            _, inserted, deleted = self._parted(name, old, new)
            came, gone = came + len(inserted), gone + len(deleted)
        return came, gone

    def batch(self, version: int) -> Batch:
        """The facts of one version."""
        return self._batch({
            name: places_of(has(_sets(self.relations[storage]), version)).astype(np.int32)
            for name, storage in self.program.input_storage.items()
        })  # fmt: skip

    def difference(self, old: int, new: int) -> tuple[Batch, Batch]:
        """What to insert into one version, and to delete from it, to get the other."""
        parted = {name: self._parted(storage, old, new) for name, storage in self.program.input_storage.items()}
        return tuple(self._batch({name: of[side] for name, of in parted.items()}) for side in (1, 2))  # type: ignore[return-value]

    def _parted(self, storage: str, old: int, new: int) -> tuple[Column, Column, Column]:
        relation = self.relations[storage]
        if storage not in self._varying:
            self._varying[storage] = places_of(_sets(relation) != everywhere(self.count)).astype(np.int32)
        rows = self._varying[storage]
        was, now = has(_sets(relation)[rows], old), has(_sets(relation)[rows], new)
        return rows, rows[now & ~was], rows[was & ~now]

    def _batch(self, rows: Mapping[str, Column]) -> Batch:
        """Of the symbols only those that the rows have."""
        found = {}
        for name, of_relation in rows.items():
            relation = self.relations[self.program.input_storage[name]]
            if len(of_relation):
                columns = [column[of_relation] for column in relation.columns]
                found[name] = to_rows(columns, self.program.inputs[name], len(of_relation))
        held = np.zeros(len(self.symbols), np.bool_)
        for name, some in found.items():
            for place, kind in enumerate(self.program.inputs[name]):
                if kind == "symbol":
                    held[some[:, place]] = True
        used = places_of(held)
        numbers = np.cumsum(held) - 1
        for name, some in found.items():
            for place, kind in enumerate(self.program.inputs[name]):
                if kind == "symbol":
                    some[:, place] = numbers[some[:, place]]
        return Batch(self.symbols.take(used), found)


class Versions:
    """A program's relations over all versions of its facts. Made by `Versions.evaluate` or `of`; never changes."""

    def __init__(self, facts: VersionedFacts):
        self.program, self.symbols, self.count = facts.program, facts.symbols, facts.count
        self.relations = {
            name: facts.relations[name] if name in facts.relations else _empty(name, schema.arity, levelled=True)
            for name, schema in self.program.stored.items()
        }
        self.arrivals = {name: Arrivals() for name in self.relations}
        self.work = 0  # rows that joins put out, partial instantiations included
        self._facts = facts
        self._varying: dict[str, Column] = {}
        self._at: dict[int, Evaluation] = {}

    @classmethod
    def evaluate(cls, program: Program, batch: Batch, sets: Mapping[str, Words], count: int) -> Versions:
        """Evaluate versions 0 to `count` - 1; `sets` as in `VersionedFacts.of`. Raises FactError, and EngineError for
        more than 64 versions."""
        return cls.of(VersionedFacts.of(program, batch, sets, count))

    @classmethod
    def of(cls, facts: VersionedFacts) -> Versions:
        """Evaluate all versions of the facts, which must not be used for another evaluation of many versions."""
        program = facts.program
        versions = cls(facts)
        constants = constant_words(program, versions.symbols)
        choices = Choices(versions.relations, lambda name, key: None)
        executor = Executor(versions.relations, constants, versions.symbols.compare, choices)
        with bounded(program, versions.relations, versions.symbols, executor):
            for stratum in program.strata:
                evaluate(program, stratum, versions.relations, executor, everywhere(facts.count), versions.arrivals)
        for relation in versions.relations.values():
            relation.settle()
        versions.work = executor.work
        return versions

    def at(self, version: int) -> Evaluation:
        """One version, to be read: its tuples with their levels, its strings and its proofs."""
        found = self._at.get(version)
        if found is None:
            self._check(version)
            found = self._at[version] = _Version(self, version)
        return found

    def alone(self, version: int) -> Evaluation:
        """One version as Bootstrap makes it, sharing the symbol table alone: it can be changed."""
        self._check(version)
        return Evaluation.bootstrap(self.program, self._facts.batch(version), symbols=self.symbols)

    def forget(self, version: int) -> None:
        """Let go of what was read of a version."""
        self._at.pop(version, None)

    def difference(self, old: int, new: int) -> Difference:
        """What an update from one version to another changes in inputs and outputs, and how much in each stratum."""
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
        strata = [
            StratumReport(
                stratum.relations, "versions", "", 0, partial(self._changes, stratum.relations, old, new), 0, 0.0
            )
            for stratum in self.program.strata
        ]
        return Difference(inserted, deleted, strata=strata, inputs=inputs, outputs=tuple(self.program.outputs))

    def _changes(self, names: Sequence[str], old: int, new: int) -> int:
        """Tuples of relations that one of two versions has and the other has not."""
        changed = 0
        for name in names:
            sets = self.sets(name)[self.varying(name)]
            changed += int(np.count_nonzero(has(sets, old) != has(sets, new)))
        return changed

    def varying(self, name: str) -> Column:
        """The rows of a stored relation that not all versions have."""
        if name not in self._varying:
            self._varying[name] = places_of(self.sets(name) != everywhere(self.count)).astype(np.int32)
        return self._varying[name]

    def sets(self, name: str) -> Words:
        """Of each row of a stored relation, the versions that have it."""
        return _sets(self.relations[name])

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


def _empty(name: str, arity: int, *, levelled: bool) -> Relation:
    relation = Relation(name, arity, levelled, counted=False)
    relation.versions = np.empty(0, np.uint64)
    return relation


def _sets(relation: Relation) -> Words:
    assert relation.versions is not None
    return relation.versions[: relation.size]


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


class _Version(Evaluation):
    def __init__(self, versions: Versions, version: int):
        super().__init__(versions.program, versions.symbols, _Masked(versions, version), {})
        self._alone = partial(versions.alone, version)

    def uncounted(self) -> list[str]:
        return list(self.program.stratum_of)

    def update(self, *_: Any, **__: Any) -> NoReturn:
        _refuse()

    def count(self) -> NoReturn:
        _refuse()

    def copy(self) -> Evaluation:
        """An evaluation of this version alone, by Bootstrap, with the same symbol table; that can be changed."""
        return self._alone()


def _refuse() -> NoReturn:
    raise EngineError("one of many versions can be read and not be changed or saved: change a copy of it")


__all__ = ["VersionedFacts", "Versions"]
