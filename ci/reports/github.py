"""Workflow commands of GitHub Actions: annotations beside the diff.

A step shows at most ten errors, ten warnings and ten notices; what is left over, and what has no line in the diff, is
in the step summary, which is the Markdown report. Data is escaped as the runner reads it back: nothing that comes from
the repository can start a command of its own.
"""

from __future__ import annotations

from collections import Counter

from pliant.ci.causes import by_cause, severity
from pliant.ci.errors import visible, visible_path
from pliant.ci.report import Report
from pliant.ci.reports import Style
from pliant.ci.reports.anchor import NOT_ANALYSED, anchor, line_of, reason, sentence, shown, summary
from pliant.ci.reports.remarks import left_out, notes
from pliant.ci.wording import counted

LIMIT = 10  # annotations of a kind that a step shows
LEFT_OUT = 5  # of them, for what was not analysed
_KINDS = {"error": "error", "warning": "warning", "note": "notice"}


def render(report: Report, style: Style) -> str:
    lines = []
    shown_of: Counter[str] = Counter()
    skipped = left_out(report)
    for told in skipped[:LEFT_OUT]:
        shown_of["warning"] += 1
        lines.append(_command("warning", told.file, line_of(report, told), f"pliant {NOT_ANALYSED}", told.message))
    more = len(skipped[LEFT_OUT:])
    in_diff_first = sorted(by_cause(shown(report)), key=lambda told: not anchor(report, told[0]).in_diff)
    for finding, with_it in in_diff_first:
        kind = "notice" if finding.status == "unknown" else _KINDS[severity(finding, with_it)]
        if finding.status == "unchanged" or shown_of[kind] >= LIMIT:
            more += 1 + len(with_it)
            continue
        shown_of[kind] += 1
        at = anchor(report, finding)
        lines.append(_command(kind, at.file, at.line, f"pliant {finding.rule}", sentence(finding, at, with_it)))
    if more:
        lines.append(f"pliant: {more} more in the step summary")
    if known := len(notes(report)):
        lines.append(f"pliant: {counted(known, 'remark')} on what was not analysed before either, in the step summary")
    lines.append(f"pliant: {summary(report)}; the check {reason(report)}")
    return "".join(f"{line}\n" for line in lines)


def _command(kind: str, file: str, line: int, title: str, message: str) -> str:
    properties = {"file": visible_path(file), "line": str(line), "title": title}
    joined = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{kind} {joined}::{_data(message)}"


def _data(text: str) -> str:
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
