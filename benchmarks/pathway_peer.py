"""Pathway, an engine of incremental dataflows, on CSPA and CSDA. Started by peers.py.

    python benchmarks/pathway_peer.py PROGRAM FACTS [--sizes 1,10,100] [--sets 1]

All facts are the first epoch; each set of facts that is then taken out and put back is an epoch of its own. The time
of an epoch is that between the ends of two epochs, as a subscriber to the outputs' changes sees them.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("PATHWAY_MONITORING_LEVEL", "none")

import numpy as np
import pandas as pd
import pathway as pw

Table = Any


def closure(step: Any, start: dict[str, Table], **facts: Table) -> Any:
    """The least fixpoint of `step`, which derives every relation from all relations and the facts."""

    def once(**tables: Table) -> dict[str, Table]:
        derived = step(**{name: tables[name] for name in (*start, *facts)})
        return {name: distinct(tables[f"{name}_start"], *derived[name]) for name in start}

    begun = {name: pw.iterate_universe(table) for name, table in start.items()}
    return pw.iterate(once, **begun, **{f"{name}_start": table for name, table in start.items()}, **facts)


def distinct(*tables: Table) -> Table:
    whole = tables[0].select(x=tables[0].x, y=tables[0].y)
    for table in tables[1:]:
        whole = pw.Table.concat_reindex(whole, table.select(x=table.x, y=table.y))
    return whole.groupby(whole.x, whole.y).reduce(whole.x, whole.y)


def join(left: Table, left_on: str, right: Table, right_on: str, x: Any, y: Any) -> Table:
    joined = left.join(right, left[left_on] == right[right_on])
    return joined.select(x=x, y=y)


def csda(arc: Table, nullEdge: Table) -> dict[str, Table]:
    def step(null: Table, arc: Table) -> dict[str, list[Table]]:
        return {"null": [join(null, "y", arc, "x", null.x, arc.y)]}

    result = closure(step, {"null": distinct(nullEdge)}, arc=distinct(arc))
    return {"null": result.null}


def cspa(assign: Table, dereference: Table) -> dict[str, Table]:
    ends = distinct(assign.select(x=pw.this.x, y=pw.this.x), assign.select(x=pw.this.y, y=pw.this.y))

    def step(
        valueFlow: Table, memoryAlias: Table, valueAlias: Table, assign: Table, dereference: Table
    ) -> dict[str, list[Table]]:
        composed = join(valueFlow, "y", valueFlow.copy(), "x", pw.left.x, pw.right.y)
        through = join(assign, "y", memoryAlias, "x", assign.x, memoryAlias.y)
        pointed = join(dereference, "x", valueAlias, "x", dereference.y, valueAlias.y)
        aliased = join(pointed, "y", dereference, "x", pointed.x, dereference.y)
        same = join(valueFlow, "x", valueFlow.copy(), "x", pw.left.y, pw.right.y)
        memory = join(valueFlow, "x", memoryAlias, "x", valueFlow.y, memoryAlias.y)
        return {
            "valueFlow": [composed, through],
            "memoryAlias": [aliased],
            "valueAlias": [same, join(memory, "y", valueFlow, "x", memory.x, valueFlow.y)],
        }

    nothing = ends.filter(pw.this.x != pw.this.x)
    start = {"valueFlow": distinct(assign, ends), "memoryAlias": ends, "valueAlias": nothing}
    result = closure(step, start, assign=distinct(assign), dereference=distinct(dereference))
    return {name: getattr(result, name) for name in start}


PROGRAMS = {"csda": (csda, ("arc", "nullEdge"), "arc"), "cspa": (cspa, ("assign", "dereference"), "assign")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("facts", type=Path)
    parser.add_argument("--sizes", default="1,10,100")
    parser.add_argument("--sets", type=int, default=1)
    options = parser.parse_args()
    if options.program not in PROGRAMS:
        print("failed no version of it for this engine")
        return
    build, names, changed = PROGRAMS[options.program]
    epochs: list[tuple[int, str]] = []
    tables = {}
    for name in names:
        rows = np.unique(np.loadtxt(options.facts / f"{name}.facts", dtype=np.int64, ndmin=2), axis=0)
        parts = [(rows, 2, 1)]
        if name == changed:
            for size in map(int, options.sizes.split(",")):
                for seed in range(options.sets):
                    drawn = rows[np.random.default_rng(seed).choice(len(rows), min(size, len(rows)), replace=False)]
                    for way, sign in (("delete", -1), ("insert", 1)):
                        epochs.append((size, way))
                        parts.append((drawn, 2 + 2 * len(epochs), sign))
        frame = pd.DataFrame(np.concatenate([part for part, _, _ in parts]), columns=["x", "y"])
        frame["_time"] = np.concatenate([np.full(len(part), when) for part, when, _ in parts])
        frame["_diff"] = np.concatenate([np.full(len(part), sign) for part, _, sign in parts])
        tables[name] = pw.debug.table_from_pandas(frame, id_from=["x", "y"])
    results = build(*(tables[name] for name in names))
    sizes = dict.fromkeys(results, 0)
    first: dict[str, int] = {}
    ends: dict[int, float] = {}
    for name, table in results.items():

        def counted(key: Any, row: Any, time: int, is_addition: bool, name: str = name) -> None:
            sizes[name] = row["size"] if is_addition else sizes[name]

        def ended(when: int, name: str = name) -> None:
            ends[when] = max(ends.get(when, 0.0), time.perf_counter())
            if when == 2:
                first[name] = sizes[name]

        size = table.reduce(size=pw.reducers.count())  # a call of Python for every tuple would be timed as well
        pw.io.subscribe(size, on_change=counted, on_time_end=ended)
    started = time.perf_counter()
    pw.run(monitoring_level=pw.MonitoringLevel.NONE)
    last = ends.get(2, started)
    sys.stdout.write(f"seconds {last - started}\n")
    for name in results:
        sys.stdout.write(f"size {name} {first.get(name, sizes[name])}\n")
    for index, (changes, way) in enumerate(epochs):
        end = ends.get(4 + 2 * index, last)
        sys.stdout.write(f"update {changes} {way} {max(end - last, 0.0)}\n")
        last = max(last, end)


if __name__ == "__main__":
    main()
