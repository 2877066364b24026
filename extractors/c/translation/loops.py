"""Loops, also those that a macro of another file makes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import ge, gt, le, lt, ne

from tree_sitter import Node

from pliant.extractors.c.translation.body import Body, statement
from pliant.extractors.c.translation.conditions import branch
from pliant.extractors.c.translation.literals import constant
from pliant.extractors.c.translation.places import place, write
from pliant.extractors.ir.builder import Place
from pliant.extractors.ir.operands import OTHER
from pliant.extractors.lowering.source import elements, text
from pliant.extractors.lowering.trees import operator_of

_COMPARED: dict[str, Callable[[int, int], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge, "!=": ne}


@statement("while_statement", "do_statement")
def while_(body: Body, node: Node) -> None:
    condition, inside = node.child_by_field_name("condition"), node.child_by_field_name("body")
    if node.start_byte in body.file.loops and body.frame is None and condition is not None:
        _made_by_a_macro(body, condition, inside)
        return
    if node.type == "do_statement" and condition is not None and constant(body, condition) == 0:
        body.flow.once(partial(body.scoped, inside))
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
        body_first=_runs(body, first, condition),
    )
    body.close()


def _runs(body: Body, first: Node | None, condition: Node | None) -> bool:
    """Whether a loop runs at least once, by the numbers that stand there: `for (i = 0; i < 8; i++)`."""
    if first is None or condition is None or operator_of(condition) not in _COMPARED:
        return False
    started = first.child_by_field_name("declarator") if first.type == "declaration" else first
    if started is None or started.type not in ("init_declarator", "assignment_expression"):
        return False
    name = started.child_by_field_name("declarator" if started.type == "init_declarator" else "left")
    given = constant(body, started.child_by_field_name("value" if started.type == "init_declarator" else "right"))
    left, right = condition.child_by_field_name("left"), condition.child_by_field_name("right")
    if name is None or left is None or left.type != "identifier" or text(left) != text(name):
        return False
    end = constant(body, right)
    return given is not None and end is not None and _COMPARED[operator_of(condition)](given, end)


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
