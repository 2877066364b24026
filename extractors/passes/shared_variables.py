"""Variables of the file that hold pointers: what a function wrote there holds until a call that may write them.

What it leaves there is told to the rules.
"""

from __future__ import annotations

from pliant.extractors.ir.operands import Operand
from pliant.extractors.ir.unit import MODULE, Instruction, Variable
from pliant.extractors.passes.macros import Macros
from pliant.extractors.passes.survey import identity
from pliant.extractors.ssa import UNDEFINED, Value

_CALLS = 8  # between a write of a variable and its next read that are asked whether they write it
_NUMBERS = frozenset(("number", "boolean"))
_WHOLE = frozenset(("class", "array"))  # known by their addresses
_UNSHARED = _NUMBERS | _WHOLE | {"function"}


class SharedVariables(Macros):
    """The variables of the file in the function under construction."""

    def prepare(self) -> None:
        super().prepare()
        self.variable_read_at: dict[str, int] = {}  # how many calls were made before
        self._calls: list[Value] = []
        self.variables_written: dict[str, Variable] = {}

    def _is_shared(self, name: str) -> bool:
        variable = self.function.variables[name]
        return (
            variable.home in ("module", "import")
            and variable.type.kind not in _UNSHARED
            and name not in self._addresses
        )

    @property
    def calls_so_far(self) -> int:
        return len(self._calls)

    def called_own(self, call: Value) -> None:
        self._calls.append(call)

    def read(self, name: str, instruction: Instruction) -> Value:
        fn, variable = self.fn, self.function.variables[name]
        if variable.home in ("module", "import") and variable.type.kind in _WHOLE:
            cell = self.cell(variable)
            fn.nonnull.add(cell)
            return cell
        if not self._is_shared(name) or self.function.name == MODULE:
            return super().read(name, instruction)
        cell = self.cell(variable)
        self.shared_cells.add(cell)
        fn.entry_values.setdefault(name, cell)
        value = fn.read(name)
        if value == UNDEFINED:
            value = cell
        elif self.variable_read_at.get(name, 0) != len(self._calls):
            value = self._read_again(name, instruction, value, cell)
        self.variable_read_at[name] = len(self._calls)
        return value

    def _read_again(self, name: str, instruction: Instruction, value: Value, cell: Value) -> Value:
        """What is read again behind calls."""
        fn = self.fn
        again = self.named(instruction, name.partition("#")[0])
        fn.define(again, "assign_object", again, cell)
        between = self._calls[self.variable_read_at.get(name, 0) :]
        if value != cell and len(between) <= _CALLS and self.function.variables[name].home == "module":
            fn.define(again, "assign_null", again, cell)
            fn.define(again, "carry", again, value, self._symbol_of(name))  # until a call writes the variable
            for call in between:
                fn.define(again, "carry_across", again, call)
        else:
            fn.define(again, "assign", again, value)
        fn.roots[again] = fn.root(value)
        if self.is_nonnull(value):
            fn.nonnull.add(again)
        self._renamed.add(again)
        fn.write(name, again)
        return again

    def _symbol_of(self, name: str) -> str:
        return self.fn.names[self.cell(self.function.variables[name])] or ""

    def write(self, name: str, value: Value) -> None:
        variable = self.function.variables[name]
        if variable.home not in ("module", "import"):
            super().write(name, value)
            return
        fn = self.fn
        self.effects = True
        if self.function.name == MODULE:
            self._begin(name, value)
            fn.write(name, value)
            return
        if variable.type.kind in _NUMBERS:
            fn.write(name, fn.unnamed())
            return
        if not self._is_shared(name):
            super().write(name, value)
            return
        cell, symbol = self.cell(variable), self._symbol_of(name)
        fn.lent.discard(value)
        if self.object_of(value) in fn.private:
            value = self.kept_address(name.partition("#")[0], value, self.setting, name)
        fn.write(name, value)
        self.guards.wrote(name, value)
        if symbol not in self._written_fields:
            self._written_fields.add(symbol)
            fn.emit("field_write", self.symbol, symbol)
        fn.emit("assign_object", cell, value)
        self.variable_read_at[name] = len(self._calls)
        self.variables_written[name] = variable
        if value == fn.opaque or self.is_nonnull(value):
            fn.emit("variable_set", cell)

    def _begin(self, name: str, value: Value) -> None:
        """What a variable of the file holds at first."""
        fn, variable = self.fn, self.function.variables[name]
        cell, kind = self.cell(variable), variable.type
        if kind.kind in _WHOLE:
            if self.class_of(kind) or kind.kind == "class":
                fn.emit("new", cell, value, self.class_of(kind) or "object")
            return
        if kind.kind in _NUMBERS:
            return
        if value not in self.guards.literal_null:
            fn.emit("assign" if kind.kind == "any" else "assign_object", cell, value)
            fn.emit("variable_set", cell)
        elif kind.kind == "any":  # a macro
            fn.emit("assign", cell, value)
        elif kind.kind == "pointer" and identity(self.function, variable) not in self.survey.addressed:
            fn.emit("starts_null", cell)

    def _way_out(self, operands: tuple[Operand, ...]) -> None:
        super()._way_out(operands)
        fn = self.fn
        for name, variable in self.variables_written.items():
            content = fn.read(name)
            if content in (UNDEFINED, fn.opaque) or self.is_nonnull(content):
                fn.emit("variable_set", self.cell(variable))
            else:
                fn.emit("variable_left", self.cell(variable), content, self.live())

    def write_exits(self) -> None:
        for variable in self.variables_written.values() if not self.left else ():
            self.fn.emit("variable_set", self.cell(variable))
        super().write_exits()
