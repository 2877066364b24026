"""What a call of a helper shows of its arguments: `ensure(found)` that raises for None, `if is_good(found):`.

A helper's ways out say which parameters are not null there, and whether its result is true (1) or false (0); the rules
match them with calls (`shown`, `exit_shown` and the like in the schema).
"""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.lowering import exits
from pliant.extractors.lowering.passed_conditions import after_calls
from pliant.extractors.lowering.source import elements
from pliant.extractors.python.expressions import keys_of, literal_truth
from pliant.extractors.python.lowering import Lowering
from pliant.extractors.ssa import UNDEFINED, Value


def note_return(lo: Lowering, node: Node | None, value: Value | None) -> None:
    """Control is about to leave the function with the value of `node`; with None where there is no node."""
    if not lo.fn.formals or not lo.fn.reachable():
        return
    truth = False if node is None else literal_truth(node)
    tests = lo.tests_of(node, value) if truth is None and node is not None and value is not None else ([], [])
    lo.exits += exits.ways_out(lo, truth, tests)


def write_exits(lo: Lowering) -> None:
    """Write how the function is left, as far as that tells callers something of their arguments."""
    exits.write_shown(lo, lo.exits, [exits.shown_at(lo, left, lo.fn.formals) for left in lo.exits])


def call_came_back(lo: Lowering, node: Node, call: Value, outcome: bool | None = None) -> None:
    """Variables that were passed to `call`, at `node`, are what they are once it has come back, with that outcome."""
    fn = lo.fn
    arguments = node.child_by_field_name("arguments")
    if node.type != "call" or arguments is None or arguments.type != "argument_list":
        return
    low, high = (exits.FALSE, exits.TRUE) if outcome is None else (int(outcome), int(outcome))
    for child in elements(arguments):
        passed = child.child_by_field_name("value") if child.type == "keyword_argument" else child
        if passed is None or passed.type != "identifier":
            continue
        for key in keys_of(lo, passed):
            current = fn.resolve(fn.read(key))
            if current in (UNDEFINED, fn.unknown) or current in fn.nonnull or current == fn.opaque:
                continue
            after = after_calls(lo, key, current)
            fn.define(after, "shown", after, call, current, low, high)
            fn.write(key, after)
