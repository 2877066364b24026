"""The source files of one side of a comparison: their lines, the places of their entities, and which lines differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Protocol

from pliant.analyses.suppression import Comments
from pliant.ci.git import Change
from pliant.ci.hunks import Hunk, hunks
from pliant.ci.selection import Selection
from pliant.ci.snapshot import Snapshot
from pliant.extractors.blobs import FactCache, Location, Source
from pliant.extractors.encodings import decoded
from pliant.extractors.facts import OWN, escape_path
from pliant.extractors.ir.stored import Packed
from pliant.extractors.workers import Content


class Blobs(Protocol):
    """Where `Sources` reads."""

    def read(self, oids: Iterable[str]) -> Iterator[tuple[str, Content]]: ...
    def content(self, oid: str) -> Content: ...
    def places(self, source: Source) -> Mapping[str, Location]: ...


class Sources:
    """Lines and places of one side's files, each file read when it is first asked for. stored: whether instructions
    are those that the cache has."""

    def __init__(self, snapshot: Snapshot, cache: FactCache, blobs: Blobs, *, stored: bool = True):
        self.snapshot = snapshot
        self.cache = cache
        self.blobs = blobs
        self._stored = stored
        self._lines: dict[str, Sequence[str]] = {}
        self._places: dict[str, Mapping[str, Location]] = {}

    @cached_property
    def _by_escaped_path(self) -> dict[str, Source]:
        return {escape_path(path): source for path, source in self.snapshot.sources.items()}

    def ensure(self, sources: Iterable[Source]) -> None:
        """Has the facts of sources of either side at hand."""
        self.cache.ensure(sources, self.blobs.read)

    def locate(self, symbol: str) -> Location | None:
        """Where the entity of a symbol stands; None for one without a place, such as one of the library."""
        path = symbol.partition(OWN)[0]
        if path not in self._places:
            source = self._by_escaped_path.get(path)
            if source is None:
                return None
            self.ensure([source])
            self._places[path] = self.blobs.places(source)
        return self._places[path].get(symbol)

    def places(self, path: str) -> Mapping[str, Location]:
        """The places of a file's entities by symbol; none of a file that the side does not have."""
        source = self.snapshot.sources.get(path)
        if source is None:
            return {}
        escaped = escape_path(path)
        if escaped not in self._places:
            self.ensure([source])
            self._places[escaped] = self.blobs.places(source)
        return self._places[escaped]

    def instructions(self, path: str) -> Packed | None:
        """The instructions of a file in their stored form; None where they are not at hand."""
        source = self.snapshot.sources.get(path) if self._stored else None
        return self.cache.instructions(source) if source is not None else None

    def comments(self) -> Comments:
        """The comments that silence findings."""
        return Comments(self.snapshot.suppressions(), self.places)

    def content(self, path: str | None) -> bytes:
        """What a source file holds, in UTF-8; nothing, where the side has no such file or it is too large."""
        source = self.snapshot.sources.get(path) if path else None
        return decoded(self.blobs.content(source.oid) or b"") if source else b""

    def lines(self, path: str) -> Sequence[str]:
        if path not in self._lines:
            text = self.content(path).decode()
            # Only what git and the extractors call a line end: str.splitlines knows more.
            self._lines[path] = text.replace("\r\n", "\n").split("\n")
        return self._lines[path]


class ChangedLines(Mapping[str, list[Hunk]]):
    """The hunks of each changed source file by its path in the head (in the base, if it was deleted).

    They are computed when the first is asked for: most changes bring no finding. `renames`: old path -> new path.
    """

    def __init__(self, changes: Sequence[Change], base: Sources, head: Sources, selection: Selection):
        self.selection = selection
        self.renames = {
            change.old.path: change.new.path
            for change in changes
            if change.old and change.new and change.old.path != change.new.path
        }
        self._pairs: dict[str, tuple[str | None, str | None]] = {}
        for change in changes:
            old = change.old.path if change.old else None
            new = change.new.path if change.new else None
            path = new or old
            if any(side is not None and selection.language(side) is not None for side in (old, new)):
                assert path is not None
                self._pairs[path] = (old, new)
        self._base, self._head = base, head

    @cached_property
    def _hunks(self) -> dict[str, list[Hunk]]:
        contents = {
            path: (self._base.content(old), self._head.content(new)) for path, (old, new) in self._pairs.items()
        }
        return dict(zip(contents, hunks(list(contents.values())), strict=True))

    def of(self, path: str) -> Sequence[Hunk]:
        """The hunks of a file; none where it did not change."""
        return self._hunks[path] if path in self._pairs else ()

    def added(self) -> dict[str, list[tuple[int, int]]]:
        """First and last line of what each file of the head has and the base has not."""
        return {
            path: [
                (hunk.new_start, hunk.new_start + hunk.new_count - 1) for hunk in self._hunks[path] if hunk.new_count
            ]
            for path, (_, new) in self._pairs.items()
            if new is not None
        }

    def __getitem__(self, path: str) -> list[Hunk]:
        if path not in self._pairs:
            raise KeyError(path)
        return self._hunks[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._pairs)

    def __len__(self) -> int:
        return len(self._pairs)
