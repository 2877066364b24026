"""A transport over Spark, in one of two ways.

Together: a job is many steps. Its shards are the tasks of a barrier stage, which all run at once, send each other their
messages and decide together what is next (`rounds`); the driver goes through the same steps by their reports. Apart: a
job is one step, in which every shard is a group and its messages are shuffled to it. That is for where Spark cannot run
all shards at once, or they cannot be connected.

The rows that a job gives are a *frame*: the relations that it wrote, messages for the next step, reports. Frames are
kept by Spark and cut from their lineage; which frame has a relation last is all that the driver remembers of it. A
relation that an epoch cannot touch takes no part in it.
"""

from __future__ import annotations

import hashlib
import pickle
import re
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from time import perf_counter
from typing import Any, Final

from ...errors import EngineError, FactError
from ...strategies.pipelined.conductor import MANY_LEVELS, SMALL_LEVELS, Conductor
from ...strategies.pipelined.localise import LocalProgram
from ...strategies.pipelined.report import Report
from ...strategies.pipelined.skew import Skew
from ...strategies.pipelined.steps import Step
from ...strategies.pipelined.together import Replay
from ..embedded.keys import Column
from . import blocks
from .rounds import ROUNDS, SECONDS, Epoch, past_of, rounds
from .session import SparkError, described, first_line, why_no_barrier
from .shards import Work
from .spread import spread_keys
from .storage import Frames, Notes
from .worker import encoder, interner, speller, stepper


class Cluster:
    """`frames` keeps what steps give. `ordering`: steps are handed the strings, since rules order symbols. `apart`: why
    a job is one step; empty: it is many. `seconds`: after which a job of many pauses. `jobs`: of this epoch."""

    def __init__(self, spark: Any, program: LocalProgram, constants: Column, frames: Frames, ordering: bool):
        self.apart = why_no_barrier(spark, program.shards)
        self.seconds, self.jobs = SECONDS, 0
        self.spark, self.program, self.constants, self.frames = spark, program, constants, frames
        self.keys = spread_keys(program.shards)
        self.run = secrets.token_hex(8)
        self.content = pickle.dumps(program, pickle.HIGHEST_PROTOCOL)
        self.digest = hashlib.sha256(self.content).hexdigest()
        self.versions: dict[str, int] = {}  # local name -> the frame that has it
        self.symbols: list[Any] = []  # frames with blocks of strings
        self.symbols_in: set[int] = set()  # the kept frames that they are in
        self.planned: dict[str, int] = {}  # the sizes that the program was localised for
        self.skew = Skew()  # and what was heavy then
        self.number = 0
        self.under_way = 0
        self._ordering = ordering
        self._facts: list[Any] = []  # frames with chunks of facts that are under way
        self._named = False  # these have symbols
        self._firsts: Mapping[int, Sequence[str]] = {}  # the strings that parts begin with
        self._bare: set[int] = set()  # frames that have strings and nothing else
        self._latest = 0  # the frame of the last step, which has the messages since then, and a row for each shard
        self._every: Any = None
        self._replay = Replay([], 0)  # steps that were done, and that the driver's conductor has not heard of yet
        self._epoch: Epoch | None = None
        self._touched: frozenset[str] = frozenset()

    def open(
        self, conductor: Conductor, method: str, arguments: tuple[Any, ...], given: Collection[str] | None
    ) -> None:
        """What is about to be done: `method` of the conductor, with changes of the inputs `given`."""
        self._touched = conductor.reach(given)
        self._epoch = Epoch(conductor.bare(), method, arguments, [], self.under_way, b"", self.seconds)
        self.jobs = 0
        if self.apart:
            self._intern()

    @property
    def climb(self) -> int:
        """How many levels that join few rows are worth an exchange each."""
        return SMALL_LEVELS if self.apart else MANY_LEVELS

    @property
    def waiting(self) -> int:
        return self.under_way

    @property
    def used(self) -> set[int]:
        """The frames that something is read from."""
        return {*self.versions.values(), *self.symbols_in, self._latest}

    def hand_in(self, chunks: list[Any], named: bool, firsts: Mapping[int, Sequence[str]]) -> None:
        """Have facts under way: frames with chunks of them, with any numbers for keys. `named`: some are of symbols.
        `firsts`: the strings that parts begin with."""
        at = f"array({', '.join(map(str, self.keys))})[key % {len(self.keys)}] AS key"
        self._facts = [each.selectExpr(at, "kind", "name", "payload", "note") for each in chunks]
        self._named, self._firsts, self.under_way = named or bool(firsts), firsts, int(bool(chunks))

    def adopt(self, frame: Any, names: set[str]) -> None:
        """Have relations that were made elsewhere: rows with the keys of their shards."""
        self.number += 1
        with described(self.spark, "relations"), one_line():
            self.frames.keep(self.number, frame)
        self.versions.update(dict.fromkeys(names, self.number))

    def _intern(self) -> None:
        """Give ids to the strings of facts that come, in a job of its own."""
        if not self._named:
            return
        come = [each.where("note = '1'").mapInArrow(speller(self.keys), blocks.DDL) for each in self._facts]
        pieces = [self.shards(), *self.symbols, *come]
        made = self.grouped(pieces).applyInArrow(interner(self.program.shards, self._firsts), blocks.DDL)
        self.number += 1
        with described(self.spark, "symbols"), one_line():
            notes = self._kept(lambda: made)
            if sum(int(new) for _, new in notes):
                self.add_symbols(self.number)
        self._firsts = {}

    def end_epoch(self) -> None:
        """Strings that are kept with relations that are out of date are kept by themselves from now on."""
        if not self.symbols_in - self._bare - set(self.versions.values()):
            return
        self.number += 1
        told = self.shards().selectExpr("key", f"'{blocks.REPORT}' AS kind", "name", "payload", "note")
        made = self._partitioned([*self.symbols, told])
        with described(self.spark, "symbols"), one_line():
            self._kept(lambda: made)
        self.symbols, self.symbols_in, self._bare = [], set(), {self.number}
        self.add_symbols(self.number)

    def add_symbols(self, number: int) -> None:
        """The blocks of strings of a kept frame."""
        self.symbols_in.add(number)
        self.symbols.append(self.frames.of(number).where(f"kind = '{blocks.SYMBOLS}'"))

    def _kept(self, made: Callable[[], Any]) -> Notes:
        notes = self.frames.kept(self.number, self.program.shards)
        return self.frames.keep(self.number, made()) if notes is None else notes

    def step(self, step: Step) -> list[Report]:
        if not self._replay.past:
            self.number += 1
            self.jobs += 1
            started = perf_counter()
            with described(self.spark, step.text), one_line():
                notes = self._kept(lambda: self._made(step)) if self.apart else self._together(step)
            if len(notes) != self.program.shards:
                raise SparkError(f"internal error: {len(notes)} of {self.program.shards} shards did their step")
            self._facts, self._named, self._firsts, self._latest = [], False, {}, self.number
            if notes[0][0] != ROUNDS:
                return self._stepped(step, notes, perf_counter() - started)
            self._take(notes, perf_counter() - started)
        assert self._epoch is not None
        self._epoch.past = [*self._epoch.past, self._replay.past[0]]
        reports = self._replay.next()
        self.under_way = self._replay.waiting
        return reports

    def _together(self, step: Step) -> Notes:
        """A job of many steps, or of this one, if Spark refuses that."""
        try:
            return self._kept(self._made_rounds)
        except Exception as error:
            self.apart = _refusal(error)
            if not self.apart:
                raise
            self._intern()
            self.number += 1
            return self._kept(lambda: self._made(step))

    def _take(self, notes: Notes, seconds: float) -> None:
        """The steps of a job. What it took beside them is its first one's."""
        wrote, symbols, past = past_of([note for _, note in notes])
        if not past:
            raise SparkError("internal error: a job did no step")
        self.versions.update(dict.fromkeys(wrote, self.number))
        if symbols:
            self.add_symbols(self.number)
        beside = seconds - sum(max(each.report.seconds for each in step) for step in past)
        for each in past[0]:
            each.report.seconds += max(beside, 0.0)
        self._replay = Replay(past, self.under_way)
        self.frames.release(self.used)

    def _stepped(self, step: Step, notes: Notes, seconds: float) -> list[Report]:
        """A job that was one step."""
        found = sorted((blocks.report_of(note) for _, note in notes), key=lambda report: report.shard)
        for report in found:
            report.seconds = seconds
        self.versions.update(dict.fromkeys(step.writes(self.program), self.number))
        self.under_way = sum(int(outgoing) for outgoing, _ in notes)
        self.frames.release(self.used)
        return found

    def _made(self, step: Step) -> Any:
        parts = self._parts(step.names)
        if self._facts:
            given = [self.shards(), *self._facts, *([self.everywhere()] if self._named else [])]
            parts.append(self.grouped(given).applyInArrow(encoder(self.digest, self.content), blocks.DDL))
        return self.grouped(parts).applyInArrow(stepper(self._work(step.names), step), blocks.DDL)

    def _made_rounds(self) -> Any:
        assert self._epoch is not None
        self._epoch.secret, self._epoch.named, self._epoch.firsts = secrets.token_bytes(32), self._named, self._firsts
        self._epoch.ordering = self._ordering
        parts = [*self._parts(self._touched), *self._facts]  # the tasks tell each other what they make of these
        if self._named and not self._ordering:
            parts += self.symbols
        rows = self._partitioned(parts)
        function = rounds(self._work(self._touched), self._epoch)
        if self.program.shards == 1:
            return rows.mapInArrow(function, blocks.DDL)
        # What reads the rows is to be a stage of its own. As part of the barrier stage it would take a slot for each of
        # its tasks, and Spark does not do a barrier stage again that ends a job, when an executor is gone.
        return rows.mapInArrow(function, blocks.DDL, barrier=True).repartition(self.program.shards, "key")

    def _work(self, names: frozenset[str]) -> Work:
        versions = {name: self.versions[name] for name in names if name in self.versions}
        return Work(self.run, self.number, self.digest, self.content, self.constants, versions)

    def _parts(self, names: frozenset[str]) -> list[Any]:
        parts = self._gathered(names)
        if self._ordering:
            parts.append(self.everywhere())
        return parts

    def remember(self, names: frozenset[str]) -> Callable[[bool], None]:
        live = not self._replay.past  # else it is over before a step that is still to be done
        before = {name: self.versions.get(name) for name in names}
        if live:
            self.frames.hold(self.used)

        def end(back: bool) -> None:
            if not back:
                return
            self.under_way = self._replay.waiting = 0
            for name, version in before.items() if live and self.apart else ():
                if version is None:
                    self.versions.pop(name, None)
                else:
                    self.versions[name] = version

        return end

    def _gathered(self, names: Iterable[str]) -> list[Any]:
        """What a step is handed besides facts; without these at least a row for each shard, so that all are groups."""
        wanted = self._conditions(names, blocks.RELATION, blocks.COUNTS)
        parts = []
        if self._facts:
            pass
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
        strings = united(self.symbols)
        targets = ", ".join(str(key) for key in self.keys)
        return strings.selectExpr(f"explode(array({targets})) AS key", "kind", "name", "payload", "note")

    def grouped(self, parts: list[Any]) -> Any:
        """All rows of a shard in a group, each group in a partition of its own."""
        return self._partitioned(parts).groupBy("key")

    def _partitioned(self, parts: list[Any]) -> Any:
        return united(parts).repartition(self.program.shards, "key")

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


def united(parts: Sequence[Any]) -> Any:
    """The rows of frames with the same columns. Spark goes through a plan once for each frame that is added to it, so
    many are put together in a tree."""
    if len(parts) == 1:
        return parts[0]
    half = len(parts) // 2
    return united(parts[:half]).union(united(parts[half:]))


class one_line:
    """Errors of Spark as one line; those of our own functions as what they said."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        if error is None or isinstance(error, EngineError) or not isinstance(error, Exception):
            return
        raise _told(error) from error


def _refusal(error: Exception) -> str:
    """Why Spark does not run all shards at once, if that is what an error says."""
    text = str(error)
    for sign, told in _REFUSALS.items():
        if sign in text:
            return told
    return ""


def _told(error: Exception) -> EngineError:
    text = str(error)
    for line in reversed(text.splitlines()):
        name, _, rest = line.strip().partition(": ")
        if rest and name.endswith("Error") and name.startswith("pliant."):
            return FactError(rest) if name.endswith(".FactError") else SparkError(rest)
    for sign, told in _KNOWN.items():
        if sign in text:
            return SparkError(told)
    if said := _PYTHON.findall(text):
        return SparkError(f"a worker of Spark failed: {said[-1][:300]}")
    return SparkError(f"Spark could not do it: {first_line(error)}")


def _quoted(names: Iterable[str]) -> str:
    """For SQL; names are those of relations and copies, without quotes in them."""
    return ", ".join(f"'{name}'" for name in names)


_PYTHON: Final = re.compile(r"^([A-Z]\w*Error(?:: .+)?)$", re.MULTILINE)  # the last line of a traceback
_REFUSALS: Final[Mapping[str, str]] = {
    "Barrier execution mode does not": "Spark does not run all shards at once here",
    "mesh.Unreachable": "tasks cannot be connected with each other here",
}
_KNOWN: Final[Mapping[str, str]] = {
    "No space left on device": "a disk that Spark works on is full: give it room, or set spark.local.dir",
    "Checkpoint block": "an executor that kept relations is gone: run again; what was saved before is as it was",
    "ModuleNotFoundError": "a worker of Spark lacks a package: install pliant where the executors run, or set "
    "PYSPARK_PYTHON to a Python that has it",
    "OutOfMemoryError": "an executor or the driver ran out of memory: raise spark.executor.memory and "
    "spark.driver.memory, or use more shards",
}


__all__ = ["Cluster", "one_line"]
