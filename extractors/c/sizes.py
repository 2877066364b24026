"""How many bytes types and variables have, where a pointer has 8."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.c.declarations import CType, described
from pliant.extractors.c.entities import Form
from pliant.extractors.c.forms import constant, form_of
from pliant.extractors.c.lowering import Lowering
from pliant.extractors.c.operands import type_of
from pliant.extractors.c.places import stripped
from pliant.extractors.lowering.source import elements, text

_BYTES = {
    "bool": 1, "_Bool": 1, "char": 1, "signed char": 1, "unsigned char": 1, "int8_t": 1, "uint8_t": 1, "short": 2,
    "unsigned short": 2, "int16_t": 2, "uint16_t": 2, "int": 4, "unsigned": 4, "unsigned int": 4, "int32_t": 4,
    "uint32_t": 4, "float": 4, "double": 8, "long long": 8, "unsigned long long": 8, "int64_t": 8, "uint64_t": 8,
    "size_t": 8,
}  # fmt: skip


@form_of("sizeof_expression")
def _sizeof(lo: Lowering, node: Node) -> Form | None:
    inner = node.child_by_field_name("value") or node.child_by_field_name("type")
    size = _size(lo, stripped(inner)) if inner is not None else None
    lo.consulted += size is not None
    return Form((), size) if size is not None else None


def _size(lo: Lowering, node: Node) -> int | None:
    """Bytes, where a pointer has 8."""
    if node.type == "type_descriptor":
        return _bytes(lo.types.resolve(described(node)))
    if node.type != "identifier" or (variable := lo.variable(text(node))) is None:
        return _bytes(type_of(lo, node))
    if not variable.type.array:
        return _bytes(variable.type)
    declared = variable.node.parent if variable.node is not None else None
    if declared is None or declared.type != "array_declarator":
        return None
    length, one = declared.child_by_field_name("size"), _bytes(variable.type.element())
    count = constant(lo, length) if length is not None else None
    if length is None and declared.parent is not None and declared.parent.type == "init_declarator":
        initial = declared.parent.child_by_field_name("value")
        if initial is not None and initial.type == "initializer_list":
            listed = elements(initial)
            count = len(listed) if all(child.type != "initializer_pair" for child in listed) else None
    return count * one if count is not None and one is not None else None


def _bytes(kind: CType) -> int | None:
    if kind.levels:
        return 8 if kind.levels[0] == "pointer" else None
    return _BYTES.get(kind.base)
