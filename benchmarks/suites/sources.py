"""What is found in the files of a suite."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))
sys.path.insert(0, str(Path(__file__).parent.parent.parent / "tests"))

from functions import Function, functions, parser
from in_memory import evaluate, findings

from pliant.analyses.findings import Finding, Step
from pliant.analyses.paths import null_path, place_of, walk
from pliant.analyses.registry import Rules
from pliant.analyses.wording import shown_function
from pliant.engine import Evaluation

__all__ = ["Function", "evaluate", "found", "functions", "nulls", "pairs", "parser", "read", "ways"]


def read(folder: Path, suffixes: tuple[str, ...]) -> dict[str, bytes]:
    """The sources below a folder by their paths in it."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.suffix in suffixes and path.is_file()
    }


def found(files: Mapping[str, bytes], on: Rules = frozenset()) -> list[Finding]:
    """What is found in a program, whatever its confidence. on: rules that are off by default and are switched on."""
    return findings(files, on)


def nulls(files: Mapping[str, bytes]) -> list[Finding]:
    """The null dereferences of a program."""
    return [finding for finding in found(files) if finding.rule.startswith("null.")]


@dataclass(frozen=True, slots=True)
class Way:
    """A null from where it is made to where it fails: one of the ways of a finding."""

    steps: tuple[Step, ...]

    def touches(self, function: Function) -> bool:
        """It fails in the function or leads through it."""
        return any(function.holds(step.file, step.line) for step in self.steps)

    def top(self) -> Step:
        """A step in the function that calls all the others on the way: it alone could have done otherwise."""
        top, below = self.steps[0], 0
        for before, step in pairwise(self.steps):
            if step.function != before.function:
                if before.note.startswith("it is passed to") or before.note.endswith("is called here"):
                    below += 1
                elif below:
                    below -= 1
                else:
                    top = step
        return top


def ways(files: Mapping[str, bytes]) -> list[Way]:
    """The ways of all null dereferences of a program, by each of their origins."""
    evaluation, places = evaluate(files)
    asked = [("null_dereference", (int(site), int(origin))) for site, origin in evaluation.rows("null_dereference")]
    proofs = [proof for proof in evaluation.prove_many(asked) if proof is not None]
    known = np.unique([entry for proof in proofs for part in walk(proof) for entry in part.row if entry >= 0])
    known = known[known < len(evaluation.symbols)].astype(np.int64)
    names = dict(zip(known.tolist(), evaluation.strings(known), strict=True))
    found = []
    for proof in proofs:
        site = names[proof.row[0]]
        file, line, column = place_of(site, places.get)
        path = null_path(proof, lambda entry: names.get(entry, ""), places.get)
        found.append(Way((*path.steps, Step(file, line, "it fails", shown_function(site), column))))
    return found


def pairs(evaluation: Evaluation, relation: str, second: int = 1) -> list[tuple[str, str]]:
    """The first and another column of a relation, as texts."""
    texts = evaluation.strings(evaluation.rows(relation)[:, [0, second]].reshape(-1))
    return list(zip(texts[::2], texts[1::2], strict=True))
