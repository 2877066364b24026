"""The text form of units: stable, one instruction a line; `reading` reads it back."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from pliant.extractors.ir.instructions import INSTRUCTIONS
from pliant.extractors.ir.operands import Argument, Constant, Operand, Predicate, Type
from pliant.extractors.ir.unit import Class, Function, Instruction, Unit

PLAIN = re.compile(r"[A-Za-z_][\w.#]*\Z", re.ASCII)  # a variable that is written without quotes


def print_unit(unit: Unit) -> str:
    """The text form of a unit."""
    lines = [f"unit {unit.language} {quoted(unit.module)}", *(f"mentions {quoted(name)}" for name in unit.mentions)]
    lines += [f"global {quoted(name)} {_type(kind)}" for name, kind in unit.variables.items()]
    lines += [f"private {quoted(name)} {_type(kind)}" for name, kind in unit.private.items()]
    lines += [f"renames {quoted(name)}" for name in unit.renames]
    lines += [f"number {quoted(name)} {number}" for name, number in unit.numbers.items()]
    for class_ in unit.classes:
        lines += ["", *_class(class_)]
    for function in unit.functions:
        lines += ["", *_function(function)]
    return "\n".join(lines) + "\n"


def print_function(function: Function) -> str:
    """The text form of a function."""
    return "\n".join(_function(function)) + "\n"


def quoted(text: str) -> str:
    return json.dumps(text)


def _class(class_: Class) -> Iterator[str]:
    yield f"class {_type(class_.type)} {class_.kind}"
    for base in class_.bases:
        yield f"  base {_type(base)}"
    for name, kind in class_.fields.items():
        yield f"  field {quoted(name)} {_type(kind)}"


def _function(function: Function) -> Iterator[str]:
    yield f"function {quoted(function.name)} {_type(function.result)}"
    if function.owner is not None:
        yield f"  owner {_type(function.owner)}"
    if function.flags:
        yield f"  flags {' '.join(sorted(function.flags))}"
    for formal in function.formals:
        default = " default" if formal.default else ""
        yield f"  formal {_variable(formal.variable)} {_type(formal.type)} {formal.kind}{default}"
    for variable in function.variables.values():
        owner = f" {quoted(variable.owner)}" if variable.owner else ""
        yield f"  variable {_variable(variable.name)} {_type(variable.type)} {variable.home}{owner}"
    for number, block in enumerate(function.blocks):
        handler = f" handler b{block.handler}" if block.handler is not None else ""
        yield f"b{number}:{handler}"
        for instruction in block.instructions:
            within = function.within.get(instruction.number)
            yield f"  {_instruction(instruction)}{f' in {quoted(within)}' if within is not None else ''}"


def _instruction(instruction: Instruction) -> str:
    opcode = INSTRUCTIONS[instruction.op]
    operands = ", ".join(
        _operand(kind, operand) for (_, kind), operand in zip(opcode.operands, instruction.operands, strict=True)
    )
    result = f"%{instruction.number} = " if opcode.gives else ""
    return f"{result}{instruction.op} {operands}".rstrip()


def _operand(kind: str, operand: Any) -> str:
    match kind:
        case "value":
            return _value(operand)
        case "values":
            return f"[{', '.join(map(_value, operand))}]"
        case "arguments":
            return f"[{', '.join(map(_argument, operand))}]"
        case "variable":
            return _variable(operand)
        case "constant":
            return _value(operand)
        case "type":
            return _type(operand)
        case "predicate":
            return _predicate(operand)
        case "block":
            return f"b{operand}"
        case "cases":
            return f"[{', '.join(f'{_value(constant)}: b{target}' for constant, target in operand)}]"
    return quoted(operand)  # name, function, class


def _value(operand: Operand) -> str:
    if isinstance(operand, Constant):
        if operand.kind in ("null", "other"):
            return operand.kind
        if operand.kind in ("float", "bytes"):
            return f"{operand.kind}({quoted(str(operand.content))})"
        return json.dumps(operand.content)
    return f"%{operand}"


def _argument(argument: Argument) -> str:
    return f"{quoted(argument.name)}: {_value(argument.value)}" if argument.name else _value(argument.value)


def _variable(name: str) -> str:
    return f"${name}" if PLAIN.match(name) else f"${quoted(name)}"


def _type(kind: Type) -> str:
    parts = [
        quoted(part) for part in ((kind.name, kind.module) if kind.module else (kind.name,)) if part or kind.module
    ]
    parts += map(_type, kind.of)
    return f"{kind.kind}({', '.join(parts)})" if parts else kind.kind


def _predicate(predicate: Predicate) -> str:
    parts = [
        _predicate(part) if isinstance(part, Predicate) else _type(part) if isinstance(part, Type) else _value(part)
        for part in predicate.operands
    ]
    return f"{predicate.operator}({', '.join(parts)})"
