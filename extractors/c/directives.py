"""What conditional directives of the preprocessor are around."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.lowering.source import text


def branches_of(node: Node) -> tuple[list[list[Node]], int]:
    """What each branch holds, an `#else` that is missing included; which of them is never taken (`#if 0`), or -1."""
    branches: list[list[Node]] = []
    never = -1
    current: Node | None = node
    while current is not None:
        condition = current.child_by_field_name("condition")
        if current is node and condition is not None and text(condition) == "0":
            never = 0
        alternative = current.child_by_field_name("alternative")
        skipped = {
            child.id for child in (condition, current.child_by_field_name("name"), alternative) if child is not None
        }
        branches.append(
            [child for child in current.named_children if child.id not in skipped and child.type != "comment"]
        )
        last = current
        current = alternative
        if current is None and last.type != "preproc_else":
            branches.append([])
    return branches, never
