"""Where a service that shows lines of the diff alone can show a finding, and texts that formats share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pliant.analyses.findings import Finding
from pliant.ci.report import Report
from pliant.ci.wording import counted


@dataclass(frozen=True, slots=True)
class Anchor:
    """in_diff: whether the head has changed that line. moved: whether it is not the line that fails."""

    file: str
    line: int
    in_diff: bool
    moved: bool


def anchor(report: Report, finding: Finding) -> Anchor:
    """The line that fails, if the head changed it; else the first changed line that causes it, or that it comes by;
    else a line beside what was only taken away, which is shown around it; else the line that fails."""
    fails = (finding.file, finding.line)
    for file, line in _candidates(finding):
        if report.is_changed(file, line):
            return Anchor(file, line, True, (file, line) != fails)
    for place in finding.cause:
        if place.file in report.changed_lines:
            return Anchor(place.file, max(place.line, 1), False, (place.file, place.line) != fails)
    return Anchor(finding.file, max(finding.line, 1), False, False)


def _candidates(finding: Finding) -> Iterator[tuple[str, int]]:
    yield finding.file, finding.line
    yield from ((place.file, place.line) for place in finding.cause)
    yield from ((step.file, step.line) for step in reversed(finding.path))


def told(report: Report) -> list[Finding]:
    """What formats for services tell: new findings, and unchanged ones if they were asked for; the fixed are gone."""
    return [finding for finding in report.findings if finding.status != "fixed"]


def sentence(finding: Finding, at: Anchor) -> str:
    """The message of a finding for a reader who is at its anchor."""
    if not at.moved:
        return finding.message
    return f"{finding.message} (fails at {finding.file}:{finding.line})"


def well_formed(text: str) -> str:
    """Unicode without lone surrogates, which undecodable bytes of a file name are read as."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def summary(report: Report) -> str:
    """One line: how many findings are new, fixed and unchanged."""
    counts = report.counts()
    severities = ", ".join(counted(count, name) for name, count in report.new_by_severity().items() if count)
    new = f"{counts['new']} new{f' ({severities})' if severities else ''}"
    return f"{new}, {counts['fixed']} fixed, {counts['unchanged']} unchanged"


def reason(report: Report) -> str:
    """Why the check fails, or that it passes."""
    failing = len(report.failing())
    return f"fails because of {counted(failing, 'new finding')}" if failing else "passes"
