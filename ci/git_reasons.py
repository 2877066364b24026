"""Why a repository cannot be opened, or a revision is no commit of it: one line with what to do."""

from __future__ import annotations

import re
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from pliant.ci.errors import visible, visible_path
from pliant.ci.git_process import complaint

if TYPE_CHECKING:
    from pliant.ci.git import Repository

_OPERATOR = re.compile(r"[~^@:]")  # in a revision, behind a name: the name ends there
_FULL = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")
_MOST_NAMES = 10_000  # among which the one that was meant is looked for


def why_not_open(folder: Path, stderr: bytes) -> str:
    where = "the current folder" if folder == Path() else visible_path(str(folder))
    if b"dubious ownership" in stderr:
        return (
            f"{where} belongs to another user, so git does not read it: if you trust it, run "
            f"'git config --global --add safe.directory {visible_path(str(folder.resolve()))}'"
        )
    if (folder / ".git").exists() and b"not a git repository" in stderr:
        return (
            f"{where} has a .git that is no repository: its HEAD, objects or refs are missing or damaged; clone it anew"
        )
    if b"not a git repository" in stderr:
        return f"{where} is not in a git repository: give the folder of one"
    return f"git cannot open {where}: {complaint(stderr)}"


def why_damaged(repository: Repository, revision: str, stderr: bytes) -> str | None:
    """For a revision that is there and cannot be read. `stderr`: what git said when it was to give the commit."""
    damage = f"in {visible_path(str(repository.folder))}, which is damaged: run 'git fsck' to see what is wrong"
    found = repository.attempt("rev-parse", "--verify", "--end-of-options", revision)
    if found.returncode == 0 and not _FULL.fullmatch(revision):  # an id is taken for one without a look at the object
        oid = found.stdout.decode("ascii", "replace").strip()
        kind = repository.attempt("cat-file", "-t", oid).stdout.strip()
        if kind not in (b"blob", b"tree", b"tag"):  # a tag may be of one of the others
            return f"'{visible(revision)}' is commit {oid}, which cannot be read {damage}"
    if b"bad ref" in stderr or b"broken ref" in stderr or b"unexpected line" in stderr:
        return f"'{visible(revision)}' is a broken reference {damage}"
    return None


def why_not_resolved(repository: Repository, revision: str, stderr: bytes) -> str:
    if revision == "HEAD":
        return f"HEAD has no commit yet in {visible_path(str(repository.folder))}: commit something, or give --head REV"
    if b"ambiguous" in stderr:
        return f"'{visible(revision)}' is the start of more than one commit id: give more digits"
    if repository.attempt("rev-parse", "--verify", "--end-of-options", f"{revision}^{{object}}").returncode == 0:
        return f"'{visible(revision)}' names an object that is not a commit: give a branch, a tag or a commit id"
    if (named := _OPERATOR.split(revision)[0]) != revision and repository.parse(named or "HEAD").returncode == 0:
        # What is said of a commit that is there is nothing to fetch by name.
        deeper = ": run 'git fetch --unshallow origin'" if repository.shallow else ""
        return (
            f"there is no revision '{visible(revision)}' in {visible_path(str(repository.folder))}: "
            f"'{visible(named or 'HEAD')}' is there, but no such commit from it{deeper}"
        )
    if repository.shallow:
        return (
            f"there is no revision '{visible(revision)}' in this shallow clone: run "
            f"'git fetch --unshallow origin', or 'git fetch origin {visible(revision)}' for that one alone"
        )
    return (
        f"there is no revision '{visible(revision)}' in {visible_path(str(repository.folder))}: "
        f"{_meant(repository, revision)}if it is on the remote, run 'git fetch origin {visible(revision)}' first"
    )


def _meant(repository: Repository, revision: str) -> str:
    """The branch or tag whose name is nearest."""
    listed = repository.attempt("for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/remotes", "refs/tags")
    names = listed.stdout.decode("utf-8", "replace").splitlines()[:_MOST_NAMES]
    near = get_close_matches(revision, [name for name in names if name.isprintable()], n=1)
    return f"did you mean '{visible(near[0])}'? Or, " if near else ""


__all__ = ["why_damaged", "why_not_open", "why_not_resolved"]
