"""New findings that one change brings about: reports for readers tell their cause once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from pliant.analyses.findings import SEVERITIES, Finding, Place, Removed


class _Cause(NamedTuple):
    """What findings agree in that have one cause: the family of rules, where the null or the second name begins, and
    the lines of the change, if what begins there is not one of them itself."""

    family: str
    file: str
    line: int
    column: int
    note: str
    changed: tuple[Place, ...]
    removed: tuple[Removed, ...]


def grouped(findings: Iterable[Finding]) -> list[Finding]:
    """The same findings; each new one that has the cause of an earlier one names that (`Finding.group`)."""
    first: dict[_Cause, str] = {}
    told = []
    for finding in findings:
        cause = _cause(finding)
        if cause is not None and finding.suppressed is None:
            group = first.setdefault(cause, finding.fingerprint)
            finding = finding if group == finding.fingerprint else replace(finding, group=group)
        told.append(finding)
    return told


def by_cause(findings: Sequence[Finding]) -> list[tuple[Finding, list[Finding]]]:
    """The findings that are told on their own, each with those that have its cause and are told with it."""
    with_it: dict[str, list[Finding]] = {each.fingerprint: [] for each in findings if each.status == "new"}
    told = []
    for finding in findings:
        if finding.group in with_it:
            with_it[finding.group].append(finding)
        else:
            told.append((finding, with_it[finding.fingerprint] if finding.status == "new" else []))
    return told


def severity(finding: Finding, with_it: Sequence[Finding]) -> str:
    """The highest severity of findings that are told together."""
    return max((each.severity for each in (finding, *with_it)), key=SEVERITIES.index)


def _cause(finding: Finding) -> _Cause | None:
    if finding.status != "new" or not finding.path:
        return None
    origin = finding.path[0]
    is_changed = Place(origin.file, origin.line) in finding.cause
    return _Cause(
        finding.rule.partition(".")[0],
        origin.file,
        origin.line,
        origin.column,
        origin.note,
        () if is_changed else tuple(finding.cause),
        () if is_changed else tuple(finding.removed),
    )
