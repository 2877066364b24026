"""`pliant check` and `pliant verify`: their options, and what they print."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pliant.ci.commands.options import (
    FOUND,
    STARTED,
    Base,
    ConfigFile,
    Debug,
    Deepen,
    Engine,
    EngineOption,
    FailOn,
    Head,
    How,
    Repo,
    SparkMaster,
    StateDir,
    Strategy,
    evaluating,
    print_out,
    say,
    start,
)
from pliant.ci.errors import UserError, visible, visible_path
from pliant.ci.reports import FORMATS
from pliant.ci.revision import WORKTREE
from pliant.ci.wording import counted

if TYPE_CHECKING:
    from pliant.ci.watch_socket import Answer

Format = StrEnum("Format", [*FORMATS])  # type: ignore[misc]  # mypy knows literals only
_TEXT = Format("text")


def check(
    repo: Annotated[
        Path | None,
        typer.Argument(
            metavar="PATH",
            help="A git repository; or a folder or a file in one, and only findings there are shown.",
            show_default="the repository of the current folder",
        ),
    ] = None,
    base: Base = None,
    head: Head = "HEAD",
    config: ConfigFile = None,
    format: Annotated[Format, typer.Option(help="The format of the report.")] = _TEXT,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write the report there.", show_default="standard output"),
    ] = None,
    report: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FORMAT=FILE", help="Also write the report to FILE in FORMAT; may be repeated.", show_default=False
        ),
    ] = None,
    fail_on: Annotated[
        FailOn | None,
        typer.Option(help="Exit with 1 for a new finding at least this severe.", show_default="as configured: warning"),
    ] = None,
    fail_on_skipped: Annotated[
        bool | None,
        typer.Option(
            "--fail-on-skipped/--no-fail-on-skipped",
            help="Exit with 1 if a part of the change was not analysed.",
            show_default="as configured: no",
        ),
    ] = None,
    baseline: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The findings to suppress; see `pliant baseline`.", show_default=False),
    ] = None,
    rule: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID",
            help="Only findings of this rule, or of a family such as `null`; may be repeated.",
            show_default=False,
        ),
    ] = None,
    state_dir: StateDir = None,
    deepen: Deepen = False,
    strategy: How = Strategy.elastic,
    all: Annotated[
        bool,
        typer.Option("--all", help="List all findings: unchanged, unlikely, suppressed.", show_default=False),
    ] = False,
    engine: EngineOption = Engine.auto,
    spark_master: SparkMaster = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the last line.", show_default=False)] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Also show sizes and times.", show_default=False)
    ] = False,
    no_color: Annotated[bool, typer.Option("--no-color", help="No colours.", show_default=False)] = False,
    debug: Debug = False,
) -> None:
    """Report the null dereferences and aliases that HEAD adds and removes, compared with its merge base with BASE.

    \b
    Exit status: 0 no new finding, 1 a new finding at or above --fail-on, or, with --fail-on-skipped, a change that
    was not analysed, 2 the command could not run.

    \b
    Examples:
      pliant check                                what HEAD adds to the default branch
      pliant check --base v1.2 --head topic       what topic adds to v1.2
      pliant check --head WORKTREE                what the files on disk add (faster beside a watch)
      pliant check src/parser                     what HEAD adds there
      pliant check --report sarif=out.sarif       with a file for a code-scanning service
    """
    from pliant.ci import watch_socket
    from pliant.ci.outputs import Output, parse, summary_of

    folder = repo or Path()
    is_file = os.path.isfile(folder)  # noqa: PTH113 - of a name that is too long, `Path.is_file` raises
    within = folder.name if is_file else None if repo is None else ""
    folder = folder.parent if is_file else folder
    outputs = [Output(format.value, None if output is None else str(output)), *map(parse, report or ())]
    colour = sys.stdout.isatty() and not no_color and not os.environ.get("NO_COLOR")
    question = watch_socket.Question(
        comparison=watch_socket.comparison(base, state_dir, config),
        folder=str(folder.absolute()),
        within=within,
        rules=rule or [],
        unchanged=all,
        baseline=None if baseline is None else str(baseline.absolute()),
        outputs=[(each.format, each.file) for each in outputs],
        style={"colour": colour, "verbose": verbose, "quiet": quiet, "suppressed": all},
        summary=summary_of(outputs),
        fail_on=fail_on.value if fail_on else None,
        fail_on_skipped=fail_on_skipped,
        start=time.perf_counter() - STARTED,
    )
    by_watch = head == WORKTREE and strategy is Strategy.elastic and engine is not Engine.spark and not deepen
    answer = watch_socket.ask(folder, question) if by_watch else None
    if answer is not None:
        _tell(answer, quiet)
        return
    start()
    from pliant.ci.answering import answered
    from pliant.ci.check import check as run
    from pliant.ci.comparison import Request

    question = question._replace(start=time.perf_counter() - STARTED)
    with evaluating(engine, spark_master, quiet=quiet) as (progress, where):
        request = Request(
            folder,
            base,
            head,
            state_dir,
            strategy.value,
            all,
            config,
            deepen,
            baseline,
            where,
            within=within,
            rules=tuple(rule or ()),
        )
        done = run(request, say(quiet), progress)
    _tell(answered(done, question), quiet, done.keep)


def _tell(answer: Answer, quiet: bool, told: Callable[[], None] = lambda: None) -> None:
    """Write the reports, and end with their status. told: what is done once they are written."""
    from pliant.ci.outputs import Text, write

    for line in answer.said:
        say(quiet)(line)
    if answer.error is not None:
        raise UserError(answer.error)
    write([Text(*each) for each in answer.texts])
    told()
    if answer.fails:
        raise typer.Exit(FOUND)


def verify(
    repo: Repo = Path(),
    base: Base = None,
    head: Head = "HEAD",
    config: ConfigFile = None,
    state_dir: StateDir = None,
    strategy: How = Strategy.elastic,
    engine: EngineOption = Engine.auto,
    spark_master: SparkMaster = None,
    debug: Debug = False,
) -> None:
    """Check that the state after Update equals a Bootstrap of the head from scratch, and that the findings of both
    sides, with their witnesses, equal those of a check without any stored state.

    Exit status: 0 equal, 1 not equal, 2 the command could not run.
    """
    start()
    from pliant.ci.check import verify as run
    from pliant.ci.comparison import Request

    with evaluating(engine, spark_master) as (progress, where):
        request = Request(repo, base, head, state_dir, strategy.value, config=config, places=where)
        verdict = run(request, say(False), progress)
    between = f"{verdict.base[:12]}..{verdict.head[:12]} (facts +{verdict.facts.inserted} -{verdict.facts.deleted})"
    if verdict.equal:
        told = counted(verdict.findings, "finding")
        print_out(f"equal: Update and Bootstrap give state {verdict.built} and {told} for {between}\n")
        return
    if verdict.updated != verdict.built:
        print_out(f"NOT equal: Update gives state {verdict.updated}, Bootstrap {verdict.built} for {between}\n")
    for each in verdict.differing:
        place = f"{visible_path(each.file)}:{each.line}"
        print_out(f"NOT equal: {place}: {visible(each.message)} [{each.rule}]: not told so by both\n")
    raise typer.Exit(FOUND)
