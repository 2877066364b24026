"""Annotations: the classes that one names, and whether it allows None."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.ir.operands import NULL, Operand
from pliant.extractors.lowering.source import joined
from pliant.extractors.python.translation.functions import Body, elements, span, text

_ANYTHING = frozenset(("Any", "object"))
_NO_INSTANCE = frozenset(("Literal", "Callable", "Type", "type"))
_AROUND = frozenset(("Annotated", "Final", "ClassVar", "Required", "NotRequired"))


def declared(body: Body, node: Node) -> list[Operand]:
    """The classes that an annotation names, evaluated; null among them if it allows None."""
    inner = _inner(node)
    if inner.type == "string":
        return _quoted(body, inner)
    classes, nullable = _alternatives(node)
    return [*(body.expression(each) for each in classes), *([NULL] if nullable else [])]


def admits_none(node: Node) -> bool:
    """Whether an annotation may allow None: it names no class, or one that anything has."""
    inner = _inner(node)
    if inner.type == "string":
        names = [part.strip() for part in text(inner).strip("rbuRBU").strip("'\" ").split("|")]
        return not all(name.isidentifier() and name not in _ANYTHING and name != "None" for name in names)
    classes, nullable = _alternatives(node)
    return nullable or not classes or any(_last_name(child) in _ANYTHING for child in classes)


def is_none(node: Node) -> bool:
    """Whether an annotation allows None alone."""
    return text(node).strip("'\" ") == "None"


def _inner(node: Node) -> Node:
    while node.type in ("type", "parenthesized_expression") and len(elements(node)) == 1:
        node = elements(node)[0]
    return node


def _last_name(node: Node) -> str:
    return joined(node).rsplit(".", 1)[-1]


def _alternatives(node: Node) -> tuple[list[Node], bool]:
    """The classes that an annotation allows, and whether it allows None."""
    node = _inner(node)
    kind = node.type
    if kind == "none" or (kind == "identifier" and text(node) == "None"):
        return [], True
    if kind in ("binary_operator", "union_type"):
        return _union(elements(node), nullable=False)
    if kind in ("generic_type", "subscript"):
        parts = elements(node)
        name = _last_name(parts[0]) if parts else ""
        arguments = [
            argument for part in parts[1:] for argument in (elements(part) if part.type == "type_parameter" else [part])
        ]
        if name in ("Optional", "Union"):
            return _union(arguments, nullable=name == "Optional")
        if name in _AROUND and arguments:
            return _alternatives(arguments[0])
        return ([parts[0]] if parts and name not in _NO_INSTANCE else []), False
    return ([node] if kind in ("identifier", "attribute", "member_type") else []), False


def _union(parts: list[Node], *, nullable: bool) -> tuple[list[Node], bool]:
    found: list[Node] = []
    for part in parts:
        classes, may_be_none = _alternatives(part)
        found += classes
        nullable |= may_be_none
    return found, nullable


def _quoted(body: Body, node: Node) -> list[Operand]:
    """An annotation in quotes: dotted names, perhaps optional."""
    source = text(node).strip("rbuRBU").strip("'\" ")
    found: list[Operand] = []
    nullable = False
    if source.startswith(("Optional[", "typing.Optional[", "t.Optional[")) and source.endswith("]"):
        source, nullable = source[source.index("[") + 1 : -1], True
    parts = [part.strip() for part in source.split("|")]
    nullable |= "None" in parts
    for part in parts:
        names = part.partition("[")[0].split(".")
        if part == "None" or not all(name.isidentifier() for name in names) or ("[" in part and "]" not in part):
            continue
        value = body.read(names[0], span(node))
        for name in names[1:]:
            value = body.builder.give("load", value, name)
        found.append(value)
    return [*found, *([NULL] if nullable else [])]
