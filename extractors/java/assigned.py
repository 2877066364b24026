"""Which fields a file writes, and which it sets to null."""

from __future__ import annotations

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
    captures = QueryCursor(_query(language)).captures(root)
    stored, cleared = (frozenset(text(node) for node in captures.get(name, ())) for name in ("stored", "cleared"))
    return stored, cleared


_QUERIES: dict[int, Query] = {}


def _query(language: Language) -> Query:
    if not _QUERIES:
        _QUERIES[0] = Query(language, _ASSIGNED)
    return _QUERIES[0]
