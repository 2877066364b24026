"""Operators that compute numbers and pointers; assignments; casts; `c ? a : b`."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.c.declarations import UNKNOWN, UNTYPED, CType
from pliant.extractors.c.translation.body import NOTHING, ZERO, Body, Typed, expression
from pliant.extractors.c.translation.conditions import COMPARISONS, CONNECTIVES, branch, kept, truth
from pliant.extractors.c.translation.kinds import INT, LONG, of_numbers
from pliant.extractors.c.translation.literals import constant, folded
from pliant.extractors.c.translation.places import place, read, write
from pliant.extractors.ir.operands import ANY, OTHER, Constant, Operand
from pliant.extractors.ir.unit import Span
from pliant.extractors.lowering.source import elements, text

_ONE: Typed = (Constant("integer", 1), INT)


@expression("binary_expression")
def binary(body: Body, node: Node) -> Typed:
    children = node.children
    operator = _operator(node)
    if operator in COMPARISONS or operator in CONNECTIVES:
        return kept(body, node)
    rest: list[tuple[Node, str, Node]] = []  # operators that are applied afterwards, the last one first
    current = node
    while True:
        left, right = children[0], children[-1]
        rest.append((current, operator, right))
        if left.type != "binary_expression":
            break
        operator = _operator(left)
        if operator in COMPARISONS or operator in CONNECTIVES:
            break
        current, children = left, left.children
    found = body.expression(left)
    for whole, operator, right in reversed(rest):
        found = computed(body, operator, found, body.expression(right), body.at(whole))
    return found


def _operator(node: Node) -> str:
    """The operator of a binary or an assignment expression, whose first and last child are its operands."""
    children = node.children
    if len(children) == 3:
        return children[1].type
    found = node.child_by_field_name("operator")
    return found.type if found is not None else ""


def computed(body: Body, operator: str, left: Typed, right: Typed, at: Span) -> Typed:
    """What a binary operator gives."""
    (a, kind), (b, other) = left, right
    if isinstance(a, Constant) and isinstance(b, Constant) and type(a.content) is int and type(b.content) is int:
        known = folded(operator, a.content, b.content)
        if known is not None:
            return Constant("integer", known), of_numbers(kind, other)
    give = body.builder.give
    if operator in ("+", "-"):
        if kind.levels and other.levels:
            return give("arithmetic", operator, (a, b), span=at), LONG
        if kind.levels:
            return moved(body, operator, left, b, at)
        if other.levels and operator == "+":
            return moved(body, operator, right, a, at)
        if not kind.arithmetic or not other.arithmetic:
            return give("arithmetic", operator, (a, b), span=at), UNKNOWN
    return give("arithmetic", operator, (a, b), span=at), of_numbers(kind, other)


def moved(body: Body, operator: str, pointer: Typed, by: Operand, at: Span) -> Typed:
    """A pointer to another element."""
    base, kind = pointer
    if operator == "-":
        if isinstance(by, Constant) and type(by.content) is int:
            by = Constant("integer", -by.content)
        else:
            by = body.builder.give("arithmetic", "-", (by,))
    return body.builder.give("offset", base, by, span=at), kind.decayed()


@expression("unary_expression")
def unary(body: Body, node: Node) -> Typed:
    operator = node.children[0].type
    if operator == "!":
        return kept(body, node)
    value, kind = body.expression(node.child_by_field_name("argument"))
    if operator == "+":
        return value, kind
    if isinstance(value, Constant) and type(value.content) is int and operator in ("-", "~"):
        return Constant("integer", -value.content if operator == "-" else ~value.content), kind
    found = body.builder.give("arithmetic", operator, (value,), span=body.at(node))
    return found, of_numbers(kind, INT) if kind.arithmetic else kind


@expression("update_expression")
def update(body: Body, node: Node) -> Typed:
    children = node.children
    first = children[0].type in ("++", "--")
    operator = (children[0] if first else children[-1]).type[:1]
    where = place(body, node.child_by_field_name("argument"))
    before = read(body, where), where.kind
    after = body.narrowed(computed(body, operator, before, _ONE, body.at(node)), where.kind, node)
    write(body, where, after)
    return (after, where.kind) if first else before


@expression("assignment_expression")
def assignment(body: Body, node: Node) -> Typed:
    operator, children = _operator(node), node.children
    left, right = children[0], children[-1]
    if operator != "=":
        where = place(body, left)
        given = body.expression(right)
        found = computed(body, operator[:-1], (read(body, where), where.kind), given, body.at(node))
        value = body.narrowed(found, where.kind, node)
        write(body, where, value)
        return value, where.kind
    if right.type == "number_literal" or left.type == "identifier":  # what has no effects comes last
        where = place(body, left)
        value = body.fit(body.expression(right), where.kind, right)
    else:
        given = body.expression(right)
        where = place(body, left)
        value = body.fit(given, where.kind, right)
    write(body, where._replace(at=body.at(node)), value)
    return (where.base if where.how == "object" else value), where.kind


@expression("comma_expression")
def comma(body: Body, node: Node) -> Typed:
    current: Node | None = node
    while current is not None and current.type == "comma_expression":
        body.expression(current.child_by_field_name("left"))
        current = current.child_by_field_name("right")
    return body.expression(current)


@expression("cast_expression")
def cast(body: Body, node: Node) -> Typed:
    value_node = node.child_by_field_name("value")
    kind = body.described(node.child_by_field_name("type"))
    value, before = body.expression(value_node)
    if kind == CType("void"):
        if isinstance(value, int):  # it is looked at, and that is all
            body.builder.give("convert", value, ANY, "cast", span=body.at(node))
        return OTHER, kind
    if kind.levels and (value == ZERO or (isinstance(value, Constant) and constant(body, value_node) == 0)):
        return body.builder.null(body.at(node)), kind
    if kind == before or (kind == UNTYPED and before.levels):
        return value, kind
    if isinstance(value, Constant) and type(value.content) is int and kind.arithmetic:
        return body.narrowed((value, before), kind, node), kind
    return body.builder.give("convert", value, body.kinds.type(kind), "cast", span=body.at(node)), kind


@expression("conditional_expression")
def conditional(body: Body, node: Node) -> Typed:
    build = body.builder
    condition = node.child_by_field_name("condition")
    consequence, alternative = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
    result, end, no = build.variable("choice."), build.block(), build.block()
    found = NOTHING
    if consequence is None:  # GNU: `a ?: b`
        found = body.expression(condition)
        build.set(result, found[0])
        if condition is not None:
            build.branch(truth(body, found), end, no, body.at(condition))
        arms = [(no, alternative)]
    else:
        yes = build.block()
        branch(body, condition, yes, no)
        arms = [(yes, consequence), (no, alternative)]
        if consequence.type == "number_literal" and text(consequence) == "0":  # null, if the other arm is a pointer
            arms.reverse()
    for start, arm in arms:
        build.start(start)
        value, kind = body.expression(arm)
        if found[1].levels and value == ZERO and arm is not None:
            value, kind = build.null(body.at(arm)), found[1]
        build.set(result, value)
        build.jump(end)
        if kind.levels or not found[1].levels:
            found = value, kind if found[1] == UNKNOWN or kind.levels else found[1]
    build.start(end)
    return build.get(result), found[1]


@expression("extension_expression")
def extension(body: Body, node: Node) -> Typed:
    found = NOTHING
    for child in elements(node):
        found = body.expression(child)
    return found


@expression("generic_expression")
def generic(body: Body, node: Node) -> Typed:
    """`_Generic`: any of the alternatives, of which types decide."""
    build = body.builder
    arms = [child for child in elements(node)[1:] if child.type != "type_descriptor"]
    if not arms:
        return NOTHING
    result, end, places = build.variable("choice."), build.block(), [build.block() for _ in arms]
    build.choose(places)
    kind = UNKNOWN
    for start, arm in zip(places, arms, strict=True):
        build.start(start)
        value, kind = body.expression(arm)
        build.set(result, value)
        build.jump(end)
    build.start(end)
    return build.get(result), kind


@expression("gnu_asm_expression")
def assembly(body: Body, node: Node) -> Typed:
    """Its code is not read: what it gives is not known."""
    body.unmodelled("assembly")
    for name in ("input_operands", "output_operands"):
        for operand in elements(node.child_by_field_name(name)):
            inner = operand.child_by_field_name("value")
            if name == "input_operands":
                body.expression(inner)
            elif inner is not None:
                write(body, place(body, inner), NOTHING[0])
    return NOTHING
