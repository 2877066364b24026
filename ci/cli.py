"""The command line: options, exit status and where output goes; what a command does is elsewhere and imported there."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from pliant.ci.cli_datalog import app as datalog_app
from pliant.ci.cli_state import app as state_app
from pliant.ci.errors import UserError, visible

if TYPE_CHECKING:
    from pliant.ci.report import Report

_STARTED = time.perf_counter()
FOUND, NOT_DONE, INTERRUPTED = 1, 2, 130

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Tells a reviewer which null dereferences and which aliases a pull request adds, and why.",
)


app.add_typer(datalog_app, name="datalog")
app.add_typer(state_app, name="state")


class Format(StrEnum):
    text = "text"
    json = "json"
    sarif = "sarif"


class FailOn(StrEnum):
    note = "note"
    warning = "warning"
    error = "error"
    never = "never"


class FactSchema(StrEnum):
    PLIANT = "pliant"
    CSPA = "cspa"


class Strategy(StrEnum):
    elastic = "elastic"
    update = "update"
    bootstrap = "bootstrap"


Repo = Annotated[Path, typer.Argument(metavar="[REPO]", help="A folder of the git repository.", show_default=".")]
Base = Annotated[
    str | None,
    typer.Option(
        metavar="REV", help="Compare with the merge base of REV and the head.", show_default="the default branch"
    ),
]
Head = Annotated[str, typer.Option(metavar="REV", help="What to check; WORKTREE for the files as they are on disk.")]
StateDir = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="Where state is kept between runs; else $PLIANT_STATE_DIR, else the user's cache.",
        show_default=False,
    ),
]
How = Annotated[Strategy, typer.Option(help="How the state of the base is brought to the head.")]
Debug = Annotated[bool, typer.Option("--debug", help="Show a traceback where something fails.", show_default=False)]


@app.callback(invoke_without_command=True)
def top(
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.", show_default=False)] = False,
) -> None:
    if version:
        from pliant.ci.version import version as installed

        print_out(f"pliant {installed()}\n")
        raise typer.Exit


@app.command()
def check(
    repo: Repo = Path(),
    base: Base = None,
    head: Head = "HEAD",
    format: Annotated[Format, typer.Option(help="The form of the report.")] = Format.text,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the report there.", show_default="standard output")
    ] = None,
    fail_on: Annotated[FailOn, typer.Option(help="Exit with 1 for a new finding at least this severe.")] = (
        FailOn.warning
    ),
    state_dir: StateDir = None,
    strategy: How = Strategy.elastic,
    all: Annotated[bool, typer.Option("--all", help="List unchanged findings, too.", show_default=False)] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the last line.", show_default=False)] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Sizes and times, too.", show_default=False)] = False,
    no_color: Annotated[bool, typer.Option("--no-color", help="No colours.", show_default=False)] = False,
    debug: Debug = False,
) -> None:
    """Report the null dereferences and aliases that HEAD adds to, and removes from, its merge base with BASE.

    Exit status: 0 nothing new, 1 something new at or above --fail-on, 2 could not be done.
    """
    _start()
    from pliant.ci.check import Request
    from pliant.ci.check import check as run
    from pliant.ci.progress import progress_on
    from pliant.ci.reports import Style, renderer

    start_seconds = time.perf_counter() - _STARTED
    with progress_on(sys.stderr, quiet=quiet) as progress:
        report: Report = run(Request(repo, base, head, state_dir, strategy.value, all), _say(quiet), progress)
    report.seconds = {"start": start_seconds, **report.seconds}
    colour = output is None and sys.stdout.isatty() and not no_color and not os.environ.get("NO_COLOR")
    text = renderer(format.value)(report, Style(colour, verbose, quiet))
    if output is None:
        print_out(text)
    else:
        try:
            output.write_text(text, encoding="utf-8")
        except OSError as error:
            raise UserError(f"the report cannot be written to {visible(str(output))}: {error.strerror}") from None
    report.keep()
    if report.fails(fail_on.value):
        raise typer.Exit(FOUND)


@app.command()
def verify(
    repo: Repo = Path(),
    base: Base = None,
    head: Head = "HEAD",
    state_dir: StateDir = None,
    strategy: How = Strategy.elastic,
    debug: Debug = False,
) -> None:
    """Check that the state after Update equals the one that Bootstrap builds for the head from scratch.

    Exit status: 0 equal, 1 not equal, 2 could not be done.
    """
    _start()
    from pliant.ci.check import Request
    from pliant.ci.check import verify as run
    from pliant.ci.progress import progress_on

    with progress_on(sys.stderr, quiet=False) as progress:
        verdict = run(Request(repo, base, head, state_dir, strategy.value), _say(False), progress)
    between = f"{verdict.base[:12]}..{verdict.head[:12]} (facts +{verdict.facts.inserted} -{verdict.facts.deleted})"
    if verdict.equal:
        print_out(f"equal: Update and Bootstrap give state {verdict.built} for {between}\n")
        return
    print_out(f"NOT equal: Update gives state {verdict.updated}, Bootstrap {verdict.built} for {between}\n")
    raise typer.Exit(FOUND)


@app.command()
def facts(
    repo: Repo = Path(),
    rev: Annotated[str, typer.Option(metavar="REV", help="The commit; WORKTREE for the files on disk.")] = "HEAD",
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the files go.")] = Path("facts"),
    schema: Annotated[
        FactSchema,
        typer.Option(help="All facts, or the pointer and null flow graphs that the CSPA and CSDA programs read."),
    ] = FactSchema.PLIANT,
    state_dir: StateDir = None,
    debug: Debug = False,
) -> None:
    """Write the facts of a commit as tab-separated files, one a relation, as Souffle reads them."""
    _start()
    from pliant.ci.dump import dump, dump_graphs
    from pliant.ci.progress import progress_on

    with progress_on(sys.stderr, quiet=False) as progress:
        if schema is FactSchema.CSPA:
            rows = dump_graphs(repo, rev, out, state_dir, _say(False), progress)
            print_out(f"{', '.join(f'{name} {count}' for name, count in rows.items())} in {visible(str(out))}\n")
            return
        count, relations = dump(repo, rev, out, state_dir, _say(False), progress)
    print_out(f"{count} facts of {relations} relations in {visible(str(out))}\n")


def _say(quiet: bool) -> Callable[[str], None]:
    """Where messages that are no errors go."""

    def say(message: str) -> None:
        if not quiet:
            print_error(message)

    return say


def _start() -> None:
    from pliant.ci.startup import arrow_without_pandas

    arrow_without_pandas()


def print_out(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def print_error(message: str) -> None:
    sys.stderr.write(f"pliant: {message}\n")
    sys.stderr.flush()


def main() -> NoReturn:
    """The program: every way to end has one exit status, and none but --debug shows a traceback."""
    # A source line or a file name may hold what the terminal's encoding has not.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    debug = "--debug" in sys.argv[1:]
    try:
        app(standalone_mode=True)
    except UserError as error:
        if debug:
            raise
        print_error(str(error))
        _leave(NOT_DONE)
    except KeyboardInterrupt:
        print_error("interrupted")
        _leave(INTERRUPTED)
    except BrokenPipeError:
        # Whoever read the report has gone; Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _leave(NOT_DONE)
    except Exception as error:
        if debug:
            raise
        reason = visible(" ".join(str(error).split()))
        print_error(f"internal error: {type(error).__name__}: {reason}; --debug shows where")
        _leave(NOT_DONE)
    _leave(0)


def _leave(status: int) -> NoReturn:
    raise SystemExit(status)


if __name__ == "__main__":
    main()
