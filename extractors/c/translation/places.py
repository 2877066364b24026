"""What can be read, written, or have its address taken. Its parts are evaluated once, also where it is read before it
is written (`*p++ += 1`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tree_sitter import Node

from pliant.extractors.c.declarations import UNKNOWN, CType
from pliant.extractors.c.translation.body import NOTHING, Body, Typed, expression
from pliant.extractors.c.translation.kinds import INT, LONG, TEXT, is_whole, pointer_to
from pliant.extractors.c.translation.names import Local
from pliant.extractors.ir.operands import OTHER, Constant, Operand
from pliant.extractors.ir.unit import Span
from pliant.extractors.lowering.source import elements, only, text
from pliant.extractors.lowering.translated import registers

# What becomes of a place: its address is taken, or that of a member; it is read or written, or a member, or an element.
ADDRESS, ADDRESS_INSIDE, VALUE, INSIDE, ELEMENT = range(5)
_MEMBER = frozenset((ADDRESS_INSIDE, INSIDE))


class Written(NamedTuple):
    """how: `variable`, `field` (also `*`, what a pointer points to), `element`, `object` (what has the address `base`),
    `value` (what is no place). name: of the variable or the field; base and key: of the others. kind: of what it
    holds."""

    how: str
    kind: CType
    at: Span | None
    base: Operand = OTHER
    name: str = ""
    key: Operand = OTHER


_Handler = Callable[[Body, Node, int], Written]
_PLACES: dict[str, _Handler] = {}
as_place = registers(_PLACES)


def place(body: Body, node: Node | None, use: int = VALUE) -> Written:
    """The place that an expression names."""
    if node is None:
        return Written("value", UNKNOWN, None)
    handler = _PLACES.get(node.type)
    if handler is not None:
        return handler(body, node, use)
    return _computed(body, node, use)


def _computed(body: Body, node: Node, use: int) -> Written:
    """What an expression gives that names no place: of a structure, the address."""
    value, kind = body.expression(node)
    return Written("object" if is_whole(kind) or use in _MEMBER else "value", kind, body.at(node), value)


def read(body: Body, where: Written) -> Operand:
    """What a place holds."""
    how = where.how
    if how == "field":
        return body.builder.give("load", where.base, where.name, span=where.at)
    if how == "variable":
        return body.builder.get(where.name, where.at)
    if how == "element":
        return body.builder.give("element", where.base, where.key, span=where.at)
    return where.base


def write(body: Body, where: Written, value: Operand) -> None:
    """A place holds a value from here on."""
    how = where.how
    if how == "variable":
        body.builder.set(where.name, value, where.at)
    elif how == "field":
        body.builder.do("store", where.base, where.name, value, span=where.at)
    elif how == "element":
        body.builder.do("put", where.base, where.key, value, span=where.at)
    elif how == "object":
        body.builder.do("store", where.base, "*", value, span=where.at)


def address(body: Body, where: Written) -> Operand:
    """The address of a place."""
    how = where.how
    if how == "variable":
        return body.builder.give("address", where.name, span=where.at)
    if how == "field":
        if where.name == "*":
            return where.base
        return body.builder.give("interior", where.base, where.name, span=where.at)
    if how == "element":
        return body.builder.give("offset", where.base, where.key, span=where.at)
    return where.base


def _holder(body: Body, node: Node, use: int) -> Typed:
    """The address of what `node.field` is about, and its type."""
    where = place(body, node, INSIDE if use >= VALUE else ADDRESS_INSIDE)
    return address(body, where), where.kind


# Places, by the types of their nodes.


@as_place("identifier")
def _identifier(body: Body, node: Node, use: int) -> Written:
    name = text(node)
    frame = body.frame
    if frame is None or name not in frame.arguments:
        local = body.names.get(name) or body.meaning(name)
        if local is not None:
            return of_variable(body, local, node, use)
    return _expanded(body, node, use)


def of_variable(body: Body, local: Local, node: Node, use: int = VALUE) -> Written:
    at = body.at(node)
    if local.whole or (use in _MEMBER and local.kind == UNKNOWN) or local.kind.levels[:1] == ("function",):
        return Written("object", local.kind, at, body.builder.get(local.variable, at))
    return Written("variable", local.kind, at, name=local.variable)


@as_place("call_expression")
def _expanded(body: Body, node: Node, use: int) -> Written:
    """The place that a macro names."""
    outer = body.frame
    meant = body.expanded(node)
    if meant is not None:
        found = place(body, meant, use)
        body.frame = outer
        return found
    if node.type == "identifier" and body.file.is_external(text(node)):
        return of_variable(body, body.external(text(node)), node, use)
    return _computed(body, node, use)


@as_place("parenthesized_expression")
def _parenthesized(body: Body, node: Node, use: int) -> Written:
    inner = only(node)
    return place(body, inner, use) if inner is not None and inner.type in _PLACES else _computed(body, node, use)


def _base(body: Body, node: Node | None, use: int) -> Typed:
    """What is followed. A member that is an array is followed where it is."""
    if node is None or node.type != "field_expression":
        return body.expression(node)
    where = _field(body, node, ELEMENT if use >= VALUE else ADDRESS)
    return read(body, where), where.kind


@as_place("field_expression")
def _field(body: Body, node: Node, use: int) -> Written:
    children = node.children
    if len(children) != 3:
        children = [each for each in children if each.type != "comment"]
    if len(children) != 3:
        return Written("value", UNKNOWN, None)
    argument, operator, field = children
    name = text(field)
    frame = body.frame
    if frame is not None and name in frame.arguments:
        name = text(frame.arguments[name][0])
    arrow = operator.type == "->"
    if arrow:
        base, pointer = _base(body, argument, use)
        kind = body.kinds.element(pointer)
    else:
        base, kind = _holder(body, argument, use)
    found = body.kinds.field(kind, name)
    at = body.at(node)
    if is_whole(found) or (use in _MEMBER and found == UNKNOWN):
        if arrow and (use >= INSIDE or (use == VALUE and not found.levels)):
            body.builder.do("require", base, "member", f"->{name}", span=at)
        return Written("object", found, at, body.builder.give("interior", base, name, span=at))
    return Written("field", found, at, base, name)


@as_place("subscript_expression")
def _subscript(body: Body, node: Node, use: int) -> Written:
    base, kind = _base(body, node.child_by_field_name("argument"), use)
    key, other = _base(body, node.child_by_field_name("index"), use)
    if other.levels and not kind.levels:  # 0[a]
        base, kind, key = key, other, base
    found, at = body.kinds.element(kind), body.at(node)
    if is_whole(found) or (use in _MEMBER and found == UNKNOWN):
        if use >= VALUE and not kind.array:
            body.builder.do("require", base, "subscript", "[]", span=at)
        return Written("object", found, at, body.builder.give("offset", base, key, span=at))
    return Written("element", found, at, base, key=key)


@as_place("pointer_expression")
def _pointed(body: Body, node: Node, use: int) -> Written:
    operator, argument = node.children[0].type, node.child_by_field_name("argument")
    if operator != "*" or argument is None:
        return _computed(body, node, VALUE)
    base, pointer = _base(body, argument, use)
    kind, at = body.kinds.element(pointer), body.at(node)
    if kind.levels[:1] == ("function",) or pointer.levels[:1] == ("function",):  # a function, called either way
        return Written("object", pointer, at, base)
    if is_whole(kind) or (use in _MEMBER and kind == UNKNOWN):
        if use == INSIDE or (use == VALUE and not kind.levels):
            body.builder.do("require", base, "pointer", "*", span=at)
        return Written("object", kind, at, base)
    return Written("field", kind, at, base, "*")


# As values.


@expression("identifier")
def name(body: Body, node: Node) -> Typed:
    word = text(node)
    frame = body.frame
    if frame is None or word not in frame.arguments:
        local = body.names.get(word) or body.meaning(word)
        if local is not None:
            return body.builder.get(local.variable, body.at(node)), local.kind
        file = body.file
        if word in file.enumerators:
            known = file.enumerators[word]
            return (Constant("integer", known) if known is not None else OTHER), INT
        macro = file.macros.get(word)
        if macro is not None and macro.parameters is None and macro.constant:
            known = file.number_of(word)
            if known is not None:
                return Constant("integer", known), INT
            return OTHER, TEXT if macro.body[:1] == '"' else INT
    outer = body.frame
    meant = body.expanded(node)
    if meant is not None:
        found = body.expression(meant)
        body.frame = outer
        return found
    if body.file.is_external(word):
        known = body.file.number_of(word)
        if known is not None:
            return Constant("integer", known), LONG
        local = body.external(word)
        return body.builder.get(local.variable, body.at(node)), local.kind
    if word not in _TEXTS and word in body.file.macros:
        body.unmodelled("macro that is no expression")
    return OTHER, TEXT if word in _TEXTS else UNKNOWN


_TEXTS = frozenset(("__func__", "__FUNCTION__", "__PRETTY_FUNCTION__", "__FILE__"))


@expression("field_expression")
def member(body: Body, node: Node) -> Typed:
    where = _field(body, node, VALUE)
    return read(body, where), where.kind


@expression("subscript_expression")
def subscript(body: Body, node: Node) -> Typed:
    where = _subscript(body, node, VALUE)
    return read(body, where), where.kind


@expression("pointer_expression")
def pointer(body: Body, node: Node) -> Typed:
    if node.children[0].type == "*":
        where = _pointed(body, node, VALUE)
        return read(body, where), where.kind
    argument = node.child_by_field_name("argument")
    while argument is not None and argument.type == "parenthesized_expression" and (inner := only(argument)):
        argument = inner
    if argument is not None and argument.type == "pointer_expression" and argument.children[0].type == "&":
        return NOTHING  # `&&label`
    where = place(body, argument, ADDRESS)
    kind = where.kind
    if kind.levels[:1] == ("function",):
        return read(body, where), kind
    if where.how == "field" and where.name not in ("", "*") and where.at is not None:
        where = where._replace(at=body.at(node))
    return address(body, where), pointer_to(kind) if kind != UNKNOWN else UNKNOWN


@expression("parenthesized_expression")
def parenthesized(body: Body, node: Node) -> Typed:
    children = node.children
    inner = children[1] if len(children) == 3 else None
    if inner is not None and inner.type != "compound_statement":
        return body.expression(inner)
    found = NOTHING
    for child in elements(node):
        found = block_value(body, child) if child.type == "compound_statement" else body.expression(child)
    return found


def block_value(body: Body, node: Node) -> Typed:
    """GNU: a block that gives the value of its last statement."""
    found = NOTHING
    inside = elements(node)
    body.open()
    for child in inside[:-1]:
        body.statement(child)
    for child in inside[-1:]:
        parts = elements(child) if child.type == "expression_statement" else []
        if parts:
            found = body.expression(parts[0])
        else:
            body.statement(child)
    body.close()
    return found
