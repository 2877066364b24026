"""Arrays: their making, their elements."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.java import type_arguments
from pliant.extractors.java.expressions import handles, parts
from pliant.extractors.java.lowering import ARRAY, Lowering
from pliant.extractors.java.operators import unboxed
from pliant.extractors.java.paths import LITERALS, follow, keys_of
from pliant.extractors.java.types import is_primitive
from pliant.extractors.lowering.source import elements, text
from pliant.extractors.ssa import UNDEFINED, Value


@handles("array_access")
def array_access(lo: Lowering, node: Node) -> Value:
    array, index = node.child_by_field_name("array"), node.child_by_field_name("index")
    if array is None:
        return parts(lo, node)
    base = lo.expression(array)
    if index is not None:
        unboxed(lo, index, lo.expression(index), "[]")
    lo.dereference(base, "[]", "subscript", node, keys_of(lo, array))
    kind = lo.static_type(array)
    if kind.endswith("[]") and is_primitive(kind[:-2]):
        return lo.opaque()
    value = lo.value("[]", node)
    lo.emit("load", value, base, "[]")
    if index is not None and index.type == "decimal_integer_literal":
        lo.fn.read_version(value, base, f"[{text(index)}]")
    keys = keys_of(lo, node)
    content = lo.fn.content(keys[0]) if keys and isinstance(keys[0], tuple) else UNDEFINED
    follow(lo, node, value, "")
    if value not in lo.fn.nonnull:
        lo.reads.append((value, content))
        if lo.annotated:
            type_arguments.element_takes_null(lo, node, value, content)
    return value


@handles("array_creation_expression")
def array_creation(lo: Lowering, node: Node) -> Value:
    for child in node.children_by_field_name("dimensions"):
        for size in elements(child):
            unboxed(lo, size, lo.expression(size), "[]")
    value = node.child_by_field_name("value")
    if value is not None:
        return lo.expression(value)
    array = new_array(lo, node)
    lo.fn.made(array)
    return array


def new_array(lo: Lowering, node: Node) -> Value:
    array = lo.value("new array", node)
    lo.fn.nonnull.add(array)
    if lo.anonymous:  # it has no second name at the caller: the file has one object for them all
        lo.emit("new", array, "|<module>|array argument|object", ARRAY)
    else:
        lo.emit("new", array, array, ARRAY)
        lo.emit("made_in", array, lo.symbol)
    return array


_FEW = 12  # elements of an array that are followed one by one


@handles("array_initializer", "element_value_array_initializer")
def array_initializer(lo: Lowering, node: Node) -> Value:
    array = new_array(lo, node)
    children = elements(node)
    if children:
        lo.emit("filled", array)
    if followed := len(children) <= _FEW and not (children and children[0].type in LITERALS):
        lo.fn.made(array)
    for number, child in enumerate(children):
        element = lo.expression(child)
        lo.emit("store", array, "[]", element)
        if followed:
            lo.fn.wrote(array, f"[{number}]", element)
        else:
            lo.fn.escaped(element)
    return array
