"""reviewdog's diagnostics, in one object. Columns count from 1, in bytes, as the findings' do from 0."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pliant.analyses.findings import Finding
from pliant.ci.causes import by_cause, severity
from pliant.ci.report import Report
from pliant.ci.reports import Style
from pliant.ci.reports.anchor import NOT_ANALYSED, anchor, line_of, sentence, shown, well_formed
from pliant.ci.reports.remarks import left_out

_SEVERITIES = {"note": "INFO", "warning": "WARNING", "error": "ERROR"}
_SOURCE = {"name": "pliant"}


def render(report: Report, style: Style) -> str:
    return json.dumps({"source": _SOURCE, "diagnostics": diagnostics(report)}, indent=2) + "\n"


def diagnostics(report: Report) -> list[dict[str, Any]]:
    """What was left out, then the findings."""
    skipped = [_left_out(told.file, line_of(report, told), told.message) for told in left_out(report)]
    return [*skipped, *(_diagnostic(report, *told) for told in by_cause(shown(report)))]


def _left_out(path: str, line: int, message: str) -> dict[str, Any]:
    return {
        "message": well_formed(message),
        "location": {"path": well_formed(path), "range": {"start": {"line": line}}},
        "severity": _SEVERITIES["warning"],
        "source": _SOURCE,
        "code": {"value": NOT_ANALYSED},
    }


def _diagnostic(report: Report, finding: Finding, with_it: Sequence[Finding]) -> dict[str, Any]:
    at = anchor(report, finding)
    start = {"line": at.line} if at.moved else {"line": at.line, "column": finding.column + 1}
    return {
        "message": well_formed(sentence(finding, at, with_it)),
        "location": {"path": well_formed(at.file), "range": {"start": start}},
        "severity": _SEVERITIES["note" if finding.status == "unknown" else severity(finding, with_it)],
        "source": _SOURCE,
        "code": {"value": well_formed(finding.rule)},
        "related_locations": [
            *(_related(step.note, step.file, step.line, step.column) for step in finding.path),
            *(_related(f"With the same cause: {each.message}", each.file, each.line, each.column) for each in with_it),
        ],
    }


def _related(message: str, file: str, line: int, column: int) -> dict[str, Any]:
    start = {"line": max(line, 1), "column": column + 1}
    return {"message": well_formed(message), "location": {"path": well_formed(file), "range": {"start": start}}}
