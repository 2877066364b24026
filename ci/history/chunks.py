"""Blobs by the chunk: independent tasks that any process may run, and what runs them and the windows after them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from pliant.ci.git import Repository
from pliant.ci.history.versions import fact_cache
from pliant.ci.history.window import Task
from pliant.extractors.blobs import Source
from pliant.extractors.languages import LANGUAGES


@dataclass(frozen=True, slots=True)
class Chunk:
    """Blobs of one repository whose facts are to be in the cache at `facts`."""

    repository: str
    facts: str
    blobs: tuple[Source, ...]

    def extract(
        self, say: Callable[[str], None] = lambda message: None, told: Callable[[int], None] = lambda done: None
    ) -> int:
        """Reads them from git in one stream; how many had to be extracted. Raises UserError."""
        # A cache for each chunk: what is in a pack need not stay in memory.
        cache = fact_cache(Path(self.facts), say)
        with Repository.open(Path(self.repository)) as repository:
            count = cache.ensure(self.blobs, repository.read, lambda done, _: told(done))
        cache.flush()
        return count

    def dump(self) -> dict[str, Any]:
        blobs = [[source.path, source.oid, source.language.name] for source in self.blobs]
        return {"repository": self.repository, "facts": self.facts, "blobs": blobs}

    @classmethod
    def load(cls, dumped: dict[str, Any]) -> Chunk:
        blobs = tuple(Source(path, oid, LANGUAGES[name]) for path, oid, name in dumped["blobs"])
        return cls(dumped["repository"], dumped["facts"], blobs)


class Runner(Protocol):
    """Who runs what a history consists of. `blobs_at_once`: how many a chunk may have."""

    blobs_at_once: int

    def extract(self, chunks: Sequence[Chunk], told: Callable[[int], None]) -> int:
        """How many blobs were extracted; `told` hears how many are done."""

    def windows(self, tasks: Sequence[Task]) -> Iterator[int]:
        """The numbers of windows as they end."""


def chunks_of(repository: Repository, facts: Path, blobs: Sequence[Source], most: int) -> list[Chunk]:
    """Chunks of up to `most` blobs."""
    folder = str(repository.folder.absolute())
    return [Chunk(folder, str(facts), tuple(blobs[start : start + most])) for start in range(0, len(blobs), most)]


__all__ = ["Chunk", "Runner", "chunks_of"]
