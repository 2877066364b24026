"""Types as they are written, with their arguments and with where they say that null may be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from tree_sitter import Node

from pliant.extractors.java.declarations import Field, Method, Parameter, modifiers_node
from pliant.extractors.java.lowering import Lowering
from pliant.extractors.java.types import NULLABLE, annotation_names, erased, is_nullable
from pliant.extractors.lowering.source import elements, text

_NAMES = "|".join(sorted(NULLABLE)).encode()
# `<@Nullable X`, `, @Nullable X>`, `extends @Nullable X`, `@Nullable X[]`, `X @Nullable ...`
_WRITTEN = re.compile(
    rb"[<,]\s*@(?:\w+\.)*(?:%b)\b|(?:extends|super)\s+@(?:\w+\.)*(?:%b)\b|@(?:%b)\s+[\w.<>]+\s*(?:\[\s*\]|\.\.\.)"
    rb"|/\*~" % (_NAMES, _NAMES, _NAMES)
)
DEPTH = 8  # types in types, and bases of bases
_NO_TYPE = frozenset(("marker_annotation", "annotation", "line_comment", "block_comment", "super"))


@dataclass(frozen=True, slots=True)
class Type:
    """name: erased; element: of an array; place: where it is said to take null."""

    name: str
    nullable: bool = False
    arguments: tuple[Type, ...] = ()
    element: Type | None = None
    place: Node | None = None


Bindings = Mapping[str, Type]
UNKNOWN = Type("")
ANY = "?"  # a wildcard without an upper bound


def are_written(source: bytes) -> bool:
    """Whether a file says of type arguments, their bounds or elements of arrays that they take null."""
    return _WRITTEN.search(source) is not None


def written(node: Node | None, modifiers: Node | None = None, *, type_use: bool = False, depth: int = 0) -> Type:
    """type_use: an annotation in front of the declaration of an array speaks of its elements."""
    if node is None or depth > DEPTH:
        return UNKNOWN
    place = node if modifiers is not None and not annotation_names(modifiers).isdisjoint(NULLABLE) else None
    nullable = place is not None
    if node.type == "annotated_type":
        if not annotation_names(node).isdisjoint(NULLABLE):
            nullable, place = True, node
        node = next((child for child in reversed(node.named_children) if child.type not in _NO_TYPE), node)
    if node.type == "wildcard":
        inner = [child for child in node.named_children if child.type not in _NO_TYPE]
        found = written(inner[-1], depth=depth + 1) if inner else UNKNOWN
        above = any(child.type == "super" for child in node.children)
        return found if inner and not above else Type(ANY, found.nullable, (), None, found.place)
    if node.type == "array_type":
        return _array(node, nullable, place, type_use=type_use, depth=depth)
    if node.type == "generic_type":
        given = next((child for child in node.named_children if child.type == "type_arguments"), None)
        arguments = tuple(written(child, depth=depth + 1) for child in elements(given))
        return Type(erased(node), nullable, arguments, None, place)
    return Type(erased(node), nullable, (), None, place)


def _array(node: Node, nullable: bool, place: Node | None, *, type_use: bool, depth: int) -> Type:
    element, dimensions = node.child_by_field_name("element"), node.child_by_field_name("dimensions")
    inner = written(element, depth=depth + 1)
    if nullable and (type_use or is_nullable(frozenset(), node)):
        inner, nullable = replace(inner, nullable=True, place=place), False
    of_dimension: list[bool] = []
    annotated = False
    for child in dimensions.children if dimensions is not None else ():
        if child.type in ("marker_annotation", "annotation"):
            name = child.child_by_field_name("name")
            annotated = annotated or (name is not None and text(name).rsplit(".", 1)[-1] in NULLABLE)
        elif child.type == "[":
            of_dimension.append(annotated)
            annotated = False
    for takes_null in reversed(of_dimension or [False]):
        inner = Type("", takes_null, (), inner, node if takes_null else None)
    return replace(inner, nullable=inner.nullable or nullable, place=inner.place or place)


def bound(type_: Type, bindings: Bindings, depth: int = 0) -> Type:
    """A type whose variables stand for what is bound to them."""
    if depth > DEPTH:
        return UNKNOWN
    known = bindings.get(type_.name)
    if known is not None:
        return replace(known, nullable=True, place=type_.place) if type_.nullable else known
    if type_.element is not None:
        return replace(type_, element=bound(type_.element, bindings, depth + 1))
    if type_.arguments:
        return replace(type_, arguments=tuple(bound(each, bindings, depth + 1) for each in type_.arguments))
    return type_


def of_field(lo: Lowering, known: Field) -> Type:
    declaration = known.node.parent.parent if known.node.parent is not None else None
    return written(known.type, modifiers_node(declaration), type_use=lo.type_use)


def of_parameter(lo: Lowering, parameter: Parameter) -> Type:
    modifiers = modifiers_node(parameter.node)
    if parameter.rest:
        element = written(parameter.type, modifiers)
        return Type("", parameter.nullable, (), element, parameter.node if parameter.nullable else None)
    return written(parameter.type, modifiers, type_use=lo.type_use)


def of_result(lo: Lowering, method: Method) -> Type:
    return written(method.type, modifiers_node(method.node), type_use=lo.type_use)


def variables(node: Node | None) -> list[str]:
    """The type parameters that a class or method declares, in their order."""
    found = []
    for part in elements(node.child_by_field_name("type_parameters") if node is not None else None):
        names = [child for child in part.named_children if child.type in ("type_identifier", "identifier")]
        if part.type == "type_parameter" and names:
            found.append(text(names[0]))
    return found
