"""What exceptions a function catches where: of each handler, the names of those that it, or one around it, ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pliant.extractors.ir.operands import Predicate, Type
from pliant.extractors.ir.semantics import Semantics
from pliant.extractors.ir.unit import Function


class Caught(NamedTuple):
    """names: last parts of the names of the exceptions; everything: whether some handler ends all of them; ignored:
    whether the innermost handler that does so does nothing else."""

    names: frozenset[str]
    everything: bool
    ignored: bool = False


NOTHING_CAUGHT = Caught(frozenset(), False)
_KEEPS = frozenset(("caught", "import", "set", "jump"))  # what a handler does that only names the exception


def handlers(function: Function, semantics: Semantics, suppressed: frozenset[int]) -> dict[int | None, Caught]:
    """By the number of a handler's block. suppressed: `leave` instructions that end an exception."""
    blocks = function.blocks
    found: dict[int | None, Caught] = {}
    for first in {block.handler: None for block in blocks if block.handler is not None}:
        names: set[str] = set()
        everything = ignored = False
        place: int | None = first
        around: set[int] = set()
        while place is not None and place not in around:
            around.add(place)
            outer = blocks[place].handler
            for tried, body in _asked(function, place, semantics, suppressed):
                if not everything and not semantics.everything.isdisjoint(tried):
                    everything, ignored = True, _does_nothing(function, place, body)
                names |= tried
            place = outer
        found[first] = Caught(frozenset(names), everything, ignored)
    return found


def _asked(
    function: Function, place: int, semantics: Semantics, suppressed: frozenset[int]
) -> Iterator[tuple[set[str] | frozenset[str], int]]:
    """The classes that a handler asks for, one test after the other, and the block that runs for each."""
    seen: set[int] = set()
    while place not in seen:
        seen.add(place)
        last = function.blocks[place].instructions[-1]
        if last.op != "branch":
            return
        predicate, yes, no = last.operands
        if predicate.operator == "always":
            yield semantics.everything, yes
            return
        if predicate.operator == "truth":
            ends = predicate.operands[0] in suppressed
            yield semantics.everything.union(semantics.errors.values()) if ends else set(), yes
            return
        names = set(_names(predicate))
        if not names:
            return
        yield names, yes
        place = no


def _does_nothing(function: Function, handler: int, body: int) -> bool:
    """Whether control goes on behind a handler as if nothing had failed: its body is empty, and what it guards leads
    to the same block, if it does not leave the function. body: the block where the body begins."""
    blocks = function.blocks
    guarded = {number for number, block in enumerate(blocks) if _goes_to(function, block.handler, handler)}
    left = {target for number in guarded for target in blocks[number].successors() if target not in guarded}
    seen: set[int] = set()
    while body not in left and body not in seen:
        seen.add(body)
        *_, last = instructions = blocks[body].instructions
        made = {each.number for each in instructions if each.op == "caught"}
        if last.op != "jump" or any(
            each.op not in _KEEPS or (each.op == "set" and each.operands[1] not in made) for each in instructions
        ):
            return False
        [body] = blocks[body].successors()
    return left == {body}


def _goes_to(function: Function, place: int | None, handler: int) -> bool:
    """Whether an exception that the handler at `place` does not end comes to another one."""
    seen: set[int] = set()
    while place is not None and place not in seen:
        if place == handler:
            return True
        seen.add(place)
        place = function.blocks[place].handler
    return False


def _names(predicate: Predicate) -> Iterator[str]:
    if predicate.operator == "or":
        for part in predicate.operands:
            assert isinstance(part, Predicate)
            yield from _names(part)
    elif predicate.operator == "is" and isinstance(predicate.operands[1], Type):
        yield predicate.operands[1].name.rpartition(".")[2]
