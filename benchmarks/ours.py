"""Pliant's own measurements of one case, in a process of its own; started by run.py, prints JSON.

    python benchmarks/ours.py CASE FACTS [--runs 3] [--strategies update,elastic --sizes 1,10 --sets 5] [--cold]
        [--verify] [--output DIR]

FACTS holds `RELATION.facts`, as cases.prepare writes them. Reading files is not timed.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from cases import Case, Changes, everything, find_cases, load_facts, load_program, only_reached

from pliant.engine import Batch, EngineError, Evaluation, Program, keep_freed_memory, peak_memory, profile_text
from pliant.engine.backends.embedded.relation import NEW

WAYS = ("delete", "insert")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("case")
    parser.add_argument("facts", type=Path, help="the prepared facts")
    parser.add_argument("--all-facts", type=Path, required=True, help="the folder of all fact sets")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--strategies", default="")
    parser.add_argument("--sizes", default="1,10,100,400,700,1000")
    parser.add_argument("--sets", type=int, default=5)
    parser.add_argument("--switch", type=float)
    parser.add_argument("--cold", action="store_true", help="read the whole state before each update")
    parser.add_argument("--profile", action="store_true", help="tell what each rule costs in Bootstrap")
    parser.add_argument("--verify", action="store_true", help="hold states between deletion and insertion to Bootstrap")
    parser.add_argument("--output", type=Path, help="write the output relations here, as Soufflé does")
    options = parser.parse_args()
    keep_freed_memory()
    (case,) = find_cases(options.all_facts, [options.case])
    program = load_program(case)
    batch = load_facts(program, options.facts)
    evaluation, told = measure_bootstrap(program, batch, options.runs)
    if options.output is not None:
        write_outputs(evaluation, options.output)
    told["updates"] = []
    told["profile"] = profile_text(evaluation.profile) if options.profile else ""
    if options.strategies:
        changes = Changes(case, program, batch, drawn_from(case, batch, evaluation))
        sizes = [int(size) for size in options.sizes.split(",")]
        for strategy in options.strategies.split(","):
            for size in sizes:
                told["updates"].extend(measure_updates(evaluation, changes, strategy, size, options, program, batch))
    json.dump(told, sys.stdout)


def measure_bootstrap(program: Program, batch: Batch, runs: int) -> tuple[Evaluation, dict[str, Any]]:
    """The last of `runs` evaluations, and what they took. `seconds`: of the whole call. `evaluation`: without giving
    ids to strings and finding duplicate facts, which other engines do while they read."""
    taken = []
    for run in range(max(runs, 1)):
        evaluation = None
        started, processor = time.perf_counter(), time.process_time()
        evaluation = Evaluation.bootstrap(program, batch)
        seconds, processor = time.perf_counter() - started, time.process_time() - processor
        taken.append((seconds, sum(report.seconds for report in evaluation.reports), processor))
        if run == 0:
            peak = peak_memory()
    derived = sum(evaluation.size(name) for name in program.stored if name not in program.input_storage.values())
    memory = array_bytes(evaluation)
    return evaluation, {
        "seconds": statistics.median(each[0] for each in taken),
        "evaluation": statistics.median(each[1] for each in taken),
        "processor": statistics.median(each[2] for each in taken),
        "instantiations": sum(report.instantiations for report in evaluation.reports),
        "levels": sum(report.levels for report in evaluation.reports),
        "facts": sum(evaluation.size(name) for name in program.input_storage.values()),
        "derived": derived,
        "outputs": {name: evaluation.size(name) for name in program.outputs},
        "peak_rss_bytes": peak,
        "state_bytes": memory,
        "bytes_per_tuple": memory / max(derived, 1),
    }


def array_bytes(evaluation: Evaluation) -> int:
    """Bytes of all numpy arrays that the evaluation's relations hold: tuples, levels, counts and indexes; facts
    included, strings not."""
    owners: dict[int, int] = {}
    seen: set[int] = set()
    waiting: list[Any] = [evaluation._relations]
    while waiting:
        item = waiting.pop()
        if id(item) in seen or item is None or isinstance(item, str | int | float | bytes | type):
            continue
        seen.add(id(item))
        if isinstance(item, np.ndarray):
            while isinstance(item.base, np.ndarray):
                item = item.base
            owners[id(item)] = item.nbytes
        elif isinstance(item, dict):
            waiting.extend(item.values())
        elif isinstance(item, list | tuple):
            waiting.extend(item)
        elif type(item).__module__.startswith("pliant."):
            waiting.extend(vars(item).values() if hasattr(item, "__dict__") else ())
            for kind in type(item).__mro__:
                waiting.extend(getattr(item, name, None) for name in getattr(kind, "__slots__", ()))
    return sum(owners.values())


def drawn_from(case: Case, batch: Batch, evaluation: Evaluation) -> dict[str, np.ndarray[Any, Any]]:
    if not case.reached:
        return everything(case, batch)
    reached = evaluation.strings(evaluation.rows("Reachable")[:, 0])
    return only_reached(evaluation.program, case, batch, reached)


def measure_updates(
    evaluation: Evaluation,
    changes: Changes,
    strategy: str,
    size: int,
    options: argparse.Namespace,
    program: Program,
    batch: Batch,
) -> list[dict[str, Any]]:
    """Take sets out and put them back, each before the next. They are checked when all have been timed, since that
    reads the whole state and so takes it out of the caches of the processor; `cold` asks for that before each."""
    before = digest(evaluation)
    extra = {} if options.switch is None else {"switch": options.switch}
    sets = [changes.draw(size, seed) for seed in range(options.sets)]
    told = []
    for seed, drawn in enumerate(sets):
        for way in WAYS:
            if options.cold:
                digest(evaluation)
            started, processor = time.perf_counter(), time.process_time()
            difference = evaluation.update(**{way: drawn}, strategy=strategy, **extra)
            seconds, processor = time.perf_counter() - started, time.process_time() - processor
            told.append({
                "strategy": strategy, "size": size, "seed": seed, "way": way,
                "seconds": seconds, "processor": processor,
                "instantiations": sum(report.instantiations for report in difference.strata),
                "input_changes": difference.input_changes,
                "changed": sum(report.tuples for report in difference.strata),
                "used": sorted({report.strategy for report in difference.strata} - {"none"}),
            })  # fmt: skip
    if digest(evaluation) != before:
        sys.exit(f"{strategy}, {size} facts: the digest after putting them back differs")
    had = derivations(evaluation)
    for each in told:
        drawn = sets[each["seed"]]
        evaluation.update(**{each["way"]: drawn}, strategy=strategy, **extra)
        had, has = derivations(evaluation), had
        each["least"] = abs(had - has)
        if each["way"] == "insert" and digest(evaluation) != before:
            sys.exit(f"{strategy}, {size} facts, seed {each['seed']}: the digest after putting them back differs")
        if options.verify and each["way"] == "delete" and each["seed"] == 0:
            scratch = Evaluation.bootstrap(program, without(program, batch, drawn))
            if digest(evaluation) != digest(scratch):
                sys.exit(f"after {strategy} deleted {size} facts the state differs from Bootstrap's")
    return told


def derivations(evaluation: Evaluation) -> int:
    """How many instantiations derive the tuples that there are: an update that keeps exact counts meets at least the
    difference."""
    found = 0
    for relation in evaluation._relations.values():
        if relation.total is not None:
            found += int(relation.total[relation.rows_in(NEW)].sum(dtype=np.int64))
    return found


def digest(evaluation: Evaluation) -> str:
    try:
        return evaluation.digest()
    except EngineError:  # the strategy keeps no counts
        return str({name: evaluation.size(name) for name in evaluation.program.stored})


def without(program: Program, batch: Batch, drawn: Batch) -> Batch:
    """The batch's facts but for those that were drawn."""
    ids = pc.index_in(pa.array(drawn.symbols, pa.string()), batch.symbols).to_numpy() if len(drawn.symbols) else []
    rows = dict(batch.rows)
    for name, some in drawn.rows.items():
        gone = some.copy()
        for column, kind in enumerate(program.inputs[name]):
            if kind == "symbol":
                gone[:, column] = np.asarray(ids)[some[:, column]]
        both = np.concatenate([gone, batch.rows[name]])
        _, inverse = np.unique(both, axis=0, return_inverse=True)
        inverse = inverse.ravel()
        rows[name] = batch.rows[name][~np.isin(inverse[len(gone) :], inverse[: len(gone)])]
    return Batch(batch.symbols, rows)


def write_outputs(evaluation: Evaluation, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in evaluation.program.outputs:
        rows = evaluation.rows(name)
        kinds = evaluation.program.schemas[name].kinds
        columns = [
            evaluation.arrow_strings(rows[:, index]) if kind == "symbol" else pa.array(rows[:, index])
            for index, kind in enumerate(kinds)
        ]
        lines = pc.binary_join_element_wise(
            *(column.cast(pa.large_string()) for column in columns), pa.scalar("\t", pa.large_string())
        )
        with (folder / f"{name}.csv").open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines.to_pylist())


if __name__ == "__main__":
    main()
