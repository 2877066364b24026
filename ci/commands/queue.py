"""`pliant queue`: its options, and what it prints."""

from __future__ import annotations

import sys
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pliant.ci.commands.options import (
    FOUND,
    ConfigFile,
    Debug,
    FailOn,
    RepoOption,
    StateDir,
    print_json,
    print_out,
    start,
)
from pliant.ci.errors import visible, visible_path
from pliant.ci.reports.anchor import why_unknown
from pliant.ci.reports.remarks import together
from pliant.ci.wording import counted

if TYPE_CHECKING:
    from pliant.analyses.findings import Finding
    from pliant.ci.queue import Queue


class Format(StrEnum):
    text = "text"
    json = "json"


def queue(
    heads: Annotated[list[str], typer.Argument(metavar="HEAD...", help="The revisions to merge, in this order.")],
    base: Annotated[str, typer.Option(metavar="REV", help="The revision to merge the heads into.")],
    repo: RepoOption = Path(),
    format: Annotated[Format, typer.Option(help="The format of the report.")] = Format.text,
    fail_on: Annotated[
        FailOn, typer.Option(help="Exit with 1 for a new finding at least this severe.")
    ] = FailOn.warning,
    config: ConfigFile = None,
    state_dir: StateDir = None,
    debug: Debug = False,
) -> None:
    """Check pull requests, each alone and merged one after the other, and report findings that exist only together.

    Exit status: 0 no new finding, 1 a new finding at or above --fail-on or a conflict, 2 the command could not run.
    """
    start()
    from pliant.analyses.findings import SEVERITIES
    from pliant.ci.progress import progress_on
    from pliant.ci.queue import Request
    from pliant.ci.queue import queue as run

    with progress_on(sys.stderr, quiet=False) as progress:
        found = run(Request(repo, base, tuple(heads), state_dir, config), progress)
    if format is Format.json:
        print_json(asdict(found))
    else:
        print_out(text(found))
    loud = [] if fail_on is FailOn.never else SEVERITIES[SEVERITIES.index(fail_on.value) :]
    if any(step.conflicts or any(each.severity in loud for each in step.new) for step in found.steps):
        raise typer.Exit(FOUND)


def text(found: Queue) -> str:
    lines = []
    for place, step in enumerate(found.steps, 1):
        lines.append(
            f"{place}. {visible(step.head)} ({step.commit[:12]}): {len(step.new)} new, {len(step.fixed)} fixed"
            f"{f', {len(step.unknown)} unknown' if step.unknown else ''}"
            f"{f', {step.unlikely} unlikely, not listed' if step.unlikely else ''}"
        )
        if step.conflicts:
            lines[-1] = (
                f"{place}. {visible(step.head)} ({step.commit[:12]}): left out, it conflicts with what is before it"
            )
            lines += [f"   conflict in {visible_path(name)}" for name in step.conflicts]
        with_whom = {id(finding): partners for finding, partners in step.together}
        for finding in step.new:
            lines.append(f"   new: {_told(finding)}")
            if id(finding) in with_whom:
                names = ", ".join(visible(name) for name in with_whom[id(finding)])
                lines.append(f"        only together with {names or 'several of the heads before it'}")
        lines += [f"   fixed: {_told(finding)}" for finding in step.fixed]
        lines += [
            f"   warning: {visible_path(told.file)}:{told.line}: {visible(told.message)}"
            for told in together(step.not_analysed)
        ]
        lines += [f"   unknown: {_told(finding)} ({visible(why_unknown(finding))})" for finding in step.unknown]
    lines.append(
        f"{counted(len(found.steps), 'head')} on {visible(found.base)} ({found.commit[:12]}): "
        f"{counted(found.versions, 'version')} in {counted(found.fixpoints, 'fixpoint')}"
    )
    return "".join(f"{line}\n" for line in lines)


def _told(finding: Finding) -> str:
    return (
        f"{visible_path(finding.file)}:{finding.line}: {finding.severity}: {visible(finding.message)} [{finding.rule}]"
    )
