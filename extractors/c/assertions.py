"""Assertions: what a call says holds behind it, by the name of what is called.

Of an assertion that is no macro of the file only its name and its arguments are known. What it asserts is its first
argument (`assert_return(p, -1)`), or the one that is a condition (`assert_with_info(client, object, n > 0)`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from tree_sitter import Node

from pliant.extractors.lowering.source import only
from pliant.extractors.lowering.trees import operator_of

_ASSERTION = re.compile(r"assert", re.IGNORECASE)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_EQUAL = frozenset(("equal", "equals", "eq", "same"))
_OTHER = frozenset(("ne", "neq"))
_UNKNOWN = frozenset(
    (
        "lt",
        "le",
        "gt",
        "ge",
        "cmp",
        "cmpint",
        "cmpuint",
        "cmpstr",
        "cmpmem",
        "cmpfloat",
        "differ",
        "fail",
        "fails",
        "failed",
    )
)
_FALSE = frozenset(("false", "null", "zero"))
_NOT = frozenset(("not", "non"))
_COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">=", "&&", "||"))
_LITERALS = frozenset(("number_literal", "char_literal", "null", "true", "false"))
_TEXTS = frozenset(("string_literal", "concatenated_string"))


def asserted(name: str, given: Sequence[Node]) -> tuple[Node, bool] | None:
    """The argument of an assertion that is true, or false, behind its call; None if the name tells of none."""
    if not given or _ASSERTION.search(name) is None:
        return None
    words = [word.lower() for word in _WORD.findall(name)]
    if _UNKNOWN.intersection(words):
        return None
    denied = {word for before, word in pairwise(words) if before in _NOT}
    relation = next((word for word in words if word in _EQUAL or word in _OTHER), None)
    if relation is not None:
        return _compared(given, (relation in _OTHER) != (relation in denied))
    condition = _condition(given)
    return (condition, not _FALSE.intersection(words) - denied) if condition is not None else None


def _compared(given: Sequence[Node], different: bool) -> tuple[Node, bool] | None:
    """What is compared with a literal NULL: it is null, or is not."""
    others = [each for each in given[:2] if each.type != "null"]
    return (others[0], different) if len(given) > 1 and len(others) == 1 else None


def _condition(given: Sequence[Node]) -> Node | None:
    first, *others = given
    if all(other.type in _TEXTS for other in others) or _is_condition(first):
        return first
    compared = next((other for other in others if _is_condition(other)), None)
    if compared is not None:
        return compared
    return None if first.type in _LITERALS or first.type in _TEXTS else first


def _is_condition(node: Node) -> bool:
    inner = only(node) if node.type == "parenthesized_expression" else None
    if inner is not None:
        return _is_condition(inner)
    return (node.type == "binary_expression" and operator_of(node) in _COMPARISONS) or (
        node.type == "unary_expression" and node.children[0].type == "!"
    )
