"""Which names a file has, which fields it writes, and which it sets to null."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from tree_sitter import Language, Node, Query, QueryCursor

from pliant.extractors.lowering.source import text

_ASSIGNED = """
(assignment_expression left: (field_access field: (identifier) @stored))
(assignment_expression left: (identifier) @stored)
(assignment_expression left: (field_access field: (identifier) @cleared) right: (null_literal))
(assignment_expression left: (identifier) @cleared right: (null_literal))
(update_expression [(identifier) @stored (field_access field: (identifier) @stored)])
"""


_MOST_NODES = 200_000  # of a tree that a query is run on: where it is deep, that takes the square of its depth


def assigned_names(language: Language, root: Node) -> tuple[frozenset[str], frozenset[str]]:
    """Names that assignments and updates of the file write, and those that it sets to null."""
    if not _is_queried(root):
        return _assigned_names(root)
    captures = QueryCursor(_query(language, _ASSIGNED)).captures(root)
    stored, cleared = (frozenset(text(node) for node in captures.get(name, ())) for name in ("stored", "cleared"))
    return stored, cleared


def _assigned_names(root: Node) -> tuple[frozenset[str], frozenset[str]]:
    stored: set[str] = set()
    cleared: set[str] = set()
    for node in _nodes(root):
        if node.type == "assignment_expression":
            written, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        elif node.type == "update_expression":
            written, right = node.named_child(0), None
        else:
            continue
        if written is not None and written.type == "field_access":
            written = written.child_by_field_name("field")
        if written is not None and written.type == "identifier":
            stored.add(text(written))
            if right is not None and right.type == "null_literal":
                cleared.add(text(written))
    return frozenset(stored), frozenset(cleared)


def identifiers(language: Language, root: Node) -> list[Node]:
    """All identifiers in a part of a file, in their order."""
    if not _is_queried(root):
        return [node for node in _nodes(root) if node.type == "identifier"]
    found = QueryCursor(_query(language, "(identifier) @found")).captures(root).get("found", [])
    return sorted(found, key=lambda node: node.start_byte)


def _is_queried(root: Node) -> bool:
    return not root.has_error and root.descendant_count <= _MOST_NODES


def _nodes(root: Node) -> Iterator[Node]:
    """The named nodes of a tree, in their order."""
    todo = [root]
    while todo:
        node = todo.pop()
        yield node
        if node.named_child_count:
            todo += reversed(node.named_children)


@cache
def _query(language: Language, text: str) -> Query:
    return Query(language, text)
