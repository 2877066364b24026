"""Service messages of TeamCity: an inspection for each finding, beside the lines of the build.

Data is visible text in one line, escaped as TeamCity reads it back, with `|`: nothing that comes from the repository
can end a message or start one.
"""

from __future__ import annotations

import re

from pliant.ci.causes import by_cause, severity
from pliant.ci.errors import visible, visible_path
from pliant.ci.report import Report
from pliant.ci.reports import Style
from pliant.ci.reports.anchor import NOT_ANALYSED, anchor, line_of, reason, sentence, shown, summary
from pliant.ci.reports.remarks import left_out
from pliant.ci.reports.rules import described

_SPECIAL = re.compile(r"[|'\[\]]")
_SEVERITIES = {"error": "ERROR", "warning": "WARNING", "note": "WEAK WARNING"}


def render(report: Report, style: Style) -> str:
    types: dict[str, str] = {}
    found = []
    for told in left_out(report):
        types[NOT_ANALYSED] = "A part of the change was not analysed."
        found.append((NOT_ANALYSED, told.message, told.file, line_of(report, told), "WARNING"))
    for finding, with_it in by_cause(shown(report)):
        if finding.status != "unchanged":
            at = anchor(report, finding)
            types.setdefault(finding.rule, described(finding.rule).title)
            level = "INFO" if finding.status == "unknown" else _SEVERITIES[severity(finding, with_it)]
            found.append((finding.rule, sentence(finding, at, with_it), at.file, at.line, level))
    lines = [
        _message("inspectionType", id=rule, name=rule, category="pliant", description=title)
        for rule, title in types.items()
    ]
    lines += [
        _message("inspection", typeId=rule, message=message, file=visible_path(file), line=str(line), SEVERITY=level)
        for rule, message, file, line, level in found
    ]
    lines.append(f"pliant: {summary(report)}; the check {reason(report)}")
    return "".join(f"{line}\n" for line in lines)


def _message(name: str, /, **values: str) -> str:
    told = "".join(f" {key}='{_escaped(value)}'" for key, value in values.items())
    return f"##teamcity[{name}{told}]"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda found: f"|{found.group()}", visible(text))
