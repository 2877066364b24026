"""A small program with a state of every kind of column, and what is done to states on disk."""

from __future__ import annotations

import json
from pathlib import Path

from programs import batch
from test_maintenance import GRAPHS, Set

from pliant.engine import Evaluation, Program
from pliant.engine.state.manifest import seal

FACTS: Set = {
    "edge": {(f"n{index}", f"n{index * 7 % 23}") for index in range(23)},
    "label": {(f"n{index}", "é" * (index % 5), f"n{index + 1}") for index in range(12)},
    "stop": {("n3",)},
}
PROGRAM = Program.parse({"program.dl": GRAPHS})


def open_and_touch(directory: Path) -> None:
    """Open a state and use every part of it."""
    evaluation = Evaluation.open(directory, PROGRAM)
    evaluation.update(insert=batch({"edge": {("n1", "n2"), ("q", "n0")}}), delete=batch({"edge": {("n2", "n14")}}))
    targets = [(name, tuple(row)) for name in PROGRAM.outputs for row in evaluation.rows(name).tolist()]
    evaluation.prove_many(targets)
    evaluation.digest()


def rewrite(saved: Path, change) -> None:  # type: ignore[no-untyped-def]
    """Change a manifest and seal it again, as someone hostile would."""
    manifest = json.loads((saved / "manifest.json").read_text())
    del manifest["sha256"]
    change(manifest)
    (saved / "manifest.json").write_bytes(seal(manifest)[0])
