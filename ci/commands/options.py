"""What the commands share: options, exit statuses, and where output goes."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pliant.ci import service_logs

if TYPE_CHECKING:
    from pliant.ci.commits import Progress
    from pliant.ci.git import Repository
    from pliant.ci.steps import Place, Places

STARTED = time.perf_counter()
FOUND, NOT_DONE = 1, 2


class Strategy(StrEnum):
    elastic = "elastic"
    update = "update"
    bootstrap = "bootstrap"


class Engine(StrEnum):
    auto = "auto"
    embedded = "embedded"
    spark = "spark"


class FailOn(StrEnum):
    note = "note"
    warning = "warning"
    error = "error"
    never = "never"


Repo = Annotated[
    Path, typer.Argument(metavar="REPO", help="A folder of the git repository.", show_default="the current one")
]
RepoOption = Annotated[
    Path,
    typer.Option("--repo", metavar="REPO", help="A folder of the git repository.", show_default="the current one"),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.", show_default=False)]
Base = Annotated[
    str | None,
    typer.Option(
        metavar="REV",
        help="Compare with the merge base of REV and the head.",
        show_default="the base from the CI service, else the default branch",
    ),
]
Head = Annotated[str, typer.Option(metavar="REV", help="The revision to check; WORKTREE for the files on disk.")]
ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="The configuration file; else pliant.toml or [tool.pliant] of pyproject.toml in the base.",
        show_default=False,
    ),
]
StateDir = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="Where to keep state between runs; else $PLIANT_STATE_DIR, else the user's cache.",
        show_default=False,
    ),
]
Deepen = Annotated[
    bool,
    typer.Option(
        "--deepen", help="Fetch missing history of a shallow clone, by 'git fetch' from origin.", show_default=False
    ),
]
How = Annotated[Strategy, typer.Option(help="How the state of the base is updated to the head.")]
EngineOption = Annotated[
    Engine,
    typer.Option(
        "--engine", help="Where to evaluate: on this machine, on Spark, or on this machine if it fits the memory."
    ),
]
SparkMaster = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="Spark's master, or sc://HOST of Spark Connect; else SPARK_REMOTE, spark-defaults.conf, or local[*].",
        show_default=False,
    ),
]
Debug = Annotated[bool, typer.Option("--debug", help="Show a traceback of an error.", show_default=False)]


def start() -> None:
    """To be called first by a command that reads or derives facts."""
    from pliant.ci.startup import prepare

    prepare()


def say(quiet: bool) -> Callable[[str], None]:
    """Where messages that are no errors go."""

    def to_standard_error(message: str) -> None:
        if not quiet:
            print_error(message)

    return to_standard_error


@contextmanager
def places(
    engine: Engine, master: str | None, say: Callable[[str], None], progress: Progress
) -> Iterator[Callable[[Repository], Places] | None]:
    """Who chooses where a commit's blobs are extracted and evaluated; None stands for this process. With `auto` Spark
    is started if a commit needs it, and stopped at the end."""
    if engine is Engine.embedded:
        yield None
    elif engine is Engine.auto:
        from pliant.ci.places import WhereItFits

        with contextlib.ExitStack() as stack:

            def there(repository: Repository) -> Place:
                from pliant.ci.pipeline.place import place_on_spark

                return stack.enter_context(place_on_spark(master, progress))(repository)

            yield lambda repository: WhereItFits(repository, there, say)
    else:
        from pliant.ci.pipeline.place import place_on_spark

        with place_on_spark(master, progress) as on_spark:
            yield on_spark


@contextmanager
def evaluating(
    engine: Engine, master: str | None, *, quiet: bool = False
) -> Iterator[tuple[Progress, Callable[[Repository], Places] | None]]:
    """For a command that needs states: where it says what it does, and who chooses where commits are evaluated."""
    from pliant.ci.progress import progress_on

    with progress_on(sys.stderr, quiet=quiet) as progress, places(engine, master, say(quiet), progress) as where:
        yield progress, where


def print_out(text: str) -> None:
    """Text for people."""
    sys.stdout.write(service_logs.plain(text))
    sys.stdout.flush()


def print_json(value: object) -> None:
    sys.stdout.write(service_logs.json(json.dumps(value, indent=2)) + "\n")
    sys.stdout.flush()


def print_error(message: str) -> None:
    sys.stderr.write(f"pliant: {message}\n")
    sys.stderr.flush()
