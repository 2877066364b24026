"""`pliant check` from revisions to a report: which commits, their states, the update between them, the findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol, TypeVar

from pliant.analyses import report as analyses_report
from pliant.analyses.baseline import Baseline, BaselineError
from pliant.analyses.findings import Finding
from pliant.analyses.suppression import Comments
from pliant.ci.commits import Clock, Commits, Progress, State, Strategy, no_progress
from pliant.ci.config import Config
from pliant.ci.config_source import of_sides
from pliant.ci.errors import UserError, visible
from pliant.ci.fact_diff import FactDiff
from pliant.ci.git import Change, Repository
from pliant.ci.hunks import Hunk, hunks
from pliant.ci.report import Remark, Report, Size, Stratum, ordered
from pliant.ci.selection import Selection, graded
from pliant.ci.sides import resolve
from pliant.ci.snapshot import Snapshot
from pliant.ci.state import StateStore, state_folder
from pliant.ci.steps import Places
from pliant.ci.version import version
from pliant.ci.worktree import WORKTREE, Worktree
from pliant.engine import Difference, Evaluation, StateError
from pliant.extractors.blobs import FactCache, Location, Source
from pliant.extractors.facts import OWN, escape_path

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Request:
    """What to compare. base: None for the default branch; the comparison is with its merge base with `head`."""

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


class Comparison:
    """Base and head of a request: both states, and what differs between their files."""

    def __init__(
        self, request: Request, say: Callable[[str], None], progress: Progress = no_progress, *, stored: bool = True
    ):
        self._stored = stored
        self.clock = Clock()
        with self.clock.phase("git"):
            self.repository = Repository.open(request.folder)
            sides, self.notes = resolve(self.repository, request.base, request.head, deepen=request.deepen)
            self.sides = sides
            self.config, notes = of_sides(
                self.repository, sides.base_tip, sides.base.name, sides.base_commit, sides.head.commit, request.config
            )
        self.notes += notes
        self.selection = Selection(self.config)
        folder = state_folder(self.repository, request.state, self.config.state_dir)
        self.commits = Commits(
            self.repository,
            lambda key: StateStore(folder, key, say),
            say,
            self.clock,
            progress,
            request.strategy,
            self.selection,
            request.places and request.places(self.repository),
        )
        self.worktree: Worktree | None = None
        self.changes: list[Change] = []

    def base(self) -> State:
        return self.commits.at(self.sides.base_commit, stored=self._stored)

    def __enter__(self) -> Comparison:
        return self

    def __exit__(self, *_: object) -> None:
        self.repository.close()

    def target(self, base: Snapshot) -> Snapshot:
        """The files of the head, and as `changes` how they differ from those of the base."""
        with self.clock.phase("git"):
            if self.sides.head.commit is None:
                self.worktree = Worktree(self.repository, lambda path: self.selection.language(path) is not None)
                oids = {path: source.oid for path, source in base.sources.items()}
                self.changes = self.worktree.diff(oids, self.content)
            else:
                self.changes = self.repository.tree_diff(self.sides.base_commit, self.sides.head_commit)
        return base.changed(self.changes)

    def read(self, oids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Blobs of either side."""
        stored = []
        for oid in oids:
            if self.worktree and oid in self.worktree:
                yield oid, self.worktree.content(oid)
            else:
                stored.append(oid)
        yield from self.repository.read(stored)

    def content(self, oid: str) -> bytes:
        [(_, content)] = self.read([oid])
        return content

    def places(self, source: Source) -> Mapping[str, Location]:
        return self.commits.cache.places(source)


class Blobs(Protocol):
    """Where `Sources` reads."""

    def read(self, oids: Iterable[str]) -> Iterator[tuple[str, bytes]]: ...
    def content(self, oid: str) -> bytes: ...
    def places(self, source: Source) -> Mapping[str, Location]: ...


class Sources:
    """Lines and places of one side's files, each file read when it is first asked for."""

    def __init__(self, snapshot: Snapshot, cache: FactCache, blobs: Blobs):
        self._snapshot = snapshot
        self._cache = cache
        self._blobs = blobs
        self._lines: dict[str, Sequence[str]] = {}
        self._places: dict[str, Mapping[str, Location]] = {}

    @cached_property
    def _by_escaped_path(self) -> dict[str, Source]:
        return {escape_path(path): source for path, source in self._snapshot.sources.items()}

    def locate(self, symbol: str) -> Location | None:
        """Where the entity of a symbol stands; None for one without a place, such as one of the library."""
        path = symbol.partition(OWN)[0]
        if path not in self._places:
            source = self._by_escaped_path.get(path)
            if source is None:
                return None
            self._cache.ensure([source], self._blobs.read)
            self._places[path] = self._blobs.places(source)
        return self._places[path].get(symbol)

    def places(self, path: str) -> Mapping[str, Location]:
        """The places of a file's entities by symbol."""
        source = self._snapshot.sources[path]
        escaped = escape_path(path)
        if escaped not in self._places:
            self._cache.ensure([source], self._blobs.read)
            self._places[escaped] = self._blobs.places(source)
        return self._places[escaped]

    def comments(self) -> Comments:
        """The comments that silence findings."""
        return Comments(self._snapshot.suppressions(), self.places)

    def content(self, path: str | None) -> bytes:
        """What a source file holds; nothing, where the side has no such file."""
        source = self._snapshot.sources.get(path) if path else None
        return self._blobs.content(source.oid) if source else b""

    def lines(self, path: str) -> Sequence[str]:
        if path not in self._lines:
            text = self.content(path).decode("utf-8", "replace")
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


def check(request: Request, say: Callable[[str], None], progress: Progress = no_progress) -> Report:
    """The findings that `request.head` has and its merge base with `request.base` has not, and the other way round."""
    return on_sound_states(lambda comparison: _check(request, comparison, progress), request, say, progress)


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


def compare(request: Request, comparison: Comparison, progress: Progress, explained: str = "") -> Compared:
    """The states of both sides and every finding; `explained`: the fingerprint of one to be explained if unchanged."""
    commits, clock = comparison.commits, comparison.clock
    baseline = read_baseline(request.baseline, comparison.config)
    base = comparison.base()
    target = comparison.target(base.snapshot)
    head = State(base.evaluation.copy(), base.snapshot, "")
    facts, derived = commits.advance(head, target, comparison.read)
    before = Sources(base.snapshot, commits.cache, comparison)
    after = Sources(target, commits.cache, comparison)
    changed_lines = ChangedLines(comparison.changes, before, after, comparison.selection)
    with clock.phase("findings"):
        progress("explaining")
        findings = findings_between(
            base.evaluation, head.evaluation, derived, before, after, changed_lines, baseline, explained
        )
    return Compared(base, head, target, before, after, facts, derived, findings, changed_lines)


def read_baseline(named: Path | None, config: Config) -> Baseline | None:
    """The baseline that the caller names, else that of the configuration."""
    where, text = "", ""
    if named is not None:
        where = visible(str(named))
        try:
            text = named.read_text(encoding="utf-8")
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


def _check(request: Request, comparison: Comparison, progress: Progress) -> Report:
    commits, clock = comparison.commits, comparison.clock
    compared = compare(request, comparison, progress)
    base, head, target, before, after = compared.base, compared.head, compared.target, compared.before, compared.after
    facts, derived, findings = compared.facts, compared.derived, compared.findings
    changed_lines = compared.changed_lines
    with clock.phase("findings"):
        added = changed_lines.added() if any(finding.status == "new" for finding in findings) else {}
        # The repository's reader ends with the comparison, so what a renderer may quote is read now.
        for finding in findings:
            if finding.status != "unchanged":
                side = before if finding.status == "fixed" else after
                steps, causes = finding.path, finding.cause
                for file in {finding.file, *(step.file for step in steps), *(place.file for place in causes)}:
                    side.lines(file)
    active = [finding for finding in findings if finding.suppressed is None]
    changed = {entry.path for change in comparison.changes for entry in (change.old, change.new) if entry}
    inserted, deleted = facts.size
    return Report(
        version=version(),
        repository=comparison.repository.name,
        base=comparison.sides.base,
        head=comparison.sides.head,
        findings=[finding for finding in active if request.unchanged or _is_worth_a_look(finding)],
        unlikely=0 if request.unchanged else sum(_is_unlikely(finding) for finding in active),
        suppressed=[finding for finding in findings if finding.suppressed is not None],
        unchanged=sum(finding.status == "unchanged" for finding in active),
        files=len(target.sources),
        changed_files=sum(path in target.sources or path in base.snapshot.sources for path in changed),
        extracted_files=commits.extracted,
        start=base.origin,
        strata=[
            Stratum(
                tuple(stratum.relations),
                stratum.strategy,
                stratum.reason,
                stratum.instantiations,
                stratum.tuples,
                stratum.levels,
                stratum.seconds,
            )
            for stratum in derived.strata
        ],
        facts=Size(inserted, deleted),
        derived=Size(
            sum(len(derived.inserted[name]) for name in commits.program.outputs),
            sum(len(derived.deleted[name]) for name in commits.program.outputs),
        ),
        seconds=dict(clock.seconds),
        remarks=[Remark(path, diagnostic.line, diagnostic.message) for path, diagnostic in target.diagnostics(changed)],
        notes=comparison.notes,
        source=lambda side, file: (before if side == "base" else after).lines(file),
        keep=lambda: _keep(comparison, head),
        config=comparison.config,
        changed_lines=added,
    )


def _is_worth_a_look(finding: Finding) -> bool:
    """What a report lists when nothing more is asked for."""
    return finding.status != "unchanged" and not _is_unlikely(finding)


def _is_unlikely(finding: Finding) -> bool:
    return finding.status == "new" and finding.confidence == "low"


def findings_between(
    base: Evaluation,
    head: Evaluation,
    difference: Difference,
    before: Sources,
    after: Sources,
    changed_lines: ChangedLines,
    baseline: Baseline | None = None,
    explained: str = "",
) -> list[Finding]:
    """New, fixed and unchanged findings between two states and their files, in order."""
    found = analyses_report.findings(
        base,
        head,
        difference,
        before.locate,
        after.locate,
        changed_lines,
        changed_lines.renames,
        changed_lines.selection.is_test,
        before.comments(),
        after.comments(),
        baseline,
        explained,
    )
    return ordered(graded(found, changed_lines.selection))


def _keep(comparison: Comparison, head: State) -> None:
    """The head is often what the next check starts from: kept where that takes little time."""
    if comparison.sides.head.commit is not None:
        comparison.commits.store.save(comparison.sides.head.commit, head.evaluation, head.snapshot, cheaply=True)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Digests of the head's state, after Update and from Bootstrap."""

    base: str
    head: str
    updated: str
    built: str
    facts: Size

    @property
    def equal(self) -> bool:
        return self.updated == self.built


def verify(request: Request, say: Callable[[str], None], progress: Progress = no_progress) -> Verdict:
    """Whether the state after Update is the one that Bootstrap builds for the head."""
    return on_sound_states(_verify, request, say, progress)


def _verify(comparison: Comparison) -> Verdict:
    commits = comparison.commits
    state = comparison.base()
    target = comparison.target(state.snapshot)
    diff, _ = commits.advance(state, target, comparison.read)
    if comparison.worktree:
        fresh = commits.snapshot(comparison.worktree.entries.values())
    else:
        fresh = commits.snapshot(comparison.repository.tree(comparison.sides.head_commit))
    built = commits.bootstrap(fresh, comparison.read)
    return Verdict(
        comparison.sides.base_commit,
        comparison.sides.head.commit or WORKTREE,
        state.evaluation.digest(),
        built.evaluation.digest(),
        Size(*diff.size),
    )
