"""What exceptions a function catches where: of each handler, the names of those that it, or one around it, ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
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


def handlers(
    function: Function, semantics: Semantics, suppressed: frozenset[int], spend: Callable[[int], None]
) -> dict[int | None, Caught]:
    """By the number of a handler's block. suppressed: `leave` instructions that end an exception. spend: counts steps
    (`budget`)."""
    blocks = function.blocks
    regions = _Regions(function, spend)
    found: dict[int | None, Caught] = {}
    for first in regions.handlers:
        inner: dict[int, None] = {}  # the innermost first
        place: int | None = first
        while place is not None and place not in found and place not in inner:
            inner[place] = None
            place = blocks[place].handler
        around = found.get(place, NOTHING_CAUGHT)
        for handler in reversed(inner):
            names = set(around.names)
            everything = ignored = False
            for tried, body in _asked(function, handler, semantics, suppressed):
                if not everything and not semantics.everything.isdisjoint(tried):
                    everything, ignored = True, _does_nothing(function, regions, handler, body)
                names |= tried
            spend(len(names))
            if not everything:
                everything, ignored = around.everything, around.ignored
            around = found[handler] = Caught(frozenset(names), everything, ignored)
    return found


class _Regions:
    """The region of a handler: the blocks of which an exception comes to it, if no handler before it ends that."""

    def __init__(self, function: Function, spend: Callable[[int], None]) -> None:
        self._blocks, self._spend = function.blocks, spend
        self._guards: dict[int, list[int]] = {}  # handler -> the blocks that have it
        for number, block in enumerate(self._blocks):
            if block.handler is not None:
                self._guards.setdefault(block.handler, []).append(number)
        self._within: dict[int | None, list[int]] = {}  # handler -> those of which exceptions come to it
        for handler in self._guards:
            self._within.setdefault(self._blocks[handler].handler, []).append(handler)

    @property
    def handlers(self) -> list[int]:
        return [*self._guards]

    @cached_property
    def _spans(self) -> dict[int, tuple[int, int]]:
        """Handlers as intervals: that of one lies in those of the handlers around it."""
        begin: dict[int, int] = {}
        spans: dict[int, tuple[int, int]] = {}
        todo = [(each, False) for each in self._within.get(None, ())]
        while todo:
            handler, is_done = todo.pop()
            if is_done:
                spans[handler] = begin[handler], len(begin)
                continue
            begin[handler] = len(begin)
            todo.append((handler, True))
            todo += [(each, False) for each in self._within.get(handler, ())]
        return spans

    @cached_property
    def exits(self) -> dict[int, set[int]]:
        """Of each handler, the blocks to which control goes from its region, if not for an exception."""
        found: dict[int, set[int]] = {}
        for handler, (first, end) in self._spans.items():  # an inner one first
            targets = {each for number in self._guards[handler] for each in self._blocks[number].successors()}
            targets.update(*(found[inner] for inner in self._within.get(handler, ())))
            self._spend(len(targets))
            found[handler] = {each for each in targets if not first <= self._begin(each) < end}
        return found

    def _begin(self, number: int) -> int:
        handler = self._blocks[number].handler
        return self._spans[handler][0] if handler in self._spans else -1


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


def _does_nothing(function: Function, regions: _Regions, handler: int, body: int) -> bool:
    """Whether control goes on behind a handler as if nothing had failed: its body is empty, and what it guards leads
    to the same block, if it does not leave the function. body: the block where the body begins."""
    blocks = function.blocks
    left = regions.exits.get(handler, set())
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


def _names(predicate: Predicate) -> Iterator[str]:
    if predicate.operator == "or":
        for part in predicate.operands:
            assert isinstance(part, Predicate)
            yield from _names(part)
    elif predicate.operator == "is" and isinstance(predicate.operands[1], Type):
        yield predicate.operands[1].name.rpartition(".")[2]
