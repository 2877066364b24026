"""The grammar of Go, and what it does not have yet."""

from __future__ import annotations

import re
from functools import cache

import tree_sitter_go
from tree_sitter import Language, Tree

from pliant.extractors.budget import TooMuch
from pliant.extractors.lowering.parsing import Parser

# `new` of what is no type (Go 1.26): a pointer to a new variable that holds a value. Its parentheses have something
# that no type has, before the first that is closed.
_TYPE = rb"\w.*\[\], \t\r\n"
_NEW = re.compile(
    rb"(?<![\w.])(?<!func )new(?=\((?![ \t\r\n]*(?:struct|func|chan|interface|map)\b)["
    + _TYPE
    + rb"]*[^"
    + _TYPE
    + rb")])"
)
_ADDRESS = b"&  "  # in its place: as long, and as little null


class _Parser(Parser):
    """Reads sources with `new` of values, too. A file that reads without is left as it is, and so is one of which the
    second reading takes too much."""

    def parse(self, source: bytes, /, old_tree: Tree | None = None) -> Tree:
        tree = super().parse(source, old_tree)
        if old_tree is not None or not tree.root_node.has_error or b"new(" not in source:
            return tree
        changed = _NEW.sub(_ADDRESS, source)
        if changed == source:
            return tree
        steps = self.steps
        try:
            return super().parse(changed)
        except TooMuch:
            return tree
        finally:
            self.steps += steps


@cache
def parser() -> Parser:
    return _Parser(Language(tree_sitter_go.language()))
