"""The instructions of a function, by number and by operation: one walk over them, for all passes."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from itertools import chain
from typing import Any

from pliant.extractors.ir.instructions import OPERANDS
from pliant.extractors.ir.operands import Operand, asked
from pliant.extractors.ir.unit import Function, Instruction

_NOTHING = Instruction(0, "", ())


class Index:
    """numbered: the instruction of each number; there is none of number 0."""

    __slots__ = ("_by_base", "_by_op", "_first", "_named", "_taken", "numbered")

    def __init__(self, function: Function) -> None:
        self.numbered = [_NOTHING]
        self._by_op: defaultdict[str, list[Instruction]] = defaultdict(list)
        self._by_base: dict[str, dict[Operand, list[Instruction]]] = {}
        self._named: dict[str, list[Instruction]] | None = None
        self._taken: dict[tuple[str, int], list[Operand]] | None = None
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

    def calls_named(self) -> dict[str, list[Instruction]]:
        """The calls by the last part of the name of what they call."""
        if self._named is None:
            self._named = {}
            for each in self.of("call", "invoke", "defer"):
                self._named.setdefault(last_name_called(self.numbered, each), []).append(each)
        return self._named

    def block_of(self, number: int) -> int:
        """The number of the block that an instruction is in."""
        return bisect_right(self._first, number) - 1

    def taken(self) -> dict[tuple[str, int], list[Operand]]:
        """The values and constants that instructions take, by their operation and the position of the operand."""
        if self._taken is None:
            self._taken = {
                (op, position): _operands([each.operands[position] for each in instructions], kind)
                for op, instructions in self._by_op.items()
                for position, kind in OPERANDS[op].used
            }
        return self._taken

    def users(self) -> Counter[Operand]:
        """How often each value and constant is taken."""
        return Counter(chain.from_iterable(self.taken().values()))

    def used(self) -> set[Operand]:
        """The values and constants that some instruction takes."""
        return set().union(*self.taken().values())


def _operands(found: list[Any], kind: str) -> list[Operand]:
    """The values and constants of operands of a kind."""
    if kind == "value":
        return found
    if kind == "arguments":
        return [value for arguments in found for value, _ in arguments]
    return list(chain.from_iterable(found if kind == "values" else map(asked, found)))


def last_name_called(numbered: list[Instruction], call: Instruction) -> str:
    """The last part of the name of what an instruction calls; empty where it has none."""
    callee = call.operands[0]
    if call.op == "invoke" or (call.op == "defer" and call.operands[1]):
        return str(call.operands[1])
    made = numbered[callee] if isinstance(callee, int) else call
    if made.op == "import":
        return str(made.operands[1] or made.operands[0]).rpartition(".")[2]
    if made.op in ("get", "load"):
        return str(made.operands[made.op == "load"]).partition("#")[0].partition("(")[0]
    return ""
