#!/usr/bin/env python3
"""Check the last commits of real repositories, each as if it were a pull request, and print a table.

    real_repositories.py [--commits N] [--stride N] [--verify] [--findings FILE] [--pliant PATH] REPOSITORY ...

For each commit of the first-parent history: `pliant check --base COMMIT^ --head COMMIT`, oldest first, with one state
directory a repository, so that the first check is cold and the others find the state of their base. With a stride, a
pull request is that many commits. With --verify each is followed by `pliant verify`. New and fixed findings
go to FILE, a JSON object a line. Standard library only.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO


@dataclass
class Row:
    """What is told of a repository."""

    name: str
    lines: int = 0
    cold: float = 0.0
    warm: list[float] = field(default_factory=list)
    facts: list[int] = field(default_factory=list)
    new: Counter[str] = field(default_factory=Counter)
    fixed: int = 0
    strategies: Counter[str] = field(default_factory=Counter)
    diagnostics: int = 0
    failures: list[str] = field(default_factory=list)
    verified: int = 0


def run(command: list[str], state: str) -> tuple[subprocess.CompletedProcess[str], float]:
    start = time.perf_counter()
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        env={**os.environ, "PLIANT_STATE_DIR": state},
    )
    return done, time.perf_counter() - start


def git(repository: Path, *arguments: str) -> list[str]:
    done = subprocess.run(["git", "-C", str(repository), *arguments], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def measure(repository: Path, options: argparse.Namespace, sink: TextIO | None) -> Row:
    wanted = options.commits * options.stride
    commits = git(repository, "rev-list", "--first-parent", f"--max-count={wanted}", options.head)[:: options.stride][
        ::-1
    ]
    name = "/".join(repository.resolve().parts[-2:]) if repository.name in ("repo", ".git") else repository.name
    row = Row(name)
    with tempfile.TemporaryDirectory(prefix="pliant-real-") as state:
        for number, commit in enumerate(commits):
            sides = ["--base", f"{commit}~{options.stride}", "--head", commit]
            done, seconds = run(
                [options.pliant, "check", str(repository), *sides, "--format", "json", "--verbose"], state
            )
            if done.returncode not in (0, 1):
                row.failures.append(f"{commit}: {done.stderr.strip()[-300:]}")
                continue
            if number:
                row.warm.append(seconds)
            else:
                row.cold = seconds
            record(row, commit, json.loads(done.stdout), sink)
            if options.verify:
                done, _ = run([options.pliant, "verify", str(repository), *sides], state)
                row.verified += done.returncode == 0
                if done.returncode:
                    row.failures.append(f"{commit}: verify: {(done.stdout + done.stderr).strip()[-300:]}")
            print(f"\r{name} {number + 1}/{len(commits)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return row


def record(row: Row, commit: str, report: dict[str, Any], sink: TextIO | None) -> None:
    summary = report["summary"]
    row.facts.append(summary["fact_diff"]["inserted"] + summary["fact_diff"]["deleted"])
    row.diagnostics += len(report["diagnostics"])
    row.strategies.update(stratum["strategy"] for stratum in summary["strata"])
    for finding in report["findings"]:
        if finding["status"] == "new":
            row.new[finding["severity"]] += 1
        row.fixed += finding["status"] == "fixed"
        if sink is not None:
            sink.write(json.dumps({"repository": row.name, "commit": commit, **finding}) + "\n")


def show(rows: list[Row], verify: bool) -> None:
    print(
        "| repository | commits | cold s | warm s, median (max) | facts changed, median (max) | new: warning / note "
        "| fixed | strata by strategy | diagnostics |" + (" verified |" if verify else "")
    )
    print("|---|---|---|---|---|---|---|---|---|" + ("---|" if verify else ""))
    for row in rows:
        warm = row.warm or [0.0]
        strategies = ", ".join(f"{name} {count}" for name, count in row.strategies.most_common())
        print(
            f"| {row.name} | {len(row.facts)} | {row.cold:.2f} | {statistics.median(warm):.2f} ({max(warm):.2f}) "
            f"| {statistics.median(row.facts or [0]):.0f} ({max(row.facts or [0])}) "
            f"| {row.new['warning'] + row.new['error']} / {row.new['note']} | {row.fixed} "
            f"| {strategies} | {row.diagnostics} |" + (f" {row.verified}/{len(row.facts)} |" if verify else "")
        )


def main() -> int:
    parser = argparse.ArgumentParser(description="Check the last commits of real repositories.")
    parser.add_argument("--commits", type=int, default=50, metavar="N", help="how many of each (default: 50)")
    parser.add_argument("--stride", type=int, default=1, metavar="N", help="commits to a pull request (default: 1)")
    parser.add_argument("--head", default="HEAD", metavar="REV", help="the last of them (default: HEAD)")
    parser.add_argument("--verify", action="store_true", help="compare Update with Bootstrap for each")
    parser.add_argument("--findings", type=Path, metavar="FILE", help="write new and fixed findings there")
    parser.add_argument(
        "--pliant", default="pliant", metavar="PATH", help="the program to measure (default: from PATH)"
    )
    parser.add_argument("repositories", nargs="+", type=Path, metavar="REPOSITORY")
    options = parser.parse_args()
    with (options.findings or Path(os.devnull)).open("w", encoding="utf-8") as sink:
        rows = [measure(repository, options, sink) for repository in options.repositories]
    show(rows, options.verify)
    failures = [failure for row in rows for failure in row.failures]
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
