"""Declarations inside functions: variables, types, enumerators."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.c.declarations import CType, declarator, read_struct, specifiers
from pliant.extractors.c.translation.body import Body, statement
from pliant.extractors.c.translation.initializers import initial
from pliant.extractors.c.translation.kinds import is_whole
from pliant.extractors.c.translation.literals import constant
from pliant.extractors.c.translation.names import Global, Local
from pliant.extractors.lowering.source import text

_UNTYPED = frozenset(("__auto_type", "auto"))


@statement("declaration")
def declaration(body: Body, node: Node) -> None:
    parts = specifiers(node)
    if parts.node is not None:
        read_type(body, parts.node)
    for child in node.children_by_field_name("declarator"):
        one = declarator(child)
        if one.name is None:
            continue
        name = text(one.name)
        kind = body.resolved(CType(parts.base, one.levels))
        if one.levels[:1] == ("function",) or "extern" in parts.storage:
            body.file.globals.setdefault(name, Global(kind, False, one.function, node))
            continue
        if not kind.levels and not kind.arithmetic and not is_whole(kind) and name in body.file.dotted:
            kind = CType(f"struct {kind.base}")
        static = body.file.statics.get(one.name.start_byte) if body.frame is None else None
        if static is not None:
            body.declare(name, kind, body.module_variable(static, kind, here=True))
            continue
        if parts.base in _UNTYPED and one.initial is not None:
            value, known = body.expression(one.initial)
            body.builder.set(body.declare(name, known).variable, value, body.at(one.name))
            continue
        initialise(body, body.declare(name, kind), one.initial, one.name)


def initialise(body: Body, local: Local, given: Node | None, name: Node) -> None:
    """What a variable of a function holds at first: a structure, an array, or its initial value."""
    at = body.at(name)
    if given is not None:
        body.builder.set(local.variable, initial(body, local.kind, given), at)
    elif local.whole:
        body.builder.set(local.variable, body.new("allocate", local.kind, at), at)


@statement("type_definition")
def type_definition(body: Body, node: Node) -> None:
    parts = specifiers(node)
    if parts.node is not None:
        read_type(body, parts.node)
    for child in node.children_by_field_name("declarator"):
        one = declarator(child)
        if one.name is not None:
            body.kinds.define(text(one.name), CType(parts.base, one.levels))


@statement("struct_specifier", "union_specifier", "enum_specifier")
def read_type(body: Body, node: Node) -> None:
    """The members of a structure, the enumerators of an enumeration."""
    if node.type == "enum_specifier":
        _read_enumerators(body, node)
    elif node.type in ("struct_specifier", "union_specifier"):
        read_struct(node, body.kinds.types, body.builder.spend)


def _read_enumerators(body: Body, node: Node) -> None:
    listed = node.child_by_field_name("body")
    following: int | None = 0
    for child in listed.named_children if listed is not None else ():
        if child.type != "enumerator":
            continue
        name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
        if value is not None:
            following = constant(body, value)
        if name is not None:
            body.file.enumerators[text(name)] = following
        following = following + 1 if following is not None else None


@statement("function_definition")
def nested_function(body: Body, node: Node) -> None:
    """GNU: a function in a function."""
    body.unmodelled("nested function")
