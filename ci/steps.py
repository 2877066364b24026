"""The steps from a commit's files to its evaluation, as any place has them, and how this process does them.

What a place makes of files is a *table* of its own kind: columns here, a DataFrame on Spark. Nobody else looks into
it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Literal, Protocol

from pliant.ci.errors import UserError, visible
from pliant.ci.fact_diff import FactDiff, difference
from pliant.ci.snapshot import Snapshot
from pliant.engine import Batch, Difference, Evaluation, Program
from pliant.extractors import repository as repository_facts
from pliant.extractors.blobs import FactCache, Read, Source, Summary
from pliant.extractors.model_files import ModelError
from pliant.extractors.tables import FactTable, from_facts, together

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


Strategy = Literal["elastic", "update", "bootstrap"]


def whole(place: Place, snapshot: Snapshot) -> list[Any]:
    """The tables of all facts of a commit."""
    return [place.table(list(snapshot.sources.values())), place.context(_context(snapshot))]


def between(
    place: Place,
    old: Snapshot,
    new: Snapshot,
    ensure: Callable[[Iterable[Source]], None],
    phase: Callable[[str], AbstractContextManager[None]] = lambda name: nullcontext(),
) -> FactDiff:
    """The facts in which two commits differ. `ensure` has the facts of sources at hand, and the summaries of `new`."""
    gone = [source for path, source in old.sources.items() if new.sources.get(path) != source]
    came = [source for path, source in new.sources.items() if old.sources.get(path) != source]
    ensure([*gone, *came])
    with phase("facts"):
        before, after = place.table(gone), place.table(came)
        diff = place.difference([before], [after])
        if not diff.shared and _context_inputs(old) == _context_inputs(new):
            return diff
        if not diff.shared:
            sides = [[part, place.context(_context(side))] for part, side in ((before, old), (after, new))]
            return place.difference(*sides)
    # A fact that names no entity of a file stays as long as any file has it: only whole commits can be compared.
    ensure([*old.sources.values(), *new.sources.values()])
    with phase("facts"):
        return place.difference(whole(place, old), whole(place, new))


def apply(evaluation: Evaluation, diff: FactDiff, strategy: Strategy = "elastic") -> Difference:
    """Brings an evaluation from one commit's facts to another's."""
    return evaluation.update(
        insert=Batch(symbols=diff.symbols, rows=diff.inserted),
        delete=Batch(symbols=diff.symbols, rows=diff.deleted),
        strategy=strategy,
    )


def _context(snapshot: Snapshot) -> FactTable:
    selection = snapshot.selection
    try:
        facts = repository_facts.context_facts(snapshot.summaries, selection.is_test, selection.config.models)
    except ModelError as error:
        raise UserError(f"models: {visible(str(error))}") from None
    return from_facts(facts)


def _context_inputs(snapshot: Snapshot) -> dict[str, tuple[str, tuple[str, ...]]]:
    """What the facts of the commit as a whole are made from."""
    return {path: (source.language.name, snapshot.summaries[path].library) for path, source in snapshot.sources.items()}


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


__all__ = ["Here", "OnlyHere", "Place", "Places", "Strategy", "Told", "apply", "between", "whole"]
