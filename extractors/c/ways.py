"""The ways that lead to a `return`, told apart by what it returns on each of them.

    if ((error = open(path, &file)) < 0)
        goto done;
    *out = file;
done:
    return error;       // less than 0, or else `*out` is set

A join's phis take their operands from the same predecessors: on each way the result is one operand, and what is left in
memory the operand beside it.
"""

from __future__ import annotations

from pliant.extractors.c import spreads
from pliant.extractors.c.entities import Way
from pliant.extractors.c.lowering import Lowering
from pliant.extractors.lowering.correlation import unguarded
from pliant.extractors.lowering.ranges import Range, meet
from pliant.extractors.ssa import UNDEFINED, Block, Value

_DEPTH = 3  # joins behind joins that are looked through
_MOST = 8  # ways that are told apart


def ways(lo: Lowering, value: Value, given: Range) -> list[Way]:
    """The ways to here, where the number `value`, one of `given`, is returned."""
    found: list[Way] = []
    _follow(lo, value, given, {}, found)
    told_apart = 1 < len(found) <= _MOST and len({way.given for way in found}) > 1
    return found if told_apart else [Way(given)]


def _follow(lo: Lowering, value: Value, given: Range, came: dict[Block, Block], found: list[Way]) -> None:
    at = next(reversed(came.values()), lo.fn.block)
    block, sources = _join(lo, value, at) if len(came) < _DEPTH else (at, [])
    if not sources or block in came or len(found) > _MOST:
        left = meet(spreads.of_term(lo, value, 1, at), given)
        if left:
            found.append(Way(left, came))
        return
    for pred, operand in sources:
        if operand != UNDEFINED:
            _follow(lo, operand, given, {**came, block: pred}, found)


def _join(lo: Lowering, value: Value, at: Block) -> tuple[Block, list[tuple[Block, Value]]]:
    """The last join before the end of `at` behind which `value` is another number, or less is known of it; what it is
    on each way there."""
    fn = lo.fn
    phi = unguarded(lo, value)
    if sources := fn.sources(phi):
        return fn.homes[phi], sources
    if spreads.RANGE in fn.fields_of.get(value, ()):
        token = fn.resolve(fn.read((value, spreads.RANGE), at))
        if sources := fn.sources(token):
            return fn.homes[token], [(pred, value) for pred, _ in sources]
    return at, []
