"""What a check leaves in memory for the next one of the same process: blobs' facts, the base's state, files on disk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pliant.ci.worktree import Seen
from pliant.extractors.blobs import FactCache

if TYPE_CHECKING:
    from pliant.ci.commits import State

_MOST_CHECKS = 256  # after which all is dropped: each check leaves the names and the facts of what it read


@dataclass(slots=True)
class Held:
    """key: of the program, the extractors and the selection of files; under another one nothing that is held counts,
    but for the files on disk."""

    key: str = ""
    commit: str = ""
    state: State | None = None
    cache: FactCache | None = None
    files: dict[str, Seen] = field(default_factory=dict)
    checks: int = 0

    def cache_of(self, key: str, make: Callable[[], FactCache]) -> FactCache:
        """The facts of blobs. A check that asks opens a round: it is counted, and drops what is not of its key."""
        self.checks += 1
        if self.key != key or self.checks > _MOST_CHECKS:
            self.forget()
        self.key = key
        if self.cache is None:
            self.cache = make()
        return self.cache

    def state_of(self, commit: str) -> State | None:
        return self.state if self.commit == commit else None

    def keep(self, commit: str, state: State) -> None:
        self.commit, self.state = commit, state

    def forget(self) -> None:
        """Drops everything."""
        self.key, self.commit, self.state, self.cache, self.checks = "", "", None, None, 0
        self.files.clear()
