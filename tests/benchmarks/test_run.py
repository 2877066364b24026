"""The benchmarks' command on a case of a few facts: what it prints, and that a state that comes out wrong fails it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from benchmark_command import BENCHMARKS, run, write


def test_bootstrap_and_updates_are_measured(tmp_path: Path) -> None:
    facts = tmp_path / "facts"
    facts.mkdir()
    write(facts / "csda_tiny", nullEdge="0\t1\n", arc="1\t2\n2\t3\n3\t1\n3\t4\n")
    arguments = ("--facts", str(facts), "--programs", "csda_tiny", "--peers", "", "--sizes", "1,3", "--sets", "2")
    done = run("run.py", *arguments, "--verify", "--json", str(tmp_path / "told.json"))
    assert done.returncode == 0, done.stderr
    told = json.loads((tmp_path / "told.json").read_text())["csda_tiny"]
    assert told["outputs"] == {"null": 4}
    assert told["instantiations"] == 1 + 4
    made = [(each["strategy"], each["size"], each["way"], each["input_changes"]) for each in told["updates"]]
    assert sorted(set(made)) == sorted(
        (strategy, size, way, size)
        for strategy in ("update", "elastic")
        for size in (1, 3)
        for way in ("delete", "insert")
    )
    assert len(made) == 2 * len(set(made))
    assert "| csda_tiny |" in done.stdout


def test_a_case_without_facts_is_refused_in_one_line(tmp_path: Path) -> None:
    done = run("run.py", "--facts", str(tmp_path), "--programs", "doop")
    assert done.returncode == 1
    assert done.stderr.startswith("no case is called doop")
    assert "Traceback" not in done.stderr


def test_generated_facts_are_the_same_each_time(tmp_path: Path) -> None:
    for name in ("once", "again"):
        assert run("generate.py", str(tmp_path / name), "--scale", "0.001").returncode == 0
    relations = sorted(path.name for path in (tmp_path / "once").iterdir())
    assert relations == ["chain.facts", "conjunction.facts", "exists.facts", "has.facts", "isA.facts", "subrole.facts"]
    for name in relations:
        assert (tmp_path / "once" / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


def test_copies_of_the_facts_leave_an_update_its_work(tmp_path: Path) -> None:
    facts = tmp_path / "facts"
    facts.mkdir()
    write(facts / "cspa_tiny", assign="0\t1\n1\t2\n5\t2\n", dereference="2\t3\n0\t4\n")
    arguments = ("--facts", str(facts), "--programs", "cspa_tiny", "--copies", "1,3", "--size", "2", "--sets", "1")
    done = run("scaling.py", *arguments)
    assert done.returncode == 0, done.stderr
    lines = [
        [cell.strip() for cell in line.split("|")[1:-1]] for line in done.stdout.splitlines() if "cspa_tiny" in line
    ]
    once, thrice = (next(line for line in lines if line[1] == copies) for copies in ("1x", "3x"))
    assert int(thrice[2]) == 3 * int(once[2]) > 0
    assert thrice[4] == once[4] != "0"


def test_a_signal_ends_what_was_started(tmp_path: Path) -> None:
    at = tmp_path / "pid"
    peer = ["sh", "-c", f"echo $$ > {at}.part && mv {at}.part {at} && exec sleep 600"]
    script = f"import peers; peers.leave_on_signals(); peers.run({peer!r}, 600)"
    started = subprocess.Popen([sys.executable, "-c", script], cwd=BENCHMARKS)
    while not at.exists():
        assert started.poll() is None
        time.sleep(0.01)
    started.terminate()
    assert started.wait() == 128 + signal.SIGTERM
    with pytest.raises(ProcessLookupError):
        for _ in range(500):  # who adopts what is killed reads its status later
            os.killpg(int(at.read_text()), 0)
            time.sleep(0.01)
