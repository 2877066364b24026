"""What is caught where: as handler after handler says it, in time that does not grow with their nesting."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from pliant.extractors.ir.operands import Constant, Predicate, Type
from pliant.extractors.ir.semantics import Semantics
from pliant.extractors.ir.unit import Block, Function, Instruction
from pliant.extractors.java.semantics import SEMANTICS
from pliant.extractors.passes.handlers import Caught, _asked, handlers

OURS = replace(SEMANTICS, everything=frozenset(["Throwable"]))
NOTHING: frozenset[int] = frozenset()


def _random(choose: random.Random) -> Function:
    """Handlers come behind what they guard."""
    count = choose.randint(2, 12)
    numbers = range(count)
    blocks = []
    for number in numbers:
        handler = choose.choice([None, *range(number + 1, count)])
        first = choose.choice(
            [("caught", ()), ("set", ("x", Constant("integer", 1))), ("set", ("x", 1)), ("load", (1, "f"))]
        )
        asked = Predicate("is", (1, Type("class", choose.choice(["E", "F", "Throwable"]))))
        predicate = choose.choice([asked, asked, Predicate("always", (Constant("boolean", True),))])
        last = choose.choice([("jump", 1), ("jump", 1), ("branch", 2), ("exit", 0)])
        targets = [choose.choice(numbers) for _ in range(last[1])]
        ends = {"jump": (*targets,), "branch": (predicate, *targets), "exit": ((),)}[last[0]]
        made = [Instruction(2 * number + 2, last[0], ends)]
        blocks.append(Block([Instruction(2 * number + 1, *first), *made] if choose.random() < 0.7 else made, handler))
    return Function("f", blocks=blocks)


def _goes_to(blocks: list[Block], place: int | None, handler: int) -> bool:
    while place is not None:
        if place == handler:
            return True
        place = blocks[place].handler
    return False


def _does_nothing(blocks: list[Block], handler: int, body: int) -> bool:
    guarded = {number for number, block in enumerate(blocks) if _goes_to(blocks, block.handler, handler)}
    left = {target for number in guarded for target in blocks[number].successors() if target not in guarded}
    seen: set[int] = set()
    while body not in left and body not in seen:
        seen.add(body)
        made = {each.number for each in blocks[body].instructions if each.op == "caught"}
        for each in blocks[body].instructions:
            if each.op not in ("caught", "set", "jump") or (each.op == "set" and each.operands[1] not in made):
                return False
        [body] = blocks[body].successors()
    return left == {body}


def _naive(function: Function, semantics: Semantics) -> dict[int, Caught]:
    found = {}
    for first in {block.handler for block in function.blocks if block.handler is not None}:
        names: set[str] = set()
        everything = ignored = False
        place: int | None = first
        while place is not None:
            for tried, body in _asked(function, place, semantics, NOTHING):
                if not everything and not semantics.everything.isdisjoint(tried):
                    everything, ignored = True, _does_nothing(function.blocks, place, body)
                names |= tried
            place = function.blocks[place].handler
        found[first] = Caught(frozenset(names), everything, ignored)
    return found


@pytest.mark.parametrize("seed", range(20))
def test_random_handlers_catch_what_handler_after_handler_says(seed: int) -> None:
    choose = random.Random(seed)
    met = set()
    for _ in range(150):
        function = _random(choose)
        expected = _naive(function, OURS)
        assert handlers(function, OURS, NOTHING, lambda steps: None) == expected
        met.update((each.everything, each.ignored) for each in expected.values())
    assert met == {(False, False), (True, False), (True, True)}


def test_handlers_in_each_other_cost_about_what_their_blocks_do() -> None:
    def steps(depth: int, inside: int) -> int:
        """So many handlers of everything that do nothing, in each other around so many blocks."""
        everything = Predicate("is", (1, Type("class", "Throwable")))
        end = depth + inside
        blocks = [
            Block([Instruction(1, "branch", (everything, end, end))], number + 1 if number + 1 < depth else None)
            for number in range(depth)
        ]
        blocks += [Block([Instruction(1, "jump", (number + 1,))], 0) for number in range(depth, end)]
        blocks.append(Block([Instruction(1, "exit", ((),))]))
        spent: list[int] = []
        found = handlers(Function("f", blocks=blocks), OURS, NOTHING, spent.append)
        assert {each.ignored for each in found.values()} == {True} and len(found) == depth
        return sum(spent)

    assert steps(100, 4000) < 10_000
    assert steps(1, 4000) < 10_000
