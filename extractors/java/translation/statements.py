"""Statements: blocks, variables, ways out, branches, loops."""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from pliant.extractors.ir.builder import Place
from pliant.extractors.ir.unit import Span
from pliant.extractors.java.translation import nulls
from pliant.extractors.java.translation.arrays import valued
from pliant.extractors.java.translation.body import Body, statement
from pliant.extractors.java.translation.classes import CLASSES
from pliant.extractors.java.translation.conditions import branch
from pliant.extractors.java.translation.creation import local_class
from pliant.extractors.java.translation.frames import Frame, Local
from pliant.extractors.java.translation.types_of import fitted, type_of
from pliant.extractors.java.translation.written import array_of, dimensions, element_of, is_primitive
from pliant.extractors.lowering.source import elements, span, text
from pliant.extractors.lowering.trees import inside


@statement(";", "import_declaration", "package_declaration")
def nothing(body: Body, node: Node) -> None:
    """Statements without effect on values."""


@statement("block")
def block(body: Body, node: Node) -> None:
    labels = body.take_label()
    if labels:
        body.flow.breakable(lambda after: body.block(node), labels, plain=False)
    else:
        body.block(node)


@statement("constructor_body")
def constructor_body(body: Body, node: Node) -> None:
    body.block(node)


@statement("expression_statement")
def expression_statement(body: Body, node: Node) -> None:
    with body.scope():
        for child in elements(node):
            body.expression(child)


@statement(*CLASSES)
def class_declaration(body: Body, node: Node) -> None:
    name = node.child_by_field_name("name")
    if name is None:
        return
    found = local_class(body, node, f"{body.function.name}.{text(name)}")
    body.frame.classes[text(name)] = found
    body.file.define(body, found)


@statement("local_variable_declaration")
def variables(body: Body, node: Node) -> None:
    declared = node.child_by_field_name("type")
    for declarator in node.children_by_field_name("declarator"):
        name, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
        kind = array_of(body.type(declared), dimensions(declarator))
        if name is None:
            continue
        if value is None:
            _said(body, node, declared, None, body.declare(name, kind))
            continue
        with body.scope():
            given = fitted(body, value, valued(body, value, kind), kind, "=")
            if declared is not None and text(declared) == "var":
                kind = type_of(body, value)
        _said(body, node, declared, value, body.declare(name, kind, given))


def _said(body: Body, node: Node, declared: Node | None, value: Node | None, local: Local) -> None:
    """Note what the declaration of a variable says of null in its type."""
    if body.file.says_null:
        inferred = declared is not None and text(declared) == "var"
        modifiers = next((each for each in node.children if each.type == "modifiers"), None)
        type_use = body.file.type_use
        said = nulls.of_expression(body, value) if inferred else nulls.written(declared, modifiers, type_use=type_use)
        nulls.declare(body, local, said)


@statement("return_statement")
def return_(body: Body, node: Node) -> None:
    build, children, at = body.builder, elements(node), span(node)
    if not children:
        body.flow.exit(lambda: build.do("exit", (), span=at))
        return
    with body.scope():
        _returned(body, children[0], at)


def _returned(body: Body, node: Node, at: Span) -> None:
    """`return a ? null : c` is two returns, so that what shows that it gives null is known there."""
    build = body.builder
    inner = inside(node)
    arms = [] if inner is None else [inner.child_by_field_name(each) for each in ("consequence", "alternative")]
    if (
        inner is not None
        and inner.type == "ternary_expression"
        and any(each is not None and each.type == "null_literal" for each in arms)
    ):
        places = build.block(), build.block()
        branch(body, inner.child_by_field_name("condition"), *places)
        for place, arm in zip(places, arms, strict=True):
            build.start(place)
            if arm is not None:
                _returned(body, arm, at)
        return
    value = fitted(body, node, body.expression(node), body.result, "return")
    if body.flow.direct:
        build.do("exit", (value,), span=at)
        return
    held = build.variable("returned.", body.result)
    build.set(held, value)
    body.flow.exit(lambda: build.do("exit", (build.get(held),), span=at))


@statement("break_statement", "continue_statement")
def jump(body: Body, node: Node) -> None:
    label = next((text(child) for child in elements(node)), "")
    body.flow.leave(again=node.type == "continue_statement", label=label)


@statement("labeled_statement")
def labeled(body: Body, node: Node) -> None:
    children = elements(node)
    if len(children) < 2:
        return
    label, inner = text(children[0]), children[-1]
    if inner.type in LABELLED:
        body.label |= {label}
        body.statement(inner)
    else:
        body.flow.breakable(lambda after: body.statement(inner), frozenset((label,)), plain=False)


LABELLED = frozenset(
    ("for_statement", "enhanced_for_statement", "while_statement", "do_statement", "labeled_statement", "block")
)


@statement("if_statement")
def if_(body: Body, node: Node) -> None:
    """What a condition binds is known behind the statement where one of its ways does not come there."""
    build = body.builder
    after, ends = build.block(), []
    hoisted: list[Frame] = []
    rest: Node | None = node
    opened = body.frame
    while rest is not None and rest.type == "if_statement":  # `else if` as often as there is
        yes, no = build.block(), build.block()
        body.frame = Frame(body.frame)
        hoisted.append(body.frame)
        branch(body, rest.child_by_field_name("condition"), yes, no)
        build.start(yes)
        with body.scope():
            body.statement(rest.child_by_field_name("consequence"))
        ends.append(build.reachable)
        build.jump(after)
        build.start(no)
        rest = rest.child_by_field_name("alternative")
        rest = next(iter(elements(rest)), None) if rest is not None and rest.type == "else" else rest
    with body.scope():
        body.statement(rest)
    ends.append(build.reachable)
    build.jump(after)
    build.start(after)
    body.frame = opened
    if sum(ends) == 1:
        for each in hoisted:
            opened.names.update(each.names)


# Loops.


def _condition(body: Body, node: Node | None) -> Callable[[Place, Place], None] | None:
    return (lambda yes, no: branch(body, node, yes, no)) if node is not None else None


@statement("while_statement")
def while_(body: Body, node: Node) -> None:
    opened, body.frame = body.frame, Frame(body.frame)
    inner, labels = body.frame, body.take_label()
    asked, run = node.child_by_field_name("condition"), node.child_by_field_name("body")
    body.flow.loop(_condition(body, asked), lambda: _run(body, run), labels=labels)
    body.frame = opened
    opened.names.update(inner.names)  # of `while (!(x instanceof T t))`


@statement("do_statement")
def do(body: Body, node: Node) -> None:
    labels = body.take_label()
    asked, run = node.child_by_field_name("condition"), node.child_by_field_name("body")
    with body.scope():
        body.flow.loop(_condition(body, asked), lambda: _run(body, run), labels=labels, body_first=True)


def _run(body: Body, node: Node | None) -> None:
    with body.scope():
        body.statement(node)


@statement("for_statement")
def for_(body: Body, node: Node) -> None:
    labels = body.take_label()
    with body.scope():
        for each in node.children_by_field_name("init"):
            if each.type == "local_variable_declaration":
                body.statement(each)
            elif each.is_named:
                body.expression(each)

        def step() -> None:
            for each in node.children_by_field_name("update"):
                if each.is_named:
                    body.expression(each)

        asked, run = node.child_by_field_name("condition"), node.child_by_field_name("body")
        body.flow.loop(_condition(body, asked), lambda: _run(body, run), step=step, labels=labels)


@statement("enhanced_for_statement")
def for_each(body: Body, node: Node) -> None:
    build, labels = body.builder, body.take_label()
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    declared = node.child_by_field_name("type")
    if name is None or value is None:
        return
    source, of = body.expression(value), type_of(body, value)
    build.do("require", source, "iteration", "for", span=span(value))
    kind = array_of(body.type(declared), dimensions(node))
    if declared is not None and text(declared) == "var":
        kind = element_of(of)

    def run() -> None:
        with body.scope():
            item = build.give("next", source, "element", span=span(name))
            inner = nulls.item_of(body, value) if body.file.says_null else None
            if inner is not None:
                nulls.takes_null(body, inner, item, value)
            if is_primitive(kind) and not is_primitive(element_of(of)):
                build.do("require", item, "unboxing", "item", span=span(name))
            local = body.declare(name, kind, item)
            if inner is not None:
                nulls.declare(body, local, inner)
            body.statement(node.child_by_field_name("body"))

    body.flow.loop(lambda yes, no: build.choose([yes, no]), run, labels=labels)


@statement("assert_statement")
def assert_(body: Body, node: Node) -> None:
    build, children = body.builder, elements(node)
    if not children:
        return
    holds, fails = build.block(), build.block()
    branch(body, children[0], holds, fails)
    build.start(fails)
    for child in children[1:]:
        body.expression(child)
    build.do("raise", build.give("import", "java.lang", "AssertionError"), span=span(node))
    build.start(holds)


@statement("throw_statement")
def throw(body: Body, node: Node) -> None:
    for child in elements(node)[:1]:
        value = body.expression(child)
        if child.type != "object_creation_expression":
            body.builder.do("require", value, "throw", "throw", span=span(child))
        body.builder.do("raise", value, span=span(node))


@statement("synchronized_statement")
def synchronized(body: Body, node: Node) -> None:
    held = next((each for each in node.children if each.type == "parenthesized_expression"), None)
    if held is not None:
        value = body.expression(held)
        if all(each.type != "this" for each in elements(held)):
            body.builder.do("require", value, "lock", "synchronized", span=span(held))
    body.block(node.child_by_field_name("body"))
