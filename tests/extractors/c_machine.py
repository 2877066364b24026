"""Runs units of C instruction by instruction, in a memory of records, arrays and variables. Numbers that operators give
are 32 bits wide."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pliant.extractors.ir import Constant, Function, Predicate, Type, Unit
from pliant.extractors.ir.operands import ANY, Operand
from pliant.extractors.ir.unit import MODULE, Instruction


class Null(Exception):
    """A null pointer is followed. at: by which instruction, as function and number; null: what is followed."""

    def __init__(self, null: Any = None) -> None:
        super().__init__()
        self.null = null
        self.at: tuple[Function, int] | None = None


@dataclass(frozen=True)
class Nothing:
    """A null pointer. made: by which instruction."""

    made: tuple[str, int] | None = field(default=None, compare=False)


@dataclass(eq=False)
class Record:
    """A structure: fields hold numbers, pointers, or records and arrays that are part of it."""

    type: Type
    fields: dict[str, Any] = field(default_factory=dict)


@dataclass(eq=False)
class Array:
    elements: list[Any]
    of: Type


@dataclass(frozen=True)
class Place:
    """A pointer into something: a variable or a field by name, an element by number."""

    base: Any
    at: Any


NOTHING = Nothing()
_POINTERS = frozenset(("next",))  # fields that hold the address of a record


class _Low:
    """An address close to null: nothing is there."""


_LOW = _Low()
_BITS = {"unsigned char": (8, False), "char": (8, True), "short": (16, True), "unsigned": (32, False)}


class Machine:
    """A unit that runs."""

    def __init__(self, unit: Unit) -> None:
        self.printed: list[int] = []
        self.functions = {function.name: function for function in unit.functions}
        self._classes = {class_.type.name: class_.fields for class_ in unit.classes}
        self._globals: dict[str, Any] = {}
        self._kinds = self.functions[MODULE].variables
        self.call(MODULE, [])

    def call(self, name: str, given: list[Any]) -> Any:
        if name == "note":
            self.printed.append(given[0])
            return given[0] & 3
        function = self.functions[name]
        variables = {formal.variable: value for formal, value in zip(function.formals, given, strict=False)}
        return _Run(self, function, variables).to_the_end()

    def get(self, name: str) -> Any:
        return self._globals.get(name, name)  # a function is its name

    def set(self, name: str, value: Any) -> None:
        self._globals[name] = value

    @property
    def globals(self) -> dict[str, Any]:
        return self._globals

    def zero(self, kind: Type, made: Nothing = NOTHING) -> Any:
        if kind.kind == "class":
            fields = self._classes[kind.name]
            return Record(kind, {name: self.zero(of, made) for name, of in fields.items()})
        if kind.kind == "array":
            return Array([self.zero(kind.of[0], made) for _ in range(3)], kind.of[0])
        return made if kind.kind == "pointer" else 0

    def made(self, kind: Type, given: list[Any], null: Nothing = NOTHING) -> Any:
        made = self.zero(kind, null)
        if isinstance(made, Array):
            made.elements[: len(given)] = given
        return made

    # Pointers.

    def step(self, pointer: Any, by: int) -> Any:
        if isinstance(pointer, Nothing) or pointer is _LOW:
            return _LOW if by or pointer is _LOW else pointer
        if isinstance(pointer, Array):
            return self.normal(Place(pointer, by))
        if isinstance(pointer, Place) and isinstance(pointer.base, Array):
            return self.normal(Place(pointer.base, pointer.at + by))
        if isinstance(pointer, Record):
            for array in [each for each in self._globals.values() if isinstance(each, Array)]:
                if pointer in array.elements:
                    return self.normal(Place(array, array.elements.index(pointer) + by))
        return Place(pointer, by) if by else pointer  # behind what it points to: nothing is there

    def normal(self, place: Place) -> Any:
        """A pointer to a record or a row of elements is that."""
        held = place.base.elements[place.at] if 0 <= place.at < len(place.base.elements) else None
        return held if isinstance(held, Record | Array) else place

    def interior(self, pointer: Any, name: str) -> Any:
        if isinstance(pointer, Nothing) or pointer is _LOW:
            return _LOW
        held = pointer.fields[name]
        return held if isinstance(held, Record | Array) else Place(pointer, name)

    def load(self, pointer: Any, name: str) -> Any:
        if isinstance(pointer, Nothing) or pointer is _LOW:
            raise Null(pointer)
        if name != "*":
            return pointer.fields[name]
        if isinstance(pointer, Array):
            return pointer.elements[0]
        if isinstance(pointer, str | Record):
            return pointer
        return self._holder(pointer)[pointer.at]

    def store(self, pointer: Any, name: str, value: Any) -> None:
        if isinstance(pointer, Nothing) or pointer is _LOW:
            raise Null(pointer)
        if name != "*":
            pointer.fields[name] = value
        elif isinstance(pointer, Record):
            self._fill(pointer.fields, self.copied(value).fields.items())
        elif isinstance(pointer, Array) and isinstance(value, Array):
            self._fill(pointer.elements, enumerate(value.elements), pointer.of)
        else:
            place = Place(pointer, 0) if isinstance(pointer, Array) else pointer
            self._holder(place)[place.at] = value

    def _fill(self, parts: Any, given: Iterable[tuple[Any, Any]], of: Type = ANY) -> None:
        """Give new content to a record or an array, whose parts others may point to."""
        for at, each in given:
            held = parts[at]
            if isinstance(held, Array):
                self._fill(held.elements, enumerate(each.elements), held.of)
            elif isinstance(held, Record) and (of.kind == "class" or at not in _POINTERS):
                self._fill(held.fields, each.fields.items())
            else:
                parts[at] = each

    def _holder(self, place: Place) -> Any:
        if isinstance(place.base, Record):
            return place.base.fields
        return place.base.elements if isinstance(place.base, Array) else place.base

    def copied(self, value: Any) -> Any:
        if isinstance(value, Nothing) or value is _LOW:
            raise Null(value)
        if isinstance(value, Record):
            kinds = self._classes[value.type.name]
            return Record(value.type, {name: self._part(each, kinds[name]) for name, each in value.fields.items()})
        if isinstance(value, Array):
            return Array([self._part(each, value.of) for each in value.elements], value.of)
        return value

    def _part(self, value: Any, kind: Type) -> Any:
        """What is part of a record that is copied; a pointer stays."""
        return self.copied(value) if kind.kind in ("class", "array") else value


def converted(value: Any, kind: Type) -> Any:
    """A number as one of a type."""
    if type(value) is bool:
        value = int(value)
    if kind.kind != "number" or type(value) is not int:
        return value
    bits, signed = _BITS.get(kind.name, (32, True))
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> (bits - 1) else value


_INT = Type("number", "int")
_MOST = 20_000  # instructions of a function


class _Run:
    def __init__(self, machine: Machine, function: Function, variables: dict[str, Any]) -> None:
        self._machine = machine
        self._function = function
        self._variables = variables
        self._values: dict[int, Any] = {}
        self._number = 0

    def to_the_end(self) -> Any:
        number = 0
        for _ in range(_MOST):
            block = self._function.blocks[number]
            for instruction in block.instructions[:-1]:
                self._values[instruction.number] = self._step(instruction)
            last = block.instructions[-1]
            match last.op:
                case "exit":
                    return self._value(last.operands[0][0]) if last.operands[0] else None
                case "jump":
                    number = last.operands[0]
                case "branch":
                    number = last.operands[1 if self._holds(last.operands[0]) else 2]
                case "switch":
                    cases = {constant.content: target for constant, target in last.operands[1]}
                    number = cases.get(self._value(last.operands[0]), last.operands[2])
                case _:
                    raise AssertionError(last.op)
        raise AssertionError("a run without end")

    def _step(self, instruction: Instruction) -> Any:
        self._number = instruction.number
        try:
            return self._do(instruction.op, instruction.operands)
        except Null as error:
            error.at = error.at or (self._function, instruction.number)
            raise

    def _made(self) -> Nothing:
        return Nothing((self._function.name, self._number))

    def _value(self, operand: Operand) -> Any:
        found = operand.content if isinstance(operand, Constant) else self._values[operand]
        return int(found) if isinstance(found, bool) else found

    def _holds(self, predicate: Predicate) -> bool:
        operator, operands = predicate.operator, predicate.operands
        if operator == "not":
            assert isinstance(operands[0], Predicate)
            return not self._holds(operands[0])
        if operator == "and":
            return all(self._holds(each) for each in operands if isinstance(each, Predicate))
        values = [self._value(each) for each in operands if isinstance(each, int | Constant)]
        match operator:
            case "null":
                return isinstance(values[0], Nothing) or values[0] == 0
            case "truth" | "always":
                return bool(values[0])
            case "==":
                return bool(self._same(values[0]) == self._same(values[1]))
            case "<":
                return bool(values[0] < values[1])
        assert operator == "<=", operator
        return bool(values[0] <= values[1])

    def _same(self, value: Any) -> Any:
        """What pointers that are equal have in common."""
        return Place(value, 0) if isinstance(value, Array) else value

    def _variable(self, name: str) -> dict[str, Any]:
        local = self._function.variables[name].home == "local"
        return self._variables if local else self._machine.globals

    def _do(self, op: str, operands: tuple[Any, ...]) -> Any:
        machine, value = self._machine, self._value
        match op:
            case "const":
                return self._made() if operands[0].kind == "null" else operands[0].content
            case "get":
                found = self._variable(operands[0])
                return found[operands[0]] if operands[0] in found else machine.get(operands[0].partition("#")[0])
            case "set":
                self._variable(operands[0])[operands[0]] = value(operands[1])
            case "zero":
                return machine.zero(operands[0], self._made())
            case "allocate":
                return machine.made(operands[0], [value(each) for each in operands[1]], self._made())
            case "copy":
                return machine.copied(value(operands[0]))
            case "load":
                return machine.load(value(operands[0]), operands[1])
            case "store":
                machine.store(value(operands[0]), operands[1], value(operands[2]))
            case "element":
                return machine.load(self._element(operands), "*")
            case "put":
                machine.store(self._element(operands), "*", value(operands[2]))
            case "offset":
                return machine.step(value(operands[0]), value(operands[1]))
            case "interior":
                return machine.interior(value(operands[0]), operands[1])
            case "address":
                return Place(self._variable(operands[0]), operands[0])
            case "require":
                if isinstance(value(operands[0]), Nothing):
                    raise Null(value(operands[0]))
            case "convert":
                return converted(value(operands[0]), operands[1])
            case "test":
                return int(self._holds(operands[0]))
            case "arithmetic":
                return converted(_computed(operands[0], [value(each) for each in operands[1]]), _INT)
            case "call":
                callee = value(operands[0])
                if isinstance(callee, Nothing):
                    raise Null(callee)
                return machine.call(callee, [value(each.value) for each in operands[1]])
            case _:
                raise AssertionError(op)
        return None

    def _element(self, operands: tuple[Any, ...]) -> Any:
        base = self._value(operands[0])
        if isinstance(base, Nothing) or base is _LOW:
            raise Null(base)
        return self._machine.step(base, self._value(operands[1]))


def _computed(operator: str, values: list[Any]) -> int:
    if len(values) == 1:
        return {"-": -values[0], "~": ~values[0]}[operator]
    a, b = (Place(each, 0) if isinstance(each, Array) else each for each in values)
    if isinstance(a, Place):
        return int(a.at - b.at)  # elements of one array
    match operator:
        case "+":
            return int(a + b)
        case "-":
            return int(a - b)
        case "*":
            return int(a * b)
        case "&":
            return int(a & b)
        case "|":
            return int(a | b)
        case "^":
            return int(a ^ b)
        case "<<":
            return int(a << b)
    raise AssertionError(operator)
