"""Literals."""

from __future__ import annotations

import re

from tree_sitter import Node

from pliant.extractors.ir.operands import OTHER, Constant, Operand
from pliant.extractors.java.translation.body import Body, expression
from pliant.extractors.lowering.literals import MOST_DIGITS
from pliant.extractors.lowering.source import span, text

_KEPT = 200  # bytes of a string whose content is kept
_BASES = {"0x": 16, "0b": 2}
_ESCAPE = re.compile(r"\\(u+[0-9a-fA-F]{4}|[0-3]?[0-7]{1,2}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b", "r": "\r", "f": "\f", "s": " "}
_INTEGERS = ("decimal_integer_literal", "hex_integer_literal", "octal_integer_literal", "binary_integer_literal")


@expression("null_literal")
def null(body: Body, node: Node) -> Operand:
    return body.builder.null(span(node))


@expression(
    *_INTEGERS, "decimal_floating_point_literal", "hex_floating_point_literal", "character_literal", "string_literal",
    "true", "false",
)  # fmt: skip
def constant(body: Body, node: Node) -> Operand:
    return literal(node) or OTHER


def literal(node: Node) -> Constant | None:
    """The constant of a literal, `other` where its content is not kept; None for what is no literal."""
    kind = node.type
    if kind in ("true", "false"):
        return Constant("boolean", kind == "true")
    if kind in _INTEGERS:
        return _integer(text(node))
    if kind.endswith("floating_point_literal"):
        return Constant("float", text(node))
    if kind == "character_literal":
        content = _unescaped(text(node)[1:-1])
        return Constant("integer", ord(content)) if len(content) == 1 else OTHER
    if kind == "string_literal":
        written = text(node)
        if len(written) > _KEPT or written.startswith('"""'):
            return OTHER
        return Constant("string", _unescaped(written[1:-1]))
    if kind == "unary_expression":
        operand = node.child_by_field_name("operand")
        if node.children[0].type == "-" and operand is not None and operand.type in _INTEGERS:
            known = _integer(text(operand))
            return Constant("integer", -known.content) if isinstance(known.content, int) else OTHER
    return None


def _integer(written: str) -> Constant:
    digits = written.replace("_", "").rstrip("lL").lower()
    if len(digits) > MOST_DIGITS:
        return OTHER
    base = _BASES.get(digits[:2], 8 if len(digits) > 1 and digits[0] == "0" else 10)
    try:
        return Constant("integer", int(digits[2:] if base in (2, 16) else digits, base))
    except ValueError:
        return OTHER


def _unescaped(written: str) -> str:
    return _ESCAPE.sub(_meant, written) if "\\" in written else written


def _meant(match: re.Match[str]) -> str:
    escape = match[1]
    if escape[0] == "u" and len(escape) > 1:
        return chr(int(escape.lstrip("u"), 16))
    return chr(int(escape, 8)) if escape[0] in "01234567" else _ESCAPES.get(escape, escape)
