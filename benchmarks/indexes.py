"""Sorted runs, alone and with bits, beside a hash table as the index of a relation: building, points, rows, appends.

    python benchmarks/indexes.py [--rows 1000000] [--domain 12000] [--repeat 5]

Pairs are drawn with a skewed second column, as points-to sets are. Times are of processor time, best of the repeats,
for a row or a key; ratios are of one run. The hash table finds whole tuples only: it lives here and not in the engine,
because runs serve joins by a prefix as well, and are made in a quarter of the time. Bits are made beside a run.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

import numpy as np

from pliant.engine.backends.embedded.arrangement import Arrangement, Run
from pliant.engine.backends.embedded.keys import Column, Indices, Words, mix, pack, places_of, unpack
from pliant.engine.backends.embedded.pair_bits import PairBits
from pliant.engine.backends.embedded.relation import SETTLED, Relation
from pliant.engine.backends.embedded.search import find, locate

T = TypeVar("T")


class HashIndex:
    """Row numbers by whole tuples, open addressing, filled and searched a column at a time. Four bytes a slot."""

    FULL: Final = 0.5  # entries for each slot

    def __init__(self) -> None:
        self.bits = 10
        self.slots = np.full(1 << self.bits, -1, np.int32)
        self.covered = 0

    def extend(self, columns: Sequence[Column], size: int) -> None:
        """Put in the rows from `covered` to `size`; tuples are distinct."""
        if size > len(self.slots) * self.FULL:
            self.bits = int(size / self.FULL).bit_length()
            self.slots = np.full(1 << self.bits, -1, np.int32)
            self.covered = 0
        rows = np.arange(self.covered, size, dtype=np.int32)
        words = pack([column[self.covered : size] for column in columns], len(rows))
        self.covered = size
        at, step = self._places(words)
        while len(rows):
            free = places_of(self.slots[at] < 0)
            self.slots[at[free]] = rows[free]
            left = places_of(self.slots[at] != rows)
            rows, step = rows[left], step[left]
            at = (at[left] + step) & (len(self.slots) - 1)

    def find(self, columns: Sequence[Column], wanted: Sequence[Column], size: int) -> Column:
        """The row of each tuple, or -1; `columns` are the relation's."""
        at, step = self._places(pack(wanted, size))
        rows = self.slots[at]
        left = places_of((rows >= 0) & _differ(columns, wanted, rows))
        at, step = at[left], step[left]
        while len(left):
            at = (at + step) & (len(self.slots) - 1)
            rows[left] = met = self.slots[at]
            keep = places_of((met >= 0) & _differ(columns, [column[left] for column in wanted], met))
            left, at, step = left[keep], at[keep], step[keep]
        return rows

    def _places(self, words: Words) -> tuple[Indices, Indices]:
        hashes = mix(words)
        first = hashes >> np.uint64(64 - self.bits)
        step = (hashes & np.uint64(len(self.slots) - 1)) | np.uint64(1)  # odd: it leads to every slot
        return first.view(np.int64), step.view(np.int64)


def _differ(
    columns: Sequence[Column], wanted: Sequence[Column], rows: Column
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    other: np.ndarray[tuple[int], np.dtype[np.bool_]] = columns[0][rows] != wanted[0]
    for mine, given in zip(columns[1:], wanted[1:], strict=True):
        other |= mine[rows] != given
    return other


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--domain", type=int, default=12_000)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    random = np.random.default_rng(0)

    def best(work: Callable[[], T]) -> tuple[float, T]:
        seconds, result = float("inf"), None
        for _ in range(options.repeat):
            started = time.process_time()
            result = work()
            seconds = min(seconds, time.process_time() - started)
        assert result is not None
        return seconds, result

    first = random.integers(0, options.domain, options.rows).astype(np.int32)
    second = (random.integers(0, options.domain, options.rows) ** 2 // options.domain).astype(np.int32)
    words = np.unique(pack([first, second], options.rows))
    size = len(words)
    shuffled = unpack(random.permutation(words), 2)
    relation = Relation("pairs", 2, levelled=False)
    relation.append(shuffled, size, 0, 1, SETTLED)
    relation.settle()
    show(f"{size:,} pairs over {options.domain:,} values\n")
    show("| work | keys or rows | sorted runs, ns | bits, ns | hash table, ns | bits / runs | hash / runs |")
    show("|---|---:|---:|---:|---:|---:|---:|")

    def line(work: str, many: int, runs: float, bits: float | None, table: float | None) -> None:
        taken = ["-" if each is None else f"{1e9 * each / many:.0f}" for each in (runs, bits, table)]
        ratios = ["-" if each is None else f"{each / runs:.2f}" for each in (bits, table)]
        show(f"| {' | '.join([work, f'{many:,}', *taken, *ratios])} |")

    def sort() -> Arrangement:
        made = Arrangement((0, 1))
        made.prepare(relation, recent=True)
        return made

    def fill() -> HashIndex:
        made = HashIndex()
        made.extend(relation.columns, size)
        return made

    runs_seconds, arrangement = best(sort)
    table_seconds, table = best(fill)
    runs = arrangement.prepare(relation, recent=True)
    bits_seconds, bits = best(lambda: PairBits(runs[0].keys))
    line("build", size, runs_seconds, bits_seconds, table_seconds)
    with_bits = [Run(runs[0].keys, runs[0].rows, bits=bits)]
    for many in (100, 10_000, size // 4):
        drawn = words[random.integers(0, size, many)]
        drawn += (random.random(many) < 0.5).astype(np.uint64)  # about half of them are not there
        for order, keys in (("at random", drawn), ("in order", np.sort(drawn))):
            wanted = unpack(keys, 2)
            runs_seconds, by_runs = best(lambda keys=keys: locate(runs, keys))  # type: ignore[misc]
            table_seconds, by_table = best(lambda wanted=wanted, many=many: table.find(relation.columns, wanted, many))  # type: ignore[misc]
            bits_seconds, by_bits = best(lambda keys=keys: locate(with_bits, keys))  # type: ignore[misc]
            if not (np.array_equal(by_runs, by_table) and np.array_equal(by_runs, by_bits)):
                sys.exit("the indexes do not agree")
            line(f"points {order}", many, runs_seconds, bits_seconds, table_seconds)
    some = random.integers(0, options.domain, max(options.domain // 10, 1)).astype(np.uint64)
    seconds, hits = best(lambda: find(runs, some, prefix=True, one_column=True))
    line("rows by first column", max(sum(len(each.probes) for each in hits), 1), seconds, None, None)
    steps = 40

    def appends(extend: Callable[[Relation], object]) -> None:
        growing = Relation("pairs", 2, levelled=False)
        for start in range(0, size, size // steps + 1):
            end = min(start + size // steps + 1, size)
            growing.append([column[start:end] for column in shuffled], end - start, 0, 1, SETTLED)
            growing.settle()
            extend(growing)

    def by_sorting() -> bool:
        made = Arrangement((0, 1))
        appends(lambda growing: made.prepare(growing, recent=True))
        return True

    def by_hashing() -> bool:
        made = HashIndex()
        appends(lambda growing: made.extend(growing.columns, growing.size))
        return True

    line(f"{steps} appends", size, best(by_sorting)[0], None, best(by_hashing)[0])
    bytes_of_runs = sum(run.keys.nbytes + run.rows.nbytes for run in runs)
    show(
        f"\nbytes a pair: sorted runs {bytes_of_runs / size:.1f}, bits {bits.nbytes / size:.1f} more, "
        f"hash table {table.slots.nbytes / size:.1f}"
    )


def show(line: str) -> None:
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
