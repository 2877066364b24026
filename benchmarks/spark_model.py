"""A model of what an evaluation on Spark takes, from measured ones.

    seconds = start + tuples of a shard * (first + doubling * log2(tuples on the machine / 2^20))

Spark's start and end of a job take the same however large the facts are. A tuple is sorted and searched for, which
takes as many steps as the number of tuples has doublings, each of which misses more of the caches, which the shards of
a machine share. What exchanges take on one machine is too little to be told from that.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from sharded import Outcome
from tables import mebibytes, number, table

_BILLION = 1e9
_EXECUTORS = 100
_MANY = float(1 << 20)


@dataclass(frozen=True)
class Point:
    """A case of so many copies of its facts on so many cores. `alone`: seconds of the embedded engine."""

    case: str
    copies: int
    cores: int
    found: Outcome
    alone: float

    @property
    def shard(self) -> float:
        """Tuples of one."""
        return self.found.tuples / self.cores


def save(path: Path, points: Sequence[Point]) -> None:
    with path.open("a") as file:
        file.writelines(json.dumps(asdict(point)) + "\n" for point in points)


def load(path: Path) -> list[Point]:
    found = [json.loads(line) for line in path.read_text().splitlines()]
    return [Point(**{**each, "found": Outcome(**each["found"])}) for each in found]


def measured(points: Sequence[Point]) -> str:
    head = ["case", "copies", "cores", "tuples", "exchanges", "MiB sent", "MiB worker", "MiB JVM", "seconds",
            "processor", "embedded", "ratio"]  # fmt: skip
    return table(
        head,
        [
            [
                point.case,
                str(point.copies),
                str(point.cores),
                number(point.found.tuples),
                str(point.found.exchanges),
                mebibytes(point.found.sent_bytes),
                mebibytes(point.found.worker),
                mebibytes(point.found.machine),
                f"{point.found.seconds:.2f}",
                f"{point.found.processor:.2f}",
                f"{point.alone:.2f}",
                f"{point.found.seconds / point.alone:.1f}",
            ]
            for point in points
        ],
    )


def told(points: Sequence[Point], held: int) -> None:
    """The model of one case: fitted to all sizes but that of `held` copies, held against that, and taken further."""
    print(points[0].case)
    known = [point for point in points if point.copies != held]
    start, first, doubling = fitted([_terms(point.shard, point.found.tuples) for point in known],
                                    [point.found.seconds for point in known])  # fmt: skip
    print(
        f"  {start:.2f} s + tuples of a shard * ({first * 1e6:.3f} us + "
        f"{doubling * 1e6:.3f} us * log2(tuples on the machine / 2^20))"
    )
    for point in points:
        if point.copies == held:
            terms = _terms(point.shard, point.found.tuples)
            expected = sum(price * term for price, term in zip((start, first, doubling), terms, strict=True))
            off = expected / point.found.seconds - 1
            print(
                f"  held back: {held} copies on {point.cores} cores, {expected:.2f} s expected, "
                f"{point.found.seconds:.2f} s measured, {off:+.0%}"
            )
    for cores in sorted({point.cores for point in points}):
        print("  " + crossing_point(cores, [point for point in points if point.cores == cores]))
    if len({point.cores for point in points}) > 1:
        for copies in sorted({point.copies for point in points}):
            at = {point.cores: point.found.seconds for point in points if point.copies == copies}
            if {1, 2} <= at.keys():
                print(f"  {copies} copies: two cores are {at[1] / at[2]:.2f} times as fast as one")
    largest = max(points, key=lambda point: (point.cores, point.copies))
    shard = _BILLION / _EXECUTORS
    terms = _terms(shard, shard)
    seconds = sum(price * term for price, term in zip((start, first, doubling), terms, strict=True))
    # Of what is sent, all but one part of as many as there are shards leaves its shard.
    crossing = (1 - 1 / _EXECUTORS) / (1 - 1 / largest.cores) if largest.cores > 1 else 1.0
    sent = largest.found.sent_bytes * crossing * _BILLION / largest.found.tuples / _EXECUTORS
    sizes = np.array([[1.0, point.shard] for point in points])
    base, each = np.linalg.lstsq(sizes, np.array([float(point.found.worker) for point in points]), rcond=None)[0]
    print(
        f"  a billion tuples on {_EXECUTORS} executors of one core: {seconds:.0f} s, {sent / 2**20:.0f} MiB sent by "
        f"each in {largest.found.exchanges} exchanges, {(base + each * shard) / 2**30:.1f} GiB in the worker of each"
    )


def _terms(shard: float, machine: float) -> tuple[float, float, float]:
    return 1.0, shard, shard * max(math.log2(machine / _MANY), 0.0)


def crossing_point(cores: int, points: Sequence[Point]) -> str:
    """Between which sizes Spark becomes as fast as the embedded engine, and about where."""
    ordered = sorted(points, key=lambda point: point.copies)
    for less, more in pairwise(ordered):
        before, after = less.found.seconds - less.alone, more.found.seconds - more.alone
        if before > 0 >= after:
            part = before / (before - after)
            alone = less.alone + part * (more.alone - less.alone)
            tuples = less.found.tuples + part * (more.found.tuples - less.found.tuples)
            where = f"{alone:.1f} s, {tuples / 1e6:.1f} million tuples"
            return f"on {cores} cores it is as fast as the embedded engine where that takes {where}"
    last = ordered[-1]
    times = last.found.seconds / last.alone
    return f"on {cores} cores it takes {times:.1f} times as long as the embedded engine with {last.copies} copies"


def fitted(terms: Sequence[tuple[float, float, float]], seconds: Sequence[float]) -> tuple[float, float, float]:
    """Prices that are not negative, by least squares over relative errors: what comes out negative is left out."""
    matrix = np.array(terms) / np.array(seconds)[:, None]
    use = [index for index in range(3) if matrix[:, index].any()]
    while True:
        found = np.zeros(3)
        found[use] = np.linalg.lstsq(matrix[:, use], np.ones(len(seconds)), rcond=None)[0]
        if (found >= 0).all():
            return float(found[0]), float(found[1]), float(found[2])
        use.remove(int(np.argmin(found)))
