"""What a state directory holds: each commit's state with its size, and which of them are past given bounds.

A file that several states share, because they are deltas on the same one, counts once and goes with the last of them.
"""

from __future__ import annotations

import contextlib
import re
import stat
import time
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

_NAME = re.compile("([0-9a-f]{40}|[0-9a-f]{64})-([0-9a-f]{16})")


@dataclass(frozen=True, slots=True)
class Bounds:
    """None: no bound. `size` in bytes, `seconds` since a state was last used."""

    keep: int | None = None
    size: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Stored:
    """A state on disk. `files`: device and inode of each file -> bytes. `layers`: the ids of the engine's layers,
    newest first; empty if they cannot be read."""

    path: Path
    commit: str
    key: str
    used: float
    files: dict[tuple[int, int], int]
    layers: tuple[str, ...]
    program: str

    @property
    def size(self) -> int:
        return sum(self.files.values())


@dataclass(frozen=True, slots=True)
class Inventory:
    """Of all configurations, the one used last first."""

    states: tuple[Stored, ...]

    @classmethod
    def of(cls, commits: Path, *, layers: bool = False) -> Inventory:
        """What is in a `commits` folder. `layers`: read the engine's manifests, too."""
        found = []
        if commits.is_symlink() or not commits.is_dir():
            return cls(())
        for path in commits.iterdir():
            match = _NAME.fullmatch(path.name)
            with contextlib.suppress(FileNotFoundError):
                status = path.lstat()
                if match and stat.S_ISDIR(status.st_mode):
                    chain, program = _chain(path) if layers else ((), "")
                    files = _files(path)
                    used = min(max(status.st_mtime, 0.0), time.time())  # a restored folder's may be anything
                    found.append(Stored(path, match[1], match[2], used, files, chain, program))
                elif match:  # a link or a file in a state's place
                    found.append(Stored(path, match[1], match[2], 0.0, {}, (), ""))
        return cls(tuple(sorted(found, key=lambda stored: (stored.used, stored.commit), reverse=True)))

    @property
    def size(self) -> int:
        return sum(self._all(self.states).values())

    def own_size(self, stored: Stored) -> int:
        """Bytes of the files that no other state shares."""
        users = Counter(file for each in self.states for file in each.files)
        return sum(size for file, size in stored.files.items() if users[file] == 1)

    def freed(self, victims: Collection[Stored]) -> int:
        """Bytes that go if these states go."""
        kept = self._all(each for each in self.states if each not in victims)
        return sum(size for file, size in self._all(victims).items() if file not in kept)

    def past(self, bounds: Bounds) -> list[Stored]:
        """The states that have to go; the one used last stays, unless it is too old."""
        now = time.time()
        victims = []
        kept: dict[tuple[int, int], int] = {}
        rank = 0
        for stored in self.states:
            with_it = {**kept, **stored.files}
            if (
                (bounds.keep is not None and rank >= bounds.keep)
                or (bounds.size is not None and rank and sum(with_it.values()) > bounds.size)
                or (bounds.seconds is not None and now - stored.used > bounds.seconds)
            ):
                victims.append(stored)
            else:
                rank, kept = rank + 1, with_it
        return victims

    @staticmethod
    def _all(states: Iterable[Stored]) -> dict[tuple[int, int], int]:
        return {file: size for stored in states for file, size in stored.files.items()}


def _files(folder: Path) -> dict[tuple[int, int], int]:
    found = {}
    for path in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):
            status = path.lstat()
            if stat.S_ISREG(status.st_mode):
                found[status.st_dev, status.st_ino] = status.st_size
    return found


def _chain(path: Path) -> tuple[tuple[str, ...], str]:
    from pliant.engine import StateError
    from pliant.engine.state import layers_of

    try:
        return layers_of(path / "engine")
    except StateError:
        return (), ""


def shown_size(size: float) -> str:
    """Bytes for a reader."""
    for unit in ("B", "KiB", "MiB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "B" or size >= 100 else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} GiB"


__all__ = ["Bounds", "Inventory", "Stored", "shown_size"]
