"""Logging commands of Azure Pipelines: issues of the run, with their places.

Data is visible text in one line, escaped as the agent reads it back: nothing that comes from the repository can start a
command of its own.
"""

from __future__ import annotations

from pliant.ci.causes import by_cause, severity
from pliant.ci.errors import visible, visible_path
from pliant.ci.report import Report
from pliant.ci.reports import Style
from pliant.ci.reports.anchor import NOT_ANALYSED, anchor, line_of, reason, sentence, shown, summary
from pliant.ci.reports.remarks import left_out


def render(report: Report, style: Style) -> str:
    lines = []
    for told in left_out(report):
        lines.append(_issue("warning", told.file, line_of(report, told), NOT_ANALYSED, told.message))
    for finding, with_it in by_cause(shown(report)):
        if finding.status != "unchanged":
            at = anchor(report, finding)
            level = "error" if severity(finding, with_it) == "error" and finding.status == "new" else "warning"
            lines.append(_issue(level, at.file, at.line, finding.rule, sentence(finding, at, with_it)))
    lines.append(f"pliant: {summary(report)}; the check {reason(report)}")
    return "".join(f"{line}\n" for line in lines)


def _issue(level: str, file: str, line: int, code: str, message: str) -> str:
    properties = {"type": level, "sourcepath": visible_path(file), "linenumber": str(line), "code": code}
    joined = "".join(f"{name}={_property(value)};" for name, value in properties.items())
    return f"##vso[task.logissue {joined}]{_data(message)}"


def _data(text: str) -> str:
    return visible(text).replace("%", "%AZP25")


def _property(text: str) -> str:
    return _data(text).replace(";", "%3B").replace("]", "%5D")
