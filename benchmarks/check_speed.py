#!/usr/bin/env python3
"""How long one check takes, from nothing and with the state of the base at hand, and how fast files are read.

    check_speed.py [--base REV] [--head REV] [--runs N] [--pliant PATH] REPOSITORY

The first check starts with an empty state directory. Then the same check is run N times: whole-process wall clock, and
the phases that the report tells. Last, every file of the head is extracted on one core, lowering included. The
extraction needs pliant to be installed for this Python.
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
from pathlib import Path


def check(options: argparse.Namespace, state: str) -> tuple[float, dict[str, float], dict[str, int]]:
    command = [options.pliant, "check", str(options.repository), "--base", options.base, "--head", options.head]
    start = time.perf_counter()
    done = subprocess.run(
        [*command, "--format", "json"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PLIANT_STATE_DIR": state},
    )
    seconds = time.perf_counter() - start
    if done.returncode not in (0, 1):
        sys.exit(done.stderr.strip())
    summary = json.loads(done.stdout)["summary"]
    return seconds, summary["seconds"], summary["fact_diff"]


def reading(repository: Path, head: str) -> tuple[int, float]:
    """Lines of all source files of a commit, and seconds of processor time to extract their facts."""
    from pliant.ci.git import Repository  # noqa: PLC0415 - the rest of this script does without
    from pliant.extractors.languages import language_of  # noqa: PLC0415

    with Repository.open(repository) as opened:
        entries = [entry for entry in opened.tree(opened.resolve(head)) if entry.is_file and language_of(entry.path)]
        languages = {entry.oid: language_of(entry.path) for entry in entries}
        blobs = dict(opened.read(list(languages)))
    lines, start = 0, time.process_time()
    for oid, content in blobs.items():
        language = languages[oid]
        if language is not None:
            lines += language.extract(content).lines
    return lines, time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description="How long one check takes, cold and warm.")
    parser.add_argument("--base", default="HEAD^", metavar="REV")
    parser.add_argument("--head", default="HEAD", metavar="REV")
    parser.add_argument("--runs", type=int, default=10, metavar="N")
    parser.add_argument("--pliant", default="pliant", metavar="PATH")
    parser.add_argument("repository", type=Path, metavar="REPOSITORY")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pliant-speed-") as state:
        cold, cold_phases, facts = check(options, state)
        warm = [check(options, state) for _ in range(options.runs)]
    print(f"facts changed: {facts['inserted'] + facts['deleted']}")
    print(f"cold: {cold:.2f} s: {phases(cold_phases)}")
    times = [seconds for seconds, _, _ in warm]
    median = {phase: statistics.median(told.get(phase, 0.0) for _, told, _ in warm) for phase in warm[0][1]}
    print(f"warm, {options.runs} runs: median {statistics.median(times):.2f} s, {min(times):.2f} to {max(times):.2f} s")
    rest = statistics.median(times) - sum(median.values())
    print(f"  of which {phases(median)}, start of the process and the rest {rest:.3f}")
    lines, seconds = reading(options.repository, options.head)
    print(f"extraction on one core: {lines} lines in {seconds:.2f} s, {lines / seconds:.0f} lines a second")


def phases(seconds: dict[str, float]) -> str:
    return ", ".join(f"{phase} {value:.3f}" for phase, value in seconds.items() if value >= 0.0005)


if __name__ == "__main__":
    main()
