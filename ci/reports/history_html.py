"""The report of a history as one file that asks for nothing else: the tables as JSON, a style sheet and a script.

What comes from the repository is in the JSON alone, where `<` is escaped, and the script puts it into the page as text.
"""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib import resources
from pathlib import Path
from statistics import median
from typing import Any, Final

from pliant.ci.history import tables
from pliant.ci.web import Pages

_COUNTS: Final = {"files": "files", "fi": "facts_inserted", "fd": "facts_deleted", "tuples": "tuples",
                  "introduced": "introduced", "fixed": "fixed", "findings": "findings",
                  "window": "window_number"}  # fmt: skip
_AS_THEY_ARE: Final = ("line", "message", "fingerprint", "began", "ended", "commits", "suppressed")
_NAMES: Final = ("rule", "file", "function", "severity", "confidence")
_NO_PAGES: Final = Pages()
Rows = Sequence[Mapping[str, Any]]


def report(folder: Path, title: str, pages: Pages) -> str:
    """The page for the tables in `folder`. The same tables and addresses give the same page."""
    names = {
        "commits": tables.COMMITS,
        "changes": tables.CHANGES,
        "findings": tables.FINDINGS,
        "windows": tables.WINDOWS,
    }
    rows = {name: tables.read(folder / f"{name}.parquet", schema).to_pylist() for name, schema in names.items()}
    return page(title, rows["commits"], rows["changes"], rows["findings"], rows["windows"], pages)


def page(title: str, commits: Rows, changes: Rows, findings: Rows, windows: Rows, pages: Pages = _NO_PAGES) -> str:
    """pages: where the repository is on the web, so that places are links."""
    strings: dict[str, int] = {}

    def number(text: str | None) -> int:
        return strings.setdefault(text or "", len(strings))

    times = [int(row["time"].timestamp()) for row in commits]
    data = {
        "totals": _totals(commits, findings),
        "pages": asdict(pages),
        "commits": {
            "id": [row["commit"] for row in commits],
            "time": times,
            "subject": [row["subject"] for row in commits],
            "author": [row["author"] for row in commits],
            "strategy": [number(row["strategy"]) for row in commits],
            **{short: [row[name] for row in commits] for short, name in _COUNTS.items()},
        },
        "findings": {
            **{name: [row[name] for row in findings] for name in _AS_THEY_ARE},
            **{name: [number(row[name]) for row in findings] for name in _NAMES},
            "first": [row["first_position"] for row in findings],
            "last": [row["last_position"] for row in findings],
            "days": [round(row["days"], 2) for row in findings],
        },
        "changes": [
            {
                "position": row["position"],
                "status": row["status"],
                "finding": row["finding"],
                "file": row["file"],
                "line": row["line"],
                "message": row["message"],
                "when": row["fails_when"],
                "path": [[step["file"], step["line"], step["note"], step["source"]] for step in row["path"]],
            }
            for row in changes
        ],
        "windows": [dict(row) for row in windows],
        "strings": list(strings),
    }
    # Before the script, so that nothing of the repository is taken for a place to fill in.
    text = _read("history.html").replace("@STYLE@", _read("history.css")).replace("@SCRIPT@", _read("history.js"))
    start, _, end = text.partition("@DATA@")
    return start.replace("@TITLE@", html.escape(title)) + _json(data) + end


def _totals(commits: Rows, findings: Rows) -> list[tuple[str, str]]:
    fixed = [row["days"] for row in findings if row["began"] == "new" and row["ended"] == "fixed"]
    return [
        ("commits", f"{len(commits):,}"),
        ("introduced", f"{sum(row['introduced'] for row in commits):,}"),
        ("fixed", f"{sum(row['fixed'] for row in commits):,}"),
        ("before the range", f"{sum(row['began'] == 'there' for row in findings):,}"),
        ("open", f"{sum(row['ended'] == 'open' for row in findings):,}"),
        *([("unknown", f"{unknown:,}")] if (unknown := sum(row["ended"] == "unknown" for row in findings)) else []),
        ("median days to a fix", f"{median(fixed):.1f}" if fixed else "-"),
    ]


def _json(data: object) -> str:
    """In a script element: no tag can begin or end in it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _read(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


__all__ = ["page", "report"]
