"""Targets: what assignment, loops, `with` and unpacking bind."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.lowering.source import elements, text
from pliant.extractors.python.expressions import keys_of
from pliant.extractors.python.lowering import Lowering
from pliant.extractors.ssa import Value

_SEQUENCES = frozenset(
    ("pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list", "as_pattern_target")
)


def bind_target(lo: Lowering, node: Node, value: Value) -> None:
    """Write `value` to a target of any form."""
    kind = node.type
    if kind == "identifier":
        lo.bind(text(node), value, node)
    elif kind == "attribute":
        base_node, name = node.child_by_field_name("object"), node.child_by_field_name("attribute")
        if base_node is not None and name is not None:
            base = lo.expression(base_node)
            lo.dereference(base, f".{text(name)} =", "attribute", node, keys_of(lo, base_node))
            lo.store_field(base, text(name), value, node)
    elif kind == "subscript":
        store_item(lo, node, value)
    elif kind in ("parenthesized_expression", "as_pattern_target") and len(elements(node)) == 1:
        bind_target(lo, elements(node)[0], value)
    elif kind == "tuple_pattern" and len(node.children) == 3:  # `(name)`, without a comma
        bind_target(lo, node.children[1], value)
    elif kind in _SEQUENCES:
        unpack(lo, node, value)
    elif kind in ("list_splat_pattern", "list_splat"):
        rest = lo.value("list", node)
        lo.container(rest, "builtins.list")
        item = lo.value("item")
        lo.emit("iterate", item, value)
        lo.emit("store", rest, "[]", item)
        for child in elements(node):
            bind_target(lo, child, rest)
    else:
        lo.writer.unmodelled(f"target {kind}")


def unpack(lo: Lowering, node: Node, value: Value) -> None:
    lo.dereference(value, "unpack", "iteration", node)
    fixed = True
    unpacked: list[tuple[int, Value, Node]] = []
    for index, child in enumerate(elements(node)):
        if child.type in ("list_splat_pattern", "list_splat"):
            fixed = False
            bind_target(lo, child, value)
            continue
        item = lo.value("item", child)
        if fixed:
            lo.emit("element", item, value, index)
            unpacked.append((index, item, child))
        else:
            lo.emit("subscript", item, value)
        bind_target(lo, child, item)
    together = [(index, key, item) for index, item, child in unpacked for key in keys_of(lo, child)]
    for _, item, _ in unpacked:
        lo.siblings[item] = together


def store_item(lo: Lowering, node: Node, value: Value) -> None:
    """`base[key] = value`."""
    base_node = node.child_by_field_name("value")
    if base_node is None:
        return
    base = lo.expression(base_node)
    for index in node.children_by_field_name("subscript"):
        lo.emit("store", base, "{}", lo.expression(index))
    lo.dereference(base, "[] =", "subscript", node, keys_of(lo, base_node))
    lo.emit("store", base, "[]", value)
    lo.emit("write", lo.value("[] =", node), base, "item")
