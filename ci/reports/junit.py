"""JUnit XML: a test case for each new finding, failed if it makes the check fail; else one that passes."""

from __future__ import annotations

from xml.etree import ElementTree as Xml

from pliant.analyses.findings import Finding
from pliant.ci.errors import visible, visible_path
from pliant.ci.report import Report
from pliant.ci.reports import Style
from pliant.ci.reports.anchor import told


def render(report: Report, style: Style) -> str:
    failing = {id(finding) for finding in report.failing()}
    findings = [finding for finding in told(report) if finding.status == "new"]
    seconds = f"{sum(report.seconds.values()):.3f}"
    counts = {"tests": str(max(len(findings), 1)), "failures": str(len(failing)), "errors": "0", "time": seconds}
    suites = Xml.Element("testsuites", {"name": "pliant", **counts})
    suite = Xml.SubElement(suites, "testsuite", {"name": "pliant", "skipped": "0", **counts})
    for finding in findings:
        _case(suite, finding, failed=id(finding) in failing)
    if not findings:
        Xml.SubElement(suite, "testcase", {"classname": "pliant", "name": "no new finding", "time": seconds})
    Xml.indent(suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{Xml.tostring(suites, encoding="unicode")}\n'


def _case(suite: Xml.Element, finding: Finding, *, failed: bool) -> None:
    # What XML cannot hold (control characters, surrogates) is not printable, and so escaped.
    file = visible_path(finding.file)
    name = f"{visible(finding.rule)} {file}:{finding.line}"
    case = Xml.SubElement(
        suite, "testcase", {"classname": file, "name": name, "file": file, "line": str(finding.line), "time": "0"}
    )
    steps = [f"{visible_path(step.file)}:{step.line}: {visible(step.note)}" for step in finding.path]
    causes = [f"{visible_path(place.file)}:{place.line}: a changed line that causes it" for place in finding.cause]
    text = "\n".join([f"{file}:{finding.line}: {visible(finding.message)}", *steps, *causes])
    if failed:
        told_as = {"type": visible(finding.rule), "message": visible(finding.message)}
        Xml.SubElement(case, "failure", told_as).text = text
    else:
        Xml.SubElement(case, "system-out").text = text
