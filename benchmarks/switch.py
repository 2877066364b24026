"""The switching parameter of elastic: update sets of many sizes over several programs, under a range of parameters.

    python benchmarks/switch.py --facts DIR [--sets cspa_psql,csda_gzip] [--switches 0.1,0.2] [--rounds 2]

DIR has the folders that --sets names; programs over generated facts are always measured. Each update deletes facts, or
puts the same facts back, and starts from an evaluation without a history, so that nothing was learned yet. Seconds are
CPU time, the best of --rounds; a ratio is to the Bootstrap of all facts, measured beside it.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from cases import Case, find_cases, load_program

from pliant.engine import Batch, Evaluation, Program, keep_freed_memory

Facts = Mapping[str, np.ndarray[Any, Any]]

POINTS_TO = """
.decl alloc(v: number, o: number)  .input alloc
.decl assign(v: number, w: number)  .input assign
.decl load(v: number, b: number, f: number)  .input load
.decl store(b: number, f: number, v: number)  .input store
.decl points_to(v: number, o: number)  .output points_to
.decl heap(o: number, f: number, p: number)  .output heap
.decl unread(o: number, f: number)  .output unread
points_to(v, o) :- alloc(v, o).
points_to(v, o) :- assign(v, w), points_to(w, o).
heap(o, f, p) :- store(b, f, v), points_to(b, o), points_to(v, p).
points_to(v, p) :- load(v, b, f), points_to(b, o), heap(o, f, p).
unread(o, f) :- heap(o, f, _), !load(_, _, f).
"""
TRIANGLES = """
.decl edge(a: number, b: number)  .input edge
.decl triangle(a: number, b: number, c: number)  .output triangle
.decl far(a: number, b: number)  .output far
triangle(x, y, z) :- edge(x, y), edge(y, z), edge(z, x).
far(x, z) :- edge(x, y), edge(y, z), !edge(x, z), x != z.
"""
CHAIN = """
.decl edge(a: number, b: number)  .input edge
.decl root(a: number)  .input root
.decl reached(a: number)  .output reached
reached(x) :- root(x).
reached(y) :- reached(x), edge(x, y).
"""
SIZES = (1, 10, 100, 0.01, 0.05, 0.2, 1.0)  # changed facts: a number, or a share of the relation


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", type=Path, required=True)
    parser.add_argument("--sets", default="cspa_psql,csda_gzip")
    parser.add_argument("--switches", default="0.05,0.1,0.2,0.4")
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    keep_freed_memory()
    switches = [float(each) for each in options.switches.split(",")]
    totals = dict.fromkeys(switches, 0.0)
    worst = dict.fromkeys(switches, 0.0)
    fresh_total = 0.0
    show("switch:".ljust(44) + "".join(f"{switch:14}" for switch in switches))
    for name, text, facts, changing in programs(options.facts, [name for name in options.sets.split(",") if name]):
        program = Program.parse({"program.dl": text})
        whole = Evaluation.bootstrap(program, Batch([], facts))
        scratch = best(
            options.rounds, lambda program=program, facts=facts: Evaluation.bootstrap(program, Batch([], facts))
        )
        for size, chosen in chosen_facts(facts[changing]):
            batch = Batch([], {changing: facts[changing][chosen]})
            rest = {**facts, changing: np.delete(facts[changing], chosen, 0)}
            without = Evaluation.bootstrap(program, Batch([], rest))
            for way, start in (("delete", whole), ("insert", without)):
                cells = []
                fresh_total += scratch
                for switch in switches:
                    seconds, chosen_by = elastic(start, way, batch, switch, options.rounds)
                    totals[switch] += seconds
                    worst[switch] = max(worst[switch], seconds / scratch)
                    cells.append(f"{seconds / scratch:9.2f} {chosen_by:>4}")
                show(f"{name:12} {way} {size:8,} {scratch:12.4f} s " + "".join(cells))
    show("\nswitch    seconds   worst ratio to bootstrap")
    for switch in switches:
        show(f"{switch:6}  {totals[switch]:9.2f}   {worst[switch]:.2f}")
    show(f"bootstrap {fresh_total:7.2f}")


def best(rounds: int, run: Callable[[], object]) -> float:
    found = float("inf")
    for _ in range(rounds):
        started = process_time()
        run()
        found = min(found, process_time() - started)
    return found


def elastic(start: Evaluation, way: str, batch: Batch, switch: float, rounds: int) -> tuple[float, str]:
    """Best seconds, and what was done: `u` for each stratum that was updated, `b` for each that was bootstrapped, `B`
    if that was after an update that spent its budget."""
    found, done = float("inf"), ""
    for _ in range(rounds):
        evaluation = start.copy()
        started = process_time()
        difference = evaluation.update(**{way: batch}, strategy="elastic", switch=switch)  # type: ignore[arg-type]
        found = min(found, process_time() - started)
        marks = {"update": "u", "bootstrap": "b"}
        done = "".join(
            "B" if "the update spent" in report.reason else marks.get(report.strategy, "")
            for report in difference.strata
        )
    return found, done


def chosen_facts(rows: np.ndarray[Any, Any]) -> Iterator[tuple[int, np.ndarray[Any, Any]]]:
    sizes = {min(len(rows), round(size * len(rows)) if isinstance(size, float) else size) for size in SIZES}
    for size in sorted(sizes - {0}):
        yield size, np.random.default_rng(size).choice(len(rows), size, replace=False)


def programs(folder: Path, sets: list[str]) -> Iterator[tuple[str, str, Facts, str]]:
    """Name, text, facts and the relation that changes."""
    random = np.random.default_rng(7)

    def some(rows: int, *most: int) -> np.ndarray[Any, Any]:
        return np.unique(np.stack([random.integers(0, limit, rows) for limit in most], 1), axis=0)

    points_to = {
        "alloc": some(2000, 6000, 1500), "assign": some(5600, 6000, 6000),
        "load": some(1500, 6000, 6000, 300), "store": some(1500, 6000, 300, 6000),
    }  # fmt: skip
    yield "points_to", POINTS_TO, points_to, "assign"
    yield "triangles", TRIANGLES, {"edge": some(40_000, 6000, 6000)}, "edge"
    steps = np.arange(2000)
    yield "chain", CHAIN, {"edge": np.stack([steps, steps + 1], 1), "root": np.array([[0]])}, "edge"
    for case in find_cases(folder, sets) if sets else []:
        yield case.name, case.text(), numbers(case, folder), case.changed[0]


def numbers(case: Case, folder: Path) -> Facts:
    """The facts of a case whose columns are all numbers."""
    found = {}
    for name in load_program(case).inputs:
        with gzip.open(folder / case.folder / f"{name}.facts.gz") as file:
            found[name] = np.unique(np.loadtxt(file, dtype=np.int64, ndmin=2), axis=0)
    return found


def show(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
