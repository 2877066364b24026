"""Which commits a history is of, and how they fall into windows.

An *edge* is a commit with one of its parents: what `pliant check --base PARENT --head COMMIT` compares. A *version* is
what one or more commits of a window have as source files; commits that touch none share their parent's version, and
cost nothing. A window is a run of commits, parents first, whose versions and whose parents' fit one fixpoint.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from pliant.ci.errors import UserError, visible
from pliant.ci.git import Change, Repository
from pliant.ci.selection import Selection

_FIELDS: Final = "%H%x1f%T%x1f%P%x1f%ct%x1f%an%x1f%s"
_AT_ONCE: Final = 5000  # pairs of trees that one process compares
_LAST_SECOND: Final = 253_402_300_799  # of the year 9999, the last that calendars and tables have
_EPOCH_YEAR: Final = 1970
_DIGITS: Final = re.compile("[0-9]+")
_MOST_DIGITS: Final = 20
_LINE: Final = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Range:
    """What the user asked for. `since` and `until` are ISO dates or times, `paths` literal paths."""

    range: str = "HEAD"
    first_parent: bool = True
    since: str | None = None
    until: str | None = None
    paths: tuple[str, ...] = ()
    max_commits: int | None = None


@dataclass(frozen=True, slots=True)
class Commit:
    """`parents`: those that it is compared with; none for a root, which is compared with no files at all."""

    oid: str
    tree: str
    parents: tuple[str, ...]
    seconds: int  # of its committer, since 1970; clamped to what a calendar has
    subject: str
    author: str = ""
    clamped: bool = False
    touches: bool = True  # some source file differs from a parent's


@dataclass(slots=True)
class Window:
    """`outside`: parents of the commits that are not among them, with their trees."""

    index: int
    commits: list[Commit] = field(default_factory=list)
    outside: dict[str, str] = field(default_factory=dict)

    def dump(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def load(cls, dumped: dict[str, Any]) -> Window:
        commits = [Commit(**{**each, "parents": tuple(each["parents"])}) for each in dumped["commits"]]
        return cls(dumped["index"], commits, dict(dumped["outside"]))

    @property
    def edges(self) -> list[tuple[Commit, str]]:
        return [(commit, parent) for commit in self.commits for parent in commit.parents or ("",)]


@dataclass(slots=True)
class Plan:
    """`start`: the commit before the first one, if it has one; `end`: the last one."""

    commits: list[Commit]
    windows: list[Window]
    start: str
    end: str
    edges: int


def parse_range(text: str) -> tuple[str | None, str]:
    """(A, B) of `A..B`; A is None where everything that B reaches is meant."""
    if "..." in text:
        raise UserError(f"'{visible(text)}' is no range of commits: give A..B, or one revision")
    start, dots, end = text.partition("..")
    if not dots:
        return None, start or "HEAD"
    return start or None, end or "HEAD"


def plan(repository: Repository, wanted: Range, versions: int, selection: Selection) -> Plan:
    """The commits of a range and their windows of up to `versions` versions. Raises UserError where there are none."""
    oids = _listed(repository, wanted)
    if not oids:
        raise UserError(f"there is no commit in {visible(wanted.range)} that was asked for")
    commits, trees = _read(repository, oids, wanted.first_parent)
    commits = _with_touches(repository, commits, trees, selection)
    windows = windows_of(commits, trees, versions)
    edges = sum(len(window.edges) for window in windows)
    return Plan(commits, windows, commits[0].parents[0] if commits[0].parents else "", commits[-1].oid, edges)


def windows_of(commits: Sequence[Commit], trees: Mapping[str, str], versions: int) -> list[Window]:
    """Commits, parents first, cut into windows; `trees`: of all of them and of their parents."""
    windows: list[Window] = []
    for commit in commits:
        if not windows or not _fits(windows[-1], commit, versions):
            windows.append(Window(len(windows)))
        window = windows[-1]
        window.commits.append(commit)
        known = {each.oid for each in window.commits}
        window.outside.update((parent, trees[parent]) for parent in commit.parents if parent not in known)
    return windows


def _listed(repository: Repository, wanted: Range) -> list[str]:
    start, end = parse_range(wanted.range)
    options = ["--topo-order", "--reverse"]
    if wanted.first_parent:
        options.append("--first-parent")
    for name, value in (("since", wanted.since), ("until", wanted.until)):
        if value is not None:
            options.append(f"--{name}=@{_moment(name, value)} +0000")
    if wanted.max_commits is not None:
        options.append(f"--max-count={wanted.max_commits}")
    revisions = [repository.resolve(end)]
    if start is not None:
        revisions.append(f"^{repository.resolve(start)}")
    listed = repository.git("rev-list", *options, *revisions, "--", *wanted.paths)
    return listed.decode("ascii").split()


def _moment(name: str, value: str) -> int:
    """Seconds since 1970, clamped: git reads anything as a date, also what is none, and one before 1970 as today."""
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise UserError(f"--{name} '{visible(value)}' is no date: give one as 2024-01-31 or 2024-01-31T12:00") from None
    try:
        seconds = int(moment.timestamp())
    except (ValueError, OverflowError):  # a local time in the first or the last day of the calendar
        seconds = 0 if moment.year < _EPOCH_YEAR else _LAST_SECOND
    return min(max(seconds, 0), _LAST_SECOND)


def _seconds(text: str) -> tuple[int, bool]:
    """A committer's date, and whether it is none: then 1970 stands for one that is missing or none, as it does in git,
    and the end of the year 9999 for a later one."""
    if not _DIGITS.fullmatch(text):
        return 0, True
    digits = text.lstrip("0")[:_MOST_DIGITS]
    seconds = int(digits or "0")
    return min(seconds, _LAST_SECOND), seconds > _LAST_SECOND


def _read(repository: Repository, oids: Sequence[str], first_parent: bool) -> tuple[list[Commit], dict[str, str]]:
    """The commits, and the trees of theirs and of their parents."""
    found = _log(repository, oids)
    parents = {oid: each[1][:1] if first_parent else each[1] for oid, each in found.items()}
    others = [parent for oid in oids for parent in parents[oid] if parent not in found]
    trees = {oid: each[0] for oid, each in {**found, **_log(repository, list(dict.fromkeys(others)))}.items()}
    commits = [Commit(oid, found[oid][0], tuple(parents[oid]), *found[oid][2:]) for oid in oids]
    return commits, trees


def _log(repository: Repository, oids: Sequence[str]) -> dict[str, tuple[str, list[str], int, str, str, bool]]:
    if not oids:
        return {}
    asked = "".join(f"{oid}\n" for oid in oids).encode("ascii")
    done = repository.attempt(
        "log", "--stdin", "--no-walk=unsorted", "--no-show-signature", "--encoding=UTF-8", "-z",
        f"--format={_FIELDS}", stdin=asked,
    )  # fmt: skip
    if done.returncode:
        more = ": run 'git fetch --unshallow origin'" if repository.shallow else ": run 'git fsck' to see what is wrong"
        raise UserError(f"a commit of the range or a parent of one cannot be read{more}")
    found = {}
    for record in done.stdout.decode("utf-8", "replace").split("\0"):
        if record:
            oid, tree, parents, seconds, author, subject = record.split("\x1f", 5)
            clamped, odd = _seconds(seconds)
            found[oid] = (tree, parents.split(), clamped, _LINE.sub(" ", subject), _LINE.sub(" ", author), odd)
    return found


def _with_touches(
    repository: Repository, commits: Sequence[Commit], trees: dict[str, str], selection: Selection
) -> list[Commit]:
    """Which commits touch a source file."""
    edges = [(commit, parent) for commit in commits for parent in commit.parents]
    touching = {commit.oid for commit in commits if len(commit.parents) != 1}
    for start in range(0, len(edges), _AT_ONCE):
        part = edges[start : start + _AT_ONCE]
        pairs = [(trees[parent], commit.tree) for commit, parent in part]
        differing = [(edge, pair) for edge, pair in zip(part, pairs, strict=True) if pair[0] != pair[1]]
        diffs = repository.tree_diffs([pair for _, pair in differing], renames=False)
        touching.update(
            commit.oid for ((commit, _), _), diff in zip(differing, diffs, strict=True) if is_touching(diff, selection)
        )
    return [commit if commit.oid in touching else replace(commit, touches=False) for commit in commits]


def is_touching(changes: Sequence[Change], selection: Selection) -> bool:
    """Whether some source file is among the changes."""
    return any(
        entry is not None and selection.language(entry.path) is not None
        for change in changes
        for entry in (change.old, change.new)
    )


def _fits(window: Window, commit: Commit, versions: int) -> bool:
    known = {each.oid for each in window.commits}
    outside = {*window.outside, *(parent for parent in commit.parents if parent not in known)}
    used = sum(each.touches for each in window.commits) + commit.touches + len(outside)
    roots = any(not each.parents for each in [*window.commits, commit])
    return used + roots <= versions


__all__ = ["Commit", "Plan", "Range", "Window", "is_touching", "parse_range", "plan", "windows_of"]
