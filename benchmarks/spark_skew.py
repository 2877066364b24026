"""What it is worth to split heavy values: a join, and a closure that is joined with itself, on keys of which a part
have one value.

    python benchmarks/spark_skew.py [--shards 2,4,8,16] [--heavy 0,0.25,0.5] [--spark]

Each is evaluated in shards of this process, once as the engine does and once with no value being heavy: the processor
seconds of the shard that worked longest in each round, summed, which is what the others wait for; the work of that
shard by the mean; and rows that were sent. `--spark` does so on Spark, in two shards on two cores, and tells seconds.
Digests are compared with those of the embedded engine.
"""

from __future__ import annotations

import argparse
import os

import numpy as np
from sharded import Outcome, embedded, inline, on_spark
from spark import session
from tables import number, ratio, table

from pliant.engine import Batch, Program
from pliant.engine.strategies.pipelined.conductor import MANY_LEVELS
from pliant.engine.strategies.pipelined.skew import Limits

NEVER = Limits(least=1 << 62)
PROGRAMS = {
    # Both sides are derived, so neither is small enough to be in every shard.
    "join": """
.decl likes(x: number, k: number)  .input likes
.decl sells(y: number, k: number)  .input sells
.decl wants(x: number, k: number)
.decl has(y: number, k: number)
.decl shop(x: number, y: number)  .output shop
wants(x, k) :- likes(x, k), x >= 0.
has(y, k) :- sells(y, k), y >= 0.
shop(x, y) :- wants(x, k), has(y, k), x != y.
""",
    "alias": """
.decl assign(x: number, y: number)  .input assign
.decl flow(x: number, y: number)
.decl alias(x: number, y: number)  .output alias
flow(x, y) :- assign(x, y).
flow(x, z) :- flow(x, y), assign(y, z).
alias(x, y) :- flow(z, x), flow(z, y).
""",
}


def facts(name: str, heavy: float) -> Batch:
    """`heavy`: the part of the rows that have one value."""
    random = np.random.default_rng(1)

    def pairs(rows: int, keys: int, at: int) -> np.ndarray:
        found = np.stack([np.arange(rows), random.integers(1, keys, rows)], axis=1)
        found[random.random(rows) < heavy, 1] = 0
        return found if at else found[:, ::-1].copy()

    if name == "join":
        return Batch([], {"likes": pairs(6_000, 3_000, 1), "sells": pairs(6_000, 3_000, 1)})
    near = pairs(5_000, 2_500, 0)
    return Batch([], {"assign": near + np.array([0, 2_500])})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shards", default="2,4,8,16")
    parser.add_argument("--heavy", default="0,0.25,0.5", help="parts of the rows that have one key")
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument("--spark", action="store_true", help="on two cores")
    options = parser.parse_args()
    os.environ["PLIANT_THREADS"] = "1"
    rows = []

    def add(spark: object, shards: int) -> None:
        for name, text in PROGRAMS.items():
            program = Program.parse({f"{name}.dl": text})
            for heavy in map(float, options.heavy.split(",")):
                batch = facts(name, heavy)
                digest, _, _ = embedded(program, batch, 1)
                split, whole = (
                    best(spark, program, batch, shards, limits, digest, options.repeat) for limits in (None, NEVER)
                )
                rows.append(
                    [
                        name,
                        f"{heavy:.0%}",
                        str(shards),
                        number(split.tuples),
                        *(f"{each.skew:.2f}" for each in (whole, split)),
                        *(number(each.rows) for each in (whole, split)),
                        *(f"{each.busiest:.2f}" for each in (whole, split)),
                        ratio(whole.busiest, split.busiest),
                    ]
                )

    if options.spark:
        with session(2) as spark:
            add(spark, 2)
    else:
        for shards in map(int, options.shards.split(",")):
            add(None, shards)
    print(table(["case", "heavy", "shards", "tuples", "skew", "skew, split", "rows sent", "rows sent, split", "seconds",
                 "seconds, split", "ratio"], rows))  # fmt: skip


def best(
    spark: object, program: Program, batch: Batch, shards: int, limits: Limits | None, digest: str, repeat: int
) -> Outcome:
    found = []
    for _ in range(repeat + (spark is not None)):
        if spark is None:
            found.append(inline(program, batch, shards, True, MANY_LEVELS, limits))
        else:
            found.append(on_spark(spark, program, batch, shards, True, MANY_LEVELS, limits))
        if found[-1].digest != digest:
            raise SystemExit("the digests of the two engines differ")
    return min(found, key=lambda each: each.busiest)


if __name__ == "__main__":
    main()
