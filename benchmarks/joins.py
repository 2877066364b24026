"""Cyclic bodies on skewed random graphs: rows that joins put out, and seconds, for each way of choosing joins.

    python benchmarks/joins.py [--edges 20000] [--seed 1] [--runs 3]

`pairwise` joins whole atoms in an order of fan-outs; `rows` lets each row take its smallest atom; `counted`, the
default, may also extend by one variable where that counts as less; `always` extends wherever it can. The digests of
all ways are compared. Seconds are of the processor, the least of the runs; ratios are to `pairwise`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from pliant.engine import Batch, Evaluation, Program
from pliant.engine.backends.embedded import choice

DECLARE = ".decl {0}({1})  .{2} {0}\n"
BODIES = {
    "triangle": ("abc", "e(a, b), e(b, c), e(c, a)", {"e": 2}),
    "4-cycle": ("abcd", "e(a, b), e(b, c), e(c, d), e(d, a)", {"e": 2}),
    "4-clique": ("abcd", "e(a, b), e(a, c), e(a, d), e(b, c), e(b, d), e(c, d)", {"e": 2}),
    "ternary": ("abcdf", "e(a, b), r(a, c, d), s(b, c, f), t(d, f)", {"e": 2, "r": 3, "s": 3, "t": 2}),
}
WAYS: dict[str, tuple[float, str]] = {  # expected rows past which joins are weighed, extension
    "pairwise": (float("inf"), "never"),
    "rows": (choice.FEW, "never"),
    "counted": (choice.FEW, "counted"),
    "always": (choice.FEW, "always"),
}


@contextmanager
def way(name: str) -> Iterator[None]:
    module: Any = choice
    before = choice.FEW, choice.TRAP, choice.EXTEND
    few, extend = WAYS[name]
    try:
        module.FEW, module.TRAP, module.EXTEND = few, max(few, choice.TRAP), extend
        yield
    finally:
        module.FEW, module.TRAP, module.EXTEND = before


def facts(name: str, edges: int, seed: int) -> dict[str, np.ndarray]:
    """Few nodes have most of the edges, in and out."""
    random = np.random.default_rng(seed)

    def skewed(most: int, size: int) -> np.ndarray:
        return np.floor(most ** random.random(size)).astype(np.int64) - 1  # the logarithm is uniform

    if name != "ternary":
        few = edges // 8 if name == "4-cycle" else edges
        return {"e": np.stack([skewed(few, few), skewed(few, few)], 1)}
    nodes, kinds = edges // 100, edges // 20
    return {
        "e": np.stack([skewed(nodes, edges), skewed(nodes, edges)], 1),
        "r": np.stack([skewed(nodes, edges), random.integers(0, kinds, 1 + nodes)[skewed(nodes, edges)],
                       random.integers(0, edges, edges)], 1),
        "s": np.stack([skewed(nodes, edges), random.integers(0, kinds, 1 + nodes)[skewed(nodes, edges)],
                       random.integers(0, edges, edges)], 1),
        "t": random.integers(0, edges, (edges, 2)),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edges", type=int, default=20_000, help="rows of each relation, an eighth for 4-cycles")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    show("body       way        found      joined rows   seconds   rows to pairwise   seconds to pairwise")
    for name, (head, body, widths) in BODIES.items():
        text = "".join(DECLARE.format(each, columns(width), "input") for each, width in widths.items())
        text += DECLARE.format("q", columns(len(head)), "output") + f"q({', '.join(head)}) :- {body}."
        program, batch = Program.parse({"q.dl": text}), Batch([], facts(name, options.edges, options.seed))
        first: tuple[int, float, str] | None = None
        for each in WAYS:
            joined, seconds, digest, found = run(program, batch, each, options.runs)
            first = first or (joined, seconds, digest)
            if digest != first[2]:
                sys.exit(f"{name}: {each} does not give the state that pairwise gives")
            show(f"{name:10} {each:8} {found:8,} {joined:16,} {seconds:9.3f} {joined / first[0]:18.3f} "
                 f"{seconds / first[1]:21.3f}")  # fmt: skip


def columns(width: int) -> str:
    return ", ".join(f"c{index}: number" for index in range(width))


def run(program: Program, batch: Batch, name: str, runs: int) -> tuple[int, float, str, int]:
    least = float("inf")
    for _ in range(runs):
        with way(name):
            started = time.process_time()
            evaluation = Evaluation.bootstrap(program, batch)
            least = min(least, time.process_time() - started)
    joined = sum(cost.joined for cost in evaluation.profile)
    return joined, least, evaluation.digest(), evaluation.size("q")


def show(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
