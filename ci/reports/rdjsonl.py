"""reviewdog's diagnostics, one on a line."""

from __future__ import annotations

import json

from pliant.ci.report import Report
from pliant.ci.reports import Style
from pliant.ci.reports.rdjson import diagnostics


def render(report: Report, style: Style) -> str:
    return "".join(json.dumps(each) + "\n" for each in diagnostics(report))
