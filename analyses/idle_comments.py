"""Comments that silence nothing, as findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from pliant.analyses.describe import digest
from pliant.analyses.findings import Finding, Status, Step
from pliant.analyses.identity import Hunk, head_line
from pliant.analyses.suppression import Comments, Mark, Silenced

UNUSED = "suppression.unused"
IsTest = Callable[[str], bool]


def compared(
    before: tuple[Comments, Silenced],
    after: tuple[Comments, Silenced],
    hunks: Mapping[str, Sequence[Hunk]],
    renames: Mapping[str, str],
    is_test: IsTest,
) -> tuple[list[Finding], list[Finding]]:
    """Those of the head, new or unchanged, and those of the base that are gone."""
    known = {
        (renames.get(mark.file, mark.file), head_line(hunks.get(mark.file, ()), mark.comment.line)): mark
        for mark in _idle(*before, is_test)
    }
    told = []
    for mark in _idle(*after, is_test):
        old = known.pop((mark.file, mark.comment.line), None)
        told.append(_finding(mark, "new" if old is None else "unchanged"))
    return told, [_finding(mark, "fixed") for mark in known.values()]


def number(findings: Sequence[Finding]) -> None:
    """Tell the fingerprints of like ones apart."""
    ordinals: Counter[str] = Counter()
    for finding in findings:
        ordinals[finding.fingerprint] += 1
        if ordinals[finding.fingerprint] > 1:
            finding.fingerprint = digest(f"{finding.fingerprint}#{ordinals[finding.fingerprint]}")


def _idle(comments: Comments, silenced: Silenced, is_test: IsTest) -> list[Mark]:
    marks = [
        Mark(file, comment)
        for file, of_file in sorted(comments.of_files.items())
        for comment in of_file
        if not comment.tool
    ]
    return [
        mark
        for mark in marks
        # What tests do with a null is not told, so a comment there is no mistake.
        if mark.place not in silenced.used and not (is_test(mark.file) and mark.comment.rules)
    ]


def _finding(mark: Mark, status: Status) -> Finding:
    rules = ", ".join(mark.comment.rules)
    if mark.comment.rules:
        message = f"This comment silences nothing: `{rules}` is not found on line {mark.comment.covers} or by way of it"
    else:
        message = "This comment names no rule, so it silences nothing: write `pliant: ignore[rule] reason`"
    return Finding(
        rule=UNUSED,
        status=status,
        file=mark.file,
        line=mark.comment.line,
        function="",
        message=message,
        severity="note",
        confidence="high",
        fingerprint=digest(f"{UNUSED}|{rules}|{mark.comment.reason}"),
        path=[Step(mark.file, mark.comment.line, "the comment is here")],
    )
