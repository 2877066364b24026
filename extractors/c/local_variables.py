"""Declarations inside of functions: variables, types, enumerators. Those of files are in `definitions`."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.c import forms, unread
from pliant.extractors.c.declarations import CType, declarator, read_struct, specifiers
from pliant.extractors.c.entities import MODULE, Place, Variable
from pliant.extractors.c.expressions import assign, converted
from pliant.extractors.c.initializers import initialize, new_object
from pliant.extractors.c.lowering import Lowering, statement
from pliant.extractors.c.operands import literal_number
from pliant.extractors.lowering.source import elements, text
from pliant.extractors.ssa import UNDEFINED


@statement("type_definition")
def type_definition(lo: Lowering, node: Node) -> None:
    parts = specifiers(node)
    if parts.node is not None:
        read_struct(parts.node, lo.types, lo.fn.spend)
    for child in node.children_by_field_name("declarator"):
        one = declarator(child)
        if one.name is not None:
            lo.types.typedefs[text(one.name)] = CType(parts.base, one.levels)


@statement("struct_specifier", "union_specifier")
def struct_specifier(lo: Lowering, node: Node) -> None:
    read_struct(node, lo.types, lo.fn.spend)


@statement("enum_specifier")
def enum_specifier(lo: Lowering, node: Node) -> None:
    read_enum(lo, node)


def read_enum(lo: Lowering, node: Node) -> None:
    body = node.child_by_field_name("body")
    following: int | None = 0
    exact = True
    for child in body.named_children if body is not None else ():
        if child.type != "enumerator":
            continue
        name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
        if value is not None:
            following = forms.constant(lo, value)
            exact = following is not None
            if following is None:
                following = literal_number(lo, value)
        if name is not None:
            lo.enumerators[text(name)] = following
            if exact:
                lo.exact.add(text(name))
        following = following + 1 if following is not None else None


@statement("declaration")
def declaration(lo: Lowering, node: Node) -> None:
    if lo.symbol == MODULE:
        lo.file_declaration(node)
        return
    parts = specifiers(node)
    if parts.node is not None:
        read_struct(parts.node, lo.types, lo.fn.spend)
        if parts.node.type == "enum_specifier":
            read_enum(lo, parts.node)
    otherwise: int | None = None
    for child in node.children_by_field_name("declarator"):
        one = declarator(child)
        if one.name is None or one.function is not None or one.levels[:1] == ("function",):
            continue
        name = text(one.name)
        kind = lo.types.resolve(CType(parts.base, one.levels))
        if "extern" in parts.storage:
            continue
        variable = declare(lo, name, kind, one.name, static="static" in parts.storage)
        if one.initial is not None:
            otherwise = unread.read_otherwise(node) if otherwise is None else otherwise
            initial(lo, variable, one.initial)
            unread.initialized(lo, variable, one.initial, otherwise)


def declare(lo: Lowering, name: str, kind: CType, node: Node, *, static: bool = False) -> Variable:
    """A variable of the innermost block."""
    fn = lo.fn
    count = lo.shadowed.get(name, 0) + 1
    lo.shadowed[name] = count
    key = name if count == 1 else f"{name}#{count}"
    variable = Variable(name, key, kind, node=node)
    if not kind.base or (not kind.levels and not kind.arithmetic and not kind.aggregate and name in lo.dotted):
        variable.type = kind = CType(
            f"struct {kind.base}" if not kind.base.startswith(("struct", "union")) else kind.base
        )
    in_memory = kind.array or kind.aggregate or name in lo.addressed
    if static:
        variable.cell = f"{lo.symbol}|{name}|cell" if count == 1 else f"{lo.symbol}|{name}#{count}|cell"
        if in_memory:
            variable.address = fn.fixed_value(variable.cell)
            fn.nonnull.add(lo.address(variable))
            new_object(lo, lo.address(variable), kind)
    elif in_memory:
        address = lo.value(f"&{name}", node)
        fn.nonnull.add(address)
        lo.stack.add(address)
        variable.address = address
        if kind.array or kind.aggregate:
            new_object(lo, address, kind)
        else:
            fn.define(address, "new", address, address, lo.class_of(kind) or "pointer")
    elif lo.fn.reachable():
        fn.write(key, lo.a_number() if kind.arithmetic else fn.unnamed())
    lo.scopes.declare(name, variable)
    return variable


def initial(lo: Lowering, variable: Variable, node: Node) -> None:
    kind = variable.type
    if not lo.fn.reachable():
        return
    if node.type == "initializer_list":
        if lo.in_memory_whole(variable) and variable.address is not None:
            initialize(lo, lo.address(variable), kind, node)
        else:
            children = elements(node)
            if len(children) == 1 and children[0].type != "initializer_pair":  # `int *p = { 0 }`
                assign(lo, Place(node, variable), lo.pointer(children[0], kind), kind, node, children[0])
            else:
                lo.expression(node)
        return
    value = lo.pointer(node, kind)
    if variable.cell and lo.is_literal_null(value):
        return
    if lo.in_memory_whole(variable):
        if value not in (UNDEFINED, lo.fn.opaque):
            lo.copy(lo.address(variable), value)
        return
    value = converted(lo, value, kind, node)
    assign(lo, Place(node, variable), value, kind, node, node)
