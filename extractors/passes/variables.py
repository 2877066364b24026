"""What operands are in static single assignment: variables, cells that functions share, places in memory.

A variable whose address is taken lives in memory: it is the field `*` of its address, so that calls which get the
address may change it. A variable that functions share has a cell; null does not flow through a cell, since when a
function runs is not known.
"""

from __future__ import annotations

import re

from pliant.extractors.ir.operands import Constant, Operand, Type
from pliant.extractors.ir.semantics import Semantics
from pliant.extractors.ir.unit import MODULE, Function, Instruction, Variable
from pliant.extractors.passes import names
from pliant.extractors.passes.guards import Guards
from pliant.extractors.passes.index import Index
from pliant.extractors.passes.questions import BY_TEXT
from pliant.extractors.passes.survey import FileSurvey, identity
from pliant.extractors.ssa import LIVE, UNDEFINED, Key, Value
from pliant.extractors.ssa import Function as Ssa
from pliant.extractors.ssa.paths import may_change
from pliant.extractors.writer import FactWriter

NEVER_NULL = frozenset(("number", "boolean", "string"))
_KEYED = frozenset(("get", "load", "element", "invoke", "copy", "convert"))
_TOGETHER = 16  # variables and paths, set from each other one after the other, of which a test of the last is one
MANY = 64  # definitions of a name, past which functions that read it are not told what it holds


class Variables:
    """The values and variables of the function that is being constructed."""

    def __init__(
        self, function: Function, index: Index, semantics: Semantics, writer: FactWriter, survey: FileSurvey
    ) -> None:
        self.function = function
        self.semantics = semantics
        self.writer = writer
        self.symbol = names.function_symbol(function.name)
        self.texts = names.Texts(index)
        self.fn = Ssa(writer, self.symbol, survey.stored, survey.cleared)
        self.guards = Guards(self.fn, writer, function.name)
        self.truth_is_not_null = semantics.truth_is_not_null
        self.index = index
        self.instructions = index.numbered
        self.values: dict[int, Value] = {}
        self.computed: dict[Value, Instruction] = {}  # numbers and truths, and what gives them
        self.results: dict[Value, Instruction] = {}  # calls by the values that they give
        self.written: dict[Value, Value] = {}  # what is read from a field -> what was written there
        self.survey = survey
        self.held_by: dict[Operand, list[str]] = {}  # what was set to an operand in this block
        self.set_from: dict[str, list[Key]] = {}  # variable -> what it was set from in this block
        self._constant_numbers: dict[object, int] = {}
        self._addresses = {each.operands[0]: UNDEFINED for each in index.of("address")}
        self._declared_types: set[str] = set()
        self._imported: set[Value] = set()
        self._loaded: set[Value] = set()  # what calls have left in variables, and is read
        self._types: dict[Value, Type] = {}
        self.shared_cells: set[Value] = set()  # of variables of the file and of other files that are read
        self._inner: dict[int, str] = {}  # loads of classes that are inside of others

    def release(self) -> None:
        """Let go of what holds this in turn: it would stay in memory until cycles are looked for."""
        self.guards.told = None
        self.fn.changed_by = may_change

    # Operands.

    def value(self, operand: Operand) -> Value:
        """What an operand is here."""
        fn = self.fn
        if isinstance(operand, int):
            value = self.values[operand]
            return fn.resolve(value) if value in fn.forward else value
        value = fn.unnamed()
        if operand.kind != "other":
            fn.constants[value] = operand if operand.kind in BY_TEXT else operand.content
        return value

    def op(self, operand: Operand) -> str:
        """The instruction that gives an operand."""
        return "" if isinstance(operand, Constant) else self.instructions[operand].op

    def is_null(self, operand: Operand) -> bool:
        """Whether an operand is a null that is written."""
        return self.op(operand) == "const" and self.instructions[operand].operands[0].kind == "null"  # type: ignore[index]

    def keys(self, operand: Operand) -> list[Key]:
        """The variables and paths whose value an operand is, so that a test of it is a test of them."""
        if isinstance(operand, Constant):
            return []
        found, holding = self._keys(operand), self.held_by.get(operand)
        return [*found, *map(self.key, holding)] if holding is not None else found

    def _keys(self, operand: Value) -> list[Key]:
        instruction = self.instructions[operand]
        if instruction.op not in _KEYED:
            return []
        operands = instruction.operands
        match instruction.op:
            case "get":
                return [self.key(operands[0]), *self.set_from.get(operands[0], ())][:_TOGETHER]
            case "load":
                return self._path(operands[0], operands[1])
            case "element" if isinstance(operands[1], Constant) and operands[1].kind in ("integer", "string"):
                return self._path(operands[0], f"[{operands[1].content}]")
            case "element" if self.semantics.objects and isinstance(operands[1], int):
                return self._path(operands[0], f"[]#{self.fn.root(self.value(operands[1]))}")
            case "invoke" if not operands[2]:
                return self._path(operands[0], f".{operands[1]}()")
            case "invoke" if not any(each.name for each in operands[2]):
                return self._path(operands[0], self.called_field(operands[1], [each.value for each in operands[2]]))
            case "copy" | "convert":
                return self.keys(operands[0])
        return []

    def called_field(self, name: str, arguments: list[Operand]) -> str:
        """The field under which the result of a method is followed for these arguments."""
        return f".{name}()#{' '.join(map(self._same, arguments))}"

    def _same(self, operand: Operand) -> str:
        """A text that is the same for the same value."""
        if self.semantics.steady and self.op(operand) == "load":
            base, name = self.instructions[operand].operands  # type: ignore[index]
            if re.fullmatch(self.semantics.steady, name):
                return f"{self.texts.called(base)}.{name}"
        if isinstance(operand, Constant) and operand.kind != "other":
            return f"c{self._constant_numbers.setdefault(operand, len(self._constant_numbers))}"
        return str(self.fn.root(self.value(operand)))

    def _path(self, base: Operand, field: str) -> list[Key]:
        path = self.fn.path(self.value(base), field)
        return [path] if path is not None else []

    def named(self, instruction: Instruction, what: str) -> Value:
        """A new value with the name `what` and the location of the instruction."""
        return self.fn.value(
            self.writer.name(self.place_of(instruction.number), what), self.function.spans.get(instruction.number)
        )

    def place_of(self, number: int) -> str:
        """The definition that names of an instruction belong to."""
        if self.semantics.pointers:  # what is written in a macro belongs to the function that uses it
            return self.function.name
        return self.function.within.get(number, self.function.name)

    def live(self) -> Value:
        return self.fn.read(LIVE)

    # Variables.

    def key(self, name: str) -> Key:
        """What a variable is followed by."""
        return (self.address(name), "*") if name in self._addresses else name

    def is_own(self, operand: Operand) -> bool:
        """Whether nothing but sets of this function can have written what an operand is read from."""
        if isinstance(operand, Constant) or self.instructions[operand].op != "get":
            return True
        variable = self.function.variables[self.instructions[operand].operands[0]]
        if variable.name in self._addresses:
            return False
        return variable.home == "local" or self.survey.sets[identity(self.function, variable)] == 1

    def address(self, name: str) -> Value:
        """The address of a variable that lives in memory."""
        fn = self.fn
        address = self._addresses[name]
        if address == UNDEFINED:
            what = name.partition("#")[0]
            address = self._addresses[name] = fn.value(self.writer.name(self.guards.place, f"&{what}"))
            fn.homes[address] = fn.entry
            fn.nonnull.add(address)
            fn.private.add(address)
            fn.emit("new", address, address, "variable")
        return address

    def read(self, name: str, instruction: Instruction) -> Value:
        """What a variable holds here."""
        fn, variable = self.fn, self.function.variables[name]
        if name in self._addresses:
            value = fn.content((self.address(name), "*"))
            if value == UNDEFINED:
                value = self.named(instruction, name.partition("#")[0])
                fn.emit("load", value, self.address(name), "*")
                fn.write((self.address(name), "*"), value)
            elif value in fn.carried:
                self._left_there(value, name, instruction)
            return value
        value = fn.read(name)
        if value == UNDEFINED:
            value = self._from_cell(variable)
        elif (
            variable.home == "shared" and (self.function.name, name) in self.survey.rebound and value not in fn.nonnull
        ):
            merged = self.named(instruction, name.partition("#")[0])
            for source in (value, self.cell(variable)):
                fn.emit("assign_object", merged, source)
            fn.nonnull.add(merged)
            value = merged
        return value

    def _left_there(self, value: Value, name: str, instruction: Instruction) -> None:
        """What calls have left in a variable is, of objects, what they have stored at its address."""
        if value not in self._loaded:
            self._loaded.add(value)
            loaded = self.named(instruction, name.partition("#")[0])
            self.fn.emit("load", loaded, self.address(name), "*")
            self.fn.emit("assign_object", value, loaded)

    def enter_cells(self) -> None:
        """What variables of other functions hold when this one is entered: a loop may be the first to read them."""
        for variable in self.function.variables.values():
            if variable.home in ("captured", "import") or (variable.home == "module" and self.function.name != MODULE):
                self._from_cell(variable)

    def _from_cell(self, variable: Variable) -> Value:
        fn = self.fn
        if variable.home == "local":
            return fn.opaque
        cell = self.cell(variable)
        if variable.home in ("module", "import"):
            self.shared_cells.add(cell)
        if variable.type.kind in NEVER_NULL or (
            variable.home != "import" and identity(self.function, variable) in self.survey.constant
        ):
            fn.nonnull.add(cell)
        if self.semantics.typed_members and variable.home == "captured":
            owner = self.survey.functions.get(variable.owner)
            receiver = owner.formals[0] if owner is not None and owner.formals else None
            if receiver is not None and receiver.kind == "receiver" and receiver.variable == variable.name:
                self.holds_receiver(cell, variable.type)
        fn.entry_values[variable.name] = cell
        value = fn.read(variable.name)
        return value if value != UNDEFINED else cell

    def holds_receiver(self, value: Value, kind: Type) -> None:
        """A value is the object that code around this one belongs to."""
        if kind.kind == "class":
            owner = names.class_symbol(kind)
            self.fn.nonnull.add(value)
            self.fn.emit("new", value, f"{owner}|instance", owner)

    def cell(self, variable: Variable) -> Value:
        """The cell of a variable that functions share."""
        if variable.home == "import":
            name = variable.name.partition("#")[0]
            cell = self.fn.fixed_value(f"|{MODULE}|import {variable.owner} {name}|1")
            if cell not in self._imported:
                self._imported.add(cell)
                module = names.PACKAGE if variable.owner == "." else variable.owner
                self.fn.emit("import_from", cell, module, name)
            return cell
        owner = {"shared": self.function.name, "captured": variable.owner}.get(variable.home, MODULE)
        return self.fn.fixed_value(names.cell_symbol(owner, variable.name))

    def write(self, name: str, value: Value) -> None:
        """The variable holds `value` from here on."""
        fn, variable = self.fn, self.function.variables[name]
        key = self.key(name)
        fn.write(key, value)
        if name in self._addresses:
            fn.emit("store", self.address(name), "*", value)
        else:
            self.guards.wrote(key, value)
        if variable.home == "local":
            return
        if self.survey.sets[identity(self.function, variable)] > MANY:
            self.writer.unmodelled(f"a name with more than {MANY} definitions, read by functions")
        else:
            fn.emit("assign_object", self.cell(variable), value)

    # Types.

    def declare_type(self, value: Value, kind: Type) -> None:
        """Note the class of which a value is declared to be, and that a number is never null."""
        if kind.kind in NEVER_NULL:
            self.fn.nonnull.add(value)
        if kind.kind == "pointer" and kind.of:
            kind = kind.of[0]
        if kind.kind == "class" and not self.is_dull(kind) and not self.semantics.pointers:
            self.of_class(value, kind)

    def of_class(self, value: Value, kind: Type) -> None:
        """A value is declared to be of a class, or to be null."""
        holder = self.type_holder(kind)
        self.fn.emit("typed", value, holder)
        if self.semantics.virtual:
            self.fn.classes[value] = holder

    def class_elsewhere(self, module: str, name: str) -> Value:
        """The value that holds a class of another file: one for all functions."""
        return self.type_holder(Type("class", name, module))

    def share_holders(self) -> None:
        """The facts of the function are written: those after it need not say again what holds which class."""
        if self.semantics.typed_members:
            self.survey.holders |= self._declared_types

    def is_dull(self, kind: Type) -> bool:
        """Whether of objects of a class nothing is followed."""
        return bool(self.semantics.dull) and f"{kind.module}.{kind.name}" in self.semantics.dull

    def type_holder(self, kind: Type) -> Value:
        """The value that holds a class."""
        fn = self.fn
        symbol = names.type_symbol(kind)
        holder = fn.fixed_value(symbol)
        fn.nonnull.add(holder)
        if symbol not in self._declared_types and symbol not in self.survey.holders:
            self._declared_types.add(symbol)
            if kind.module in ("", "."):
                fn.emit("holds", holder, names.class_symbol(kind))
            else:
                modules = kind.module.split("|")
                fn.spend(len(modules))
                for module in modules:
                    fn.emit("import_from", holder, module, kind.name)
        return holder
