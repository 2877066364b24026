"""Control flow over the SSA builder: `if`, loops, switches, jumps, exceptions.

What the parts of a construct do is passed as functions that lower them into the current block.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass

from pliant.extractors.lowering.base import Joined, Jump, Lowering, Test
from pliant.extractors.lowering.conditions import Branch
from pliant.extractors.ssa import Key

Part = Callable[[], None]

_FINALLY_COPIES = 2  # `finally` in so many others: of one nested deeper, only the normal way through it is lowered


@dataclass(slots=True)
class Arm:
    """`if condition: body`; test: what the condition tests, asked for before it is lowered."""

    condition: Branch
    body: Part
    test: Callable[[], Test | None] = lambda: None


def if_(lo: Lowering, arms: Sequence[Arm], otherwise: Part | None) -> None:
    """Arms are tried in their order."""
    fn, here = lo.fn, lo.fn.here()
    after = fn.new_block()
    for number, arm in enumerate(arms, 1):
        test = arm.test()
        yes, no = arm.condition()
        mark = len(lo.write_log)
        fn.block = yes
        if fn.reachable():
            arm.body()
        yes_end = fn.block
        fn.jump(after)
        fn.block = no
        if fn.reachable():
            if number < len(arms):
                continue
            if otherwise is not None:
                otherwise()
        if test is not None:
            ends = (yes_end, fn.block) if test.positive else (fn.block, yes_end)
            lo.joins[test.root, test.what] = Joined(fn, after, *ends, frozenset(lo.write_log[mark:]))
        break
    fn.jump(after)
    fn.start(after)
    fn.joins(after, here)


# Loops and jumps.


def loop(
    lo: Lowering,
    condition: Branch | None,
    body: Part,
    *,
    step: Part | None = None,
    otherwise: Part | None = None,
    body_first: bool = False,
    labels: frozenset[str] = frozenset(),
    kept: Container[Key] = frozenset(),
) -> None:
    """Run `body` while `condition` holds (for ever without one). step: what runs before the condition is tested again.
    otherwise: what runs when the condition ends the loop. body_first: the condition is tested after the body. kept:
    keys of variables that nothing in the loop gives another value."""
    fn = lo.fn
    if not fn.reachable():
        return
    here = fn.here()
    header, after = fn.new_block(fn.block), fn.new_block()
    fn.keep(header, kept)
    again = fn.new_block() if step is not None or body_first else header
    fn.block = header
    no = None
    if condition is not None and not body_first:
        yes, no = condition()
        fn.block = yes
    inside = fn.here()
    lo.jumps.append(Jump(after, again, labels))
    if fn.reachable():
        body()
    lo.jumps.pop()
    if again != header:
        fn.jump(again)
        fn.start(again)
        fn.joins(again, inside)
    if fn.reachable() and step is not None:
        step()
    if condition is not None and body_first and fn.reachable():
        yes, no = condition()
        fn.block = yes
    if fn.reachable():
        fn.edge(fn.block, header)
    fn.seal(header)
    fn.joins(header, here)
    if no is not None:
        fn.block = no
        if otherwise is not None and fn.reachable():
            otherwise()
        fn.jump(after)
    else:
        fn.stop()
    fn.start(after)
    fn.joins(after, here)


def each(
    lo: Lowering,
    bind: Part,
    body: Part,
    *,
    otherwise: Part | None = None,
    not_empty: bool = False,
    labels: frozenset[str] = frozenset(),
    kept: Container[Key] = frozenset(),
) -> None:
    """Run `body` for each element, which `bind` gives a name. not_empty: there is at least one. kept: as of `loop`."""
    fn = lo.fn
    if not fn.reachable():
        return
    here = fn.here()
    header, after = fn.new_block(), fn.new_block()
    inside = fn.new_block(*((fn.block,) if not_empty else ()), header)
    exhausted = fn.new_block(header)
    if not not_empty:
        fn.edge(fn.block, header)
    fn.keep(header, kept)
    fn.keep(inside, kept)
    fn.seal(exhausted)
    fn.block = inside
    bind()
    lo.jumps.append(Jump(after, header, labels))
    body()
    lo.jumps.pop()
    if fn.reachable():
        fn.edge(fn.block, header)
    fn.seal(header)
    fn.seal(inside)
    fn.block = exhausted
    if otherwise is not None:
        otherwise()
    fn.jump(after)
    fn.start(after)
    fn.joins(after, here)


def jump(lo: Lowering, *, again: bool, label: str = "") -> None:
    """`break`, or `continue` (again), out of the innermost construct that it fits or out of the one with that label."""
    for target in reversed(lo.jumps):
        fits = label in target.labels if label else target.plain
        place = target.again if again else target.after
        if fits and place is not None:
            lo.fn.jump(place)
            lo.fn.stop()
            return
