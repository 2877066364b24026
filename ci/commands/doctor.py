"""`pliant doctor`: its options, and what it prints."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from pathlib import Path

import typer

from pliant.ci.commands.options import FOUND, AsJson, Debug, Repo, StateDir, print_json, print_out

_COLOURS = {"ok": "32", "note": "33;1", "wrong": "31;1"}


def doctor(
    repo: Repo = Path(),
    state_dir: StateDir = None,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Test the requirements of a check: git, the repository, settings, grammars, the state directory, Java and Spark.

    Exit status: 0 nothing is wrong, 1 something is, with what to do about it.
    """
    from pliant.ci.doctor import examine

    findings = list(examine(repo, state_dir))
    if as_json:
        print_json([asdict(finding) for finding in findings])
    else:
        colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        for finding in findings:
            word = f"\x1b[{_COLOURS[finding.verdict]}m{finding.verdict:5}\x1b[0m" if colour else f"{finding.verdict:5}"
            print_out(f"{word}  {finding.name}: {finding.found}\n")
            if finding.fix:
                print_out(f"       {finding.fix}\n")
    wrong = sum(finding.verdict == "wrong" for finding in findings)
    if not as_json:
        print_out(f"{wrong} of {len(findings)} wrong\n" if wrong else f"all {len(findings)} well\n")
    if wrong:
        raise typer.Exit(FOUND)
