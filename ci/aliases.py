"""`pliant aliases`: which places may name one object in the head that could not in the base, and the other way round.

The rules of `analyses/aliases.dl` are strata on top of the states of both sides, as those of `pliant query` are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pliant.analyses.aliases import Name, Shared, Side, aliases, asked
from pliant.analyses.findings import Step
from pliant.analyses.witness.programs import Programs
from pliant.ci.commits import Progress, State, no_progress
from pliant.ci.comparison import Comparison, Request, on_sound_states
from pliant.ci.errors import UserError, visible, visible_path
from pliant.ci.left_out import gaps, remarks
from pliant.ci.report import Remark, Revision
from pliant.ci.reports.json import remark_as_dict
from pliant.ci.side_sources import ChangedLines, Sources
from pliant.ci.wording import counted
from pliant.engine import DatalogError, Program
from pliant.extractors.facts import escape_path

_MOST_KNOWN, _MOST_PLACES = 5, 3  # of a text
_PLACE = re.compile(r"(?P<file>.+):(?P<line>[1-9][0-9]{0,8})")


@dataclass(frozen=True, slots=True)
class Delta:
    """came: objects with pairs of names that only the head has; gone: that only the base has. not_analysed: what was
    left out of what the head changes. notes: on the two sides."""

    base: Revision
    head: Revision
    came: Sequence[Shared]
    gone: Sequence[Shared]
    not_analysed: Sequence[Remark]
    notes: Sequence[str]


def delta(request: Request, place: str | None, say: Callable[[str], None], progress: Progress = no_progress) -> Delta:
    """place: `FILE:LINE` of the head (of the base, for what is gone); then only pairs with a value there."""
    at = None
    if place is not None:
        matched = _PLACE.fullmatch(place)
        if matched is None:
            raise UserError(f"{visible(place)} is no place: give FILE:LINE, such as src/shop.py:12")
        at = matched["file"], int(matched["line"])
    return on_sound_states(lambda comparison: _delta(comparison, at, progress), request, say, progress)


def _delta(comparison: Comparison, at: tuple[str, int] | None, progress: Progress) -> Delta:
    base = comparison.base()
    target = comparison.target(base.snapshot)
    head = State(base.evaluation.copy(), base.snapshot, "")
    comparison.commits.advance(head, target, comparison.read)
    progress("deriving")
    program = _with_rules(comparison.commits.program)
    stored, cache = comparison.stored, comparison.commits.cache
    old, new = (Sources(snapshot, cache, comparison, stored=stored) for snapshot in (base.snapshot, target))
    before, after = (
        Side(
            state.evaluation.extended(program),
            source.locate,
            Programs(source.content, source.places, source.instructions),
        )
        for state, source in ((base, old), (head, new))
    )
    lines = ChangedLines(comparison.changes, old, new, comparison.selection)
    forth = {escape_path(old): escape_path(new) for old, new in lines.renames.items()}
    back = {new: old for old, new in forth.items()}
    there = [None, None] if at is None else [_at(source, *at) for source in (old, new)]
    if at is not None and not any(there):
        raise UserError(f"nothing that may hold an object stands at {visible_path(at[0])}:{at[1]} of either side")
    is_test = comparison.selection.is_test
    changes = comparison.changes
    left_out = gaps(base.snapshot, target, changes, lines.of)
    not_analysed = remarks(base.snapshot, target, changes, left_out, lines.of)
    progress("comparing")
    return Delta(
        Revision(comparison.sides.base.name, comparison.sides.base_commit),
        Revision(comparison.sides.head.name, comparison.sides.head.commit),
        aliases(before, after, forth, is_test, there[1]),
        aliases(after, before, back, is_test, there[0]),
        [each for each in not_analysed if each.level == "warning"],
        comparison.notes,
    )


def _with_rules(program: Program) -> Program:
    try:
        return asked(program)
    except DatalogError as error:
        # Only names can clash, and only with those of a repository's own rules.
        first = error.diagnostics[0]
        raise UserError(
            visible(f"a rule file of the configuration declares a name of pliant's: {first.message}")
        ) from None


def _at(source: Sources, file: str, line: int) -> list[str]:
    """The entities at a line."""
    return [symbol for symbol, place in source.places(file).items() if place.line == line]


def as_text(delta: Delta, limit: int | None = None) -> Iterator[str]:
    """limit: how many groups of objects are shown of each kind."""
    kinds = (("+", "may be named now by", delta.came), ("-", "may no longer be named by", delta.gone))
    for sign, says, objects in kinds:
        groups = _groups(objects)
        for group in groups[:limit]:
            yield from _group(group, sign, says)
        if limit is not None and len(groups) > limit:
            yield f"{counted(sum(map(len, groups[limit:])), 'more object')} not shown (--limit)"
    yield from (
        f"not analysed: {visible_path(each.file)}:{each.line}: {visible(each.message)}" for each in delta.not_analysed
    )
    yield from (f"note: {visible(note)}" for note in delta.notes)
    yield (
        f"{counted(len(delta.came), 'object')} with new aliases, {len(delta.gone)} with fewer | "
        f"{_revision(delta.base)} to {_revision(delta.head)}"
    )


def _groups(objects: Sequence[Shared]) -> list[list[Shared]]:
    """Objects whose new names are called the same."""
    groups: dict[frozenset[str], list[Shared]] = {}
    for shared in objects:
        groups.setdefault(frozenset(name.says for name in shared.came), []).append(shared)
    return list(groups.values())


def _group(group: Sequence[Shared], sign: str, says: str) -> Iterator[str]:
    first = group[0]
    inside = f", in `{visible(first.function)}`," if first.function else ""
    yield f"{_at_line(first)}{visible(first.says)}{inside} {says}"
    for alike in _alike(first.came):
        name = alike[0]
        yield f"  {sign} {visible(name.says)}{_also('; also', alike[1:])}"
        for number, step in enumerate(name.path, 1):
            yield f"      {number}. {_at_line(step)}{visible(step.note)}"
    known = _alike(first.known)
    for alike in known[:_MOST_KNOWN]:
        yield f"    beside {visible(alike[0].says)}{_also(',', alike)}"
    if len(known) > _MOST_KNOWN:
        yield f"    and beside {len(known) - _MOST_KNOWN} more"
    if len(group) > 1:
        yield f"  the same of {counted(len(group) - 1, 'more object')}{_also(', made at', group[1:])}"


def _alike(names: Sequence[Name]) -> list[list[Name]]:
    """Names that are called the same."""
    alike: dict[str, list[Name]] = {}
    for name in names:
        alike.setdefault(name.says, []).append(name)
    return list(alike.values())


def _also(says: str, places: Sequence[Name] | Sequence[Shared]) -> str:
    """The first places of several."""
    listed = [_where(each) for each in places if each.line]
    more = f" and {len(listed) - _MOST_PLACES} more" if len(listed) > _MOST_PLACES else ""
    return f"{says} {', '.join(listed[:_MOST_PLACES])}{more}" if listed else ""


def _where(place: Shared | Name | Step) -> str:
    return f"{visible_path(place.file)}:{place.line}"


def _at_line(place: Shared | Name | Step) -> str:
    """The beginning of a line about a place; empty where it has none."""
    return f"{_where(place)}: " if place.line else ""


def _revision(revision: Revision) -> str:
    return f"{visible(revision.name)} ({revision.commit[:10]})" if revision.commit else visible(revision.name)


def as_dict(delta: Delta) -> dict[str, Any]:
    return {
        "schema": "pliant-aliases/1",
        "base": asdict(delta.base),
        "head": asdict(delta.head),
        "came": [_object(each) for each in delta.came],
        "gone": [_object(each) for each in delta.gone],
        "not_analysed": [remark_as_dict(each) for each in delta.not_analysed],
        "notes": list(delta.notes),
    }


def _object(shared: Shared) -> dict[str, Any]:
    names = {"came": [_name(each) for each in shared.came], "known": [_name(each) for each in shared.known]}
    return {"says": shared.says, "file": shared.file, "line": shared.line, "function": shared.function, **names}


def _name(name: Name) -> dict[str, Any]:
    return {**asdict(name), "path": [asdict(step) for step in name.path]}


__all__ = ["Delta", "as_dict", "as_text", "delta"]
