"""Report formats, one file each: a module with `render(report, style) -> str`, named here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from pliant.ci.report import Report

FORMATS = {
    "text": "pliant.ci.reports.text",
    "json": "pliant.ci.reports.json",
    "sarif": "pliant.ci.reports.sarif",
}


@dataclass(frozen=True, slots=True)
class Style:
    """How a report is to look where a format leaves a choice."""

    colour: bool = False
    verbose: bool = False
    quiet: bool = False
    suppressed: bool = False  # list what comments and the baseline silence


def renderer(name: str) -> Callable[[Report, Style], str]:
    """The renderer of a format; only its module is imported."""
    render: Callable[[Report, Style], str] = import_module(FORMATS[name]).render
    return render
