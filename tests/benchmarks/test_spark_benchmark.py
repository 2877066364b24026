"""The benchmarks of the distributed engine: kernels in one process, and the model that seconds are fitted to."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from benchmark_command import BENCHMARKS, run, write

sys.path.append(str(BENCHMARKS))

from sharded import Outcome
from spark_model import Point, crossing_point, fitted, told


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


def outcome(rounds: int, tuples: int, sent: int, seconds: float) -> Outcome:
    return Outcome("", rounds, rounds, 0, sent, tuples, seconds, seconds, 10 * tuples, 0)


def points(price: tuple[float, float, float]) -> list[Point]:
    found = []
    for copies, cores in ((1, 1), (4, 1), (1, 2), (4, 2), (16, 2)):
        tuples, sent = 1_000_000 * copies, 30_000_000 * copies * (cores - 1)
        seconds = price[0] * 9 + price[1] * tuples / cores + price[2] * sent / cores
        found.append(Point(copies, cores, outcome(9, tuples, sent, seconds), 1.5 * copies))
    return found


def test_a_model_is_found_again_and_holds_for_the_size_that_it_has_not_seen(capsys: pytest.CaptureFixture[str]) -> None:
    price = (0.25, 2e-6, 4e-9)
    measured = points(price)
    assert fitted([point.terms for point in measured], [point.found.seconds for point in measured]) == pytest.approx(
        price
    )
    told("toy", measured)
    first, held, billion, crossing = capsys.readouterr().out.splitlines()
    assert first == "toy: 250 ms a round, 2.00 us a tuple, 4.0 ns a byte sent"
    seconds = measured[-1].found.seconds
    assert held == f"held back: 16 copies on 2 cores, {seconds:.2f} s expected, {seconds:.2f} s measured"
    sent = 30 * 1e9 * 0.99 / 0.5
    assert billion.startswith(f"a billion tuples on 100 executors: {0.25 * 9 + (2000 + 4e-9 * sent) / 100:.0f} s, ")
    slope = (2e-6 / 2 + 4e-9 * 15) * 1e6 / 1.5
    assert crossing == f"crossing on 2 cores: where the embedded engine takes {2.25 / (1 - slope):.1f} s"


def test_where_a_node_is_too_slow_there_is_no_crossing_and_a_price_is_never_negative() -> None:
    slow = [Point(copies, 2, outcome(3, copies, 0, 1.0 + 5 * copies), 2.0 * copies) for copies in (1, 4)]
    assert "more than 5 cores are needed" in crossing_point(2, slow)
    terms = [(1.0, 10.0, 5.0), (1.0, 40.0, 20.0), (1.0, 10.0, 0.0)]
    assert all(price >= 0 for price in fitted(terms, [1.0, 2.0, 3.0]))
