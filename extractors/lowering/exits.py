"""Ways out of a function: which parameters are not null there, and whether the result is true (1) or false (0).

Rules match them with calls (`exit`, `exit_result`, `exit_shown` in the schema).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pliant.extractors.lowering.base import SHOWN, Lowering, Tests
from pliant.extractors.lowering.ranges import RESULTS
from pliant.extractors.ssa import Block, Refinement, Value

FALSE, TRUE = 0, 1


@dataclass(slots=True)
class Exit:
    """A way out. status: 0 or 1 where the result is false or true, else None; shown: what the result being so shows."""

    block: Block
    live: Value
    status: int | None
    shown: list[Refinement]


def ways_out(lo: Lowering, truth: bool | None, tests: Tests) -> list[Exit]:
    """Control is about to leave the function. truth: of the result, where that is written. tests: what it shows."""
    block, live = lo.fn.block, lo.live()
    if truth is not None:
        return [Exit(block, live, int(truth), [])]
    yes, no = tests
    if not yes and not no:
        return [Exit(block, live, None, [])]
    return [Exit(block, live, TRUE, yes), Exit(block, live, FALSE, no)]


def shown_at(lo: Lowering, left: Exit, formals: Iterable[Value]) -> set[Value]:
    """Those of the parameters that are not null at an exit, and any that its result shows not to be."""
    fn = lo.fn
    known = {formal for formal in formals if fn.on_every_way(fn.content((formal, SHOWN), left.block))}
    return known | {root for _, root, nonnull in left.shown if nonnull and root in fn.formals}


def write_shown(lo: Lowering, exits: Sequence[Exit], shown: Sequence[set[Value]]) -> None:
    """Write the exits with what is shown at each of them, if any tells callers something of a parameter."""
    told = set().union(*shown) - lo.fn.nonnull
    if not told:
        return
    for left, known in zip(exits, shown, strict=True):
        write_exit(lo, left.live, left.status, known, told)


def write_exit(lo: Lowering, live: Value | str, status: int | None, known: set[Value], told: set[Value]) -> None:
    """Write one exit. known: parameters that are not null there; told: those of which any exit tells."""
    place = lo.fn.value(lo.writer.name(lo.qualname, "exit"))
    lo.emit("exit", place, lo.symbol, live)
    lo.emit("exit_result", place, *((status, status) if status is not None else RESULTS))
    for formal in lo.fn.formals:
        if formal in told:
            lo.emit("exit_shown" if formal in known else "exit_unknown", place, formal)
