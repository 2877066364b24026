"""What the rounds of loops do: what they go over, and which objects every round uses again."""

from __future__ import annotations

from collections.abc import Iterable

from pliant.extractors.ir.operands import Operand
from pliant.extractors.ir.unit import Instruction
from pliant.extractors.passes.resources import Resources
from pliant.extractors.ssa import UNDEFINED, Value

_MAKING = frozenset(("allocate", "call", "slice", "arithmetic"))  # what may give a new object


class Rounds(Resources):
    """Methods for loops, and for other names of what is shared. The blocks of a loop are those from which control can
    come to its header again."""

    _inside: dict[int, set[int]]  # headers of loops -> their blocks
    _loops: dict[int, Value]  # headers of loops over the elements of something

    def prepare(self) -> None:
        super().prepare()
        self._headers: dict[int, list[int]] = {}  # of the loops around a block
        self._kept_in: dict[int, frozenset[str]] = {}
        self._other_names: frozenset[str] | None = None

    def goes_over(self, instruction: Instruction, base: Operand) -> None:
        around, value = self._around(instruction), self.value(base)
        if around and value != UNDEFINED and self.fn.names[value]:
            loop = self.named(instruction, "loop")
            self.fn.emit("iterates", loop, value)
            self._loops[min(around, key=lambda header: len(self._inside[header]))] = loop

    def note_renamed(self, site: Value, operands: Iterable[Operand]) -> None:
        names = {self.instructions[each].operands[0] for each in operands if self.op(each) == "get"}  # type: ignore[index]
        if names and not names.isdisjoint(self._renamings()):
            self.fn.emit("renamed", site)

    def in_loops(self, instruction: Instruction, site: Value, operands: Iterable[Operand]) -> None:
        if not self.fn.reachable():
            return
        names = {self.instructions[each].operands[0]: each for each in operands if self.op(each) == "get"}  # type: ignore[index]
        for header in self._around(instruction):
            if header in self._loops:
                self.fn.emit("in_loop", site, self._loops[header])
            for name in sorted(names.keys() & self._unset_by(header)):
                rounds = self.fn.fixed_value(f"|{self.function.name}|rounds {header}|1")
                self.fn.emit("again", site, self.value(names[name]), rounds)

    def _around(self, instruction: Instruction) -> list[int]:
        """The headers of the loops around an instruction."""
        number = self.index.block_of(instruction.number)
        if number not in self._headers:
            self.fn.spend(len(self._inside))
            self._headers[number] = [header for header, loop in self._inside.items() if number in loop]
        self.fn.spend(len(self._headers[number]))
        return self._headers[number]

    def _renamings(self) -> frozenset[str]:
        """The local variables that are set to what a shared variable or an attribute of a class or module holds."""
        if self._other_names is None:
            self.fn.spend(len(self.index.of("set")))
            self._other_names = frozenset(
                each.operands[0]
                for each in self.index.of("set")
                if self.function.variables[each.operands[0]].home == "local" and self._is_of_others(each.operands[1])
            )
        return self._other_names

    def _is_of_others(self, operand: Operand) -> bool:
        if self.op(operand) == "load":
            operand = self.instructions[operand].operands[0]  # type: ignore[index]
        if self.op(operand) in ("import", "class"):
            return True
        if self.op(operand) != "get":
            return False
        return self.function.variables[self.instructions[operand].operands[0]].home in ("module", "import")  # type: ignore[index]

    def _unset_by(self, header: int) -> frozenset[str]:
        """The local variables for which an object is made before a loop, and that the loop does not set."""
        if header not in self._kept_in:
            sets: dict[str, list[Instruction]] = {}
            for each in self.index.of("set"):
                sets.setdefault(each.operands[0], []).append(each)
            self.fn.spend(len(self.index.of("set")))
            self._kept_in[header] = frozenset(
                name
                for name, found in sets.items()
                if self.function.variables[name].home == "local"
                and any(self.op(each.operands[1]) in _MAKING for each in found)
                and all(self.index.block_of(each.number) not in self._inside[header] for each in found)
            )
        return self._kept_in[header]
