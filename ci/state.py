"""The state directory: what is known of commits, kept between runs, outside of the repository.

    facts/<language>-<version>/*.facts     the fact cache (extractors.blobs)
    commits/<commit>-<key>/manifest.json   digests of the other two
                           files.json      the source files of the commit
                           engine/         the evaluation, as the engine saves it

`key` is a digest of the program and of the extractors' versions, so a state that does not fit is never opened. A folder
of a commit is written under a temporary name, flushed, renamed, and never changed; what does not match its digest is
ignored with a message and made anew. Processes may share a directory: who comes second drops its own copy.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import shutil
import time
from collections.abc import Callable
from pathlib import Path

from pliant.ci.errors import UserError, visible_path
from pliant.ci.git import Repository
from pliant.ci.snapshot import Snapshot
from pliant.engine import EngineError, Evaluation, Program
from pliant.extractors.repository import user_cache

_FORMAT = "pliant-state/1"
_KEEP_COMMITS = 24
_KEEP_BYTES = 4 << 30
_STALE_SECONDS = 24 * 3600  # after which a temporary folder belongs to nobody


def state_folder(repository: Repository, option: Path | None) -> Path:
    """Where the state of a repository is: as asked for, else in the user's cache under the repository's identity."""
    if option is not None:
        return option.absolute()
    if named := os.environ.get("PLIANT_STATE_DIR"):
        return Path(named).absolute()
    identity = hashlib.sha256(os.fsencode(repository.common_dir)).hexdigest()[:16]
    plain = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "_" for c in repository.name)[:40]
    return user_cache() / f"{plain}-{identity}"


class StateStore:
    """The states of one configuration (`key`) in a state directory."""

    def __init__(self, folder: Path, key: str, say: Callable[[str], None]):
        self.folder = folder
        self._commits = folder / "commits"
        self._key = key
        self._say = say
        self.writable = True
        try:
            for part in (folder, folder / "facts", self._commits):
                _own_folder(part, follow=part is folder)
            self._remove_stale()
        except OSError as error:
            self.writable = False
            say(f"nothing is kept for the next run: {visible_path(str(folder))}: {error.strerror}")

    @property
    def facts_folder(self) -> Path | None:
        return self.folder / "facts" if self.writable else None

    def available(self) -> set[str]:
        """The commits that have a state of this configuration."""
        suffix = f"-{self._key}"
        with contextlib.suppress(OSError):
            names = [path.name for path in self._commits.iterdir()]
            return {name.removesuffix(suffix) for name in names if name.endswith(suffix)}
        return set()

    def open(self, commit: str, program: Program) -> tuple[Evaluation, Snapshot] | None:
        """A commit's evaluation and files; None where there is none that is sound."""
        where = self._at(commit)
        if not where.is_dir():
            return None
        try:
            _plain_files_only(where)
            manifest = json.loads((where / "manifest.json").read_bytes())
            content = (where / "files.json").read_bytes()
            expected = {"format": _FORMAT, "commit": commit, "key": self._key, "files_sha256": _sha256(content)}
            if any(manifest.get(name) != value for name, value in expected.items()):
                raise ValueError("its manifest does not match")
            evaluation = Evaluation.open(where / "engine", program)
            snapshot = Snapshot.load(json.loads(content))
            os.utime(where)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, EngineError) as error:
            if isinstance(error, FileNotFoundError) and not where.is_dir():
                return None  # another process removed it meanwhile
            self._say(f"ignored a damaged state of commit {commit[:12]}: {visible_path(str(error))}")
            with contextlib.suppress(OSError):
                self._remove(where)
            return None
        return evaluation, snapshot

    def save(self, commit: str, evaluation: Evaluation, snapshot: Snapshot) -> None:
        """Keeps a commit's state; a directory that cannot be written is a message, not an error."""
        if not self.writable or self._at(commit).is_dir():
            return
        temporary = self._commits / f".{secrets.token_hex(8)}.tmp"
        try:
            temporary.mkdir(mode=0o700)
            evaluation.save(temporary / "engine")
            content = json.dumps(snapshot.dump(), separators=(",", ":")).encode()
            _write(temporary / "files.json", content)
            manifest = {"format": _FORMAT, "commit": commit, "key": self._key, "files_sha256": _sha256(content)}
            _write(temporary / "manifest.json", json.dumps(manifest).encode())
            temporary.rename(self._at(commit))
        except OSError as error:
            if not self._at(commit).is_dir():  # else another process was first
                self._say(f"the state of {commit[:12]} was not kept: {error.strerror}")
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
        self.collect(keep=commit)

    def forget(self, commit: str) -> None:
        """Removes a commit's state, if there is one."""
        with contextlib.suppress(OSError):
            self._remove(self._at(commit))

    def collect(self, keep: str = "", commits: int = _KEEP_COMMITS, size: int = _KEEP_BYTES) -> None:
        """Removes the states used longest ago, of any configuration, past `commits` in number or `size` in bytes."""
        with contextlib.suppress(OSError):
            folders = [path for path in self._commits.iterdir() if not path.name.startswith(".")]
            by_use = sorted(folders, key=lambda path: (path == self._at(keep), path.lstat().st_mtime), reverse=True)
            total = 0
            for rank, path in enumerate(by_use):
                total += sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
                if rank and (rank >= commits or total > size):
                    self._remove(path)

    def _at(self, commit: str) -> Path:
        return self._commits / f"{commit}-{self._key}"

    def _remove(self, path: Path) -> None:
        """Renamed first: nobody opens half a state."""
        if path.is_symlink() or not path.is_dir():
            path.unlink()
            return
        trash = self._commits / f".{secrets.token_hex(8)}.tmp"
        path.rename(trash)
        shutil.rmtree(trash, ignore_errors=True)

    def _remove_stale(self) -> None:
        for path in self._commits.glob(".*.tmp"):
            with contextlib.suppress(OSError):
                if time.time() - path.lstat().st_mtime > _STALE_SECONDS:
                    self._remove(path)


def _own_folder(path: Path, *, follow: bool) -> None:
    """Makes `path` a folder; a link in its place, as a restored cache may hold, is removed and not followed."""
    if path.is_symlink() and not follow:
        path.unlink()
    try:
        path.mkdir(mode=0o700, parents=follow, exist_ok=True)
    except FileExistsError:
        raise UserError(f"the state directory needs {visible_path(str(path))}, which is not a folder") from None


def _plain_files_only(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        if path.is_symlink() or not (path.is_dir() or path.is_file()):
            raise ValueError(f"{path.name} is neither a file nor a folder")


def _write(path: Path, content: bytes) -> None:
    with path.open("xb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
