"""What conditional directives of the preprocessor are around."""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from pliant.extractors.c.integers import integer
from pliant.extractors.lowering.source import text


def branches_of(node: Node, number_of: Callable[[str], int | None] = lambda _: None) -> list[list[Node]]:
    """What each branch holds that may be taken, an `#else` that is missing included. number_of: the number that a name
    stands for, if that is known."""
    branches: list[list[Node]] = []
    current: Node | None = node
    while current is not None:
        condition = current.child_by_field_name("condition")
        number = None
        if condition is not None:
            written = text(condition).strip()
            number = number_of(written) if (literal := integer(written)) is None else literal
        alternative = current.child_by_field_name("alternative")
        if number != 0:
            skipped = {
                child.id for child in (condition, current.child_by_field_name("name"), alternative) if child is not None
            }
            branches.append(
                [child for child in current.named_children if child.id not in skipped and child.type != "comment"]
            )
        if number:
            break
        if alternative is None and current.type != "preproc_else":
            branches.append([])
        current = alternative
    return branches
