"""The report as SARIF 2.1.0: new and unknown findings (and unchanged ones, if asked for) as results with code flows.

What services make of SARIF decides what is in it. They show every result as open: fixed findings are left out, and
suppressed ones, too, unless they were asked for. They show an alert on a pull request only where its line is in the
diff: a result stands at its anchor, and the line that fails ends its code flow. They refuse what is too large: the
least severe results are dropped, and a notification says how many. Each sub-project is a run with an id of its own.
Paths are relative URIs with forward slashes.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from pliant.analyses.findings import SEVERITIES, Finding, Removed, Step
from pliant.ci.causes import by_cause, severity
from pliant.ci.report import Report
from pliant.ci.reports import Style
from pliant.ci.reports.anchor import Anchor, anchor, listed, well_formed, why_unknown, with_others
from pliant.ci.reports.remarks import Told, left_out, notes
from pliant.ci.reports.rules import described
from pliant.ci.wording import counted

MAX_RESULTS = 25_000  # of a run
MAX_STEPS = 1_000  # of a code flow
MAX_RELATED = 100
_MOST_LINKS = 8  # of a message to findings with the same cause
MAX_BYTES = 10_000_000  # of the file, compressed
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_TOP = "SRCROOT"
_RANK = {"low": 30.0, "medium": 60.0, "high": 90.0}


def render(report: Report, style: Style) -> str:
    limit = MAX_RESULTS
    while True:
        text = json.dumps(as_dict(report, limit, suppressed=style.suppressed), indent=2, ensure_ascii=True) + "\n"
        size = len(text) if len(text) < MAX_BYTES else len(gzip.compress(text.encode("ascii"), 6))
        if size <= MAX_BYTES or limit <= 1:
            return text
        limit = max(1, min(limit, len(report.findings)) * MAX_BYTES * 9 // (size * 10))


def as_dict(report: Report, limit: int = MAX_RESULTS, *, suppressed: bool = False) -> dict[str, Any]:
    by_project: dict[str, list[Finding]] = {project.name: [] for project in reversed(report.config.projects)}
    silenced = [finding for finding in report.suppressed if finding.status != "fixed"] if suppressed else []
    for finding in [*listed(report), *silenced]:
        by_project[report.config.project_of(finding.file).name].append(finding)
    runs = [_run(report, name, findings, limit) for name, findings in by_project.items()]
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": runs}


def _run(report: Report, project: str, findings: Sequence[Finding], limit: int) -> dict[str, Any]:
    told = sorted(by_cause(findings), key=lambda each: -SEVERITIES.index(severity(*each)))
    results = told[:limit]
    rules = sorted({finding.rule for finding, _ in results})
    not_read = [*left_out(report), *notes(report)]
    notifications = [_of_remark(r) for r in not_read if report.config.project_of(r.file).name == project]
    remarks = report.notes if not project else []
    if len(results) < len(told):
        too_many = counted(len(told) - len(results), "result")
        remarks = [*remarks, f"{too_many} left out, the least severe: a service takes no more"]
    return {
        "tool": {
            "driver": {
                "name": "pliant",
                "version": report.version,
                "semanticVersion": report.version,
                "rules": [_rule(rule) for rule in rules],
            }
        },
        "automationDetails": {"id": f"pliant/{quote(project)}/" if project else "pliant/"},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_TOP: {"description": {"text": "The top folder of the repository."}}},
        "invocations": [
            {
                "executionSuccessful": not any(each["level"] == "warning" for each in notifications),
                "toolExecutionNotifications": [
                    *notifications,
                    *({"level": "note", "message": {"text": _text(remark)}} for remark in remarks),
                ],
            }
        ],
        "results": [_result(report, finding, with_it, rules) for finding, with_it in results],
        "properties": {"base": _commit(report.base.commit), "head": _commit(report.head.commit)},
    }


def _rule(rule: str) -> dict[str, Any]:
    words = described(rule)
    return {
        "id": _text(rule),
        "name": "".join(word.capitalize() for word in re.split(r"[^a-zA-Z0-9]+", rule)),
        "shortDescription": {"text": _text(words.title)},
        "fullDescription": {"text": _text(words.text)},
        "help": {"text": _text(words.help), "markdown": _text(words.help)},
        "defaultConfiguration": {"level": "warning"},
        "properties": {"tags": ["correctness", _text(rule).partition(".")[0]]},
    }


def _result(report: Report, finding: Finding, with_it: Sequence[Finding], rules: list[str]) -> dict[str, Any]:
    at = anchor(report, finding)
    related = _related(report, finding, with_it, at)
    result: dict[str, Any] = {
        "ruleId": _text(finding.rule),
        "ruleIndex": rules.index(finding.rule),
        # `open`: it could not be decided; such a result has no level.
        **({"kind": "open", "level": "none"} if finding.status == "unknown" else {"level": severity(finding, with_it)}),
        "message": {"text": _message(finding, with_it, at)},
        "locations": [_anchored(report, finding, at)],
        "partialFingerprints": {
            "pliant/v1": _text(finding.fingerprint),
            "primaryLocationLineHash": f"{_text(finding.fingerprint)}:1",
        },
        "baselineState": "new" if finding.status == "new" else "unchanged",
        "rank": _RANK[finding.confidence],
        "properties": {"confidence": finding.confidence, "inDiff": at.in_diff},
    }
    if finding.suppressed is not None:
        in_source = finding.suppressed.by == "comment"
        result["suppressions"] = [{"kind": "inSource" if in_source else "external", "status": "accepted"}]
        if said := ": ".join(filter(None, (finding.suppressed.state, finding.suppressed.reason))):
            result["suppressions"][0]["justification"] = _text(said)
    if steps := _flow(finding, at):
        result["codeFlows"] = [{"threadFlows": [{"locations": [_step(report, finding, step) for step in steps]}]}]
    if related:
        result["relatedLocations"] = [location | {"id": number} for number, location in enumerate(related, 1)]
    return result


def _related(report: Report, finding: Finding, with_it: Sequence[Finding], at: Anchor) -> list[dict[str, Any]]:
    """The places beside that of a result, in the order in which its message links to them."""
    related = []
    if at.moved:
        note = f"This line fails: {finding.message}"
        related.append(_location(finding.file, finding.line, finding.function, note))
    related += [
        _location(other.file, other.line, other.function, f"With the same cause: {other.message}")
        for other in with_it[:MAX_RELATED]
    ]
    related += [
        _location(place.file, place.line, note="A changed line that causes this.")
        for place in finding.cause[:MAX_RELATED]
    ]
    related += [
        _location(removed.beside.file, removed.beside.line, note=_of_removed(report, removed))
        for removed in finding.removed[:MAX_RELATED]
    ]
    return related


def _of_removed(report: Report, removed: Removed) -> str:
    line = (report.removed_line(removed) or "").strip()
    return f"A line before this one was removed, which causes this{f': {line}' if line else '.'}"


def _message(finding: Finding, with_it: Sequence[Finding], at: Anchor) -> str:
    """The message, with links: to the line that fails (related location 1) where the result stands at another one, and
    to the findings with the same cause (the related locations after it)."""
    unknown = f"Unknown ({why_unknown(finding)}): " if finding.status == "unknown" else ""
    text = _plain(f"{unknown}{finding.message}")
    where = f"{text} ([where it fails](1))" if at.moved else text
    text = f"{where}. {_plain(finding.fails_when)}" if finding.fails_when else where
    links = [f"[{number}]({number + at.moved})" for number in range(1, min(len(with_it), _MOST_LINKS) + 1)]
    return f"{text}{with_others(text, len(with_it), links)}"


def _plain(text: str) -> str:
    """A text in which nothing is a link."""
    return _text(text).replace("](", "] (")


def _anchored(report: Report, finding: Finding, at: Anchor) -> dict[str, Any]:
    if at.moved:
        return _location(at.file, at.line)
    column = _column(report, finding, finding.file, finding.line, finding.column)
    return _location(at.file, at.line, finding.function, column=column)


def _flow(finding: Finding, at: Anchor) -> list[Step]:
    """The path, to the line that fails, without the middle of one that is too long."""
    steps = list(finding.path)
    fails = (finding.file, finding.line)
    if at.moved and fails not in [(step.file, step.line) for step in steps[-1:]]:
        if not steps:
            steps.append(Step(at.file, at.line, "a changed line that causes it"))
        steps.append(Step(finding.file, finding.line, finding.message, finding.function, finding.column))
    return steps if len(steps) <= MAX_STEPS else [*steps[: MAX_STEPS // 2], *steps[-MAX_STEPS // 2 :]]


def _step(report: Report, finding: Finding, step: Step) -> dict[str, Any]:
    column = _column(report, finding, step.file, step.line, step.column)
    return {"location": _location(step.file, step.line, step.function, step.note, column), "importance": "essential"}


def _column(report: Report, finding: Finding, file: str, line: int, column: int) -> int:
    """A column in bytes from 0 as one in characters from 1."""
    source = report.line(finding, file, line) or ""
    return len(source.encode("utf-8", "surrogateescape")[:column].decode("utf-8", "replace")) + 1


def _location(file: str, line: int, function: str = "", note: str = "", column: int = 0) -> dict[str, Any]:
    region = {"startLine": max(line, 1)}
    if column:
        region["startColumn"] = column
    physical = {"artifactLocation": {"uri": _uri(file), "uriBaseId": _TOP}, "region": region}
    location: dict[str, Any] = {"physicalLocation": physical}
    if function:
        location["logicalLocations"] = [{"fullyQualifiedName": _text(function), "kind": "function"}]
    if note:
        location["message"] = {"text": _text(note)}
    return location


def _of_remark(told: Told) -> dict[str, Any]:
    return {
        "level": told.first.level,
        "message": {"text": _text(told.message)},
        "locations": [_location(told.file, told.line)],
    }


def _commit(commit: str | None) -> str:
    return commit or "the work tree"


def _uri(path: str) -> str:
    # A first segment with a colon would be read as a scheme; `quote` escapes colons.
    return quote(path.encode("utf-8", "surrogateescape"), safe="/")


_text = well_formed
