"""`pliant datalog`: options of its commands, and what they print; the work is in datalog.py."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pliant.ci.commands.options import Engine, EngineOption, SparkMaster, print_error, start
from pliant.ci.errors import UserError, visible

if TYPE_CHECKING:
    from pliant.ci.datalog_spark import Work

ABSENT = 1
# As the engine has them; a test compares. To ask it would take as long as all of a short run.
STRATEGIES = ("elastic", "update", "bootstrap", "counting", "dred", "semi_naive", "pipelined")

app = typer.Typer(no_args_is_help=True, help="Run Datalog programs over files of facts, and keep them up to date.")


class Form(StrEnum):
    text = "text"
    json = "json"


ProgramFile = Annotated[Path, typer.Argument(metavar="PROGRAM.dl", help="A program in Soufflé's syntax.")]
Facts = Annotated[Path, typer.Option("--fact-dir", "-F", metavar="DIR", help="The folder of the inputs' NAME.facts.")]
Updates = Annotated[
    list[Path] | None,
    typer.Option(
        "--update",
        metavar="DIR",
        help="A folder with NAME.insert.facts and NAME.delete.facts, as one more epoch; may be repeated.",
        show_default=False,
    ),
]
How = Annotated[str, typer.Option(metavar="NAME", help=f"How an epoch updates relations: {', '.join(STRATEGIES)}.")]
Switch = Annotated[
    float | None,
    typer.Option(
        metavar="SHARE",
        min=0,
        help=(
            "When an Update has spent this share of Bootstrap's cost, the elastic strategy bootstraps instead if more "
            "than a Bootstrap is left to do."
        ),
        show_default=False,
    ),
]
Debug = Annotated[bool, typer.Option("--debug", help="Show a traceback of an error.", show_default=False)]


@app.command()
def run(
    program: ProgramFile,
    fact_dir: Facts = Path(),
    output_dir: Annotated[
        Path,
        typer.Option(
            "--output-dir", "-D", metavar="DIR", help="The folder for the outputs' NAME.csv; - for standard output."
        ),
    ] = Path(),
    update: Updates = None,
    strategy: How = "elastic",
    switch: Switch = None,
    changes: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Write the changes of the outputs in epoch N to DIR/N, in the form of --update.",
            show_default=False,
        ),
    ] = None,
    stats: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a report of each epoch, as JSON.", show_default=False)
    ] = None,
    engine: EngineOption = Engine.auto,
    spark_master: SparkMaster = None,
    checkpoint: Annotated[
        str | None,
        typer.Option(
            metavar="DIR",
            help=(
                "On Spark, store each step in this folder or URI: it is read again after the loss of an executor, and "
                "an interrupted run continues."
            ),
            show_default=False,
        ),
    ] = None,
    debug: Debug = False,
) -> None:
    """Evaluate PROGRAM.dl over the facts of a folder and write its outputs, as `souffle` does.

    Exit status: 0 done, 2 the command could not run.
    """
    start()
    from pliant.ci import datalog
    from pliant.ci.places import place

    with _one_line():
        parsed = datalog.load(program)
        files = [fact_dir / each.filename for some in parsed.io.inputs.values() for each in some]
        where, why = place(engine.value, files)
        if why:
            print_error(why)
        if where == Engine.spark:
            from pliant.ci.datalog_spark import Work

            work = Work(parsed, fact_dir, update or (), strategy, _share(switch), changes, output_dir)
            text = _on_spark(work, spark_master, checkpoint)
        elif checkpoint is not None:
            raise UserError("--checkpoint is for runs on Spark: give --engine spark as well")
        else:
            done = datalog.start(parsed, fact_dir, strategy)
            for folder in update or ():
                difference = datalog.step(done, folder, strategy, _share(switch))
                if changes is not None:
                    datalog.write_changes(done, difference, changes / str(len(done.epochs) - 1))
            datalog.write(done, output_dir)
            text = datalog.stats(done) if stats is not None else ""
    if stats is not None:
        try:
            stats.write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            raise UserError(f"{visible(str(stats))} cannot be written: {error.strerror}") from None


@app.command()
def explain(
    program: ProgramFile,
    fact_dir: Annotated[
        Path | None,
        typer.Option(
            "--fact-dir",
            "-F",
            metavar="DIR",
            show_default=False,
            help="Evaluate over the facts in DIR, and show the basis of each choice.",
        ),
    ] = None,
    debug: Debug = False,
) -> None:
    """Print the strata of PROGRAM.dl, the plans of each rule, and why their orders were chosen."""
    start()
    from pliant.ci import datalog

    with _one_line():
        sys.stdout.write(datalog.explanation(program, fact_dir))


@app.command()
def prove(
    program: ProgramFile,
    tuple_: Annotated[str, typer.Argument(metavar="TUPLE", help='The tuple to prove, such as \'path("a", "c")\'.')],
    fact_dir: Facts = Path(),
    update: Updates = None,
    strategy: How = "elastic",
    switch: Switch = None,
    format: Annotated[Form, typer.Option(help="The format of the proof.")] = Form.text,
    debug: Debug = False,
) -> None:
    """Print a proof of minimal height for a tuple. For a tuple that an epoch removed, print the changes that removed
    its last derivation, and the proof that it had.

    Exit status: 0 the tuple holds, 1 it does not, 2 the command could not run.
    """
    start()
    from pliant.ci import datalog_proofs

    with _one_line():
        answer = datalog_proofs.prove(program, tuple_, fact_dir, update or (), strategy, _share(switch))
    if format is Form.json:
        sys.stdout.write(json.dumps(datalog_proofs.answer_json(answer), indent=2, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(datalog_proofs.answer_text(answer, tuple_))
    if not answer.holds:
        raise typer.Exit(ABSENT)


def _on_spark(work: Work, master: str | None, checkpoint: str | None) -> str:
    """Run on Spark, with a line of progress; what each epoch did, as JSON."""
    from pliant.ci import datalog_spark
    from pliant.ci.progress import progress_on

    with progress_on(sys.stderr, quiet=False) as progress:
        progress("starting Spark")
        done = datalog_spark.run(work, master, lambda each: progress(each.text), checkpoint)
        return datalog_spark.stats(done)


@contextmanager
def _one_line() -> Iterator[None]:
    """Errors of the engine are the user's to put right: the program, the facts or the changes are at fault."""
    from pliant.engine import EngineError

    try:
        yield
    except EngineError as error:
        raise UserError("\n".join(visible(line) for line in str(error).split("\n"))) from None


def _share(switch: float | None) -> float:
    from pliant.engine.strategies.elastic import DEFAULT_SWITCH

    return DEFAULT_SWITCH if switch is None else switch
