"""What the extraction of one file may cost, counted in steps, so that every machine leaves out the same.

A step is about a microsecond of Python. A node of the syntax that is lowered takes `NODE_STEPS`; what is done for one
variable in two blocks, for one operand of a phi or for one call that is crossed takes one. Work that can exceed the
number of nodes has to be counted where it is done, before it is done:

    lo.fn.spend(len(keys))      counts steps of the function under construction; raises TooMuch past its budget
    lo.fn.steps += NODE_STEPS   counts without a check, in code that runs often; a later `spend` checks

TooMuch is never caught by what counts. `lowering.isolation` (`passes.construct`, for translated languages) leaves out
the function in which it is raised, or the statement outside of functions, with a diagnostic. Past the budget of the
file, the functions that still wait are left out, each with a diagnostic. docs/hostile-inputs.md lists the bounds.

Ordinary code stays far below: `tests/extractors/budgets.py FOLDER` prints what share of each bound sources take.
"""

from __future__ import annotations

NODE_STEPS = 8  # of a node that is lowered, or an instruction of the intermediate representation
CALL_STEPS = 24  # of a call in the passes, besides those of its node
STORE_STEPS = 16  # of a store of a field in the passes, besides those of its node; of Java and Python
SHORTEST_STEPS = 200  # of the shortest function, besides those of its nodes: in its translation, and in the passes
FUNCTION_STEPS = 1_000_000  # that a function may take
FILE_STEPS = 1_600_000  # that a file may take: translation, with all attempts to do it without what fails, and passes
FILE_FUNCTIONS = 20_000  # that a file may define, with macros
STEPS_OF_BYTE = 1.5  # that a file has for each of its bytes, besides


class TooMuch(Exception):
    """Something costs more than it may; the text is the end of a sentence."""


def file_steps(size: int) -> int:
    """The steps that a file of `size` bytes has."""
    return FILE_STEPS + int(size * STEPS_OF_BYTE)


def translation_steps(size: int) -> int:
    """Those of them that translation may take: more than a function, which fails alone then."""
    return file_steps(size) * 3 // 4


def passes_steps(size: int, translation: int) -> int:
    """Those that the passes may take: what translation leaves of all, and half at least. translation: the steps that it
    took, with all attempts."""
    return file_steps(size) - min(translation, file_steps(size) // 2)


def outer_steps(size: int) -> int:
    """Those that statements outside of functions may take of the steps of translation: functions have the rest, also if
    this is taken twice (`lowering.isolation`)."""
    return file_steps(size) // 3
