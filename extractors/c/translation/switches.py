"""Switches: cases are labels, and what is before one falls through to it."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.c.translation.body import Body, statement
from pliant.extractors.c.translation.literals import constant
from pliant.extractors.ir.builder import Place
from pliant.extractors.ir.operands import Constant, Operand, Predicate
from pliant.extractors.lowering.source import elements

_Known = list[tuple[Constant, Place]]


@statement("switch_statement")
def switch(body: Body, node: Node) -> None:
    """The body stands first, which says where the cases are; then comes what is asked."""
    build = body.builder
    condition, inside = node.child_by_field_name("condition"), node.child_by_field_name("body")
    asked, ask = body.value(condition), build.block()
    build.jump(ask)

    def run(after: Place) -> None:
        body.cases.append([])
        body.scoped(inside)
        build.jump(after)
        build.start(ask)
        _ask(body, asked, after)

    body.flow.breakable(run)


def _ask(body: Body, asked: Operand, after: Place) -> None:
    """Lead to the cases of the switch that ends here."""
    build, outer = body.builder, body.frame
    cases, other = body.cases.pop(), after
    known: _Known = []
    numbers: set[int] = set()
    for node, frame, place in cases:
        body.frame = frame
        value = node.child_by_field_name("value")
        number = constant(body, value) if not _is_range(node) else None
        if value is None:
            other = place
        elif number is not None and number not in numbers:
            numbers.add(number)
            known.append((Constant("integer", number), place))
        elif number is None:
            following = build.block()
            build.branch(_asks(body, asked, node), place, following, body.at(node))
            build.start(following)
    body.frame = outer
    if known:
        build.switch(asked, known, other)
    else:
        build.jump(other)


def _is_range(node: Node) -> bool:
    """GNU: `case 1 ... 5`, which the grammar does not know."""
    return any(child.type == "ERROR" for child in node.children[:3])


def _asks(body: Body, asked: Operand, node: Node) -> Predicate:
    first = body.value(node.child_by_field_name("value"))
    if not _is_range(node):
        return Predicate("==", (asked, first))
    error = next(child for child in node.children if child.type == "ERROR")
    ends = elements(error)
    least = Predicate("<=", (first, asked))
    return Predicate("and", (least, Predicate("<=", (asked, body.value(ends[-1]))))) if ends else least


@statement("case_statement")
def case(body: Body, node: Node) -> None:
    build = body.builder
    value = node.child_by_field_name("value")
    if body.cases:
        place = build.block()
        build.jump(place)
        build.start(place)
        body.cases[-1].append((node, body.frame, place))
    for child in elements(node):
        if child != value and child.type != "ERROR":
            body.statement(child)
