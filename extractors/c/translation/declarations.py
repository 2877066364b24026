"""Declarations inside functions: variables, types, enumerators."""

from __future__ import annotations

import re

from tree_sitter import Node

from pliant.extractors.c.declarations import CType, declarator, read_struct, specifiers
from pliant.extractors.c.translation.body import Body, statement
from pliant.extractors.c.translation.initializers import has_parts, initial
from pliant.extractors.c.translation.kinds import as_record
from pliant.extractors.c.translation.literals import constant
from pliant.extractors.c.translation.names import Global, Local
from pliant.extractors.lowering.source import elements, joined, text

_READ_OTHERWISE = re.compile(rb"cleanup|unused|volatile", re.I)
_BYTES_OF_STEP = 8  # that are searched in the time of a step
_UNTYPED = frozenset(("__auto_type", "auto"))


@statement("declaration")
def declaration(body: Body, node: Node) -> None:
    parts = specifiers(node)
    if parts.node is not None:
        read_type(body, parts.node)
    source = node.text or b""
    body.builder.spend(len(source) // _BYTES_OF_STEP)
    read_otherwise = _READ_OTHERWISE.search(source) is not None
    for child in node.children_by_field_name("declarator"):
        one = declarator(child)
        if one.name is None:
            continue
        name = joined(one.name)
        kind = body.resolved(CType(parts.base, one.levels))
        if one.levels[:1] == ("function",) or "extern" in parts.storage:
            body.file.globals.setdefault(name, Global(kind, False, one.function, node))
            continue
        kind = as_record(kind, name in body.file.dotted or has_parts(one.initial))
        static = body.file.statics.get(one.name.start_byte) if body.frame is None else None
        if static is not None:
            local = body.declare(name, kind, body.module_variable(static, kind, here=True))
            if (length := _length(body, child)) is not None:
                body.lengths[local.variable] = length
            continue
        if parts.base in _UNTYPED and one.initial is not None:
            value, known = body.expression(one.initial)
            body.builder.set(body.declare(name, known).variable, value, body.at(one.name))
            continue
        local = body.declare(name, kind)
        length = _length(body, child)
        if length is not None:
            body.lengths[local.variable] = length
        initialise(body, local, one.initial, one.name)
        if read_otherwise:  # at the end of the scope, or not, on purpose
            body.builder.give("address", local.variable)


def _length(body: Body, node: Node) -> int | None:
    """The number of elements of an array, as far as the declarator tells."""
    given = node.child_by_field_name("value") if node.type == "init_declarator" else None
    one = node.child_by_field_name("declarator") if node.type == "init_declarator" else node
    while one is not None and one.type == "pointer_declarator":
        one = one.child_by_field_name("declarator")
    if one is None or one.type != "array_declarator":
        return None
    size = one.child_by_field_name("size")
    if size is not None:
        return constant(body, size)
    parts = elements(given) if given is not None and given.type == "initializer_list" else []
    return len(parts) if parts and all(part.type != "initializer_pair" for part in parts) else None


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
    """The number of each enumerator; none where it depends on how the program is built."""
    listed = node.child_by_field_name("body")
    following: int | None = 0
    todo = [(child, False) for child in reversed(listed.named_children)] if listed is not None else []
    while todo:
        child, conditional = todo.pop()
        if child.type.startswith("preproc_"):
            todo += [(each, True) for each in reversed(child.named_children)]
            following = None
        elif child.type == "enumerator":
            name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
            if value is not None:
                following = constant(body, value)
            if name is not None:
                body.file.enumerate(text(name), following)
            following = following + 1 if following is not None and not conditional else None


@statement("function_definition")
def nested_function(body: Body, node: Node) -> None:
    """A function in a function, which GNU C allows, is not modelled."""
    body.unmodelled("nested function")
