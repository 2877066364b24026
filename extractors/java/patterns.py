"""Patterns of `instanceof` and of `switch`: the variables that they bind."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.java import kinds
from pliant.extractors.java.expressions import handles
from pliant.extractors.java.lowering import Lowering
from pliant.extractors.java.types import erased
from pliant.extractors.lowering.source import elements, text
from pliant.extractors.ssa import Value


@handles("instanceof_expression")
def instanceof(lo: Lowering, node: Node) -> Value:
    """A test; as a condition its guard is in `conditions`."""
    left = node.child_by_field_name("left")
    value = lo.expression(left) if left is not None else lo.opaque()
    result = lo.fn.unnamed()
    if left is not None:
        tested = kinds.test(lo, left, value, node.child_by_field_name("right"))
        null = tested is not None and kinds.always(lo, left, tested.name)
        fails = lo.tested(left, value, nonnull=False) if null else []
        lo.fn.tests[result] = (lo.tested(left, value, nonnull=True), fails)
        if tested is not None:
            lo.instances[result] = tested
        bind_pattern(lo, node, left, value)
    return result


def bind_pattern(lo: Lowering, node: Node, subject: Node, value: Value) -> None:
    """Declare the variables of an instanceof pattern."""
    name = node.child_by_field_name("name")
    pattern = node.child_by_field_name("pattern")
    if name is not None:
        declared = node.child_by_field_name("right")
        matched = _matched(lo, name, value, declared)
        lo.declare_variable(text(name), erased(declared) if declared is not None else "", matched)
    elif pattern is not None:
        bind_parts(lo, pattern, value)


def _matched(lo: Lowering, node: Node, value: Value, declared: Node | None) -> Value:
    """What a pattern binds: `value`, which is not null."""
    matched = lo.fn.value(lo.writer.name(lo.qualname, f"{text(node)} matched"), root=lo.fn.root(value))
    lo.emit("assign_object", matched, value)
    lo.declared(matched, declared)
    lo.fn.nonnull.add(matched)
    return matched


def bind_parts(lo: Lowering, pattern: Node, value: Value) -> None:
    """Declare the variables of a pattern that `value` matches."""
    kind = pattern.type
    children = elements(pattern)
    if kind == "pattern":
        for child in children:
            bind_parts(lo, child, value)
    elif kind == "type_pattern":
        if len(children) >= 2:
            declared, name = children[-2], children[-1]
            lo.declare_variable(text(name), erased(declared), _matched(lo, name, value, declared))
    elif kind == "record_pattern":
        body = next((child for child in children if child.type == "record_pattern_body"), None)
        for number, part in enumerate(elements(body)):
            item = lo.value("item", part)
            lo.emit("element", item, value, number)
            inner = elements(part)
            if part.type == "record_pattern_component" and len(inner) == 2:
                declared, name = inner
                lo.declared(item, declared)
                lo.declare_variable(text(name), erased(declared), item)
            else:
                bind_parts(lo, part, item)
    elif kind not in ("underscore_pattern", "record_pattern_component"):
        lo.writer.unmodelled(f"pattern {kind}")
