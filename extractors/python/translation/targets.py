"""Targets: what assignments, loops, `with`, unpacking and patterns bind."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.ir import Constant, Type
from pliant.extractors.ir.operands import OTHER, Operand
from pliant.extractors.python.translation.functions import Body, elements, span, text

_SEQUENCES = frozenset(
    ("pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list", "as_pattern_target")
)
_SPLATS = ("list_splat_pattern", "list_splat")


def assign(body: Body, node: Node, value: Operand) -> None:
    """Write a value to a target of any form."""
    kind, builder = node.type, body.builder
    if kind == "identifier":
        body.bind(text(node), value, span(node))
    elif kind == "attribute":
        base, name = node.child_by_field_name("object"), node.child_by_field_name("attribute")
        if base is not None and name is not None:
            builder.do("store", body.expression(base), text(name), value, span=span(node))
    elif kind == "subscript":
        base = node.child_by_field_name("value")
        if base is not None:
            builder.do("put", *_element(body, base, node), value, span=span(node))
    elif kind in ("parenthesized_expression", "as_pattern_target") and len(elements(node)) == 1:
        assign(body, elements(node)[0], value)
    elif kind == "tuple_pattern" and not any(child.type == "," for child in node.children):  # `(name)`
        for child in elements(node):
            assign(body, child, value)
    elif kind in _SEQUENCES:
        unpack(body, elements(node), value, node)
    elif kind in _SPLATS:
        for child in elements(node):
            assign(body, child, _rest(body, value, node))
    else:
        body.file.unmodelled[f"target {kind}"] = body.file.unmodelled.get(f"target {kind}", 0) + 1


def delete_element(body: Body, node: Node) -> None:
    """Take an element out of its container."""
    base = node.child_by_field_name("value")
    if base is not None:
        body.builder.do("delete", *_element(body, base, node), span=span(node))


def _element(body: Body, base: Node, node: Node) -> tuple[Operand, Operand]:
    """A container and the key of one of its elements."""
    container = body.expression(base)
    keys = [body.expression(index) for index in node.children_by_field_name("subscript")]
    return container, keys[0] if len(keys) == 1 else OTHER


def unpack(body: Body, targets: list[Node], value: Operand, node: Node) -> None:
    """Bind several targets to the items of a value."""
    builder = body.builder
    builder.do("require", value, "iteration", "unpack", span=span(node))
    fixed = True
    for number, child in enumerate(targets):
        if child.type in _SPLATS:
            fixed = False
            assign(body, child, value)
        elif fixed:
            assign(body, child, builder.give("item", value, Constant("integer", number), span=span(child)))
        else:
            assign(body, child, builder.give("next", value, "element", span=span(child)))


def _rest(body: Body, value: Operand, node: Node) -> Operand:
    """A list of the elements that no other target takes."""
    builder = body.builder
    rest = builder.give("allocate", Type("class", "list", "builtins"), (), span=span(node))
    builder.do("fill", rest, OTHER, builder.give("next", value, "element", span=span(node)))
    return rest
