"""What exceptions a function catches where: of each handler, the names of those that it, or one around it, ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pliant.extractors.ir.operands import Predicate, Type
from pliant.extractors.ir.semantics import Semantics
from pliant.extractors.ir.unit import Function


class Caught(NamedTuple):
    """names: last parts of the names of the exceptions; everything: whether some handler ends all of them."""

    names: frozenset[str]
    everything: bool


NOTHING_CAUGHT = Caught(frozenset(), False)


def handlers(function: Function, semantics: Semantics, suppressed: frozenset[int]) -> dict[int | None, Caught]:
    """By the number of a handler's block. suppressed: `leave` instructions that end an exception."""
    blocks = function.blocks
    found: dict[int | None, Caught] = {}
    for first in {block.handler: None for block in blocks if block.handler is not None}:
        names: set[str] = set()
        everything = False
        place: int | None = first
        around: set[int] = set()
        while place is not None and place not in around:
            around.add(place)
            outer = blocks[place].handler
            for tried in _asked(function, place, semantics, suppressed):
                everything |= not semantics.everything.isdisjoint(tried)
                names |= tried
            place = outer
        found[first] = Caught(frozenset(names), everything)
    return found


def _asked(
    function: Function, place: int, semantics: Semantics, suppressed: frozenset[int]
) -> Iterator[set[str] | frozenset[str]]:
    """The classes that a handler asks for, one test after the other."""
    seen: set[int] = set()
    while place not in seen:
        seen.add(place)
        last = function.blocks[place].instructions[-1]
        if last.op != "branch":
            return
        predicate, _, no = last.operands
        if predicate.operator == "always":
            yield semantics.everything
            return
        if predicate.operator == "truth":
            yield (
                semantics.everything.union(semantics.errors.values()) if predicate.operands[0] in suppressed else set()
            )
            return
        names = set(_names(predicate))
        if not names:
            return
        yield names
        place = no


def _names(predicate: Predicate) -> Iterator[str]:
    if predicate.operator == "or":
        for part in predicate.operands:
            assert isinstance(part, Predicate)
            yield from _names(part)
    elif predicate.operator == "is" and isinstance(predicate.operands[1], Type):
        yield predicate.operands[1].name.rpartition(".")[2]
