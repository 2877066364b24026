"""GitLab's Code Quality report: an array of issues, each with a fingerprint that no other has."""

from __future__ import annotations

import json
from typing import Any

from pliant.analyses.describe import digest
from pliant.analyses.findings import Finding
from pliant.ci.report import Report
from pliant.ci.reports import Style
from pliant.ci.reports.anchor import NOT_ANALYSED, anchor, line_of, listed, sentence, well_formed
from pliant.ci.reports.remarks import Told, left_out

_SEVERITIES = {"note": "info", "warning": "major", "error": "critical"}


def render(report: Report, style: Style) -> str:
    skipped = [_left_out(report, told) for told in left_out(report)]
    return json.dumps([*skipped, *(_issue(report, finding) for finding in listed(report))], indent=2) + "\n"


def _left_out(report: Report, told: Told) -> dict[str, Any]:
    parts = [NOT_ANALYSED, told.file, told.first.scope, told.first.reason]
    return {
        "type": "issue",
        "check_name": NOT_ANALYSED,
        "description": well_formed(told.message),
        "categories": ["Bug Risk"],
        "severity": _SEVERITIES["warning"],
        "fingerprint": digest("|".join(parts)),
        "location": {"path": well_formed(told.file), "lines": {"begin": line_of(report, told)}},
    }


def _issue(report: Report, finding: Finding) -> dict[str, Any]:
    at = anchor(report, finding)
    return {
        "type": "issue",
        "check_name": well_formed(finding.rule),
        "description": well_formed(sentence(finding, at)),
        "categories": ["Bug Risk"],
        "severity": _SEVERITIES["note" if finding.status == "unknown" else finding.severity],
        "fingerprint": well_formed(finding.fingerprint),
        "location": {"path": well_formed(at.file), "lines": {"begin": at.line}},
    }
