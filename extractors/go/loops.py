"""Loops: `for` with its clauses, with a condition, with nothing, and over a range."""

from __future__ import annotations

from functools import partial

from tree_sitter import Node

from pliant.extractors.go.assignments import bind
from pliant.extractors.go.body import Body, Typed
from pliant.extractors.go.conditions import condition
from pliant.extractors.go.expressions import element_type, typed
from pliant.extractors.go.statements import block, handles, statement
from pliant.extractors.go.types import target
from pliant.extractors.ir.builder import Place
from pliant.extractors.ir.operands import ANY, NUMBER, OTHER, Predicate
from pliant.extractors.lowering.source import elements, span


@handles("for_statement")
def for_(body: Body, node: Node) -> None:
    labels = body.take_label()
    inside = partial(block, body, node.child_by_field_name("body"))
    clause = next((each for each in elements(node) if each.type != "block"), None)
    with body.scope():
        if clause is not None and clause.type == "range_clause":
            _range(body, clause, inside, labels)
            return
        parts = clause if clause is not None and clause.type == "for_clause" else None
        if parts is not None:
            clause = parts.child_by_field_name("condition")
            if (first := parts.child_by_field_name("initializer")) is not None:
                statement(body, first)
        update = parts.child_by_field_name("update") if parts is not None else None
        body.flow.loop(
            partial(condition, body, clause) if clause is not None else None,
            inside,
            step=partial(statement, body, update) if update is not None else None,
            labels=labels,
        )


def _range(body: Body, clause: Node, inside: partial[None], labels: frozenset[str]) -> None:
    """How often a range goes on is not modelled: from its head control goes inside or behind."""
    found, kind = typed(body, clause.child_by_field_name("right"))
    over = body.held("range", clause.child_by_field_name("right"), (found, kind))
    sized = body.file.shape(target(body.file.underlying(kind))) in ("slice", "map", "any", "unknown")
    left = elements(clause.child_by_field_name("left"))
    new = any(each.type == ":=" for each in clause.children)

    def choose(on: Place, behind: Place) -> None:
        if sized:  # nil has no rounds
            some = body.build.block()
            body.build.branch(Predicate("null", (body.build.get(over),)), behind, some)
            body.build.start(some)
        body.build.choose([on, behind])

    def round_() -> None:
        if left:
            given = _given(body, (body.build.get(over), kind), len(left), clause)
            bind(body, left, given, [None] * len(left), new=new)
        inside()

    body.flow.loop(choose, round_, labels=labels)


def _given(body: Body, over: Typed, count: int, clause: Node) -> list[Typed]:
    """What each round of a range gives to its variables."""
    build, at = body.build, span(clause)
    base, kind = over[0], body.file.underlying(target(body.file.underlying(over[1])))
    inner = element_type(kind)
    match kind.kind:
        case "map":
            key: Typed = (build.give("next", base, "key", span=at), kind.of[0] if kind.of else ANY)
        case "channel":
            key = (build.give("next", base, "element", span=at), inner)
        case "array" | "string" | "number":
            key = (OTHER, NUMBER)
        case _:
            key = (OTHER, ANY)
    if count == 1:
        return [key]
    if kind.kind in ("string", "number"):
        return [key, (OTHER, NUMBER)]
    return [key, (build.give("next", base, "element", span=at), inner)]
