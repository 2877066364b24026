"""The versions of a window: which files each has, and the facts of all of them with the versions that have them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pliant.ci.errors import UserError, visible_path
from pliant.ci.git import Change, Repository
from pliant.ci.history.plan import Window
from pliant.ci.selection import Selection
from pliant.ci.snapshot import Snapshot
from pliant.engine import Batch, Program, VersionedFacts
from pliant.extractors import repository as repository_facts
from pliant.extractors.blobs import FactCache, Read, Source
from pliant.extractors.seal import NoKey, shared_or_own
from pliant.extractors.tables import FactTable, from_facts, together
from pliant.extractors.writer import FactWriter

NOTHING = ""  # as a commit: the parent of a root


@dataclass(slots=True)
class Versions:
    """`of_commit`: a version number for each commit and each parent outside. `snapshots`: by version. `changes`: by
    (parent, commit), with renames."""

    of_commit: dict[str, int] = field(default_factory=dict)
    snapshots: list[Snapshot] = field(default_factory=list)
    changes: dict[tuple[str, str], list[Change]] = field(default_factory=dict)

    def add(self, commit: str, snapshot: Snapshot) -> None:
        self.of_commit[commit] = len(self.snapshots)
        self.snapshots.append(snapshot)


def read_versions(repository: Repository, window: Window, selection: Selection) -> Versions:
    """The files of all commits of a window, from tree differences; only of commits outside whole trees are listed."""
    trees = {**window.outside, **{commit.oid: commit.tree for commit in window.commits}}
    edges = [(parent, commit) for commit in window.commits for parent in commit.parents]
    differing = [(parent, commit) for parent, commit in edges if trees[parent] != commit.tree]
    diffs = repository.tree_diffs([(trees[parent], commit.tree) for parent, commit in differing])
    found = Versions()
    found.changes = {(parent, commit.oid): [] for parent, commit in edges}
    found.changes.update(
        ((parent, commit.oid), changes) for (parent, commit), changes in zip(differing, diffs, strict=True)
    )
    for parent in window.outside:
        found.add(parent, Snapshot.of(repository.tree(parent), selection))
    for commit in window.commits:
        if not commit.parents:
            if NOTHING not in found.of_commit:
                found.add(NOTHING, Snapshot(selection=selection))
            snapshot = Snapshot.of(repository.tree(commit.oid), selection)
            found.changes[NOTHING, commit.oid] = [Change(None, entry) for entry in repository.tree(commit.oid)]
            found.add(commit.oid, snapshot)
            continue
        version = found.of_commit[commit.parents[0]]
        if not commit.touches and len(commit.parents) == 1:
            found.of_commit[commit.oid] = version
        else:
            found.add(commit.oid, found.snapshots[version].changed(found.changes[commit.parents[0], commit.oid]))
    return found


def fact_cache(folder: Path, say: Callable[[str], None] = lambda message: None) -> FactCache:
    """The cache that checks use, too. Raises UserError where there is no key to tell what was written by whom."""
    try:
        return FactCache(folder, say, shared_or_own())
    except NoKey as error:
        raise UserError(f"the fact cache cannot be used: {visible_path(str(error))}") from None


def ensure(cache: FactCache, snapshots: Sequence[Snapshot], read: Read) -> int:
    """Has the facts of all files of all versions at hand, and the summaries complete; how many blobs were extracted."""
    distinct = {source.key: source for snapshot in snapshots for source in snapshot.sources.values()}
    extracted = cache.ensure(distinct.values(), read)
    if extracted:
        cache.flush()
    by_key = dict(zip(distinct, cache.summaries(list(distinct.values())), strict=True))
    for snapshot in snapshots:
        for path, source in snapshot.sources.items():
            if path not in snapshot.summaries:
                snapshot.summaries[path] = by_key[source.key]
    return extracted


def facts_of(program: Program, snapshots: Sequence[Snapshot], cache: FactCache, selection: Selection) -> VersionedFacts:
    """All facts of all versions, each with the versions that have it."""
    files: dict[tuple[str, str], int] = {}  # (path, blob) -> versions
    sources: dict[tuple[str, str], Source] = {}
    contexts: dict[Hashable, tuple[int, Callable[[FactWriter], None]]] = {}
    for version, snapshot in enumerate(snapshots):
        for source in snapshot.sources.values():
            key = (source.path, source.oid)
            files[key] = files.get(key, 0) | 1 << version
            sources[key] = source
        for part, write in repository_facts.context_parts(
            snapshot.summaries, selection.is_test, selection.config.models
        ):
            contexts[part] = contexts.get(part, (0, write))[0] | 1 << version, write
    tables: list[FactTable] = []
    parts: dict[str, list[npt.NDArray[np.uint64]]] = {}

    def add(table: FactTable, set_of_row: dict[str, npt.NDArray[np.uint64]]) -> None:
        tables.append(table)
        for name, sets in set_of_row.items():
            parts.setdefault(name, []).append(sets)

    if files:
        table, of_source = cache.table_by_source([sources[key] for key in files])
        sets = np.array(list(files.values()), np.uint64)
        add(table, {name: sets[numbers] for name, numbers in of_source.items()})
    for versions, write in contexts.values():
        writer = FactWriter()
        write(writer)
        table = from_facts(writer.finish())
        add(table, {name: np.full(len(rows), versions, np.uint64) for name, rows in table.rows.items()})
    every = together(tables)
    sets_of = {name: np.concatenate(some) for name, some in parts.items()}
    return VersionedFacts.of(program, Batch(every.symbols, every.rows), sets_of, len(snapshots))


__all__ = ["NOTHING", "Versions", "ensure", "fact_cache", "facts_of", "read_versions"]
