"""`pliant history`: its options, and what it prints."""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pliant.ci.commands.options import FOUND, ConfigFile, Debug, Repo, StateDir, print_out, say, start
from pliant.ci.errors import visible, visible_path
from pliant.ci.wording import counted

if TYPE_CHECKING:
    from pliant.ci.history.run import Summary


_MOST_COMMITS = 2**31 - 1  # git takes no larger number for what it is


class Strategy(StrEnum):
    auto = "auto"
    versions = "versions"
    update = "update"


class Backend(StrEnum):
    embedded = "embedded"
    spark = "spark"


def history(
    commits: Annotated[
        str,
        typer.Argument(metavar="A..B", help="The commits after A up to B; B alone for all commits that it reaches."),
    ],
    repo: Repo = Path(),
    out: Annotated[
        Path,
        typer.Option(
            metavar="DIR", help="The folder for the tables and the report; an interrupted run continues there."
        ),
    ] = Path("pliant-history"),
    first_parent: Annotated[
        bool, typer.Option("--first-parent/--all", help="Follow first parents only, or every parent of every merge.")
    ] = True,
    since: Annotated[
        str | None, typer.Option(metavar="DATE", help="Only commits after that date.", show_default=False)
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="DATE", help="Only commits before that date.", show_default=False)
    ] = None,
    paths: Annotated[
        list[str] | None,
        typer.Option(metavar="PATH", help="Only commits that touch PATH; may be repeated.", show_default=False),
    ] = None,
    max_commits: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, max=_MOST_COMMITS, help="Only the last N commits.", show_default=False),
    ] = None,
    strategy: Annotated[
        Strategy, typer.Option(help="All versions of a window in one fixpoint, or updates from commit to commit.")
    ] = Strategy.auto,
    backend: Annotated[Backend, typer.Option(help="Processes on this machine, or Spark.")] = Backend.embedded,
    master: Annotated[
        str | None, typer.Option(metavar="URL", help="The Spark master or sc:// server.", show_default=False)
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="The number of parallel processes.", show_default="one for each core"),
    ] = None,
    versions: Annotated[int, typer.Option(metavar="N", help="The maximum number of versions in one fixpoint.")] = 64,
    verify: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Check N of the commits separately, and compare.", show_default=False),
    ] = None,
    authors: Annotated[
        bool, typer.Option("--authors", help="Name the author of each commit in the tables and the report.")
    ] = False,
    config: ConfigFile = None,
    state_dir: StateDir = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="No progress and no summary.", show_default=False)
    ] = False,
    debug: Debug = False,
) -> None:
    """Report which findings each commit introduced and fixed, and how long each finding lived.

    Writes Parquet tables and a report.html. Exit status: 0 done, 1 --verify found a difference, 2 the command could not
    run.
    """
    start()
    from pliant.ci.history.plan import Range
    from pliant.ci.history.run import Request
    from pliant.ci.history.run import history as run
    from pliant.ci.progress import progress_on

    wanted = Range(commits, first_parent, since, until, tuple(paths or ()), max_commits)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    request = Request(
        repo,
        out,
        wanted,
        state_dir,
        config,
        strategy.value,
        backend.value,
        master,
        jobs or cores,
        versions,
        authors,
    )
    with progress_on(sys.stderr, quiet=quiet) as progress:
        summary = run(request, say(quiet), progress)
    if not quiet:
        print_out(summary_text(summary, out))
    if verify is not None:
        _verify(repo, out, config, verify, quiet)


def _verify(repo: Path, out: Path, config: Path | None, most: int, quiet: bool) -> None:
    from pliant.ci.history.verify import compare
    from pliant.ci.progress import progress_on

    with progress_on(sys.stderr, quiet=quiet) as progress:
        verdict = compare(repo, out, config, most, say(quiet), progress)
    if not verdict.different:
        checks, findings = counted(verdict.compared, "check"), counted(verdict.findings, "finding")
        print_out(f"equal: {checks} one by one found the same ({findings})\n")
        return
    for each in verdict.different[:10]:
        print_out(
            f"NOT equal: {each.commit[:12]} against {each.parent[:12]}: "
            f"{counted(len(each.found), 'finding')} here, {len(each.expected)} there\n"
        )
    print_out(f"NOT equal: {len(verdict.different)} of {verdict.compared} checks one by one say something else\n")
    raise typer.Exit(FOUND)


def summary_text(summary: Summary, out: Path) -> str:
    from pliant.ci.history.run import duration

    totals = summary.totals
    unknown = f", unknown: {totals.unknown}" if totals.unknown else ""
    lines = [
        f"{visible(summary.repository)}: {counted(totals.commits, 'commit')}, "
        f"{counted(totals.introduced, 'finding')} introduced, {totals.fixed} fixed; "
        f"there before: {totals.before}; open now: {totals.open}{unknown}"
    ]
    if totals.days is not None:
        lines.append(f"half of the findings that were introduced and fixed lived {totals.days:.1f} days or less")
    if summary.clamped:
        of, are = ("the date of", "is") if len(summary.clamped) == 1 else ("the dates of", "are")
        lines.append(
            f"{of} {counted(len(summary.clamped), 'commit')}, the first {summary.clamped[0][:12]}, {are} none that a "
            "calendar has: 1970-01-01 or 9999-12-31 stands there"
        )
    ways = {"versions": "as one fixpoint", "update": "commit by commit"}
    chosen = ", ".join(f"{count} {ways[name]}" for name, count in sorted(summary.strategies.items(), reverse=True))
    resumed = f", {summary.resumed} from an earlier run" if summary.resumed else ""
    rate = totals.commits / summary.seconds if summary.seconds else 0.0
    lines.append(
        f"{counted(summary.windows, 'window')} ({chosen}{resumed}), {counted(summary.extracted, 'file')} extracted; "
        f"{duration(summary.seconds)}, {rate:.1f} commits a second, {summary.peak_bytes / 2**20:.0f} MiB"
    )
    spent = ", ".join(f"{name} {seconds:.1f}" for name, seconds in summary.phases.items())
    lines.append(f"seconds of all processes: {spent}")
    lines.append(f"tables and report.html in {visible_path(str(out))}")
    return "".join(f"{line}\n" for line in lines)
