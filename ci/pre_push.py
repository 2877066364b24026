"""`pliant pre-push`: what a push adds, ref by ref, before it leaves.

Git tells a pre-push hook on standard input, a line for each ref: its local name and id, its remote name and id. An id
of zeros stands for nothing: a branch that is deleted here, or new there. pre-commit reads these lines itself and passes
one ref on in variables.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pliant.ci.errors import UserError, visible
from pliant.ci.git import Repository

_ID = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")
_MAX_LINE = 4096


@dataclass(frozen=True, slots=True)
class Push:
    """A ref that is pushed; `old` is what the remote has of it, empty for a new one."""

    ref: str
    new: str
    old: str


@dataclass(frozen=True, slots=True)
class Plan:
    """A comparison to be made for a pushed ref; base: None for the default branch."""

    ref: str
    base: str | None
    head: str


def parse(lines: str) -> list[Push]:
    """The pushes that git's lines tell, without the deletions."""
    pushes = []
    for line in lines.splitlines():
        if not line.strip():
            continue
        parts = line.split(" ")
        if len(parts) != 4 or len(line) > _MAX_LINE or not (_ID.fullmatch(parts[1]) and _ID.fullmatch(parts[3])):
            expected = "'<local ref> <local id> <remote ref> <remote id>', as git gives to a pre-push hook"
            raise UserError(f"standard input: expected lines of {expected}, found '{visible(line[:80])}'")
        _, new, ref, old = parts
        if not _is_zero(new):
            pushes.append(Push(ref, new, "" if _is_zero(old) else old))
    return pushes


def of_pre_commit(variables: Mapping[str, str]) -> list[Push] | None:
    """The push that pre-commit tells; None if it did not start this process for one."""
    new = variables.get("PRE_COMMIT_TO_REF", "")
    if not new:
        return None
    old = variables.get("PRE_COMMIT_FROM_REF", "")
    # pre-commit tells a new branch by the first commit's parent, or by the id of zeros.
    return [Push(variables.get("PRE_COMMIT_REMOTE_BRANCH", ""), new, "" if _is_zero(old) else old)]


def plans(repository: Repository, pushes: list[Push], remote: str) -> list[Plan]:
    """What to compare for each push, equal comparisons once.

    The base is what the remote has of the branch, so that a finding stops one push and not every later one. It is the
    default branch for a new branch, for one that was rewritten, and for one that has taken over newer commits of the
    default branch: what came from there is no doing of this push.
    """
    found: dict[tuple[str | None, str], Plan] = {}
    for push in pushes:
        head = repository.find(push.new)
        if head is None:  # a tag of something that is not a commit
            continue
        base = _base(repository, push, head, remote)
        found.setdefault((base, head), Plan(push.ref, base, head))
    return list(found.values())


def _base(repository: Repository, push: Push, head: str, remote: str) -> str | None:
    default = _default(repository, remote)
    old = repository.find(push.old) if push.old else None
    if old is None or not repository.is_ancestor(old, head):
        return default
    if default is not None:
        shared = repository.merge_bases(repository.resolve(default), head)
        if shared and not repository.is_ancestor(shared[0], old):
            return default
    return old


def _default(repository: Repository, remote: str) -> str | None:
    if remote and repository.is_remote(remote):
        for name in (f"refs/remotes/{remote}/HEAD", f"refs/remotes/{remote}/main", f"refs/remotes/{remote}/master"):
            if repository.find(name):
                return name
    try:
        return repository.default_branch()
    except UserError:
        return None


def _is_zero(oid: str) -> bool:
    return set(oid) == {"0"}
