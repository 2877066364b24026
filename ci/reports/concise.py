"""One line a finding, `file:line:column: severity rule message`, as compilers write it: editors find the places."""

from __future__ import annotations

from pliant.ci.errors import visible, visible_path
from pliant.ci.report import Report
from pliant.ci.reports import Style
from pliant.ci.reports.anchor import NOT_ANALYSED, reason, summary, why_unknown
from pliant.ci.reports.remarks import left_out


def render(report: Report, style: Style) -> str:
    lines = [
        f"{visible_path(told.file)}:{told.line}:1: warning {NOT_ANALYSED} {visible(told.message)}"
        for told in left_out(report)
    ]
    for finding in report.findings:
        status = "" if finding.status == "new" else f" ({finding.status})"
        if finding.status == "unknown":
            status = f" (unknown: {why_unknown(finding)})"
        place = f"{visible_path(finding.file)}:{finding.line}:{finding.column}"
        lines.append(f"{place}: {finding.severity} {visible(finding.rule)} {visible(finding.message + status)}")
    if style.quiet:
        lines.clear()
    lines.append(f"{summary(report)}; the check {reason(report)}")
    return "".join(f"{line}\n" for line in lines)
