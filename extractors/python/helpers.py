"""What a call of a helper shows of its arguments: `ensure(found)` that raises for None, `if is_good(found):`.

A helper's ways out say which parameters are not null there, and whether its result is true (1) or false (0); the rules
match them with calls (`shown`, `exit_shown` and the like in the schema).
"""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.lowering.base import SHOWN
from pliant.extractors.lowering.ranges import RESULTS
from pliant.extractors.lowering.source import elements
from pliant.extractors.python.expressions import keys_of, literal_truth
from pliant.extractors.python.lowering import Exit, Lowering
from pliant.extractors.ssa import UNDEFINED, Value

FALSE, TRUE = 0, 1


def note_return(lo: Lowering, node: Node | None, value: Value | None) -> None:
    """Control is about to leave the function with the value of `node`; with None where there is no node."""
    fn = lo.fn
    if not fn.formals or not fn.reachable():
        return
    truth = False if node is None else literal_truth(node)
    if truth is not None:
        lo.exits.append(Exit(fn.block, lo.live(), TRUE if truth else FALSE, []))
        return
    yes, no = lo.tests_of(node, value) if node is not None and value is not None else ([], [])
    if not yes and not no:
        lo.exits.append(Exit(fn.block, lo.live(), None, []))
        return
    lo.exits.append(Exit(fn.block, lo.live(), TRUE, yes))
    lo.exits.append(Exit(fn.block, lo.live(), FALSE, no))


def write_exits(lo: Lowering) -> None:
    """Write how the function is left, as far as that tells callers something of their arguments."""
    fn = lo.fn
    shown = [_shown(lo, left) for left in lo.exits]
    told = set().union(*shown) - fn.nonnull
    if not told:
        return
    for left, known in zip(lo.exits, shown, strict=True):
        place = fn.value(lo.writer.name(lo.qualname, "exit"))
        lo.emit("exit", place, lo.symbol, left.live)
        lo.emit("exit_result", place, *((left.status, left.status) if left.status is not None else RESULTS))
        for formal in fn.formals:
            if formal in told:
                lo.emit("exit_shown" if formal in known else "exit_unknown", place, formal)


def _shown(lo: Lowering, left: Exit) -> set[Value]:
    fn = lo.fn
    known = {formal for formal in fn.formals if lo.fn.on_every_way(fn.content((formal, SHOWN), left.block))}
    return known | {root for _, root, nonnull in left.shown if nonnull and root in fn.formals}


def call_came_back(lo: Lowering, node: Node, call: Value, outcome: bool | None = None) -> None:
    """Variables that were passed to `call`, at `node`, are what they are once it has come back, with that outcome."""
    fn = lo.fn
    arguments = node.child_by_field_name("arguments")
    if node.type != "call" or arguments is None or arguments.type != "argument_list":
        return
    low, high = (FALSE, TRUE) if outcome is None else (int(outcome), int(outcome))
    for child in elements(arguments):
        passed = child.child_by_field_name("value") if child.type == "keyword_argument" else child
        if passed is None or passed.type != "identifier":
            continue
        for key in keys_of(lo, passed):
            current = fn.resolve(fn.read(key))
            if current in (UNDEFINED, fn.unknown) or current in fn.nonnull or current == fn.opaque:
                continue
            after = fn.value(lo.writer.name(lo.qualname, f"{lo.plain(key)} after calls"), root=fn.root(current))
            fn.define(after, "assign_object", after, current)
            fn.define(after, "assign_null", after, current)
            fn.define(after, "shown", after, call, current, low, high)
            lo.guard_of[after] = current
            fn.write(key, after)
