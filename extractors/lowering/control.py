"""Control flow over the SSA builder: conditions, choices, loops, switches, jumps, exceptions.

What the parts of a construct do is passed as functions that lower them into the current block; a `Branch` lowers a
condition and returns the blocks where it holds and where it does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from pliant.extractors.lowering.base import ConditionKey, Handler, Joined, Jump, Lowering, Tests
from pliant.extractors.ssa import UNDEFINED, Block, Here, Key, Refinement, Value

Branch = Callable[[], tuple[Block, Block]]
Part = Callable[[], None]
Repeated = tuple[ConditionKey, bool]  # what a condition tests, and whether it holds where the test succeeds

_FINALLY_COPIES = 2  # nested deeper than this, only the normal way through a `finally` is lowered


# Conditions.


def chain(node: Node, parted: Callable[[Node], tuple[Node, Node] | None]) -> list[Node]:
    """The operands of `a and b and c`, which is parsed as `(a and b) and c`. parted: those of one such operation."""
    operands: list[Node] = []
    while (parts := parted(node)) is not None:
        node, last = parts
        operands.append(last)
    return [node, *operands[::-1]]


def branch_on(
    lo: Lowering,
    tests: Tests,
    constant: bool | None = None,
    repeated: Repeated | None = None,
    note: Callable[[bool], None] | None = None,
) -> tuple[Block, Block]:
    """Two blocks after the current one, where a value is true and where it is false. constant: its value where that is
    written. note: called on each side that is reached, with the outcome."""
    fn = lo.fn
    here = [fn.block] if fn.reachable() else []
    blocks = []
    for outcome, shown in ((True, tests[0]), (False, tests[1])):
        taken = constant is None or constant is outcome
        block = fn.new_block(*(here if taken else []))
        fn.start(block)
        lo.refine(shown)
        if note is not None and taken:
            note(outcome)
        recall(lo, repeated, outcome)
        blocks.append(block)
    return blocks[0], blocks[1]


def recall(lo: Lowering, repeated: Repeated | None, outcome: bool) -> None:
    """Where an earlier `if` made the same test, variables hold what they got on that side of it."""
    fn = lo.fn
    joined = lo.joins.get(repeated[0]) if repeated is not None else None
    if repeated is None or joined is None or joined.function is not fn:
        return
    taken = joined.yes if outcome == repeated[1] else joined.no
    for key in joined.keys:
        current = fn.resolve(fn.read(key))
        operand = fn.operand(current, taken) if fn.homes[current] == joined.block else 0
        if operand:
            fn.write(key, operand)


def short_circuit(lo: Lowering, left: Branch, right: Branch, *, conjunction: bool) -> tuple[Block, Block]:
    """`left and right`, or `left or right`, as a condition."""
    fn, here = lo.fn, lo.fn.here()
    yes, no = left()
    fn.block = yes if conjunction else no
    second_yes, second_no = right()
    joined = [no, second_no] if conjunction else [yes, second_yes]
    merged = fn.new_block(*(block for block in joined if fn.reachable(block)))
    fn.seal(merged)
    fn.joins(merged, here)
    return (second_yes, merged) if conjunction else (merged, second_no)


def exclusive(lo: Lowering, left: Branch, right: Branch, *, equal: bool) -> tuple[Block, Block]:
    """Of two conditions without effects, whether they agree (or differ, without `equal`), as a condition: the right one
    is lowered on both ways of the left one, so that later tests tell the ways apart."""
    fn, here = lo.fn, lo.fn.here()
    agree, differ = [], []
    for block, holds in zip(left(), (True, False), strict=True):
        fn.block = block
        if fn.reachable():
            yes, no = right()
            agree.append(yes if holds else no)
            differ.append(no if holds else yes)
    merged = []
    for blocks in (agree, differ):
        merged.append(fn.new_block(*(block for block in blocks if fn.reachable(block))))
        fn.seal(merged[-1])
        fn.joins(merged[-1], here)
    return (merged[0], merged[1]) if equal else (merged[1], merged[0])


def connective(
    lo: Lowering,
    key: Key,
    operands: Sequence[Node],
    split: Callable[[Node, Value], tuple[Block, Block]],
    decided: Callable[[Value], Value],
    *,
    conjunction: bool,
) -> Value:
    """`a and b and c` (or with `or`) as a value: a branch on each operand but the last chooses. split: branches on an
    operand that is lowered. decided: the value where an operand decides the whole."""
    fn, here = lo.fn, lo.fn.here()
    end = fn.new_block()
    shown: list[Refinement] = []  # by the whole, if it is true (and) or false (or)
    for operand in operands[:-1]:
        value = lo.expression(operand)
        shown += lo.tests_of(operand, value)[0 if conjunction else 1]
        yes, no = split(operand, value)
        fn.block = no if conjunction else yes
        fn.write(key, decided(value))
        fn.jump(end)
        fn.block = yes if conjunction else no
    last = lo.expression(operands[-1])
    shown += lo.tests_of(operands[-1], last)[0 if conjunction else 1]
    fn.write(key, last)
    fn.jump(end)
    fn.start(end)
    fn.joins(end, here)
    value = fn.read(key)
    if value == UNDEFINED:
        return lo.opaque()
    if value != fn.opaque:
        fn.tests[value] = (shown, []) if conjunction else ([], shown)
    return value


def choose(lo: Lowering, key: Key, arms: Iterable[tuple[Block, Callable[[], Value]]], since: Here) -> Value:
    """The value that one of several arms gives, each lowered from its block on. since: before what chooses."""
    fn = lo.fn
    end = fn.new_block()
    for block, arm in arms:
        fn.block = block
        if fn.reachable():
            value = arm()
            fn.write(key, value)
        fn.jump(end)
    fn.start(end)
    fn.joins(end, since)
    value = fn.read(key)
    return value if value != UNDEFINED else lo.opaque()


@dataclass(slots=True)
class Arm:
    """`if condition: body`; repeated: what the condition tests, asked for before it is lowered."""

    condition: Branch
    body: Part
    repeated: Callable[[], Repeated | None] = lambda: None


def if_(lo: Lowering, arms: Sequence[Arm], otherwise: Part | None) -> None:
    """Arms are tried in their order."""
    fn, here = lo.fn, lo.fn.here()
    after = fn.new_block()
    for number, arm in enumerate(arms, 1):
        repeated = arm.repeated()
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
        if repeated is not None:
            key, positive = repeated
            ends = (yes_end, fn.block) if positive else (fn.block, yes_end)
            lo.joins[key] = Joined(fn, after, *ends, frozenset(lo.write_log[mark:]))
        break
    fn.jump(after)
    fn.start(after)
    fn.joins(after, here)


def assert_(lo: Lowering, condition: Branch, otherwise: Sequence[Node]) -> None:
    """Go on where `condition` holds; where it does not, the expressions `otherwise` are lowered and an exception is
    raised."""
    yes, no = condition()
    lo.fn.block = no
    if lo.fn.reachable():
        for node in otherwise:
            lo.expression(node)
        lo.may_raise()
    lo.fn.block = yes


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
    kept: frozenset[str] = frozenset(),
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
    kept: frozenset[str] = frozenset(),
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


def labelled(lo: Lowering, label: str, body: Part) -> None:
    """A statement that is no loop and that `break label` ends."""
    fn, here = lo.fn, lo.fn.here()
    after = fn.new_block()
    lo.jumps.append(Jump(after, None, frozenset((label,)), plain=False))
    body()
    lo.jumps.pop()
    fn.jump(after)
    fn.start(after)
    fn.joins(after, here)


def jump(lo: Lowering, *, again: bool, label: str = "") -> None:
    """`break`, or `continue` (again), out of the innermost construct that it fits or out of the one with that label."""
    for target in reversed(lo.jumps):
        fits = label in target.labels if label else target.plain
        place = target.again if again else target.after
        if fits and place is not None:
            lo.through_finally()
            lo.fn.jump(place)
            lo.fn.stop()
            return


@dataclass(slots=True)
class Case:
    """enter: lowers what is known where the case is chosen (bindings, guards that fail go on to the next case by
    returning the block where they do)."""

    enter: Callable[[], Block | None]
    body: Part


def switch(
    lo: Lowering,
    cases: Sequence[Case],
    *,
    falls_through: bool,
    exhaustive: bool,
    labels: frozenset[str] = frozenset(),
    breaks: bool = True,
) -> None:
    """Choose one of several cases. falls_through: a body goes on into the next one unless it jumps. exhaustive: one of
    them is always chosen, as with a default. breaks: `break` ends it."""
    fn = lo.fn
    if not fn.reachable():
        return
    after = fn.new_block()
    lo.jumps.append(Jump(after, None, labels, plain=breaks))
    here = fn.here()
    dispatch = fn.split()
    fn.stop()
    end: Block | None = None  # of the body before, from where control goes on
    for case in cases:
        entry = fn.new_block(dispatch)
        fn.start(entry)
        refused = case.enter()
        if end is not None:
            joined = fn.new_block(*(block for block in (end, fn.block) if fn.reachable(block)))
            fn.start(joined)
            fn.joins(joined, here)
        if fn.reachable():
            case.body()
        end = fn.block if falls_through and fn.reachable() else None
        if not falls_through:
            fn.jump(after)
        if refused is not None:
            dispatch = fn.new_block(*(block for block in (dispatch, refused) if fn.reachable(block)))
            fn.seal(dispatch)
            fn.joins(dispatch, here)
    lo.jumps.pop()
    if end is not None:
        fn.block = end
        fn.jump(after)
    if not exhaustive:
        fn.edge(dispatch, after)
    fn.start(after)
    fn.joins(after, here)


# Exceptions.


@dataclass(slots=True)
class Catch:
    """names: last parts of the names of the exceptions that it catches; run: its body."""

    names: Sequence[str]
    run: Part


def try_(
    lo: Lowering,
    body: Part,
    catches: Sequence[Catch],
    *,
    everything: bool,
    otherwise: Part | None = None,
    final: Part | None = None,
) -> None:
    """everything: some catch stops whatever is raised. final: lowered for the normal way and for an exception's."""
    fn, here = lo.fn, lo.fn.here()
    final_block = fn.new_block()
    if final is not None:
        lo.handlers.append(Handler(final_block, final=True))
    after = fn.new_block()
    caught = fn.new_block()
    if catches:
        names = frozenset(name for clause in catches for name in clause.names)
        lo.handlers.append(Handler(caught, names, everything))
    body()
    if catches:
        lo.handlers.pop()
    if otherwise is not None:
        otherwise()
    fn.jump(after)
    fn.start(caught)
    fn.joins(caught, here)
    if catches and fn.reachable():
        for clause in catches:
            fn.block = fn.new_block(caught)
            fn.seal(fn.block)
            clause.run()
            fn.jump(after)
        if not everything:
            fn.block = fn.new_block(caught)
            fn.seal(fn.block)
            lo.may_raise()
    if final is not None:
        lo.handlers.pop()
        fn.start(final_block)
        fn.joins(final_block, here)
        if fn.reachable() and lo.finally_depth < _FINALLY_COPIES:
            lo.finally_depth += 1
            final()
            lo.finally_depth -= 1
            if fn.reachable():
                lo.may_raise()
        fn.start(after)
        fn.joins(after, here)
        final()
    else:
        fn.seal(final_block)
        fn.start(after)
        fn.joins(after, here)
