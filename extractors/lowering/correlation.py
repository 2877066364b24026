"""Variables that go together: where a test says which way led to a join, it says what every variable of the join is.

    found, position = None, -1              if position >= 0:
    if wanted:                                  found.start()       # found is not None here
        found, position = match, 0

A join's phis take their operands from the same predecessor. A test of one phi leaves some predecessors only; another
phi of the join is then what it takes from those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from pliant.extractors.ssa import UNDEFINED, Block, Function, Key, Refinement, Value

ANSWER = "$?"  # before the text of a question: the field under which its answer is followed
_DEPTH = 8  # joins behind joins that are looked through


class Refining(Protocol):
    """What is used of a lowering. unguarded_before: of guards that `unguarded` has met, where it came to."""

    fn: Function
    holders: dict[Block, dict[Key, None]]
    guard_of: dict[Value, Value]
    unguarded_before: dict[Value, Value]

    def alone(self, key: Key, operand: Value) -> Value: ...
    def refine(self, refinements: Iterable[Refinement]) -> None: ...


def unguarded(lo: Refining, value: Value) -> Value:
    """The value that guards made others of. Where a loop does nothing but test a variable, the phi at its head has been
    replaced by the guard that was made of it: that ends the way, too."""
    forward, guard_of = lo.fn.forward, lo.guard_of
    if value in forward:
        value = lo.fn.resolve(value)
    if value not in guard_of:
        return value
    passed: dict[Value, None] = {}
    while value in guard_of and value not in passed:
        passed[value] = None
        before = lo.unguarded_before.get(value)
        value = lo.fn.resolve(guard_of[value] if before is None else before)
    for each in passed:  # so that it is found at once the next time
        lo.unguarded_before[each] = value
    return value


def correlate(lo: Refining, value: Value, possible: Callable[[Value, Block], bool]) -> dict[Block, Block]:
    """`value` is one for which `possible` holds, of what it is at the end of a predecessor: variables that were joined
    with it become what they can be then. Returns of joins to which one way is left from which predecessor it leads."""
    fn = lo.fn
    if not fn.is_phi(value) and fn.resolve(value) not in lo.guard_of:
        return {}
    seen: set[Value] = set()
    levels: list[tuple[Block, Value, list[Block], list[Block]]] = []
    while len(levels) < _DEPTH:
        phi = unguarded(lo, value)
        sources = fn.sources(phi)
        if sources is None:
            break
        seen.add(phi)
        block = fn.homes[phi]
        left = [(pred, operand) for pred, operand in sources if possible(operand, pred)]
        # Around a loop the tested variable is what it was before: the way on which it became so is another one.
        again = [pred for pred, operand in left if unguarded(lo, operand) in seen]
        left = [(pred, operand) for pred, operand in left if pred not in again]
        if not left or len(left) == len(sources):
            break
        levels.append((block, phi, [pred for pred, _ in left], again))
        if len(left) > 1:
            break
        value = left[0][1]
    fn.spend(len(levels))
    if not levels:
        return {}
    keys = {
        key
        for block, *_ in levels
        for key in (*fn.written_before(block), *lo.holders.get(block, ()))
        if isinstance(key, str) or not key[1].startswith(ANSWER)
    }
    fn.spend(len(keys) * len(levels))
    for key in sorted(keys, key=str):
        before: set[Value] = set()  # what the variable was at the joins so far
        for block, phi, preds, again in levels:
            _restrict(lo, key, block, phi, preds, again, before)
    return {block: preds[0] for block, _, preds, _ in levels if len(preds) == 1}


def _restrict(
    lo: Refining, key: Key, block: Block, tested: Value, preds: list[Block], again: list[Block], before: set[Value]
) -> None:
    """preds: the ways that are left; again: those on which a variable that goes together must be what it was before."""
    fn = lo.fn
    current = fn.resolve(fn.read(key))
    joined = unguarded(lo, current)
    if current in fn.nonnull or joined == tested or fn.homes[joined] != block or not fn.is_phi(joined):
        return
    before.add(joined)
    taken = dict(fn.sources(joined) or ())
    operands = {taken.get(pred, UNDEFINED) for pred in preds}
    if UNDEFINED in operands or fn.unknown in operands:
        return
    if any(unguarded(lo, taken.get(pred, UNDEFINED)) not in before for pred in again):
        return
    if len(operands) == 1 and current == joined:
        fn.write(key, lo.alone(key, operands.pop()))
    elif operands <= fn.nonnull:
        lo.refine([(key, fn.root(current), True)])
