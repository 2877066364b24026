"""What evaluation costs: of a row that is joined, of a key that is looked up, and of a run of a plan.

    python benchmarks/prices.py --facts DIR [--sets cspa_psql,cspa_janet,cspa_i3,csda_namd]

Fits rows, keys and runs to processor seconds, by least squares of relative errors and no price below 0: those of
Bootstrap, and those of updates that delete sets of facts and put them back. `engine/backends/embedded/prices.py` has
the prices, in rows that Bootstrap joins.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from time import process_time

import numpy as np
from switch import Facts, programs, show

from pliant.engine import Batch, Evaluation, Program

SIZES = (10, 100, 400, 1000)
Sample = tuple[int, int, int, float]  # rows, keys, runs, seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", type=Path, required=True)
    parser.add_argument("--sets", default="cspa_psql,cspa_janet,cspa_i3,csda_namd")
    options = parser.parse_args()
    whole: list[Sample] = []
    updates: list[Sample] = []
    for name, text, facts, changing in programs(options.facts, options.sets.split(",")):
        program = Program.parse({name: text})
        if name in options.sets.split(","):
            whole.append(min((bootstrap(program, facts) for _ in range(3)), key=lambda sample: sample[3]))
            updates.extend(update(program, facts, changing))
    for strategy, samples in (("Bootstrap", whole), ("Update", updates)):
        prices, errors = fitted(samples)
        show(
            f"{strategy}: a row {prices[0]:.0f} ns, a key {prices[1]:.0f} ns, a run {prices[2] / 1000:.0f} us; "
            f"median error {100 * np.median(errors):.0f}%, largest {100 * errors.max():.0f}%"
        )


def fitted(samples: list[Sample]) -> tuple[np.ndarray, np.ndarray]:
    """Nanoseconds of each, and relative errors. A price that comes out below 0 is 0; the others are fitted again."""
    measured = np.array(samples)
    shares = measured[:, :3] / measured[:, 3:] / 1e9
    prices, kept = np.zeros(3), [0, 1, 2]
    while kept:
        found, *_ = np.linalg.lstsq(shares[:, kept], np.ones(len(shares)), rcond=None)
        if found.min() >= 0:
            prices[kept] = found
            break
        kept.remove(kept[int(found.argmin())])
    return prices, np.abs(shares @ prices - 1)


def bootstrap(program: Program, facts: Facts) -> Sample:
    started = process_time()
    evaluation = Evaluation.bootstrap(program, Batch([], facts))
    seconds = process_time() - started
    return evaluation.work.rows, evaluation.work.keys, evaluation.work.runs, seconds


def update(program: Program, facts: Facts, changing: str) -> Iterator[Sample]:
    evaluation = Evaluation.bootstrap(program, Batch([], facts))
    for size in SIZES:
        for seed in range(2):
            chosen = np.random.default_rng(seed).choice(len(facts[changing]), size, replace=False)
            batch = Batch([], {changing: facts[changing][chosen]})
            for insert, delete in ((None, batch), (batch, None)):
                started = process_time()
                evaluation.update(insert, delete, "update")
                seconds = process_time() - started
                yield evaluation.work.rows, evaluation.work.keys, evaluation.work.runs, seconds


if __name__ == "__main__":
    main()
