"""Parsing, bounded: recovery from errors can take time that grows with the square of a source.

What the parser does is counted where it lets itself be asked: after every hundred operations, and when it reads a part
of the source, perhaps again. Operations while it recovers from an error take longer, and count more.
"""

from __future__ import annotations

from tree_sitter import Language, Node, Point, Tree
from tree_sitter import Parser as Unbounded

from pliant.extractors.budget import TooMuch

# Hundreds of operations, or reads; `tests/extractors/budgets.py FOLDER` prints what share of it sources take.
PARSER_STEPS = 10_000
PARSER_STEPS_OF_PART = 30
_RECOVERY_STEPS = 8  # of a hundred operations while the parser recovers from an error
MOST_ERRORS = 50_000  # of a source whose tree is used, with the parts of each
_PART = 1024  # bytes that are read at a time


def parser_steps(size: int) -> int:
    """The steps that parsing a source of `size` bytes may take."""
    return PARSER_STEPS + PARSER_STEPS_OF_PART * (size // _PART)


class Parser:
    """A parser of a language that gives up where a source takes too much. steps: that the last one took."""

    def __init__(self, language: Language) -> None:
        self._parser = Unbounded(language)
        self.steps = 0

    def parse(self, source: bytes, /, old_tree: Tree | None = None) -> Tree:
        """The tree of a source, whose nodes know their text. Raises TooMuch."""
        if len(source) <= _PART:  # whose square is not much, either
            return self._parser.parse(source) if old_tree is None else self._parser.parse(source, old_tree)
        return self.with_text(self.read(source, old_tree), source)

    def read(self, source: bytes, /, old_tree: Tree | None = None) -> Tree:
        """The tree of a source, whose nodes do not know their text. Raises TooMuch."""
        most = parser_steps(len(source))
        reads = operations = 0

        def read(at: int, place: Point) -> bytes:
            nonlocal reads
            reads += 1
            return source[at : at + _PART]

        def is_too_much(at: int, has_error: bool) -> bool:
            nonlocal operations
            operations += _RECOVERY_STEPS if has_error else 1
            return reads > most or operations > most

        try:
            if old_tree is None:
                return self._parser.parse(read, progress_callback=is_too_much)
            return self._parser.parse(read, old_tree, progress_callback=is_too_much)
        except ValueError:
            self._parser.reset()
            raise TooMuch(f"parsing it takes more than {most:,} steps") from None
        finally:
            self.steps = max(reads, operations)

    def with_text(self, tree: Tree, source: bytes, /) -> Tree:
        """The same tree, whose nodes know their text: what is valid is taken over, only the rest is parsed again. Nodes
        of the other one would ask `read` for it, and the process ends if that raises, as at the limit of recursion.
        Raises TooMuch where very much is not valid."""
        if _has_more_errors(tree.root_node, MOST_ERRORS):
            raise TooMuch(f"more than {MOST_ERRORS:,} places of it are not valid")
        return self._parser.parse(source, tree)


def _has_more_errors(root: Node, most: int) -> bool:
    """Whether a tree has more than so many nodes that are missing, or are errors in no other error, or parts of one."""
    todo, found = [root] if root.has_error else [], 0
    while todo and found <= most:
        node = todo.pop()
        if node.is_error or node.is_missing:
            found += 1 + node.child_count
        else:
            todo += [child for child in node.children if child.has_error or child.is_missing]
    return found > most
