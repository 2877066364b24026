"""Pathway, an engine of incremental dataflows, on CSPA and CSDA. Started by peers.py.

    python benchmarks/pathway_peer.py PROGRAM FACTS

All facts are one epoch. Its time runs from the start of the dataflow to the last output's end of the epoch; facts are
tables before.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from time import perf_counter
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


PROGRAMS = {"csda": (csda, ("arc", "nullEdge")), "cspa": (cspa, ("assign", "dereference"))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("facts", type=Path)
    options = parser.parse_args()
    if options.program not in PROGRAMS:
        print("failed no version of it for this engine")
        return
    build, names = PROGRAMS[options.program]
    tables = {}
    for name in names:
        rows = np.unique(np.loadtxt(options.facts / f"{name}.facts", dtype=np.int64, ndmin=2), axis=0)
        tables[name] = pw.debug.table_from_pandas(pd.DataFrame(rows, columns=["x", "y"]), id_from=["x", "y"])
    sizes: dict[str, int] = {}
    ends: list[float] = []
    for name, result in build(*(tables[name] for name in names)).items():
        sizes[name] = 0

        def counted(key: Any, row: Any, time: int, is_addition: bool, name: str = name) -> None:
            if is_addition:
                sizes[name] = row["size"]

        size = result.reduce(size=pw.reducers.count())  # a call of Python for every tuple would be timed as well
        pw.io.subscribe(size, on_change=counted, on_time_end=lambda _: ends.append(perf_counter()))
    started = perf_counter()
    pw.run(monitoring_level=pw.MonitoringLevel.NONE)
    sys.stdout.write(f"seconds {max(ends, default=perf_counter()) - started}\n")
    for name, found in sizes.items():
        sys.stdout.write(f"size {name} {found}\n")


if __name__ == "__main__":
    main()
