"""One window from git to its results: an independent task that any process may run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from pliant.analyses import registry
from pliant.analyses.baseline import Baseline
from pliant.analyses.findings import Finding
from pliant.analyses.report import Asked
from pliant.ci import config
from pliant.ci.commits import Clock
from pliant.ci.comparison import findings_between, read_baseline
from pliant.ci.git import Repository
from pliant.ci.history.evaluation import Evaluated, OneByOne, Together
from pliant.ci.history.plan import Window, is_touching
from pliant.ci.history.pricing import Choice, Priced, choose
from pliant.ci.history.versions import NOTHING, Versions, ensure, fact_cache, facts_of, read_versions
from pliant.ci.left_out import Key, gaps, regained, remarks
from pliant.ci.places import free_memory
from pliant.ci.report import Remark
from pliant.ci.selection import Selection
from pliant.ci.side_sources import ChangedLines, Sources
from pliant.engine import Difference, Evaluation, peak_memory
from pliant.extractors.blobs import FactCache, Location, Source
from pliant.extractors.workers import Content


@dataclass(slots=True)
class Task:
    """All that a process has to know. `facts`: the folder of the fact cache. `listed`: commits outside whose findings
    are wanted, since no window has them. `configured`: the commit whose configuration holds; `config`: the file that
    was named instead. by_way: whether each edge is told as a check tells it; else only findings that come or go, since
    a way of one has no lifetime of its own."""

    repository: str
    facts: str
    window: Window
    configured: str
    config: str | None = None
    listed: tuple[str, ...] = ()
    strategy: Choice = "auto"
    by_way: bool = False

    def dump(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def load(cls, dumped: dict[str, Any]) -> Task:
        return cls(
            dumped["repository"], dumped["facts"], Window.load(dumped["window"]), dumped["configured"],
            dumped["config"], tuple(dumped["listed"]), dumped["strategy"], dumped["by_way"],
        )  # fmt: skip


@dataclass(slots=True)
class Edge:
    """What a commit did against one parent. left_out: what was not analysed of what it changes. regained: what the
    parent left out and the commit did not. findings: all of the commit, if any may differ; None if none does. line: a
    source line that a finding names."""

    commit: str
    parent: str
    files: int
    facts_inserted: int = 0
    facts_deleted: int = 0
    derived_inserted: int = 0
    derived_deleted: int = 0
    tuples: int = 0
    regained: list[Key] = field(default_factory=list)
    left_out: list[Remark] = field(default_factory=list)
    findings: list[Finding] | None = None
    line: Callable[[Finding, str, int], str] = field(default=lambda finding, file, line: "", repr=False)


@dataclass(slots=True)
class Result:
    """listings: the findings of commits outside that were asked for. numbers: of `tables.WINDOWS`."""

    edges: list[Edge] = field(default_factory=list)
    listings: dict[str, list[Finding]] = field(default_factory=dict)
    numbers: dict[str, Any] = field(default_factory=dict)


class Blobs:
    """What `Sources` reads by; the contents and places of a window's files are kept by blob."""

    def __init__(self, repository: Repository, cache: FactCache):
        self._repository, self._cache = repository, cache
        self._contents: dict[str, Content] = {}
        self._places: dict[tuple[str, str], Mapping[str, Location]] = {}

    def read(self, oids: Iterable[str]) -> Iterator[tuple[str, Content]]:
        return self._repository.read(oids)

    def content(self, oid: str) -> Content:
        if oid not in self._contents:
            [(_, self._contents[oid])] = self._repository.read([oid])
        return self._contents[oid]

    def places(self, source: Source) -> Mapping[str, Location]:
        key = (source.path, source.oid)
        if key not in self._places:
            self._places[key] = self._cache.places(source)
        return self._places[key]


def evaluate(task: Task) -> Result:
    """The results of a window."""
    started = time.perf_counter()
    clock, result = Clock(), Result()
    cache = fact_cache(Path(task.facts))
    program = registry.program()
    with Repository.open(Path(task.repository)) as repository:
        with clock.phase("git"):
            selection = selection_of(repository, task.configured, task.config)
            versions = read_versions(repository, task.window, selection)
        with clock.phase("extract"):
            extracted = ensure(cache, versions.snapshots, repository.read)
        with clock.phase("facts"):
            facts = facts_of(program, versions.snapshots, cache, selection)
            edges = _edges(task.window, versions)
            differing = [edge for edge in edges if edge[2] != edge[3]]
            priced = choose(facts, _roots(differing), [edge[2:] for edge in differing], task.strategy, free_memory())
            size, size_of_one = facts.size, facts.size_of(0)
        with clock.phase("derive"):
            evaluated: Evaluated = Together(facts) if priced.strategy == "versions" else OneByOne(program, facts)
        comparing = _Comparing(versions, cache, Blobs(repository, cache), selection, by_way=task.by_way)
        with clock.phase("findings"):
            for commit in task.listed:
                result.listings[commit] = comparing.listing(commit, evaluated.at(versions.of_commit[commit]))
        by_edge = {edge[:2]: Edge(edge[1], edge[0], _touched(versions, edge[:2], selection)) for edge in edges}
        compared = evaluated.compare([edge[2:] for edge in differing])
        for edge in differing:
            with clock.phase("derive"):
                base, head, difference = next(compared)
            with clock.phase("findings"):
                comparing.fill(by_edge[edge[:2]], base, head, difference)
        result.edges = list(by_edge.values())
    result.numbers = _numbers(task.window, len(versions.snapshots), priced, clock)
    result.numbers |= {"facts": size, "facts_of_one": size_of_one, "tuples": evaluated.tuples, "extracted": extracted}
    result.numbers["seconds"] = time.perf_counter() - started
    return result


def _edges(window: Window, versions: Versions) -> list[tuple[str, str, int, int]]:
    """(parent, commit, their versions)."""
    return [
        (parent, commit.oid, versions.of_commit[parent], versions.of_commit[commit.oid])
        for commit, parent in window.edges
    ]


def _roots(edges: Sequence[tuple[str, str, int, int]]) -> list[int]:
    reached = {edge[3] for edge in edges}
    return list(dict.fromkeys(edge[2] for edge in edges if edge[2] not in reached))


def _touched(versions: Versions, edge: tuple[str, str], selection: Selection) -> int:
    return sum(is_touching([change], selection) for change in versions.changes[edge])


def selection_of(repository: Repository, commit: str, named: str | None) -> Selection:
    """Which files are read: as the file says that was named, else as the commit does."""
    if named is not None:
        return Selection(config.of_file(Path(named)))
    return Selection(config.of_commit(repository, commit, commit[:12]))


def _numbers(window: Window, versions: int, priced: Priced, clock: Clock) -> dict[str, Any]:
    return {
        "window_number": window.index,
        "first": window.commits[0].oid,
        "last": window.commits[-1].oid,
        "commits": len(window.commits),
        "versions": versions,
        "strategy": priced.strategy,
        "reason": priced.reason,
        "price_versions": priced.versions,
        "price_update": priced.update,
        **{f"seconds_{name}": seconds for name, seconds in clock.seconds.items()},
        "peak_bytes": peak_memory(),
    }


def _line(base: Sources, head: Sources, finding: Finding, file: str, line: int) -> str:
    """As `Report.line`."""
    lines = (base if finding.of_base else head).lines(file)
    return lines[line - 1] if 0 < line <= len(lines) else ""


class _Comparing:
    """Findings of edges, as a check of them makes them."""

    def __init__(self, versions: Versions, cache: FactCache, blobs: Blobs, selection: Selection, *, by_way: bool):
        self._by_way = by_way
        self._versions, self._cache, self._blobs, self._selection = versions, cache, blobs, selection
        self._sources: dict[int, Sources] = {}

    def fill(self, edge: Edge, base: Evaluation, head: Evaluation, difference: Difference) -> None:
        program = head.program
        inputs = program.input_storage.values()
        edge.facts_inserted = sum(len(difference.inserted[name]) for name in inputs)
        edge.facts_deleted = sum(len(difference.deleted[name]) for name in inputs)
        edge.derived_inserted = sum(len(difference.inserted[name]) for name in program.outputs)
        edge.derived_deleted = sum(len(difference.deleted[name]) for name in program.outputs)
        edge.tuples = sum(stratum.tuples for stratum in difference.strata)
        names = [name for name in registry.KINDS if name in difference.inserted]
        before, after = self._of(edge.parent), self._of(edge.commit)
        comments = before.comments().of_files or after.comments().of_files
        changes = self._versions.changes[edge.parent, edge.commit]
        lines = ChangedLines(changes, before, after, self._selection)
        left_out = gaps(before.snapshot, after.snapshot, changes, lines.of)
        told = remarks(before.snapshot, after.snapshot, changes, left_out, lines.of)
        edge.left_out = [remark for remark in told if remark.level == "warning"]
        edge.regained = regained(before.snapshot, after.snapshot, changes)
        # Where no row of a finding differs, what comments silence may, and what was not read is known now; and changed
        # sources refute or confirm a finding by a condition alone.
        differs = any(len(difference.inserted[name]) + len(difference.deleted[name]) for name in names)
        differs |= before.snapshot.sources != after.snapshot.sources
        if not comments and not differs and not edge.regained:
            return
        edge.line = partial(_line, before, after)
        edge.findings = findings_between(
            base,
            head,
            difference,
            before,
            after,
            lines,
            Asked(baseline=self._baseline(), by_way=self._by_way),
            left_out,
        )

    def listing(self, commit: str, evaluation: Evaluation) -> list[Finding]:
        """The findings of a commit, compared with nothing."""
        if commit == NOTHING:
            return []
        sources = self._of(commit)
        lines = ChangedLines([], sources, sources, self._selection)
        asked = Asked(baseline=self._baseline())
        return findings_between(evaluation, evaluation, Difference(), sources, sources, lines, asked)

    def _baseline(self) -> Baseline | None:
        return read_baseline(None, self._selection.config)

    def _of(self, commit: str) -> Sources:
        version = self._versions.of_commit[commit]
        if version not in self._sources:
            self._sources[version] = Sources(self._versions.snapshots[version], self._cache, self._blobs)
        return self._sources[version]


__all__ = ["Edge", "Result", "Task", "evaluate", "selection_of"]
