"""Merges that nobody made, in a bare repository beside the analysed one, which is only read.

The scratch repository borrows the objects of the analysed one and has nothing of its configuration, so that no merge
driver of it runs. What is merged is written there and goes with it. Of the analysed repository git may renew the
times of object files that it would have to write again otherwise, which keeps them from being collected meanwhile.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pliant.ci.errors import UserError, visible_path
from pliant.ci.git import Repository
from pliant.ci.git_process import decode, run

_WHO = ("-c", "user.name=pliant", "-c", "user.email=pliant@localhost", "-c", "commit.gpgSign=false")


@dataclass(frozen=True, slots=True)
class Merge:
    """`commit`: none where there were conflicts; `conflicts`: the files that have them."""

    commit: str | None
    conflicts: tuple[str, ...] = ()


@contextlib.contextmanager
def beside(repository: Repository) -> Iterator[Repository]:
    """An empty repository that sees all objects of another one."""
    if os.environ.get("GIT_OBJECT_DIRECTORY"):
        raise UserError("GIT_OBJECT_DIRECTORY is set, as in a hook: merges are tried outside of hooks only")
    objects = str((repository.common_dir / "objects").resolve())
    if "\n" in objects or objects.startswith('"'):
        raise UserError(f"the path {visible_path(objects)} cannot be borrowed from: use a clone at another path")
    with tempfile.TemporaryDirectory(prefix="pliant-merge-") as scratch:
        folder = Path(scratch) / "merge.git"
        options = ["--quiet", "--bare", "--template=", f"--object-format={repository.hash_name}"]
        made = run(["init", *options, str(folder)], Path(scratch))
        if made.returncode:
            raise UserError("git init failed in a temporary folder: is there room in it, and git 2.38 or newer?")
        info = folder / "objects" / "info"
        info.mkdir(exist_ok=True)
        (info / "alternates").write_bytes(os.fsencode(objects) + b"\n")
        if repository.shallow:
            shutil.copyfile(repository.common_dir / "shallow", folder / "shallow")
        with Repository.open(folder) as opened:
            yield opened


def merge(repository: Repository, ours: str, theirs: str) -> Merge:
    """Both commits merged as `git merge` would, without a work tree."""
    done = repository.attempt("merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", ours, theirs)
    fields = done.stdout.split(b"\0")
    tree = fields[0].decode("ascii", "replace")
    if done.returncode == 1 and tree:
        return Merge(None, tuple(dict.fromkeys(decode(name) for name in fields[1:] if name)))
    if done.returncode:
        raise UserError(
            f"{ours[:12]} and {theirs[:12]} cannot be merged: do they share history, and is git 2.38 or newer?"
        )
    commit = repository.git(*_WHO, "commit-tree", tree, "-p", ours, "-p", theirs, "-m", "merged")
    return Merge(commit.decode("ascii").strip())


__all__ = ["Merge", "beside", "merge"]
