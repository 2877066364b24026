#!/usr/bin/env python3
"""What a commit's state costs on disk, and to save and to open: whole, and as a delta on its parent's.

    state.py [--runs N] [--commits N] REPOSITORY [REV]

Starts with the N-th ancestor of REV on the line of first parents and goes from commit to commit up to REV. Bytes are
those that a save adds to the disk; seconds are processor time of this process, the least of N runs. "open" is a state
opened, "open, all" every relation of it read and checked.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

from pliant.ci.commits import Clock, Commits, State
from pliant.ci.git import Repository
from pliant.ci.startup import prepare
from pliant.ci.state import StateStore
from pliant.engine import Evaluation


def seconds(call: Callable[[], Any], runs: int) -> float:
    times = []
    for _ in range(runs):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description="What a state costs, whole and as a delta.")
    parser.add_argument("--runs", type=int, default=5, metavar="N")
    parser.add_argument("--commits", type=int, default=5, metavar="N")
    parser.add_argument("repository", type=Path, metavar="REPOSITORY")
    parser.add_argument("rev", nargs="?", default="HEAD", metavar="REV")
    options = parser.parse_args()
    prepare()
    with tempfile.TemporaryDirectory(prefix="pliant-state-") as name, Repository.open(options.repository) as repository:
        folder = Path(name)
        commits = Commits(repository, lambda key: StateStore(folder / "store", key, print), print, Clock())
        line = [repository.resolve(f"{options.rev}~{back}") for back in range(options.commits, -1, -1)]
        built = commits.bootstrap(commits.snapshot(repository.tree(line[0])), repository.read)
        state = folder / "state"
        whole = built.evaluation.save(state, "whole")
        snapshot = built.snapshot
        assert whole is not None
        print("commit        facts  layers       bytes  of whole   save s   open s  open, all s")
        told(line[0], 0, whole, whole.size, 0.0, state, commits, options.runs)
        for before, commit in pairwise(line):
            evaluation = Evaluation.open(state, commits.program)
            changes = repository.tree_diff(before, commit)
            moved = State(evaluation, snapshot, "")
            diff, _ = commits.advance(moved, snapshot.changed(changes), repository.read)
            snapshot = moved.snapshot
            save = seconds(lambda evaluation=evaluation: evaluation.save(folder / "again"), options.runs)
            saved = evaluation.save(state)
            assert saved is not None
            told(commit, sum(diff.size), saved, whole.size, save, state, commits, options.runs)
        fresh = Evaluation.open(state, commits.program)
        print(f"the last one, whole: save {seconds(lambda: fresh.save(folder / 'again', 'whole'), options.runs):.3f} s")


def told(commit: str, facts: int, saved: Any, whole: int, save: float, state: Path, commits: Any, runs: int) -> None:
    opening = seconds(lambda: Evaluation.open(state, commits.program), runs)
    reading = seconds(lambda: every(Evaluation.open(state, commits.program)), runs)
    print(
        f"{commit[:12]} {facts:6} {saved.layers:7} {saved.size:11} {saved.size / whole:9.2%} {save:8.3f} {opening:8.3f}"
        f" {reading:12.3f}"
    )


def every(evaluation: Evaluation) -> None:
    for name in evaluation.program.stored:
        evaluation.size(name)


if __name__ == "__main__":
    main()
