"""`pliant history` from a request to tables: plan, extraction, windows, and what is put together at the end."""

from __future__ import annotations

import contextlib
import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from pliant.analyses import registry
from pliant.ci.commits import Progress, no_progress
from pliant.ci.errors import UserError, visible, visible_path
from pliant.ci.git import Entry, Repository
from pliant.ci.history import executors
from pliant.ci.history.assemble import Totals, assemble
from pliant.ci.history.chunks import Chunk, Runner, chunks_of
from pliant.ci.history.plan import Plan, Range, Window, parse_range, plan
from pliant.ci.history.pricing import Choice
from pliant.ci.history.store import Store
from pliant.ci.history.versions import fact_cache
from pliant.ci.history.window import Task, selection_of
from pliant.ci.reports import history_html
from pliant.ci.selection import Selection
from pliant.ci.snapshot import Snapshot
from pliant.ci.state import state_folder
from pliant.ci.web import pages
from pliant.extractors import repository as repository_facts
from pliant.extractors.blobs import Source, version_of
from pliant.extractors.languages import LANGUAGES

Backend = Literal["embedded", "spark"]
MOST_VERSIONS: Final = 64
_LINE_SECONDS: Final = 30.0  # between lines on how far it is, where there is no terminal


@dataclass(frozen=True, slots=True)
class Request:
    """`versions`: most versions in a window. `jobs`: processes; 1 for this one alone. `authors`: whether
    tables and report name them."""

    folder: Path
    out: Path
    range: Range
    state: Path | None = None
    config: Path | None = None
    strategy: Choice = "auto"
    backend: Backend = "embedded"
    master: str | None = None
    jobs: int = 1
    versions: int = MOST_VERSIONS
    authors: bool = False


@dataclass(slots=True)
class Summary:
    """`resumed`: windows that an earlier run had finished. `phases`: seconds by phase, those of windows added up over
    processes. `strategies`: windows by strategy. `clamped`: commits whose date is none."""

    repository: str
    totals: Totals
    windows: int
    resumed: int
    extracted: int
    seconds: float = 0.0
    phases: dict[str, float] = field(default_factory=dict)
    strategies: dict[str, int] = field(default_factory=dict)
    peak_bytes: int = 0
    clamped: list[str] = field(default_factory=list)


def history(request: Request, say: Callable[[str], None], progress: Progress = no_progress) -> Summary:
    """Evaluates what is not there yet and writes the tables. Raises UserError."""
    started = time.perf_counter()
    if not 3 <= request.versions <= MOST_VERSIONS:
        raise UserError(f"--versions is {request.versions}: a window holds 3 to {MOST_VERSIONS} versions")
    store = Store(request.out.absolute())
    progress("planning")
    with Repository.open(request.folder) as repository:
        named = None if request.config is None else str(request.config.absolute())
        end = repository.resolve(parse_range(request.range.range)[1])
        selection = selection_of(repository, end, named)
        planned = plan(repository, request.range, request.versions, selection)
        _refuse_inside(repository, store.folder)
        store.begin(_key(repository, planned, selection), f"{repository.name} {request.range.range}")
        facts = state_folder(repository, request.state, selection.config.state_dir) / "facts"
        waiting = [window for window in planned.windows if not store.has(window.index)]
        blobs = _blobs(repository, waiting, selection)
        planning = time.perf_counter() - started
        tasks = _tasks(repository, request, planned, waiting, facts, end, named)
        with _runner(request, store.folder, say) as runner:
            missing = fact_cache(facts, say).missing(blobs)
            chunks = chunks_of(repository, facts, missing, runner.blobs_at_once)
            extracted = runner.extract(chunks, lambda done: progress("extracting", done, len(missing)))
            extracting = time.perf_counter() - started - planning
            _follow(runner.windows(tasks), waiting, say, progress)
        name, addresses = repository.name, pages(repository.folder)
    progress("writing the tables")
    totals = assemble(planned, store, authors=request.authors)
    title = visible(f"{name} {request.range.range}")
    store.write_text("report.html", history_html.report(store.folder, title, addresses))
    numbers = [store.numbers(window.index) for window in planned.windows]
    summary = Summary(name, totals, len(numbers), len(numbers) - len(waiting), extracted)
    summary.clamped = [commit.oid for commit in planned.commits if commit.clamped]
    phases = ("git", "extract", "facts", "derive", "findings")
    summary.phases = {phase: sum(each.get(f"seconds_{phase}", 0.0) for each in numbers) for phase in phases}
    summary.phases["git"] += planning
    summary.phases["extract"] += extracting
    for each in numbers:
        summary.strategies[each["strategy"]] = summary.strategies.get(each["strategy"], 0) + 1
        summary.peak_bytes = max(summary.peak_bytes, each["peak_bytes"])
    summary.seconds = time.perf_counter() - started
    return summary


class _Local:
    blobs_at_once = 1000

    def __init__(self, out: Path, jobs: int, say: Callable[[str], None]):
        self._out, self._jobs, self._say = out, jobs, say

    def extract(self, chunks: Sequence[Chunk], told: Callable[[int], None]) -> int:
        extracted = before = 0
        for chunk in chunks:
            extracted += chunk.extract(self._say, lambda done, before=before: told(before + done))  # type: ignore[misc]
            before += len(chunk.blobs)
        return extracted

    def windows(self, tasks: Sequence[Task]) -> Iterator[int]:
        if self._jobs < 2 or len(tasks) < 2:
            return executors.in_process(tasks, self._out)
        return executors.in_processes(tasks, self._out, min(self._jobs, len(tasks)))


@contextlib.contextmanager
def _runner(request: Request, out: Path, say: Callable[[str], None]) -> Iterator[Runner]:
    if request.backend == "spark":
        from pliant.ci.history.on_spark import on_spark

        with on_spark(request.master, out) as runner:
            yield runner
    else:
        yield _Local(out, request.jobs, say)


def _follow(ended: Iterator[int], waiting: Sequence[Window], say: Callable[[str], None], progress: Progress) -> None:
    """Waits for all windows, and tells how far it is and how long the rest may take."""
    weights = {window.index: 1 + sum(commit.touches for commit in window.commits) for window in waiting}
    commits = {window.index: len(window.commits) for window in waiting}
    total, done, done_commits = sum(weights.values()), 0, 0
    started = told = time.monotonic()
    progress("evaluating commits", 0, sum(commits.values()))
    for index in ended:
        done, done_commits = done + weights[index], done_commits + commits[index]
        now = time.monotonic()
        left = duration((now - started) / done * (total - done))
        progress(f"evaluating commits, about {left} left", done_commits, sum(commits.values()))
        if progress is no_progress and now - told > _LINE_SECONDS and done < total:
            told = now
            say(f"{done_commits} of {sum(commits.values())} commits, about {left} left")


def duration(seconds: float) -> str:
    """For a reader: `40 s`, `3 min`, `2.5 h`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _tasks(
    repository: Repository,
    request: Request,
    planned: Plan,
    waiting: Sequence[Window],
    facts: Path,
    end: str,
    named: str | None,
) -> list[Task]:
    inside = {commit.oid for commit in planned.commits}
    return [
        Task(
            str(repository.folder.absolute()), str(facts), window, end, named,
            tuple(parent for parent in window.outside if parent not in inside), request.strategy,
        )
        for window in waiting
    ]  # fmt: skip


def _blobs(repository: Repository, windows: Sequence[Window], selection: Selection) -> list[Source]:
    """The source files that windows bring; those of commits outside are met in the windows, but for the first's."""
    found: dict[tuple[str, str], Source] = {}

    def note(entries: Iterable[Entry | None]) -> None:
        for source in Snapshot.of([entry for entry in entries if entry is not None], selection).sources.values():
            found.setdefault(source.key, source)

    for window in windows:
        trees = {**window.outside, **{commit.oid: commit.tree for commit in window.commits}}
        if window is windows[0]:
            for parent in window.outside:
                note(repository.tree(parent))
        pairs = [(trees[parent], commit.tree) for commit, parent in window.edges if parent]
        for changes in repository.tree_diffs([pair for pair in pairs if pair[0] != pair[1]], renames=False):
            note(change.new for change in changes)
    return list(found.values())


def _key(repository: Repository, planned: Plan, selection: Selection) -> str:
    """Of all that the results depend on."""
    versions = [version_of(language) for language in LANGUAGES.values()]
    windows = [[window.index, *(commit.oid for commit in window.commits)] for window in planned.windows]
    parents = [commit.parents for commit in planned.commits]
    used = selection.config
    config = [repr(used.projects), [model.text for model in used.models], used.ranking.bias, dict(used.ranking.weights)]
    parts = [registry.program().hash, repository_facts.version(), versions, windows, parents, config]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _refuse_inside(repository: Repository, folder: Path) -> None:
    for own in {repository.git_dir, repository.common_dir}:
        if folder.resolve().is_relative_to(own.resolve()):
            raise UserError(f"--out {visible_path(str(folder))} lies in the git directory, which is not written to")


__all__ = ["Request", "Summary", "duration", "history"]
