"""The files of a work tree as they are on disk: tracked ones, and untracked ones that are not ignored.

Files are opened by descriptor from the top, a component at a time and never through a symbolic link, so that no name
in the tree can lead out of it. Contents are hashed here: git would run the filters that a configuration names.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import time
from collections import Counter
from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass

from pliant.ci.errors import UserError
from pliant.ci.git import SYMLINK, Change, Entry, Repository
from pliant.ci.git_process import decode, encode
from pliant.extractors.workers import MAX_BYTES, Content

_MODE = 0o100644
_SIMILAR = 0.5
_RENAME_PAIRS = 10_000
_PIECE = 1 << 20
_SETTLED = 2_000_000_000  # nanoseconds: a file that was changed so long before it was read is known by its status


@dataclass(frozen=True, slots=True)
class Seen:
    """A file as it was read, and its status then. A file may change twice within the grain of a file system's clock, so
    one that had just changed is read again."""

    status: tuple[int, ...]
    oid: str
    content: Content


class Worktree:
    """A snapshot of the source files on disk: each is read once.

    seen: files as an earlier snapshot read them, which are not read again while their status is the same; brought up to
    date.
    """

    def __init__(
        self, repository: Repository, wanted: Callable[[str], bool], seen: MutableMapping[str, Seen] | None = None
    ):
        if repository.bare:
            raise UserError("a bare repository has no work tree: give --head REV")
        self.entries: dict[str, Entry] = {}
        self.left_out: dict[str, str] = {}  # what stands where a file should, and why it cannot be read
        self._contents: dict[str, Content] = {}
        for path in sorted(_names(repository)):
            if not wanted(path):
                continue
            found, why = _read(repository, path, seen)
            if why:
                self.left_out[path] = why
            if found is not None:
                oid, content = found
                self.entries[path] = Entry(path, _MODE, oid)
                self._contents[oid] = content

    def content(self, oid: str) -> Content:
        return self._contents[oid]

    def __contains__(self, oid: str) -> bool:
        return oid in self._contents

    def diff(self, base_oids: Mapping[str, str], read_base: Callable[[str], Content]) -> list[Change]:
        """How the work tree differs from the files (path -> blob id) of a commit, with renames."""
        base = {path: Entry(path, _MODE, oid) for path, oid in base_oids.items()}
        changes = [Change(old, Entry(path, SYMLINK, "")) for path, old in base.items() if path in self.left_out]
        gone = [entry for path, entry in base.items() if path not in self.entries and path not in self.left_out]
        came = [entry for path, entry in self.entries.items() if path not in base]
        changes += [
            Change(base[path], entry)
            for path, entry in self.entries.items()
            if path in base and base[path].oid != entry.oid
        ]
        renames = self._renames(gone, came, read_base)
        changes += [Change(old, new) for old, new in renames]
        paired = {old.path for old, _ in renames} | {new.path for _, new in renames}
        changes += [Change(old, None) for old in gone if old.path not in paired]
        changes += [Change(None, new) for new in came if new.path not in paired]
        return changes

    def _renames(
        self, gone: list[Entry], came: list[Entry], read_base: Callable[[str], Content]
    ) -> list[tuple[Entry, Entry]]:
        """Pairs by equal content, then by at least half of the lines in common, best first."""
        pairs = []
        by_oid = {entry.oid: entry for entry in gone}
        for new in came:
            if old := by_oid.pop(new.oid, None):
                pairs.append((old, new))
        taken = {entry.path for pair in pairs for entry in pair}
        gone = [entry for entry in gone if entry.path not in taken]
        came = [entry for entry in came if entry.path not in taken]
        if not gone or not came or len(gone) * len(came) > _RENAME_PAIRS:
            return pairs
        old_lines = [(entry, _line_counts(read_base(entry.oid))) for entry in gone]
        new_lines = [(entry, _line_counts(self._contents[entry.oid])) for entry in came]
        scored = [
            (2 * (a & b).total() / max(a.total() + b.total(), 1), old.path, new.path, old, new)
            for old, a in old_lines
            for new, b in new_lines
        ]
        for score, _, _, old, new in sorted(scored, key=lambda row: (-row[0], row[1], row[2])):
            if score >= _SIMILAR and old.path not in taken and new.path not in taken:
                pairs.append((old, new))
                taken |= {old.path, new.path}
        return pairs


def _line_counts(content: Content) -> Counter[bytes]:
    return Counter(line for line in (content or b"").split(b"\n") if line.strip())


def _names(repository: Repository) -> set[str]:
    tracked = repository.git("ls-files", "-z", "--cached")
    untracked = repository.git("ls-files", "-z", "--others", "--exclude-standard")
    return {decode(name) for name in (tracked + untracked).split(b"\0") if name and not name.endswith(b"/")}


def _read(
    repository: Repository, path: str, seen: MutableMapping[str, Seen] | None
) -> tuple[tuple[str, Content] | None, str]:
    """Blob id and content of a regular file; None where there is none, and why, if something else stands in its place.

    Of a file that is too large only the id is made, piece by piece.
    """
    no_links = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    *folders, name = encode(path).split(b"/")
    if any(part in (b"", b".", b"..") for part in (*folders, name)):
        return None, ""
    here = os.open(repository.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for folder in folders:
            inner = os.open(folder, no_links | os.O_DIRECTORY, dir_fd=here)
            os.close(here)
            here = inner
        file = os.open(name, no_links, dir_fd=here)
    except OSError as error:
        return None, _why_not(error, here)
    finally:
        os.close(here)
    with os.fdopen(file, "rb") as stream:
        about = os.fstat(file)
        if not stat.S_ISREG(about.st_mode):
            return None, "" if stat.S_ISDIR(about.st_mode) else "not a regular file"
        status = (about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns)
        if seen is not None and (known := seen.get(path)) and known.status == status:
            return (known.oid, known.content), ""
        start = stream.read(MAX_BYTES + 1)
        content: Content = start if len(start) <= MAX_BYTES else None
        digest = _blob_id(repository, len(start) if content is not None else about.st_size, start)
        while content is None and (piece := stream.read(_PIECE)):
            digest.update(piece)
        if seen is not None and time.time_ns() - max(about.st_mtime_ns, about.st_ctime_ns) > _SETTLED:
            seen[path] = Seen(status, digest.hexdigest(), content)
        return (digest.hexdigest(), content), ""


def _why_not(error: OSError, folder: int) -> str:
    """Why a name of an open folder cannot be opened; empty where nothing of that kind is there."""
    try:
        mode = os.lstat(error.filename, dir_fd=folder).st_mode
    except OSError:
        return ""
    if stat.S_ISLNK(mode):
        return "a symbolic link"
    return "" if error.errno == errno.ENOTDIR else f"it cannot be read: {error.strerror}"


def _blob_id(repository: Repository, size: int, content: bytes) -> hashlib._Hash:
    return hashlib.new(repository.hash_name, b"blob %d\0" % size + content, usedforsecurity=False)
