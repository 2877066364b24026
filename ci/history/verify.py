"""Whether a history says of each commit what `pliant check` says of it, run commit by commit."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import pyarrow.compute as pc

from pliant.ci.check import check
from pliant.ci.commits import Progress, no_progress
from pliant.ci.comparison import Request as CheckRequest
from pliant.ci.errors import UserError, visible_path
from pliant.ci.history import tables
from pliant.ci.history.store import change_row

T = TypeVar("T")
Edge = tuple[dict[str, Any], str]  # a row of commits.parquet, and one of its parents


@dataclass(frozen=True, slots=True)
class Compared:
    """A commit and a parent: what the history says of them and what a check does. `sizes`: whether the differences of
    facts and of what is derived are as large; None against parents but the first, where a history does not tell it."""

    commit: str
    parent: str
    found: list[dict[str, Any]]
    expected: list[dict[str, Any]]
    sizes: bool | None

    @property
    def equal(self) -> bool:
        return self.found == self.expected


class Finished:
    """A finished history. Raises UserError where `out` holds none."""

    def __init__(self, out: Path):
        try:
            self.commits = tables.read(out / "commits.parquet", tables.COMMITS).to_pylist()
            self._changes = tables.read(out / "changes.parquet", tables.CHANGES)
        except (OSError, ValueError) as error:
            raise UserError(f"{visible_path(str(out))} holds no finished history: {error}") from None

    def edges(self, most: int | None = None) -> list[Edge]:
        """Each commit with each parent; if `most` is given so many of them, half of them with findings that come or go
        where there are so many."""
        edges = [(row, parent) for row in self.commits for parent in row["parents"]]
        if most is None:
            return edges
        pairs = zip(self._changes["commit"].to_pylist(), self._changes["parent"].to_pylist(), strict=True)
        changing = set(pairs)
        loud = [edge for edge in edges if (edge[0]["commit"], edge[1]) in changing]
        quiet = [edge for edge in edges if (edge[0]["commit"], edge[1]) not in changing]
        some = _spread(loud, max((most + 1) // 2, most - len(quiet)))
        return [*some, *_spread(quiet, most - len(some))]

    def compared(
        self, folder: Path, config: Path | None, state: Path, edges: Iterable[Edge], say: Callable[[str], None]
    ) -> Iterator[Compared]:
        """Checks one by one, each on the states in `state`, where those that it makes are kept."""
        for row, parent in edges:
            report = check(CheckRequest(folder, parent, row["commit"], state, unchanged=True, config=config), say)
            report.keep()
            every = (*report.findings, *report.suppressed)
            told = [each for each in every if each.status != "unchanged" and not each.further]
            expected = _told([change_row(each, row["commit"], parent, report.line) for each in told])
            mine = self._changes.filter((pc.field("commit") == row["commit"]) & (pc.field("parent") == parent))
            sizes = None
            if parent == row["parents"][0]:
                numbers = (report.facts.inserted, report.facts.deleted, report.derived.inserted, report.derived.deleted)
                sizes = numbers == tuple(row[name] for name in _SIZES)
            yield Compared(row["commit"], parent, _told(mine.to_pylist()), expected, sizes)


@dataclass(slots=True)
class Verdict:
    """`sizes`: comparisons whose sizes of differences were equal."""

    compared: int = 0
    findings: int = 0
    sizes: int = 0
    different: list[Compared] = field(default_factory=list)

    def add(self, each: Compared) -> None:
        self.compared += 1
        self.findings += len(each.expected)
        self.sizes += each.sizes is True
        if not each.equal:
            self.different.append(each)


def compare(
    folder: Path,
    out: Path,
    config: Path | None,
    most: int | None,
    say: Callable[[str], None],
    progress: Progress = no_progress,
    state: Path | None = None,
) -> Verdict:
    """Checks each commit of the history in `out` against each parent, or `most` of them.

    States are kept in a folder of their own for as long as it takes, unless `state` is given.
    """
    finished = Finished(out)
    edges = finished.edges(most)
    verdict = Verdict()
    with tempfile.TemporaryDirectory(prefix="pliant-verify-") as scratch:
        for number, each in enumerate(finished.compared(folder, config, state or Path(scratch), edges, say)):
            progress("checking commits", number + 1, len(edges))
            verdict.add(each)
    return verdict


_SIZES: Final = ("facts_inserted", "facts_deleted", "derived_inserted", "derived_deleted")


def _spread(edges: list[T], most: int) -> list[T]:
    """At most so many, evenly."""
    return edges if most >= len(edges) else [edges[len(edges) * index // most] for index in range(most)]


def _told(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without what only a history has, in an order of their own: a report has suppressed findings in another list."""
    found = [{name: value for name, value in row.items() if name not in ("position", "finding")} for row in rows]
    return sorted(found, key=partial(json.dumps, sort_keys=True, default=repr))


__all__ = ["Compared", "Edge", "Finished", "Verdict", "compare"]
