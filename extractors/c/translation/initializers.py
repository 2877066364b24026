"""Initialisers: objects, and what is stored in them where they are made."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from pliant.extractors.c.declarations import UNKNOWN, CType
from pliant.extractors.c.translation.body import Body, Typed, expression
from pliant.extractors.c.translation.kinds import as_record, is_record, is_whole
from pliant.extractors.c.translation.places import VALUE, Written, as_place, read
from pliant.extractors.ir.operands import OTHER, Operand
from pliant.extractors.lowering.source import elements, joined

_TEXTS = frozenset(("string_literal", "concatenated_string"))


class _Items:
    """The initialisers between braces, of which each object takes some."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes = nodes
        self.at = 0

    def next(self) -> Node | None:
        return self.nodes[self.at] if self.at < len(self.nodes) else None


def has_parts(node: Node | None) -> bool:
    """Whether an initialiser is one of a structure or an array, and of nothing else."""
    if node is None or node.type != "initializer_list":
        return False
    parts = elements(node)
    return len(parts) > 1 or any(each.type in ("initializer_pair", "initializer_list") for each in parts)


def initial(body: Body, kind: CType, node: Node) -> Operand:
    """The value of an initialiser of what has a type."""
    if node.type != "initializer_list":
        outer = body.frame
        listed = body.listed(node)
        if listed is not None:
            found = initial(body, kind, listed)
            body.frame = outer
            return found
        if kind.array and node.type in _TEXTS:
            return body.builder.give("allocate", body.kinds.type(kind), (body.value(node),), span=body.at(node))
        return body.fit(body.expression(node), kind, node)
    inside = elements(node)
    if not is_whole(kind) and (kind != UNKNOWN and (kind.levels or kind.arithmetic)):  # `int *p = { 0 }`
        return initial(body, kind, inside[0]) if inside else OTHER
    return _made(body, kind, _Items(inside), node, braced=True)


def _made(body: Body, kind: CType, items: _Items, node: Node, *, braced: bool) -> Operand:
    """A new object, of the initialisers that it takes. braced: whether it takes all of them."""
    if kind.array:
        return _array(body, kind, items, node)
    fields = list(body.kinds.fields(kind).items())
    if kind.base.startswith("union"):
        fields = fields[:1]
    if not fields and not any(each.type == "initializer_pair" for each in items.nodes):
        values = tuple(body.value(each) for each in items.nodes)
        items.at = len(items.nodes)
        return body.builder.give("allocate", body.kinds.type(kind), values, span=body.at(node))
    made = body.new("zero", kind, body.at(node))
    positions: dict[str, int] = {}
    number = 0
    while (item := items.next()) is not None and (braced or number < len(fields)):
        if item.type == "initializer_pair":
            if not braced:
                break
            items.at += 1
            first = _designated(body, made, kind, item)
            positions = positions or {name: position for position, (name, _) in enumerate(fields)}
            number = positions.get(first, len(fields)) + 1
            continue
        name, declared = fields[number] if number < len(fields) else ("", UNKNOWN)
        number += 1
        value = _part(body, body.kinds.resolve(declared), items)
        if name:
            body.builder.do("store", made, name, value, span=body.at(item))
    return made


def _array(body: Body, kind: CType, items: _Items, node: Node) -> Operand:
    """A new array: of the initialisers in their order, up to the first that says where it belongs."""
    element = body.kinds.element(kind)
    values: list[Operand] = []
    while (item := items.next()) is not None and item.type != "initializer_pair":
        values.append(_part(body, element, items))
    made = body.builder.give("allocate", body.kinds.type(kind), tuple(values), span=body.at(node))
    while (item := items.next()) is not None:
        if item.type == "initializer_pair":
            items.at += 1
            _designated(body, made, kind, item)
        else:  # behind one that says where it belongs
            body.builder.do("put", made, OTHER, _part(body, element, items), span=body.at(item))
    return made


def _part(body: Body, kind: CType, items: _Items) -> Operand:
    """The next initialiser, of what has a type: where its braces are left out, it takes several."""
    item = items.next()
    assert item is not None
    if is_record(kind) and item.type != "initializer_list":
        outer = body.frame
        listed = body.listed(item)
        body.frame = outer
        if listed is not None:
            items.at += 1
            return initial(body, kind, item)
        if not body.kinds.fields(kind) or not _is_scalar(item):
            items.at += 1
            return body.fit(body.expression(item), kind, item)
        return _made(body, kind, items, item, braced=False)
    items.at += 1
    return initial(body, kind, item)


def _is_scalar(node: Node) -> bool:
    """Whether an expression shows that it is no structure."""
    return node.type not in ("identifier", "call_expression", "compound_literal_expression", "cast_expression") and (
        not node.type.endswith(("field_expression", "subscript_expression", "pointer_expression"))
    )


def _designated(body: Body, made: Operand, kind: CType, pair: Node) -> str:
    """`.name[1] = value`: stored where it says; returns the name of the first member."""
    *path, last = pair.children_by_field_name("designator")
    value_node = pair.child_by_field_name("value")
    build, at = body.builder, body.at(pair)
    base = made
    for part in path:
        if part.type == "field_designator":
            name = _field(part)
            base, kind = build.give("interior", base, name, span=at), body.kinds.field(kind, name)
        else:
            base, kind = build.give("offset", base, _index(body, part), span=at), body.kinds.element(kind)
    first = (path or [last])[0]
    if last.type == "field_designator":
        name = _field(last)
        value = initial(body, body.kinds.field(kind, name), value_node) if value_node is not None else OTHER
        build.do("store", base, name, value, span=at)
    else:
        key = _index(body, last)
        value = initial(body, body.kinds.element(kind), value_node) if value_node is not None else OTHER
        build.do("put", base, key, value, span=at)
    return _field(first)


def _field(designator: Node) -> str:
    return joined(designator).lstrip(".")


def _index(body: Body, designator: Node) -> Operand:
    inside = elements(designator)
    return body.value(inside[0]) if designator.type == "subscript_designator" and len(inside) == 1 else OTHER


@as_place("compound_literal_expression")
def compound_literal(body: Body, node: Node, use: int) -> Written:
    given, at = node.child_by_field_name("value"), body.at(node)
    kind = as_record(body.described(node.child_by_field_name("type")), has_parts(given))
    value = initial(body, kind, given) if given is not None else OTHER
    if is_whole(kind) or kind == UNKNOWN or not (kind.levels or kind.arithmetic):
        return Written("object", kind, at, value)
    held = body.builder.variable("literal.", body.kinds.type(kind))
    body.builder.set(held, value)
    return Written("variable", kind, at, name=held)


@expression("compound_literal_expression")
def value_of_literal(body: Body, node: Node) -> Typed:
    where = compound_literal(body, node, VALUE)
    value = read(body, where)
    if where.how == "object" and not where.kind.levels:
        value = body.builder.give("copy", value, span=where.at)  # what is kept of it is no address
    return value, where.kind


@expression("initializer_list")
def initializer_list(body: Body, node: Node) -> Typed:
    return initial(body, UNKNOWN, node), UNKNOWN
