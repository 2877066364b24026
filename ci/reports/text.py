"""The report for a reader: each new finding with its source line, its path from origin to use, and its cause.

Everything that comes from the repository is escaped: a file name or a source line cannot steer a terminal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pliant.analyses.findings import Finding, Place, Severity, Step, Suppressed
from pliant.ci.causes import by_cause
from pliant.ci.errors import visible, visible_path
from pliant.ci.report import Report, Revision
from pliant.ci.reports import Style
from pliant.ci.reports.anchor import only, reason, why_unknown
from pliant.ci.reports.remarks import Told, left_out, notes
from pliant.ci.reports.remarks import counts as left_out_counts
from pliant.ci.wording import counted

_MAX_STEPS = 24  # of a path; the middle of a longer one is left out
_MAX_CAUSES = 8
_ALSO = {"null": "null is also used", "alias": "object is also changed"}  # by family of rules
_MAX_WIDTH = 160  # of a source line
_COLOURS = {"error": "31;1", "warning": "33;1", "note": "36;1", "fixed": "32;1", "dim": "2", "strong": "1"}


def render(report: Report, style: Style) -> str:
    return "".join(f"{line}\n" for line in _Text(report, style).lines())


class _Text:
    def __init__(self, report: Report, style: Style):
        self.report = report
        self.style = style

    def lines(self) -> Iterator[str]:
        if not self.style.quiet:
            for status in ("new", "unknown", "fixed", "unchanged"):
                found = self.report.of_status(status)
                # With all details each is told on its own.
                for finding, with_it in [(each, []) for each in found] if self.style.verbose else by_cause(found):
                    yield from self._new(finding, with_it) if status == "new" else self._short(finding)
            if self.style.suppressed:
                for finding in self.report.suppressed:
                    yield from self._short(finding)
            yield from self._remarks()
            for note in self.report.notes:
                yield f"note: {visible(note)}"
        if self.style.verbose:
            yield from self._details()
        yield self._summary()

    def _new(self, finding: Finding, others: Sequence[Finding]) -> Iterator[str]:
        """others: findings with the same cause."""
        yield self._head(finding)
        yield f"    {visible(finding.message)}"
        if finding.fails_when:
            yield f"    {visible(finding.fails_when)}"
        if (source := self._source(finding, finding.file, finding.line)) is not None:
            yield self._paint(f"    {finding.line:>6} | {source}", "strong")
        if finding.path:
            yield "  path:"
            shown = (finding.file, finding.line)
            for step in self._middle_left_out(finding.path):
                if step is None:
                    yield f"    ... {len(finding.path) - _MAX_STEPS} steps"
                    continue
                yield f"    {visible_path(step.file)}:{step.line}: {visible(step.note)}"
                source = self._source(finding, step.file, step.line)
                if source is not None and (step.file, step.line) not in (shown, (finding.file, finding.line)):
                    yield self._paint(f"    {step.line:>6} | {source}", "dim")
                shown = (step.file, step.line)
        if finding.cause:
            yield "  changed lines that cause it:"
            for place in finding.cause[:_MAX_CAUSES]:
                source = self._source(finding, place.file, place.line)
                yield f"    {visible_path(place.file)}:{place.line}{f' | {source}' if source else ''}"
            if len(finding.cause) > _MAX_CAUSES:
                yield f"    and {len(finding.cause) - _MAX_CAUSES} more"
        if finding.removed:
            yield "  removed lines that cause it:"
            for removed in finding.removed[:_MAX_CAUSES]:
                source = self._shown(self.report.removed_line(removed))
                yield f"    {visible_path(removed.file)}:{removed.line}{f' | {source}' if source else ''}"
            if len(finding.removed) > _MAX_CAUSES:
                yield f"    and {len(finding.removed) - _MAX_CAUSES} more"
        if finding.also:
            also = ", ".join(str(place.line) for place in finding.also[:_MAX_CAUSES])
            more = f" and {len(finding.also) - _MAX_CAUSES} more" if len(finding.also) > _MAX_CAUSES else ""
            yield f"  the same {_ALSO.get(finding.rule.split('.')[0], 'value is also used')} on line {also}{more}"
        if others:
            yield f"  {counted(len(others), 'more finding')} with the same cause:"
            for other in others:
                yield from self._other(other, finding)
        if self.style.verbose:
            yield f"  fingerprint {visible(finding.fingerprint)}"
            if finding.known:
                yield f"  both sides have the finding {visible(finding.known)}: this is one way of it"
        yield ""

    def _head(self, finding: Finding) -> str:
        where = f"{visible_path(finding.file)}:{finding.line}"
        likely = "" if finding.probability is None else f": {finding.probability:.0%}"
        trust = "unlikely" if finding.is_unlikely else f"confidence {finding.confidence}{likely}"
        return (
            f"{self._paint(where, 'strong')}: {self._paint(finding.severity, finding.severity)} "
            f"{visible(finding.rule)}{self._in(finding.function)} ({trust})"
        )

    def _other(self, finding: Finding, first: Finding) -> Iterator[str]:
        """A finding that has the cause of one that was just told."""
        yield f"    {self._head(finding)}"
        yield f"        {visible(finding.path[-1].note)}"
        if finding.fails_when and finding.fails_when != first.fails_when:
            yield f"        {visible(finding.fails_when)}"

    def _middle_left_out(self, path: list[Step]) -> list[Step | None]:
        if len(path) <= _MAX_STEPS:
            return [*path]
        half = _MAX_STEPS // 2
        return [*path[:half], None, *path[-half:]]

    def _short(self, finding: Finding) -> Iterator[str]:
        word = finding.status if finding.status in ("fixed", "unknown") else f"{finding.severity} ({finding.status})"
        colour: str = "fixed" if finding.status == "fixed" else finding.severity
        if finding.suppressed is not None:
            word, colour = f"suppressed ({finding.status})", "dim"
        yield (
            f"{visible_path(finding.file)}:{finding.line}: {self._paint(word, colour)} {visible(finding.rule)}"
            f"{self._in(finding.function)}: {visible(finding.message)}"
        )
        if finding.fixed_by:
            places = dict.fromkeys(map(self._taken_away, finding.fixed_by[:_MAX_CAUSES]))
            yield f"  fixed by {', '.join(places)}"
        if finding.status == "unknown":
            yield f"  {'cannot be told' if finding.of_base else 'may be as old as'}: {visible(why_unknown(finding))}"
        if finding.matched and self.style.verbose:
            yield f"  the same as in the base: {visible(finding.matched)}"
        if finding.suppressed is not None:
            yield f"  {self._silenced_by(finding.suppressed)}"

    def _taken_away(self, place: Place) -> str:
        file = visible_path(place.file)
        return f"the deletion of {file}" if place.file in self.report.deleted else f"{file}:{place.line}"

    def _silenced_by(self, suppressed: Suppressed) -> str:
        reason = f": {visible(suppressed.reason)}" if suppressed.reason else ""
        if suppressed.by == "baseline":
            state = f", as {suppressed.state}" if suppressed.state else ""
            return f"it is in the baseline{state}{reason}"
        return f"silenced by the comment at {visible_path(suppressed.file)}:{suppressed.line}{reason}"

    def _remarks(self) -> Iterator[str]:
        if self.style.verbose:
            told = [Told(remark, remark.message) for remark in self.report.remarks]
        else:
            told = [*notes(self.report), *left_out(self.report)]
        for each in told:
            where = f"{visible_path(each.file)}:{each.line}"
            if each.first.level == "warning":
                yield f"{self._paint(where, 'strong')}: {self._paint('warning', 'warning')} {visible(each.message)}"
            else:
                yield self._paint(f"{where}: {visible(each.message)}", "dim")

    def _details(self) -> Iterator[str]:
        report = self.report
        yield f"facts: +{report.facts.inserted} -{report.facts.deleted}; state of the base: {visible(report.start)}"
        yield f"derived: +{report.derived.inserted} -{report.derived.deleted}"
        for stratum in report.strata:
            names = ", ".join(stratum.relations[:4]) + (", ..." if len(stratum.relations) > 4 else "")
            yield (
                f"  {stratum.strategy:9} {stratum.instantiations:>10} instantiations {stratum.seconds:8.3f} s  {names}"
                f"{': ' + stratum.reason if stratum.reason else ''}"
            )
        if report.uncompared:
            unchanged = counted(report.uncompared, "unchanged finding")
            yield f"not known whether a way or a condition came or went: {unchanged}"
        yield "seconds: " + ", ".join(f"{phase} {seconds:.3f}" for phase, seconds in report.seconds.items())

    def _summary(self) -> str:
        report = self.report
        counts = report.counts()
        silenced = f", {len(report.suppressed)} suppressed" if report.suppressed else ""
        silenced += f", {report.unlikely} unlikely (--all lists them)" if report.unlikely else ""
        severities: dict[Severity, int] = {name: count for name, count in report.new_by_severity().items() if count}
        parts = ", ".join(counted(count, name) for name, count in severities.items())
        new = f"{counts['new']} new{f' ({parts})' if parts else ''}"
        colour = next(iter(severities), "fixed")
        deleted = f", {len(report.deleted)} deleted" if report.deleted else ""
        unknown = f", {self._paint(str(counts['unknown']) + ' unknown', 'warning')}" if counts["unknown"] else ""
        skipped = f" | not analysed: {visible(left_out_counts(report.left_out))}" if report.left_out else ""
        return (
            f"{self._paint(new, colour)}, {counts['fixed']} fixed, {counts['unchanged']} unchanged{unknown}{silenced}"
            f"{only(report)}"
            f" | {counted(report.changed_files, 'changed file')} of {report.files}{deleted}{skipped}"
            f" | {_revision(report.base)} to {_revision(report.head)}"
            f" | {sum(report.seconds.values()):.1f} s{self._verdict(counts['new'])}"
        )

    def _verdict(self, new: int) -> str:
        return f" | {reason(self.report)}" if new or self.report.fails else ""

    def _in(self, function: str) -> str:
        return f" in {visible(function)}" if function else ""

    def _source(self, finding: Finding, file: str, line: int) -> str | None:
        return self._shown(self.report.line(finding, file, line))

    def _shown(self, text: str | None) -> str | None:
        if text is None:
            return None
        text = visible(text.expandtabs(4).rstrip())
        return text if len(text) <= _MAX_WIDTH else f"{text[:_MAX_WIDTH]}..."

    def _paint(self, text: str, kind: str) -> str:
        return f"\x1b[{_COLOURS[kind]}m{text}\x1b[0m" if self.style.colour else text


def _revision(revision: Revision) -> str:
    if revision.commit is None:
        return "the work tree"
    short = revision.commit[:10]
    return short if revision.commit.startswith(revision.name) else f"{visible(revision.name)} ({short})"
