"""CSPA and CSDA on one fact set: Bootstrap, then deletion and re-insertion of a few facts, held to Bootstrap's digest.

    python benchmarks/cspa.py --facts DIR/cspa_psql [--sizes 1,10,100] [--seeds 5] [--strategy update] [--profile]

Prints for each size the median of seconds and instantiations, absolute and as a share of Bootstrap's, from one run.
"""

from __future__ import annotations

import argparse
import gzip
import statistics
import sys
import time
from pathlib import Path

import numpy as np

from pliant.engine import Batch, Difference, Evaluation, Program, profile_text

DECLARE = ".decl {0}(a: number, b: number)  .{1} {0}\n"
CSPA = """
valueFlow(y, x) :- assign(y, x).
valueFlow(x, y) :- assign(x, z), memoryAlias(z, y).
valueFlow(x, y) :- valueFlow(x, z), valueFlow(z, y).
memoryAlias(x, w) :- dereference(y, x), valueAlias(y, z), dereference(z, w).
valueAlias(x, y) :- valueFlow(z, x), valueFlow(z, y).
valueAlias(x, y) :- valueFlow(z, x), memoryAlias(z, w), valueFlow(w, y).
valueFlow(x, x), memoryAlias(x, x) :- assign(x, _).
valueFlow(x, x), memoryAlias(x, x) :- assign(_, x).
"""
CSDA = """
null(x, y) :- nullEdge(x, y).
null(x, y) :- null(x, w), arc(w, y).
"""
PROGRAMS = {
    "cspa": (CSPA, ("assign", "dereference"), ("valueFlow", "memoryAlias", "valueAlias")),
    "csda": (CSDA, ("arc", "nullEdge"), ("null",)),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--facts", type=Path, required=True, help="folder with NAME.facts.gz; its name tells the program"
    )
    parser.add_argument("--sizes", default="1,10,100")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--strategy", default="update", choices=["update", "elastic", "bootstrap"])
    parser.add_argument("--profile", action="store_true", help="what each rule costs in Bootstrap")
    options = parser.parse_args()
    rules, inputs, outputs = PROGRAMS[options.facts.name.split("_")[0]]
    text = "".join(DECLARE.format(name, "input") for name in inputs)
    text += "".join(DECLARE.format(name, "output") for name in outputs)
    program = Program.parse({"program.dl": text + rules})
    facts = {name: read(options.facts / f"{name}.facts.gz") for name in inputs}

    started = time.perf_counter()
    evaluation = Evaluation.bootstrap(program, Batch([], facts))
    seconds = time.perf_counter() - started
    instantiations = sum(report.instantiations for report in evaluation.reports)
    sizes = ", ".join(f"{name} {evaluation.size(name):,}" for name in outputs)
    show(f"{options.facts.name}: {sizes}; bootstrap {seconds:.3f} s, {instantiations:,} instantiations")
    if options.profile:
        show(profile_text(evaluation.profile))
    before = evaluation.digest()
    changing = np.unique(facts[inputs[0]], axis=0)
    for size in map(int, options.sizes.split(",")):
        taken: dict[str, list[tuple[float, int]]] = {"delete": [], "insert": []}
        for seed in range(options.seeds):
            chosen = np.random.default_rng(seed).choice(len(changing), size, replace=False)
            batch = Batch([], {inputs[0]: changing[chosen]})
            for way, times in taken.items():
                started = time.perf_counter()
                difference: Difference = evaluation.update(**{way: batch}, strategy=options.strategy)  # type: ignore[arg-type]
                fired = sum(report.instantiations for report in difference.strata)
                times.append((time.perf_counter() - started, fired))
        for way, times in taken.items():
            middle = statistics.median(each[0] for each in times)
            fired = int(statistics.median(each[1] for each in times))
            show(f"  {way} {size:5}: {middle:.4f} s ({100 * middle / seconds:.2f}%), {fired:,} instantiations "
                 f"({100 * fired / instantiations:.3f}%)")  # fmt: skip
    if evaluation.digest() != before:
        sys.exit("the digest after putting everything back differs")
    show("  everything put back: every tuple, level and count as before")


def read(path: Path) -> np.ndarray:  # type: ignore[type-arg]
    with gzip.open(path) as file:
        return np.loadtxt(file, dtype=np.int64, ndmin=2)


def show(line: str) -> None:
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
