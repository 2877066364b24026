"""Report formats, one file each: a module with `render(report, style) -> str`, named here.

All of them tell the findings of `report.findings` and what of the head was not analysed; one that services show beside
the diff tells them where `anchor` says. What they render goes through `service_logs`, so that none has to think of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from pliant.ci import service_logs

if TYPE_CHECKING:
    from pliant.ci.report import Report


@dataclass(frozen=True, slots=True)
class Format:
    """use: what it is for. quiet: makes its text one in which no line is a command that the format has not made."""

    use: str
    quiet: Callable[[str], str]


FORMATS = {
    "text": Format("for people", service_logs.plain),
    "concise": Format("a finding on one line, for editors", service_logs.plain),
    "json": Format("all that is known, docs/report.md", service_logs.json),
    "sarif": Format("SARIF 2.1.0, for code-scanning services", service_logs.json),
    # Its own commands start with colons, and their data is escaped.
    "github": Format("workflow commands of GitHub Actions", service_logs.in_line),
    "gitlab": Format("GitLab's Code Quality", service_logs.json),
    "azure": Format("logging commands of Azure Pipelines", str),  # it escapes all that it tells
    "teamcity": Format("service messages of TeamCity", str),  # the same
    "rdjson": Format("reviewdog's diagnostics in one object", service_logs.json),
    "rdjsonl": Format("the same, one on a line", service_logs.json),
    "junit": Format("JUnit XML, for test reports", service_logs.xml),
    "markdown": Format("the body of a comment", service_logs.plain),
}


@dataclass(frozen=True, slots=True)
class Style:
    """How a report is to look where a format leaves a choice."""

    colour: bool = False
    verbose: bool = False
    quiet: bool = False
    suppressed: bool = False  # list what comments and the baseline silence


def renderer(name: str) -> Callable[[Report, Style], str]:
    """The renderer of a format; only its module is imported. No line of its text is a command to a CI service that the
    format has not made."""
    render: Callable[[Report, Style], str] = import_module(f"{__package__}.{name}").render
    return lambda report, style: FORMATS[name].quiet(render(report, style))
