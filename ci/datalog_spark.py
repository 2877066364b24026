"""`pliant datalog run` on Spark."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pliant.ci.datalog import STDOUT, changes_of, outputs_of, write_pieces
from pliant.ci.errors import UserError
from pliant.engine import FactError, Program, peak_memory
from pliant.engine.backends.spark.evaluation import Epoch, SparkEvaluation
from pliant.engine.backends.spark.files import text_of, uri_of
from pliant.engine.backends.spark.reading import FactFiles, exact_mistake
from pliant.engine.backends.spark.session import spark_session
from pliant.engine.strategies.pipelined.conductor import STRATEGIES
from pliant.engine.strategies.pipelined.steps import Round


@dataclass(slots=True)
class SparkRun:
    """A program over a folder of facts, then over folders of changes, one epoch each."""

    program: Program
    evaluation: SparkEvaluation
    epochs: list[Epoch] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Work:
    """What a run does: a program over a folder of facts, then over folders of changes. out: where outputs are written;
    changes: where those of each epoch are."""

    program: Program
    facts: Path
    updates: Sequence[Path]
    strategy: str
    switch: float
    changes: Path | None
    out: Path


def run(
    work: Work, master: str | None, progress: Callable[[Round], None] | None, checkpoint: str | None = None
) -> SparkRun:
    """All of a run, in one session. `checkpoint`: a folder or a URI, see `SparkEvaluation.bootstrap`; a folder of this
    machine is emptied when the run is done."""
    program, facts, strategy = work.program, work.facts, work.strategy
    if strategy not in STRATEGIES:
        raise UserError(f"the Spark engine has no strategy {strategy!r}; expected one of {', '.join(STRATEGIES)}")
    files = [(name, facts / each.filename, each.delimiter) for name, some in program.io.inputs.items() for each in some]
    with spark_session(master, "pliant datalog") as spark:
        try:
            where = None if checkpoint is None else uri_of(checkpoint)
            evaluation = SparkEvaluation.bootstrap(
                spark, program, FactFiles(tuple(files)), progress=progress, checkpoint=where
            )
        except FactError:
            exact_mistake(program, files)
            raise
        done = SparkRun(program, evaluation, [evaluation.epoch])
        for number, folder in enumerate(work.updates, 1):
            of_way = changes_of(program, folder)
            given = {way: FactFiles(tuple(some)) for way, some in of_way.items()}
            try:
                epoch = evaluation.update(given["insert"], given["delete"], strategy, work.switch)
            except FactError:
                exact_mistake(program, [each for some in of_way.values() for each in some])
                raise
            done.epochs.append(epoch)
            if work.changes is not None:
                _write_changes(done, work.changes / str(number))
        _write(done, work.out)
        evaluation.forget_checkpoint()
        return done


def _write(run: SparkRun, out: Path) -> None:
    for name, files in outputs_of(run.program).items():
        for each in files:
            if out == STDOUT:
                sys.stdout.write(f"---------------\n{name}\n===============\n")
                for text in text_of(run.evaluation, name, each.delimiter):
                    sys.stdout.write(text.decode())
                sys.stdout.write("===============\n")
            else:
                write_pieces(text_of(run.evaluation, name, each.delimiter), out / each.filename)
    for name in run.program.io.sizes:
        sys.stdout.write(f"{name}\t{run.evaluation.size(name)}\n")


def _write_changes(run: SparkRun, folder: Path) -> None:
    for way, changed in (("insert", "inserted"), ("delete", "deleted")):
        for name, files in outputs_of(run.program).items():
            pieces = text_of(run.evaluation, name, files[0].delimiter, changed)
            write_pieces(pieces, folder / f"{name}.{way}.facts")


def stats(run: SparkRun) -> str:
    """As without Spark; each epoch has its rounds as well, with what was sent to other shards. A job is many rounds, or
    one, where `apart` says why; it has a task for each shard. `skew` is the most work of a shard by the mean.
    `heavy_values`: that so many facts have in a column that the rules which join on them, `split_rules`, do so in all
    shards."""
    epochs = []
    for number, epoch in enumerate(run.epochs):
        told: dict[str, Any] = {
            "epoch": number,
            "seconds": epoch.seconds,
            "input_changes": epoch.input_changes,
            "output_changes": epoch.output_changes,
            "strata": [each.told() for each in epoch.strata],
            "exchanges": epoch.exchanges,
            "shuffle_bytes": sum(each.sent_bytes for each in epoch.rounds),
            "jobs": epoch.jobs,
            "apart": epoch.apart,
            "tasks": epoch.jobs * run.evaluation.shards,
            "rounds": [asdict(each) for each in epoch.rounds],
        }
        epochs.append(told)
    local = run.evaluation.cluster.program
    whole = {
        "engine": "spark",
        "shards": run.evaluation.shards,
        "heavy_values": len(local.heavy),
        "split_rules": len(local.spread),
        "epochs": epochs,
        "peak_rss_bytes": peak_memory(),
    }
    return json.dumps(whole, indent=2)
