"""What is assigned to: variables, fields, elements of arrays; and assignments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tree_sitter import Node

from pliant.extractors.ir.operands import OTHER, Constant, Operand
from pliant.extractors.ir.unit import Span
from pliant.extractors.java.translation.arrays import base_and_key, valued
from pliant.extractors.java.translation.body import Body, expression
from pliant.extractors.java.translation.frames import Local
from pliant.extractors.java.translation.names import base_of, field_base, outside
from pliant.extractors.java.translation.operators import arithmetic
from pliant.extractors.java.translation.types_of import fitted, type_of, unbox
from pliant.extractors.lowering.source import elements, only, span, text


@dataclass(slots=True)
class Place:
    """Something that holds a value; what it consists of has been evaluated, once."""

    read: Callable[[], Operand]
    write: Callable[[Operand], None]


def store_field(body: Body, base: Operand, name: str, value: Operand, at: Span) -> None:
    body.builder.do("store", base, name, value, span=at)


def place(body: Body, node: Node | None) -> Place:
    """What an expression on the left of an assignment names."""
    while node is not None and node.type == "parenthesized_expression":
        node = only(node)
    if node is None:
        return Place(lambda: OTHER, lambda value: None)
    build, at = body.builder, span(node)
    if node.type == "array_access":
        array, key = base_and_key(body, node)
        return Place(
            lambda: build.give("element", array, key, span=at),
            lambda value: build.do("put", array, key, value, span=at),
        )
    if node.type == "field_access" and (named := node.child_by_field_name("field")) is not None:
        return _field(body, base_of(body, node.child_by_field_name("object")), text(named), at)
    if node.type != "identifier":
        body.expression(node)
        return Place(lambda: OTHER, lambda value: None)
    meaning = body.meaning(text(node))
    if isinstance(meaning, Local):
        local = meaning
        return Place(lambda: body.get(local, at), lambda value: build.set(body.variable(local), value, at))
    base = field_base(body, *meaning) if meaning is not None else outside(body, text(node), at)
    return _field(body, base, text(node), at)


def _field(body: Body, base: Operand, name: str, at: Span) -> Place:
    build = body.builder
    return Place(
        lambda: build.give("load", base, name, span=at), lambda value: build.do("store", base, name, value, span=at)
    )


@expression("assignment_expression")
def assignment(body: Body, node: Node) -> Operand:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return OTHER
    operator = next((child.type for child in node.children if child.type.endswith("=")), "=")
    target, kind = place(body, left), type_of(body, left)
    if operator == "=":
        value = fitted(body, right, valued(body, right, kind), kind, "=")
    else:
        old = target.read()
        given = body.expression(right)
        value = arithmetic(body, operator[:-1], [(left, old), (right, given)], node, kind)
    target.write(value)
    return value


@expression("update_expression")
def update(body: Body, node: Node) -> Operand:
    """`x++` gives what x held before, `++x` what it holds now."""
    operand = next(iter(elements(node)), None)
    first = node.children[0].type
    prefix = first in ("++", "--")
    operator = first if prefix else node.children[-1].type
    target = place(body, operand)
    old = target.read()
    one = Constant("integer", 1)
    if operand is not None:
        unbox(body, operand, old, operator)
    value = body.builder.give("arithmetic", operator[:1], (old, one), span=span(node))
    target.write(value)
    return value if prefix else old
