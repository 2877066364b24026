"""The variables and paths that an expression is."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.java.lowering import Lowering
from pliant.extractors.lowering.base import MOST_LINKS
from pliant.extractors.lowering.source import elements, text
from pliant.extractors.ssa import UNDEFINED, Key, Value

LITERALS = frozenset(
    (
        "decimal_integer_literal",
        "hex_integer_literal",
        "octal_integer_literal",
        "binary_integer_literal",
        "decimal_floating_point_literal",
        "hex_floating_point_literal",
        "true",
        "false",
        "character_literal",
        "string_literal",
    )
)
_FIXED = LITERALS | {"identifier", "class_literal"}
_BASES = frozenset(("field_access", "array_access", "method_invocation"))


def is_fixed(node: Node) -> bool:
    """Whether an argument or index is the same wherever it is written so, as long as the variable in it is not set."""
    if node.type == "field_access":
        name = node.child_by_field_name("field")
        return name is not None and text(name).isupper() and len(text(name)) > 1
    return node.type in _FIXED


def keys_of(lo: Lowering, node: Node, links: int = MOST_LINKS) -> list[Key]:
    """links: that a path may still have."""
    kind = node.type
    if kind == "identifier":
        return _name_keys(lo, text(node))
    if kind == "parenthesized_expression" and node.named_children:
        return keys_of(lo, elements(node)[0], links) if elements(node) else []
    if kind == "cast_expression":
        value = node.child_by_field_name("value")
        return keys_of(lo, value, links) if value is not None else []
    if kind == "assignment_expression":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        sides = [side for side in (left, right) if side is not None and links]
        return [key for side in sides for key in keys_of(lo, side, links - 1)]
    base, field = _path(lo, node)
    if not field:
        return []
    if base is None or base.type == "this":
        path = lo.fn.path(lo.this(), field) if lo.class_ is not None and not lo.static else None
        return [path] if path is not None else []
    outer = _outer_this(lo, base)
    if outer != UNDEFINED:
        path = lo.fn.path(outer, field)
        return [path] if path is not None else []
    for key in keys_of(lo, base, links - 1) if links else ():
        current = lo.fn.content(key) if isinstance(key, tuple) else lo.fn.read(key)
        path = lo.fn.path(current, field)
        if path is not None:
            return [path]
    if base.type == "identifier" and text(base)[:1].isupper():
        path = lo.fn.path(lo.type_value(text(base)), field)
        return [path] if path is not None else []
    return []


def _name_keys(lo: Lowering, name: str) -> list[Key]:
    key = lo.local(name)
    if key is not None:
        return [key]
    if lo.captured(name) is not None:
        return [f"{name}#captured"]
    owner = lo.field_owner(name)
    if owner is not None:
        path = lo.fn.path(lo.field_base(*owner), name)
        return [path] if path is not None else []
    inherits = lo.inherits()
    if inherits is not None and not name[:1].isupper():
        path = lo.fn.path(lo.this_of(inherits), name)
        return [path] if path is not None else []
    return []


def _outer_this(lo: Lowering, node: Node) -> Value:
    """The object that `Outer.this` is; UNDEFINED for any other expression."""
    field, base = node.child_by_field_name("field"), node.child_by_field_name("object")
    if node.type == "field_access" and field is not None and field.type == "this" and base is not None:
        for class_ in lo.class_.chain() if lo.class_ is not None else ():
            if class_.name == text(base):
                return lo.this_of(class_)
    return UNDEFINED


def _path(lo: Lowering, node: Node) -> tuple[Node | None, str]:
    """Base and field of `base.field`; `base[constant]` and `base.name(constants)` are fields, too, for tests."""
    kind = node.type
    if kind == "field_access":
        name = node.child_by_field_name("field")
        return node.child_by_field_name("object"), text(name) if name is not None else ""
    if kind == "array_access":
        index = node.child_by_field_name("index")
        if index is not None and is_fixed(index):
            return node.child_by_field_name("array"), f"[{key_of(lo, index)}]"
    if kind == "method_invocation":
        name, arguments = node.child_by_field_name("name"), node.child_by_field_name("arguments")
        if name is not None and arguments is not None and all(map(is_fixed, elements(arguments))):
            return node.child_by_field_name("object"), f".{text(name)}{argument_text(lo, arguments)}"
    return None, ""


def argument_text(lo: Lowering, arguments: Node) -> str:
    return f"({', '.join(key_of(lo, argument) for argument in elements(arguments))})"


def key_of(lo: Lowering, node: Node) -> str:
    """An argument as it is written; a variable with what tells apart the values that it has had."""
    key = lo.local(text(node)) if node.type == "identifier" else None
    return text(node) if key is None else f"{text(node)}#{lo.fn.root(lo.fn.read(key))}"


def value_of(lo: Lowering, node: Node) -> Value:
    """What is known to be the value of a variable or path, without lowering it; UNDEFINED if nothing is."""
    if node.type == "this":
        return lo.this()
    for key in keys_of(lo, node):
        value = lo.fn.content(key) if isinstance(key, tuple) else lo.fn.read(key)
        if value != UNDEFINED:
            return value
    return UNDEFINED


def follow(lo: Lowering, node: Node, value: Value, field: str) -> None:
    """Tell `value`, which was just read by `node`, what is known of the variable or path that it is."""
    remember = node.type != "method_invocation" and node.parent is not None and node.parent.type in _BASES
    lo.follow(keys_of(lo, node), value, field, remember=remember)
