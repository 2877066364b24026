"""Where a service that shows lines of the diff alone can show a finding, and texts that formats share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pliant.analyses.findings import Finding
from pliant.ci.report import Report
from pliant.ci.reports.remarks import Told
from pliant.ci.wording import counted

NOT_ANALYSED = "not-analysed"  # in the place of a rule's id
_MOST_NAMED = 8  # findings that are told with another one


@dataclass(frozen=True, slots=True)
class Anchor:
    """in_diff: whether the head has changed that line. moved: whether it is not the line that fails."""

    file: str
    line: int
    in_diff: bool
    moved: bool


def anchor(report: Report, finding: Finding) -> Anchor:
    """Of a finding that is unknown because of the head, what the head left out. Else the line that fails, if the head
    changed it; else the first changed line that causes it, or that it comes by;
    else a line beside what was only taken away, which is shown around it; else the line that fails."""
    fails = (finding.file, finding.line)
    for unread in finding.unread:
        if unread.side == "head":
            return Anchor(unread.file, unread.line, report.is_changed(unread.file, unread.line), True)
    for file, line in _candidates(finding):
        if report.is_changed(file, line):
            return Anchor(file, line, True, (file, line) != fails)
    for place in (*finding.cause, *(each.beside for each in finding.removed)):
        if place.file in report.changed_lines:
            return Anchor(place.file, max(place.line, 1), False, (place.file, place.line) != fails)
    return Anchor(finding.file, max(finding.line, 1), False, False)


def _candidates(finding: Finding) -> Iterator[tuple[str, int]]:
    yield finding.file, finding.line
    yield from ((place.file, place.line) for place in finding.cause)
    yield from ((step.file, step.line) for step in reversed(finding.path))


def listed(report: Report) -> list[Finding]:
    """What formats for services tell: new and unknown findings, and unchanged ones if they were asked for; the fixed
    are gone."""
    return [finding for finding in report.findings if finding.status != "fixed"]


def shown(report: Report) -> list[Finding]:
    """The same without what is unknown because of the head: what the head left out is shown, and counts these."""
    return [finding for finding in listed(report) if finding.status != "unknown" or not finding.of_base]


def line_of(report: Report, told: Told) -> int:
    """Where something that was left out is shown: of a whole file, at the first line that the head changes."""
    changed = report.changed_lines.get(told.file) if told.first.scope == "file" else None
    return changed[0][0] if changed else told.line


def sentence(finding: Finding, at: Anchor, with_it: Sequence[Finding] = ()) -> str:
    """The message of a finding for a reader who is at its anchor. with_it: findings that are told with it."""
    if finding.status == "unknown":
        return f"Unknown: {finding.message} ({why_unknown(finding)})"
    where = f" (fails at {finding.file}:{finding.line})" if at.moved else ""
    gone = [each for each in finding.removed if (each.beside.file, each.beside.line) == (at.file, at.line)]
    if gone:
        where += f". Caused by what was removed before this line: {gone[0].file}:{gone[0].line} of the base"
    when = f". {finding.fails_when}" if finding.fails_when else ""
    places = list(dict.fromkeys(f"{each.file}:{each.line}" for each in with_it))
    more = f" and {len(places) - _MOST_NAMED} more" if len(places) > _MOST_NAMED else ""
    return f"{finding.message}{where}{when}{with_others(when, len(with_it), places[:_MOST_NAMED])}{more}"


def with_others(before: str, number: int, named: Sequence[str]) -> str:
    """The end of a message about further findings with the same cause; empty if there is none. before: what it follows.
    named: some of them."""
    if not number:
        return ""
    end = "" if before.endswith(".") else "."
    return f"{end} {counted(number, 'more finding')} with the same cause: {', '.join(named)}"


def why_unknown(finding: Finding) -> str:
    """What would have to be read to know, in a few words."""
    if not finding.unread:
        return ""
    first, *others = finding.unread
    more = f" and {counted(len(others), 'other part')}" if others else ""
    return f"{first.file}{' of the base' if first.side == 'base' else ''}: {first.message}{more}"


def well_formed(text: str) -> str:
    """Unicode without lone surrogates, which undecodable bytes of a file name are read as."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def summary(report: Report) -> str:
    """One line: how many findings are new, fixed and unchanged."""
    counts = report.counts()
    severities = ", ".join(counted(count, name) for name, count in report.new_by_severity().items() if count)
    new = f"{counts['new']} new{f' ({severities})' if severities else ''}"
    unknown = f", {counts['unknown']} unknown" if counts["unknown"] else ""
    return f"{new}, {counts['fixed']} fixed, {counts['unchanged']} unchanged{unknown}{only(report)}"


def only(report: Report) -> str:
    return f" (only {report.scope})" if report.scope else ""


def reason(report: Report) -> str:
    """Why the check fails, or that it passes."""
    failing = len(report.failing())
    because = [counted(failing, "new finding")] if failing else []
    because += ["what was not analysed"] if report.failing_left_out() else []
    return f"fails because of {' and '.join(because)}" if because else "passes"
