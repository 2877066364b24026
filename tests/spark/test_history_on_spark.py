"""A history on Spark is the history without it, byte by byte."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from histories import with_a_past

from pliant.ci.history.plan import Range
from pliant.ci.history.run import Request, history


def test_spark_gives_the_same_tables(spark: Any, tmp_path: Path) -> None:
    repo = with_a_past(tmp_path / "repo")
    wanted = Range("main", first_parent=False)
    alone = history(Request(repo.folder, tmp_path / "alone", wanted, tmp_path / "one", versions=5), pytest.fail)
    request = Request(repo.folder, tmp_path / "spark", wanted, tmp_path / "two", backend="spark", versions=5)
    summary = history(request, pytest.fail)
    assert (summary.extracted, summary.windows) == (alone.extracted, alone.windows) and summary.windows > 3
    for name in ("commits.parquet", "changes.parquet", "findings.parquet"):
        assert (tmp_path / "spark" / name).read_bytes() == (tmp_path / "alone" / name).read_bytes()
    assert history(request, pytest.fail).resumed == summary.windows
