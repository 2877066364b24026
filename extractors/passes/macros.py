"""Macros, which have parameters and are functions to other files: what they do to the variables of their callers."""

from __future__ import annotations

from pliant.extractors.ir.operands import Operand
from pliant.extractors.ir.unit import Instruction
from pliant.extractors.passes import names
from pliant.extractors.passes.lifetimes import Lifetimes
from pliant.extractors.ssa import UNDEFINED, Key, Value


class Macros(Lifetimes):
    """Calls of what may be a macro of another file, and macros of this one."""

    def prepare(self) -> None:
        super().prepare()
        self._behind_macros: set[Value] = set()  # variables that macros of other files may have changed

    def exit(self, last: Instruction) -> None:
        if "macro" in self.function.flags:
            for operand in last.operands[0]:
                if self.op(operand) == "call" and self.fn.reachable():
                    self.live_from(self.value(operand))
        super().exit(last)

    def _way_out(self, operands: tuple[Operand, ...]) -> None:
        super()._way_out(operands)
        if "macro" not in self.function.flags:
            return
        fn = self.fn
        for declared in self.function.formals:
            formal = fn.fixed_value(names.formal_symbol(self.function.name, declared.variable.partition("#")[0]))
            if formal not in fn.formals:
                continue
            current = fn.resolve(fn.read(self.key(declared.variable)))
            if current != UNDEFINED and (fn.root(current) != formal or current in self._behind_macros):
                fn.emit("macro_left", formal, current)

    def called(self, call: Value, passed: list[tuple[Value, list[Key]]]) -> None:
        super().called(call, passed)
        callee = self.results[call].operands[0]
        if self.op(callee) != "get":
            return
        variable = self.function.variables[self.instructions[callee].operands[0]]
        if variable.home == "import" and variable.name.partition("#")[0].isupper():
            for argument, keys in passed:
                self._behind(call, argument, keys)

    def _behind(self, call: Value, argument: Value, keys: list[Key]) -> None:
        """`call` may be of a macro, which can give the variables that are its arguments other values."""
        fn = self.fn
        for key in keys:
            current = fn.read(key)
            if not isinstance(key, str) or current in (UNDEFINED, fn.opaque, fn.unknown) or self.is_nonnull(current):
                continue
            after = fn.value(
                self.writer.name(self.guards.place, f"{fn.key_name(key)} after macros"), root=fn.root(current)
            )
            fn.define(after, "assign_object", after, current)
            fn.define(after, "assign_null", after, current)
            fn.define(after, "macro_after", after, call, argument)
            self._behind_macros.add(after)
            fn.write(key, after)
