"""A case evaluated in shards: in this process, or on Spark; with what was exchanged and what it took."""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pliant.engine import Batch, Evaluation, Program
from pliant.engine.backends.spark.reading import FactFiles
from pliant.engine.fact_files import read_facts
from pliant.engine.strategies.pipelined.inline import InlineEvaluation
from pliant.engine.strategies.pipelined.skew import Limits
from pliant.engine.strategies.pipelined.steps import Round
from pliant.engine.symbols import as_strings


@dataclass(frozen=True)
class Outcome:
    """`busiest`: seconds of the shard that worked longest in each round, summed; with Spark all seconds. `worker` and
    `machine`: most bytes of memory of a Python worker and of the virtual machine, where they are known. `processor`:
    processor seconds of all processes; they hold on a busy machine as well. `skew`: the work of the shard that
    had most in each round, by the mean."""

    digest: str
    rounds: int
    exchanges: int
    rows: int
    sent_bytes: int
    tuples: int
    seconds: float
    busiest: float
    worker: int = 0
    machine: int = 0
    processor: float = 0.0
    skew: float = 1.0


def inline(
    program: Program, batch: Batch, shards: int, ahead: bool, climb: int, limits: Limits | None = None
) -> Outcome:
    started = time.process_time()
    evaluation = InlineEvaluation(program, batch, shards, ahead, climb, limits=limits)
    seconds = time.process_time() - started
    conductor = evaluation.conductor
    return outcome(
        evaluation.digest(),
        conductor.rounds,
        sum(conductor.sizes.values()),
        seconds,
        evaluation.transport.busiest,
        processor=seconds,
    )


def on_spark(
    spark: Any,
    program: Program,
    facts: Batch | FactFiles,
    shards: int,
    ahead: bool,
    climb: int,
    limits: Limits | None = None,
) -> Outcome:
    from pliant.engine.backends.spark.evaluation import SparkEvaluation, Tuning  # noqa: PLC0415
    from pliant.engine.backends.spark.sources import frames_of  # noqa: PLC0415

    frames = {}
    if isinstance(facts, Batch):
        frames = {name: frame.persist() for name, frame in frames_of(spark, program, facts).items()}
        for frame in frames.values():
            frame.count()
    given = frames if isinstance(facts, Batch) else facts
    forget_peaks()
    before = processor_seconds()
    evaluation = SparkEvaluation.bootstrap(
        spark, program, given, shards=shards, tuning=Tuning(limits, ahead=ahead, climb=climb)
    )
    for frame in frames.values():
        frame.unpersist()
    epoch = evaluation.epoch
    tuples = sum(evaluation.size(name) for name in program.stored)
    processor = processor_seconds() - before
    worker, machine = peaks()
    return outcome(evaluation.digest(), epoch.rounds, tuples, epoch.seconds, epoch.seconds, worker, machine, processor)


def outcome(
    digest: str,
    rounds: Sequence[Round],
    tuples: int,
    seconds: float,
    busiest: float,
    worker: int = 0,
    machine: int = 0,
    processor: float = 0.0,
) -> Outcome:
    return Outcome(
        digest, len(rounds), sum(each.sent_rows > 0 for each in rounds), sum(each.sent_rows for each in rounds),
        sum(each.sent_bytes for each in rounds), tuples, seconds, busiest, worker, machine, processor,
        sum(each.skew * each.work for each in rounds) / max(sum(each.work for each in rounds), 1),
    )  # fmt: skip


def embedded(program: Program, given: Batch | FactFiles, repeat: int = 3) -> tuple[str, float, int]:
    """Digest, processor seconds of the best of some runs, and levels of the deepest stratum; of facts, or of files
    that are read first."""
    best, digest, levels = float("inf"), "", 0
    for _ in range(repeat):
        started = time.process_time()
        facts = given if isinstance(given, Batch) else read_facts(program, given.files)
        evaluation = Evaluation.bootstrap(program, facts)
        best = min(best, time.process_time() - started)
        levels = max(report.levels for report in evaluation.reports)
        digest = evaluation.digest()
    return digest, best, levels


def numbered(name: str, text: str, batch: Batch) -> tuple[Program, Batch]:
    """A program and its facts with numbers in place of all strings, so that what ids cost is left out."""
    symbols = dict.fromkeys(as_strings(batch.symbols).to_pylist())
    numbers = {symbol: number for number, symbol in enumerate(symbols)}

    def number(match: re.Match[str]) -> str:
        return str(numbers.setdefault(match[0][1:-1], len(numbers)))

    lines = [line for line in text.splitlines() if not line.lstrip().startswith("//")]
    bare = re.sub(r"\bsymbol\b", "number", re.sub(r'"[^"]*"', number, "\n".join(lines)))
    return Program.parse({name: bare}), Batch([], batch.rows)


def copied(program: Program, batch: Batch, times: int) -> Batch:
    """The facts so many times, told apart by their symbols, or by their numbers where they have none; what the program
    names is the same in all."""
    if times == 1:
        return batch
    texts = as_strings(batch.symbols)
    symbols = bool(len(texts))
    named = [value for kind, value in program.constants if (kind == "symbol") == symbols]
    shared: NDArray[np.int64] = np.array([] if symbols else named, np.int64)
    step = 1 + max((int(each.max()) for each in batch.rows.values() if each.size), default=0)
    if symbols:
        shared, step = np.flatnonzero(pc.is_in(texts, pa.array(named, texts.type))), len(texts)
    rows = {}
    for name, each in batch.rows.items():
        apart = np.array([(kind == "symbol") == symbols for kind in program.inputs[name]]) & ~np.isin(each, shared)
        rows[name] = np.concatenate([each + copy * step * apart for copy in range(times)])
    marks = [pa.scalar(f"~{copy}" if copy else "", texts.type) for copy in range(times)]
    return Batch(pa.concat_arrays([_joined([texts, mark], "") for mark in marks]), rows)


def in_files(program: Program, batch: Batch, folder: Path) -> FactFiles:
    """The facts as files of text."""
    texts, files = as_strings(batch.symbols), []
    for name, kinds in program.inputs.items():
        path, rows = folder / f"{name}.facts", batch.rows[name]
        columns = [
            texts.take(pa.array(rows[:, index])) if kind == "symbol" else pa.array(rows[:, index]).cast(texts.type)
            for index, kind in enumerate(kinds)
        ]
        path.write_text("".join(f"{line}\n" for line in _joined(columns, "\t").to_pylist()))
        files.append((name, path, "\t"))
    return FactFiles(tuple(files))


def _joined(columns: Sequence[Any], between: str) -> Any:
    return pc.binary_join_element_wise(*columns, pa.scalar(between, pa.large_string()))


def forget_peaks() -> None:
    """Of the memory that descendants of this process had at most."""
    for process in _descendants():
        with contextlib.suppress(OSError):
            (process / "clear_refs").write_text("5")


def peaks() -> tuple[int, int]:
    """Most bytes that a Python worker and that the virtual machine had since then."""
    worker = machine = 0
    for process in _descendants():
        with contextlib.suppress(OSError, StopIteration):
            lines = (process / "status").read_text().splitlines()
            most = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))
            name = (process / "comm").read_text().strip()
            worker, machine = (worker, max(machine, most)) if name == "java" else (max(worker, most), machine)
    return worker, machine


def processor_seconds() -> float:
    """Of this process and its descendants, those that ended included if somebody waited for them."""
    ticks = 0
    for process in (Path("/proc/self"), *_descendants()):
        with contextlib.suppress(OSError):
            fields = (process / "stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _descendants() -> Iterator[Path]:
    parents = {}
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parents[int(process.name)] = int((process / "stat").read_text().rpartition(")")[2].split()[1])
    for pid in parents:
        above = parents.get(pid, 0)
        while above not in (0, os.getpid()):
            above = parents.get(above, 0)
        if above:
            yield Path(f"/proc/{pid}")
