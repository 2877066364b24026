"""Evaluations of commits: from the state directory where one is near enough, else by Bootstrap; from one to the next.

    nearest stored ancestor --Update--> base --Update--> head

Only blobs that were never seen are extracted. What is handed to the engine is the difference of two sets of facts.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

from pliant.analyses import registry
from pliant.analyses.user_rules import UserRuleError
from pliant.ci.config import Config
from pliant.ci.errors import UserError, visible
from pliant.ci.fact_diff import FactDiff
from pliant.ci.git import Entry, Repository
from pliant.ci.held import Held
from pliant.ci.selection import Selection
from pliant.ci.snapshot import Snapshot
from pliant.ci.state import StateStore
from pliant.ci.steps import Here, OnlyHere, Place, Places, Strategy, apply, between, whole
from pliant.engine import DatalogError, Difference, Evaluation, Program
from pliant.extractors import repository as repository_facts
from pliant.extractors.blobs import FactCache, Read, Source, version_of
from pliant.extractors.languages import LANGUAGES
from pliant.extractors.tables import FactTable

_ANCESTORS = 2000  # that are looked at for a stored state


class Progress(Protocol):
    """Told what is being done; `total` is 0 where it is not known."""

    def __call__(self, phase: str, done: int = 0, total: int = 0) -> None: ...


def no_progress(phase: str, done: int = 0, total: int = 0) -> None:
    pass


class Clock:
    """Seconds by phase."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start


@dataclass(slots=True)
class State:
    """A commit's evaluation, its files, and a sentence on where it came from."""

    evaluation: Evaluation
    snapshot: Snapshot
    origin: str


def program_of(config: Config) -> Program:
    """The analyses, with the rules that the configuration switches on or adds. Raises UserError where one of those that
    it adds is none."""
    user = tuple((model.name, model.text) for model in config.rule_files)
    levels = [each for project in config.projects for each in project.settings.rules.items()]
    on = registry.OPT_IN.intersection(rule for rule, level in levels if level != "off")
    try:
        return registry.program(user, on)
    except (DatalogError, UserRuleError) as error:
        if not user:
            raise
        first = error.diagnostics[0] if isinstance(error, DatalogError) else error
        raise UserError(f"a rule of your own cannot be used: {visible(' '.join(str(first).split()))}") from None


@dataclass(frozen=True, slots=True)
class Console:
    """What a run says while it goes on: lines about what was wrong, what it is doing, and the seconds of its phases."""

    say: Callable[[str], None]
    clock: Clock = field(default_factory=Clock)
    progress: Progress = no_progress


class Commits:
    """The evaluations of one repository's commits under the analyses' program."""

    def __init__(
        self,
        repository: Repository,
        store_folder: Callable[[str], StateStore],
        console: Console,
        strategy: Strategy = "elastic",
        selection: Selection | None = None,
        places: Places | None = None,
        held: Held | None = None,
    ):
        self.selection = selection or Selection()
        self._places: Places = places or OnlyHere()
        self.clock = console.clock
        self.extracted = 0
        self._repository = repository
        self._progress = console.progress
        self._strategy: Strategy = strategy
        with self.clock.phase("program"):
            self.program: Program = program_of(self.selection.config)
        versions = [version_of(language) for language in LANGUAGES.values()]
        key = "\n".join([self.program.hash, repository_facts.version(), *versions, self.selection.key]).rstrip()
        self.store = store_folder(hashlib.sha256(key.encode()).hexdigest()[:16])
        self._held = held

        def cache() -> FactCache:
            return FactCache(self.store.facts_folder, console.say, self.store.seal)

        self.cache = held.cache_of(self.store.key, cache) if held else cache()
        self._here = Here(self.cache)

    def at(self, commit: str, *, stored: bool = True) -> State:
        """The state of a commit: stored, or brought from its nearest stored ancestor, or built; and stored then.

        An engine's StateError, of a stored state that is damaged, may come later, when the state is used.
        """
        if self._held and stored:
            if (held := self._held.state_of(commit)) is None:
                held = self._at(commit, stored=True)
                self._held.keep(commit, held)
            return held
        return self._at(commit, stored=stored)

    def _at(self, commit: str, *, stored: bool) -> State:
        with self.clock.phase("open"):
            nearest = opened = None
            if stored and (there := self.store.available()):
                candidates = [commit] if commit in there else self._repository.ancestors(commit, _ANCESTORS)
                nearest = next((candidate for candidate in candidates if candidate in there), None)
                opened = self.store.open(nearest, self.program, self.selection) if nearest else None
            elif not stored:
                self.store.forget(commit)
        if opened is None or nearest is None:
            with self.clock.phase("git"):
                snapshot = self.snapshot(self._repository.tree(commit))
            state = self.bootstrap(snapshot, self._repository.read)
        else:
            state = State(*opened, "stored")
            if nearest == commit:
                return state
            with self.clock.phase("git"):
                changes = self._repository.tree_diff(nearest, commit)
            self.advance(state, state.snapshot.changed(changes), self._repository.read)
            state.origin = f"updated from {nearest[:12]}"
        self.keep(commit, state)
        return state

    def snapshot(self, entries: Iterable[Entry]) -> Snapshot:
        """The files of a tree that are read."""
        return Snapshot.of(entries, self.selection)

    def keep(self, commit: str, state: State, *, cheaply: bool = False) -> None:
        """Stores a state for later runs; `cheaply`: only if it takes little time."""
        with self.clock.phase("save"):
            self._progress("keeping the state")
            self.store.save(commit, state.evaluation, state.snapshot, cheaply=cheaply)

    def bootstrap(self, snapshot: Snapshot, read: Read) -> State:
        """The state of a snapshot, from nothing but its facts."""
        place, tables = self._tables(snapshot, read)
        with self.clock.phase("bootstrap"):
            self._progress("deriving")
            evaluation = place.bootstrap(self.program, tables)
        return State(evaluation, snapshot, "built from scratch")

    def facts(self, snapshot: Snapshot, read: Read) -> FactTable:
        """All facts of a snapshot."""
        place, tables = self._tables(snapshot, read)
        with self.clock.phase("facts"):
            return place.collected(tables)

    def _tables(self, snapshot: Snapshot, read: Read) -> tuple[Place, list[Any]]:
        place = self._places.of_commit(snapshot) or self._here
        self._ensure(snapshot.sources.values(), snapshot, read, place)
        with self.clock.phase("facts"):
            return place, whole(place, snapshot)

    def advance(self, state: State, target: Snapshot, read: Read) -> tuple[FactDiff, Difference]:
        """Brings `state` to the files of `target`; `read` has the blobs of both."""
        diff = self._fact_diff(state.snapshot, target, read, self._places.of_changes() or self._here)
        with self.clock.phase("update"):
            self._progress("deriving")
            change = apply(state.evaluation, diff, self._strategy)
        state.snapshot = target
        return diff, change

    def _fact_diff(self, old: Snapshot, new: Snapshot, read: Read, place: Place) -> FactDiff:
        def ensure(sources: Iterable[Source]) -> None:
            self._ensure(sources, new, read, place)

        return between(place, old, new, ensure, self.clock.phase)

    def _ensure(self, sources: Iterable[Source], snapshot: Snapshot, read: Read, place: Place) -> None:
        """Has the facts of `sources` at hand, and the summaries of `snapshot` complete."""
        with self.clock.phase("extract"):
            self._progress("extracting")
            self.extracted += place.extract(sources, read, partial(self._progress, "extracting"))
            snapshot.summarize(place)
