"""Statements: each handler lowers its node into the current block."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.c import results, unread
from pliant.extractors.c.conditions import CONDITIONS, decide
from pliant.extractors.c.lowering import Lowering, statement
from pliant.extractors.c.places import stripped
from pliant.extractors.lowering import control
from pliant.extractors.lowering.source import elements, text
from pliant.extractors.ssa import Block, Value


@statement("translation_unit", "declaration_list")
def several(lo: Lowering, node: Node) -> None:
    lo.block(node)


@statement("compound_statement")
def compound(lo: Lowering, node: Node) -> None:
    lo.scopes.open()
    lo.block(node)
    lo.scopes.close()


@statement("expression_statement")
def expression_statement(lo: Lowering, node: Node) -> None:
    for child in elements(node):
        lo.discarded.add(child.id)
        value = lo.expression(child)
        if child.type == "call_expression":
            unread.dropped(lo, child, value)
        elif child.type == "assignment_expression":
            unread.stored(lo, child)
        made = stripped(child).type in ("call_expression", "comma_expression") and value in lo.call_info
        if made and lo.fn.reachable():
            lo.behind(value)
            returned(lo, value)


def returned(lo: Lowering, call: Value) -> None:
    """`call` has come back: its arguments are what they are wherever it is left."""
    results.known(lo, call, results.EVERY, {})


@statement("attributed_statement")
def attributed(lo: Lowering, node: Node) -> None:
    for child in elements(node):
        if child.type != "attribute_declaration":
            lo.statement(child)


# Branches.


@statement("if_statement")
def if_(lo: Lowering, node: Node) -> None:
    arms: list[control.Arm] = []
    otherwise: Node | None = None
    current: Node | None = node
    while current is not None:
        condition, consequence = current.child_by_field_name("condition"), current.child_by_field_name("consequence")
        if condition is None:
            break
        arms.append(_arm(lo, condition, consequence))
        alternative = current.child_by_field_name("alternative")
        current = None
        if alternative is not None:
            inner = elements(alternative) if alternative.type == "else_clause" else [alternative]
            if inner and inner[0].type == "if_statement":
                current = inner[0]
            elif inner:
                otherwise = inner[0]
    if not lo.fn.reachable() and arms:  # labels inside are reached from elsewhere
        for part in (node.child_by_field_name("consequence"), node.child_by_field_name("alternative")):
            if part is not None:
                lo.statement(part)
        return
    last = otherwise
    control.if_(lo, arms, (lambda: scoped(lo, last)) if last is not None else None)


def _arm(lo: Lowering, condition: Node, consequence: Node | None) -> control.Arm:
    return control.Arm(
        lambda: decide(lo, condition), lambda: scoped(lo, consequence), lambda: CONDITIONS.test(lo, condition)
    )


def scoped(lo: Lowering, node: Node | None) -> None:
    if node is not None and node.type == "compound_statement":  # which has a scope of its own
        lo.statement(node)
    elif node is not None:
        lo.scopes.open()
        lo.statement(node)
        lo.scopes.close()


@statement("else_clause")
def else_clause(lo: Lowering, node: Node) -> None:
    for child in elements(node):
        lo.statement(child)


# Jumps.


@statement("break_statement")
def break_(lo: Lowering, node: Node) -> None:
    control.jump(lo, again=False)
    lo.fn.stop()


@statement("continue_statement")
def continue_(lo: Lowering, node: Node) -> None:
    control.jump(lo, again=True)
    lo.fn.stop()


@statement("labeled_statement")
def labeled(lo: Lowering, node: Node) -> None:
    label = node.child_by_field_name("label")
    if label is not None:
        fn, name = lo.fn, text(label)
        block = _label(lo, name)
        if not fn.sealed(block):  # of two labels of one name, gotos lead to the first
            if fn.reachable():
                fn.edge(fn.block, block)
            fn.enter()
            fn.block = block
            if lo.jumps_to.get(name, 0) <= 0:
                fn.seal(block)
    for child in elements(node):
        if child != label:
            lo.statement(child)


def _label(lo: Lowering, name: str) -> Block:
    block = lo.labels.get(name)
    if block is None:
        block = lo.labels[name] = lo.fn.new_block()
    return block


@statement("goto_statement")
def goto(lo: Lowering, node: Node) -> None:
    label = node.child_by_field_name("label")
    name = text(label) if label is not None else ""
    if name in lo.jumps_to and lo.frame is None and not lo.fn.sealed(_label(lo, name)):
        lo.jumps_to[name] -= 1
        lo.fn.jump(_label(lo, name))
    elif name:
        lo.writer.unmodelled("goto a label that is not in the function")
    lo.fn.stop()


@statement("seh_try_statement", "seh_leave_statement")
def seh(lo: Lowering, node: Node) -> None:
    lo.writer.unmodelled(node.type)
    for child in elements(node):
        lo.statement(child)
