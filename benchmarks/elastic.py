"""The elastic workload: an initial load, then epochs that alternate between few and very many changes, over CSPA.

    python benchmarks/elastic.py --facts DIR [--case cspa_psql] [--strategies elastic,update,bootstrap] [--rounds 1]

Thirteen epochs, the first of them the load: sets of `assign` facts go and come back, from one fact to most of them.
Each strategy does all of them, and `from scratch` evaluates the facts of every epoch anew. Seconds are CPU time, the
best of --rounds for each epoch.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from cases import find_cases, load_program
from switch import numbers, show

from pliant.engine import Batch, Evaluation, Program, keep_freed_memory
from pliant.engine.strategies.registry import STRATEGIES

# Which set of facts goes or comes back in each epoch after the load, and what share of all (or how many) it has.
SETS: tuple[int | float, ...] = (1, 0.6, 10, 0.2, 100, 0.4)
EPOCHS = [(way, which) for pair in ((0, 1), (2, 3), (4, 5)) for way in ("delete", "insert") for which in pair]
SCRATCH = "from scratch"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", type=Path, required=True)
    parser.add_argument("--case", default="cspa_psql", help="one whose facts are in a folder of --facts")
    parser.add_argument("--strategies", default=",".join(STRATEGIES))
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    keep_freed_memory()
    (case,) = find_cases(options.facts, [options.case])
    program, facts = load_program(case), numbers(case, options.facts)
    sets = chosen(facts["assign"])
    sizes = ["load", *(f"{'-' if way == 'delete' else '+'}{len(sets[which])}" for way, which in EPOCHS)]
    show(f"{case.name}".ljust(14) + "".join(f"{size:>8}" for size in sizes) + "   total")
    digests = set()
    for strategy in (*options.strategies.split(","), SCRATCH):
        found = [run(program, facts, sets, strategy) for _ in range(options.rounds)]
        digests |= {digest for _, digest in found}
        seconds = [min(times) for times in zip(*(times for times, _ in found), strict=True)]
        show(f"{strategy:14}" + "".join(f"{each:8.3f}" for each in seconds) + f"{sum(seconds):8.2f}")
    if len(digests) > 1:
        sys.exit("the strategies end in different states")
    show("every strategy ends in the same tuples, levels and counts")


def chosen(rows: np.ndarray[Any, Any]) -> list[np.ndarray[Any, Any]]:
    """The sets: parts of the facts that do not overlap within a pair."""
    found = []
    for small, large in zip(SETS[::2], SETS[1::2], strict=True):
        order = np.random.default_rng(int(small)).permutation(len(rows))
        found += [rows[order[: int(small)]], rows[order[int(small) : int(small) + round(large * len(rows))]]]
    return found


def run(
    program: Program, facts: dict[str, np.ndarray[Any, Any]], sets: list[np.ndarray[Any, Any]], strategy: str
) -> tuple[list[float], str]:
    """Seconds of each epoch, and the digest at the end."""
    scratch = strategy == SCRATCH
    started = process_time()
    evaluation = Evaluation.bootstrap(program, Batch([], facts), "bootstrap" if scratch else strategy)
    seconds = [process_time() - started]
    away: set[int] = set()
    for way, which in EPOCHS:
        away ^= {which}
        gone = np.concatenate([facts["assign"][:0], *(sets[each] for each in away)])
        started = process_time()
        if scratch:
            rest = without(facts["assign"], gone)
            started = process_time()
            evaluation = Evaluation.bootstrap(program, Batch([], {**facts, "assign": rest}))
        else:
            evaluation.update(**{way: Batch([], {"assign": sets[which]})}, strategy=strategy)  # type: ignore[arg-type]
        seconds.append(process_time() - started)
    evaluation.count()
    return seconds, evaluation.digest()


def without(rows: np.ndarray[Any, Any], gone: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The rows that are not among `gone`."""
    words, barred = (each[:, 0] << 32 | each[:, 1] for each in (rows, gone))
    return rows[~np.isin(words, barred)]


if __name__ == "__main__":
    main()
