"""Workflow commands of GitHub Actions: annotations beside the diff.

A step shows at most ten errors, ten warnings and ten notices; what is left over, and what has no line in the diff, is
in the step summary, which is the Markdown report. Data is escaped as the runner reads it back: nothing that comes from
the repository can start a command of its own.
"""

from __future__ import annotations

from collections import Counter

from pliant.analyses.findings import Finding
from pliant.ci.errors import visible, visible_path
from pliant.ci.report import Report
from pliant.ci.reports import Style
from pliant.ci.reports.anchor import anchor, sentence, summary, told

LIMIT = 10  # annotations of a kind that a step shows
_KINDS = {"error": "error", "warning": "warning", "note": "notice"}


def render(report: Report, style: Style) -> str:
    lines = []
    shown: Counter[str] = Counter()
    left_out = 0
    in_diff_first = sorted(told(report), key=lambda finding: not anchor(report, finding).in_diff)
    for finding in in_diff_first:
        kind = _KINDS[finding.severity]
        if finding.status != "new" or shown[kind] >= LIMIT:
            left_out += 1
            continue
        shown[kind] += 1
        lines.append(_command(kind, report, finding))
    if left_out:
        lines.append(f"pliant: {left_out} more in the step summary")
    lines.append(f"pliant: {summary(report)}")
    return "".join(f"{line}\n" for line in lines)


def _command(kind: str, report: Report, finding: Finding) -> str:
    at = anchor(report, finding)
    properties = {"file": visible_path(at.file), "line": str(at.line), "title": f"pliant {finding.rule}"}
    joined = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{kind} {joined}::{_data(sentence(finding, at))}"


def _data(text: str) -> str:
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
