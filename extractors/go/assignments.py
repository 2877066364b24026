"""Assignments and declarations of variables in a function."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from pliant.extractors.go.body import Body, Typed
from pliant.extractors.go.expressions import either, element_type, through, typed, value
from pliant.extractors.go.names import Local
from pliant.extractors.go.places import place, read, write
from pliant.extractors.go.types import written
from pliant.extractors.ir.operands import ANY, Constant, Predicate
from pliant.extractors.lowering.source import elements, only, span, text


def assign(body: Body, node: Node) -> None:
    """`a, b = ...` and `a += ...`."""
    left, right = elements(node.child_by_field_name("left")), elements(node.child_by_field_name("right"))
    operator = node.child_by_field_name("operator")
    if operator is not None and operator.type != "=":
        if left and right:
            step(body, left[0], operator.type[:-1], right[0])
        return
    places = [place(body, each) for each in left]
    found = several(body, right, len(left))
    for where, (given, kind), at in zip(places, found, sources(right, len(left)), strict=False):
        write(body, where, body.fit(given, kind, where.type, at))


def step(body: Body, node: Node | None, operator: str, right: Node | None) -> None:
    """`a += b` and, without a right side, `a++`."""
    if node is None:
        return
    where = place(body, node)
    before, _ = read(body, where)
    operand = value(body, right) if right is not None else Constant("integer", 1)
    write(body, where, body.build.give("arithmetic", operator, (before, operand)))


def define(body: Body, node: Node) -> None:
    """`a, b := ...`: those that this block has not declared yet are new."""
    left, right = elements(node.child_by_field_name("left")), elements(node.child_by_field_name("right"))
    bind(body, left, several(body, right, len(left)), sources(right, len(left)), new=True)


def bind(
    body: Body, left: Sequence[Node], found: Sequence[Typed], sources: Sequence[Node | None], *, new: bool
) -> None:
    """Give variables their values; new: by `:=`."""
    for node, (given, kind), at in zip(left, found, sources, strict=False):
        name = text(node)
        if not new:
            where = place(body, node)
            write(body, where, body.fit(given, kind, where.type, at))
        elif name != "_":
            known = body.scopes[-1].get(name)
            if isinstance(known, Local) and known.owner == body.name:
                body.build.set(known.variable, body.fit(given, kind, known.type, at), span(node))
            else:
                body.declare(name, kind, body.fit(given, kind, kind, at), node)


def declare(body: Body, node: Node) -> None:
    """`var a, b T = ...`."""
    names = [each for each in node.children_by_field_name("name") if each.is_named]
    written_type = node.child_by_field_name("type")
    wanted = written(written_type, body) if written_type is not None else None
    right = elements(node.child_by_field_name("value"))
    if not right:
        kind = wanted or ANY
        for name in names:
            given = body.zero(kind, span(name))
            if text(name) != "_":
                body.declare(text(name), kind, given, name)
        return
    found = several(body, right, len(names))
    for name, (given, kind), at in zip(names, found, sources(right, len(names)), strict=False):
        fitted = body.fit(given, kind, wanted or kind, at)
        if text(name) != "_":
            body.declare(text(name), wanted or kind, fitted, name)


def several(body: Body, right: Sequence[Node], count: int) -> list[Typed]:
    """The values on the right side of an assignment to so many places."""
    if len(right) == 1 and count > 1:
        return _spread(body, right[0], count)
    return [typed(body, each) for each in right]


def sources(right: Sequence[Node], count: int) -> list[Node | None]:
    """The expressions that values come from, each by itself."""
    return list(right) if len(right) == count else [None] * count


def _spread(body: Body, node: Node, count: int) -> list[Typed]:
    """The several values of one expression."""
    while node.type == "parenthesized_expression" and (inner := only(node)) is not None:
        node = inner
    build, at = body.build, span(node)
    match node.type:
        case "index_expression":
            base, kind = typed(body, node.child_by_field_name("operand"))
            base, kind = through(body, base, kind, node)
            key = value(body, node.child_by_field_name("index"))
            found = either(body, None, lambda: build.give("element", base, key, span=at), element_type(kind), node)
        case "type_assertion_expression":
            base, _ = typed(body, node.child_by_field_name("operand"))
            wanted = written(node.child_by_field_name("type"), body)
            test = Predicate("is", (base, wanted))
            found = either(body, test, lambda: build.give("convert", base, wanted, "asserted", span=at), wanted, node)
        case "unary_expression" if node.children[0].type == "<-":
            base, kind = typed(body, node.child_by_field_name("operand"))
            kind = element_type(body.file.underlying(kind))
            found = either(body, None, lambda: build.give("next", base, "element", span=at), kind, node)
        case _:
            found = typed(body, node)
    results, kind = found
    types = kind.of if kind.kind == "tuple" and len(kind.of) == count else (ANY,) * count
    return [(body.item(results, number, at), types[number]) for number in range(count)]
