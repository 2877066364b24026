"""What entities are called in facts: from what they are, never from where they stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pliant.extractors.facts import FOLDER
from pliant.extractors.ir.operands import Constant, Operand, Type
from pliant.extractors.ir.semantics import Semantics
from pliant.extractors.ir.unit import MODULE, Formal, Function, Instruction
from pliant.extractors.passes.index import Index

OUTER = ".this"  # the end of the name of the field that holds the object around an object
INITIALISER = "<init>"  # the last part of the name of the function that runs the initialisers of an instance
INITIALISER_OF_CLASS = "<clinit>"  # and of those of its class
INITIALISERS = f"{INITIALISER} of fields"  # by which name it is called
CONSTRUCTOR = "<init>"  # before the name of the class, where constructors are called by name
_LONGEST = 16  # steps of an access path, so that a chain costs no more than its length
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


def formal_symbol(function: str, variable: str) -> str:
    return f"|{function}|{variable}|formal"


class Texts:
    """What the source calls the value of an instruction, as far as names go: `x`, `.field`, `.find()`."""

    def __init__(self, index: Index) -> None:
        self._by_number = index.numbered
        self._paths: dict[Operand, str] = {}
        self._held: dict[Operand, str] = {}  # value -> the variable that it is first assigned to
        for each in index.of("set"):
            self._held.setdefault(each.operands[1], each.operands[0])
        self._returned = {value for each in index.of("exit") for value in each.operands[0]}

    def called(self, operand: Operand) -> str:
        """A callee as it is written, or nothing."""
        if isinstance(operand, Constant):
            return ""
        op, operands = self._by_number[operand].op, self._by_number[operand].operands
        if op == "get":
            return str(operands[0]).partition("#")[0]
        if op == "load":
            return str(operands[1])
        if op == "import":
            return str(operands[1] or operands[0])
        if op == "class":
            return str(operands[0]).rpartition(".")[2].partition("#")[0]
        return self.called(operands[0]) if op in ("convert", "copy") else ""

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

    def path(self, operand: Operand) -> str:
        """The access path of a value, as far as names and constants go: `self.task`, `order.find()`, `rows[0]`; nothing
        if it begins with a value that has no name, or is long."""
        path = self._paths.get(operand)
        if path is None:
            path = self._paths[operand] = self._path(operand)
        return path

    def _path(self, operand: Operand) -> str:
        parts: list[str] = []
        while not isinstance(operand, Constant) and len(parts) < _LONGEST:
            op, operands = self._by_number[operand].op, self._by_number[operand].operands
            if op == "get":
                return "".join((str(operands[0]).partition("#")[0], *reversed(parts)))
            if op not in _STEPS:
                break
            parts.append(_STEPS[op](operands))
            operand = operands[0]
        return ""

    def what(self, instruction: Instruction, null: str) -> str:
        """The `what` of the value that an instruction gives. null: what a null is called."""
        names = _WHAT.get(instruction.op)
        return instruction.op if names is None else names(self, instruction, null)

    def _const(self, instruction: Instruction, null: str) -> str:
        return "return" if instruction.number in self._returned else null

    def _kept(self, instruction: Instruction, otherwise: str) -> str:
        """The variable that holds the value."""
        held = self._held.get(instruction.number)
        return held.partition("#")[0] if held is not None else otherwise

    def _field(self, instruction: Instruction, _: str) -> str:
        field = instruction.operands[1]
        return "*" if field == "*" else f".{field}"

    def _operation(self, instruction: Instruction, _: str) -> str:
        operator, operands = instruction.operands
        return (self.called(operands[0]) if operator.endswith("=") else "") or str(operator)


def _index(operands: Sequence[Any]) -> str:
    key = operands[1]
    return f"[{key.content!r}]" if isinstance(key, Constant) and key.content is not None else "[]"


_STEPS: dict[str, Callable[[Sequence[Any]], str]] = {  # of an access path
    "load": lambda operands: f".{operands[1]}",
    "interior": lambda operands: f".{operands[1]}",
    "invoke": lambda operands: f".{operands[1]}()",
    "call": lambda _: "()",
    "element": _index,
    "item": _index,
    "next": lambda _: "[]",
}
_WHAT: dict[str, Callable[[Texts, Instruction, str], str]] = {
    "const": Texts._const,
    "nothing": lambda texts, each, null: "end",
    "super": lambda texts, each, null: "super()",
    "decorate": lambda texts, each, null: f"{texts.called(each.operands[0]) or 'decorator'} of a function",
    "caught": lambda texts, each, null: "exception",
    "enter": lambda texts, each, null: "with",
    "zero": Texts._kept,
    "load": Texts._field,
    "call": lambda texts, each, null: f"{texts.called(each.operands[0])}()",
    "invoke": lambda texts, each, null: f".{each.operands[1]}()",
    "element": lambda texts, each, null: "[]",
    "slice": lambda texts, each, null: "[]",
    "arithmetic": Texts._operation,
    "item": lambda texts, each, null: texts._kept(each, "item"),
    "next": lambda texts, each, null: "item",
    "address": lambda texts, each, null: f"&{each.operands[0].partition('#')[0]}",
    "interior": lambda texts, each, null: f"&.{each.operands[1]}",
    "allocate": lambda texts, each, null: str(each.operands[0].name or each.operands[0].kind),
    "import": lambda texts, each, null: f"import {each.operands[1] or each.operands[0]}",
    "closure": lambda texts, each, null: f"def {each.operands[0].rpartition('.')[2]}",
    "class": lambda texts, each, null: f"class {each.operands[0].rpartition('.')[2]}",
    "convert": lambda texts, each, null: "cast",
}


def last_part(function: Function) -> str:
    """What a function is called in its class."""
    name = _last(function.name)
    if "constructor" in function.flags and function.owner is not None:
        return f"{CONSTRUCTOR} {_last(function.owner.name)}"
    return f"{name} of fields" if is_initialiser(function) else name


def is_initialiser(function: Function) -> bool:
    """Whether it runs the initialisers of an instance, or of its class."""
    return "constructor" not in function.flags and _last(function.name) in (INITIALISER, INITIALISER_OF_CLASS)


def _last(name: str) -> str:
    return name.rpartition(".")[2].partition("#")[0]


def taken(function: Function) -> list[Formal]:
    """The parameters that calls pass something for."""
    return [each for each in function.formals if each.kind != "receiver"]


def keys(function: Function) -> list[str]:
    """Under what calls find a method where it is found by the number of its arguments as well."""
    formals = taken(function)
    count, name = len(formals), last_part(function)
    if formals and formals[-1].kind == "rest":
        return [f"{name}/{number}" for number in range(count - 1, count + MOST_OF_REST)]
    return [f"{name}/{count}"]


def linked(function: Function, callee: Instruction, linkage: str) -> str:
    """The function of another file, found by its name alone, that a value is; empty for another value. linkage: what
    such names belong to."""
    variable = function.variables.get(callee.operands[0]) if linkage and callee.op == "get" else None
    if variable is None or variable.home != "import" or variable.owner != linkage:
        return ""
    return f"{linkage}.{variable.name.partition('#')[0]}"


MOST_OF_REST = 6  # arguments more than formals that are looked for


def site_of(instruction: Instruction, semantics: Semantics) -> str:
    """What is written where an instruction fails."""
    site = _SITES.get(instruction.op)
    call = "()" if semantics.objects and semantics.needs.get(instruction.op) == "method" else ""
    return instruction.op if site is None else f"{site(instruction.operands)}{call}"


_SITES: dict[str, Callable[[tuple[Any, ...]], str]] = {
    "load": lambda operands: "*" if operands[1] == "*" else f".{operands[1]}",
    "store": lambda operands: "* =" if operands[1] == "*" else f".{operands[1]} =",
    "interior": lambda operands: "[]" if operands[1] == "[]" else f".{operands[1]}",
    "invoke": lambda operands: f".{operands[1]}",
    "put": lambda operands: "[] =",
    "delete": lambda operands: "[] =",
    "element": lambda operands: "[]",
    "slice": lambda operands: "[]",
    "call": lambda operands: "()",
    "defer": lambda operands: "()",
    "arithmetic": lambda operands: str(operands[0]),
    "require": lambda operands: str(operands[2]),
}
