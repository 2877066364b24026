"""Operators and casts: what they make of primitives, and what is unboxed for them."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.java import kept
from pliant.extractors.java.expressions import constant, handles, parts
from pliant.extractors.java.lowering import Lowering
from pliant.extractors.java.paths import keys_of
from pliant.extractors.java.types import erased, is_boxed, is_primitive
from pliant.extractors.lowering.source import elements, text
from pliant.extractors.ssa import UNDEFINED, Value

_ARITHMETIC = frozenset(("-", "*", "/", "%", "<<", ">>", ">>>", "<", ">", "<=", ">="))


def unboxed(lo: Lowering, node: Node, value: Value, what: str) -> None:
    """Note that `node`, lowered to `value`, is used as a primitive: it fails if it is null."""
    if value in lo.fn.nonnull or is_primitive(lo.static_type(node)):
        return
    lo.dereference(value, what, "unboxing", node, keys_of(lo, node))


@handles("binary_expression")
def binary(lo: Lowering, node: Node) -> Value:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return parts(lo, node)
    what = text(operator)
    if what in ("+", "&", "|", "^"):
        # Long sums are nested to the left: they are lowered in a loop.
        operands = [right]
        while left.type == "binary_expression" and _operator(left) == what:
            inner_left, inner_right = left.child_by_field_name("left"), left.child_by_field_name("right")
            if inner_left is None or inner_right is None:
                break
            operands.append(inner_right)
            left = inner_left
        operands.append(left)
        values = [(operand, lo.expression(operand)) for operand in reversed(operands)]
        kinds = [lo.static_type(operand) for operand, _ in values]
        boxed = all(is_boxed(kind) for kind in kinds)
        if boxed or ("String" not in kinds and any(is_primitive(kind) for kind in kinds)):
            for operand, value in values:
                if (
                    boxed
                    or is_primitive(lo.static_type(operand))
                    or operand.type in ("identifier", "method_invocation")
                ):
                    _sum_operand(lo, operand, value, what)
        return lo.opaque()
    a, b = lo.expression(left), lo.expression(right)
    if what in _ARITHMETIC:
        unboxed(lo, left, a, what)
        unboxed(lo, right, b, what)
    return lo.opaque()


def _sum_operand(lo: Lowering, operand: Node, value: Value, what: str) -> None:
    kind = lo.static_type(operand)
    if kind or what != "+":
        unboxed(lo, operand, value, what)


def _operator(node: Node) -> str:
    operator = node.child_by_field_name("operator")
    return text(operator) if operator is not None else ""


@handles("unary_expression", "update_expression")
def unary(lo: Lowering, node: Node) -> Value:
    content = constant(node)
    if content is not None:
        return lo.literal(content)
    for child in elements(node):
        value = lo.expression(child)
        unboxed(lo, child, value, "++" if node.type == "update_expression" else text(node)[:1])
        if node.type == "update_expression":
            _update(lo, child, 1 if b"++" in (node.text or b"") else -1)
        if node.type == "update_expression" and child.type in ("array_access", "field_access"):
            _note_item_write(lo, child)
        if node.type == "update_expression" and child.type == "field_access":
            name = child.child_by_field_name("field")
            if name is not None:
                lo.emit("written_late", "?", text(name))
    return lo.opaque()


def _update(lo: Lowering, target: Node, step: int) -> None:
    """`target++`, or with -1 `target--`."""
    key = lo.local(text(target)) if target.type == "identifier" else None
    path = kept.path_of(lo, target) if key is None else None
    before = lo.fn.read(key) if key is not None else lo.fn.content(path) if path is not None else UNDEFINED
    number = lo.fn.constants.get(lo.fn.resolve(before))
    after = lo.literal(number + step) if isinstance(number, int) else lo.opaque()
    if key is not None:
        lo.assign(key, after)
    elif path is not None:
        kept.wrote(lo, target, after)


@handles("cast_expression")
def cast(lo: Lowering, node: Node) -> Value:
    declared, inner = node.child_by_field_name("type"), node.child_by_field_name("value")
    if inner is None:
        return parts(lo, node)
    value = lo.expression(inner)
    name = erased(declared) if declared is not None else ""
    if is_primitive(name):
        if not _by_reflection(inner):
            unboxed(lo, inner, value, "cast")
        return lo.opaque()
    if is_boxed(name) and _by_reflection(inner):
        return lo.opaque()
    if value in lo.fn.nonnull or inner.type != "method_invocation":
        return value
    result = lo.value("cast", node)
    lo.emit("assign", result, value)
    lo.fn.roots[result] = lo.fn.root(value)
    lo.declared(result, declared)
    return result


def _by_reflection(node: Node) -> bool:
    """Whether a call runs a method that reflection has found: one that gives a number or a truth gives no null."""
    name = node.child_by_field_name("name") if node.type == "method_invocation" else None
    return name is not None and text(name) == "invoke"


def _note_item_write(lo: Lowering, target: Node) -> None:
    array = target.child_by_field_name("array")
    if array is not None:
        base = lo.expression(array)
        lo.emit("write", lo.value("[] =", target), base, "item")
