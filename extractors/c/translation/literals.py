"""Literals, and what constant expressions are known to be."""

from __future__ import annotations

import re
from operator import add, and_, floordiv, lshift, mod, mul, or_, rshift, sub, xor

from tree_sitter import Node

from pliant.extractors.c.declarations import UNTYPED, CType
from pliant.extractors.c.integers import integer
from pliant.extractors.c.translation.body import NOTHING, Body, Typed, expression
from pliant.extractors.c.translation.kinds import INT, LONG, TEXT, size_of
from pliant.extractors.ir.operands import OTHER, Constant
from pliant.extractors.lowering.source import elements, text

_LETTERS = 200  # of a string that is kept
_DIGITS = 40  # of a fraction that is kept
_LARGEST = 1 << 63  # of a number that is folded
_ESCAPE = re.compile(r"\\(.)")
_FLOAT = re.compile(r"\d*\.?\d*(?:[eE][-+]?\d+)?[fFlL]?")
_ESCAPES = {"n": 10, "t": 9, "r": 13, "0": 0, "\\": 92, "'": 39, '"': 34, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27}
_FOLDED = {"+": add, "-": sub, "*": mul, "|": or_, "&": and_, "^": xor}
_SHIFTS, _QUOTIENTS = {"<<": lshift, ">>": rshift}, {"/": floordiv, "%": mod}
_DOUBLE = CType("double")
_TRUTH = CType("bool")


@expression("number_literal")
def number(body: Body, node: Node) -> Typed:
    digits = text(node)
    known = integer(digits)
    if known is not None:
        return Constant("integer", known), LONG if digits[-1] in "lL" else INT
    if len(digits) <= _DIGITS and _FLOAT.fullmatch(digits):
        return Constant("float", digits), _DOUBLE
    return OTHER, INT


@expression("char_literal")
def character(body: Body, node: Node) -> Typed:
    inner = text(node)[1:-1]
    if inner.isascii() and len(inner) == 1:
        return Constant("integer", ord(inner)), INT
    if inner[:1] == "\\" and len(inner) == 2 and inner[1] in _ESCAPES:
        return Constant("integer", _ESCAPES[inner[1]]), INT
    return OTHER, INT


@expression("true", "false")
def truth(body: Body, node: Node) -> Typed:
    return Constant("boolean", node.type == "true"), _TRUTH


@expression("null")
def null(body: Body, node: Node) -> Typed:
    return body.builder.null(body.at(node)), UNTYPED


@expression("string_literal")
def string(body: Body, node: Node) -> Typed:
    inner = text(node)
    if inner[:1] != '"' or len(inner) > _LETTERS:
        return OTHER, TEXT
    content = _ESCAPE.sub(lambda match: chr(_ESCAPES[match[1]]) if match[1] in _ESCAPES else match[0], inner[1:-1])
    return (Constant("string", content) if "\\" not in content else OTHER), TEXT


@expression("concatenated_string")
def concatenated(body: Body, node: Node) -> Typed:
    return OTHER, TEXT


@expression("sizeof_expression")
def sizeof(body: Body, node: Node) -> Typed:
    size = _size(body, node)
    if size is None:
        return body.builder.give("arithmetic", "sizeof", ()), LONG
    return body.builder.give("const", Constant("integer", size), span=body.at(node)), LONG


def _size(body: Body, node: Node) -> int | None:
    kind = node.child_by_field_name("type")
    if kind is not None:
        return size_of(body.described(kind))
    inner = node.child_by_field_name("value")
    while inner is not None and inner.type == "parenthesized_expression" and len(parts := elements(inner)) == 1:
        inner = parts[0]
    if inner is not None and inner.type == "subscript_expression":
        array = inner.child_by_field_name("argument")
        local = body.meaning(text(array)) if array is not None and array.type == "identifier" else None
        return size_of(body.kinds.element(local.kind)) if local is not None and local.kind.levels else None
    local = body.meaning(text(inner)) if inner is not None and inner.type == "identifier" else None
    if local is None:
        return None
    if local.variable in body.lengths:
        one = size_of(body.kinds.element(local.kind))
        return one * body.lengths[local.variable] if one is not None else None
    return size_of(local.kind)


@expression("alignof_expression", "offsetof_expression")
def measured(body: Body, node: Node) -> Typed:
    return OTHER, LONG


@expression(
    *("type_descriptor", "primitive_type", "type_identifier", "field_identifier", "statement_identifier"),
    *("struct_specifier", "union_specifier", "enum_specifier", "sized_type_specifier", "macro_type_specifier"),
    *("attribute_specifier", "preproc_defined", "system_lib_string", "preproc_arg", "preproc_directive"),
)
def no_value(body: Body, node: Node) -> Typed:
    return NOTHING


def folded(operator: str, left: int, right: int) -> int | None:
    """What an operator gives of two integers, if that is an integer of at most 64 bits."""
    if operator in _FOLDED:
        found = _FOLDED[operator](left, right)
    elif operator in _SHIFTS and 0 <= right < 63:
        found = _SHIFTS[operator](left, right)
    elif operator in _QUOTIENTS and right > 0 and left >= 0:
        found = _QUOTIENTS[operator](left, right)
    else:
        return None
    return found if abs(found) < _LARGEST else None


def constant(body: Body, node: Node | None) -> int | None:
    """The integer that a constant expression is; None where the file does not tell. Adds no instruction."""
    outer = body.frame
    found = _constant(body, node)
    body.frame = outer
    return found


def _constant(body: Body, node: Node | None) -> int | None:
    while node is not None:
        kind = node.type
        if kind == "number_literal":
            return integer(text(node))
        if kind in ("char_literal", "true", "false"):
            value = character(body, node)[0] if kind == "char_literal" else truth(body, node)[0]
            content = value.content if isinstance(value, Constant) else None
            return int(content) if isinstance(content, int) else None
        if kind == "sizeof_expression":
            return _size(body, node)
        if kind == "identifier":
            name = text(node)
            if body.frame is None or name not in body.frame.arguments:
                known = body.file.number_of(name)
                if known is not None and body.meaning(name) is None:
                    return known
            node = body.expanded(node)
        elif kind == "parenthesized_expression":
            inner = elements(node)
            node = inner[0] if len(inner) == 1 else None
        elif kind == "cast_expression":
            node = node.child_by_field_name("value")
        elif kind == "call_expression":
            node = body.expanded(node)
        elif kind == "unary_expression":
            operator = node.children[0].type
            inside = constant(body, node.child_by_field_name("argument"))
            if inside is None:
                return None
            return {"-": -inside, "~": ~inside, "+": inside, "!": int(not inside)}.get(operator)
        elif kind == "binary_expression":
            operator_node = node.child_by_field_name("operator")
            left = constant(body, node.child_by_field_name("left"))
            right = constant(body, node.child_by_field_name("right")) if left is not None else None
            if left is None or right is None or operator_node is None:
                return None
            return folded(operator_node.type, left, right)
        else:
            return None
    return None
