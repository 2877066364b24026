"""How the work of an update grows: with the tuples it affects in one database, and with the database for one update.

    python benchmarks/scaling.py --facts DIR [--programs cspa_psql,csda_namd] [--copies 1,4,16] [--plot FILE.svg]

The first table draws sets of growing size and groups the updates by the derived tuples they change. The second lays
copies of the same facts beside each other, numbered apart, and takes the same few facts of the first copy out and puts
them back: what they affect stays the same while the database grows. Both hold the state to its digest at the end.
Seconds are processor time.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from cases import Case, Changes, everything, find_cases, load_facts, load_program, prepare
from tables import number, percent, seconds, table

from pliant.engine import Batch, Evaluation, Program

_SIZES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


@dataclass(frozen=True)
class Point:
    """One update. `changed`: derived tuples that came or went."""

    changed: int
    instantiations: int
    seconds: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", type=Path, required=True, metavar="DIR")
    parser.add_argument("--programs", default="cspa_psql,csda_namd")
    parser.add_argument("--copies", default="1,4,16", help="how many times the facts, for the second table")
    parser.add_argument("--size", type=int, default=10, help="facts of the second table's updates")
    parser.add_argument("--sets", type=int, default=5, help="sets of each size")
    parser.add_argument("--plot", type=Path, help="a PNG or SVG file to write")
    parser.add_argument("--work", type=Path, help="keep prepared facts here")
    options = parser.parse_args()
    cases = find_cases(options.facts, options.programs.split(","))
    by_change: dict[str, list[Point]] = {}
    by_size: dict[str, list[tuple[int, int, float, list[Point]]]] = {}
    with tempfile.TemporaryDirectory(prefix="pliant-benchmarks-") as temporary:
        for case in cases:
            program = load_program(case)
            batch = load_facts(program, prepare(case, options.facts, options.work or Path(temporary), 0.05))
            by_change[case.name] = list(affected(case, program, batch, options.sets))
            copies = [int(each) for each in options.copies.split(",")]
            by_size[case.name] = list(growing(case, program, batch, copies, options.size, options.sets))
    show("Time against affected tuples, database fixed\n\n" + affected_table(by_change))
    show(f"\nAn update of {options.size} facts as the database grows: medians\n\n" + growing_table(by_size))
    if options.plot is not None:
        plot(by_change, by_size, options.plot)


def affected(case: Case, program: Program, batch: Batch, sets: int) -> Iterator[Point]:
    evaluation = Evaluation.bootstrap(program, batch)
    changes = Changes(case, program, batch, everything(case, batch))
    before = evaluation.digest()
    for size in _SIZES:
        for seed in range(sets):
            yield from there_and_back(evaluation, changes.draw(size, seed))
    held(evaluation, before)


def growing(
    case: Case, program: Program, batch: Batch, copies: list[int], size: int, sets: int
) -> Iterator[tuple[int, int, float, list[Point]]]:
    """Copies, derived tuples, seconds of Bootstrap, and the updates."""
    if any("symbol" in kinds for kinds in program.inputs.values()):
        return  # only numbers can be numbered apart
    changes = Changes(case, program, batch, everything(case, batch))
    for times in copies:
        facts = apart(batch, times)
        started = time.process_time()
        evaluation = Evaluation.bootstrap(program, facts)
        taken = time.process_time() - started
        before = evaluation.digest()
        list(there_and_back(evaluation, changes.draw(size, sets)))  # indexes are made, as by any first update
        points = [each for seed in range(sets) for each in there_and_back(evaluation, changes.draw(size, seed))]
        held(evaluation, before)
        yield times, sum(evaluation.size(name) for name in program.outputs), taken, points


def apart(batch: Batch, times: int) -> Batch:
    step = 1 + max(int(rows.max()) for rows in batch.rows.values() if rows.size)
    return Batch(
        [], {name: np.concatenate([rows + step * each for each in range(times)]) for name, rows in batch.rows.items()}
    )


def there_and_back(evaluation: Evaluation, drawn: Batch) -> Iterator[Point]:
    for way in ("delete", "insert"):
        started = time.process_time()
        difference = evaluation.update(**{way: drawn}, strategy="update")
        taken = time.process_time() - started
        strata = difference.strata
        yield Point(sum(each.tuples for each in strata), sum(each.instantiations for each in strata), taken)


def held(evaluation: Evaluation, before: str) -> None:
    if evaluation.digest() != before:
        sys.exit("the digest after putting everything back differs")


def affected_table(measured: dict[str, list[Point]]) -> str:
    """Updates by the power of ten of what they change."""
    rows = []
    for case, points in measured.items():
        groups: dict[int, list[Point]] = {}
        for point in points:
            groups.setdefault(len(str(point.changed)), []).append(point)
        for digits, some in sorted(groups.items()):
            changed = statistics.median(each.changed for each in some)
            taken = statistics.median(each.seconds for each in some)
            fired = statistics.median(each.instantiations for each in some)
            rows.append((case, f"{10 ** (digits - 1):,} to {10**digits - 1:,}", number(len(some)), number(changed),
                         number(fired), seconds(taken), f"{1e6 * taken / max(changed, 1):.1f}"))  # fmt: skip
    heads = ("case", "tuples changed", "updates", "median", "instantiations", "seconds", "microseconds/tuple")
    return table(heads, rows)


def growing_table(measured: dict[str, list[tuple[int, int, float, list[Point]]]]) -> str:
    rows = []
    for case, sizes in measured.items():
        for times, derived, bootstrap, points in sizes:
            taken = statistics.median(each.seconds for each in points)
            fired = statistics.median(each.instantiations for each in points)
            first = statistics.median(each.seconds for each in sizes[0][3])
            rows.append((case, f"{times}x", number(derived), seconds(bootstrap), number(fired), seconds(taken),
                         percent(taken / bootstrap), f"{taken / first:.2f}"))  # fmt: skip
    heads = ("case", "facts", "derived", "bootstrap s", "instantiations", "update s", "share", "times the first")
    return table(heads, rows)


def plot(
    by_change: dict[str, list[Point]], by_size: dict[str, list[tuple[int, int, float, list[Point]]]], path: Path
) -> None:
    import matplotlib  # noqa: PLC0415 - only of the benchmarks extra

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "pliant"  # the same measurements are the same file
    from matplotlib import pyplot  # noqa: PLC0415

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(12, 4.5), layout="constrained")
    for case, points in by_change.items():
        left.scatter([max(each.changed, 1) for each in points], [each.seconds for each in points], s=8, label=case)
    named(left, "derived tuples changed", "processor seconds of an update", "one database, updates of 1 to 1,000 facts")
    for case, sizes in by_size.items():
        if not sizes:
            continue
        derived = [each[1] for each in sizes]
        middle = [statistics.median(point.seconds for point in each[3]) for each in sizes]
        (line,) = right.plot(derived, middle, marker="o", label=f"{case}: update")
        right.plot(derived, [each[2] for each in sizes], "--", color=line.get_color(), label=f"{case}: Bootstrap")
    named(right, "derived tuples of the database", "processor seconds", "the same updates as the database grows")
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def named(axes: Any, x: str, y: str, title: str) -> None:
    axes.set(xscale="log", yscale="log", xlabel=x, ylabel=y, title=title)
    axes.grid(visible=True, alpha=0.3)
    axes.legend()


def show(text: str) -> None:
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main()
