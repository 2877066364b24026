"""What Update costs, in rows that Bootstrap joins: the price of a row that Update joins, and of a run of a plan.

    python benchmarks/prices.py --facts DIR [--sets cspa_psql,cspa_janet,cspa_i3]

Deletes and puts back sets of facts under `update`, and fits joined rows and runs to processor seconds by least squares
of relative errors. `engine/strategies/elastic.py` and RUN_ROWS in `engine/backends/embedded/execute.py` has them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from time import process_time

import numpy as np
from switch import Facts, programs, show

from pliant.engine import Batch, Evaluation, Program

SIZES = (1, 10, 100, 400, 1000)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", type=Path, required=True)
    parser.add_argument("--sets", default="cspa_psql,cspa_janet,cspa_i3")
    options = parser.parse_args()
    costs: list[tuple[int, int, float]] = []
    for name, text, facts, changing in programs(options.facts, options.sets.split(",")):
        if name in options.sets.split(","):
            costs.extend(costs_of(Program.parse({name: text}), facts, changing))
    measured = np.array(costs)
    weights = 1 / measured[:, 2]
    prices, *_ = np.linalg.lstsq(measured[:, :2] * weights[:, None], np.ones(len(measured)), rcond=None)
    off = np.abs(measured[:, :2] @ prices * weights - 1)
    show(f"a joined row {prices[0]:.2f}, a run {prices[1]:,.0f}; median error {100 * np.median(off):.0f}%")


def costs_of(program: Program, facts: Facts, changing: str) -> Iterator[tuple[int, int, float]]:
    """Joined rows, runs and cost of each update."""
    started = process_time()
    evaluation = Evaluation.bootstrap(program, Batch([], facts))
    row_seconds = (process_time() - started) / sum(cost.joined for cost in evaluation.profile)
    for size in SIZES:
        for seed in range(2):
            chosen = np.random.default_rng(seed).choice(len(facts[changing]), size, replace=False)
            batch = Batch([], {changing: facts[changing][chosen]})
            for insert, delete in ((None, batch), (batch, None)):
                started = process_time()
                evaluation.update(insert, delete, "update")
                seconds = process_time() - started
                profile = evaluation.profile
                yield sum(cost.joined for cost in profile), sum(cost.runs for cost in profile), seconds / row_seconds


if __name__ == "__main__":
    main()
