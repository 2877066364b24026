"""Arrays: new ones, and their elements."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.ir.operands import Operand, Type
from pliant.extractors.java.translation import nulls
from pliant.extractors.java.translation.body import Body, expression
from pliant.extractors.java.translation.types_of import fitted, type_of, unbox
from pliant.extractors.java.translation.written import array_of, element_of
from pliant.extractors.lowering.source import elements, span


def valued(body: Body, node: Node, kind: Type) -> Operand:
    """An expression, or the elements of an array, where a value of a type is wanted."""
    if node.type != "array_initializer":
        return body.expression(node)
    element = element_of(kind)
    parts = [fitted(body, each, valued(body, each, element), element, "=") for each in elements(node)]
    return body.builder.give("allocate", array_of(element, 1), tuple(parts), span=span(node))


@expression("array_creation_expression")
def creation(body: Body, node: Node) -> Operand:
    kind = type_of(body, node)
    for given in node.children_by_field_name("dimensions"):
        for each in elements(given) if given.type == "dimensions_expr" else ():
            unbox(body, each, body.expression(each), "[]")
    content = node.child_by_field_name("value")
    if content is not None:
        return valued(body, content, kind)
    return body.builder.give("allocate", kind, (), span=span(node))


@expression("array_initializer")
def initializer(body: Body, node: Node) -> Operand:
    return valued(body, node, Type("any"))


@expression("array_access")
def access(body: Body, node: Node) -> Operand:
    base, key = base_and_key(body, node)
    value = body.builder.give("element", base, key, span=span(node))
    if body.file.says_null:
        nulls.takes_null(body, nulls.of_expression(body, node), value, node)
    return value


def base_and_key(body: Body, node: Node) -> tuple[Operand, Operand]:
    base, index = node.child_by_field_name("array"), node.child_by_field_name("index")
    array, key = body.expression(base), body.expression(index)
    if index is not None:
        unbox(body, index, key, "[]")
    return array, key
