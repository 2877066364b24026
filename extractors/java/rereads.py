"""Fields and getters that one expression compares with null and reads again, as in
`stream == null && other == null || stream.equals(other)`: what is read again may be null by the test.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Node

from pliant.extractors.lowering.source import elements, text
from pliant.extractors.ssa import Value

if TYPE_CHECKING:
    from pliant.extractors.java.lowering import Lowering


def note_test(lo: Lowering, node: Node, subject: Node) -> None:
    """`node` compares `subject` with null."""
    if _is_own(lo, subject):
        for path in lo.keys_of(subject):
            if isinstance(path, tuple):
                lo.null_tests[path] = node


def note_read(lo: Lowering, node: Node, value: Value) -> None:
    """`node`, a field or a call, was read as `value`."""
    if not lo.null_tests or value in lo.fn.nonnull or not _is_own(lo, node):
        return
    for path in lo.keys_of(node):
        test = lo.null_tests.get(path) if isinstance(path, tuple) else None
        if test is None or not _is_after_or(test, node):
            continue
        null, by = lo.value(text(node)), lo.value("test for null", test)
        lo.known_null.add(null)
        lo.emit("null", by, "tested")
        lo.emit("tested_null", null, by)
        lo.emit("assign_null", value, null)


def _is_own(lo: Lowering, node: Node) -> bool:
    """A field of this object, or a call of a method of its class that only reads one."""
    if node.type == "identifier":
        return lo.local(text(node)) is None
    base = node.child_by_field_name("object")
    if base is not None and base.type != "this":
        return False
    name = node.child_by_field_name("name")
    if node.type != "method_invocation" or name is None or lo.class_ is None:
        return node.type == "field_access"
    found = [method for class_ in lo.class_.chain() for method in class_.methods.get(text(name), ())]
    bodies = [each.node.child_by_field_name("body") for each in found if not each.parameters and each.node is not None]
    return bool(bodies) and all(map(_reads_field, bodies))


def _reads_field(body: Node | None) -> bool:
    statements = elements(body) if body is not None else []
    if len(statements) != 1 or statements[0].type != "return_statement":
        return False
    returned = elements(statements[0])
    return bool(returned) and returned[0].type in ("identifier", "field_access")


def _is_after_or(test: Node, node: Node) -> bool:
    """Whether `node` stands on the right of an `||` that has `test` on its left, not negated."""
    current = test
    while (parent := current.parent) is not None and parent.type in ("binary_expression", "parenthesized_expression"):
        operator, right = parent.child_by_field_name("operator"), parent.child_by_field_name("right")
        if operator is not None and right is not None and text(operator) not in ("&&", "||"):
            return False
        if right is not None and right.start_byte <= node.start_byte and node.end_byte <= right.end_byte:
            return operator is not None and text(operator) == "||"
        current = parent
    return False
