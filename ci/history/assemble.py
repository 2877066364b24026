"""All windows put together: the tables of the whole history. The same windows give the same bytes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Final

import pyarrow as pa

from pliant.ci.history import tables
from pliant.ci.history.lifetimes import Compared, Lifetime, Lifetimes
from pliant.ci.history.plan import Plan
from pliant.ci.history.store import Store
from pliant.ci.history.versions import NOTHING

_DAY: Final = 86_400_000.0  # milliseconds


@dataclass(slots=True)
class Totals:
    """What a summary says. open, unknown: findings that the last commit has, and may have. days: the median lifetime of
    findings that were introduced and fixed."""

    commits: int = 0
    introduced: int = 0
    fixed: int = 0
    before: int = 0
    open: int = 0
    unknown: int = 0
    days: float | None = None


def assemble(plan: Plan, store: Store, *, authors: bool = False) -> Totals:
    """Writes the tables from windows that are all there. authors: whether they say who made a commit."""
    lifetimes = Lifetimes(line=all(len(commit.parents) < 2 for commit in plan.commits))
    children = Counter(parent for commit in plan.commits for parent in commit.parents)
    commits: list[dict[str, Any]] = []
    changes: list[dict[str, Any]] = []
    windows: list[dict[str, Any]] = []
    known: set[str] = {NOTHING}
    position = 0
    for window in plan.windows:
        stored = store.get(window.index)
        windows.append({name: stored.numbers.get(name, 0.0) for name in tables.WINDOWS.names})
        rows_of = _rows(stored.changes, stored.listing, stored.edges)
        edges = {(row["parent"], row["commit"]): row for row in stored.edges.to_pylist()}
        for commit in window.commits:
            parents = commit.parents or (NOTHING,)
            for parent in parents:
                if parent not in known:
                    lifetimes.outside(parent, rows_of[None, parent].unchanged, position)
                    known.add(parent)
            compared = {
                parent: rows_of[parent, commit.oid] if edges[parent, commit.oid]["compared"] else None
                for parent in parents
            }
            introduced, fixed, findings = lifetimes.commit(commit, position, compared)
            known.add(commit.oid)
            first = edges[parents[0], commit.oid]
            commits.append(
                {
                    "position": position,
                    "commit": commit.oid,
                    "parents": [parent for parent in parents if parent],
                    "time": commit.seconds * 1000,
                    "subject": commit.subject,
                    "author": commit.author if authors else None,
                    **{name: first[name] for name in _OF_FIRST},
                    "introduced": introduced,
                    "fixed": fixed,
                    "findings": findings,
                    "window_number": window.index,
                    "strategy": stored.numbers["strategy"],
                }
            )
            for parent in parents:
                told = lifetimes.of_change.pop((parent, commit.oid), {})
                for row in rows_of[parent, commit.oid].told:
                    lifetime = told.get(id(row), -1)
                    changes.append({**row, "position": position, "finding": lifetime if lifetime >= 0 else None})
                children[parent] -= 1
                if children[parent] <= 0 and parent != NOTHING:
                    lifetimes.forget(parent)
            position += 1
    found = lifetimes.finish()
    store.write_table("commits.parquet", tables.table(tables.COMMITS, commits))
    store.write_table("changes.parquet", tables.table(tables.CHANGES, changes))
    store.write_table("findings.parquet", tables.table(tables.FINDINGS, [_lifetime(each, commits) for each in found]))
    store.write_table("windows.parquet", tables.table(tables.WINDOWS, windows))
    return _totals(found, commits)


_SIZES: Final = ("facts_inserted", "facts_deleted", "derived_inserted", "derived_deleted", "tuples")
_OF_FIRST: Final = ("files", *_SIZES, "left_out")


def _rows(changes: pa.Table, listing: pa.Table, edges: pa.Table) -> defaultdict[tuple[str | None, str], Compared]:
    """By (parent, commit)."""
    found: defaultdict[tuple[str | None, str], Compared] = defaultdict(Compared)
    for row in edges.to_pylist():
        found[row["parent"], row["commit"]].regained = {(each["file"], each["what"]) for each in row["regained"]}
    for row in changes.to_pylist():
        of_edge = found[row["parent"], row["commit"]]
        of_edge.told.append(row)
        if row["status"] == "unknown":
            # What the head has may be as old as anything that could not be read before.
            of_base = any(each["side"] == "head" for each in row["unread"])
            (of_edge.lost if of_base else of_edge.unchanged).append(row)
        else:
            (of_edge.new if row["status"] == "new" else of_edge.fixed).append(row)
    for row in listing.to_pylist():
        found[row["parent"], row["commit"]].unchanged.append(row)
    return found


def _lifetime(each: Lifetime, commits: Sequence[dict[str, Any]]) -> dict[str, Any]:
    begin = commits[max(each.first, 0)]["time"]
    ended = None if each.last is None else commits[each.last]
    end = ended["time"] if ended else commits[-1]["time"]
    return {
        "id": each.id,
        **{name: each.row[name] for name in tables.OF_A_FINDING},
        "began": each.began,
        "first": each.first_commit,
        "first_position": each.first,
        "first_time": begin,
        "ended": each.ended,
        "last": ended["commit"] if ended else None,
        "last_position": each.last,
        "last_time": ended["time"] if ended else None,
        "commits": each.commits,
        "days": max(0, end - begin) / _DAY,
    }


def _totals(found: Sequence[Lifetime], commits: Sequence[dict[str, Any]]) -> Totals:
    lived = [
        max(0, commits[each.last]["time"] - commits[each.first]["time"]) / _DAY
        for each in found
        if each.began == "new" and each.ended == "fixed" and each.last is not None
    ]
    unknown = sum(each.ended == "unknown" for each in found)
    return Totals(
        commits=len(commits),
        introduced=sum(each["introduced"] for each in commits),
        fixed=sum(each["fixed"] for each in commits),
        before=sum(each.began == "there" for each in found),
        open=commits[-1]["findings"] - unknown,
        unknown=unknown,
        days=median(lived) if lived else None,
    )


__all__ = ["Totals", "assemble"]
