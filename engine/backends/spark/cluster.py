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
        self.symbols_in = -1  # the kept frame that some of them are in
        self.planned: dict[str, int] = {}  # the sizes that the program was localised for
        self.number = 0
        self.under_way = 0
        self._ordering = ordering
        self._inbox: Any = None  # a frame with messages
        self._every: Any = None

    @property
    def waiting(self) -> int:
        return self.under_way

    @property
    def used(self) -> set[int]:
        """The frames that something is read from."""
        return {*self.versions.values(), self.symbols_in}

    def hand_in(self, messages: Any) -> None:
        """Have messages under way: rows with the receivers' keys."""
        self._inbox, self.under_way = messages, 1

    def adopt(self, frame: Any, names: set[str]) -> None:
        """Have relations that were made elsewhere: rows with the keys of their shards."""
        self.number += 1
        with described(self.spark, "relations"), one_line():
            self.frames.keep(self.number, frame)
        self.versions.update(dict.fromkeys(names, self.number))

    def step(self, step: Step) -> list[Report]:
        writes = self._writes(step)
        parts = [self.shards()]
        parts += self.relations(step.names)
        if self._inbox is not None and self.under_way:
            parts.append(self._inbox)
        if self._ordering:
            parts.append(self.everywhere())
        self.number += 1
        work = Work(
            self.run, self.number, self.digest, self.content, self.constants, step,
            {name: self.versions[name] for name in step.names if name in self.versions}, writes,
        )  # fmt: skip
        made = self.grouped(parts).applyInArrow(stepper(work), blocks.DDL)
        with described(self.spark, step.text), one_line():
            frame, notes = self.frames.keep(self.number, made)
        found = sorted((blocks.report_of(note) for _, note in notes), key=lambda report: report.shard)
        if len(found) != self.program.shards:
            raise SparkError(f"internal error: {len(found)} of {self.program.shards} shards did their step")
        for name in writes:
            self.versions[name] = self.number
        self._inbox = frame.filter(frame.kind == blocks.MESSAGE)
        self.under_way = sum(int(outgoing) for outgoing, _ in notes)
        self.frames.release(self.used | {self.number})
        return found

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

    def relations(self, names: Iterable[str]) -> list[Any]:
        """The rows of relations, a part for each frame that has any."""
        by_frame: dict[int, list[str]] = {}
        for name in sorted(names):
            if name in self.versions:
                by_frame.setdefault(self.versions[name], []).append(name)
        parts = []
        for number, some in sorted(by_frame.items()):
            frame = self.frames.of(number)
            parts.append(frame.filter((frame.kind == blocks.RELATION) & frame.name.isin(some)))
        return parts

    def everywhere(self) -> Any:
        """The blocks of strings, for every shard."""
        if not self.symbols:
            return self.shards().limit(0)
        strings = reduce(lambda one, other: one.unionByName(other), self.symbols)
        targets = self.shards().select("key")
        return targets.crossJoin(strings.drop("key")).select("key", "kind", "name", "payload", "note")

    def grouped(self, parts: list[Any]) -> Any:
        """All rows of a shard in a group, each group in a partition of its own."""
        whole = reduce(lambda one, other: one.unionByName(other), parts)
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
        if step.finish:
            found.update(step.names)
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


_KNOWN: Final[Mapping[str, str]] = {
    "No space left on device": "a disk that Spark works on is full: give it room, or set spark.local.dir",
    "Checkpoint block": "an executor that kept relations is gone: run again; what was saved before is as it was",
    "ModuleNotFoundError": "a worker of Spark lacks a package: install pliant where the executors run, or set "
    "PYSPARK_PYTHON to a Python that has it",
    "OutOfMemoryError": "an executor or the driver ran out of memory: raise spark.executor.memory and "
    "spark.driver.memory, or use more shards",
}


__all__ = ["Cluster", "one_line"]
