"""Spark starts on the packaged Java where the machine has none; `tests/spark` starts it on the machine's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pliant.engine import spark_java

PROGRAM = """
import pyarrow.compute as pc
from pliant.engine.backends.spark.session import spark_session
made = spark_session("local[2]")
spark = made.__enter__()
def double(batches):
    for batch in batches:
        yield batch.set_column(0, "n", pc.multiply(batch["n"], 2))
rows = spark.createDataFrame([(1,), (2,), (3,)], "n long").mapInArrow(double, "n long").collect()
print(sorted(row.n for row in rows))
made.__exit__(None, None, None)
"""


def start_spark(environment: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.strip()


def test_spark_runs_arrow_functions_on_the_packaged_java(tmp_path: Path) -> None:
    # A PATH with the few programs that Spark's launcher calls, and no java among them.
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("bash", "sh", "env", "dirname", "basename", "ps", "uname", "cat", "readlink", "tr", "chmod"):
        for folder in ("/bin", "/usr/bin"):
            if Path(folder, name).exists() and not (programs / name).exists():
                (programs / name).symlink_to(Path(folder, name))
    environment = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"}
    assert start_spark(environment | {"PATH": str(programs)}) == "[2, 4, 6]"


def test_the_packaged_home_is_made_once(tmp_path: Path) -> None:
    home = spark_java.packaged_java_home(tmp_path / "a folder")
    made = (home / "bin" / "java").stat().st_mtime_ns
    assert spark_java.packaged_java_home(tmp_path / "a folder") == home
    assert (home / "bin" / "java").stat().st_mtime_ns == made
    arguments = ["--add-modules=jdk.incubator.vector", "-version"]
    done = subprocess.run([home / "bin" / "java", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "version" in done.stderr


@pytest.mark.parametrize(
    ("version", "usable"), [("1.8.0_392", False), ("11.0.2", False), ("17", True), ("25.0.1", True)]
)
def test_a_java_that_is_too_old_is_not_taken(
    tmp_path: Path, version: str, usable: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    java = tmp_path / "home" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\n")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", "/nowhere")
    # The script needs no PATH: echo is built into sh.
    assert (spark_java.machine_java_home() == tmp_path / "home") is usable
