"""reviewdog's diagnostics, in one object. Columns count from 1, in bytes, as the findings' do from 0."""

from __future__ import annotations

import json
from typing import Any

from pliant.analyses.findings import Finding
from pliant.ci.report import Report
from pliant.ci.reports import Style
from pliant.ci.reports.anchor import anchor, sentence, told, well_formed

_SEVERITIES = {"note": "INFO", "warning": "WARNING", "error": "ERROR"}
_SOURCE = {"name": "pliant"}


def render(report: Report, style: Style) -> str:
    diagnostics = [diagnostic(report, finding) for finding in told(report)]
    return json.dumps({"source": _SOURCE, "diagnostics": diagnostics}, indent=2) + "\n"


def diagnostic(report: Report, finding: Finding) -> dict[str, Any]:
    at = anchor(report, finding)
    start = {"line": at.line} if at.moved else {"line": at.line, "column": finding.column + 1}
    return {
        "message": well_formed(sentence(finding, at)),
        "location": {"path": well_formed(at.file), "range": {"start": start}},
        "severity": _SEVERITIES[finding.severity],
        "source": _SOURCE,
        "code": {"value": well_formed(finding.rule)},
        "related_locations": [
            {
                "message": well_formed(step.note),
                "location": {
                    "path": well_formed(step.file),
                    "range": {"start": {"line": max(step.line, 1), "column": step.column + 1}},
                },
            }
            for step in finding.path
        ],
    }
