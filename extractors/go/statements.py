"""Statements, one handler each; those with bodies of their own are in `loops` and `switches`."""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from pliant.extractors.go import assignments, calls
from pliant.extractors.go.body import Body
from pliant.extractors.go.conditions import condition
from pliant.extractors.go.expressions import fitting, value
from pliant.extractors.go.types import type_parameters
from pliant.extractors.ir.builder import Place
from pliant.extractors.ir.operands import ANY
from pliant.extractors.lowering.source import COMMENTS, elements, only, span, text

Handler = Callable[[Body, Node], None]
HANDLERS: dict[str, Handler] = {}
_NOTHING = frozenset(("empty_statement", "ERROR", *COMMENTS))


def handles(*kinds: str) -> Callable[[Handler], Handler]:
    """Registers what translates the nodes of these types."""

    def register(handler: Handler) -> Handler:
        HANDLERS.update(dict.fromkeys(kinds, handler))
        return handler

    return register


def statement(body: Body, node: Node) -> None:
    kind = node.type
    handler = HANDLERS.get(kind)
    if handler is not None:
        handler(body, node)
    elif kind not in _NOTHING:
        value(body, node)  # tells what is no expression either


def statements(body: Body, node: Node) -> None:
    """The statements of a list of them, in the scope that is there."""
    for child in node.named_children:
        if child.type == "statement_list":
            statements(body, child)
        else:
            statement(body, child)


def block(body: Body, node: Node | None) -> None:
    """Statements in a scope of their own."""
    if node is not None:
        with body.scope():
            statements(body, node)


HANDLERS["block"] = block


@handles("expression_statement")
def expression_statement(body: Body, node: Node) -> None:
    value(body, only(node))


HANDLERS["assignment_statement"] = assignments.assign
HANDLERS["short_var_declaration"] = assignments.define
HANDLERS["go_statement"] = calls.later


@handles("defer_statement")
def defer(body: Body, node: Node) -> None:
    body.defers = True
    calls.later(body, node)


@handles("inc_statement", "dec_statement")
def step(body: Body, node: Node) -> None:
    assignments.step(body, only(node), "+" if node.type == "inc_statement" else "-", None)


@handles("send_statement")
def send(body: Body, node: Node) -> None:
    channel, given = node.child_by_field_name("channel"), node.child_by_field_name("value")
    body.build.give("arithmetic", "<-", (value(body, channel), value(body, given)))  # waits where the channel is nil


# Declarations.


@handles("var_declaration", "const_declaration")
def variables(body: Body, node: Node) -> None:
    for spec in specs(node):
        assignments.declare(body, spec)


def specs(node: Node) -> list[Node]:
    """The specifications of a declaration."""
    found: list[Node] = []
    for child in elements(node):
        found += elements(child) if child.type == "var_spec_list" else [child]
    return found


@handles("type_declaration")
def types(body: Body, node: Node) -> None:
    for spec in specs(node):
        declared = body.file.name_type(spec, body, body.scopes[-1], body.name)
        with body.scope():
            body.scopes[-1].update(type_parameters(spec))
            body.file.fill_type(spec, body, declared)


# Jumps.


@handles("return_statement")
def return_(body: Body, node: Node) -> None:
    build, at = body.build, span(node)
    given = elements(only(node)) if node.named_child_count else []
    if len(given) == 1 and len(body.results) > 1:
        found = value(body, given[0])
        if not (body.defers and body.named):
            build.do("exit", (found,), span=at)
            return
        values = [body.item(found, number, at) for number in range(len(body.results))]
    else:
        wanted = body.results if len(body.results) == len(given) else (ANY,) * len(given)
        values = [fitting(body, each, kind) for each, kind in zip(given, wanted, strict=True)]
    if body.named and (not values or body.defers):
        for variable, found in zip(body.named, values, strict=False):
            build.set(variable, found)
        values = [build.get(variable) for variable in body.named]
    build.do("exit", tuple(values), span=at)


def _label(node: Node) -> str:
    inner = elements(node)
    return text(inner[0]) if inner else ""


@handles("break_statement", "continue_statement")
def leave(body: Body, node: Node) -> None:
    body.flow.leave(again=node.type == "continue_statement", label=_label(node))


@handles("goto_statement")
def goto(body: Body, node: Node) -> None:
    body.build.jump(_labelled(body, _label(node)))


@handles("labeled_statement")
def labelled(body: Body, node: Node) -> None:
    name, *rest = elements(node)
    if text(name) not in body.placed:
        body.placed.add(text(name))
        place = _labelled(body, text(name))
        body.build.jump(place)
        body.build.start(place)
    for each in rest:
        body.label = text(name)
        statement(body, each)
    body.label = ""


def _labelled(body: Body, name: str) -> Place:
    if name not in body.labels:
        body.labels[name] = body.build.block()
    return body.labels[name]


@handles("fallthrough_statement")
def fall_through(body: Body, node: Node) -> None:
    if body.next_case is not None:
        body.build.jump(body.next_case)


# Conditions.


@handles("if_statement")
def if_(body: Body, node: Node | None) -> None:
    build, end, depth = body.build, body.build.block(), len(body.scopes)
    while node is not None and node.type == "if_statement":
        body.scopes.append({})
        if (first := node.child_by_field_name("initializer")) is not None:
            statement(body, first)
        yes, no = build.block(), build.block()
        condition(body, node.child_by_field_name("condition"), yes, no)
        build.start(yes)
        block(body, node.child_by_field_name("consequence"))
        build.jump(end)
        build.start(no)
        node = node.child_by_field_name("alternative")
    block(body, node)
    build.jump(end)
    build.start(end)
    del body.scopes[depth:]
