"""Tests of an object's class: `isinstance(x, A)`, `type(x) is A`, `x.__class__ is y.__class__`."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.lowering.base import Tests
from pliant.extractors.lowering.source import elements, text
from pliant.extractors.python.expressions import keys_of
from pliant.extractors.python.lowering import Lowering
from pliant.extractors.ssa import Value

_BUILTIN = frozenset(("str", "int", "float", "list", "dict", "tuple", "set", "bytes", "bool"))


def is_builtin_class(node: Node) -> bool:
    return node.type == "identifier" and text(node) in _BUILTIN


def type_of(node: Node) -> Node | None:
    """The x of `type(x)` and of `x.__class__`."""
    if node.type == "attribute":
        name = node.child_by_field_name("attribute")
        return node.child_by_field_name("object") if name is not None and text(name) == "__class__" else None
    if node.type != "call":
        return None
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None or text(function) != "type" or len(elements(arguments)) != 1:
        return None
    return elements(arguments)[0]


def is_none_type(node: Node) -> bool:
    """Whether an expression is the class of None."""
    if node.type in ("identifier", "attribute"):
        return text(node).rsplit(".", 1)[-1] == "NoneType"
    of = type_of(node)
    return of is not None and of.type == "none"


def names_none(node: Node) -> bool:
    """Whether None, or its class, is one of those that an expression lists."""
    if node.type in ("tuple", "list", "set", "parenthesized_expression", "binary_operator"):
        return any(names_none(child) for child in elements(node))
    return node.type == "none" or is_none_type(node)


def shown_by_isinstance(lo: Lowering, subject: Node, value: Value, classes: Node) -> Tests:
    """What `isinstance(subject, classes)` shows; `subject` is lowered to `value`."""
    if not names_none(classes):
        return lo.tested(subject, value, nonnull=True), []
    only = lo.tested(subject, value, nonnull=False) if is_none_type(classes) else []
    return only, lo.tested(subject, value, nonnull=True)


def shown_by_type(lo: Lowering, subject: Node, value: Value, other: Node) -> Tests:
    """What it shows that the class of `subject` is `other`, and that it is not; `value` is what was compared."""
    if is_none_type(other):
        return lo.tested(subject, value, nonnull=False), lo.tested(subject, value, nonnull=True)
    same = type_of(other)
    if same is None:
        known = other.type in ("identifier", "attribute")
    else:
        known = any(lo.fn.resolve(lo.fn.read(key)) in lo.fn.nonnull for key in keys_of(lo, same))
    return (lo.tested(subject, value, nonnull=True) if known else []), []
