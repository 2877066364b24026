"""Loops: what is known of a condition before they run, and variables that they only make larger."""

from __future__ import annotations

import math

from tree_sitter import Node

from pliant.extractors.c import comparisons, spreads
from pliant.extractors.c.conditions import branch
from pliant.extractors.c.entities import Variable
from pliant.extractors.c.lowering import Lowering, statement
from pliant.extractors.c.operands import literal_number
from pliant.extractors.c.places import operator_of, place_of
from pliant.extractors.c.statements import scoped
from pliant.extractors.lowering import control
from pliant.extractors.lowering.base import Jump
from pliant.extractors.lowering.ranges import EVERYTHING, Number, meet
from pliant.extractors.lowering.source import elements, text
from pliant.extractors.ssa import UNDEFINED, Block, Key


@statement("while_statement")
def while_(lo: Lowering, node: Node) -> None:
    condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
    if condition is None:
        return
    if node.start_byte in lo.loops:
        macro_loop(lo, condition, body)
        return
    runs = foreseen(lo, condition, node)
    if runs is not False:
        control.loop(
            lo, lambda: branch(lo, condition), lambda: scoped(lo, body), kept=lo.unwritten(node), body_first=bool(runs)
        )


def foreseen(lo: Lowering, condition: Node, loop: Node) -> bool | None:
    """Whether a loop runs at least once, or never, as far as that is known before it."""
    if not lo.fn.reachable():
        return None
    runs = comparisons.foreseen(lo, condition)
    return runs if runs or not lo.has_landmark(loop) else None


def macro_loop(lo: Lowering, head: Node, body: Node | None) -> None:
    """A loop that a macro makes: each of its arguments that is a variable may get a value for each round."""
    variables = [child for child in _leaves(head) if child.type == "identifier"]

    def bind() -> None:
        for child in variables:
            place = place_of(lo, child)
            if place.variable is not None and not place.variable.cell and not lo.in_memory_whole(place.variable):
                lo.write(place, lo.fn.unnamed(), child)

    lo.writer.unmodelled("loop made by a macro")
    control.each(lo, bind, lambda: scoped(lo, body))


def _leaves(node: Node) -> list[Node]:
    found, todo = list[Node](), [node]
    while todo:
        node = todo.pop()
        if node.type in ("parenthesized_expression", "comma_expression"):
            todo += elements(node)[::-1]
        else:
            found.append(node)
    return found


@statement("do_statement")
def do(lo: Lowering, node: Node) -> None:
    condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
    if condition is None:
        return
    if literal_number(lo, condition) == 0 and lo.fn.reachable():  # `do { ... } while (0)`
        here, after = lo.fn.here(), lo.fn.new_block()
        lo.jumps.append(Jump(after, after))
        scoped(lo, body)
        lo.jumps.pop()
        lo.fn.jump(after)
        lo.fn.start(after)
        lo.fn.joins(after, here)
        return
    control.loop(lo, lambda: branch(lo, condition), lambda: scoped(lo, body), body_first=True, kept=lo.unwritten(node))


@statement("for_statement")
def for_(lo: Lowering, node: Node) -> None:
    first, condition = node.child_by_field_name("initializer"), node.child_by_field_name("condition")
    step, body = node.child_by_field_name("update"), node.child_by_field_name("body")
    lo.scopes.open()
    if first is not None:
        if first.type == "declaration":
            lo.statement(first)
        else:
            lo.expression(first)
    runs = foreseen(lo, condition, node) if condition is not None else None
    if runs is not False:
        least = _least(lo, step, body) if step is not None and body is not None else {}

        def tested(condition: Node) -> tuple[Block, Block]:
            if not runs:
                _rise(lo, least)
            return branch(lo, condition)

        def run() -> None:
            if runs or condition is None:
                _rise(lo, least)
            scoped(lo, body)

        control.loop(
            lo,
            (lambda: tested(condition)) if condition is not None else None,
            run,
            step=(lambda: _void(lo, step)) if step is not None else None,
            kept=lo.unwritten(node),
            body_first=bool(runs),
        )
    lo.scopes.close()


def _least(lo: Lowering, step: Node, body: Node) -> dict[Key, Number]:
    """Variables that a loop only makes larger, and what they are at first at least."""
    written = lo.written_in([(body.start_byte, body.end_byte)]) if lo.frame is None else None
    found: dict[Key, Number] = {}
    for child in _leaves(step):
        variable = _raised(lo, child)
        if variable is not None and written is not None and variable.name not in written:
            value = lo.fn.read(variable.key)
            found[variable.key] = spreads.of_term(lo, value, spreads.DEPTH)[0][0] if value != UNDEFINED else -math.inf
    return found


def _raised(lo: Lowering, node: Node) -> Variable | None:
    """The variable of `i++` or `i += 2`."""
    subject = node.child_by_field_name("argument") or node.child_by_field_name("left")
    if subject is None or subject.type != "identifier":
        return None
    if node.type == "assignment_expression":
        by = node.child_by_field_name("right")
        number = literal_number(lo, by) if by is not None and operator_of(node) == "+=" else None
        rises = number is not None and number > 0
    else:
        rises = node.type == "update_expression" and operator_of(node) == "++"
    variable = lo.variable(text(subject))
    if not rises or variable is None or variable.cell or variable.address is not None:
        return None
    return variable


def _rise(lo: Lowering, least: dict[Key, Number]) -> None:
    """At the head of a loop: variables that it only makes larger are not less than they were at first."""
    for key, number in least.items():
        value = lo.fn.read(key)
        if number > -math.inf and value not in (UNDEFINED, lo.fn.opaque):
            lo.ranges[value] = meet(lo.ranges.get(value, EVERYTHING), ((number, math.inf),)) or ((number, math.inf),)


def _void(lo: Lowering, node: Node) -> None:
    lo.expression(node)
