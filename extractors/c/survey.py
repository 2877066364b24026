"""Nodes of a file that are looked for before anything is lowered: in all of it at once, by a query."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import tree_sitter_c
from tree_sitter import Language, Node, Query, QueryCursor

from pliant.extractors.lowering.parsing import Parser

# A pattern that waits for a later child would take time in the square of the depth.
_PATTERNS = """
(pointer_expression operator: "&" argument: (identifier) @addressed)
(pointer_expression operator: "&" argument: (parenthesized_expression (identifier) @addressed))
(field_expression argument: (identifier) @dotted operator: ".")
(goto_statement label: (statement_identifier) @goto)
(labeled_statement) @label
(assignment_expression left: (identifier) @assigned)
(update_expression argument: (identifier) @assigned)
(case_statement) @landmark
(preproc_def) @macro
(preproc_function_def) @macro
(preproc_if) @conditional
(preproc_ifdef) @conditional
(preproc_elif) @conditional
(preproc_elifdef) @conditional
(preproc_else) @conditional
(function_definition) @function
(assignment_expression left: (field_expression)) @stored
(call_expression) @call
"""
# A query takes time in the square of the depth past 65,535, and of the children of an error. Below that, it is asked of
# the parts one by one.
DEEPEST = 60_000
WIDEST = 2_000


@cache
def language() -> Language:
    return Language(tree_sitter_c.language())


@cache
def parser() -> Parser:
    return Parser(language())


@cache
def _query() -> Query:
    return Query(language(), _PATTERNS)


def survey(root: Node) -> dict[str, list[Node]]:
    """The nodes that _PATTERNS name, in no order."""
    found: dict[str, list[Node]] = {}
    for part, depth in _parts(root):
        cursor = QueryCursor(_query())
        cursor.set_max_start_depth(depth)
        for name, nodes in cursor.captures(part).items():
            found.setdefault(name, []).extend(nodes)
    return found


def _parts(root: Node) -> Iterator[tuple[Node, int]]:
    """Nodes, and down to which depth below them the query is asked, so that it is asked of every node once."""
    apart = _around_wide_errors(root)
    todo = [root]
    while todo:
        part = todo.pop()
        if part.id in apart:
            if not part.is_error:
                yield part, 0
            todo += part.named_children
        else:
            yield part, DEEPEST - 1
            todo += _deep(part)


def _around_wide_errors(root: Node) -> set[int]:
    """The ids of errors with very many children, and of what they are in."""
    found: set[int] = set()
    parents: dict[int, int] = {}
    todo = [root] if root.has_error else []
    while todo:
        node = todo.pop()
        if node.is_error and node.child_count > WIDEST:
            at: int | None = node.id
            while at is not None and at not in found:
                found.add(at)
                at = parents.get(at)
        for child in node.children:
            if child.has_error:
                parents[child.id] = node.id
                todo.append(child)
    return found


def _deep(root: Node) -> list[Node]:
    """The nodes that are DEEPEST below `root`."""
    nodes, depth = [root], 0
    while nodes and depth < DEEPEST:
        depth += 1
        least = DEEPEST - depth  # what is so far above them has that many below itself
        nodes = [
            child
            for node in nodes
            if node.descendant_count > least
            for child in node.children
            if child.descendant_count > least
        ]
    return nodes
