"""`pliant datalog run` writes the same files on Spark, and tells what is wrong with a file in the same line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pliant.ci.commands.datalog import app
from pliant.ci.errors import UserError
from pliant.ci.places import place

PROGRAM = """
.decl edge(a: symbol, n: unsigned, b: symbol)  .input edge
.decl path(a: symbol, n: unsigned, b: symbol)  .output path(delimiter=";")
.decl none()  .output none
.printsize path
path(x, n, y) :- edge(x, n, y).
path(x, n, z) :- path(x, n, y), edge(y, _, z).
none() :- !edge("nowhere", 1, _).
"""


def run(folder: Path, engine: str, out: str) -> str:
    (folder / "program.dl").write_text(PROGRAM)
    arguments = ["run", str(folder / "program.dl"), "-F", str(folder), "-D", str(folder / out), "--engine", engine,
                 "--update", str(folder / "update"), "--changes", str(folder / out),
                 "--stats", str(folder / f"{out}.json")]  # fmt: skip
    done = CliRunner().invoke(app, arguments, catch_exceptions=True)
    if done.exception is not None:
        raise done.exception
    return done.stdout


def test_outputs_and_changes_are_the_same_bytes_as_without_spark(tmp_path: Path, spark: Any) -> None:
    update = tmp_path / "update"
    update.mkdir()
    (tmp_path / "edge.facts").write_text("a\t1\tb\r\nb\t4294967295\tc\nc\t0x10\ta\n\t7\té\né\t7\t\n")
    (update / "edge.insert.facts").write_text("c\t1\td\n")
    (update / "edge.delete.facts").write_text("a\t1\tb\nx\t1\ty\n")
    assert run(tmp_path, "spark", "spark") == run(tmp_path, "embedded", "embedded")
    written = sorted(path.relative_to(tmp_path / "embedded") for path in (tmp_path / "embedded").rglob("*.*"))
    assert len(written) == 6
    for path in written:
        assert (tmp_path / "spark" / path).read_bytes() == (tmp_path / "embedded" / path).read_bytes(), path
    ours, theirs = (json.loads((tmp_path / f"{name}.json").read_text()) for name in ("spark", "embedded"))
    for here, there in zip(ours["epochs"], theirs["epochs"], strict=True):
        for key in ("epoch", "input_changes", "output_changes"):
            assert here[key] == there[key]
        for one, other in zip(here["strata"], there["strata"], strict=True):
            assert (one["relations"], one["tuples"]) == (other["relations"], other["tuples"])
        assert here["tasks"] == len(here["rounds"]) * ours["shards"]


def test_a_mistake_in_a_file_is_told_with_its_line(tmp_path: Path, spark: Any) -> None:
    (tmp_path / "update").mkdir()
    (tmp_path / "edge.facts").write_text("a\t1\tb\nb\tx\tc\n")
    with pytest.raises(UserError, match=r"edge.facts:2: field 2 is 'x'; a unsigned of 32 bits is expected"):
        run(tmp_path, "spark", "out")


def test_a_run_stays_here_as_long_as_it_fits(tmp_path: Path) -> None:
    facts = tmp_path / "edge.facts"
    facts.write_bytes(b"x" * 1_000_000)
    assert place("auto", [facts], free=1 << 30) == ("embedded", "")
    where, why = place("auto", [facts], free=64 << 20)
    assert where == "spark" and why.startswith("on Spark: 1.0 MiB of facts promise a state of about 57.2 MiB, and 64.0")
    assert place("embedded", [facts], free=1) == ("embedded", "")
