"""The steps from a commit's files to its evaluation, as any place has them, and how this process does them.

What a place makes of files is a *table* of its own kind: columns here, a DataFrame on Spark. Nobody else looks into
it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from pliant.ci.fact_diff import FactDiff, difference
from pliant.ci.snapshot import Snapshot
from pliant.engine import Batch, Evaluation, Program
from pliant.extractors.blobs import FactCache, Read, Source, Summary
from pliant.extractors.tables import FactTable, together

Told = Callable[[int, int], None]  # how many of how many


class Place(Protocol):
    def extract(self, sources: Iterable[Source], read: Read, told: Told) -> int:
        """Has the facts of the sources' blobs at hand; how many were extracted for it."""

    def summaries(self, sources: Sequence[Source]) -> list[Summary]:
        """Of sources that were extracted; as all below."""

    def table(self, sources: Sequence[Source]) -> Any: ...
    def context(self, facts: FactTable) -> Any:
        """The table of facts that no file has."""

    def difference(self, old: Sequence[Any], new: Sequence[Any]) -> FactDiff: ...
    def collected(self, tables: Sequence[Any]) -> FactTable: ...
    def bootstrap(self, program: Program, tables: Sequence[Any]) -> Evaluation: ...


class Places(Protocol):
    """Who chooses the place; None stands for this process."""

    def of_commit(self, snapshot: Snapshot) -> Place | None:
        """For a whole commit, from nothing."""

    def of_changes(self) -> Place | None:
        """For the files that a commit changed."""


class Here:
    """This process, with the fact cache."""

    def __init__(self, cache: FactCache):
        self._cache = cache

    def extract(self, sources: Iterable[Source], read: Read, told: Told) -> int:
        extracted = self._cache.ensure(sources, read, told)
        self._cache.flush()
        return extracted

    def summaries(self, sources: Sequence[Source]) -> list[Summary]:
        return self._cache.summaries(sources)

    def table(self, sources: Sequence[Source]) -> FactTable:
        return self._cache.table(sources)

    def context(self, facts: FactTable) -> FactTable:
        return facts

    def difference(self, old: Sequence[FactTable], new: Sequence[FactTable]) -> FactDiff:
        return difference(old, new)

    def collected(self, tables: Sequence[FactTable]) -> FactTable:
        return together(tables)

    def bootstrap(self, program: Program, tables: Sequence[FactTable]) -> Evaluation:
        facts = together(tables)
        return Evaluation.bootstrap(program, Batch(symbols=facts.symbols, rows=facts.rows))


class OnlyHere:
    def of_commit(self, snapshot: Snapshot) -> None:
        return None

    def of_changes(self) -> None:
        return None


__all__ = ["Here", "OnlyHere", "Place", "Places", "Told"]
