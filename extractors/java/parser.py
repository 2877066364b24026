"""The parser of Java, and what it is not given.

Where the grammar's parser meets an error, it takes memory and time for all `<` that are open there, each with all that
are around it: whether they begin type arguments or compare is not known. It does so in one go, which cannot be counted.
"""

from __future__ import annotations

import re

from tree_sitter import Tree

from pliant.extractors.budget import TooMuch
from pliant.extractors.lowering import parsing

_MOST = 10_000_000  # of all `<`, each counted as often as there are open ones: of 17 bytes each
_FEW = 4_000  # `<` that cannot be too many
_BRACKET = re.compile(rb"[<>;{}]")


class Parser(parsing.Parser):
    """A parser that gives up where a source takes too much."""

    def read(self, source: bytes, /, old_tree: Tree | None = None) -> Tree:
        """The tree of a source, whose nodes do not know their text. Raises TooMuch."""
        if source.count(b"<") > _FEW and _open_at_once(source) > _MOST:
            raise TooMuch("too many < are open in it at once")
        return super().read(source, old_tree)


def _open_at_once(source: bytes) -> int:
    """Of each `<`, how many are open there, all added up. Strings and comments count, too."""
    depth = found = 0
    for match in _BRACKET.finditer(source):
        bracket = match[0]
        if bracket == b"<":
            depth += 1
            found += depth
        elif bracket == b">":
            depth = max(0, depth - 1)
        else:
            depth = 0
    return found
