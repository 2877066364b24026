"""Loops over items that are written there, as in `for x in (a, b)`: they have one round for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pliant.extractors.ir.operands import Operand
from pliant.extractors.ir.unit import Function, Instruction

_MOST_COPIED = 500  # instructions of a function, for such loops


@dataclass(slots=True)
class Counted:
    """items: by the header of a loop, the items; each round begins by taking one. ends: by the block with which the
    rounds end, the header. lazy: by the header, the generator that the loop fills: nobody may ask for more elements."""

    items: dict[int, Sequence[Operand]] = field(default_factory=dict)
    ends: dict[int, int] = field(default_factory=dict)
    lazy: dict[int, int] = field(default_factory=dict)


def counted_loops(
    function: Function,
    loops: Mapping[int, set[int]],
    before: Sequence[Sequence[int]],
    spend: Callable[[int], None],
) -> Counted:
    """loops, before: as of a `Shape`."""
    found = Counted()
    firsts = {header: function.blocks[header].instructions[0] for header in loops}
    taken = {each.operands[0] for each in firsts.values() if each.op == "next" and each.operands[1] == "element"}
    if not taken:
        return found
    written: dict[Operand, Sequence[Operand]] = {}
    generators: set[int] = set()
    used: Counter[Operand] = Counter()
    for instruction in function.instructions():
        spend(1)
        if instruction.number in taken and (instruction.op == "tuple" or _makes(instruction, "list")):
            written[instruction.number] = instruction.operands[-1]
        elif _makes(instruction, "Generator"):
            generators.add(instruction.number)
        if instruction.op != "require":
            used.update(each for each in instruction.uses() if each in taken)
    copies: Counter[int] = Counter()  # of blocks, besides the first
    size = [len(block.instructions) for block in function.blocks]
    for header in sorted(loops, key=lambda each: len(loops[each])):
        loop, first = loops[header], firsts[header]
        items = written.get(first.operands[0], ()) if first.op == "next" and used[first.operands[0]] == 1 else ()
        ends = [each for each in before[header] if each in loop]
        if not items or len(ends) != 1 or function.blocks[ends[0]].instructions[-1].op != "choose":
            continue
        more = {block: (1 + copies[block]) * (len(items) - 1) for block in loop}
        if sum(count * size[block] for block, count in (copies + Counter(more)).items()) > _MOST_COPIED:
            continue
        copies.update(more)
        found.items[header], found.ends[ends[0]] = items, header
        for block in loop:
            for each in function.blocks[block].instructions:
                if each.op == "fill" and each.operands[0] in generators:
                    found.lazy[header] = each.operands[0]
    return found


def _makes(instruction: Instruction, name: str) -> bool:
    """Whether an instruction makes an object of a class of the library that has its elements in their order."""
    return instruction.op == "allocate" and instruction.operands[0].name == name
