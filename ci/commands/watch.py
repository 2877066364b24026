"""`pliant watch`: its options, and what it prints."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pliant.ci.commands.options import Base, ConfigFile, Debug, Repo, StateDir, print_out, say, start
from pliant.ci.errors import visible, visible_path

if TYPE_CHECKING:
    from pliant.analyses.findings import Finding
    from pliant.ci.watch import Event


class Format(StrEnum):
    text = "text"
    json = "json"


def watch(
    repo: Repo = Path(),
    base: Base = None,
    config: ConfigFile = None,
    format: Annotated[Format, typer.Option(help="Text, or one JSON object a line for each event.")] = Format.text,
    state_dir: StateDir = None,
    debug: Debug = False,
) -> None:
    """Check the files on disk, again after each change, until it is interrupted: print the findings that came and went.

    \b
    What is printed is what `pliant check --head WORKTREE` reports as new: `+` for a finding that came, `-` for one
    that went. Meanwhile such a check asks this process, and is faster. It needs watchfiles:
    pip install 'pliant[watch]'.

    \b
    Examples:
      pliant watch                       what the files on disk add to the default branch
      pliant watch --base HEAD           what they add to the last commit
      pliant watch --format json         for an editor: came, went, and how many there are now
    """
    start()
    from pliant.ci.comparison import Request
    from pliant.ci.errors import UserError
    from pliant.ci.watch import watch as run

    for event in run(Request(repo, base, state=state_dir, config=config), say(False)):
        if isinstance(event, UserError):
            sys.stderr.write(f"pliant: {event}\n")
        elif format is Format.json:
            print_out(f"{json.dumps(_as_dict(event))}\n")
        else:
            print_out("".join(f"{line}\n" for line in _as_text(event)))
        sys.stdout.flush()


def _as_dict(event: Event) -> dict[str, Any]:
    from pliant.ci.reports.json import finding_as_dict

    return {
        "schema": "pliant-watch/1",
        "came": [finding_as_dict(finding) for finding in event.came],
        "went": [finding_as_dict(finding) for finding in event.went],
        "new": event.report.counts()["new"],
        "seconds": round(event.seconds, 3),
    }


def _as_text(event: Event) -> list[str]:
    from pliant.ci.reports.anchor import summary

    lines = [_line("-", finding) for finding in event.went] + [_line("+", finding) for finding in event.came]
    return [*lines, f"{summary(event.report)} ({event.seconds:.1f} s)"]


def _line(sign: str, finding: Finding) -> str:
    place = f"{visible_path(finding.file)}:{finding.line}:{finding.column}"
    return f"{sign} {place}: {finding.severity} {visible(finding.rule)} {visible(finding.message)}"
