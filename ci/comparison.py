"""Two revisions side by side: their commits, their states, the update between them, and every finding of either."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from pliant.analyses import report as analyses_report
from pliant.analyses.baseline import Baseline, BaselineError
from pliant.analyses.describe import NOTHING, Explained
from pliant.analyses.findings import Finding
from pliant.analyses.registry import kinds_of
from pliant.analyses.report import Asked, Side
from pliant.analyses.rules import rules
from pliant.analyses.standing import Standing
from pliant.analyses.treatment import Treatment
from pliant.analyses.witness.programs import Programs
from pliant.ci.commits import Clock, Commits, Console, Progress, State, no_progress
from pliant.ci.config import MAX_NAMED_BYTES, Config
from pliant.ci.config_source import of_sides
from pliant.ci.errors import UserError, read_bounded, visible
from pliant.ci.fact_diff import FactDiff
from pliant.ci.git import Change, Repository
from pliant.ci.held import Held
from pliant.ci.left_out import Gap, gaps
from pliant.ci.report import ordered
from pliant.ci.scope import Scope
from pliant.ci.selection import Selection, graded
from pliant.ci.side_sources import ChangedLines, Sources
from pliant.ci.sides import resolve
from pliant.ci.snapshot import Snapshot
from pliant.ci.standing import standing
from pliant.ci.state import StateStore, state_folder
from pliant.ci.steps import Places, Strategy
from pliant.ci.worktree import Worktree
from pliant.engine import Difference, Evaluation, StateError
from pliant.extractors.blobs import Location, Source
from pliant.extractors.workers import Content

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Request:
    """What to compare. base: None for the default branch; the comparison is with its merge base with `head`. within:
    what is shown is this file of the folder, or what is below the folder, if it is empty; None for everything. rules:
    that are shown; empty for all. held: what an earlier check left in memory."""

    folder: Path
    base: str | None = None
    head: str = "HEAD"
    state: Path | None = None
    strategy: Strategy = "elastic"
    unchanged: bool = False
    config: Path | None = None
    deepen: bool = False
    baseline: Path | None = None
    places: Callable[[Repository], Places] | None = None
    within: str | None = None
    rules: tuple[str, ...] = ()
    held: Held | None = None


class Comparison:
    """Base and head of a request: both states, and what differs between their files. stored: whether states and
    instructions that were kept are used."""

    def __init__(
        self, request: Request, say: Callable[[str], None], progress: Progress = no_progress, *, stored: bool = True
    ):
        self.stored, self.held = stored, request.held
        if self.held and not stored:
            self.held.forget()
        self.clock = Clock()
        with self.clock.phase("git"):
            self.repository = Repository.open(request.folder)
            sides, self.notes = resolve(self.repository, request.base, request.head, deepen=request.deepen)
            self.sides = sides
            self.config, notes = of_sides(
                self.repository, sides.base_tip, sides.base.name, sides.base_commit, sides.head.commit, request.config
            )
        self.notes += notes
        self.scope = Scope("" if request.within is None else self.repository.prefix + request.within, request.rules)
        self.selection = Selection(self.config)
        folder = state_folder(self.repository, request.state, self.config.state_dir)
        self.commits = Commits(
            self.repository,
            lambda key: StateStore(folder, key, say),
            Console(say, self.clock, progress),
            request.strategy,
            self.selection,
            request.places and request.places(self.repository),
            self.held,
        )
        self.scope.check({*rules(), *(kind.rule for kind in kinds_of(self.commits.program).values())})
        self.worktree: Worktree | None = None
        self.changes: list[Change] = []

    def base(self) -> State:
        return self.commits.at(self.sides.base_commit, stored=self.stored)

    def __enter__(self) -> Comparison:
        return self

    def __exit__(self, *_: object) -> None:
        self.repository.close()

    def target(self, base: Snapshot) -> Snapshot:
        """The files of the head, and as `changes` how they differ from those of the base."""
        with self.clock.phase("git"):
            if self.sides.head.commit is None:
                wanted, seen = self.selection.language, self.held.files if self.held else None
                self.worktree = Worktree(self.repository, lambda path: wanted(path) is not None, seen)
                oids = {path: source.oid for path, source in base.sources.items()}
                self.changes = self.worktree.diff(oids, self.content)
            else:
                self.changes = self.repository.tree_diff(self.sides.base_commit, self.sides.head_commit)
        target = base.changed(self.changes)
        if self.worktree:
            target.skipped.update((path, why) for path, why in self.worktree.left_out.items() if path in base.sources)
        return target

    def read(self, oids: Iterable[str]) -> Iterator[tuple[str, Content]]:
        """Blobs of either side."""
        stored = []
        for oid in oids:
            if self.worktree and oid in self.worktree:
                yield oid, self.worktree.content(oid)
            else:
                stored.append(oid)
        yield from self.repository.read(stored)

    def content(self, oid: str) -> Content:
        [(_, content)] = self.read([oid])
        return content

    def places(self, source: Source) -> Mapping[str, Location]:
        return self.commits.cache.places(source)


def on_sound_states(
    run: Callable[[Comparison], T], request: Request, say: Callable[[str], None], progress: Progress
) -> T:
    """What `run` gives; once more and from scratch, if a stored state turns out to be damaged when it is used."""
    try:
        with Comparison(request, say, progress) as comparison:
            return run(comparison)
    except StateError as error:
        say(f"ignored a damaged state: {visible(str(error))}")
    with Comparison(request, say, progress, stored=False) as comparison:
        return run(comparison)


@dataclass(slots=True)
class Compared:
    """Both sides of a comparison, and what was found between them: also what is silenced or unchanged."""

    base: State
    head: State
    target: Snapshot
    before: Sources
    after: Sources
    facts: FactDiff
    derived: Difference
    findings: list[Finding]
    changed_lines: ChangedLines
    gaps: list[Gap]


def compare(request: Request, comparison: Comparison, progress: Progress, explained: Explained = NOTHING) -> Compared:
    """The states of both sides and every finding. explained: what of them is told in full."""
    commits, clock = comparison.commits, comparison.clock
    baseline = read_baseline(request.baseline, comparison.config)
    base = comparison.base()
    target = comparison.target(base.snapshot)
    head = State(base.evaluation.copy(), base.snapshot, "")
    facts, derived = commits.advance(head, target, comparison.read)
    if comparison.held:
        base.evaluation.load_as(head.evaluation)
    before = Sources(base.snapshot, commits.cache, comparison, stored=comparison.stored)
    after = Sources(target, commits.cache, comparison, stored=comparison.stored)
    changed_lines = ChangedLines(comparison.changes, before, after, comparison.selection)
    with clock.phase("findings"):
        progress("explaining")
        left_out = gaps(base.snapshot, target, comparison.changes, changed_lines.of)
        findings = findings_between(
            base.evaluation,
            head.evaluation,
            derived,
            before,
            after,
            changed_lines,
            Asked(baseline=baseline, explained=explained),
            left_out,
        )
    return Compared(base, head, target, before, after, facts, derived, findings, changed_lines, left_out)


def read_baseline(named: Path | None, config: Config) -> Baseline | None:
    """The baseline that the caller names, else that of the configuration."""
    where, text = "", ""
    if named is not None:
        where = visible(str(named))
        try:
            text = read_bounded(named, MAX_NAMED_BYTES).decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
            raise UserError(
                f"the baseline {where} cannot be read: {reason}; `pliant baseline write` makes one"
            ) from None
    elif config.baseline is not None:
        where, text = config.baseline.name, config.baseline.text
    else:
        return None
    try:
        return Baseline.read(text)
    except BaselineError as error:
        raise UserError(f"the baseline {where} cannot be used: {visible(str(error))}") from None


def findings_between(
    base: Evaluation,
    head: Evaluation,
    difference: Difference,
    before: Sources,
    after: Sources,
    changed_lines: ChangedLines,
    asked: Asked,
    left_out: Sequence[Gap] = (),
) -> list[Finding]:
    """The findings of two states and their files by status, in order; as the selection of `changed_lines` treats them.
    left_out: what a side could not read."""
    selection = changed_lines.selection
    found = analyses_report.findings(
        _side(base, before, standing("base", base, before, after, left_out, changed_lines.of) if left_out else None),
        _side(head, after, standing("head", head, after, before, left_out, changed_lines.of) if left_out else None),
        difference,
        changed_lines,
        changed_lines.renames,
        replace(asked, treatment=Treatment(selection.is_test, selection.least, selection.config.ranking)),
    )
    return ordered(graded(found, selection))


def _side(evaluation: Evaluation, sources: Sources, without_gaps: Standing | None) -> Side:
    programs = Programs(sources.content, sources.places, sources.instructions)
    return Side(evaluation, sources.locate, sources.comments(), programs, without_gaps)
