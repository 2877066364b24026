"""Where the grammar could not read a file of C."""

from __future__ import annotations

from typing import NamedTuple

from tree_sitter import Node


class Error(NamedTuple):
    """An ERROR or MISSING node. A node does not know what is around it: to ask takes time in the size of the tree.

    parent: of the node. follows: the named node behind the parent. arguments: the list of arguments that the node is
    in, unless it is in a block of that. member: the element of a list of fields or enumerators that it is, or is in.
    outside: of all blocks.
    """

    node: Node
    parent: Node | None
    follows: Node | None
    arguments: Node | None
    member: Node | None
    outside: bool


_LISTS = ("enumerator_list", "field_declaration_list")
_ENDS_WITH_STATEMENT = frozenset(
    ("labeled_statement", "if_statement", "else_clause", "for_statement", "while_statement")
)


def errors_of(root: Node) -> list[Error]:
    """The outermost ones."""
    found = []
    first: tuple[Error, Node | None] = (Error(root, None, None, None, None, True), None)
    todo = [first] if root.has_error else []
    while todo:
        error, follows = todo.pop()
        node, arguments, member, outside = error.node, error.arguments, error.member, error.outside
        if node.is_error or node.is_missing:
            found.append(error)
            continue
        if node.type in ("argument_list", "compound_statement"):
            arguments = node if node.type == "argument_list" else None
            outside = outside and node.type == "argument_list"
            member = None
        is_list = node.type in _LISTS
        # What is last in a statement, as behind a label, comes before what is behind that statement.
        following = follows if node.type in _ENDS_WITH_STATEMENT else None
        inside: list[tuple[Error, Node | None]] = []
        for child in reversed(node.children):
            if child.has_error or child.is_missing:
                inner = child if is_list else member
                inside.append((Error(child, node, follows, arguments, inner, outside), following))
            if child.is_named:
                following = child
        todo += inside
    return found
