"""A side of a comparison as it would be if what it left out were as the other side has it.

It decides what may be said of a finding that depends on what was not read: one that is gone, but not there, is not
fixed; one that is new, but known there, is not new.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pliant.analyses.findings import Finding, Unread
from pliant.analyses.paths import Locate
from pliant.analyses.suppression import Comments
from pliant.engine import Evaluation

_MOST = 8  # that are named where a path does not tell which of them it is


@dataclass(slots=True)
class Standing:
    """files: those that the side left out whole, by the path in the head. left_out: what it left out, each with the
    other side's path of the file."""

    evaluation: Evaluation
    locate: Locate
    comments: Comments
    files: frozenset[str]
    left_out: Sequence[tuple[str, Unread]]


def unread_of(finding: Finding, standing: Standing | None) -> list[Unread]:
    """What of `left_out` a finding of the other side passes; the first of it where its path shows none."""
    if standing is None:
        return []
    passed = {(step.file, step.function) for step in finding.path} | {(finding.file, finding.function)}
    files = {file for file, _ in passed}
    on_path = [
        unread
        for path, unread in standing.left_out
        if (path, unread.function) in passed or (not unread.function and path in files)
    ]
    in_files = [unread for path, unread in standing.left_out if path in files]
    return list(dict.fromkeys(on_path or in_files or [unread for _, unread in standing.left_out[:_MOST]]))
