"""`switch`, as a statement and as an expression: labels, patterns, guards, fall-through and `yield`."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.java import scalars, state
from pliant.extractors.java.conditions import branch
from pliant.extractors.java.declarations import Frame
from pliant.extractors.java.expressions import handles as handles_expression
from pliant.extractors.java.lowering import Lowering
from pliant.extractors.java.paths import keys_of
from pliant.extractors.java.patterns import bind_parts
from pliant.extractors.java.statements import handles
from pliant.extractors.lowering import control
from pliant.extractors.lowering.source import elements
from pliant.extractors.ssa import UNDEFINED, Block, Value


@handles("switch_expression")
def statement(lo: Lowering, node: Node) -> None:
    labels, lo.labels = lo.labels, frozenset()
    _switch(lo, node, None, labels)


@handles_expression("switch_expression")
def expression(lo: Lowering, node: Node) -> Value:
    key = lo.unique_key(node)
    after = lo.fn.new_block()
    lo.yields.append((key, after))
    _switch(lo, node, key, frozenset())
    lo.yields.pop()
    lo.fn.start(after)
    value = lo.fn.read(key)
    return value if value != UNDEFINED else lo.opaque()


@handles("yield_statement")
def yield_(lo: Lowering, node: Node) -> None:
    for child in elements(node):
        value = lo.expression(child)
        if lo.yields:
            key, after = lo.yields[-1]
            lo.fn.write(key, value)
            lo.through_finally()
            lo.fn.jump(after)


def _switch(lo: Lowering, node: Node, key: str | None, labels: frozenset[str]) -> None:
    condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
    if condition is None:
        return
    subject = lo.expression(condition)
    groups = [child for child in elements(body) if child.type in ("switch_rule", "switch_block_statement_group")]
    labelled = [(group, [child for child in group.children if child.type == "switch_label"]) for group in groups]
    taken = _taken(condition, labelled)
    takes_null = any(_has_null(label) for _, of_group in labelled for label in of_group)
    keys = keys_of(lo, condition)
    if not takes_null:
        lo.dereference(subject, "switch", "switch", condition, keys)
    if not lo.fn.reachable():
        return
    state.asked(lo, subject)
    root = lo.fn.root(subject)

    def enter(of_group: list[Node]) -> Block | None:
        if taken and of_group not in taken:
            lo.fn.stop()
            return None
        null = any(_has_null(label) for label in of_group)
        others = any(child.type == "default" or not _has_null(label) for label in of_group for child in label.children)
        if takes_null and not null:
            lo.refine([(path, root, True) for path in keys])
        elif null and not others:
            lo.refine([(path, root, False) for path in keys])
        refused = None
        for label in of_group:
            for child in elements(label):
                if child.type == "pattern":
                    bind_parts(lo, child, subject)
                elif child.type == "guard":
                    for test in elements(child)[:1]:
                        lo.fn.block, refused = branch(lo, test)
        return refused

    def run(group: Node) -> None:
        arrow = group.type == "switch_rule"
        for child in elements(group):
            if child.type == "switch_label":
                continue
            if arrow and child.type == "expression_statement" and key is not None and elements(child):
                value = lo.expression(elements(child)[0])
                lo.fn.write(key, value)
                lo.fn.jump(lo.yields[-1][1])
            else:
                lo.statement(child)

    cases = []
    exhaustive = key is not None or bool(taken)
    for group, of_group in labelled:
        exhaustive = exhaustive or any(
            (child.type in ("default", "pattern") or child.text == b"default")
            for label in of_group
            for child in label.children
        )
        cases.append(
            control.Case(lambda of_group=of_group: enter(of_group), lambda group=group: run(group))  # type: ignore[misc]
        )
    lo.frame = Frame(lo.frame)
    falls_through = any(group.type == "switch_block_statement_group" for group in groups)
    control.switch(lo, cases, falls_through=falls_through, exhaustive=exhaustive, labels=labels, breaks=key is None)
    lo.frame = lo.frame.outer or lo.frame


def _taken(condition: Node, labelled: list[tuple[Node, list[Node]]]) -> list[list[Node]]:
    """The labels of the group that a switch over a number goes to; empty where that is not known."""
    subject = scalars.number(condition)
    if subject is None:
        return []
    numbers = [[scalars.number(child) for label in of_group for child in elements(label)] for _, of_group in labelled]
    if any(number is None for of_group in numbers for number in of_group):
        return []
    meant = [of_group for (_, of_group), known in zip(labelled, numbers, strict=True) if subject in known]
    return meant or [of_group for _, of_group in labelled if any(_is_default(label) for label in of_group)]


def _is_default(label: Node) -> bool:
    return any(child.type == "default" for child in label.children)


def _has_null(label: Node) -> bool:
    return any(child.type == "null_literal" for child in label.children)
