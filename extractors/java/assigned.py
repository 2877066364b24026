"""Which names a file has, which fields it writes, and which it sets to null."""

from __future__ import annotations

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


def assigned_names(language: Language, root: Node) -> tuple[frozenset[str], frozenset[str]]:
    """Names that assignments and updates of the file write, and those that it sets to null."""
    captures = QueryCursor(_query(language, _ASSIGNED)).captures(root)
    stored, cleared = (frozenset(text(node) for node in captures.get(name, ())) for name in ("stored", "cleared"))
    return stored, cleared


def identifiers(language: Language, root: Node) -> list[Node]:
    """All identifiers of a file, in their order."""
    found = QueryCursor(_query(language, "(identifier) @found")).captures(root).get("found", [])
    return sorted(found, key=lambda node: node.start_byte)


@cache
def _query(language: Language, text: str) -> Query:
    return Query(language, text)
