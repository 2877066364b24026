"""The control-flow graph of a function: orders, predecessors, dominators."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pliant.extractors.ir.unit import Block


def leads_to(block: Block) -> list[int]:
    """Where control may go from a block, its handler included."""
    targets = block.successors()
    return targets if block.handler is None or block.handler in targets else [*targets, block.handler]


Edges = Sequence[list[int]]  # where control may go from each block


def edges(blocks: Sequence[Block]) -> Edges:
    return [leads_to(block) for block in blocks]


def reverse_postorder(targets_of: Callable[[int], list[int]]) -> list[int]:
    """The blocks that control reaches from the entry; each before those that it leads to, but for loops. targets_of:
    where it may go from a block; asked once."""
    order: list[int] = []
    seen = {0}
    stack = [(0, iter(targets_of(0)))]
    while stack:
        block, targets = stack[-1]
        for target in targets:
            if target not in seen:
                seen.add(target)
                stack.append((target, iter(targets_of(target))))
                break
        else:
            order.append(block)
            stack.pop()
    order.reverse()
    return order


def loops(
    before: Sequence[list[int]], immediate: Mapping[int, int], spend: Callable[[int], None]
) -> dict[int, set[int]]:
    """The blocks of each natural loop, by its header. before: predecessors; immediate: dominators. spend: takes a step
    (`budget`) for each block of each loop."""
    within = intervals(immediate)
    found: dict[int, set[int]] = {}
    for header, sources in enumerate(before):
        first, last = within[header]
        todo = [each for each in sources if first <= within[each][0] < last]
        if not todo:
            continue
        inside = found[header] = {header}
        while todo:
            number = todo.pop()
            if number not in inside:
                inside.add(number)
                todo += before[number]
        spend(len(inside))
    return found


def loops_first(graph: Edges, inside: Mapping[int, set[int]]) -> list[int]:
    """A reverse postorder in which all blocks of a loop come before those that it is left to. inside: the blocks of
    each loop."""
    of_block: dict[int, list[set[int]]] = {}
    for loop in inside.values():
        for number in loop:
            of_block.setdefault(number, []).append(loop)

    def targets(number: int) -> list[int]:
        around = of_block.get(number)
        if around is None:
            return graph[number]
        return sorted(graph[number], key=lambda target: sum(target in loop for loop in around))

    return reverse_postorder(targets)


def predecessors(graph: Edges) -> list[list[int]]:
    """Of each block, those that lead to it."""
    found: list[list[int]] = [[] for _ in graph]
    for number, targets in enumerate(graph):
        for target in targets:
            found[target].append(number)
    return found


def dominators(graph: Edges) -> dict[int, int]:
    """Of each reached block, its immediate dominator, the entry its own.

    Semi-NCA: Georgiadis, "Linear-Time Algorithms for Dominators and Related Problems" (2005), which is nearly linear in
    practice, also where many blocks lead to one.
    """
    order, parents = _preorder(graph)
    place = {number: index for index, number in enumerate(order)}
    before: list[list[int]] = [[] for _ in order]
    for index, number in enumerate(order):
        for target in graph[number]:
            before[place[target]].append(index)
    immediate = list(parents)
    ancestor, label, semi = parents, list(range(len(order))), list(range(len(order)))

    def least(vertex: int, linked: int) -> int:
        """Of `vertex` and those above it that are linked, the one with the least semidominator."""
        path = []
        while ancestor[vertex] >= linked:
            path.append(vertex)
            vertex = ancestor[vertex]
        while path:
            above, vertex = vertex, path.pop()
            ancestor[vertex] = ancestor[above]
            if semi[label[above]] < semi[label[vertex]]:
                label[vertex] = label[above]
        return label[vertex]

    for vertex in range(len(order) - 1, 0, -1):
        semi[vertex] = min(semi[least(each, vertex + 1)] for each in before[vertex])
    for vertex in range(1, len(order)):
        above = immediate[vertex]
        while above > semi[vertex]:
            above = immediate[above]
        immediate[vertex] = above
    return {number: order[immediate[index]] for index, number in enumerate(order)}


def _preorder(graph: Edges) -> tuple[list[int], list[int]]:
    """The blocks that control reaches, as a depth-first search comes to them, and from which place in that order."""
    order: list[int] = []
    parents: list[int] = []
    seen: set[int] = set()
    todo = [(0, 0)]
    while todo:
        number, parent = todo.pop()
        if number not in seen:
            seen.add(number)
            todo += [(target, len(order)) for target in reversed(graph[number])]
            order.append(number)
            parents.append(parent)
    return order, parents


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
