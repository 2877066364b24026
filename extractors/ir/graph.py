"""The control-flow graph of a function: orders, predecessors, dominators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pliant.extractors.ir.unit import Block


def leads_to(block: Block) -> list[int]:
    """Where control may go from a block, its handler included."""
    targets = block.successors()
    return targets if block.handler is None or block.handler in targets else [*targets, block.handler]


def reverse_postorder(blocks: Sequence[Block]) -> list[int]:
    """The blocks that control reaches from the entry; each before those that it leads to, but for loops."""
    order: list[int] = []
    seen = {0}
    stack = [(0, iter(leads_to(blocks[0])))]
    while stack:
        block, targets = stack[-1]
        target = next((each for each in targets if each not in seen), None)
        if target is None:
            order.append(block)
            stack.pop()
        else:
            seen.add(target)
            stack.append((target, iter(leads_to(blocks[target]))))
    return order[::-1]


def predecessors(blocks: Sequence[Block], order: Sequence[int]) -> dict[int, list[int]]:
    """Of each block in `order`, those that lead to it."""
    found: dict[int, list[int]] = {number: [] for number in order}
    for number in order:
        for target in leads_to(blocks[number]):
            found[target].append(number)
    return found


def dominators(blocks: Sequence[Block]) -> dict[int, int]:
    """Of each reached block, its immediate dominator, the entry its own.

    Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
    """
    order = reverse_postorder(blocks)
    position = {number: index for index, number in enumerate(order)}
    before = predecessors(blocks, order)
    found = {0: 0}
    changed = True
    while changed:
        changed = False
        for number in order[1:]:
            known = [each for each in before[number] if each in found]
            new = known[0]
            for other in known[1:]:
                one = other
                while one != new:
                    while position[one] > position[new]:
                        one = found[one]
                    while position[new] > position[one]:
                        new = found[new]
            if found.get(number) != new:
                found[number] = new
                changed = True
    return found


def intervals(immediate: Mapping[int, int]) -> dict[int, tuple[int, int]]:
    """Of each block, an interval of numbers: it holds those of the blocks that the block dominates, and no others.
    immediate: the immediate dominator of each block."""
    children: dict[int, list[int]] = {}
    for block, dominator in immediate.items():
        if block != dominator:
            children.setdefault(dominator, []).append(block)
    found: dict[int, tuple[int, int]] = {}
    count = 0
    todo = [(0, False)]
    first: dict[int, int] = {}
    while todo:
        block, left = todo.pop()
        if left:
            found[block] = (first[block], count)
            continue
        first[block] = count
        count += 1
        todo.append((block, True))
        todo += [(child, False) for child in children.get(block, ())]
    return found
