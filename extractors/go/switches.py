"""Switches over values and types, and `select`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tree_sitter import Node

from pliant.extractors.go.assignments import bind, several
from pliant.extractors.go.body import Body
from pliant.extractors.go.conditions import condition, of_length
from pliant.extractors.go.expressions import typed, value
from pliant.extractors.go.statements import handles, statement, statements
from pliant.extractors.go.types import written
from pliant.extractors.ir.builder import Place
from pliant.extractors.ir.operands import Predicate, Type
from pliant.extractors.lowering.source import elements, span, text

_CASES = frozenset(("expression_case", "type_case", "communication_case", "default_case"))
Case = tuple[Node, Place]  # and the block of its body


def _switch(
    body: Body, node: Node, ask: Callable[[Sequence[Case], Place], None], enter: Callable[[Case], None] | None = None
) -> None:
    """Ask which case applies, and run its body. ask: gets the cases, and where control goes if none applies. enter:
    what the body of a case begins with, in its own scope."""
    build, outer = body.build, body.next_case
    cases = [(each, build.block()) for each in elements(node) if each.type in _CASES]

    def run(after: Place) -> None:
        ask(cases, next((place for each, place in cases if each.type == "default_case"), after))
        for number, (case, place) in enumerate(cases):
            body.next_case = cases[number + 1][1] if number + 1 < len(cases) else None
            build.start(place)
            with body.scope():
                if enter is not None:
                    enter((case, place))
                for each in elements(case):
                    if each.type == "statement_list":
                        statements(body, each)
            build.jump(after)

    with body.scope():
        labels = body.take_label()
        if (first := node.child_by_field_name("initializer")) is not None:
            statement(body, first)
        body.flow.breakable(run, labels)
    body.next_case = outer


@handles("expression_switch_statement")
def switch(body: Body, node: Node) -> None:
    build, tag_node = body.build, node.child_by_field_name("value")

    def ask(cases: Sequence[Case], other: Place) -> None:
        tag = body.held("tag", tag_node, typed(body, tag_node)) if tag_node is not None else ""
        for case, place in cases:
            for asked in elements(case.child_by_field_name("value")):
                following = build.block()
                if tag_node is None:
                    condition(body, asked, place, following)
                elif asked.type == "nil":
                    build.branch(Predicate("null", (build.get(tag),)), place, following, span(asked))
                else:
                    wanted = value(body, asked)
                    test = Predicate("==", (build.get(tag), wanted))
                    test = of_length(body, test, "==", tag_node, wanted, first=True)
                    build.branch(test, place, following, span(asked))
                build.start(following)
        build.jump(other)

    _switch(body, node, ask)


@handles("type_switch_statement")
def type_switch(body: Body, node: Node) -> None:
    build, alias = body.build, node.child_by_field_name("alias")
    name = text(alias) if alias is not None else "_"
    types: dict[Place, list[Type | None]] = {}  # None: the case is for nil
    subject: list[tuple[str, Type]] = []

    def ask(cases: Sequence[Case], other: Place) -> None:
        found = typed(body, node.child_by_field_name("value"))
        held = body.held("subject", node.child_by_field_name("value"), found)
        subject.append((held, found[1]))
        for case, place in cases:
            types[place] = []
            for asked in [each for each in case.children_by_field_name("type") if each.is_named]:
                wanted = None if text(asked) == "nil" else written(asked, body)
                types[place].append(wanted)
                following, of = build.block(), build.get(held)
                test = Predicate("null", (of,)) if wanted is None else Predicate("is", (of, wanted))
                build.branch(test, place, following, span(asked))
                build.start(following)
        build.jump(other)

    def enter(case: Case) -> None:
        [(variable, kind)] = subject
        held, of = build.get(variable), types[case[1]]
        if len(of) == 1 and of[0] is not None:
            kind = of[0]
            held = build.give("convert", held, kind, "asserted", span=span(case[0]))
        body.declare(name, kind, held)

    _switch(body, node, ask, enter if name != "_" else None)


@handles("select_statement")
def select(body: Body, node: Node) -> None:
    def ask(cases: Sequence[Case], other: Place) -> None:
        if cases:
            body.build.choose([place for _, place in cases])
        else:
            body.flow.loop(None, lambda: None)  # waits for ever

    def enter(case: Case) -> None:
        what = case[0].child_by_field_name("communication")
        if what is None or what.type == "send_statement":
            if what is not None:
                statement(body, what)
            return
        left, right = elements(what.child_by_field_name("left")), what.child_by_field_name("right")
        found = several(body, [right], max(1, len(left))) if right is not None else []
        new = any(each.type == ":=" for each in what.children)
        bind(body, left, found, [None] * len(left), new=new)

    _switch(body, node, ask, enter)
