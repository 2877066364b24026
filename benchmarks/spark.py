"""What the distributed engine costs beside the embedded one: exchanges, seconds, and from where on it pays.

    python benchmarks/spark.py exchanges --facts DIR [--programs cspa_i3,csda_psql] [--cores 1,2] [--inline]
    python benchmarks/spark.py updates --facts DIR [--programs cspa_psql] [--changes 1,10,100] [--inline]
    python benchmarks/spark.py sizes --facts DIR [--programs cspa_gzip] [--cores 1,2] [--copies 1,4,16] [--points FILE]
    python benchmarks/spark.py model --points FILE [--held 4]

`exchanges` evaluates each case from nothing: as the engine chooses, with shards that always grow and go on with what
they derive themselves before they send, and with shards that send after each level: levels, exchanges, seconds
without the start of the session, and seconds of the embedded engine on one thread. COST is the number of cores at
which the measured time of one core, divided by it, is below the embedded engine's. `updates` takes facts out and puts
them back, and tells the seconds of a round. `sizes` takes copies of the facts, numbered apart: how seconds, bytes and
memory grow. Its points can be added to a file; `model` fits a model (`spark_model.py`) to the points of a file but
those of `--held` copies, holds it against these, and says what it would be on more.
Both engines start with facts that they hold, Spark in frames; `--start files`: with text files that they read; `--start
numbers`: with facts that they hold, with numbers in place of all strings.
Digests of both engines are compared every time. `--inline` takes the shards' work in this process, one after another,
and counts processor seconds of the shard that worked longest in each round: what the kernels cost without Spark, also
on a busy machine. `--processor` takes the processor seconds of all processes, divided by cores, for seconds: what it
takes at least where nothing else runs.
"""

from __future__ import annotations

import argparse
import math
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from cases import Case, find_cases, load_facts, load_program, prepare
from sharded import Outcome, copied, embedded, in_files, inline, numbered, on_spark, processor_seconds
from spark_model import Point, load, measured, save, told
from tables import number, table

from pliant.engine import Batch, Evaluation, Program
from pliant.engine.backends.spark.reading import FactFiles
from pliant.engine.strategies.pipelined.conductor import MANY_LEVELS
from pliant.engine.strategies.pipelined.inline import InlineEvaluation

WAYS = {"as chosen": (True, MANY_LEVELS), "grow, ahead": (True, 0), "grow, level": (False, 0)}


@dataclass(frozen=True)
class Work:
    case: Case
    copies: int
    program: Program
    batch: Batch
    files: FactFiles | None = None

    @property
    def given(self) -> Batch | FactFiles:
        return self.files or self.batch


def works(options: argparse.Namespace, folder: Path) -> Iterator[Work]:
    for case in find_cases(options.facts, options.programs.split(",")):
        program = load_program(case)
        prepared = prepare(case, options.facts, folder, 0.05)
        batch = load_facts(program, prepared)
        if options.start == "numbers":
            program, batch = numbered(case.path.name, case.text(), batch)
        for times in map(int, options.copies.split(",")):
            some, files = copied(program, batch, times), None
            if options.start == "files":
                into = folder / f"{case.name}-{times}"
                into.mkdir()
                files = in_files(program, some, into)
            yield Work(case, times, program, some, files)


def session(cores: int) -> Any:
    from pliant.engine.backends.spark.session import spark_session  # noqa: PLC0415

    settings = {
        "spark.driver.memory": "4g",
        # Facts that are made into frames here are no part of plans, which would take seconds for each million of them.
        "spark.sql.execution.arrow.localRelationThreshold": "0",
    }
    return spark_session(f"local[{cores}]", "pliant benchmarks", settings)


def checked(work: Work, found: Outcome, digest: str) -> Outcome:
    if found.digest != digest:
        raise SystemExit(f"{work.case.name}: the digests of the two engines differ")
    return found


def clocked(options: argparse.Namespace, found: Outcome, cores: int) -> Outcome:
    if not options.processor:
        return found
    seconds = found.processor / cores
    return replace(found, seconds=seconds, busiest=seconds)


def _seconds(found: Outcome) -> float:
    return found.busiest


def exchanges(options: argparse.Namespace, some: list[Work]) -> None:
    rows = []
    base = [embedded(work.program, work.given) for work in some]

    def add(spark: Any, cores: int) -> None:
        for work, (digest, alone, levels) in zip(some, base, strict=True):
            if spark is not None:  # the virtual machine compiles as it goes
                on_spark(spark, work.program, work.given, cores, True, MANY_LEVELS)
            for way in options.ways.split(";"):
                ahead, climb = WAYS[way]
                runs = [
                    inline(work.program, work.batch, cores, ahead, climb) if spark is None
                    else on_spark(spark, work.program, work.given, cores, ahead, climb)
                    for _ in range(options.repeat)
                ]  # fmt: skip
                found = checked(work, min((clocked(options, each, cores) for each in runs), key=_seconds), digest)
                cost = math.ceil(found.busiest / alone) if cores == 1 else ""
                rows.append(
                    [
                        work.case.name,
                        str(cores),
                        way,
                        str(levels),
                        str(found.rounds),
                        str(found.exchanges),
                        number(found.rows),
                        number(found.tuples),
                        f"{found.busiest:.2f}",
                        f"{found.processor:.2f}",
                        f"{alone:.2f}",
                        f"{found.busiest / alone:.1f}",
                        str(cost),
                    ]
                )

    for cores in map(int, options.cores.split(",")):
        if options.inline:
            add(None, cores)
        else:
            with session(cores) as spark:
                add(spark, cores)
    head = ["case", "cores", "way", "levels", "rounds", "exchanges", "rows sent", "tuples", "seconds", "processor",
            "embedded", "ratio", "COST"]  # fmt: skip
    print(table(head, rows))


def updates(options: argparse.Namespace, some: list[Work]) -> None:
    """Random facts of the changed relations go, and come back."""
    rows = []
    cores = max(map(int, options.cores.split(",")))
    with session(cores) if not options.inline else _nothing() as spark:
        for work in some:
            alone = Evaluation.bootstrap(work.program, work.batch)
            ours = _evaluation(spark, work, cores)
            random = np.random.default_rng(1)
            for many in map(int, options.changes.split(",")):
                part = _part(work, random, many)
                nothing = Batch(part.symbols, {})
                for way, insert, delete in (("out", nothing, part), ("in", part, nothing)):
                    reports = alone.update(insert=insert, delete=delete, strategy="update")
                    before = processor_seconds()
                    seconds, rounds, levels = _updated(ours, insert, delete)
                    processor = processor_seconds() - before
                    if ours.digest() != alone.digest():
                        raise SystemExit(f"{work.case.name}: the digests of the two engines differ")
                    rows.append(
                        [
                            work.case.name,
                            number(sum(alone.size(name) for name in work.program.stored)),
                            str(many),
                            way,
                            str(max(stratum.levels for stratum in reports.strata)),
                            str(levels),
                            str(rounds),
                            f"{seconds:.2f}",
                            f"{seconds / rounds:.2f}",
                            f"{processor / rounds:.2f}",
                        ]
                    )
    head = ["case", "tuples", "facts", "way", "levels, embedded", "levels", "rounds", "seconds", "a round",
            "processor, a round"]  # fmt: skip
    print(table(head, rows))


def _evaluation(spark: Any, work: Work, cores: int) -> Any:
    if spark is None:
        return InlineEvaluation(work.program, work.batch, cores)
    from pliant.engine.backends.spark.evaluation import SparkEvaluation  # noqa: PLC0415

    return SparkEvaluation.bootstrap(spark, work.program, work.batch, shards=cores)


def _updated(ours: Any, insert: Batch, delete: Batch) -> tuple[float, int, int]:
    """Seconds, rounds, and levels of the stratum with most."""
    if isinstance(ours, InlineEvaluation):
        ours.update(insert, delete, "update", 0.0)
        told = ours.conductor
        return ours.transport.busiest, len(told.rounds), max(each.levels for each in told.reports)
    epoch = ours.update(insert, delete, "update")
    return epoch.seconds, len(epoch.rounds), max(each.levels for each in epoch.strata)


def _part(work: Work, random: np.random.Generator, many: int) -> Batch:
    names = [name for name in work.case.changed if len(work.batch.rows.get(name, ()))]
    sizes = np.array([len(work.batch.rows[name]) for name in names])
    places = np.sort(random.choice(sizes.sum(), many, replace=False))
    ends = np.cumsum(sizes)
    rows = {}
    for name, end, size in zip(names, ends, sizes, strict=True):
        mine = places[(places >= end - size) & (places < end)] - (end - size)
        rows[name] = work.batch.rows[name][mine]
    return Batch(work.batch.symbols, rows)


class _nothing:
    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        pass


def sizes(options: argparse.Namespace, some: list[Work]) -> None:
    points = []
    base = {id(work): embedded(work.program, work.given, options.repeat) for work in some}
    for cores in map(int, options.cores.split(",")):
        for work in some:
            digest, alone, _ = base[id(work)]
            with session(cores) as spark:  # of its own: what Spark keeps grows with what it has seen
                runs = [
                    checked(work, on_spark(spark, work.program, work.given, cores, True, MANY_LEVELS), digest)
                    for _ in range(options.repeat + 1)
                ]
            # The virtual machine compiles in the first run.
            found = min((clocked(options, each, cores) for each in runs[1:]), key=_seconds)
            points.append(Point(work.case.name, work.copies, cores, found, alone))
    print(measured(points))
    if options.points is not None:
        save(options.points, points)


def model(options: argparse.Namespace) -> None:
    points = sorted(load(options.points), key=lambda point: (point.case, point.cores, point.copies))
    print(measured(points))
    for name in dict.fromkeys(point.case for point in points):
        print()
        told([point for point in points if point.case == name], options.held)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["exchanges", "updates", "sizes", "model"])
    parser.add_argument("--facts", type=Path, metavar="DIR")
    parser.add_argument("--points", type=Path, metavar="FILE")
    parser.add_argument("--held", type=int, default=4, help="copies that a model is held against")
    parser.add_argument("--programs", default="cspa_i3,csda_psql")
    parser.add_argument("--cores", default="1,2", help="of the Spark master, and shards")
    parser.add_argument("--copies", default="1", help="how many times the facts")
    parser.add_argument("--start", choices=["facts", "files", "numbers"], default="facts")
    parser.add_argument("--changes", default="1,10,100", help="how many facts an update takes out and puts back")
    parser.add_argument("--ways", default=";".join(WAYS), help="of exchanges, such as 'as chosen'")
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument("--processor", action="store_true", help="seconds are processor seconds by cores")
    parser.add_argument("--inline", action="store_true", help="without Spark: processor seconds of the kernels")
    options = parser.parse_args()
    if options.what == "model":
        model(options)
        return
    if options.facts is None:
        parser.error("--facts is needed")
    os.environ["PLIANT_THREADS"] = "1"
    with tempfile.TemporaryDirectory(prefix="pliant-benchmarks-") as temporary:
        some = list(works(options, Path(temporary)))
        {"exchanges": exchanges, "updates": updates, "sizes": sizes}[options.what](options, some)


if __name__ == "__main__":
    main()
