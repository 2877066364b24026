"""Report formats, one file each: a module with `render(report, style) -> str`, named here.

All of them tell the findings of `report.findings` and what of the head was not analysed; one that services show beside
the diff tells them where `anchor` says. What they render goes through `service_logs`, so that none has to think of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from pliant.ci import service_logs
from pliant.ci.report import Report

FORMATS = {
    "text": "for people",
    "json": "all that is known, docs/report.md",
    "sarif": "SARIF 2.1.0, for code-scanning services",
    "github": "workflow commands of GitHub Actions",
    "gitlab": "GitLab's Code Quality",
    "rdjson": "reviewdog's diagnostics in one object",
    "rdjsonl": "the same, one on a line",
    "junit": "JUnit XML, for test reports",
    "markdown": "the body of a comment",
}


QUIET: dict[str, Callable[[str], str]] = {
    "text": service_logs.plain,
    "json": service_logs.json,
    "sarif": service_logs.json,
    "github": service_logs.in_line,  # its own commands start with colons, and their data is escaped
    "gitlab": service_logs.json,
    "rdjson": service_logs.json,
    "rdjsonl": service_logs.json,
    "junit": service_logs.xml,
    "markdown": service_logs.plain,
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
    return lambda report, style: QUIET[name](render(report, style))
