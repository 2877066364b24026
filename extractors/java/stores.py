"""Assignments: to variables, fields and elements."""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from pliant.extractors.java import kept, synonyms
from pliant.extractors.java.expressions import handles, names_type, parts
from pliant.extractors.java.lowering import Lowering
from pliant.extractors.java.operators import unboxed
from pliant.extractors.java.paths import keys_of
from pliant.extractors.java.types import is_primitive
from pliant.extractors.lowering.source import elements, text
from pliant.extractors.ssa import Value


@handles("assignment_expression")
def assignment(lo: Lowering, node: Node) -> Value:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None:
        return parts(lo, node)
    what = text(operator) if operator is not None else "="
    if what != "=":
        old = lo.expression(left)
        value = lo.expression(right)
        if lo.static_type(left) != "String":
            unboxed(lo, left, old, what)
            if is_primitive(lo.static_type(left)):
                unboxed(lo, right, value, what)
        store(lo, left, lo.opaque())
        return lo.opaque()
    if left.type in ("field_access", "array_access"):
        target = prepare(lo, left)
        value = lo.expression(right)
        _unbox_for(lo, left, right, value)
        target(value)
        return value
    value = lo.expression(right)
    _unbox_for(lo, left, right, value)
    store(lo, left, value)
    if left.type == "identifier" and (key := lo.local(text(left))) is not None:
        synonyms.note(lo, key, right, value)
    return value


def _unbox_for(lo: Lowering, left: Node, right: Node, value: Value) -> None:
    if is_primitive(lo.static_type(left)):
        unboxed(lo, right, value, "=")


def store(lo: Lowering, target: Node, value: Value) -> None:
    """Write `value` to a variable, a field or an element."""
    if target.type == "parenthesized_expression" and elements(target):
        store(lo, elements(target)[0], value)
    elif target.type == "identifier":
        store_name(lo, text(target), value, target)
    elif target.type in ("field_access", "array_access"):
        prepare(lo, target)(value)
    else:
        lo.expression(target)


def store_name(lo: Lowering, name: str, value: Value, node: Node) -> None:
    key = lo.local(name)
    if key is not None:
        if value in lo.call_results:
            lo.emit("named", value)
        lo.assign(key, value)
        return
    owner = lo.field_owner(name)
    if owner is not None:
        class_, known = owner
        kept.wrote(lo, node, value)
        if not known.primitive:
            lo.store_field(lo.field_base(class_, known), name, value, node)
            note_late_write(lo, class_.symbol, name)
        return
    inherits = lo.inherits()
    if inherits is not None:
        lo.store_field(lo.this_of(inherits), name, value, node)
        note_late_write(lo, "?", name)


def note_late_write(lo: Lowering, owner: str, name: str) -> None:
    """Note that code other than constructors of `owner` ("?": some class) writes the field."""
    if lo.class_ is None or lo.class_.symbol != owner or lo.return_type != "<init>":
        lo.emit("written_late", owner, name)


def prepare(lo: Lowering, target: Node) -> Callable[[Value], None]:
    """Evaluate the base of a field or element; what is returned writes a value to it."""
    if target.type == "array_access":
        array, index = target.child_by_field_name("array"), target.child_by_field_name("index")
        base = lo.expression(array) if array is not None else lo.opaque()
        if index is not None:
            unboxed(lo, index, lo.expression(index), "[]")

        def store_item(value: Value) -> None:
            if array is not None:
                lo.dereference(base, "[] =", "subscript", target, keys_of(lo, array))
            lo.emit("store", base, "[]", value)
            lo.emit("write", lo.value("[] =", target), base, "item")
            lo.written(base, "[]", value, None)
            if index is not None and index.type == "decimal_integer_literal":
                lo.fn.wrote(base, f"[{text(index)}]", value)
            else:
                lo.fn.escaped(value)
                lo.fn.escaped(base)
            for key in keys_of(lo, target):
                lo.assign(key, value)
                if isinstance(key, tuple):
                    lo.written(base, "[]", value, key)

        return store_item
    base_node, name_node = target.child_by_field_name("object"), target.child_by_field_name("field")
    if base_node is None or name_node is None:
        return lambda value: None
    name = text(name_node)
    dotted = names_type(lo, base_node)
    base = lo.type_value(dotted) if dotted else lo.expression(base_node)

    def store_field(value: Value) -> None:
        owner = lo.class_.symbol if base_node.type == "this" and lo.class_ is not None else "?"
        if base_node.type == "field_access" and text(base_node).endswith(".this"):
            outer = text(base_node).removesuffix(".this")
            owner = next((c.symbol for c in lo.class_.chain() if c.name == outer), "?") if lo.class_ else "?"
        if base_node.type != "this" and not dotted:
            lo.dereference(base, f".{name} =", "attribute", target, keys_of(lo, base_node))
        known = lo.class_.fields.get(name) if base_node.type == "this" and lo.class_ is not None else None
        kept.wrote(lo, target, value)
        if known is None or not known.primitive:
            lo.store_field(base, name, value, target)
            note_late_write(lo, owner, name)

    return store_field
