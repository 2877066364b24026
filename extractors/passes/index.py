"""The instructions of a function, by number and by operation: one walk over them, for all passes."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict

from pliant.extractors.ir.instructions import OPERANDS
from pliant.extractors.ir.operands import Operand, asked
from pliant.extractors.ir.unit import Function, Instruction

_NOTHING = Instruction(0, "", ())


class Index:
    """numbered: the instruction of each number; there is none of number 0."""

    __slots__ = ("_by_base", "_by_op", "_first", "numbered")

    def __init__(self, function: Function) -> None:
        self.numbered = [_NOTHING]
        self._by_op: defaultdict[str, list[Instruction]] = defaultdict(list)
        self._by_base: dict[str, dict[Operand, list[Instruction]]] = {}
        self._first: list[int] = []  # number of the first instruction of each block
        for block in function.blocks:
            self._first.append(len(self.numbered))
            self.numbered += block.instructions
            for each in block.instructions:
                self._by_op[each.op].append(each)

    def __len__(self) -> int:
        return len(self.numbered) - 1

    def has(self, *ops: str) -> bool:
        return not self._by_op.keys().isdisjoint(ops)

    def of(self, *ops: str) -> list[Instruction]:
        """The instructions of these operations, those of each in their order."""
        if len(ops) == 1:
            return self._by_op.get(ops[0], [])
        return [each for op in ops for each in self._by_op.get(op, ())]

    def on(self, op: str, base: Operand) -> list[Instruction]:
        """The instructions of an operation whose first operand is `base`, in their order."""
        by_base = self._by_base.get(op)
        if by_base is None:
            by_base = self._by_base[op] = {}
            for each in self.of(op):
                by_base.setdefault(each.operands[0], []).append(each)
        return by_base.get(base, [])

    def block_of(self, number: int) -> int:
        """The number of the block that an instruction is in."""
        return bisect_right(self._first, number) - 1

    def users(self) -> Counter[Operand]:
        """How often each value and constant is taken."""
        found: Counter[Operand] = Counter()
        for op, instructions in self._by_op.items():
            for position, kind in OPERANDS[op].used:
                for each in instructions:
                    operand = each.operands[position]
                    if kind == "value":
                        found[operand] += 1
                    elif kind == "values":
                        found.update(operand)
                    elif kind == "arguments":
                        found.update([value for value, _ in operand])
                    else:
                        found.update(asked(operand))
        return found

    def used(self) -> set[Operand]:
        """The values and constants that some instruction takes."""
        found: set[Operand] = set()
        for op, instructions in self._by_op.items():
            for position, kind in OPERANDS[op].used:
                if kind == "value":
                    found.update([each.operands[position] for each in instructions])
                    continue
                for each in instructions:
                    operand = each.operands[position]
                    if kind == "values":
                        found.update(operand)
                    elif kind == "arguments":
                        found.update([value for value, _ in operand])
                    else:
                        found.update(asked(operand))
        return found
