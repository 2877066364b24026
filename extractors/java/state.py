"""Null that says what state an object is in: `if (type.isArray()) type.getContentType().use()`, and `get(index)` that
gives null where the index is too large.

What a method without parameters gives where its object was asked for its state before is not known by a null that the
method gives in some state; nor is what one gives for a number by a null that it gives for numbers out of bounds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Node

from pliant.extractors.java.scalars import number
from pliant.extractors.lowering.base import TESTS, TRUTH
from pliant.extractors.lowering.source import text
from pliant.extractors.ssa import Value

if TYPE_CHECKING:
    from pliant.extractors.java.lowering import Lowering

_BOUNDS = "bounds"
# Comparisons of an index with a bound: whether the index is out of bounds where they hold.
_OUTSIDE = {">=": True, ">": True, "<": False, "<=": False}
_TURNED = {">=": "<=", ">": "<", "<": ">", "<=": ">="}


def note_call(lo: Lowering, call: Value, receiver: Value) -> None:
    """`call` of a method without parameters: note what `receiver` was asked before."""
    lo.receivers[call] = receiver
    lo.note_tests(call, receiver)


def asked(lo: Lowering, *compared: Value) -> None:
    """Values are compared, or switched on: the objects whose methods gave them are asked for their state."""
    fn = lo.fn
    for value in compared:
        receiver = lo.receivers.get(fn.root(value))
        path = fn.path(receiver, TESTS) if receiver is not None else None
        if path is None:
            continue
        before = fn.content(path)
        token = lo.value("test")
        lo.emit("test", token, value, "asked")
        if before in lo.tokens:
            lo.emit("test_after", token, before)
        lo.tokens.add(token)
        fn.write(path, token)


def note_bounds(lo: Lowering, node: Node, outcome: bool) -> None:
    """Note that here a parameter is a number out of bounds, if the condition `node` has shown that."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    what = text(operator) if operator is not None else ""
    if node.type != "binary_expression" or left is None or right is None or what not in _OUTSIDE:
        return
    for index, bound, comparison in ((left, right, what), (right, left, _TURNED[what])):
        local = bound.type == "identifier" and lo.local(text(bound)) is not None
        if index.type != "identifier" or local or number(bound) is not None or _OUTSIDE[comparison] != outcome:
            continue
        key = lo.local(text(index))
        root = lo.fn.root(lo.fn.read(key)) if key is not None else None
        if root is not None and root in lo.fn.formals:
            token = lo.fn.unnamed()
            lo.truths[token] = _BOUNDS
            lo.fn.write((root, TRUTH), token)
