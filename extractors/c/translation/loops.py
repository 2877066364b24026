"""Loops, also those that a macro of another file makes."""

from __future__ import annotations

from functools import partial

from tree_sitter import Node

from pliant.extractors.c.translation.body import Body, statement
from pliant.extractors.c.translation.conditions import branch
from pliant.extractors.c.translation.places import place, write
from pliant.extractors.ir.builder import Place
from pliant.extractors.ir.operands import OTHER
from pliant.extractors.lowering.source import elements


@statement("while_statement", "do_statement")
def while_(body: Body, node: Node) -> None:
    condition, inside = node.child_by_field_name("condition"), node.child_by_field_name("body")
    if node.start_byte in body.file.loops and body.frame is None and condition is not None:
        _made_by_a_macro(body, condition, inside)
        return
    body.flow.loop(
        partial(branch, body, condition), partial(body.scoped, inside), body_first=node.type == "do_statement"
    )


@statement("for_statement")
def for_(body: Body, node: Node) -> None:
    first, condition = node.child_by_field_name("initializer"), node.child_by_field_name("condition")
    step = node.child_by_field_name("update")
    body.open()
    if first is not None:
        body.statement(first)
    body.flow.loop(
        partial(branch, body, condition) if condition is not None else None,
        partial(body.scoped, node.child_by_field_name("body")),
        step=(lambda: void(body, step)) if step is not None else None,
    )
    body.close()


def void(body: Body, node: Node) -> None:
    body.expression(node)


def _made_by_a_macro(body: Body, head: Node, inside: Node | None) -> None:
    """Each argument that is a variable may get a value for each round."""
    leaves: list[Node] = []
    todo = [head]
    while todo:
        node = todo.pop()
        if node.type in ("parenthesized_expression", "comma_expression"):
            todo += elements(node)[::-1]
        else:
            leaves.append(node)

    def choose(on: Place, behind: Place) -> None:
        body.builder.choose([on, behind])

    def round_() -> None:
        for node in leaves:
            if node.type == "identifier":
                where = place(body, node)
                if where.how == "variable":
                    write(body, where, OTHER)
        body.scoped(inside)

    for node in leaves:
        if node.type != "identifier":
            body.expression(node)
    body.unmodelled("loop made by a macro")
    body.flow.loop(choose, round_)
