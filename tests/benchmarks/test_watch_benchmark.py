"""The benchmark of `pliant watch` on a repository of one file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from repos import MakeRepo

PROGRAM = Path(__file__).parents[2] / "benchmarks" / "watch.py"


def test_it_tells_how_long_a_finding_takes_to_come_and_to_go(make_repo: MakeRepo) -> None:
    pytest.importorskip("watchfiles")
    repo = make_repo()
    repo.commit({"a.py": "x = 1\n"})
    command = [sys.executable, "-P", PROGRAM, repo.folder, "a.py", "--rounds", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    measured = ["a finding came", "a finding went", "check beside it", "check alone"]
    assert [line.partition(":")[0] for line in done.stdout.splitlines()[1:]] == measured
