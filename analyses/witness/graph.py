"""The blocks of a function with its loops taken apart, so that no block comes after itself.

A loop is taken apart into rounds: the first, as it is entered; what comes after exactly one; any later round, which
begins with all that the loop writes being unknown; and what comes after that one. So what the first round shows (a
count that is not 0) holds in the later ones, what each round sets is set behind the loop, and no number of rounds is
left out. A loop over items that are written there has one round for each of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pliant.analyses.witness.bounds import Steps, TooLarge
from pliant.analyses.witness.counted import Counted, counted_loops
from pliant.extractors.ir import graph as flow
from pliant.extractors.ir.unit import Function

FIRST, ENDED, LATER, LAST = range(4)  # rounds; a header ends the loop in ENDED and LAST, and goes on in LATER
_COUNTED = LAST  # more than which the number of a round is where the loop has one round for each item
Copy = tuple[int, tuple[tuple[int, int], ...]]  # block; the rounds of the loops around it, by their headers


@dataclass(slots=True)
class Unrolled:
    """order: the copies of blocks on the way to where it is asked about, each after all that lead to it. before: the
    edges to a copy: (from where, to which block, whether to its handler). loops: the blocks of each loop, by header."""

    order: list[Copy]
    before: dict[Copy, list[tuple[Copy, bool]]]
    loops: dict[int, set[int]]

    def round_of(self, copy: Copy) -> int:
        """Which round of its loop a copy of a header begins; FIRST for other blocks."""
        return dict(copy[1]).get(copy[0], FIRST)


def item_of(copy: Copy, header: int) -> int:
    """The number of the item that the round of a loop takes which has one round for each."""
    number = dict(copy[1])[header]
    return 0 if number == FIRST else number - _COUNTED


@dataclass(slots=True)
class Shape:
    """What does not depend on where a function is run to. before: the blocks that lead to a block. around: headers of
    the loops around a block, outermost first. steps: that it took to find."""

    edges: flow.Edges
    before: list[list[int]]
    loops: dict[int, set[int]]
    around: dict[int, list[int]] = field(default_factory=dict)
    counted: Counted = field(default_factory=Counted)
    steps: int = 0


def unroll(
    function: Function, shape: Shape, targets: Iterable[int], most: int, steps: Steps, begin: int = 0
) -> Unrolled:
    """The copies of blocks by which control can come from block `begin` to blocks `targets` without coming to `begin`
    again. Raises TooLarge where there are more than `most`."""
    steps.spend(len(shape.edges))
    after: dict[Copy, list[tuple[Copy, bool]]] = {}
    start: Copy = (begin, tuple((header, FIRST) for header in shape.around.get(begin, ())))
    wanted = leading_to(shape.before, targets, begin)
    if begin not in wanted:
        return Unrolled([], {}, shape.loops)
    todo = [start]
    while todo:
        copy = todo.pop()
        if copy in after:
            continue
        if len(after) >= most:
            raise TooLarge(f"the functions on the way have more than {most:,} blocks")
        steps.spend(1 + len(copy[1]))
        after[copy] = []
        block = function.blocks[copy[0]]
        normal = block.successors()
        for target in dict.fromkeys([*normal, *([] if block.handler is None else [block.handler])]):
            if target not in wanted or (begin and target == begin):
                continue
            for there in _entered(shape, copy, target, raised=target not in normal):
                if target in normal:
                    after[copy].append((there, False))
                if target == block.handler:
                    after[copy].append((there, True))
                todo.append(there)
    order = _ordered(start, after)
    before: dict[Copy, list[tuple[Copy, bool]]] = {copy: [] for copy in order}
    for copy in order:
        for there, raised in after[copy]:
            before[there].append((copy, raised))
    return Unrolled(order, before, shape.loops)


def shape_of(function: Function, steps: Steps) -> Shape:
    """Raises TooLarge, also where a loop has several entries."""
    left = steps.left
    steps.spend(len(function.blocks))
    edges = flow.edges(function.blocks)
    before = flow.predecessors(edges)
    immediate = flow.dominators(edges)
    within = flow.intervals(immediate)
    loops = flow.loops(before, immediate, steps.spend)
    order = {block: place for place, block in enumerate(flow.reverse_postorder(edges.__getitem__))}
    for source, targets in enumerate(edges):
        if source not in order:
            continue
        for target in targets:
            if order[target] <= order[source] and not within[target][0] <= within[source][0] < within[target][1]:
                raise TooLarge("a loop has several entries")
    shape = Shape(edges, before, loops)
    for header in sorted(loops, key=lambda each: -len(loops[each])):
        for block in loops[header]:
            shape.around.setdefault(block, []).append(header)
    shape.counted = counted_loops(function, loops, before, steps.spend)
    shape.steps = left - steps.left
    return shape


def _entered(shape: Shape, copy: Copy, target: int, *, raised: bool) -> list[Copy]:
    """Which copies of a block an edge leads to. raised: whether an exception leads there."""
    source, rounds = copy
    now = dict(rounds)
    counted = None if raised else shape.counted.ends.get(source)
    if counted is not None:
        following = item_of(copy, counted) + 1
        is_last = following == len(shape.counted.items[counted])
        if is_last if target == counted else not is_last and counted not in shape.counted.lazy:
            return []
        now[counted] = _COUNTED + following
    loop = shape.loops.get(source, set())
    if loop and now[source] in (ENDED, LATER, LAST) and (target in loop) != (now[source] == LATER):
        return []
    of_target = [FIRST]
    if target in shape.loops and source in shape.loops[target]:
        of_target = [now[target]] if target == counted else [ENDED, LATER] if now[target] == FIRST else [LAST]
    around = shape.around.get(target, ())
    return [
        (target, tuple((header, number if header == target else now.get(header, FIRST)) for header in around))
        for number in of_target
    ]


def leading_to(before: list[list[int]], targets: Iterable[int], begin: int = 0) -> set[int]:
    """The blocks from which control may come to one of `targets`, with these; where that is not the first block, none
    from which it comes by `begin` alone. before: as of a `Shape`."""
    found: set[int] = set()
    todo = list(targets)
    while todo:
        block = todo.pop()
        if block not in found:
            found.add(block)
            todo += before[block] if block != begin or not begin else ()
    return found


def loop_around(shape: Shape, blocks: Iterable[int]) -> int | None:
    """The header of the innermost loop that all of some blocks are in; None where there is none, or where its rounds
    are told apart."""
    around = [shape.around.get(each, []) for each in blocks]
    shared = [header for header in around[0] if all(header in each for each in around)] if around else []
    return shared[-1] if shared and shared[-1] and shared[-1] not in shape.counted.items else None


def _ordered(start: Copy, after: dict[Copy, list[tuple[Copy, bool]]]) -> list[Copy]:
    """Each copy after all that lead to it."""
    order: list[Copy] = []
    seen = {start}
    stack = [(start, iter(after[start]))]
    while stack:
        copy, edges = stack[-1]
        for there, _ in edges:
            if there not in seen:
                seen.add(there)
                stack.append((there, iter(after[there])))
                break
        else:
            order.append(copy)
            stack.pop()
    order.reverse()
    return order
