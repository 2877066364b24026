"""The elastic workload: an initial load, then epochs that alternate between few and very many changes.

    python benchmarks/elastic.py --facts DIR [--case cspa_psql] [--strategies elastic,update,bootstrap] [--rounds 1]

Thirteen epochs, the first of them the load: sets of the case's changing facts go and come back, from one fact to most
of them. Each strategy does all of them, and `from scratch` evaluates the facts of every epoch anew. Seconds are CPU
time, the best of --rounds for each epoch.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from cases import Changes, everything, find_cases, load_facts, load_program, prepare
from switch import show

from pliant.engine import Batch, Evaluation, Program, keep_freed_memory
from pliant.engine.strategies.registry import STRATEGIES

Numbers = np.ndarray[Any, Any]

# Which set of facts goes or comes back in each epoch after the load, and what share of all (or how many) it has.
SETS: tuple[int | float, ...] = (1, 0.6, 10, 0.2, 100, 0.4)
EPOCHS = [(way, which) for pair in ((0, 1), (2, 3), (4, 5)) for way in ("delete", "insert") for which in pair]
SCRATCH = "from scratch"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", type=Path, required=True)
    parser.add_argument("--case", default="cspa_psql", help="one whose facts are in a folder of --facts, or galen")
    parser.add_argument("--scale", type=float, default=0.05, help="of galen: 1 is the published size")
    parser.add_argument("--strategies", default=",".join(STRATEGIES))
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    keep_freed_memory()
    (case,) = find_cases(options.facts, [options.case])
    program = load_program(case)
    with tempfile.TemporaryDirectory() as work:
        facts = load_facts(program, prepare(case, options.facts, Path(work), options.scale))
    changes = Changes(case, program, facts, everything(case, facts))
    sets = chosen(changes.total)
    sizes = ["load", *(f"{'-' if way == 'delete' else '+'}{len(sets[which])}" for way, which in EPOCHS)]
    show(f"{case.name}".ljust(14) + "".join(f"{size:>9}" for size in sizes) + "    total")
    digests = set()
    for strategy in (*options.strategies.split(","), SCRATCH):
        found = [run(program, facts, changes, sets, strategy) for _ in range(options.rounds)]
        digests |= {digest for _, digest in found}
        seconds = [min(times) for times in zip(*(times for times, _ in found), strict=True)]
        show(f"{strategy:14}" + "".join(f"{each:9.3f}" for each in seconds) + f"{sum(seconds):9.2f}")
    if len(digests) > 1:
        sys.exit("the strategies end in different states")
    show("every strategy ends in the same tuples, levels and counts")


def chosen(total: int) -> list[Numbers]:
    """The sets, as numbers of facts: parts of all that do not overlap within a pair."""
    found = []
    for small, large in zip(SETS[::2], SETS[1::2], strict=True):
        order = np.random.default_rng(int(small)).permutation(total)
        found += [order[: int(small)], order[int(small) : int(small) + round(large * total)]]
    return found


def run(
    program: Program, facts: Batch, changes: Changes, sets: list[Numbers], strategy: str
) -> tuple[list[float], str]:
    """Seconds of each epoch, and the digest at the end."""
    scratch = strategy == SCRATCH
    started = process_time()
    evaluation = Evaluation.bootstrap(program, facts, "bootstrap" if scratch else strategy)
    seconds = [process_time() - started]
    away: set[int] = set()
    for way, which in EPOCHS:
        away ^= {which}
        if scratch:
            rest = without(facts, changes, np.concatenate([np.zeros(0, np.int64), *(sets[each] for each in away)]))
            started = process_time()
            evaluation = Evaluation.bootstrap(program, rest)
        else:
            batch = changes.of(sets[which])
            started = process_time()
            evaluation.update(**{way: batch}, strategy=strategy)  # type: ignore[arg-type]
        seconds.append(process_time() - started)
    evaluation.count()
    return seconds, evaluation.digest()


def without(facts: Batch, changes: Changes, gone: Numbers) -> Batch:
    """All facts but those of these numbers."""
    stays = np.ones(changes.total, np.bool_)
    stays[gone] = False
    rows, start = dict(facts.rows), 0
    for name, some in changes.facts.items():
        rows[name] = some[stays[start : start + len(some)]]
        start += len(some)
    return Batch(facts.symbols, rows)


if __name__ == "__main__":
    main()
