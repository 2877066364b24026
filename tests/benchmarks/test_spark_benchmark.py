"""The benchmarks of the distributed engine: kernels in one process, and the model that seconds are fitted to."""

from __future__ import annotations

import math
import re
import sys
from pathlib import Path

import pytest
from benchmark_command import BENCHMARKS, run, write

sys.path.append(str(BENCHMARKS))

from sharded import Outcome, copied, in_files
from spark_model import Point, crossing_point, fitted, load, save, told

from pliant.engine import Batch, Evaluation, Program
from pliant.engine.fact_files import read_facts


def test_exchanges_and_updates_end_with_the_digests_of_the_embedded_engine(tmp_path: Path) -> None:
    assign = "".join(f"{number}\t{(number * 7) % 40}\n" for number in range(40))
    write(
        tmp_path / "cspa_toy", assign=assign, dereference="".join(f"{number}\t{number + 40}\n" for number in range(40))
    )
    for rows, what in ((6, ["exchanges", "--cores", "1,3"]), (4, ["updates", "--changes", "1,5"])):
        done = run("spark.py", *what, "--facts", str(tmp_path), "--programs", "cspa_toy", "--inline", "--repeat", "1")
        assert done.returncode == 0, done.stderr
        lines = done.stdout.splitlines()
        assert lines[0].startswith("| case ") and len(lines) == 2 + rows
        assert all("cspa_toy" in line for line in lines[2:])


NAMED = """
.decl edge(from: symbol, to: symbol, weight: number)  .input edge
.decl reached(node: symbol, weight: number)  .output reached
reached(y, w) :- edge("root", y, w).
reached(y, w) :- reached(x, _), edge(x, y, w).
"""
FROM_ROOT = {("root", "a", 1), ("a", "b", 2), ("c", "d", 3)}


def test_copies_of_facts_are_apart_but_for_what_the_program_names_and_the_same_in_files(tmp_path: Path) -> None:
    program = Program.parse({"named.dl": NAMED})
    facts = copied(program, Batch.from_tuples({"edge": sorted(FROM_ROOT)}), 3)
    evaluation = Evaluation.bootstrap(program, facts)
    marks = ("", "~1", "~2")
    rows = evaluation.rows("reached")
    found = set(zip(evaluation.strings(rows[:, 0]), rows[:, 1].tolist(), strict=True))
    assert found == {(f"{x}{m}", w) for x, w in (("a", 1), ("b", 2)) for m in marks}
    files = in_files(program, facts, tmp_path).files
    assert Evaluation.bootstrap(program, read_facts(program, files)).digest() == evaluation.digest()


def test_copies_of_facts_without_symbols_are_told_apart_by_their_numbers() -> None:
    program = Program.parse({"numbers.dl": re.sub("symbol", "number", NAMED).replace('"root"', "0")})
    facts = copied(program, Batch.from_tuples({"edge": [(0, 1, 5), (1, 2, 5), (3, 4, 5)]}), 2)
    found = set(map(tuple, Evaluation.bootstrap(program, facts).rows("reached").tolist()))
    assert len(found) == 4 and {(1, 5), (2, 5)} < found


def outcome(tuples: int, cores: int, seconds: float) -> Outcome:
    return Outcome("", 9, 5, 0, 30 * tuples, tuples, seconds, seconds, worker=10 * tuples // cores)


def points(price: tuple[float, float, float]) -> list[Point]:
    found = []
    for copies, cores in ((1, 1), (4, 1), (16, 1), (1, 2), (4, 2), (16, 2)):
        tuples = copies << 20
        each = price[1] + price[2] * math.log2(copies)
        found.append(
            Point("toy", copies, cores, outcome(tuples, cores, price[0] + each * tuples / cores), 0.001 + 1e-6 * tuples)
        )
    return found


def test_a_model_is_found_again_and_holds_for_the_size_that_it_has_not_seen(capsys: pytest.CaptureFixture[str]) -> None:
    told(points((0.4, 1e-6, 2e-7)), 4)
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert lines[:2] == [
        "toy",
        "0.40 s + tuples of a shard * (1.000 us + 0.200 us * log2(tuples on the machine / 2^20))",
    ]
    seconds = [0.4 + (1e-6 + 4e-7) * (4 << 20) / cores for cores in (1, 2)]
    assert lines[2:4] == [
        f"held back: 4 copies on {cores} cores, {each:.2f} s expected, {each:.2f} s measured, +0%"
        for cores, each in zip((1, 2), seconds, strict=True)
    ]
    shard = 1e9 / 100
    billion = 0.4 + shard * (1e-6 + 2e-7 * math.log2(shard / 2**20))
    assert lines[-1].startswith(f"a billion tuples on 100 executors of one core: {billion:.0f} s, ")
    assert lines[-1].endswith(f" in 5 exchanges, {10 * shard / 2**30:.1f} GiB in the worker of each")


def test_points_are_read_as_they_were_written(tmp_path: Path) -> None:
    found = points((0.4, 1e-6, 2e-7))
    save(tmp_path / "points", found[:2])
    save(tmp_path / "points", found[2:])
    assert load(tmp_path / "points") == found


def test_the_crossing_lies_between_the_sizes_around_it_or_there_is_none() -> None:
    fast = [Point("toy", copies, 2, outcome(1_000_000 * copies, 2, 1.0), copies / 2) for copies in (1, 4)]
    assert crossing_point(2, fast) == (
        "on 2 cores it is as fast as the embedded engine where that takes 1.0 s, 2.0 million tuples"
    )
    slow = [Point("toy", copies, 2, outcome(1_000_000 * copies, 2, 5.0 * copies), 2.0 * copies) for copies in (1, 4)]
    assert crossing_point(2, slow) == "on 2 cores it takes 2.5 times as long as the embedded engine with 4 copies"


def test_a_price_is_never_negative() -> None:
    terms = [(1.0, 10.0, 5.0), (1.0, 40.0, 20.0), (1.0, 10.0, 0.0)]
    assert all(price >= 0 for price in fitted(terms, [1.0, 2.0, 3.0]))
