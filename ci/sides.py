"""The two sides of a comparison: from what the user or a service calls them to commits, and their merge base."""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass

from pliant.ci.base import Candidate, candidates
from pliant.ci.errors import UserError, visible
from pliant.ci.git import Repository
from pliant.ci.report import Revision
from pliant.ci.revision import WORKTREE

_PARENTS = re.compile(r"[~^]")  # behind a name: commits that lie behind it, which deepening may bring
_DEPTHS = (50, 200, 1000, 0)  # commits that a shallow clone is deepened by, one after the other; 0 for all


@dataclass(frozen=True, slots=True)
class Sides:
    """The commits to compare; `head_commit` is the one a work tree stands on, too; `base_tip` is what the base was
    called, `base_commit` its merge base with the head."""

    base: Revision
    head: Revision
    base_commit: str
    head_commit: str
    base_tip: str


def resolve(repository: Repository, base: str | None, head: str, *, deepen: bool = False) -> tuple[Sides, list[str]]:
    """The two sides, and notes for the reader. `deepen`: what a clone lacks may be fetched from `origin`."""
    notes: list[str] = []
    head_name = "HEAD" if head == WORKTREE else head
    head_commit = repository.resolve(head_name)
    name, base_tip = _base(repository, base, head_commit, notes, deepen=deepen)
    base_commit = _merge_base(repository, base_tip, head_commit, (name, head), notes, deepen=deepen)
    if base_commit == head_commit and head != WORKTREE:
        hint = ": give --base REV, such as HEAD~10, or --head WORKTREE" if base is None else ""
        notes.append(f"{head} adds no commit to {name}, so there is nothing to compare{hint}")
    sides = Sides(
        Revision(name, base_commit),
        Revision(head, None if head == WORKTREE else head_commit),
        base_commit,
        head_commit,
        base_tip,
    )
    return sides, notes


def _base(repository: Repository, base: str | None, head: str, notes: list[str], *, deepen: bool) -> tuple[str, str]:
    """What the base is called, and the commit that it is."""
    if base is not None:
        if deepen:
            _deepen(repository, base)
        return base, repository.resolve(base)
    asked = candidates(repository.folder)
    for candidate in asked:
        commit = repository.find(candidate.revision)
        if commit is None and deepen:
            with contextlib.suppress(UserError):  # what the remote has not either is told below
                _fetch(repository, candidate)
            commit = repository.find(candidate.revision)
        if commit is not None:
            return candidate.revision if candidate.branch else commit[:12], commit
    if asked and (repository.shallow or not asked[0].pushed):
        raise UserError(_why_no_base(repository, asked[0]))
    if asked:
        notes.append(f"the commit before the push ({asked[0].revision[:12]}) has gone, as by a force push")
    ref = repository.default_branch()
    name = ref.removeprefix("refs/heads/").removeprefix("refs/remotes/")
    tip = repository.resolve(ref)
    if asked and tip == head and (parent := repository.find(f"{head}^1")):
        return f"{head[:12]}^1", parent
    return name, tip


def _deepen(repository: Repository, revision: str) -> None:
    """Fetch what lies between a commit that is here and one that is named from it, as in `HEAD~10`."""
    name = _PARENTS.split(revision)[0]
    start = repository.find(name or "HEAD") if name != revision else None
    for depth in _DEPTHS:
        if start is None or not repository.shallow or repository.find(revision) is not None:
            return
        repository.fetch(start, deepen=depth)


def _fetch(repository: Repository, candidate: Candidate) -> None:
    if candidate.branch:
        repository.fetch(f"+refs/heads/{candidate.branch}:refs/remotes/origin/{candidate.branch}")
    else:
        repository.fetch(candidate.revision)


def _why_no_base(repository: Repository, candidate: Candidate) -> str:
    wanted = visible(candidate.branch or candidate.revision)
    what = f"the base {wanted} (from {candidate.variable}) is not in this {'shallow ' * repository.shallow}clone"
    refspec = f"+refs/heads/{wanted}:refs/remotes/origin/{wanted}" if candidate.branch else wanted
    unshallow = "--unshallow " if repository.shallow else ""
    return f"{what}: run 'git fetch {unshallow}origin {refspec}', or allow it with --deepen"


def _merge_base(
    repository: Repository, base: str, head: str, names: tuple[str, str], notes: list[str], *, deepen: bool
) -> str:
    """The best common ancestor. In a shallow clone it counts only if nothing on the way to it is cut off."""
    depths = _DEPTHS if deepen and repository.shallow else ()
    found = repository.merge_bases(base, head)
    for depth in depths:
        if not repository.shallow or (found and not repository.cut_off(found[0], base, head)):
            break
        repository.fetch(base, head, deepen=depth)
        found = repository.merge_bases(base, head)
    if found and not repository.cut_off(found[0], base, head):
        if len(found) > 1:
            others = ", ".join(commit[:12] for commit in found[1:4])
            notes.append(f"merges that cross give more than one merge base: {found[0][:12]} is taken, not {others}")
        return found[0]
    ours, theirs = map(visible, names)
    if repository.shallow:
        ways = "all ways to " if found else ""
        raise UserError(
            f"this shallow clone does not reach {ways}a common ancestor of {ours} and {theirs}: "
            "run 'git fetch --unshallow origin' (or 'git fetch --deepen=200 origin', repeated if need be), "
            "or allow it with --deepen"
        )
    raise UserError(f"{ours} and {theirs} have no common ancestor: give a --base that shares history with {theirs}")
