"""Initializers and compound literals: objects and what is stored to them."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.c import forms
from pliant.extractors.c.declarations import UNKNOWN, CType, described
from pliant.extractors.c.entities import MODULE, Form, Place
from pliant.extractors.c.lowering import Lowering, expression
from pliant.extractors.c.operands import field_type
from pliant.extractors.lowering.source import elements, text
from pliant.extractors.ssa import Value

_FIELDS = 16  # of a struct whose missing initial values are followed
_NESTED = 3


@expression("compound_literal_expression")
def compound_literal(lo: Lowering, node: Node) -> Value:
    kind, initial = node.child_by_field_name("type"), node.child_by_field_name("value")
    value = lo.value("literal", node)
    lo.fn.nonnull.add(value)
    if lo.symbol != MODULE:
        lo.stack.add(value)
    target = described(kind) if kind is not None else UNKNOWN
    lo.literals[node.id] = value
    new_object(lo, value, target)
    if initial is not None:
        initialize(lo, value, target, initial)
    return value


def new_object(lo: Lowering, address: Value, kind: CType) -> None:
    """The object that is at `address`, of a variable or a literal."""
    kind = kind.scalar()
    name = lo.class_of(kind)
    if kind.levels:
        lo.fn.define(address, "new", address, address, name or "pointer")
    elif name:
        lo.fn.define(address, "new", address, f"{name} object", name)


def initialize(lo: Lowering, base: Value, kind: CType, node: Node, outer: str = "") -> None:
    """`{...}` at an address: elements of an array, fields of a struct. outer: the path to a struct in a struct."""
    fields = list(lo.types.fields.get(lo.types.resolve(kind).base, ()))
    positions: dict[str, int] = {}
    position = 0
    told: set[str] = set()
    counted = True  # elements are where they are counted to be
    for index, child in enumerate(elements(node)):
        names = child.children_by_field_name("designator") if child.type == "initializer_pair" else []
        target = child.child_by_field_name("value") if names else child
        if target is None:
            continue
        if kind.array or (names and names[0].type != "field_designator"):
            element = kind.element() if kind.array else UNKNOWN
            counted = counted and not names
            store_initial(lo, base, "*", (f"[{index}]" if index else "*") if counted else "", element, target)
            continue
        if names:
            last = text(names[-1]).lstrip(".")
            path = ".".join(text(name).lstrip(".") for name in names)
            positions = positions or {field: number for number, field in enumerate(fields)}
            position = positions[last] + 1 if last in positions else position
            told.add(path.partition(".")[0])
            store_initial(lo, base, last, f"{outer}{path}", field_type(lo, kind, last), target)
        else:
            field = fields[position] if position < len(fields) else ""
            position += 1
            told.add(field)
            store_initial(lo, base, field, f"{outer}{field}" if field else "", field_type(lo, kind, field), target)
    if lo.symbol != MODULE and not kind.array:
        zeros(lo, base, kind, node, outer, told)


def zeros(lo: Lowering, base: Value, kind: CType, node: Node, outer: str, told: set[str]) -> None:
    """The numbers that an initializer of a struct leaves out."""
    fields = lo.types.fields.get(lo.types.resolve(kind).base, {})
    for name, declared in fields.items() if len(fields) <= _FIELDS and outer.count(".") < _NESTED else ():
        inner = lo.types.resolve(declared)
        if name not in told and inner.arithmetic:
            number = lo.a_number(0)
            lo.forms[number] = Form((), 0)
            lo.write(Place(node, None, base, name, f"{outer}{name}"), number, node)
        elif name not in told and inner.aggregate:
            zeros(lo, base, inner, node, f"{outer}{name}.", set())


def store_initial(lo: Lowering, base: Value, field: str, path: str, kind: CType, node: Node) -> None:
    if node.type == "initializer_list":
        initialize(lo, base, kind, node, f"{path}." if path and kind.aggregate and field != "*" else "")
        return
    value = lo.pointer(node, lo.types.resolve(kind) if field != "*" or kind.levels or kind.arithmetic else UNKNOWN)
    if not field:
        return
    if kind.arithmetic and path and value == lo.fn.opaque and lo.symbol != MODULE:
        value = forms.kept(lo, kind, value, node)
    place = Place(node, None, base, field, path or f"[]#{lo.unique_key(node, '')}", () if path else (lo.fn.unnamed(),))
    lo.write(place, value, node)
    if path and field != "*" and lo.symbol == MODULE and lo.is_literal_null(value):
        lo.emit("initial_null", base, field, value)


@expression("initializer_list")
def initializer_list(lo: Lowering, node: Node) -> Value:
    for child in elements(node):
        lo.expression(child)
    return lo.opaque()


@expression("initializer_pair")
def initializer_pair(lo: Lowering, node: Node) -> Value:
    value = node.child_by_field_name("value")
    return lo.expression(value) if value is not None else lo.opaque()
