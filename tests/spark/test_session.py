"""Which session is used, and what it keeps away from."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pliant.engine.backends.spark.session import SparkError, cores, described, spark_session


def test_an_active_session_is_used_and_stays(spark: Any) -> None:
    with spark_session("local[7]") as session:
        assert session is spark
    assert spark.range(3).count() == 3
    assert cores(spark) == 2


def test_jobs_are_described_and_the_description_ends(spark: Any) -> None:
    context = spark.sparkContext
    with described(spark, "path: round 3"):
        assert context.getLocalProperty("spark.job.description") == "path: round 3"
    assert context.getLocalProperty("spark.job.description") is None


PROGRAM = """
from pliant.engine.backends.spark.session import SparkError, spark_session
for master in ("nonsense://x", "local[1]"):
    try:
        with spark_session(master) as spark:
            print(spark.range(10).mapInArrow(lambda batches: batches, "id long").count())
    except SparkError as error:
        print(error)
"""


def test_nothing_of_the_current_folder_is_imported_or_written_and_logs_are_quiet(tmp_path: Path) -> None:
    for name in ("numpy", "pyarrow", "pandas", "pyspark"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('imported from the current folder')\n")
    before = sorted(tmp_path.iterdir())
    done = subprocess.run(
        [sys.executable, "-P", "-c", PROGRAM], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.stderr == ""
    refused, counted = done.stdout.splitlines()
    assert refused.startswith("no Spark session on nonsense://x: ") and counted == "10"
    assert sorted(tmp_path.iterdir()) == before


def test_a_remote_that_is_none_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pliant.engine.backends.spark.session.active_session", lambda: None)
    monkeypatch.setenv("SPARK_REMOTE", "nonsense")
    with pytest.raises(SparkError, match="SPARK_REMOTE is 'nonsense'; sc://HOST:PORT or local"), spark_session():
        pass
