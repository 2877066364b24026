"""Parts of expressions: operators, operands, what parentheses are around."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.lowering.source import only


def operator_of(node: Node) -> str:
    """The operator of a binary expression; nothing of other nodes."""
    found = node.child_by_field_name("operator") if node.type == "binary_expression" else None
    return found.type if found is not None else ""


def spine(node: Node, operator: str) -> list[Node]:
    """The operands of `a + b + c`, however many: its tree is as deep as it is long."""
    found: list[Node] = []
    current: Node | None = node
    while current is not None and operator_of(current) == operator:
        right = current.child_by_field_name("right")
        if right is not None:
            found.append(right)
        current = current.child_by_field_name("left")
    return [current, *reversed(found)] if current is not None else found[::-1]


def inside(node: Node | None) -> Node | None:
    """What parentheses are around."""
    while node is not None and node.type == "parenthesized_expression":
        node = only(node)
    return node
