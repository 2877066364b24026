"""Runs functions of the intermediate representation, one instruction after the other: what the passes are held to.

What a run does not know (a field that nothing wrote, the result of a call) is chosen by a seed, when it is asked for.
"""

from __future__ import annotations

import operator as op
from dataclasses import dataclass, field
from random import Random

from pliant.extractors.ir import Block, Constant, Function, Instruction, Predicate
from pliant.extractors.ir.operands import Operand

_STEPS = 60
_LEFT = -1


@dataclass(eq=False)
class Thing:
    """What a variable holds. null: the number of the instruction that made it null. kept: it came through a field.
    content: a number, a text or an object, once it was asked for."""

    null: int | None = None
    kept: bool = False
    content: object = None
    fields: dict[str, Thing] = field(default_factory=dict)


_UNKNOWN = (-2, -1, 0, 1, 2, 3, 1.5, True, False, "", "a")
_COMPARE = {"==": op.eq, "<": op.lt, "<=": op.le}
_COMPUTE = {"+": op.add, "-": op.sub, "*": op.mul}


class _Raised(Exception):
    """Two things cannot be compared."""


def failures(function: Function, seed: int) -> list[tuple[int, int]]:
    """The null failures of one run: number of the instruction that fails, and of the one that made the null. A failure
    ends the run, or goes to the handler of its block; nulls that came through fields are left out."""
    return run_of(function, seed).failures


@dataclass
class Ran:
    """A run. result: what the function was left with; None where it gave nothing or several, or was not left. typed:
    whether nothing was compared that cannot be."""

    failures: list[tuple[int, int]] = field(default_factory=list)
    result: Thing | None = None
    typed: bool = True


def run_of(function: Function, seed: int) -> Ran:
    ran = Ran()
    random = Random(seed)
    variables: dict[str, Thing] = {}
    values: dict[int, Thing] = {}

    def value(operand: Operand) -> Thing:
        if isinstance(operand, Constant):
            return Thing(content=float(operand.content or 0) if operand.kind == "float" else operand.content)
        return values[operand]

    def content(thing: Thing) -> object:
        if thing.content is None and thing.null is None:
            thing.content = random.choice((*_UNKNOWN, object()))
        return thing.content

    def holds(predicate: Predicate) -> bool:
        operator, operands = predicate.operator, predicate.operands
        if operator in ("and", "or"):
            sides = [holds(each) for each in operands if isinstance(each, Predicate)]
            return all(sides) if operator == "and" else any(sides)
        if operator == "not":
            return not holds(operands[0]) if isinstance(operands[0], Predicate) else False
        subject = value(operands[0]) if isinstance(operands[0], int | Constant) else Thing()
        if operator == "null":
            return subject.null is not None
        if operator in ("always", "truth"):
            return bool(content(subject))
        if operator in _COMPARE and isinstance(operands[1], int | Constant):
            try:
                return bool(_COMPARE[operator](content(subject), content(value(operands[1]))))
            except TypeError as error:
                raise _Raised from error
        return subject.null is None and random.random() < 0.5

    def run(instruction: Instruction) -> None:
        what, operands = instruction.op, instruction.operands
        found = Thing()
        if what == "const" and operands[0].kind == "null":
            found.null = instruction.number
        elif what == "get":
            found = variables.setdefault(operands[0], found)
        elif what == "set":
            variables[operands[0]] = value(operands[1])
        elif what == "store":
            value(operands[0]).fields[operands[1]] = value(operands[2])
        elif what == "load":
            found = value(operands[0]).fields.setdefault(operands[1], found)
            found = Thing(found.null, True, content(found), found.fields)
        elif what == "test":
            found.content = holds(operands[0])
        elif what == "arithmetic":
            numbers = [content(value(each)) for each in operands[1]]
            if all(isinstance(each, int | float) for each in numbers):
                found.content = _COMPUTE[operands[0]](*numbers)
        values[instruction.number] = found

    def step(instruction: Instruction) -> int | None:
        """Where control goes, if it does not go on."""
        what, operands = instruction.op, instruction.operands
        match what:
            case "jump":
                return int(operands[0])
            case "branch":
                return int(operands[1 if holds(operands[0]) else 2])
            case "switch":
                chosen = content(value(operands[0]))
                return int(next((target for each, target in operands[1] if each.content == chosen), operands[2]))
            case "exit":
                return _LEFT
        run(instruction)
        return None

    number, steps = 0, 0
    while steps < _STEPS:
        block: Block = function.blocks[number]
        for instruction in block.instructions:
            steps += 1
            needed = instruction.operands[0] if instruction.op in ("load", "store", "call", "require") else None
            failed = value(needed) if isinstance(needed, int) else None
            raised = instruction.op == "raise" or (instruction.op == "call" and random.random() < 0.2)
            if failed is not None and failed.null is not None:
                if not failed.kept:
                    ran.failures.append((instruction.number, failed.null))
                raised = True
            try:
                target = None if raised else step(instruction)
            except _Raised:  # only a `compare` before it leads to a handler
                ran.typed = False
                return ran
            if raised and block.handler is None:
                return ran
            if raised and block.handler is not None:
                target = block.handler
            if target == _LEFT:
                if len(instruction.operands[0]) == 1:
                    ran.result = value(instruction.operands[0][0])
                return ran
            if target is not None:
                number = target
                break
    return ran
