"""Variables that count in a loop: its rounds only add constants to them, or only take some from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pliant.extractors.ir.operands import Constant, Operand
from pliant.extractors.ir.unit import Function, Instruction

_SIGNS = {"+": "+", "+=": "+", "-": "-", "-=": "-"}


def counters(function: Function, loop: Iterable[int]) -> dict[str, str]:
    """By their names, `+` or `-`. loop: its blocks."""
    read: dict[Operand, str] = {}
    stepped: dict[Operand, tuple[str, str]] = {}
    found: dict[str, str] = {}
    for number in sorted(loop):
        for each in function.blocks[number].instructions:
            if each.op == "get":
                read[each.number] = each.operands[0]
            elif each.op == "arithmetic" and (sign := _step(each)):
                stepped[each.number] = (read.get(each.operands[1][0], ""), sign)
            elif each.op == "set":
                name, value = each.operands
                of, sign = stepped.get(value, ("", ""))
                found[name] = sign if of == name and found.get(name, sign) == sign else ""
    return {name: sign for name, sign in found.items() if sign}


def first_values(function: Function, entries: Sequence[int], names: Iterable[str]) -> dict[str, Constant]:
    """Of variables, the constants that they hold where a loop is entered. entries: the blocks before it."""
    found: dict[str, Constant] = {}
    for name in names:
        held = {_last_set(function.blocks[each].instructions, name) for each in entries}
        constant = held.pop() if len(held) == 1 else None
        if constant is not None and isinstance(constant.content, int):
            found[name] = constant
    return found


def _last_set(instructions: Sequence[Instruction], name: str) -> Constant | None:
    """The constant that a block leaves in a variable, if it sets it to one."""
    last = next((each for each in reversed(instructions) if each.op == "set" and each.operands[0] == name), None)
    return last.operands[1] if last is not None and isinstance(last.operands[1], Constant) else None


def _step(arithmetic: Instruction) -> str:
    """The sign of what adds a positive constant, or takes one away."""
    operator, operands = arithmetic.operands
    by = operands[-1].content if len(operands) == 2 and isinstance(operands[-1], Constant) else None
    return _SIGNS.get(operator, "") if isinstance(by, int) and not isinstance(by, bool) and by > 0 else ""
