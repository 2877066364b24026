"""`switch`, as a statement and as an expression: labels, patterns, guards, falling through, and `yield`."""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Node

from pliant.extractors.ir.builder import Place
from pliant.extractors.ir.operands import ANY, OTHER, Constant, Operand, Predicate, Type
from pliant.extractors.java.translation.body import Body, expression, statement
from pliant.extractors.java.translation.conditions import branch
from pliant.extractors.java.translation.frames import Frame, Local
from pliant.extractors.java.translation.literals import literal
from pliant.extractors.java.translation.patterns import bind, held
from pliant.extractors.java.translation.types_of import type_of
from pliant.extractors.java.translation.written import is_primitive
from pliant.extractors.lowering.source import elements, span, text
from pliant.extractors.lowering.trees import inside


@dataclass(slots=True)
class _Group:
    """Labels, and what runs behind them. frame: of what its patterns bind."""

    node: Node
    labels: list[Node]
    place: Place
    frame: Frame

    @property
    def default(self) -> bool:
        return any(
            child.type == "default" or child.text == b"default" for each in self.labels for child in each.children
        )


@statement("switch_expression", "switch_statement")
def switch_statement(body: Body, node: Node) -> None:
    labels = body.take_label()
    body.flow.breakable(lambda after: _switch(body, node, after, value=False), labels)


@expression("switch_expression")
def switch_value(body: Body, node: Node) -> Operand:
    label = f"yield {len(body.yields)}"  # no label of the source
    held = body.builder.variable("chosen", ANY)
    kinds: list[Type] = []
    body.yields.append((held, label, kinds))
    body.flow.breakable(lambda after: _switch(body, node, after, value=True), frozenset((label,)), plain=False)
    body.yields.pop()
    body.file.types[node.id] = kinds[0] if kinds and all(each == kinds[0] for each in kinds) else ANY
    return body.builder.get(held, span(node))


@statement("yield_statement")
def yield_(body: Body, node: Node) -> None:
    for child in elements(node)[:1]:
        _give(body, child)


def _give(body: Body, node: Node) -> None:
    """The value of the switch expression around."""
    value = body.expression(node)
    if body.yields:
        held, label, kinds = body.yields[-1]
        kinds.append(type_of(body, node))
        body.builder.set(held, value)
        body.flow.leave(again=False, label=label)


def _switch(body: Body, node: Node, after: Place, *, value: bool) -> None:
    build = body.builder
    condition, content = inside(node.child_by_field_name("condition")), node.child_by_field_name("body")
    if condition is None:
        return
    subject, kind = body.expression(condition), type_of(body, condition)
    groups = []
    for child in elements(content):
        if child.type in ("switch_rule", "switch_block_statement_group"):
            labels = [each for each in child.children if each.type == "switch_label"]
            groups.append(_Group(child, labels, build.block(), Frame(body.frame)))
    of_groups = [(group, _cases(group)) for group in groups]
    cases = [each for _, of_group in of_groups for each in of_group]
    variable = ""
    if not is_primitive(kind) and all(each.type != "null_literal" for each in cases):
        # What holds the value is not null behind this, where each case reads it.
        variable = held(body, condition, subject, kind)
        subject = build.get(variable)
        build.do("require", subject, "switch", "switch", span=span(condition))
    other = next((group.place for group in groups if group.default), None)
    patterns = any(each.type == "pattern" for each in cases)
    if other is None and (value or patterns):  # there is no other case
        other = build.block()
        _dispatch(body, condition, subject, of_groups, other, variable)
        build.start(other)
        build.do("raise", build.call(build.give("import", "java.lang", "MatchException"), []), span=span(node))
    else:
        _dispatch(body, condition, subject, of_groups, after if other is None else other, variable)
    opened = body.frame
    common = Frame(opened)  # the groups of an old `switch` are one block
    for number, group in enumerate(groups):
        build.start(group.place)
        body.frame = group.frame
        if group.node.type == "switch_rule":
            _rule(body, group, value=value)
            build.jump(after)
        else:
            group.frame.outer = common
            for child in elements(group.node):
                if child.type != "switch_label":
                    body.statement(child)
            common.names.update(group.frame.names)
            build.jump(groups[number + 1].place if number + 1 < len(groups) else after)
    body.frame = opened


def _rule(body: Body, group: _Group, *, value: bool) -> None:
    for child in elements(group.node):
        if child.type == "switch_label":
            continue
        if child.type == "expression_statement" and value:
            for each in elements(child)[:1]:
                _give(body, each)
        else:
            body.statement(child)


def _cases(group: _Group) -> list[Node]:
    return [
        child
        for label in group.labels
        for child in elements(label)
        if child.type != "guard" and child.text != b"default"
    ]


def _dispatch(
    body: Body,
    condition: Node,
    subject: Operand,
    of_groups: list[tuple[_Group, list[Node]]],
    other: Place,
    variable: str,
) -> None:
    """Go to the group that a value belongs to. variable: that holds it, if one does."""
    build = body.builder
    constants: list[tuple[Constant, Place]] = []
    for group, of_group in of_groups:
        for each in of_group:
            known = literal(each)
            if known is not None and known != OTHER:
                constants.append((known, group.place))
    if len(constants) == sum(len(of_group) for _, of_group in of_groups) and constants:
        build.switch(subject, constants, other)
        return
    kind = type_of(body, condition)
    variable = variable or held(body, condition, subject, kind)
    for group, of_group in of_groups:
        for each in of_group:
            following = build.block()
            _case(body, group, each, variable, kind, following)
            build.start(following)
    build.jump(other)


def _case(body: Body, group: _Group, node: Node, subject: str, kind: Type, following: Place) -> None:
    build = body.builder
    if node.type == "null_literal":
        build.branch(Predicate("null", (build.get(subject),)), group.place, following, span(node))
        return
    if node.type != "pattern":
        if node.type == "identifier" and _is_constant(body, node):  # of an enum: each instance has all of them
            meant: Operand = build.give("load", build.get(subject), text(node), span=span(node))
        else:
            meant = body.expression(node)
        build.branch(Predicate("==", (build.get(subject), meant)), group.place, following, span(node))
        return
    guard = next((each for label in group.labels for each in elements(label) if each.type == "guard"), None)
    outer, body.frame = body.frame, group.frame
    matched = build.block() if guard is not None else group.place
    bind(body, node, subject, kind, matched, following)
    if guard is not None:
        build.start(matched)
        branch(body, next(iter(elements(guard)), None), group.place, following)
    body.frame = outer


def _is_constant(body: Body, node: Node) -> bool:
    """Whether a label names a constant of the enum that the value is of."""
    meaning = body.meaning(text(node))
    if isinstance(meaning, tuple) and not isinstance(meaning, Local):
        return meaning[0].kind == "enum" and meaning[1].type is None
    return meaning is None
