"""What entities are called in facts: from what they are, never from where they stand."""

from __future__ import annotations

from typing import Any

from pliant.extractors.facts import FOLDER
from pliant.extractors.ir.operands import Constant, Operand, Type
from pliant.extractors.ir.unit import MODULE, Function, Instruction

PACKAGE = f"{FOLDER}package"  # the module that all files of a folder are


def function_symbol(name: str) -> str:
    return f"|{name}"


def module_symbol(module: str) -> str:
    """The symbol of a module; one that is named relative to the file is the file's own."""
    return f"|{module}" if module.startswith("^") else module


def class_symbol(kind: Type) -> str:
    """The symbol of a class of the file, of the folder, or of another module."""
    if not kind.module:
        return f"|{kind.name}"
    return f"{FOLDER}{kind.name}" if kind.module == "." else f"{kind.module}.{kind.name}"


def type_symbol(kind: Type) -> str:
    """The value that holds a class, wherever a declaration names it."""
    return f"|{MODULE}|type {kind.module}{' ' * bool(kind.module)}{kind.name}|1"


def cell_symbol(owner: str, variable: str) -> str:
    """The cell through which functions share a variable of `owner`."""
    return f"|{owner}|{variable.partition('#')[0]}|cell"


def module_cell(variable: str) -> str:
    return cell_symbol(MODULE, variable)


def formal_symbol(function: str, variable: str) -> str:
    return f"|{function}|{variable}|formal"


class Texts:
    """What the source calls the value of an instruction, as far as names go: `x`, `.field`, `.find()`."""

    def __init__(self, function: Function) -> None:
        self._by_number = {instruction.number: instruction for instruction in function.instructions()}
        self._held: dict[Operand, str] = {}  # value -> the variable that it is first assigned to
        for instruction in self._by_number.values():
            if instruction.op == "set":
                variable, value = instruction.operands
                self._held.setdefault(value, variable.partition("#")[0])
        exits = [each for each in self._by_number.values() if each.op == "exit"]
        self._returned = {value for each in exits for value in each.operands[0]}

    def called(self, operand: Operand) -> str:
        """A callee as it is written, or nothing."""
        if isinstance(operand, Constant):
            return ""
        instruction = self._by_number[operand]
        match instruction.op:
            case "get":
                return str(instruction.operands[0]).partition("#")[0]
            case "load":
                return str(instruction.operands[1])
            case "import":
                return str(instruction.operands[1] or instruction.operands[0])
            case "convert" | "copy":
                return self.called(instruction.operands[0])
        return ""

    def dotted(self, operand: Operand) -> str:
        """What a callee is called in its module, as far as names go: `builtins.len`, `inspect.isclass`."""
        if isinstance(operand, Constant):
            return ""
        op, operands = self._by_number[operand].op, self._by_number[operand].operands
        if op == "import":
            return ".".join(filter(None, operands))
        if op == "get":
            return str(operands[0]).partition("#")[0]
        return self.member(operands[0], operands[1]) if op == "load" else ""

    def member(self, base: Operand, name: str) -> str:
        """The same of a member of what `base` is."""
        module = self.dotted(base)
        return f"{module}.{name}" if module else ""

    def what(self, instruction: Instruction, null: str) -> str:
        """The `what` of the value that an instruction gives."""
        operands: tuple[Any, ...] = instruction.operands
        match instruction.op:
            case "const":
                return "return" if instruction.number in self._returned else null
            case "nothing":
                return "end"
            case "super":
                return "super()"
            case "decorate":
                return f"{self.called(operands[0]) or 'decorator'} of a function"
            case "caught":
                return "exception"
            case "enter":
                return "with"
            case "zero":
                return self._held.get(instruction.number, null)
            case "load":
                return "*" if operands[1] == "*" else f".{operands[1]}"
            case "call":
                return f"{self.called(operands[0])}()"
            case "invoke":
                return f".{operands[1]}()"
            case "element" | "slice":
                return "[]"
            case "arithmetic":
                name = self.called(operands[1][0]) if operands[0].endswith("=") else ""
                return name or str(operands[0])
            case "item":
                return self._held.get(instruction.number, "item")
            case "next":
                return "item"
            case "address":
                return f"&{operands[0].partition('#')[0]}"
            case "interior":
                return f"&.{operands[1]}"
            case "allocate":
                return str(operands[0].name or operands[0].kind)
            case "import":
                return f"import {operands[1] or operands[0]}"
            case "closure":
                return f"def {operands[0].rpartition('.')[2]}"
            case "class":
                return f"class {operands[0].rpartition('.')[2]}"
            case "convert":
                return "cast"
        return instruction.op
