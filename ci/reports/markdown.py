"""Markdown: the body of a comment, and GitHub's step summary.

All that comes from the repository is escaped: it makes no markup, no link, no picture, and mentions nobody. The only
links are to source lines, where a service says where it shows them. A comment has at most 65,536 characters, so the
least severe findings are counted instead of told where they are too many.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pliant.analyses.findings import Finding
from pliant.ci.causes import by_cause
from pliant.ci.errors import visible, visible_path
from pliant.ci.report import Report, Revision, Side
from pliant.ci.reports import Style
from pliant.ci.reports.anchor import anchor, reason, summary, why_unknown
from pliant.ci.reports.remarks import Told, left_out, notes
from pliant.ci.wording import counted

MARK = "<!-- pliant -->"  # by which a later run finds its comment
MAX_CHARACTERS = 60_000
_MAX_STEPS = 12
_MAX_REMARKS = 20
_MAX_WIDTH = 140
_SIGNS = {"error": "🟥", "warning": "🟧", "note": "🟦"}
_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+!|~$&:-])")
_LINKS = re.compile(r"@|(?i:www)(?=\.)|#(?=\d)|\w(?=://)")
_NOTHING = "\u200b"  # of no width: what it parts is neither a mention nor a link


def render(report: Report, style: Style) -> str:
    head = [
        MARK,
        f"### pliant: {summary(report)}",
        "",
        f"{_revision(report.base)} to {_revision(report.head)}; the check {reason(report)}.",
        "",
        *_not_analysed(left_out(report), f"{_SIGNS['warning']} **warning** "),
    ]
    tail = [
        *(f"> {text(note)}" for note in report.notes),
        *_not_analysed(notes(report), ""),
    ]
    room = MAX_CHARACTERS - sum(map(len, head)) - sum(map(len, tail))
    body: list[str] = []
    told = 0
    for finding, with_it in by_cause(report.findings):
        block = list(_block(report, finding, with_it))
        room -= sum(map(len, block)) + len(block)
        if room < 0:
            body += [f"and {counted(len(report.findings) - told, 'more finding')}, too many for one comment", ""]
            break
        body += block
        told += 1 + len(with_it)
    return "".join(f"{line}\n" for line in [*head, *body, *tail])


def _not_analysed(remarks: Sequence[Told], sign: str) -> Iterator[str]:
    for told in remarks[:_MAX_REMARKS]:
        yield f"* {sign}{code(_place(told.file, told.line))} {text(told.message)}"
    if more := len(remarks[_MAX_REMARKS:]):
        yield f"* {sign}and {more} more of what was not analysed"
    if remarks:
        yield ""


def _block(report: Report, finding: Finding, with_it: Sequence[Finding]) -> Iterator[str]:
    """with_it: findings with the same cause."""
    side: Side = "base" if finding.of_base else "head"
    place = _linked(report, side, finding.file, finding.line)
    if finding.status != "new":
        why = f" ({text(why_unknown(finding))})" if finding.status == "unknown" else ""
        yield f"* {finding.status}: {place} {code(finding.rule)} {text(finding.message)}{why}"
        yield ""
        return
    yield f"{_head(report, finding)}: {text(finding.message)} ({code(finding.rule)})"
    yield ""
    if source := _source(report.line(finding, finding.file, finding.line)):
        yield source
        yield ""
    if finding.fails_when:
        yield text(finding.fails_when)
        yield ""
    yield "<details><summary>how it comes about</summary>"
    yield ""
    steps = finding.path
    for step in steps[:_MAX_STEPS]:
        source = _source(report.line(finding, step.file, step.line))
        yield f"1. {_linked(report, side, step.file, step.line)} {text(step.note)}{source and f': {source}'}"
    if len(steps) > _MAX_STEPS:
        yield f"1. and {counted(len(steps) - _MAX_STEPS, 'more step')}"
    for cause in finding.cause[:_MAX_STEPS]:
        source = _source(report.line(finding, cause.file, cause.line))
        where = _linked(report, side, cause.file, cause.line)
        yield f"* {where} is a changed line that causes it{source and f': {source}'}"
    for removed in finding.removed[:_MAX_STEPS]:
        source = _source(report.removed_line(removed))
        where = _linked(report, "base", removed.file, removed.line)
        yield f"* {where} of the base is a removed line that causes it{source and f': {source}'}"
    if not finding.removed and not anchor(report, finding).in_diff:
        yield "* no line of the diff shows it"
    yield ""
    yield "</details>"
    yield ""
    if with_it:
        yield f"{counted(len(with_it), 'more finding')} with the same cause:"
        yield ""
        for other in with_it:
            fails = f" {text(other.fails_when)}" if other.fails_when != finding.fails_when else ""
            yield f"* {_head(report, other)}: {text(other.path[-1].note)} ({code(other.rule)}){fails}"
        yield ""


def _head(report: Report, finding: Finding) -> str:
    function = f" in {code(finding.function)}" if finding.function else ""
    place = _linked(report, "base" if finding.of_base else "head", finding.file, finding.line)
    return f"{_SIGNS[finding.severity]} **{finding.severity}** {place}{function}"


def _linked(report: Report, side: Side, file: str, line: int) -> str:
    """A place, as a link where a service shows it."""
    place, page = code(_place(file, line)), report.page(side, file, line)
    return f"[{place}]({page})" if page else place


def _source(line: str | None) -> str:
    """A source line; empty where there is none."""
    shown = visible((line or "").expandtabs(4)).strip()
    return code(shown if len(shown) <= _MAX_WIDTH else f"{shown[:_MAX_WIDTH]}...") if shown else ""


def _place(file: str, line: int) -> str:
    return f"{visible_path(file)}:{line}"


def _revision(revision: Revision) -> str:
    return code(revision.name) if revision.commit is None else f"{code(revision.name)} ({revision.commit[:10]})"


def code(content: str) -> str:
    """A code span: in it nothing is markup, and what looks like a mention is none."""
    content = visible(content).replace("\u200b", "")
    longest = max((len(run) for run in re.findall("`+", content)), default=0)
    fence = "`" * (longest + 1)
    room = " " if content[:1] in ("`", " ", "") or content[-1:] in ("`", " ") else ""
    return f"{fence}{room}{content}{room}{fence}"


def text(content: str) -> str:
    """Plain text: every character that could be markup is escaped, except around what the message quotes."""
    parts = visible(content).split("`")
    if len(parts) % 2 == 0:
        return _plain("`".join(parts))
    return "".join(code(part) if number % 2 else _plain(part) for number, part in enumerate(parts))


def _plain(content: str) -> str:
    parted = _LINKS.sub(lambda match: f"{match[0]}{_NOTHING}", content)
    return _SPECIAL.sub(r"\\\1", parted)
