"""Dates of commits are data: whatever they say, a history has its tables and its report."""

from __future__ import annotations

import json
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from histories import FIND, SAFE, USE
from repos import Repo

from pliant.ci.commands.history import summary_text
from pliant.ci.history.plan import Range
from pliant.ci.history.run import Request, Summary, history

FIRST, LAST = datetime(1970, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
DATES = {
    "committer n <e> 1700000000 +0000": datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC),
    "committer n <e> 253402300799 +0000": LAST,
    "committer n <e> 5 +9999": datetime(1970, 1, 1, 0, 0, 5, tzinfo=UTC),
    "committer n <e> 5 -9999": datetime(1970, 1, 1, 0, 0, 5, tzinfo=UTC),
    "committer n <e> 007 +0000": datetime(1970, 1, 1, 0, 0, 7, tzinfo=UTC),
}
ODD_DATES = {
    "committer n <e> 253402300800 +0000": LAST,
    "committer n <e> 18446744073709551616 +0000": LAST,
    f"committer n <e> {'9' * 5000} +0000": LAST,
    "committer n <e> -5 +0000": FIRST,
    "committer n <e> 1e5 +0000": FIRST,
    "committer n <e> \u0663 +0000": FIRST,
    "committer n <e>": FIRST,
    "committer ": FIRST,
    "author n <e> 5 +0000": FIRST,
}


def committed(repo: Repo, text: str, line: str, parent: str | None) -> str:
    """A commit of a file with this committer line."""
    blob = repo.git("hash-object", "-w", "--stdin", stdin=text.encode())
    tree = repo.git("mktree", stdin=f"100644 blob {blob}\ta.py\n".encode())
    parents = f"parent {parent}\n" if parent else ""
    content = f"tree {tree}\n{parents}author n <e> 1 +0000\n{line}\n\nmessage\n".encode()
    command = ["git", "-C", str(repo.folder), "hash-object", "-t", "commit", "--literally", "-w", "--stdin"]
    return subprocess.run(command, input=content, capture_output=True, check=True).stdout.decode().strip()


def of(repo: Repo, lines: list[str], tmp_path: Path, **options: Any) -> tuple[Summary, list[dict[str, Any]]]:
    """The history of commits with these committer lines, which take turns at bringing a finding and fixing it."""
    commit = None
    for number, line in enumerate(lines):
        commit = committed(repo, FIND + USE if number % 2 else SAFE, line, commit)
    assert commit is not None
    request = Request(repo.folder, tmp_path / "out", Range(commit, **options), tmp_path / "state")
    summary = history(request, pytest.fail)
    return summary, pq.read_table(tmp_path / "out" / "commits.parquet").to_pylist()


def test_dates_that_no_calendar_has_are_clamped_and_told(repo: Repo, tmp_path: Path) -> None:
    lines = {**DATES, **ODD_DATES}
    summary, commits = of(repo, list(lines), tmp_path)
    assert [row["time"] for row in commits] == list(lines.values())
    first = commits[len(DATES)]["commit"][:12]
    told = f"the dates of {len(ODD_DATES)} commits, the first {first}, are none that a calendar has: "
    assert told in summary_text(summary, tmp_path)
    assert summary.totals.days is not None and summary.totals.days >= 0
    page = (tmp_path / "out" / "report.html").read_text()
    found = re.search(r'<script type="application/json"[^>]*>(.*?)</script>', page, re.DOTALL)
    assert found and json.loads(found[1])["commits"]["time"] == [int(time.timestamp()) for time in lines.values()]


def test_ordinary_dates_are_not_told(repo: Repo, tmp_path: Path) -> None:
    summary, _ = of(repo, list(DATES), tmp_path)
    assert "calendar" not in summary_text(summary, tmp_path)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"since": "0001-01-01"}, 3),
        ({"since": "1900-01-01T00:00:00+14:00"}, 3),
        ({"since": "2023-11-14"}, 2),
        ({"since": "2023-11-14T22:13:20Z", "until": "9999-12-31T23:59:59Z"}, 2),
        ({"until": "1970-01-02"}, 1),
        ({"until": "0001-01-01"}, 1),
        ({"since": "9999-12-31T23:59:59-23:59"}, 1),
    ],
)
def test_any_date_of_the_calendar_bounds_a_history(
    repo: Repo, tmp_path: Path, options: dict[str, str], expected: int
) -> None:
    lines = [f"committer n <e> {seconds} +0000" for seconds in (0, 1700000000, 253402300799)]
    assert len(of(repo, lines, tmp_path, **options)[1]) == expected
