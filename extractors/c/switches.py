"""Switches: cases are labels, entered from the head or from what is before them."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from pliant.extractors.c import comparisons, forms, spreads
from pliant.extractors.c.comparisons import Compared
from pliant.extractors.c.entities import Choice, Form
from pliant.extractors.c.lowering import Lowering, statement
from pliant.extractors.c.statements import scoped
from pliant.extractors.lowering.base import Jump
from pliant.extractors.lowering.ranges import meet, point
from pliant.extractors.lowering.source import elements


@statement("switch_statement")
def switch(lo: Lowering, node: Node) -> None:
    """Cases are labels: each is entered from the head, or from what is before it."""
    condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
    fn = lo.fn
    chosen = None
    if condition is not None and fn.reachable():
        lo.expression(condition)
        chosen = forms.form(lo, condition)
    if chosen is None or body is None:
        lo.chosen.append(None)
    else:
        labels = [forms.constant(lo, label) for label in _labels(body) if label is not None]
        lo.chosen.append(Choice(chosen, spreads.spread(lo, chosen), labels))
    after = fn.new_block()
    head = fn.here()
    lo.jumps.append(Jump(after))
    lo.switches.append(head)
    lo.defaults.append(False)
    fn.start(fn.new_block())  # nothing runs before the first case
    if body is not None:
        scoped(lo, body)
    lo.jumps.pop()
    lo.switches.pop()
    last = lo.chosen.pop()
    exhausted = lo.defaults.pop() or (last is not None and last.exhausted)
    if not exhausted and fn.reachable(head.block):
        fn.edge(head.block, after)
    fn.jump(after)
    fn.start(after)
    fn.joins(after, head)


@statement("case_statement")
def case(lo: Lowering, node: Node) -> None:
    fn = lo.fn
    value = node.child_by_field_name("value")
    if lo.switches:
        head = lo.switches[-1]
        if value is None:
            lo.defaults[-1] = True
        entered = [head.block] if _led(lo, value) else []
        sources = [block for block in (*entered, fn.block) if fn.reachable(block)]
        fn.enter(head)
        fn.start(fn.new_block(*dict.fromkeys(sources)))
        fn.joins(fn.block, head)
        chosen = lo.chosen[-1]
        number = forms.constant(lo, value) if chosen is not None and value is not None else None
        if chosen is not None and number is not None and sources == [head.block]:
            comparisons.show(lo, Compared(Form(chosen.form.terms, chosen.form.constant - number), "=="), True)
    for child in elements(node):
        if child != value:
            lo.statement(child)


def _labels(node: Node) -> Iterator[Node | None]:
    """What the cases of a switch are for; None for the default."""
    todo = node.named_children[::-1]
    while todo:
        child = todo.pop()
        if child.type == "case_statement":
            yield child.child_by_field_name("value")
        if child.type != "switch_statement":
            todo += child.named_children[::-1]


def _led(lo: Lowering, label: Node | None) -> bool:
    """Whether the innermost switch may lead to the case with that label; to its default, without one."""
    chosen = lo.chosen[-1]
    if chosen is None:
        return True
    if label is None:
        return not chosen.exhausted
    number = forms.constant(lo, label)
    return number is None or bool(meet(chosen.range, point(number)))
