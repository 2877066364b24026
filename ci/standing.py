"""A side of a comparison as it would be if what it left out were as the other side has it.

What a report may say of what was not read is decided by evaluating it both ways: what is gone as the head was read, and
is there with the facts that the base has of what the head left out, is neither fixed nor unchanged. The same holds for
what is new, and would be there in the base with the facts that the head has of what the base left out and no hunk
touches.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from pliant.analyses.findings import Unread
from pliant.analyses.standing import Standing
from pliant.ci.hunks import Hunk, Touched
from pliant.ci.left_out import Gap, Hunks
from pliant.ci.report import Remark, Side
from pliant.ci.side_sources import Sources
from pliant.ci.snapshot import Snapshot
from pliant.ci.steps import Here, apply, between
from pliant.engine import Evaluation
from pliant.extractors.blobs import Source
from pliant.extractors.columns import PLACE_WIDTH
from pliant.extractors.facts import OWN, FileFacts
from pliant.extractors.mixing import MODULE, functions, mixed, owner_of, owners


def standing(
    name: Side, evaluation: Evaluation, side: Sources, other: Sources, left_out: Iterable[Gap], hunks: Hunks
) -> Standing | None:
    """A side as it would be; None where it left nothing out."""
    mine = [gap for gap in left_out if gap.side == name]
    if not mine:
        return None
    files = _substitute(side, other, mine, hunks)
    copy = evaluation.copy()
    apply(copy, between(Here(side.cache), side.snapshot, files, side.ensure))
    sources = Sources(files, side.cache, side.blobs)
    return Standing(
        copy,
        sources.locate,
        sources.comments(),
        frozenset(gap.path if name == "head" else gap.other for gap in mine if gap.whole),
        [(gap.other, unread) for gap in mine for unread in _unread(gap)],
    )


def _unread(gap: Gap) -> Iterator[Unread]:
    """The diagnostics of a gap, once for each function and reason."""
    told = set()
    for each in gap.diagnostics:
        remark = Remark.of(gap.at, each)
        if remark.message not in told:
            told.add(remark.message)
            yield Unread(gap.side, remark.file, remark.line, remark.message, remark.scope, remark.function)


def _substitute(side: Sources, other: Sources, gaps: Sequence[Gap], hunks: Hunks) -> Snapshot:
    """The files of a side with those of its gaps as the other side has them; of what the base left out, only what no
    hunk touches."""
    cache = side.cache
    result = side.snapshot.changed(())
    for gap in gaps:
        theirs = other.snapshot.sources[gap.other]
        result.skipped.pop(gap.path, None)
        if gap.whole and gap.side == "head":
            result.sources[gap.path] = replace(theirs, path=gap.path)
            result.summaries[gap.path] = other.snapshot.summaries[gap.other]
            continue
        mine = side.snapshot.sources.get(gap.path)
        side.ensure([source for source in (mine, theirs) if source])
        own, facts = cache.facts(mine) if mine else FileFacts(), cache.facts(theirs)
        touched = _touched(facts, hunks(gap.other)) if gap.side == "base" else set()
        source = Source(gap.path, _id(gap, mine, theirs), theirs.language)
        cache.hold(source, mixed(own, facts, partial(_is_wanted, gap, owners(own), touched), touched.__contains__))
        result.sources[gap.path] = source
        [result.summaries[gap.path]] = cache.summaries([source])
    return result


def _is_wanted(gap: Gap, there: set[str], touched: set[str], owner: str) -> bool:
    """Whether an owner is to be as the other side has it: one that was left out, or is not there at all."""
    left_out = gap.whole or owner not in there or owner.split("#", 1)[0] in gap.functions
    return left_out and owner not in touched


def _id(gap: Gap, mine: Source | None, theirs: Source) -> str:
    parts = [gap.side, mine.oid if mine else "", theirs.oid, str(gap.whole), *sorted(gap.functions)]
    return f"mixed {hashlib.sha256(chr(0).join(parts).encode('utf-8', 'surrogateescape')).hexdigest()}"


def _touched(facts: FileFacts, hunks: Iterable[Hunk]) -> set[str]:
    """The functions that hunks touch between their first and their last entity, the classes and the module that they
    touch an entity of."""
    changed = Touched(hunks)
    of_functions = functions(facts)
    extents: dict[str, tuple[int, int]] = {}
    touched = set()
    for symbol, first, last in _lines(facts):
        owner = owner_of(symbol)
        if not owner or symbol == f"{OWN}{MODULE}":
            continue
        if owner in of_functions:
            known = extents.get(owner, (first, last))
            extents[owner] = min(known[0], first), max(known[1], last)
        elif changed.within(first, last):
            touched.add(owner)
    return touched | {owner for owner, lines in extents.items() if changed.within(*lines)}


def _lines(facts: FileFacts) -> Iterator[tuple[str, int, int]]:
    for start in range(0, len(facts.places), PLACE_WIDTH):
        symbol, first, _, last, _ = facts.places[start : start + PLACE_WIDTH]
        yield facts.symbols[symbol], first, last
