"""A model of what an evaluation on Spark takes, from measured ones: for each round, tuple and sent byte so much."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sharded import Outcome

_BILLION = 1e9
_EXECUTORS = 100


@dataclass(frozen=True)
class Point:
    """`alone`: seconds of the embedded engine."""

    copies: int
    cores: int
    found: Outcome
    alone: float

    @property
    def terms(self) -> tuple[float, float, float]:
        return float(self.found.rounds), self.found.tuples / self.cores, self.found.sent_bytes / self.cores


def told(name: str, points: Sequence[Point]) -> None:
    """The model of one case: fitted to all but the largest size, held against that, and taken further."""
    largest = max(point.copies for point in points)
    known = [point for point in points if point.copies < largest] or points
    prices = fitted([point.terms for point in known], [point.found.seconds for point in known])
    round_s, tuple_s, byte_s = prices
    print(f"{name}: {round_s * 1e3:.0f} ms a round, {tuple_s * 1e6:.2f} us a tuple, {byte_s * 1e9:.1f} ns a byte sent")
    for point in points:
        if point.copies == largest and len(known) < len(points):
            expected = sum(price * term for price, term in zip(prices, point.terms, strict=True))
            print(
                f"held back: {point.copies} copies on {point.cores} cores, {expected:.2f} s expected, "
                f"{point.found.seconds:.2f} s measured"
            )
    last = max(points, key=lambda point: (point.cores, point.copies))
    cores, found = last.cores, last.found
    # Of what is sent, all but one part of as many as there are shards leaves its shard.
    crossing = (1 - 1 / _EXECUTORS) / (1 - 1 / cores) if cores > 1 else 1.0
    scale = _BILLION / found.tuples
    sent = found.sent_bytes * scale * crossing
    seconds = found.rounds * round_s + (_BILLION * tuple_s + sent * byte_s) / _EXECUTORS
    print(
        f"a billion tuples on {_EXECUTORS} executors: {seconds:.0f} s, {sent / 2**30:.0f} GiB sent, "
        f"{found.worker * cores * scale / _EXECUTORS / 2**30:.1f} GiB in the worker of each"
    )
    print(crossing_point(cores, [point for point in points if point.cores == cores]))


def crossing_point(cores: int, points: Sequence[Point]) -> str:
    """Where the lines cross that the smallest and the largest size are on."""
    first, last = min(points, key=lambda point: point.copies), max(points, key=lambda point: point.copies)
    if last.alone <= first.alone:
        return "no crossing point: one size alone"
    slope = (last.found.seconds - first.found.seconds) / (last.alone - first.alone)
    start = first.found.seconds - slope * first.alone
    if slope < 1:
        return f"crossing on {cores} cores: where the embedded engine takes {max(start, 0) / (1 - slope):.1f} s"
    return (
        f"no crossing on {cores} cores: a second more of the embedded engine is {slope:.1f} s more here, so more than "
        f"{math.floor(slope * cores)} cores are needed"
    )


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
