"""JUnit XML: a test case for each new finding, failed if it makes the check fail; one with an error for what was not
analysed, a skipped one for each finding that is unknown; where there is none of these, one that passes."""

from __future__ import annotations

from xml.etree import ElementTree as Xml

from pliant.analyses.findings import Finding
from pliant.ci.errors import printable, printable_path
from pliant.ci.report import Report
from pliant.ci.reports import Style
from pliant.ci.reports.anchor import NOT_ANALYSED, anchor, listed, sentence
from pliant.ci.reports.remarks import Told, left_out


def render(report: Report, style: Style) -> str:
    failing = {id(finding) for finding in report.failing()}
    findings = [finding for finding in listed(report) if finding.status == "new"]
    unknown = report.of_status("unknown")
    skipped = left_out(report)
    counts = {
        "tests": str(max(len(findings) + len(unknown) + len(skipped), 1)),
        "failures": str(len(failing)),
        "errors": str(len(skipped)),
        "time": f"{sum(report.seconds.values()):.3f}",
    }
    suites = Xml.Element("testsuites", {"name": "pliant", **counts})
    suite = Xml.SubElement(suites, "testsuite", {"name": "pliant", "skipped": str(len(unknown)), **counts})
    for told in skipped:
        _left_out(suite, told)
    for finding in findings:
        _case(suite, finding, failed=id(finding) in failing)
    for finding in unknown:
        case = _named(suite, finding.rule, finding.file, finding.line)
        Xml.SubElement(case, "skipped", {"message": printable(sentence(finding, anchor(report, finding)))})
    if not findings and not unknown and not skipped:
        Xml.SubElement(suite, "testcase", {"classname": "pliant", "name": "no new finding", "time": counts["time"]})
    Xml.indent(suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{Xml.tostring(suites, encoding="unicode")}\n'


def _named(suite: Xml.Element, rule: str, file: str, line: int) -> Xml.Element:
    file = printable_path(file)
    attributes = {"classname": file, "name": f"{printable(rule)} {file}:{line}", "file": file, "line": str(line)}
    return Xml.SubElement(suite, "testcase", {**attributes, "time": "0"})


def _left_out(suite: Xml.Element, told: Told) -> None:
    case = _named(suite, NOT_ANALYSED, told.file, told.line)
    message = printable(told.message)
    error = Xml.SubElement(case, "error", {"type": NOT_ANALYSED, "message": message})
    error.text = f"{printable_path(told.file)}:{told.line}: {message}"


def _case(suite: Xml.Element, finding: Finding, *, failed: bool) -> None:
    # What XML cannot hold (control characters, surrogates) is not printable, and so escaped.
    file = printable_path(finding.file)
    case = _named(suite, finding.rule, finding.file, finding.line)
    steps = [f"{printable_path(step.file)}:{step.line}: {printable(step.note)}" for step in finding.path]
    causes = [f"{printable_path(place.file)}:{place.line}: a changed line that causes it" for place in finding.cause]
    causes += [
        f"{printable_path(removed.file)}:{removed.line}: a removed line that causes it" for removed in finding.removed
    ]
    when = [printable(finding.fails_when)] if finding.fails_when else []
    text = "\n".join([f"{file}:{finding.line}: {printable(finding.message)}", *when, *steps, *causes])
    if failed:
        told_as = {"type": printable(finding.rule), "message": printable(finding.message)}
        Xml.SubElement(case, "failure", told_as).text = text
    else:
        Xml.SubElement(case, "system-out").text = text
