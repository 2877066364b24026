"""What the distributed engine costs beside the embedded one: exchanges, seconds, and from where on it pays.

    python benchmarks/spark.py --facts DIR [--programs cspa_i3,csda_psql] [--cores 1,2] [--copies 1,2] [--inline]

The first table evaluates each case from nothing, with shards that go on with what they derive themselves before they
send (`ahead`), and with shards that send after each level: levels, exchanges, rows sent, seconds without the start of
the session, and seconds of the embedded engine on one thread. COST is the number of cores at which the measured time
of one core, divided by it, is below the embedded engine's. The second table takes copies of the facts, numbered apart,
and says how both times grow, and where the lines that they follow cross. Digests of both engines are held against each
other every time. `--inline` takes the shards' work in this process, one after another, and counts processor seconds of
the shard that worked longest in each round: what the kernels cost without Spark, also on a busy machine.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from cases import find_cases, load_facts, load_program, prepare
from tables import number, table

from pliant.engine import Batch, Evaluation, Program
from pliant.engine.backends.embedded.relation import Relation
from pliant.engine.digest import combine, relation_digest
from pliant.engine.facts import constant_words, encode
from pliant.engine.strategies.pipelined.conductor import Conductor, Step, by_storage
from pliant.engine.strategies.pipelined.localise import LocalProgram, localise
from pliant.engine.strategies.pipelined.messages import Message
from pliant.engine.strategies.pipelined.report import Report
from pliant.engine.strategies.pipelined.shard import Shard
from pliant.engine.symbols import SymbolTable


@dataclass(frozen=True)
class Outcome:
    """`busiest`: seconds of the shard that worked longest in each round, summed; with Spark all seconds."""

    digest: str
    levels: int
    rounds: int
    exchanges: int
    sent: int
    tuples: int
    seconds: float
    busiest: float


class Inline:
    """A transport that runs the shards one after another in this process."""

    def __init__(self, local: LocalProgram, symbols: SymbolTable, constants: Any):
        self.shards = [Shard(index, local, {}, constants, symbols.compare) for index in range(local.shards)]
        self.under_way: list[Message] = []
        self.busiest = 0.0

    @property
    def waiting(self) -> int:
        return len(self.under_way)

    def step(self, step: Step) -> list[Report]:
        came, self.under_way = self.under_way, []
        took = []
        for shard in self.shards:
            started = time.process_time()
            shard.receive(*step.received, [message for message in came if message.target == shard.number])
            for phase, index, settings in step.begins:
                shard.begin(phase, index, settings)
            self.under_way.extend(shard.send())
            took.append(time.process_time() - started)
        self.busiest += max(took)
        return [shard.reported() for shard in self.shards]

    def remember(self, names: frozenset[str]) -> Any:
        raise NotImplementedError


def inline(program: Program, batch: Batch, shards: int, ahead: bool) -> Outcome:
    symbols = SymbolTable()
    facts = encode(program, batch, symbols)
    local = localise(program, shards, {name: size for name, (_, size) in facts.items()})
    transport = Inline(local, symbols, constant_words(program, symbols))
    conductor = Conductor(local, transport, ahead)
    transport.under_way = list(by_storage(local, facts, +1))
    started = time.process_time()
    conductor.bootstrap()
    seconds = time.process_time() - started
    sums: dict[str, tuple[int, int]] = {}
    for name, schema in program.stored.items():
        parts = [relation_digest(of_shard(shard, local, name), schema.kinds, symbols) for shard in transport.shards]
        sums[name] = sum(part[0] for part in parts) % 2**64, sum(part[1] for part in parts) % 2**64
    exchanges = sum(each.sent_rows > 0 for each in conductor.rounds)
    return Outcome(
        combine(program.hash, sums.items()), 0, len(conductor.rounds), exchanges,
        sum(each.sent_rows for each in conductor.rounds), sum(conductor.sizes.values()), seconds, transport.busiest,
    )  # fmt: skip


def of_shard(shard: Shard, local: LocalProgram, name: str) -> Relation:
    return shard.relation(local.homes[name])


def on_spark(spark: Any, program: Program, batch: Batch, shards: int, ahead: bool) -> Outcome:
    from pliant.engine.backends.spark.evaluation import SparkEvaluation, frames_of  # noqa: PLC0415

    frames = {name: frame.persist() for name, frame in frames_of(spark, program, batch).items()}
    sizes = {name: frame.count() for name, frame in frames.items()}
    evaluation = SparkEvaluation.bootstrap(spark, program, frames, shards=shards, ahead=ahead, sizes=sizes)
    epoch = evaluation.epoch
    sent = sum(each.sent_rows for each in epoch.rounds)
    tuples = sum(evaluation.size(name) for name in program.stored)
    return Outcome(
        evaluation.digest(), 0, len(epoch.rounds), epoch.exchanges, sent, tuples, epoch.seconds, epoch.seconds
    )


def embedded(program: Program, batch: Batch) -> tuple[str, float, int]:
    """Digest, processor seconds of the best of three runs, and levels of the deepest stratum."""
    best, digest, levels = float("inf"), "", 0
    for _ in range(3):
        started = time.process_time()
        evaluation = Evaluation.bootstrap(program, batch)
        best = min(best, time.process_time() - started)
        levels = max(report.levels for report in evaluation.reports)
        digest = evaluation.digest()
    return digest, best, levels


def copied(batch: Batch, times: int) -> Batch:
    """The facts so many times, numbered apart; symbols get numbers of their own."""
    step = 1 + max((int(each.max()) for each in batch.rows.values() if each.size), default=0)
    rows = {name: np.concatenate([each + copy * step for copy in range(times)]) for name, each in batch.rows.items()}
    return Batch([str(symbol) for symbol in range(step * times)] if len(batch.symbols) else [], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", type=Path, required=True, metavar="DIR")
    parser.add_argument("--programs", default="cspa_i3,csda_psql")
    parser.add_argument("--cores", default="1,2", help="of the Spark master, and shards")
    parser.add_argument("--copies", default="1", help="how many times the facts")
    parser.add_argument("--inline", action="store_true", help="without Spark: processor seconds of the kernels")
    options = parser.parse_args()
    os.environ["PLIANT_THREADS"] = "1"
    cores = [int(each) for each in options.cores.split(",")]
    rows = []
    with tempfile.TemporaryDirectory(prefix="pliant-benchmarks-") as temporary:
        work = []
        for case in find_cases(options.facts, options.programs.split(",")):
            program = load_program(case)
            batch = load_facts(program, prepare(case, options.facts, Path(temporary), 0.05))
            for times in map(int, options.copies.split(",")):
                many = copied(batch, times) if times > 1 else batch
                work.append((case.name, times, program, many, embedded(program, many)))
        for count in cores:
            rows += measured(work, count, options.inline)
    head = ["case", "copies", "cores", "ahead", "levels", "rounds", "exchanges", "rows sent", "tuples",
            "seconds", "embedded", "ratio"]  # fmt: skip
    print(table(head, rows))


def measured(work: list[Any], count: int, without: bool) -> list[list[str]]:
    from pliant.engine.backends.spark.session import spark_session  # noqa: PLC0415

    rows = []
    if without:
        for name, times, program, batch, base in work:
            for ahead in (True, False):
                rows.append(row(name, times, count, ahead, base, inline(program, batch, count, ahead)))
        return rows
    with spark_session(f"local[{count}]", "pliant benchmarks", {"spark.driver.memory": "4g"}) as spark:
        for name, times, program, batch, base in work:
            for ahead in (True, False):
                runs = [on_spark(spark, program, batch, count, ahead) for _ in range(2)]
                rows.append(row(name, times, count, ahead, base, min(runs, key=lambda each: each.seconds)))
    return rows


def row(name: str, times: int, count: int, ahead: bool, base: tuple[str, float, int], found: Outcome) -> list[str]:
    digest, seconds, levels = base
    if found.digest != digest:
        raise SystemExit(f"{name}: the digests of the two engines differ")
    return [
        name, str(times), str(count), "yes" if ahead else "no", str(levels), str(found.rounds), str(found.exchanges),
        number(found.sent), number(found.tuples), f"{found.busiest:.2f}", f"{seconds:.2f}",
        f"{found.busiest / seconds:.1f}",
    ]  # fmt: skip


if __name__ == "__main__":
    main()
