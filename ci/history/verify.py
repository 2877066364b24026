"""Whether a history says of each commit what `pliant check` says of it, run commit by commit."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import pyarrow.compute as pc

from pliant.ci.check import Request as CheckRequest
from pliant.ci.check import check
from pliant.ci.commits import Progress, no_progress
from pliant.ci.errors import UserError, visible_path
from pliant.ci.history import tables
from pliant.ci.history.store import change_row

T = TypeVar("T")


@dataclass(slots=True)
class Verdict:
    """`different`: (commit, parent) with what the history says and what the check does."""

    compared: int = 0
    findings: int = 0
    sizes: int = 0  # comparisons whose sizes of differences were equal
    different: list[tuple[str, str, list[Any], list[Any]]] = field(default_factory=list)


def compare(
    folder: Path,
    out: Path,
    config: Path | None,
    most: int | None,
    say: Callable[[str], None],
    progress: Progress = no_progress,
    state: Path | None = None,
) -> Verdict:
    """Checks each commit of the history in `out` against each parent; if `most` is given so many of them, half of them
    with findings that come or go where there are so many.

    States are kept in a folder of their own for as long as it takes, unless `state` is given.
    """
    try:
        commits = tables.read(out / "commits.parquet", tables.COMMITS).to_pylist()
        changes = tables.read(out / "changes.parquet", tables.CHANGES)
    except (OSError, ValueError) as error:
        raise UserError(f"{visible_path(str(out))} holds no finished history: {error}") from None
    edges = [(row, parent) for row in commits for parent in row["parents"]]
    if most is not None:
        changing = set(zip(changes["commit"].to_pylist(), changes["parent"].to_pylist(), strict=True))
        loud = [edge for edge in edges if (edge[0]["commit"], edge[1]) in changing]
        quiet = [edge for edge in edges if (edge[0]["commit"], edge[1]) not in changing]
        some = _spread(loud, max((most + 1) // 2, most - len(quiet)))
        edges = [*some, *_spread(quiet, most - len(some))]
    verdict = Verdict()
    with tempfile.TemporaryDirectory(prefix="pliant-verify-") as scratch:
        kept = state or Path(scratch)
        for number, (row, parent) in enumerate(edges):
            progress("checking commits", number, len(edges))
            request = CheckRequest(folder, parent, row["commit"], kept, unchanged=True, config=config)
            report = check(request, say)
            report.keep()
            told = [each for each in (*report.findings, *report.suppressed) if each.status != "unchanged"]
            expected = _told([change_row(each, row["commit"], parent) for each in told])
            mine = changes.filter((pc.field("commit") == row["commit"]) & (pc.field("parent") == parent))
            found = _told(mine.to_pylist())
            verdict.compared += 1
            verdict.findings += len(expected)
            if found != expected:
                verdict.different.append((row["commit"], parent, found, expected))
            if parent == row["parents"][0]:
                sizes = (report.facts.inserted, report.facts.deleted, report.derived.inserted, report.derived.deleted)
                names = ("facts_inserted", "facts_deleted", "derived_inserted", "derived_deleted")
                verdict.sizes += sizes == tuple(row[name] for name in names)
    return verdict


def _spread(edges: list[T], most: int) -> list[T]:
    """At most so many, evenly."""
    return edges if most >= len(edges) else [edges[len(edges) * index // most] for index in range(most)]


def _told(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without what only a history has, in an order of their own: a report has suppressed findings in another list."""
    found = [{name: value for name, value in row.items() if name not in ("position", "finding")} for row in rows]
    return sorted(found, key=repr)


__all__ = ["Verdict", "compare"]
