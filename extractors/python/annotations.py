"""Annotations: which class a value is declared to have, and whether it may be None."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.lowering.source import elements, text
from pliant.extractors.python.lowering import Lowering
from pliant.extractors.ssa import Value


def _inner(node: Node) -> Node:
    while node.type in ("type", "parenthesized_expression") and len(elements(node)) == 1:
        node = elements(node)[0]
    return node


def _last_name(node: Node) -> str:
    return text(node).rsplit(".", 1)[-1].strip()


def alternatives(node: Node) -> tuple[list[Node], bool]:
    """The classes that an annotation allows, and whether it allows None."""
    node = _inner(node)
    kind = node.type
    if kind == "none" or (kind == "identifier" and text(node) == "None"):
        return [], True
    if kind in ("binary_operator", "union_type"):
        found: list[Node] = []
        nullable = False
        for child in elements(node):
            classes, may_be_none = alternatives(child)
            found += classes
            nullable |= may_be_none
        return found, nullable
    if kind in ("generic_type", "subscript"):
        parts = elements(node)
        name = _last_name(parts[0]) if parts else ""
        arguments = [
            argument for part in parts[1:] for argument in (elements(part) if part.type == "type_parameter" else [part])
        ]
        if name in ("Optional", "Union"):
            found, nullable = [], name == "Optional"
            for argument in arguments:
                classes, may_be_none = alternatives(argument)
                found += classes
                nullable |= may_be_none
            return found, nullable
        if name in ("Annotated", "Final", "ClassVar", "Required", "NotRequired") and arguments:
            return alternatives(arguments[0])
        return ([parts[0]] if parts and name not in ("Literal", "Callable", "Type", "type") else []), False
    if kind in ("identifier", "attribute", "member_type"):
        return [node], False
    return [], False


_ANYTHING = frozenset(("Any", "object"))


def admits_none(node: Node) -> bool:
    """Whether an annotation may allow None: it names no class, or one that anything has."""
    inner = _inner(node)
    if inner.type == "string":
        names = [part.strip() for part in text(inner).strip("rbuRBU").strip("'\" ").split("|")]
        return not all(name.isidentifier() and name not in _ANYTHING and name != "None" for name in names)
    classes, nullable = alternatives(node)
    return nullable or not classes or any(_last_name(child) in _ANYTHING for child in classes)


def declared(lo: Lowering, value: Value | str, node: Node) -> bool:
    """Note the classes that an annotation gives `value`; returns whether it allows None."""
    inner = _inner(node)
    lo.in_annotation = True
    try:
        if inner.type == "string":
            return _quoted(lo, value, text(inner))
        classes, nullable = alternatives(node)
        for child in classes:
            lo.emit("typed", value, lo.expression(child))
        return nullable
    finally:
        lo.in_annotation = False


def _quoted(lo: Lowering, value: Value | str, source: str) -> bool:
    """An annotation in quotes: a dotted name, perhaps optional."""
    source = source.strip("rbuRBU").strip("'\" ")
    nullable = False
    if source.startswith(("Optional[", "typing.Optional[", "t.Optional[")) and source.endswith("]"):
        source, nullable = source[source.index("[") + 1 : -1], True
    parts = [part.strip() for part in source.split("|")]
    if "None" in parts:
        parts.remove("None")
        nullable = True
    for part in parts:
        names = part.partition("[")[0].split(".")
        if not all(name.isidentifier() for name in names) or ("[" in part and "]" not in part):
            continue
        klass = lo.lookup(names[0])[0]
        for name in names[1:]:
            member = lo.value(f".{name}")
            lo.emit("load", member, klass, name)
            klass = member
        lo.emit("typed", value, klass)
    return nullable
