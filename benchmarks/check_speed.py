#!/usr/bin/env python3
"""How long one check takes, from nothing and with the state of the base at hand, and how fast files are read.

    check_speed.py [--base REV] [--head REV | --small] [--runs N] [--pliant PATH] REPOSITORY

The first check starts with an empty state directory: whole-process wall clock, the memory of the process and of its
workers together (sampled, where there is /proc), and the phases that the report tells. Then the same check is run N
times. Last, every file of the head is extracted on one core, lowering included; that needs pliant to be installed for
this Python. With --small, the head is the newest first-parent commit that changes one source file by at most 20 lines.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Check:
    seconds: float
    phases: dict[str, float]
    facts_changed: int
    megabytes: float  # of memory at most, of all processes together; 0 where that is not known


def check(options: argparse.Namespace, state: str) -> Check:
    command = [options.pliant, "check", str(options.repository), "--base", options.base, "--head", options.head]
    start = time.perf_counter()
    process = subprocess.Popen(
        [*command, "--format", "json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PLIANT_STATE_DIR": state},
    )
    memory = Memory(process.pid)
    memory.start()
    out, err = process.communicate()
    seconds = time.perf_counter() - start
    memory.join()
    if process.returncode not in (0, 1):
        sys.exit(err.strip())
    summary = json.loads(out)["summary"]
    changed = summary["fact_diff"]["inserted"] + summary["fact_diff"]["deleted"]
    return Check(seconds, summary["seconds"], changed, memory.most / 1e6)


class Memory(threading.Thread):
    """The most memory that a process and its children have at one time, in bytes."""

    def __init__(self, process: int) -> None:
        super().__init__(daemon=True)
        self.process = process
        self.most = 0

    def run(self) -> None:
        while (now := self._resident(self.process)) > 0:
            self.most = max(self.most, now)
            time.sleep(0.05)

    def _resident(self, process: int) -> int:
        folder = Path(f"/proc/{process}")
        try:
            resident = int((folder / "statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")
            children = (folder / "task" / str(process) / "children").read_text().split()
        except (OSError, IndexError):
            return 0
        return resident and resident + sum(self._resident(int(child)) for child in children)


def small_commit(repository: Path) -> str:
    """The newest commit that changes one source file, and of that at most 20 lines."""
    from pliant.extractors.languages import is_test, language_of  # noqa: PLC0415 - only where it is asked for

    log = ["log", "--first-parent", "--max-count=2000", "--numstat", "--format=commit %H", "--no-renames"]
    done = subprocess.run(["git", "-C", str(repository), *log], capture_output=True, text=True, check=True)
    for entry in done.stdout.split("commit ")[1:]:
        commit, *lines = entry.split()
        added, deleted, paths = lines[0::3], lines[1::3], lines[2::3]
        sizes = [
            int(plus) + int(minus)
            for plus, minus, path in zip(added, deleted, paths, strict=True)
            if plus.isdecimal() and language_of(path) and not is_test(path)
        ]
        if len(sizes) == 1 and sizes[0] <= 20:
            return commit
    sys.exit(f"none of the last 2000 commits of {repository} changes one source file by at most 20 lines")


def reading(repository: Path, head: str) -> dict[str, tuple[int, float]]:
    """Language -> lines of its source files in a commit, and seconds of processor time to extract their facts."""
    from pliant.ci.git import Repository  # noqa: PLC0415 - the rest of this script does without
    from pliant.extractors import workers  # noqa: PLC0415
    from pliant.extractors.languages import language_of  # noqa: PLC0415

    with Repository.open(repository) as opened:
        entries = [entry for entry in opened.tree(opened.resolve(head)) if entry.is_file and language_of(entry.path)]
        languages = {entry.oid: language_of(entry.path) for entry in entries}
        blobs = dict(opened.read(list(languages)))
    found: dict[str, tuple[int, float]] = {}
    for oid, content in blobs.items():
        language = languages[oid]
        if language is not None:
            start = time.process_time()
            lines = workers.extract(language, content).lines
            before = found.get(language.name, (0, 0.0))
            found[language.name] = (before[0] + lines, before[1] + time.process_time() - start)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="How long one check takes, cold and warm.")
    parser.add_argument("--base", default="HEAD^", metavar="REV")
    parser.add_argument("--head", default="HEAD", metavar="REV")
    parser.add_argument("--small", action="store_true", help="check the newest commit that changes little")
    parser.add_argument("--runs", type=int, default=10, metavar="N")
    parser.add_argument("--pliant", default="pliant", metavar="PATH")
    parser.add_argument("repository", type=Path, metavar="REPOSITORY")
    options = parser.parse_args()
    if options.small:
        options.head = small_commit(options.repository)
        options.base = f"{options.head}^"
    with tempfile.TemporaryDirectory(prefix="pliant-speed-") as state:
        cold = check(options, state)
        warm = [check(options, state) for _ in range(options.runs)]
    print(f"{options.repository}: {options.base} to {options.head}, facts changed: {cold.facts_changed}")
    print(f"cold: {cold.seconds:.2f} s, {cold.megabytes:.0f} MB: {phases(cold.phases)}")
    times = [run.seconds for run in warm]
    median = {phase: statistics.median(run.phases.get(phase, 0.0) for run in warm) for phase in warm[0].phases}
    print(
        f"warm, {options.runs} runs: median {statistics.median(times):.2f} s, {min(times):.2f} to {max(times):.2f} s, "
        f"{max(run.megabytes for run in warm):.0f} MB"
    )
    rest = statistics.median(times) - sum(median.values())
    print(f"  of which {phases(median)}, start of the process and the rest {rest:.3f}")
    for language, (lines, seconds) in sorted(reading(options.repository, options.head).items()):
        print(f"extraction on one core, {language}: {lines} lines in {seconds:.2f} s, {lines / seconds:.0f} a second")


def phases(seconds: dict[str, float]) -> str:
    return ", ".join(f"{phase} {value:.3f}" for phase, value in seconds.items() if value >= 0.0005)


if __name__ == "__main__":
    main()
