"""GitLab's Code Quality report: an array of issues, each with a fingerprint that no other has."""

from __future__ import annotations

import json
from typing import Any

from pliant.analyses.findings import Finding
from pliant.ci.report import Report
from pliant.ci.reports import Style
from pliant.ci.reports.anchor import anchor, sentence, told, well_formed

_SEVERITIES = {"note": "info", "warning": "major", "error": "critical"}


def render(report: Report, style: Style) -> str:
    return json.dumps([_issue(report, finding) for finding in told(report)], indent=2) + "\n"


def _issue(report: Report, finding: Finding) -> dict[str, Any]:
    at = anchor(report, finding)
    return {
        "type": "issue",
        "check_name": well_formed(finding.rule),
        "description": well_formed(sentence(finding, at)),
        "categories": ["Bug Risk"],
        "severity": _SEVERITIES[finding.severity],
        "fingerprint": well_formed(finding.fingerprint),
        "location": {"path": well_formed(at.file), "lines": {"begin": at.line}},
    }
