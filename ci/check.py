"""`pliant check` and `pliant verify`: a comparison as a report, and a comparison checked against a Bootstrap."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from pliant.analyses.findings import Finding
from pliant.ci.causes import grouped
from pliant.ci.commits import Progress, State, no_progress
from pliant.ci.comparison import Comparison, Request, compare, on_sound_states
from pliant.ci.left_out import remarks
from pliant.ci.report import Report, Size, Stratum
from pliant.ci.revision import WORKTREE
from pliant.ci.side_sources import Sources
from pliant.ci.snapshot import Snapshot
from pliant.ci.version import version
from pliant.ci.web import pages
from pliant.engine.report import StratumReport
from pliant.extractors.languages import LANGUAGES


def check(request: Request, say: Callable[[str], None], progress: Progress = no_progress) -> Report:
    """The findings that `request.head` has and its merge base with `request.base` has not, and the other way round."""
    return on_sound_states(lambda comparison: _check(request, comparison, progress), request, say, progress)


def _check(request: Request, comparison: Comparison, progress: Progress) -> Report:
    commits, clock = comparison.commits, comparison.clock
    compared = compare(request, comparison, progress)
    base, head, target, before, after = compared.base, compared.head, compared.target, compared.before, compared.after
    facts, derived, findings = compared.facts, compared.derived, compared.findings
    changed_lines, scope = compared.changed_lines, comparison.scope
    findings = [finding for finding in findings if scope.has(finding)]
    with clock.phase("findings"):
        not_analysed = remarks(base.snapshot, target, comparison.changes, compared.gaps, changed_lines.of)
        not_analysed = [remark for remark in not_analysed if scope.has_file(remark.file)]
        shown = any(finding.status in ("new", "unknown") for finding in findings)
        added = changed_lines.added() if shown or any(each.level == "warning" for each in not_analysed) else {}
        _read_what_is_quoted(findings, before, after)
    active = [finding for finding in findings if finding.suppressed is None]
    changed = {entry.path for change in comparison.changes for entry in (change.old, change.new) if entry}
    renamed = {
        change.old.path
        for change in comparison.changes
        if change.old and change.new and change.new.path in target.sources
    }
    inserted, deleted = facts.size
    return Report(
        version=version(),
        repository=comparison.repository.name,
        base=comparison.sides.base,
        head=comparison.sides.head,
        findings=grouped(finding for finding in active if request.unchanged or _is_worth_a_look(finding)),
        unlikely=0 if request.unchanged else sum(finding.is_unlikely for finding in active),
        suppressed=[finding for finding in findings if finding.suppressed is not None],
        unchanged=sum(finding.status == "unchanged" for finding in active),
        uncompared=sum(finding.uncompared for finding in active),
        files=len(target.sources),
        changed_files=len(changed & target.sources.keys()),
        deleted=frozenset(base.snapshot.sources.keys() - target.sources.keys() - renamed),
        extracted_files=commits.extracted,
        start=base.origin,
        strata=[_stratum(each) for each in derived.strata],
        facts=Size(inserted, deleted),
        derived=Size(
            sum(len(derived.inserted[name]) for name in commits.program.outputs),
            sum(len(derived.deleted[name]) for name in commits.program.outputs),
        ),
        seconds=dict(clock.seconds),
        remarks=not_analysed,
        notes=[*comparison.notes, *_nothing_to_read(base, target)],
        source=lambda side, file: (before if side == "base" else after).lines(file),
        pages=pages(comparison.repository.folder),
        is_read=target.is_read,
        keep=lambda: _keep(comparison, head),
        config=comparison.config,
        changed_lines=added,
        scope=str(scope),
    )


def _read_what_is_quoted(findings: Iterable[Finding], before: Sources, after: Sources) -> None:
    """Read the sources that a renderer may quote: the repository's reader ends with the comparison."""
    for finding in findings:
        if finding.status != "unchanged":
            side = before if finding.of_base else after
            steps, causes = finding.path, finding.cause
            for file in {finding.file, *(step.file for step in steps), *(place.file for place in causes)}:
                side.lines(file)
            for file in {removed.file for removed in finding.removed}:
                before.lines(file)


def _stratum(told: StratumReport) -> Stratum:
    return Stratum(
        tuple(told.relations), told.strategy, told.reason, told.instantiations, told.tuples, told.levels, told.seconds
    )


def _nothing_to_read(base: State, target: Snapshot) -> list[str]:
    """A note where no file of the comparison is of a language."""
    if base.snapshot.sources or target.sources:
        return []
    read = ", ".join(
        f"{language.name.capitalize()} ({', '.join(language.suffixes)})" for language in LANGUAGES.values()
    )
    return [f"there is no file to analyse, or `exclude` leaves all of them out: the languages are {read}"]


def _is_worth_a_look(finding: Finding) -> bool:
    """What a report lists when nothing more is asked for."""
    return finding.status != "unchanged" and not finding.is_unlikely


def _keep(comparison: Comparison, head: State) -> None:
    """The head is often what the next check starts from: kept where that takes little time."""
    if comparison.sides.head.commit is not None:
        comparison.commits.store.save(comparison.sides.head.commit, head.evaluation, head.snapshot, cheaply=True)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Digests of the head's state, after Update and from Bootstrap. findings: how many there are. differing: those that
    are told otherwise, or by one of both alone."""

    base: str
    head: str
    updated: str
    built: str
    facts: Size
    findings: int
    differing: tuple[Finding, ...]

    @property
    def equal(self) -> bool:
        return self.updated == self.built and not self.differing


def verify(request: Request, say: Callable[[str], None], progress: Progress = no_progress) -> Verdict:
    """Whether the state after Update is the one that Bootstrap builds for the head, and what is told of both sides,
    with its witnesses, what is told where nothing is kept."""
    updated, verdict = on_sound_states(
        lambda comparison: _updated(request, comparison, progress), request, say, progress
    )
    again = replace(request, strategy="bootstrap")
    with Comparison(again, say, progress, stored=False) as comparison:
        built = compare(again, comparison, progress).findings
    differing = [each for each in updated if each not in built] + [each for each in built if each not in updated]
    return replace(verdict, findings=len(updated), differing=tuple(differing))


def _updated(request: Request, comparison: Comparison, progress: Progress) -> tuple[list[Finding], Verdict]:
    compared = compare(request, comparison, progress)
    commits, state = comparison.commits, compared.head
    if comparison.worktree:
        fresh = commits.snapshot(comparison.worktree.entries.values())
    else:
        fresh = commits.snapshot(comparison.repository.tree(comparison.sides.head_commit))
    built = commits.bootstrap(fresh, comparison.read)
    return compared.findings, Verdict(
        comparison.sides.base_commit,
        comparison.sides.head.commit or WORKTREE,
        state.evaluation.digest(),
        built.evaluation.digest(),
        Size(*compared.facts.size),
        findings=0,
        differing=(),
    )
