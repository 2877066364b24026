"""Runs functions of the intermediate representation, one instruction after the other: what the passes are held to.

What a run does not know (a field that nothing wrote, the result of a call, a comparison) is chosen by a seed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from pliant.extractors.ir import Block, Constant, Function, Instruction, Predicate
from pliant.extractors.ir.operands import Operand

_STEPS = 60


@dataclass(eq=False)
class Thing:
    """What a variable holds. null: the number of the instruction that made it null. kept: it came through a field."""

    null: int | None = None
    kept: bool = False
    truth: bool | None = None
    fields: dict[str, Thing] = field(default_factory=dict)


def failures(function: Function, seed: int) -> Iterator[tuple[int, int]]:
    """The null failures of one run: number of the instruction that fails, and of the one that made the null. A failure
    ends the run, or goes to the handler of its block; nulls that came through fields are left out."""
    random = Random(seed)
    variables: dict[str, Thing] = {}
    values: dict[int, Thing] = {}

    def value(operand: Operand) -> Thing:
        if isinstance(operand, Constant):
            return Thing(truth=operand.content if isinstance(operand.content, bool) else None)
        return values[operand]

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
        if operator == "always" or (operator == "truth" and subject.truth is not None):
            return bool(subject.truth)
        return subject.null is None and random.random() < 0.5

    def run(instruction: Instruction) -> None:
        op, operands = instruction.op, instruction.operands
        found = Thing()
        if op == "const" and operands[0].kind == "null":
            found.null = instruction.number
        elif op == "get":
            found = variables.setdefault(operands[0], found)
        elif op == "set":
            variables[operands[0]] = value(operands[1])
        elif op == "store":
            value(operands[0]).fields[operands[1]] = value(operands[2])
        elif op == "load":
            found = value(operands[0]).fields.setdefault(operands[1], found)
            found = Thing(found.null, True, found.truth, found.fields)
        elif op == "test":
            found.truth = holds(operands[0])
        values[instruction.number] = found

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
                    yield instruction.number, failed.null
                raised = True
            if raised and block.handler is None:
                return
            if raised and block.handler is not None:
                number = block.handler
                break
            match instruction.op:
                case "jump":
                    number = instruction.operands[0]
                case "branch":
                    number = instruction.operands[1 if holds(instruction.operands[0]) else 2]
                case "switch":
                    number = random.choice(
                        [*(target for _, target in instruction.operands[1]), instruction.operands[2]]
                    )
                case "exit":
                    return
                case _:
                    run(instruction)
