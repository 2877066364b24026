"""The facts of the functions of a file, one after the other; what fails costs its function."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from pliant.extractors import budget
from pliant.extractors.budget import NODE_STEPS, SHORTEST_STEPS, TooMuch
from pliant.extractors.ir.operands import OTHER
from pliant.extractors.ir.semantics import Semantics
from pliant.extractors.ir.unit import MODULE, Function, Instruction, Span, Unit
from pliant.extractors.ir.unit import Block as Instructions
from pliant.extractors.lowering.isolation import reason_of
from pliant.extractors.passes import fixed_numbers, names
from pliant.extractors.passes.construction import Construction
from pliant.extractors.passes.index import Index
from pliant.extractors.passes.survey import FileSurvey
from pliant.extractors.passes.unread import Unread
from pliant.extractors.writer import FactWriter

Fails = Callable[[Span | None, Exception], None]  # where what is outside of functions fails, and how


def write(
    unit: Unit, indices: Sequence[Index], semantics: Semantics, writer: FactWriter, most_steps: int, fails: Fails | None
) -> None:
    """Write the facts of all functions; past `most_steps`, those that are left are left out. Statements outside of
    functions have half of them, and leave half to the functions. indices: of the functions, in their order. fails: told
    where what is outside of functions fails; it is left out as a function is where that is None."""
    survey = FileSurvey(unit, indices, semantics)
    construct = Unread if semantics.pointers else Construction
    steps = 0
    unknown: dict[str, Function] = {}  # fields that functions set which are left out -> the first of them
    incomplete = {each.function for each in unit.left_out}
    for function, index in zip(unit.functions, indices, strict=True):
        symbol = names.function_symbol(function.name)
        if not function.blocks:
            writer.row("ends", writer.symbol(symbol), writer.symbol(symbol))  # a call of it comes back
            continue
        outside = fails if function.name == MODULE else None
        construction = None
        try:
            if steps > most_steps:
                raise TooMuch(f"the file takes more than {most_steps:,} steps once it is translated")
            construction = construct(function, index, semantics, writer, survey)
            if outside is None:
                construction.run(budget.FUNCTION_STEPS, budget.FUNCTION_STEPS)
            else:
                outer = SHORTEST_STEPS + NODE_STEPS * len(index) + most_steps // 2
                construction.run(outer, outer + most_steps)
        except Exception as error:  # nothing of the function has been written
            if outside is not None:
                outside(construction.where() if construction is not None else None, error)
                return
            if function.name not in incomplete:
                writer.function_left_out(symbol, function.span[0] if function.span else 1, reason_of(error))
            writer.row("ends", writer.symbol(symbol), writer.symbol(symbol))
            for field in _fields_set(function):
                writer.row("field_write", writer.symbol(symbol), writer.symbol(field))
                unknown.setdefault(field, function)
        finally:
            if construction is not None:
                taken = construction.fn.steps
                steps += taken if outside is None else min(taken, most_steps // 2)
                construction.release()
    if unknown:  # what they may hold from there on
        stores = _stores(next(iter(unknown.values())), list(unknown))
        construction = construct(stores, Index(stores), semantics, writer, survey)
        construction.run(sys.maxsize, sys.maxsize)
        construction.release()
    fixed_numbers.write(unit, survey.scalars, survey.one_number, writer)


def _fields_set(function: Function) -> dict[str, None]:
    return {each.operands[1]: None for each in function.instructions() if each.op == "store"}


def _stores(function: Function, fields: Sequence[str]) -> Function:
    """A function of the same name that sets these fields of any object, and does nothing else."""
    stores = [Instruction(number, "store", (OTHER, field, OTHER)) for number, field in enumerate(fields, 1)]
    block = Instructions([*stores, Instruction(len(stores) + 1, "exit", ((),))])
    return Function(function.name, blocks=[block], span=function.span)
