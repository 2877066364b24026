"""Patterns of `instanceof` and of `switch`: what they ask, and the variables that they bind."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.ir.builder import Place
from pliant.extractors.ir.operands import ANY, Constant, Operand, Predicate, Type
from pliant.extractors.java.translation.body import Body
from pliant.extractors.java.translation.creation import field_type
from pliant.extractors.java.translation.frames import Local
from pliant.extractors.lowering.source import elements, span, text


def whole_pattern(node: Node) -> Node | None:
    """The pattern of an `instanceof`: the node itself for `x instanceof Type name`; None where it only asks."""
    if node.child_by_field_name("name") is not None:
        return node
    return node.child_by_field_name("pattern")


def held(body: Body, node: Node | None, value: Operand, kind: Type) -> str:
    """The variable that holds a value, so that a test of it is seen where it is bound: one that the source does not
    have, if `node`, which gives the value, is no variable itself."""
    meaning = body.meaning(text(node)) if node is not None and node.type == "identifier" else None
    if isinstance(meaning, Local):
        return body.variable(meaning)
    variable = body.builder.variable("matched.", kind)
    body.builder.set(variable, value)
    return variable


def bind(body: Body, pattern: Node, value: str, kind: Type, yes: Place, no: Place) -> None:
    """Go to `yes` where what a variable holds matches a pattern, with the variables of that bound. kind: its type."""
    children = [each for each in elements(pattern) if each.type != "modifiers"]
    match pattern.type:
        case "instanceof_expression":
            _typed(body, pattern.child_by_field_name("right"), pattern.child_by_field_name("name"), value, yes, no)
        case "pattern" if children:
            bind(body, children[-1], value, kind, yes, no)
        case "type_pattern" if len(children) >= 2:
            _typed(body, children[-2], children[-1], value, yes, no)
        case "record_pattern" if children:
            _record(body, children, value, yes, no)
        case "record_pattern_component" if len(children) == 2:
            _component(body, children[0], children[1], value, kind, yes, no)
        case _:  # `_`
            body.builder.jump(yes)


def _typed(body: Body, declared: Node | None, name: Node | None, value: str, yes: Place, no: Place) -> None:
    build, kind = body.builder, body.type(declared)
    matched = build.block()
    build.branch(
        Predicate("is", (build.get(value), kind)), matched, no, span(declared) if declared is not None else None
    )
    build.start(matched)
    if name is not None:
        body.declare(name, kind, build.give("convert", build.get(value), kind, "asserted", span=span(name)))
    build.jump(yes)


def _record(body: Body, children: list[Node], value: str, yes: Place, no: Place) -> None:
    build, kind = body.builder, body.type(children[0])
    matched = build.block()
    build.branch(Predicate("is", (build.get(value), kind)), matched, no, span(children[0]))
    build.start(matched)
    record = build.get(value)
    class_ = body.file.declared.get(kind.name) if not kind.module else None
    components = [each for each in class_.fields.values() if not each.static] if class_ is not None else []
    parts = next((each for each in children if each.type == "record_pattern_body"), None)
    for number, part in enumerate(elements(parts)):
        of = ANY
        if class_ is not None and number < len(components):
            of = field_type(body.file, class_, components[number])
            item = build.give("load", record, components[number].name, span=span(part))
        else:
            item = build.give("item", record, Constant("integer", number), span=span(part))
        following = build.block()
        bind(body, part, held(body, None, item, of), of, following, no)
        build.start(following)
    build.jump(yes)


def _component(body: Body, declared: Node, name: Node, value: str, kind: Type, yes: Place, no: Place) -> None:
    """A component that is bound: null as well, where each value of the component matches."""
    build, wanted = body.builder, body.type(declared)
    matched = build.block()
    if text(declared) == "var" or wanted.kind != "class" or wanted == kind:
        build.jump(matched)
    elif kind != ANY:
        build.branch(Predicate("is", (build.get(value), wanted)), matched, no, span(declared))
    else:  # whether each value matches is not known
        build.choose([matched, no])
    build.start(matched)
    bound, item = kind if text(declared) == "var" else wanted, build.get(value)
    if bound.kind == "class":
        item = build.give("convert", item, bound, "cast", span=span(name))
    body.declare(name, bound, item)
    build.jump(yes)
