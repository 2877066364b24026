"""A repository that borrows the objects of another one, for commits that only a measurement needs."""

from __future__ import annotations

import io
import subprocess
import tarfile
from pathlib import Path

from lists import git

_AUTHOR = ("-c", "user.name=benchmark", "-c", "user.email=benchmark@localhost")


def borrow(folder: Path, mirror: Path) -> Path:
    """A bare repository in `folder` that reads the mirror's objects and writes its own beside them."""
    subprocess.run(["git", "init", "-q", "--bare", str(folder)], check=True)
    objects = Path(git(mirror, "rev-parse", "--path-format=absolute", "--git-path", "objects").strip())
    (folder / "objects" / "info" / "alternates").write_text(f"{objects}\n")
    return folder


def undo(repository: Path, commit: str) -> str:
    """A commit on top of `commit` with the tree of its first parent."""
    tree = git(repository, "rev-parse", f"{commit}^1^{{tree}}").strip()
    return git(repository, *_AUTHOR, "commit-tree", tree, "-p", commit, "-m", f"Undo {commit}").strip()


def checkout(repository: Path, commit: str, folder: Path, suffixes: tuple[str, ...]) -> Path:
    """The files of a commit with those suffixes, in `folder`; links and whatever leaves the folder are left out."""
    folder.mkdir(parents=True)
    names = git(repository, "ls-tree", "-r", "--name-only", "-z", commit).split("\0")
    wanted = [f"*{suffix}" for suffix in suffixes if any(name.endswith(suffix) for name in names)]
    done = subprocess.run(["git", "-C", str(repository), "archive", commit, *wanted], capture_output=True, check=True)
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(folder, [each for each in archive if each.isfile() or each.isdir()], filter="data")
    return folder
