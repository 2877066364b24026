"""Results of calls that nothing reads: dropped, or stored in a local variable of which no later code reads them.

What is read of a join is read of all that it joins, and what `x++` makes of a value is read of that value if anything
reads what it makes. Functions say of themselves whether they give a value, and do nothing else.
"""

from __future__ import annotations

from typing import Any

from pliant.extractors.ir.operands import Operand
from pliant.extractors.ir.unit import MODULE, Instruction
from pliant.extractors.lowering.ranges import single
from pliant.extractors.passes.memory import MEMORY_STEPS
from pliant.extractors.passes.passed_memory import PassedMemory
from pliant.extractors.ssa import UNDEFINED, Value

_CALLS = ("call", "invoke", "defer")


class Unread(PassedMemory):
    """kept: calls whose results variables hold, and these."""

    steps = MEMORY_STEPS

    def prepare(self) -> None:
        super().prepare()
        self._kept_results: dict[Value, str] = {}
        self._uses = self.index.users()

    def calling(self, instruction: Instruction, call: Value, passed: list[Value]) -> None:
        super().calling(instruction, call, passed)
        if instruction.op != "call" or not self.fn.reachable():
            return
        if instruction.number not in self._used and instruction.number not in self.function.within:
            self._dropped(instruction, call)

    def _dropped(self, instruction: Instruction, call: Value) -> None:
        callee, arguments = instruction.operands
        if self.op(callee) != "get" or self.type_of(callee).kind not in ("function", "any"):
            return
        name, known = self.library_name(instruction), self.semantics.memory
        group = known.results.get(name)
        if group is not None:
            if not any(self._is_last_resort(each.value) for each in arguments):
                self.fn.emit("unread", call, group)
        elif name not in known.names:
            self.fn.emit("unread", call, "dropped")

    def _is_last_resort(self, operand: Operand) -> bool:
        """Whether an argument is a stream of which no failure can be told."""
        return self.texts.called(operand) in self.semantics.memory.last_resort if self.op(operand) == "get" else False

    def set_variable(self, instruction: Instruction) -> None:
        super().set_variable(instruction)
        name, operand = instruction.operands
        variable = self.function.variables[name]
        while self.op(operand) == "convert":
            operand = self.instructions[operand].operands[0]
        if self.op(operand) != "call" or instruction.number in self.function.within or name in self._addresses:
            return
        made: Instruction = self.instructions[operand]
        passed = any(self._reads(each.value, name) for each in made.operands[1])
        alone = self._uses[operand] == 1  # else it is read as what the assignment gives
        if variable.home == "local" and alone and not passed and self.fn.reachable():
            self._kept_results[self.values[operand]] = name

    def store(self, instruction: Instruction) -> None:
        super().store(instruction)
        base, field, operand = instruction.operands
        if field != "*" or self.op(base) != "get" or self.op(operand) != "call" or not self.fn.reachable():
            return
        name = self.instructions[base].operands[0]
        others = [each for each in self.index.of("get") if each.operands[0] == name and each.number != base]
        if self.function.variables[name].home == "local" and not others and self._uses[operand] == 1:
            self._kept_results[self.values[operand]] = name

    def _reads(self, operand: Operand, name: str) -> bool:
        """Whether an argument is computed from a variable: it is brought up to date, for whoever reads it next."""
        todo: list[Any] = [operand]  # also what is no value
        steps = 0
        while todo and steps < 32:
            steps += 1
            each = todo.pop()
            if not isinstance(each, int):
                continue
            made = self.instructions[each]
            if made.op == "get" and made.operands[0] == name:
                return True
            for part in made.operands:
                todo += part if isinstance(part, tuple) and made.op == "arithmetic" else [part]
        return False

    def write_exits(self) -> None:
        super().write_exits()
        if self.function.name == MODULE:
            return
        gives = any(each.operands[0] for each in self.index.of("exit"))
        given = {left.given for left in self.left}
        constant = len(given) == 1 and single(next(iter(given))) is not None
        understood = "unclear" not in self.function.flags
        if gives and not constant:
            self.fn.emit("valued", self.symbol)
            if (
                understood
                and not self.effects
                and not self.index.has(*_CALLS)
                and "volatile" not in self.function.flags
            ):
                self.fn.emit("pure", self.symbol)
        if self._kept_results and understood:
            read = self._read_values()
            for call in self._kept_results:
                if call not in read:
                    self.fn.emit("unread", call, "stored")

    def _read_values(self) -> set[Value]:
        """The values that are read. A variable that is read only to bring it up to date (`n = n + 1`) is not."""
        fn = self.fn
        users: dict[int, list[Instruction]] = {}
        for each in self.index.of("arithmetic", "set", "convert"):
            for operand in each.operands[1] if each.op == "arithmetic" else each.operands[:2]:
                if isinstance(operand, int):  # no constant, name or type
                    users.setdefault(operand, []).append(each)
        only = self._uses
        made_from: dict[Value, Value] = {}
        todo: list[Value] = []
        for each in self.index.of("get"):
            value = self.values.get(each.number, UNDEFINED)
            steps = users.get(each.number, [])
            if (
                steps
                and len(steps) == only[each.number]
                and all(self._steps(step, each.operands[0], users, only) for step in steps)
            ):
                for step in steps:
                    made_from[fn.resolve(self.values.get(step.number, UNDEFINED))] = value
            else:
                todo.append(value)
        found: set[Value] = set()
        while todo:
            value = fn.resolve(todo.pop())
            if value in found or value == UNDEFINED:
                continue
            found.add(value)
            todo.extend(fn.operands(value) or ())
            todo.append(fn.roots[value])
            for known in (made_from, self.origins):
                if value in known:
                    todo.append(known[value])
        return found

    def _steps(
        self, step: Instruction, name: str, users: dict[int, list[Instruction]], only: dict[Operand, int]
    ) -> bool:
        """Whether an instruction does nothing but bring a variable up to date."""
        after = users.get(step.number, [])
        return (
            step.op == "arithmetic"
            and len(after) == only.get(step.number, 0) > 0
            and all(each.op == "set" and each.operands[0] == name for each in after)
        )
