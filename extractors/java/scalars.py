"""Fields and methods that give one number for good (true is 1), and conditions that test them.

Whether nothing else writes a field, and which field or method a name means, only the whole program tells: here are the
facts, `null_flow.dl` decides which side of such a condition can run.
"""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from pliant.extractors.java import outcomes
from pliant.extractors.java.declarations import Class, Field, Method
from pliant.extractors.java.lowering import Lowering
from pliant.extractors.lowering.literals import integer
from pliant.extractors.lowering.source import elements, text
from pliant.extractors.ssa import LIVE, Value

Test = tuple[Value, int, bool]  # what is read, a number, and whether the test succeeds where the two are equal


def number(node: Node | None) -> int | None:
    """The number that an expression is, as it is written."""
    while node is not None and node.type == "parenthesized_expression" and len(elements(node)) == 1:
        node = elements(node)[0]
    if node is None:
        return None
    if node.type in ("true", "false"):
        return int(node.type == "true")
    if node.type == "decimal_integer_literal":
        digits = text(node).rstrip("lL").replace("_", "")
        return integer(digits) if len(digits) < 10 else None
    if node.type == "unary_expression" and text(node)[:1] == "-":
        inner = number(node.child_by_field_name("operand"))
        return -inner if inner is not None else None
    return None


def decided(node: Node) -> bool | None:
    """Whether a condition is true, if it is a number or compares two."""
    left, right = number(node.child_by_field_name("left")), number(node.child_by_field_name("right"))
    operator = node.child_by_field_name("operator")
    if left is not None and right is not None and operator is not None and text(operator) in ("==", "!="):
        return (left == right) == (text(operator) == "==")
    value = number(node)
    return bool(value) if value is not None else None


def define_field(lo: Lowering, class_: Class, known: Field) -> None:
    """Note what a field of a primitive type is initialised with, unless this file writes a field of that name."""
    value = number(known.value)
    if value is not None and known.name not in lo.tracked:
        lo.emit("scalar_field", class_.symbol, known.name, value)


def define_method(lo: Lowering, method: Method) -> None:
    """Note what a method that nothing overrides gives, if its body is no more than that."""
    body = method.node.child_by_field_name("body") if method.node is not None else None
    statements = elements(body) if body is not None else []
    if not (method.static or method.private) or len(statements) != 1 or statements[0].type != "return_statement":
        return
    returned = elements(statements[0])
    value = number(returned[0]) if returned else None
    if value is not None:
        lo.emit("scalar_result", method.symbol, value)


def tested(lo: Lowering, node: Node, value: Value) -> Test | None:
    """The test that a condition is, after it was lowered as `value`."""
    while node.type == "parenthesized_expression" and len(elements(node)) == 1:
        node = elements(node)[0]
    if node.type == "instanceof_expression":
        instance = outcomes.instance(lo, node, value)
        return (instance, 1, True) if instance is not None else None
    given = outcomes.number(lo, lo.compared[value][1] if value in lo.compared else value)
    if given is not None:
        return (given, *lo.compared[value][2:]) if value in lo.compared else (given, 1, True)
    if value in lo.compared:
        subject, subject_value, than, equal = lo.compared[value]
        read = _read(lo, subject, subject_value)
        return (read, than, equal) if read is not None else None
    read = _read(lo, node, value)
    return (read, 1, True) if read is not None else None


def _read(lo: Lowering, node: Node, value: Value) -> Value | None:
    """What stands for the field or the call in facts, if it can be one that always gives the same."""
    if node.type == "method_invocation":
        base, arguments = node.child_by_field_name("object"), node.child_by_field_name("arguments")
        named = base is None or (base.type in ("this", "identifier") and text(base)[:1].isupper())
        return value if named and not elements(arguments) and value in lo.call_results else None
    if node.type == "field_access":
        base, name_node = node.child_by_field_name("object"), node.child_by_field_name("field")
        if base is None or name_node is None:
            return None
        if base.type != "this":
            return value if text(base)[:1].isupper() and value != lo.fn.opaque else None
        node = name_node
    owner = lo.field_owner(text(node)) if node.type == "identifier" and lo.local(text(node)) is None else None
    if owner is None or not owner[1].primitive or number(owner[1].value) is None or owner[1].name in lo.tracked:
        return None
    read = lo.value(f".{owner[1].name}", node)
    lo.emit("load", read, lo.field_base(*owner), owner[1].name)
    return read


def guard(lo: Lowering, test: Test | None) -> Callable[[bool], None]:
    """Called on each side of a branch, with the outcome: what follows runs only if the test can have it."""
    before = lo.live()

    def note(outcome: bool) -> None:
        if test is None:
            return
        read, than, equal = test
        reached = lo.value("branch")
        lo.emit("control_if", reached, before, read, than, "equal" if outcome == equal else "other")
        lo.fn.write(LIVE, reached)

    return note
