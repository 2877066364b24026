"""`pliant pre-push` and `pliant init`: their options, and what they print."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from pliant.ci.commands.options import (
    FOUND,
    ConfigFile,
    Debug,
    FailOn,
    Repo,
    RepoOption,
    StateDir,
    print_error,
    print_out,
    say,
    start,
)
from pliant.ci.errors import visible


def pre_push(
    remote: Annotated[str, typer.Argument(metavar="REMOTE", help="The name of the remote.", show_default=False)] = "",
    url: Annotated[
        str, typer.Argument(metavar="URL", help="The address of the remote; not used.", show_default=False)
    ] = "",
    repo: RepoOption = Path(),
    config: ConfigFile = None,
    fail_on: Annotated[
        FailOn | None,
        typer.Option(
            help="Stop the push for a new finding at least this severe.", show_default="as configured: warning"
        ),
    ] = None,
    state_dir: StateDir = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Only the last line of each.", show_default=False)
    ] = False,
    debug: Debug = False,
) -> None:
    """Check what a push adds. Git's pre-push hook calls it and writes the refs to standard input.

    \b
    Each ref is compared with the remote's version of it; a new or rewritten branch is compared with the default
    branch. Deleted refs are ignored. Without refs on standard input, HEAD is compared with the default branch.

    \b
    Exit status: 0 no new finding, 1 a new finding: the push is stopped, 2 the command could not run.

    \b
    Examples:
      pliant init --hook          writes the hook
      git push --no-verify        pushes without it
    """
    start()
    from pliant.ci.check import check
    from pliant.ci.comparison import Request
    from pliant.ci.git import Repository
    from pliant.ci.pre_push import Plan, of_pre_commit, parse, plans
    from pliant.ci.progress import progress_on
    from pliant.ci.reports import Style, renderer

    told = of_pre_commit(os.environ)
    lines = "" if told is not None or sys.stdin is None or sys.stdin.isatty() else sys.stdin.read()
    remote = remote or os.environ.get("PRE_COMMIT_REMOTE_NAME", "")
    with Repository.open(repo) as repository:
        pushes = told if told is not None else parse(lines)
        planned = plans(repository, pushes, remote)
    if told is None and not lines.strip():
        planned = [Plan("HEAD", None, "HEAD")]
    stopped = 0
    for plan in planned:
        with progress_on(sys.stderr, quiet=quiet) as progress:
            request = Request(repo, plan.base, plan.head, state_dir, config=config)
            report = check(request, say(quiet), progress)
        report.fail_on = fail_on.value if fail_on else None
        if len(planned) > 1:
            print_out(f"{visible(plan.ref)}:\n")
        colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        print_out(renderer("text")(report, Style(colour, quiet=quiet)))
        report.keep()
        stopped += report.fails
    if stopped:
        print_error("the push is stopped; git push --no-verify pushes all the same")
        raise typer.Exit(FOUND)


def init(
    repo: Repo = Path(),
    hook: Annotated[bool, typer.Option("--hook", help="Only git's pre-push hook.", show_default=False)] = False,
    github: Annotated[
        bool, typer.Option("--github", help="Only the workflow of GitHub Actions.", show_default=False)
    ] = False,
    gitlab: Annotated[bool, typer.Option("--gitlab", help="Only the job of GitLab CI.", show_default=False)] = False,
    settings: Annotated[bool, typer.Option("--settings", help="Only pliant.toml.", show_default=False)] = False,
    source: Annotated[
        str | None,
        typer.Option(
            metavar="URL@COMMIT",
            help="Where this program's repository is, for the workflow and the job to install it from.",
            show_default="where it was installed from",
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Write without asking.", show_default=False)] = False,
    debug: Debug = False,
) -> None:
    """Write a configuration, a CI workflow and a git hook. Existing files are never changed.

    \b
    The diff is shown first. Without --yes, the command asks before it writes; if it cannot ask, it writes nothing.

    \b
    Examples:
      pliant init                 shows and asks
      pliant init --hook --yes    only the pre-push hook
    """
    from pliant.ci.init import diff, installed_from, planned, write

    asked = {"hook": hook, "github": github, "gitlab": gitlab, "settings": settings}
    chosen = {name for name, wanted in asked.items() if wanted}
    files, remarks = planned(repo, chosen, source or installed_from())
    for remark in remarks:
        print_error(remark)
    if not files:
        print_out("nothing to write\n")
        return
    for file in files:
        print_out(diff(file))
    if not yes:
        if not sys.stdin.isatty():
            print_out("nothing is written: --yes writes it\n")
            return
        if not typer.confirm("Write this?"):
            print_out("nothing is written\n")
            return
    for file in files:
        write(file)
        print_out(f"wrote {visible(file.name)}\n")
