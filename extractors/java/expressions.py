"""Expressions: each handler returns the value of its node."""

from __future__ import annotations

import re

from tree_sitter import Node

from pliant.extractors.java import kept, rereads, type_arguments
from pliant.extractors.java.lowering import EXPRESSIONS, Lowering
from pliant.extractors.java.paths import LITERALS, follow, keys_of
from pliant.extractors.java.types import erased
from pliant.extractors.lowering.handlers import registrar
from pliant.extractors.lowering.literals import integer
from pliant.extractors.lowering.source import elements, text
from pliant.extractors.ssa import UNDEFINED, Key, Value

handles = registrar(EXPRESSIONS)


# Names and literals.


@handles(*LITERALS, "class_literal")
def literal(lo: Lowering, node: Node) -> Value:
    if node.type == "class_literal":
        value = lo.fn.fixed_value("|<module>|class literal|1")
        lo.fn.nonnull.add(value)
        lo.emit("typed", value, lo.type_value("java.lang.Class"))
        return value
    if node.type == "string_literal" and _is_receiver(lo, node):
        value = lo.fn.fixed_value("|<module>|string literal|1")
        lo.fn.nonnull.add(value)
        lo.emit("typed", value, lo.type_value("java.lang.String"))
        return value
    content = constant(node)
    return lo.opaque() if content is None else lo.literal(content)


def constant(node: Node) -> bool | int | str | None:
    """What a literal is: a truth, a number, or a string or character as it is written; None for others."""
    if node.type in ("true", "false"):
        return node.type == "true"
    if node.type in ("string_literal", "character_literal"):
        return text(node)
    if node.type == "decimal_integer_literal":
        digits = text(node).rstrip("lL").replace("_", "")
        return integer(digits) if len(digits) < 10 else None
    if node.type == "unary_expression" and text(node)[:1] == "-":
        operand = node.child_by_field_name("operand")
        inner = constant(operand) if operand is not None and operand.type == "decimal_integer_literal" else None
        return -inner if isinstance(inner, int) else None
    return None


_BEHIND_RECEIVER = re.compile(rb"\s*[./]")  # or a comment, behind which it may be


def _is_receiver(lo: Lowering, node: Node) -> bool:
    if _BEHIND_RECEIVER.match(lo.source, node.end_byte) is None:
        return False
    parent = node.parent  # which is found from the root of the tree
    return parent is not None and parent.type == "method_invocation" and parent.child_by_field_name("object") == node


@handles("template_expression", "string_interpolation")
def parts(lo: Lowering, node: Node) -> Value:
    for child in elements(node):
        lo.expression(child)
    return lo.opaque()


@handles("null_literal")
def null(lo: Lowering, node: Node) -> Value:
    return lo.null("null", node, "literal")


@handles("this")
def this(lo: Lowering, node: Node) -> Value:
    return lo.this()


@handles("super")
def super_(lo: Lowering, node: Node) -> Value:
    """The receiver, seen as what its class inherits from."""
    if lo.class_ is None:
        return lo.opaque()
    value = lo.value("super", node)
    lo.fn.nonnull.add(value)
    lo.emit("super_of", value, lo.class_.symbol, lo.this())
    lo.fn.same_object(value, lo.this())
    return value


@handles("identifier")
def identifier(lo: Lowering, node: Node) -> Value:
    name = text(node)
    key = lo.local(name)
    if key is not None:
        value = lo.fn.read(key)
        return value if value != UNDEFINED else lo.opaque()
    captured = lo.captured(name)
    if captured is not None:
        key = f"{name}#captured"
        if key not in lo.fn.entry_values:
            value = lo.fn.fixed_value(captured.cell)
            if captured.nonnull:
                lo.fn.nonnull.add(value)
            lo.fn.entry_values[key] = value
        value = lo.fn.read(key)
        return value if value != UNDEFINED else lo.opaque()
    owner = lo.field_owner(name)
    if owner is not None:
        if owner[1].primitive:
            return kept.known(lo, node)
        return read_field(lo, node, lo.field_base(*owner), name, sure=owner[1].sure)
    if name in lo.static_imports:
        package, names = lo.static_imports[name]
        return read_field(lo, node, lo.type_value(".".join([package, *names])), name)
    inherits = lo.inherits()
    if inherits is not None and not name[:1].isupper():
        return read_field(lo, node, lo.this_of(inherits), name)
    if name[:1].isupper() and (name in lo.imports or lo.find_class(name) is not None or not name.isupper()):
        return lo.type_value(name)
    return lo.opaque()


@handles("scoped_identifier", "type_identifier", "scoped_type_identifier", "generic_type")
def type_name(lo: Lowering, node: Node) -> Value:
    return lo.type_value(erased(node))


@handles("parenthesized_expression")
def parenthesized(lo: Lowering, node: Node) -> Value:
    value = lo.opaque()
    for child in elements(node):
        value = lo.expression(child)
    return value


# Fields.


def read_field(lo: Lowering, node: Node, base: Value, name: str, *, sure: bool = False) -> Value:
    value = lo.value(f".{name}", node)
    lo.emit("load", value, base, name)
    lo.fn.read_version(value, base, name)
    keys = keys_of(lo, node)
    if sure:
        lo.fn.nonnull.add(value)
        _recognise(lo, keys, value)
        return value
    content = lo.fn.content(keys[0]) if keys and isinstance(keys[0], tuple) else UNDEFINED
    follow(lo, node, value, name)
    if value not in lo.fn.nonnull:
        lo.reads.append((value, content))
        rereads.note_read(lo, node, value)
        if lo.annotated and content == UNDEFINED and node.type == "field_access":
            type_arguments.note_field(lo, node, value)
    lo.note_tests(value, base)
    return value


def _recognise(lo: Lowering, keys: list[Key], value: Value) -> None:
    """Make the object that a field always holds the same value wherever the field is read."""
    for path in keys:
        if isinstance(path, tuple):
            content = lo.fn.content(path)
            if content == UNDEFINED:
                lo.fn.write(path, value)
            else:
                lo.fn.roots[value] = lo.fn.root(content)


_MOST_PARTS = 64  # of a dotted name


def names_type(lo: Lowering, node: Node, parts: int = _MOST_PARTS) -> str:
    """The dotted name, where an expression names a type or a package and no value. parts: that it may have."""
    if node.type == "identifier":
        name = text(node)
        if lo.local(name) is not None or lo.captured(name) is not None or lo.field_owner(name) is not None:
            return ""
        if name in lo.static_imports:
            return ""
        if name[:1].isupper() or lo.inherits() is None:
            return name
        return ""
    if node.type == "field_access" and parts:
        base, name_node = node.child_by_field_name("object"), node.child_by_field_name("field")
        if base is None or name_node is None or name_node.type != "identifier":
            return ""
        name = text(name_node)
        outer = names_type(lo, base, parts - 1) or (_package(lo, base) if name[:1].isupper() else "")
        if not outer or (outer.rsplit(".", 1)[-1][:1].isupper() and (not name[:1].isupper() or name.isupper())):
            return ""
        return f"{outer}.{name}"
    return ""


def _package(lo: Lowering, node: Node) -> str:
    """`node` as the name of a package, if its first part is no variable or field that this file tells of."""
    dotted = text(node)
    first = dotted.split(".")[0]
    if not all(part.isidentifier() and part[:1].islower() for part in dotted.split(".")):
        return ""
    known = lo.local(first) is not None or lo.captured(first) is not None or lo.field_owner(first) is not None
    return "" if known or node.type == "this" else dotted


@handles("field_access")
def field_access(lo: Lowering, node: Node) -> Value:
    base_node, name_node = node.child_by_field_name("object"), node.child_by_field_name("field")
    if base_node is None or name_node is None:
        return parts(lo, node)
    name = text(name_node)
    if name_node.type == "this":
        return outer_this(lo, text(base_node))
    if dotted := names_type(lo, node):
        return lo.type_value(dotted)
    if dotted := names_type(lo, base_node):
        return read_field(lo, node, lo.type_value(dotted), name)
    base = lo.expression(base_node)
    if base_node.type not in ("this", "super"):
        lo.dereference(base, f".{name}", "attribute", node, keys_of(lo, base_node))
    if name == "length":
        return lo.opaque()
    if base_node.type == "this" and lo.class_ is not None:
        known = lo.class_.fields.get(name)
        if known is not None and known.primitive:
            return kept.known(lo, node)
        return read_field(lo, node, base, name, sure=known is not None and known.sure)
    return read_field(lo, node, base, name)


def outer_this(lo: Lowering, name: str) -> Value:
    for class_ in lo.class_.chain() if lo.class_ is not None else ():
        if class_.name == name:
            return lo.this_of(class_)
    return lo.opaque()
