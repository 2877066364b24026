"""What the history of a repository says of the confidence of findings: `pliant calibrate`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

from pliant.analyses.calibration import Calibration, Lived
from pliant.analyses.calibration import calibrate as fitted
from pliant.analyses.describe import Explained
from pliant.analyses.evidence import TESTS
from pliant.analyses.features import REMOVED
from pliant.analyses.ranking import ranking
from pliant.ci.commits import Progress
from pliant.ci.comparison import Comparison, Request, compare, on_sound_states
from pliant.ci.errors import UserError, reason, visible_path
from pliant.engine import Evaluation


def calibrate(request: Request, out: Path, say: Callable[[str], None], progress: Progress) -> Calibration:
    """Write what is added to the weights of the confidence, by what became of the findings of the base of a request up
    to its head; nothing is written where that does not foretell better. Raises UserError."""
    found = on_sound_states(lambda comparison: _fitted(request, comparison, progress), request, say, progress)
    if found.says_anything:
        try:
            out.write_text(_toml(found), encoding="utf-8")
        except OSError as error:
            raise UserError(f"{visible_path(str(out))} cannot be written: {reason(error)}") from None
    return found


def _fitted(request: Request, comparison: Comparison, progress: Progress) -> Calibration:
    compared = compare(request, comparison, progress, Explained(unchanged=True))
    tested = _tested_since(compared.base.evaluation, compared.head.evaluation)
    lived = []
    for finding in compared.findings:
        of_null = bool(finding.features) and REMOVED not in finding.features
        refuted = finding.witness is not None and finding.witness.verdict == "refuted"
        fixed = finding.status == "fixed" and any(_function(site) in tested for _, site, _ in finding.rows)
        if of_null and not refuted and (fixed or finding.status == "unchanged"):
            lived.append(Lived(finding.features, finding.arrival or finding.fingerprint, fixed))
    return fitted(ranking(), lived)


def _tested_since(base: Evaluation, head: Evaluation) -> set[str]:
    """The functions that test something for null in the head which they do not test in the base."""
    found: set[str] = set()
    for relation in TESTS:
        rows = head.rows(relation)
        found.update(head.strings(np.unique(rows[~base.contains(relation, rows)][:, 0])))
    return found


def _function(site: str) -> str:
    """The symbol of the function that a site is in."""
    return "|".join(site.split("|")[:2])


def _toml(found: Calibration) -> str:
    head = "# What the history of this repository adds to the weights of the confidence, by `pliant calibrate`:"
    lines = [head, f"# {found.fixed} nulls were fixed, and {found.left} are still there.", f"bias = {found.bias}"]
    weights = [f"{json.dumps(name)} = {value}" for name, value in sorted(found.weights.items())]
    return "\n".join([*lines, "", "[weights]", *weights]) + "\n"
