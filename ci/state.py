"""The state directory: what is known of commits, kept between runs, outside of the repository.

    facts/<language>-<version>/*.facts     the fact cache (extractors.blobs), with *.instructions beside the facts
    commits/<commit>-<key>/manifest.json   digests of the other two, and the seal on them
                           files.json.z    the source files of the commit, compressed by zlib
                           engine/         the evaluation, as the engine saves it: often as a delta on another commit's

`key` is a digest of the program and of the extractors' versions, so a state that does not fit is never opened. A folder
of a commit is written under a temporary name, flushed, renamed, and never changed; what does not match its digest is
ignored with a message and made anew. What a delta builds on is linked into its folder, so no state needs another one. A
state is believed only if its seal fits (extractors.seal): one that was written elsewhere, with another key, is built
anew. Processes may share a directory: who comes second drops its own copy, and who reads a state that goes still has it
open.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import secrets
import shutil
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from pliant.ci.errors import UserError, visible, visible_path
from pliant.ci.git import Repository
from pliant.ci.inventory import Bounds, Inventory, Stored
from pliant.ci.selection import Selection
from pliant.ci.snapshot import Snapshot
from pliant.engine import EngineError, Evaluation, Program
from pliant.engine.state import files, layers_of
from pliant.engine.state.files import Descriptor
from pliant.extractors.seal import NoKey, Seal, shared_or_own
from pliant.extractors.user_folders import user_cache

_FORMAT = "pliant-state/6"
_LIMIT = 1 << 28  # bytes of files.json
_CHEAP = 16 << 20  # bytes of a delta that a check writes after its report
_STALE_SECONDS = 24 * 3600  # after which a temporary folder belongs to nobody, where folders cannot be locked
BOUNDS = Bounds(keep=64, size=4 << 30)


def state_folder(repository: Repository, option: Path | None, configured: Path | None = None) -> Path:
    """Where the state of a repository is: as asked for, else in the user's cache under the repository's identity."""
    if option is not None:
        return option.absolute()
    if named := os.environ.get("PLIANT_STATE_DIR"):
        return Path(named).absolute()
    if configured is not None:
        return configured
    identity = hashlib.sha256(os.fsencode(repository.common_dir)).hexdigest()[:16]
    plain = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "_" for c in repository.name)[:40]
    return user_cache() / f"{plain}-{identity}"


class StateStore:
    """The states of one configuration (`key`) in a state directory."""

    def __init__(self, folder: Path, key: str, say: Callable[[str], None]):
        self.folder = folder
        self.commits_folder = folder / "commits"
        self.key = key
        self._say = say
        self.writable = True
        self.seal: Seal | None = None
        try:
            self.seal = shared_or_own()
            for part in (folder, folder / "facts", self.commits_folder):
                _own_folder(part, follow=part is folder)
            remove_leftovers(self.commits_folder)
        except OSError as error:
            self.writable = False
            say(f"nothing is kept for the next run: {visible_path(str(folder))}: {error.strerror}")
        except NoKey as error:
            self.writable = False
            say(f"nothing is kept for the next run, and nothing kept is used: {visible_path(str(error))}")

    @property
    def facts_folder(self) -> Path | None:
        return self.folder / "facts" if self.writable else None

    def available(self) -> set[str]:
        """The commits that have a state of this configuration."""
        if self.seal is None:
            return set()
        suffix = f"-{self.key}"
        with contextlib.suppress(OSError):
            names = [path.name for path in self.commits_folder.iterdir()]
            return {name.removesuffix(suffix) for name in names if name.endswith(suffix)}
        return set()

    def open(
        self, commit: str, program: Program, selection: Selection | None = None
    ) -> tuple[Evaluation, Snapshot] | None:
        """A commit's evaluation and files; None where there is none that is sound."""
        where = self.at(commit)
        if self.seal is None or not where.is_dir():
            return None
        try:
            _plain_files_only(where)
            folder = Descriptor.of_folder(where)
            manifest = json.loads(Descriptor.of_file(folder, "manifest.json").read(1 << 16))
            content = Descriptor.of_file(folder, "files.json.z").read(_LIMIT)
            expected = {"format": _FORMAT, "commit": commit, "key": self.key, "files_sha256": _sha256(content)}
            if any(manifest.get(name) != value for name, value in expected.items()):
                raise ValueError("its manifest does not match")
            [engine, *_], _ = layers_of(where / "engine")
            if not self.seal.fits(manifest.get("seal"), *self._sealed(commit, engine, content)):
                raise ValueError("its seal does not fit: it was written elsewhere")
            evaluation = Evaluation.open(where / "engine", program)
            if evaluation.saved is None or evaluation.saved.id != engine:
                raise ValueError("it changed while it was opened")
            snapshot = Snapshot.load(json.loads(_unpacked(content)), selection or Selection())
            os.utime(where)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, EngineError) as error:
            if not where.is_dir():
                return None  # another process removed it meanwhile
            self._say(f"ignored the state of commit {commit[:12]}: {visible_path(str(error))}")
            with contextlib.suppress(OSError):
                remove(where)
            return None
        return evaluation, snapshot

    def save(self, commit: str, evaluation: Evaluation, snapshot: Snapshot, *, cheaply: bool = False) -> None:
        """Keeps a commit's state; a directory that cannot be written is a message, not an error.

        `cheaply`: only if a small delta is all that has to be written.
        """
        if not self.writable or self.seal is None or self.at(commit).is_dir():
            return
        try:
            with _temporary(self.commits_folder) as temporary:
                if evaluation.save(temporary / "engine", "delta" if cheaply else "any", _CHEAP) is None:
                    return
                folder = Descriptor.of_folder(temporary)
                content = zlib.compress(json.dumps(snapshot.dump(), separators=(",", ":")).encode(), 1)
                files.write(folder, "files.json.z", content)
                [engine, *_], _ = layers_of(temporary / "engine")
                seal = self.seal.of(*self._sealed(commit, engine, content))
                manifest = {
                    "format": _FORMAT,
                    "commit": commit,
                    "key": self.key,
                    "files_sha256": _sha256(content),
                    "seal": seal,
                }
                files.write(folder, "manifest.json", json.dumps(manifest).encode())
                files.flush(folder)
                temporary.rename(self.at(commit))
                files.flush(Descriptor.of_folder(self.commits_folder))
        except (OSError, EngineError) as error:
            # Another process may have been first, and what it wrote may have been collected since.
            first = not isinstance(error, OSError) or error.errno not in (errno.ENOTEMPTY, errno.EEXIST)
            if first and not self.at(commit).is_dir():
                reason = error.strerror if isinstance(error, OSError) else str(error)
                self._say(f"the state of {commit[:12]} was not kept: {visible(str(reason))}")
        with contextlib.suppress(OSError):
            collect(self.commits_folder, BOUNDS, wait=False)

    def _sealed(self, commit: str, engine: str, content: bytes) -> tuple[str, ...]:
        """All that a state consists of: the newest layer's id is a digest of that layer and of those below."""
        return ("state", _FORMAT, commit, self.key, engine, _sha256(content))

    def forget(self, commit: str) -> None:
        """Removes a commit's state, if there is one."""
        with contextlib.suppress(OSError):
            remove(self.at(commit))

    def at(self, commit: str) -> Path:
        return self.commits_folder / f"{commit}-{self.key}"


def collect(commits: Path, bounds: Bounds, *, wait: bool = True) -> list[Stored]:
    """Removes the states used longest ago, of any configuration, past the bounds, and what cut-short processes left.

    One process at a time: another that is at it is waited for, or leaves nothing to do.
    """
    if not commits.is_dir() or commits.is_symlink():
        return []
    folder = Descriptor.of_folder(commits)
    if files.try_lock(folder) is False:
        if not wait:
            return []
        files.lock(folder)
    victims = Inventory.of(commits).past(bounds)
    for stored in victims:
        with contextlib.suppress(FileNotFoundError):
            remove(stored.path)
    remove_leftovers(commits)
    return victims


def remove(path: Path) -> None:
    """Removes a state. It is renamed first: nobody opens half a state."""
    if path.is_symlink() or not path.is_dir():
        path.unlink()
        return
    trash = path.with_name(f".{secrets.token_hex(8)}.tmp")
    path.rename(trash)
    shutil.rmtree(trash, ignore_errors=True)


def remove_leftovers(commits: Path) -> None:
    """Removes what processes left that were cut short. Whoever still writes a temporary folder holds its lock."""
    for path in commits.glob(".*.tmp"):
        with contextlib.suppress(OSError):
            if path.is_symlink() or not path.is_dir():
                path.unlink()
                continue
            folder = Descriptor.of_folder(path)
            free = files.try_lock(folder)
            if free or (free is None and time.time() - path.lstat().st_mtime > _STALE_SECONDS):
                shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def _temporary(commits: Path) -> Iterator[Path]:
    """A new folder that is locked for as long as it is written; it is gone afterwards, unless it was renamed."""
    while True:
        path = commits / f".{secrets.token_hex(8)}.tmp"
        path.mkdir(mode=0o700)
        try:
            folder = Descriptor.of_folder(path)
            if files.try_lock(folder) is not False and os.path.samestat(path.stat(), os.fstat(folder.number)):
                break
        except FileNotFoundError:
            pass  # another process took it for a leftover before it was locked
    try:
        yield path
    finally:
        if path.exists():
            shutil.rmtree(path, ignore_errors=True)


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


def _unpacked(content: bytes) -> bytes:
    inflate = zlib.decompressobj()
    try:
        unpacked = inflate.decompress(content, _LIMIT)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if not inflate.eof:
        raise ValueError("its list of files does not end")
    return unpacked


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
