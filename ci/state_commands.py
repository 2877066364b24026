"""`pliant state`: what the state directory of a repository holds, what of it goes, and whether it is right."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pliant.ci.commits import Commits, Console, Progress, State, no_progress
from pliant.ci.config import Config, default, of_commit
from pliant.ci.errors import UserError, visible, visible_path
from pliant.ci.git import Repository
from pliant.ci.inventory import Bounds, Inventory, Stored
from pliant.ci.selection import Selection
from pliant.ci.state import BOUNDS, StateStore, collect, state_folder
from pliant.engine import StateError

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_AGES = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}


@dataclass(frozen=True, slots=True)
class Line:
    """A state as `ls` lists it. `own`: bytes of files that no other state shares. `base`: the commit whose state it is
    a delta on, "" where that has gone. `current`: of this version's program and extractors."""

    commit: str
    program: str
    current: bool
    size: int
    own: int
    used: float
    layers: int
    base: str


@dataclass(frozen=True, slots=True)
class RelationLine:
    name: str
    tuples: int
    size: int
    levels: int
    digest: str


@dataclass(frozen=True, slots=True)
class Shown:
    commit: str
    folder: Path
    program: str
    digest: str
    files: int
    symbols: int
    layers: list[tuple[str, int]]  # id and bytes, the newest first
    relations: list[RelationLine]


@dataclass(frozen=True, slots=True)
class Collected:
    removed: list[Stored]
    freed: int
    left: int
    size: int


@dataclass(frozen=True, slots=True)
class Verified:
    """`built` is None where there is nothing to compare with; `problem` says why."""

    commit: str
    stored: str | None
    built: str | None
    problem: str = ""

    @property
    def equal(self) -> bool:
        return self.stored is not None and self.stored == self.built


def parse_size(text: str) -> int:
    """Bytes of `500M`, `2G`, `1024`."""
    match = re.fullmatch(r"(\d{1,15})([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    if match is None:
        raise UserError(f"a size such as 500M or 2G is expected, not {visible(text)!r}")
    return int(match[1]) * _UNITS[match[2].upper()]


def parse_age(text: str) -> float:
    """Seconds of `30d`, `12h`."""
    match = re.fullmatch(r"(\d{1,9})([smhdw])", text.strip())
    if match is None:
        raise UserError(f"an age such as 30d, 12h or 90m is expected, not {visible(text)!r}")
    return float(int(match[1]) * _AGES[match[2]])


def listing(folder: Path, state: Path | None, say: Callable[[str], None]) -> tuple[Path, list[Line], int]:
    """The state directory, what it holds, the state used last first, and the bytes of all of it."""
    with opened(folder, state, say) as (commits, _):
        inventory = Inventory.of(commits.store.commits_folder, layers=True)
        by_layer = {stored.layers[0]: stored.commit for stored in reversed(inventory.states) if stored.layers}
        lines = [
            Line(
                stored.commit,
                stored.program,
                stored.key == commits.store.key,
                stored.size,
                inventory.own_size(stored),
                stored.used,
                len(stored.layers),
                by_layer.get(stored.layers[1], "") if len(stored.layers) > 1 else "",
            )
            for stored in inventory.states
        ]
        return commits.store.folder, lines, inventory.size


def show(folder: Path, revision: str, state: Path | None, say: Callable[[str], None]) -> Shown:
    """What the state of a commit holds; every relation is read and checked."""
    with opened(folder, state, say) as (commits, repository):
        commit = repository.resolve(revision)
        found = state_of(commits, commit)
        if found is None:
            raise no_state(revision, commit, commits)
        try:
            saved = found.evaluation.saved
            assert saved is not None
            digests = found.evaluation.relation_digests()
            relations = []
            for name in commits.program.stored:
                levels, _ = found.evaluation.levels_counts(name)
                height = int(levels.max()) if len(levels) else 0
                relations.append(RelationLine(name, len(levels), saved.size_of(name), height, digests[name]))
            return Shown(
                commit,
                commits.store.at(commit),
                commits.program.hash,
                found.evaluation.digest(),
                len(found.snapshot.sources),
                len(found.evaluation.symbols),
                [(layer.id, layer.size) for layer in reversed(saved.layers)],
                relations,
            )
        except StateError as error:
            raise UserError(
                f"the state of {commit[:12]} is damaged, a check makes it anew: {visible(str(error))}"
            ) from None


def collected(folder: Path, state: Path | None, bounds: Bounds, *, dry_run: bool) -> Collected:
    """Removes what is past the bounds (the automatic ones, if none is given), and what cut-short processes left."""
    if bounds == Bounds():
        bounds = BOUNDS
    with Repository.open(folder) as repository:
        commits = state_folder(repository, state) / "commits"
    before = Inventory.of(commits)
    victims = before.past(bounds)
    freed = before.freed(victims)
    if not dry_run:
        try:
            victims = collect(commits, bounds)
        except OSError as error:
            raise UserError(f"states cannot be removed from {visible_path(str(commits))}: {error.strerror}") from None
    return Collected(victims, freed, len(before.states) - len(victims), before.size - freed)


def verified(
    folder: Path, revision: str | None, state: Path | None, say: Callable[[str], None], progress: Progress = no_progress
) -> list[Verified]:
    """Compares the digest of a commit's state, or of every one of this version, with that of a Bootstrap."""
    with opened(folder, state, say, progress) as (commits, repository):
        there = commits.store.available()
        chosen = sorted(there) if revision is None else [repository.resolve(revision)]
        if revision is not None and chosen[0] not in there:
            raise no_state(revision, chosen[0], commits)
        return [_verify(commits, repository, commit) for commit in chosen]


def _verify(commits: Commits, repository: Repository, commit: str) -> Verified:
    try:
        found = state_of(commits, commit)
        stored = found.evaluation.digest() if found else None
    except StateError as error:
        return Verified(commit, None, None, f"damaged: {visible(str(error))}")
    if stored is None:
        return Verified(commit, None, None, "damaged, and removed")
    try:
        snapshot = commits.snapshot(repository.tree(repository.resolve(commit)))
    except UserError as error:
        return Verified(commit, stored, None, f"not compared: {error}")
    return Verified(commit, stored, commits.bootstrap(snapshot, repository.read).evaluation.digest())


def no_state(revision: str, commit: str, commits: Commits) -> UserError:
    folder = visible_path(str(commits.store.folder))
    hint = "pliant state ls lists those that there are"
    return UserError(f"there is no state of {visible(revision)} ({commit[:12]}) in {folder}: {hint}")


def state_of(commits: Commits, commit: str) -> State | None:
    opened = commits.store.open(commit, commits.program, commits.selection)
    return State(*opened, "stored") if opened else None


@contextmanager
def opened(
    folder: Path, state: Path | None, say: Callable[[str], None], progress: Progress = no_progress
) -> Iterator[tuple[Commits, Repository]]:
    with Repository.open(folder) as repository:
        where = state_folder(repository, state)
        selection = Selection(_config_of_head(repository))
        store = partial(StateStore, where, say=say)
        yield Commits(repository, store, Console(say, progress=progress), selection=selection), repository


def _config_of_head(repository: Repository) -> Config:
    """The configuration that says which states are current; the default where there is no commit yet."""
    try:
        head = repository.resolve("HEAD")
    except UserError:
        return default()
    return of_commit(repository, head, "HEAD")
