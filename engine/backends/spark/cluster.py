"""A transport over Spark: a step is one job, in which every shard is a group and its messages are shuffled to it.

The rows that a step gives are a *frame*: the relations that it wrote, messages for the next step, a report for each
shard. Frames are kept by Spark and cut from their lineage; which frame has a relation last is all that the driver
remembers of it. A relation that a step does not name takes no part in it.
"""

from __future__ import annotations

import hashlib
import pickle
import secrets
from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import Any, Final

from ...errors import EngineError, FactError
from ...strategies.pipelined.conductor import Step
from ...strategies.pipelined.localise import LocalProgram
from ...strategies.pipelined.report import Report
from ..embedded.keys import Column
from . import blocks
from .session import SparkError, described, first_line
from .spread import spread_keys
from .storage import Frames
from .worker import Work, stepper

INPUTS: Final = -1


class Cluster:
    """`frames` keeps what steps give. `strings`: blocks of symbols, which steps are handed if rules order symbols."""

    def __init__(self, spark: Any, program: LocalProgram, constants: Column, frames: Frames, ordering: bool):
        self.spark, self.program, self.constants, self.frames = spark, program, constants, frames
        self.keys = spread_keys(program.shards)
        self.run = secrets.token_hex(8)
        self.content = pickle.dumps(program, pickle.HIGHEST_PROTOCOL)
        self.digest = hashlib.sha256(self.content).hexdigest()
        self.versions: dict[str, int] = {}  # local name -> the frame that has it
        self.symbols: list[Any] = []  # frames with blocks of strings
        self.symbols_in: set[int] = set()  # the kept frames that they are in
        self.planned: dict[str, int] = {}  # the sizes that the program was localised for
        self.number = 0
        self.under_way = 0
        self._ordering = ordering
        self._inbox: Any = None  # facts as messages, with a row for each shard
        self._latest = 0  # the frame of the last step, which has the messages since then, and a row for each shard
        self._every: Any = None

    @property
    def waiting(self) -> int:
        return self.under_way

    @property
    def used(self) -> set[int]:
        """The frames that something is read from."""
        return {*self.versions.values(), *self.symbols_in, self._latest}

    def hand_in(self, messages: Any) -> None:
        """Have messages under way: rows with the receivers' keys, and a row for each shard."""
        self._inbox, self.under_way = messages, 1

    def adopt(self, frame: Any, names: set[str]) -> None:
        """Have relations that were made elsewhere: rows with the keys of their shards."""
        self.number += 1
        with described(self.spark, "relations"), one_line():
            self.frames.keep(self.number, frame)
        self.versions.update(dict.fromkeys(names, self.number))

    def take_symbols(self, made: Any) -> None:
        """Keep blocks of strings, with a report of each part whose note is how many of its strings are new."""
        self.number += 1
        with described(self.spark, "symbols"), one_line():
            notes = self._kept(lambda: made)
            if sum(int(new) for _, new in notes):
                self.add_symbols(self.number)

    def add_symbols(self, number: int) -> None:
        """The blocks of strings of a kept frame."""
        self.symbols_in.add(number)
        self.symbols.append(self.frames.of(number).where(f"kind = '{blocks.SYMBOLS}'"))

    def _kept(self, made: Callable[[], Any]) -> list[tuple[str, str]]:
        notes = self.frames.kept(self.number, self.program.shards)
        return self.frames.keep(self.number, made()) if notes is None else notes

    def step(self, step: Step) -> list[Report]:
        writes = self._writes(step)
        self.number += 1
        with described(self.spark, step.text), one_line():
            notes = self._kept(lambda: self._made(step, writes))
        found = sorted((blocks.report_of(note) for _, note in notes), key=lambda report: report.shard)
        if len(found) != self.program.shards:
            raise SparkError(f"internal error: {len(found)} of {self.program.shards} shards did their step")
        for name in writes:
            self.versions[name] = self.number
        self._inbox, self._latest = None, self.number
        self.under_way = sum(int(outgoing) for outgoing, _ in notes)
        self.frames.release(self.used)
        return found

    def _made(self, step: Step, writes: frozenset[str]) -> Any:
        parts = self._gathered(step.names)
        if self._ordering:
            parts.append(self.everywhere())
        work = Work(
            self.run, self.number, self.digest, self.content, self.constants, step,
            {name: self.versions[name] for name in step.names if name in self.versions}, writes,
        )  # fmt: skip
        return self.grouped(parts).applyInArrow(stepper(work), blocks.DDL)

    def remember(self, names: frozenset[str]) -> Callable[[], None]:
        before = {name: self.versions.get(name) for name in names}
        self.frames.hold(self.used)

        def bring_back() -> None:
            for name, version in before.items():
                if version is None:
                    self.versions.pop(name, None)
                else:
                    self.versions[name] = version
            self.under_way = 0

        return bring_back

    def _gathered(self, names: Iterable[str]) -> list[Any]:
        """What a step is handed: at least a row for each shard, so that all take part."""
        wanted = self._conditions(names, blocks.RELATION, blocks.COUNTS)
        parts = []
        if self._inbox is not None:
            parts.append(self._inbox)
        elif self._latest:
            kinds = (blocks.REPORT, blocks.MESSAGE) if self.under_way else (blocks.REPORT,)
            wanted.setdefault(self._latest, []).append(f"kind IN ({_quoted(kinds)})")
        else:
            parts.append(self.shards())
        return parts + [self.frames.of(number).where(" OR ".join(some)) for number, some in sorted(wanted.items())]

    def relations(self, names: Iterable[str]) -> list[Any]:
        """The rows of relations, a part for each frame that has any."""
        wanted = self._conditions(names, blocks.RELATION)
        return [self.frames.of(number).where(" OR ".join(some)) for number, some in sorted(wanted.items())]

    def _conditions(self, names: Iterable[str], *kinds: str) -> dict[int, list[str]]:
        """Which rows of frames are those of relations."""
        by_frame: dict[int, list[str]] = {}
        for name in sorted(names):
            if name in self.versions:
                by_frame.setdefault(self.versions[name], []).append(name)
        return {
            number: [f"(kind IN ({_quoted(kinds)}) AND name IN ({_quoted(some)}))"] for number, some in by_frame.items()
        }

    def everywhere(self) -> Any:
        """The blocks of strings, for every shard."""
        if not self.symbols:
            return self.shards().limit(0)
        strings = reduce(lambda one, other: one.union(other), self.symbols)
        targets = ", ".join(str(key) for key in self.keys)
        return strings.selectExpr(f"explode(array({targets})) AS key", "kind", "name", "payload", "note")

    def grouped(self, parts: list[Any]) -> Any:
        """All rows of a shard in a group, each group in a partition of its own."""
        whole = reduce(lambda one, other: one.union(other), parts)
        return whole.repartition(self.program.shards, "key").groupBy("key")

    def shards(self) -> Any:
        """A row for each shard, so that every shard is a group; it tells the shard its number."""
        if self._every is None:
            self._every = self._made_shards()
        return self._every

    def _made_shards(self) -> Any:
        pairs = ", ".join(f"({key}, '{number}')" for number, key in enumerate(self.keys))
        text = (
            f"SELECT CAST(k AS INT) AS key, '{blocks.SHARD}' AS kind, n AS name, X'' AS payload, '' AS note "
            f"FROM VALUES {pairs} AS t(k, n)"
        )
        return self.spark.sql(text)

    def _writes(self, step: Step) -> frozenset[str]:
        """What a step may change: the relations of the strata that it works on, and inputs while they come in."""
        index, _ = step.received
        strata = {of for _, of, _ in step.begins if of >= 0} | ({index} if index >= 0 else set())
        found: set[str] = set()
        for each in strata:
            stratum = self.program.strata[each]
            for some in (*stratum.copies.values(), *stratum.later.values()):
                found.update(copy.name for copy in some)
        if index == INPUTS or any(of == INPUTS for _, of, _ in step.begins):
            found.update(copy.name for some in self.program.inputs.values() for copy in some)
        found.update(step.finish)
        return frozenset(found & step.names)


class one_line:
    """Errors of Spark as one line; those of our own functions as what they said."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        if error is None or isinstance(error, SparkError) or not isinstance(error, Exception):
            return
        raise _told(error) from error


def _told(error: Exception) -> EngineError:
    text = str(error)
    for line in reversed(text.splitlines()):
        name, _, rest = line.strip().partition(": ")
        if rest and name.endswith("Error") and name.startswith("pliant."):
            return FactError(rest) if name.endswith(".FactError") else SparkError(rest)
    for sign, told in _KNOWN.items():
        if sign in text:
            return SparkError(told)
    return SparkError(f"Spark could not do it: {first_line(error)}")


def _quoted(names: Iterable[str]) -> str:
    """For SQL; names are those of relations and copies, without quotes in them."""
    return ", ".join(f"'{name}'" for name in names)


_KNOWN: Final[Mapping[str, str]] = {
    "No space left on device": "a disk that Spark works on is full: give it room, or set spark.local.dir",
    "Checkpoint block": "an executor that kept relations is gone: run again; what was saved before is as it was",
    "ModuleNotFoundError": "a worker of Spark lacks a package: install pliant where the executors run, or set "
    "PYSPARK_PYTHON to a Python that has it",
    "OutOfMemoryError": "an executor or the driver ran out of memory: raise spark.executor.memory and "
    "spark.driver.memory, or use more shards",
}


__all__ = ["Cluster", "one_line"]
