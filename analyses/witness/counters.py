"""Variables that count in a loop: its rounds only add constants to them, or only take some from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pliant.extractors.ir.operands import Constant, Operand
from pliant.extractors.ir.unit import Block, Function, Instruction

_SIGNS = {"+": "+", "+=": "+", "-": "-", "-=": "-"}


def counters(function: Function, loop: Iterable[int]) -> dict[str, str]:
    """By their names, `+` or `-`. loop: its blocks."""
    found: dict[str, str] = {}
    for name, sign, _ in _sets(function, loop):
        found[name] = sign if found.get(name, sign) == sign else ""
    return {name: sign for name, sign in found.items() if sign}


def first_values(function: Function, entries: Sequence[int], signs: Mapping[str, str]) -> dict[str, Constant]:
    """Of variables that count in a loop, a constant from which they have come: what they hold where the loop is
    entered; or, where the whole function gives them nothing but constants, and otherwise counts in the same direction,
    the outermost of these. entries: the blocks before the loop."""
    given: dict[str, list[Constant] | None] = {}
    for name, sign, constant in _sets(function, range(len(function.blocks))) if signs else ():
        if constant is not None:
            known = given.setdefault(name, [])
            if known is not None:
                known.append(constant)
        elif sign != signs.get(name):
            given[name] = None
    for formal in function.formals:
        given.pop(formal.variable, None)
    found: dict[str, Constant] = {}
    for name, sign in signs.items():
        held = {_last_set(function.blocks[each], name) for each in entries}
        constant = held.pop() if len(held) == 1 else None
        constants = [constant] if constant is not None else given.get(name) or []
        if constants:
            found[name] = (min if sign == "+" else max)(constants, key=lambda each: each.content)  # type: ignore[arg-type, return-value]
    return found


def _sets(function: Function, blocks: Iterable[int]) -> Iterator[tuple[str, str, Constant | None]]:
    """Of each place where a variable is set: its name; `+` or `-` if it is set to itself and a positive constant, added
    or taken away; the whole number, if it is set to one."""
    read: dict[Operand, str] = {}
    stepped: dict[Operand, tuple[str, str]] = {}
    for number in sorted(blocks):
        for each in function.blocks[number].instructions:
            if each.op == "get":
                read[each.number] = each.operands[0]
            elif each.op == "arithmetic" and (sign := _step(each)):
                stepped[each.number] = (read.get(each.operands[1][0], ""), sign)
            elif each.op == "set":
                name, value = each.operands
                of, sign = stepped.get(value, ("", ""))
                yield name, sign if of == name else "", value if _is_whole(value) else None


def _last_set(block: Block, name: str) -> Constant | None:
    """The constant that a block leaves in a variable, if it sets it to one, and no exception leads out of it before."""
    sets = (each for each in reversed(block.instructions) if each.op == "set" and each.operands[0] == name)
    last = next(sets, None) if block.handler is None else None
    return last.operands[1] if last is not None and _is_whole(last.operands[1]) else None


def _is_whole(operand: Operand) -> bool:
    return isinstance(operand, Constant) and isinstance(operand.content, int) and not isinstance(operand.content, bool)


def _step(arithmetic: Instruction) -> str:
    """The sign of what adds a positive constant, or takes one away."""
    operator, operands = arithmetic.operands
    by = operands[-1] if len(operands) == 2 else None
    return _SIGNS.get(operator, "") if by is not None and _is_whole(by) and by.content > 0 else ""
