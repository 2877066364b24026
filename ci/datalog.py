"""`pliant datalog`: programs over files of facts, as Soufflé's command line runs them, and epochs of changes."""

from __future__ import annotations

import difflib
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from pliant.ci.errors import UserError, read_bounded, reason, visible
from pliant.engine import Batch, Difference, Evaluation, Program, peak_memory
from pliant.engine.datalog.io import FactFile
from pliant.engine.fact_files import read_facts, write_rows
from pliant.engine.facts import Rows
from pliant.engine.strategies.elastic import DEFAULT_SWITCH

STDOUT: Final = Path("-")
_MOST_BYTES: Final = 1 << 26  # of a program
_CHANGES: Final = ("insert", "delete")


@dataclass(slots=True)
class Epoch:
    """What one epoch did; epoch 0 is the first evaluation. `seconds` leave out reading and writing files."""

    epoch: int
    seconds: float
    input_changes: int
    output_changes: int
    strata: list[dict[str, object]]


@dataclass(slots=True)
class Run:
    """A program over a folder of facts, then over folders of changes, one epoch each."""

    program: Program
    evaluation: Evaluation
    epochs: list[Epoch] = field(default_factory=list)


def load(path: Path, outputs: Sequence[str] | None = None) -> Program:
    """The program of a file."""
    try:
        text = read_bounded(path, _MOST_BYTES).decode("utf-8")
    except UnicodeDecodeError as error:
        raise UserError(f"{visible(str(path))} is not UTF-8 at byte {error.start}") from None
    except OSError as error:
        raise UserError(f"the program {visible(str(path))} cannot be read: {error.strerror}") from None
    return Program.parse({str(path): text}, outputs)


def start(program: Program, facts: Path, strategy: str) -> Run:
    """Read the facts and evaluate."""
    files = [(name, facts / each.filename, each.delimiter) for name, some in program.io.inputs.items() for each in some]
    batch = read_facts(program, files)
    started = perf_counter()
    evaluation = Evaluation.bootstrap(program, batch, strategy)
    seconds = perf_counter() - started
    inputs = sum(evaluation.size(storage) for storage in program.input_storage.values())
    outputs = sum(evaluation.size(name) for name in program.outputs)
    return Run(program, evaluation, [Epoch(0, seconds, inputs, outputs, [each.told() for each in evaluation.reports])])


def step(run: Run, folder: Path, strategy: str, switch: float = DEFAULT_SWITCH) -> Difference:
    """Apply `REL.insert.facts` and `REL.delete.facts` of a folder as one epoch."""
    batches = _changes(run.program, folder)
    started = perf_counter()
    difference = run.evaluation.update(batches["insert"], batches["delete"], strategy, switch)
    counts = difference.input_changes, difference.output_changes  # an epoch's work is done when its changes are known
    seconds = perf_counter() - started
    run.epochs.append(Epoch(len(run.epochs), seconds, *counts, [each.told() for each in difference.strata]))
    return difference


def _changes(program: Program, folder: Path) -> dict[str, Batch]:
    return {way: read_facts(program, of_way) for way, of_way in changes_of(program, folder).items()}


def changes_of(program: Program, folder: Path) -> dict[str, list[tuple[str, Path, str]]]:
    """The files of an epoch's changes: `insert` and `delete` -> (relation, file, delimiter)."""
    files: dict[str, list[tuple[str, Path, str]]] = {way: [] for way in _CHANGES}
    try:
        names = sorted(path.name for path in folder.iterdir() if path.name.endswith(".facts"))
    except OSError as error:
        raise UserError(f"the changes in {visible(str(folder))} cannot be read: {error.strerror}") from None
    for name in names:
        relation, _, way = name.removesuffix(".facts").rpartition(".")
        if way not in files or relation not in program.inputs:
            likely = difflib.get_close_matches(name, [f"{known}.{each}.facts" for known in program.inputs
                                                      for each in _CHANGES], 1)  # fmt: skip
            hint = f"; did you mean {likely[0]}?" if likely else ""
            raise UserError(
                f"{visible(str(folder / name))} is no change of an input: NAME.insert.facts or NAME.delete.facts "
                f"is expected{hint}"
            )
        files[way].append((relation, folder / name, program.io.inputs[relation][0].delimiter))
    return files


def write(run: Run, out: Path) -> None:
    """Write every output to its files in the folder, or all of them on standard output for `-`, and the sizes that
    the program asks for on standard output."""
    for name, files in outputs_of(run.program).items():
        rows = run.evaluation.rows(name)
        for each in files:
            if out == STDOUT:
                sys.stdout.write(f"---------------\n{name}\n===============\n")
                for text in write_rows(run.evaluation, name, rows, each.delimiter):
                    sys.stdout.write(text.to_pybytes().decode())
                sys.stdout.write("===============\n")
            else:
                _write(run.evaluation, name, rows, out / each.filename, each.delimiter)
    for name in run.program.io.sizes:
        sys.stdout.write(f"{name}\t{run.evaluation.size(name)}\n")


def write_changes(run: Run, difference: Difference, folder: Path) -> None:
    """Write what an epoch changed in each output: `NAME.insert.facts` and `NAME.delete.facts`."""
    for way, changed in (("insert", difference.inserted), ("delete", difference.deleted)):
        for name, files in outputs_of(run.program).items():
            _write(run.evaluation, name, changed[name], folder / f"{name}.{way}.facts", files[0].delimiter)


def outputs_of(program: Program) -> dict[str, tuple[FactFile, ...]]:
    """The files that each output is written to."""
    return {name: program.io.outputs[name] for name in program.outputs if name in program.io.outputs}


def _write(evaluation: Evaluation, name: str, rows: Rows, path: Path, delimiter: str) -> None:
    write_pieces(write_rows(evaluation, name, rows, delimiter), path)


def write_pieces(pieces: Iterable[Any], path: Path) -> None:
    """Write the pieces of a text to a file, whose folder is made."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            for text in pieces:
                file.write(text)
    except OSError as error:
        raise UserError(f"{visible(str(path))} cannot be written: {reason(error)}") from None


def stats(run: Run) -> str:
    """What the epochs did, as JSON."""
    return json.dumps(
        {
            "epochs": [asdict(epoch) for epoch in run.epochs],
            "peak_rss_bytes": peak_memory(),
            "state_bytes": run.evaluation.state_bytes,
        },
        indent=2,
    )


def explanation(path: Path, facts: Path | None) -> str:
    """The plans of a program; over facts, with the sizes and fan-outs that decided."""
    from pliant.engine.datalog.explain import explain

    program = load(path)
    return explain(program, None if facts is None else start(program, facts, "bootstrap").evaluation)
