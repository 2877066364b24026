"""What each instruction does to the function under construction: its facts, its use of what must not be null, its
writes."""

from __future__ import annotations

from collections.abc import Callable

from pliant.extractors.ir.instructions import INSTRUCTIONS
from pliant.extractors.ir.operands import Predicate, Type
from pliant.extractors.ir.unit import MODULE, Instruction
from pliant.extractors.lowering.correlation import unguarded
from pliant.extractors.passes.guards import Shown
from pliant.extractors.passes.kinds import Kinds
from pliant.extractors.passes.questions import leaves
from pliant.extractors.passes.survey import identity, makes_null
from pliant.extractors.passes.variables import NEVER_NULL
from pliant.extractors.ssa import Value
from pliant.extractors.writer import Span

_DECLARED = frozenset(("invoke", "element", "next"))  # what gives an object that a variable's type says more of


class Steps(Kinds):
    """One method for each instruction that does more than write the facts of the table."""

    def other(self, instruction: Instruction) -> None:
        """An instruction that does nothing more."""
        if (kind := self.semantics.needs.get(instruction.op)) is not None:
            self.use(instruction.operands[0], instruction, kind)
        self.give(instruction, instruction.op)

    def const(self, instruction: Instruction) -> None:
        [constant] = instruction.operands
        if constant.kind != "null":
            self.values[instruction.number] = self.value(constant)
            return
        self._null(instruction, "literal")

    def zero(self, instruction: Instruction) -> None:
        [kind] = instruction.operands
        if kind.kind not in self.semantics.zero_is_null:
            self.values[instruction.number] = self.fn.unnamed()
            return
        self._null(instruction, "zero")

    def nothing(self, instruction: Instruction) -> None:
        self._null(instruction, "end")

    def _null(self, instruction: Instruction, kind: str) -> None:
        value = self.named(instruction, self.texts.what(instruction, self.semantics.null))
        self.fn.emit("null", value, kind)
        self.guards.known_null.add(value)
        self.guards.literal_null.add(value)
        self.values[instruction.number] = value

    def get(self, instruction: Instruction) -> None:
        self.values[instruction.number] = self.read(instruction.operands[0], instruction)

    def set_(self, instruction: Instruction) -> None:
        name, operand = instruction.operands
        variable = self.function.variables[name]
        value = self.value(operand)
        if self.is_null(operand) and identity(self.function, variable) in self.survey.imported:
            if variable.home == "module" and not self.sets_flag(instruction):
                self.fn.emit("import_fallback", self.cell(variable), value)
            value = self.fn.opaque  # null where the import fails: users test for that elsewhere
        elif variable.home == "module" and self.op(operand) and makes_null(self.instructions[operand], self.semantics):
            when = "first" if self.function.name == MODULE else "later"
            self.fn.emit("variable_null", self.cell(variable), value, when)
        keys = self.keys(operand) if self.op(operand) in ("get", "load", "element", "invoke") else []
        if self.semantics.virtual and variable.type.kind == "class" and self.op(operand) in _DECLARED:
            self.declare_type(value, variable.type)
        self.write(name, value)
        self.note_item(self.key(name), value)
        self.set_from[name] = keys
        if self.semantics.synonyms and keys and self.op(operand) in ("get", "load") and value not in self.fn.nonnull:
            known = self.guards.names_of.setdefault(self.fn.root(value), {})
            known.update(dict.fromkeys((self.key(name), *keys)))
        if isinstance(operand, int):
            self.held_by.setdefault(operand, []).append(name)

    def sets_flag(self, instruction: Instruction) -> bool:
        """Whether the `try` around an instruction sets something to true or false, which users may test instead."""
        raise NotImplementedError

    def begin_object(self, name: str, formal: Value, kind: Type) -> None:
        """A parameter, where its function is entered."""

    def tested_late(self, branch: Instruction, shown: Shown, where: Span | None) -> None:
        """A branch that is not in a loop shows something."""

    def doubt(self, leaf: Predicate, *, asserts: bool) -> None:
        """Note that it is asked whether something is null that was read from a field or a variable of the file. Of a
        field an assertion does not ask: it says."""
        subject = leaf.operands[0]
        if leaf.operator not in ("null", "truth") or not isinstance(subject, int):
            return
        if self.op(subject) == "get":
            variable = self.function.variables[self.instructions[subject].operands[0]]
            if variable.home == "module" and identity(self.function, variable) in self.survey.imported:
                self.fn.emit("variable_asked", self.cell(variable))
        read = unguarded(self.guards, self.value(subject))
        if read in self.shared_cells and not asserts:
            self.fn.emit("doubts", self.symbol, read)
        number = self.type_of(subject).kind in ("number", "boolean")
        kept = read in self.reads and not (number and self.semantics.pointers)
        given = read in self.results and not number
        if not asserts and (kept or given):
            self.fn.emit("doubts", self.symbol, read)
            self.note_structure(read)

    def ask(self, leaf: Predicate) -> None:
        """Note that it is asked whether a parameter, or what is read by an access path, is null, if it may be here."""
        subject = leaf.operands[0]
        if leaf.operator in ("null", "truth") and isinstance(subject, int):
            value = self.value(subject)
            asked = unguarded(self.guards, value)
            if value in self.fn.nonnull:
                return
            if asked in self.fn.formals:
                self.fn.emit("asks_parameter", self.symbol, asked)
            elif path := self.path_of(subject, asked):
                self.fn.emit("asks_path", self.symbol, path)

    def address_of(self, instruction: Instruction) -> None:
        self.values[instruction.number] = self.address(instruction.operands[0])

    def interior(self, instruction: Instruction) -> None:
        if (kind := self.semantics.needs.get("interior")) is not None:
            self.use(instruction.operands[0], instruction, kind)
        self.fn.nonnull.add(self.give(instruction, "interior"))

    def arithmetic(self, instruction: Instruction) -> None:
        operator, operands = instruction.operands
        for operand in operands[: self.semantics.arithmetic.get(operator, 0)]:
            self.use(operand, instruction, "operator")
        value = self.values[instruction.number] = self.fn.unnamed()
        self.computed[value] = instruction
        if self.semantics.sums:
            self.compute(instruction, value)
        if not self.semantics.objects:
            return
        if operator == "*":
            base = next((each for each in operands if self.value(each) in self.lists), None)
            if base is not None:
                kind = self.semantics.containers["slice"]
                self.give(instruction, "repeat", base=self.value(base), **{"class": kind})
        elif operator.endswith("=") and self.fn.names[self.value(operands[0])] != "":
            site = self.named(instruction, operator)
            self.give(instruction, "in place", site=site, left=self.value(operands[0]))
        self.fn.nonnull.add(self.values[instruction.number])

    def compare(self, instruction: Instruction) -> None:
        operator, left, right = instruction.operands
        direct, reflected = self.semantics.comparisons[operator]
        self.compared(instruction, left, right, reflected)
        self.compared(instruction, right, left, direct)

    def test(self, instruction: Instruction) -> None:
        value = self.fn.unnamed()
        for leaf in leaves(instruction.operands[0]):
            if leaf.operator == "null":
                if self.semantics.tests_tell:
                    self.doubt(leaf, asserts=False)
                self.ask(leaf)
        self.fn.tests[value] = self.guards.shown(instruction.operands[0], self)
        self.values[instruction.number] = value
        self.computed[value] = instruction

    def convert(self, instruction: Instruction) -> None:
        value, kind, how = instruction.operands
        if how == "cast" and self.semantics.virtual:
            self._cast(instruction, kind)
            return
        if how == "cast" and self.semantics.linkage:
            known = self.sum_of(value) if kind.kind == "pointer" else None
            if known is not None and not known.terms and known.constant == 0:
                self._null(instruction, "literal")
                return
            if kind.kind in ("pointer", "class"):
                self.values[instruction.number] = self.value(value)
                return
            number = self.values[instruction.number] = self.fn.unnamed()
            self.converted(value, kind, number)
            return
        result = self.give(instruction, f"convert {how}" if how in ("asserted", "boxed") else "convert")
        if how in ("asserted", "boxed"):
            self.fn.nonnull.add(result)
        if how == "asserted" and self.semantics.virtual and kind.kind == "class" and not self.is_dull(kind):
            self.fn.emit("typed", result, self.type_holder(kind))
        if how == "asserted":
            self.fn.roots[result] = self.fn.root(self.value(value))

    def _cast(self, instruction: Instruction, kind: Type) -> None:
        """The same value, declared to be of a class."""
        value = self.value(instruction.operands[0])
        if kind.kind in NEVER_NULL:
            self.values[instruction.number] = self.fn.unnamed()
        elif kind.kind != "class" or self.is_dull(kind):
            self.values[instruction.number] = value
        else:
            result = self.give(instruction, "convert")
            self.fn.roots[result] = self.fn.root(value)
            if value in self.fn.nonnull:
                self.fn.nonnull.add(result)
            self.of_class(result, kind)

    def await_(self, instruction: Instruction) -> None:
        kind = self.semantics.needs.get("await")
        if kind is not None and self.op(instruction.operands[0]) not in ("call", "invoke"):
            self.use(instruction.operands[0], instruction, kind)  # a call gives a coroutine
        self.give(instruction, "await")

    def caught_(self, instruction: Instruction) -> None:
        value = self.named(instruction, "exception")
        self.fn.nonnull.add(value)
        self.values[instruction.number] = value
        self.emit(instruction, "caught", result=value)

    def require(self, instruction: Instruction) -> None:
        operand, why, _ = instruction.operands
        self.use(operand, instruction, why)

    def yield_(self, instruction: Instruction) -> None:
        self.emit(instruction, "yield")

    def leave(self, instruction: Instruction) -> None:
        self.values[instruction.number] = self.fn.unnamed()


_OTHER: Callable[[Steps, Instruction], None] = Steps.other
STEPS = dict.fromkeys(INSTRUCTIONS, _OTHER) | {
    "address": Steps.address_of,
    "allocate": Steps.allocate,
    "annotate": Steps.annotate,
    "arithmetic": Steps.arithmetic,
    "await": Steps.await_,
    "call": Steps.call,
    "caught": Steps.caught_,
    "class": Steps.class_,
    "closure": Steps.closure,
    "compare": Steps.compare,
    "const": Steps.const,
    "convert": Steps.convert,
    "declare": Steps.declare,
    "decorate": Steps.decorate,
    "defer": Steps.defer,
    "element": Steps.element,
    "fill": Steps.fill,
    "get": Steps.get,
    "import": Steps.import_,
    "interior": Steps.interior,
    "invoke": Steps.invoke,
    "item": Steps.item,
    "leave": Steps.leave,
    "load": Steps.load,
    "next": Steps.next_,
    "nothing": Steps.nothing,
    "put": Steps.put,
    "delete": Steps.delete,
    "require": Steps.require,
    "set": Steps.set_,
    "signature": Steps.signature,
    "slice": Steps.slice_,
    "store": Steps.store,
    "super": Steps.super_,
    "test": Steps.test,
    "tuple": Steps.tuple_,
    "yield": Steps.yield_,
    "zero": Steps.zero,
}
