"""`try`, with what it catches, closes and does at last."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from pliant.extractors.ir.builder import Place
from pliant.extractors.ir.flow import Part
from pliant.extractors.ir.operands import Operand, Predicate
from pliant.extractors.java.translation.body import Body, statement
from pliant.extractors.java.translation.types_of import type_of
from pliant.extractors.java.types import erased
from pliant.extractors.lowering.source import elements, span, text


@statement("try_statement", "try_with_resources_statement")
def try_(body: Body, node: Node) -> None:
    clauses = [child for child in node.children if child.type == "catch_clause"]
    final = next((child for child in node.children if child.type == "finally_clause"), None)
    resources = elements(node.child_by_field_name("resources"))

    def tried() -> None:
        with body.scope():
            _with(body, iter(resources), node.child_by_field_name("body"))

    def guarded() -> None:
        _caught(body, tried, clauses)

    inside = guarded if clauses else tried
    if final is None:
        inside()
    else:
        run = next(iter(elements(final)), None)
        body.flow.finally_(inside, lambda: body.block(run))


def _with(body: Body, resources: Iterator[Node], run: Node | None) -> None:
    """The body of a `try`, inside what opens and closes the resources that are left."""
    if (first := next(resources, None)) is None:
        body.block(run)
        return
    build = body.builder
    name, value = first.child_by_field_name("name"), first.child_by_field_name("value")
    declared = body.type(first.child_by_field_name("type"))
    given = body.expression(value) if value is not None else body.expression(next(iter(elements(first)), None))
    if name is not None and value is not None:
        written = first.child_by_field_name("type")
        inferred = written is None or text(written) == "var"
        held = body.declare(name, type_of(body, value) if inferred else declared, given).variable
    else:
        held = build.variable("resource.", declared)
        build.set(held, given)

    def close() -> None:
        there, after = build.block(), build.block()
        build.branch(Predicate("null", (build.get(held),)), after, there)
        build.start(there)
        build.invoke(build.get(held), "close", [], span(first))
        build.jump(after)
        build.start(after)

    body.flow.finally_(lambda: _with(body, resources, run), close)


def _caught(body: Body, tried: Part, clauses: list[Node]) -> None:
    build = body.builder
    handler, after = build.block(), build.block()
    with build.handled(handler):
        tried()
    build.jump(after)
    build.start(handler)
    held = build.variable("raised.")
    build.set(held, build.give("caught", ()))
    for clause in clauses:
        following = _clause(body, clause, held)
        build.jump(after)
        build.start(following)
    build.do("raise", build.get(held))
    build.start(after)


def _clause(body: Body, clause: Node, held: str) -> Place:
    """A clause; returns the block where control goes on if it does not catch what was raised."""
    build = body.builder
    run, following = build.block(), build.block()
    parameter = next((each for each in elements(clause) if each.type == "catch_formal_parameter"), None)
    caught = next((each for each in elements(parameter) if each.type == "catch_type"), None)
    kinds = [each for each in elements(caught) if "annotation" not in each.type]
    predicate: Predicate | None = None
    for each in kinds:
        one = Predicate("is", (build.get(held), body.type(each)))
        predicate = one if predicate is None else Predicate("or", (predicate, one))
    if predicate is None:
        build.jump(following)
        return following
    build.branch(predicate, run, following)
    build.start(run)
    classes: tuple[Operand, ...] = tuple(body.type_value(erased(each), span(each)) for each in kinds)
    name = parameter.child_by_field_name("name") if parameter is not None else None
    with body.scope():
        if name is not None:
            body.declare(name, body.type(kinds[0]), build.give("caught", classes, span=span(name)))
        body.block(clause.child_by_field_name("body"))
    return following
