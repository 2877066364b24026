"""The suites' command on a checkout of a few cases: what is found, and what of it a report shows by default."""

from __future__ import annotations

from pathlib import Path

from benchmark_command import run

CASES = """\
[case testUsed]
from typing import Optional
def f(x: Optional[int]) -> None:
    x + 1  # E: Unsupported left operand type for + ("None")
[case testTestedFirst]
from typing import Optional
def f(x: Optional[int], n: int) -> None:
    if x is None and n > 3:
        return
    if n > 4:
        x + 1
[case testNothing]
def f(x: int) -> None:
    x + 1
"""


def test_what_the_search_refutes_is_not_shown(tmp_path: Path) -> None:
    cases = tmp_path / "test-data" / "unit" / "check-optional.test"
    cases.parent.mkdir(parents=True)
    cases.write_text(CASES)
    done = run("suites/run.py", "optional", str(tmp_path), "--misses")
    assert done.returncode == 0, done.stderr
    table, misses = done.stdout.splitlines()[:3], done.stdout.splitlines()[3:]
    heads, _, cells = ([cell.strip() for cell in line.split("|")[1:-1]] for line in table)
    assert heads[1:6] == ["bad", "found", "recall", "shown", "recall"]
    assert heads[6:] == ["good", "alarms", "false", "shown", "false"]
    assert cells == ["mypy", "1", "1", "100.0%", "1", "100.0%", "2", "1", "50.0%", "0", "0.0%"]
    assert misses == ["hidden alarm  mypy  testTestedFirst [7]"]
