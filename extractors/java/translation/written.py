"""Types, modifiers and annotations as they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tree_sitter import Node

from pliant.extractors.ir.operands import ANY, BOOLEAN, Type
from pliant.extractors.java.translation.frames import Frame, Parameter
from pliant.extractors.java.types import NONNULL, NULLABLE, annotation_names, erased, is_nullable
from pliant.extractors.lowering.source import COMMENTS, elements, text
from pliant.extractors.writer import LONGEST_NAME, shortened

if TYPE_CHECKING:
    from pliant.extractors.java.translation.file import File

REST_MARK = b"/*~"  # stands for an annotation for null in front of `...`, which the grammar does not know
_NULLABLE_REST = re.compile(rb"@(?:\w+\.)*(?:%b)(?=\s*\.\.\.)" % "|".join(sorted(NULLABLE)).encode())
INT = Type("number", "int")
STRING = Type("class", "String", "java.lang")
_NUMBERS = frozenset(("byte", "short", "char", "int", "long", "float", "double"))
BOXES = {
    "Boolean": BOOLEAN,
    "Byte": Type("number", "byte"),
    "Character": Type("number", "char"),
    "Short": Type("number", "short"),
    "Integer": INT,
    "Long": Type("number", "long"),
    "Float": Type("number", "float"),
    "Double": Type("number", "double"),
}
# Classes that the language itself names: what means one of these is not looked for elsewhere.
_OF_LANGUAGE = frozenset((*BOXES, "String", "Object", "Class", "Enum", "Record", "Iterable", "Throwable", "Void"))
_DEPTH = 6  # types in types
_ANNOTATIONS = frozenset(("marker_annotation", "annotation"))


def member_name(name: str) -> str:
    """What a method is called in instructions: part of qualified names, which are bounded."""
    return name if len(name) <= LONGEST_NAME // 2 else shortened(name)


def modifiers(node: Node | None) -> tuple[frozenset[str], frozenset[str]]:
    """The words and the simple names of the annotations in front of a declaration."""
    for child in node.children if node is not None else ():
        if child.type == "modifiers":
            return frozenset(part.type for part in child.children if not part.is_named), annotation_names(child)
        if child.is_named and child.type not in COMMENTS:
            break
    return frozenset(), frozenset()


def nullness(annotations: frozenset[str], declared: Node | None, *, type_use: bool) -> frozenset[bool]:
    """What annotations say of null, in front of a declaration or at its type: that it may be there (True), that it is
    not (False), or nothing."""
    if is_nullable(annotations, declared, type_use=type_use):
        return frozenset((True,))
    at_type = annotation_names(declared) if declared is not None and declared.type == "annotated_type" else frozenset()
    return frozenset((False,)) if NONNULL & (annotations | at_type) else frozenset()


def is_primitive(kind: Type) -> bool:
    return kind.kind in ("number", "boolean")


def unboxed(kind: Type) -> Type:
    """The primitive type that a type is, or is unboxed to; ANY of others."""
    if is_primitive(kind):
        return kind
    return BOXES.get(kind.name, ANY) if kind.kind == "class" and kind.module == "java.lang" else ANY


def dimensions(node: Node | None) -> int:
    """Of `int x[][]`, those behind the name."""
    found = node.child_by_field_name("dimensions") if node is not None else None
    return sum(child.type == "[" for child in found.children) if found is not None else 0


def array_of(kind: Type, count: int) -> Type:
    for _ in range(min(count, _DEPTH)):
        kind = Type("array", of=(kind,))
    return kind


def element_of(kind: Type) -> Type:
    return kind.of[0] if kind.kind == "array" and kind.of else ANY


def type_written(file: File, frame: Frame, node: Node | None, depth: int = 0) -> Type:
    """The type that is written; ANY for type parameters, `var` and `void`."""
    if node is None or depth > _DEPTH:
        return ANY
    kind = node.type
    if kind in ("integral_type", "floating_point_type"):
        return Type("number", text(node))
    if kind == "boolean_type":
        return BOOLEAN
    if kind in ("annotated_type", "wildcard", "catch_type"):
        inner = [child for child in node.named_children if child.type not in _ANNOTATIONS and child.type != "super"]
        return type_written(file, frame, inner[-1], depth) if inner else ANY
    if kind == "array_type":
        element = type_written(file, frame, node.child_by_field_name("element"), depth + 1)
        return array_of(element, dimensions(node))
    if kind == "generic_type":
        parts = elements(node)
        arguments = elements(parts[-1]) if parts[-1].type == "type_arguments" else []
        named = file.type_named(erased(node), frame)
        if named.kind != "class" or not arguments:
            return named
        of = tuple(type_written(file, frame, each, depth + 1) for each in arguments)
        return Type(named.kind, named.name, named.module, of)
    if kind in ("type_identifier", "scoped_type_identifier", "identifier", "scoped_identifier", "field_access"):
        return file.type_named(erased(node), frame)
    return ANY


def of_language(name: str) -> bool:
    return name in _OF_LANGUAGE


def type_parameters(node: Node | None) -> frozenset[str]:
    """The type parameters that a class or method declares."""
    found = set()
    for part in elements(node.child_by_field_name("type_parameters") if node is not None else None):
        names = [child for child in part.named_children if child.type in ("type_identifier", "identifier")]
        if part.type == "type_parameter" and names:
            found.add(text(names[0]))
    return frozenset(found)


def parameters(node: Node, *, type_use: bool = False) -> Iterator[Parameter]:
    """Those that a method, a lambda or a record declares."""
    found = node.child_by_field_name("parameters")
    for child in [found] if found is not None and found.type == "identifier" else elements(found):
        if child.type not in ("formal_parameter", "spread_parameter", "identifier"):
            continue
        _, annotations = modifiers(child)
        declared, name = child.child_by_field_name("type"), child.child_by_field_name("name")
        rest = child.type == "spread_parameter"
        if child.type == "identifier":
            name = child
        elif rest:
            for part in elements(child):
                if part.type == "variable_declarator":
                    name = part.child_by_field_name("name")
                elif part.type != "modifiers":
                    declared = part
        if name is None or text(name) == "this":
            continue
        of = nullness(annotations, declared, type_use=type_use)
        if rest:  # what is in front of the type speaks of the elements
            marked = any((part.text or b"").startswith(REST_MARK) for part in child.children)
            of = frozenset((True,)) if marked else frozenset()
        yield Parameter(text(name), declared, dimensions(child), child, of, rest)


def readable(source: bytes) -> bytes:
    """A source that the grammar knows: in `Object @Nullable... rest` a comment stands for the annotation,
    and begins with REST_MARK."""

    def comment(match: re.Match[bytes]) -> bytes:
        return REST_MARK + b"~" * (len(match[0]) - len(REST_MARK) - 2) + b"*/"

    return _NULLABLE_REST.sub(comment, source) if b"..." in source else source
