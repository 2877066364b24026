"""What is found in the files of a suite."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))
sys.path.insert(0, str(Path(__file__).parent.parent.parent / "tests"))

from functions import Function, functions, parser
from in_memory import court, evaluate, programs
from verdicts import Outcome

from pliant.analyses import report
from pliant.analyses.features import Practice, features
from pliant.analyses.findings import Finding, Step
from pliant.analyses.paths import null_path, place_of, walk
from pliant.analyses.ranking import ranking
from pliant.analyses.registry import Rules, kinds_of
from pliant.analyses.report import Side
from pliant.analyses.wording import shown_function
from pliant.engine import Difference, Evaluation

__all__ = [
    "Function",
    "at_places",
    "evaluate",
    "found",
    "functions",
    "inside",
    "nulls",
    "pairs",
    "parser",
    "read",
    "ways",
]

Places = Mapping[tuple[str, int], Outcome]  # by file and line


def read(folder: Path, suffixes: tuple[str, ...]) -> dict[str, bytes]:
    """The sources below a folder by their paths in it."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.suffix in suffixes and path.is_file()
    }


def found(files: Mapping[str, bytes], on: Rules = frozenset()) -> list[Finding]:
    """What a pull request would bring that adds the whole program, whatever its confidence. on: rules that are off by
    default and are switched on."""
    evaluation, places = evaluate(files, on=on)
    all_of_it = Difference(inserted={name: evaluation.rows(name) for name in kinds_of(evaluation.program)})
    before, after = Side(evaluation, places.get), Side(evaluation, places.get, programs=programs(files, places))
    return report.findings(before, after, all_of_it, {}, {})


def at_places(findings: Iterable[Finding]) -> Places:
    """What of the findings is at each place."""
    outcomes: dict[tuple[str, int], Outcome] = {}
    for finding in findings:
        outcome = Outcome.HIDDEN if finding.is_unlikely else Outcome.SHOWN
        for place in (finding, *finding.also):
            at = place.file, place.line
            outcomes[at] = max(outcomes.get(at, outcome), outcome)
    return outcomes


def nulls(files: Mapping[str, bytes]) -> Places:
    """The null dereferences of a program."""
    return at_places(finding for finding in found(files) if finding.rule.startswith("null."))


def inside(function: Function, places: Places) -> Outcome:
    """What is found in a function."""
    return max((places[at] for at in places if function.holds(*at)), default=Outcome.NOTHING)


@dataclass(frozen=True, slots=True)
class Way:
    """A null from where it is made to where it fails: one of the ways of a finding."""

    steps: tuple[Step, ...]
    outcome: Outcome

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
    judge = court(files, evaluation, places)
    practice = Practice(evaluation)
    practice.ask(proofs)
    found = []
    for proof in proofs:
        site, origin = (names[entry] for entry in proof.row)
        file, line, column = place_of(site, places.get)
        path = null_path(proof, lambda entry: names.get(entry, ""), places.get)
        witness = judge.witness(site, origin)
        rests_on = features(path, proof, 1, practice, file)
        refuted = witness is not None and witness.verdict == "refuted"
        hidden = refuted or ranking().probability(rests_on) < ranking().shown
        steps = *path.steps, Step(file, line, "it fails", shown_function(site), column)
        found.append(Way(steps, Outcome.HIDDEN if hidden else Outcome.SHOWN))
    return found


def pairs(evaluation: Evaluation, relation: str, second: int = 1) -> list[tuple[str, str]]:
    """The first and another column of a relation, as texts."""
    texts = evaluation.strings(evaluation.rows(relation)[:, [0, second]].reshape(-1))
    return list(zip(texts[::2], texts[1::2], strict=True))
