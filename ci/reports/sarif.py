"""The report as SARIF 2.1.0: new findings (and unchanged ones, if they were asked for) as results with code flows.

A fixed finding is not in it: services that take SARIF show every result as open. Paths are relative URIs with forward
slashes, under the base id that stands for the repository's top folder.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from pliant.analyses.findings import Finding
from pliant.ci.report import Remark, Report
from pliant.ci.reports import Style

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_TOP = "SRCROOT"
_RANK = {"low": 30.0, "medium": 60.0, "high": 90.0}


def render(report: Report, style: Style) -> str:
    return json.dumps(as_dict(report), indent=2, ensure_ascii=True) + "\n"


def as_dict(report: Report) -> dict[str, Any]:
    told = [*report.findings, *report.suppressed]
    results = [finding for finding in told if finding.status != "fixed"]
    rules = sorted({finding.rule for finding in results})
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "pliant",
                        "version": report.version,
                        "semanticVersion": report.version,
                        "rules": [_rule(rule) for rule in rules],
                    }
                },
                "automationDetails": {"id": "pliant/"},
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {_TOP: {"description": {"text": "The top folder of the repository."}}},
                "invocations": [
                    {
                        "executionSuccessful": True,
                        "toolExecutionNotifications": [_notification(remark) for remark in report.remarks],
                    }
                ],
                "results": [_result(finding, rules) for finding in results],
            }
        ],
    }


def _rule(rule: str) -> dict[str, Any]:
    words = rule.replace(".", " ").replace("-", " ").replace("_", " ")
    return {
        "id": rule,
        "name": "".join(word.capitalize() for word in words.split()),
        "shortDescription": {"text": f"{words[:1].upper()}{words[1:]}."},
    }


def _result(finding: Finding, rules: list[str]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": rules.index(finding.rule),
        "level": finding.severity,
        "message": {"text": _text(finding.message)},
        "locations": [_location(finding.file, finding.line, finding.function)],
        "partialFingerprints": {"pliant/v1": finding.fingerprint},
        "baselineState": finding.status,
        "rank": _RANK[finding.confidence],
        "properties": {"confidence": finding.confidence},
    }
    if finding.suppressed is not None:
        in_source = finding.suppressed.by == "comment"
        result["suppressions"] = [{"kind": "inSource" if in_source else "external", "status": "accepted"}]
        if finding.suppressed.reason:
            result["suppressions"][0]["justification"] = _text(finding.suppressed.reason)
    if finding.path:
        steps = [
            {"location": _location(step.file, step.line, step.function, step.note), "importance": "essential"}
            for step in finding.path
        ]
        result["codeFlows"] = [{"threadFlows": [{"locations": steps}]}]
    if finding.cause:
        result["relatedLocations"] = [
            _location(place.file, place.line, note="A changed line that causes this.") | {"id": number}
            for number, place in enumerate(finding.cause, 1)
        ]
    return result


def _location(file: str, line: int, function: str = "", note: str = "") -> dict[str, Any]:
    location: dict[str, Any] = {
        "physicalLocation": {
            "artifactLocation": {"uri": _uri(file), "uriBaseId": _TOP},
            "region": {"startLine": max(line, 1)},
        }
    }
    if function:
        location["logicalLocations"] = [{"fullyQualifiedName": _text(function), "kind": "function"}]
    if note:
        location["message"] = {"text": _text(note)}
    return location


def _notification(remark: Remark) -> dict[str, Any]:
    return {
        "level": "note",
        "message": {"text": _text(remark.message)},
        "locations": [_location(remark.file, remark.line)],
    }


def _uri(path: str) -> str:
    # A first segment with a colon would be read as a scheme; `quote` escapes colons.
    return quote(path.encode("utf-8", "surrogateescape"), safe="/")


def _text(text: str) -> str:
    """A SARIF message is Unicode text: no lone surrogates."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
