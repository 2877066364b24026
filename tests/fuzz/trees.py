"""Syntax trees of mutated text: ranges of bytes by the kind of their node."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import NamedTuple

from tree_sitter import Language, Node, Parser

PIECE_BYTES = 1500  # of a subtree that is put elsewhere


@dataclass(frozen=True)
class Grammar:
    """module: of tree-sitter; suffixes: the first is what mutated files are called by."""

    module: str
    suffixes: tuple[str, ...]


LANGUAGES = {
    "python": Grammar("tree_sitter_python", (".py", ".pyi")),
    "java": Grammar("tree_sitter_java", (".java",)),
    "c": Grammar("tree_sitter_c", (".c", ".h")),
    "go": Grammar("tree_sitter_go", (".go",)),
}


class Range(NamedTuple):
    """A node's kind, whether it is named, its bytes, and the range of its parent."""

    kind: str
    named: bool
    start: int
    end: int


@cache
def _parser(language: str) -> Parser:
    return Parser(Language(import_module(LANGUAGES[language].module).language()))


class Tree:
    """The nodes of a text, in the order of their starts, parents first."""

    def __init__(self, source: bytes, language: str):
        self.source = source
        self.language = language
        self._tree = _parser(language).parse(source)
        self.root: Node = self._tree.root_node
        self._ranges: list[Range] | None = None

    @property
    def ranges(self) -> list[Range]:
        """Of every node but the root, that is not empty."""
        if self._ranges is None:
            self._ranges = [
                Range(node.type, node.is_named, node.start_byte, node.end_byte) for node in self._walk() if node.parent
            ]
        return self._ranges

    def _walk(self) -> Iterator[Node]:
        cursor = self.root.walk()
        while True:
            node = cursor.node
            assert node is not None
            if node.start_byte < node.end_byte:
                yield node
            if cursor.goto_first_child():
                continue
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return

    def named(self) -> list[Range]:
        return [each for each in self.ranges if each.named]

    def leaves(self) -> list[Range]:
        found = []
        for each, after in zip(self.ranges, [*self.ranges[1:], None], strict=False):
            if after is None or after.start >= each.end:
                found.append(each)
        return found

    def text(self, each: Range) -> bytes:
        return self.source[each.start : each.end]

    def levels(self) -> Iterator[list[tuple[int, int]]]:
        """The ranges of the named nodes at each depth, from the top."""
        level = [self.root]
        while level:
            level = [child for node in level for child in node.children]
            named = [(node.start_byte, node.end_byte) for node in level if node.is_named]
            if named:
                yield named


def pieces_of(tree: Tree) -> Iterator[tuple[str, bytes]]:
    for each in tree.named():
        if each.end - each.start <= PIECE_BYTES and each.kind != "ERROR":
            yield each.kind, tree.text(each)


def window(tree: Tree, most: int, chance: random.Random) -> bytes:
    """The text without children here and there, until it is about `most` bytes."""
    source = tree.source
    cuts: list[tuple[int, int]] = []
    node, over = tree.root, len(source) - most
    while over > 0 and node.child_count:
        children = node.children
        largest = max(children, key=lambda child: child.end_byte - child.start_byte)
        if largest.end_byte - largest.start_byte > 0.6 * (node.end_byte - node.start_byte):
            node = largest
            continue
        start = chance.randrange(len(children))
        for child in [*children[start:], *children[:start]]:
            if over <= 0:
                break
            cuts.append((child.start_byte, child.end_byte))
            over -= child.end_byte - child.start_byte
        break
    return without(source, cuts)


def without(source: bytes, cuts: list[tuple[int, int]]) -> bytes:
    """The text with ranges left out, which may lie within each other."""
    kept, at = [], 0
    for start, end in sorted(cuts):
        if end > at:
            kept.append(source[at : max(start, at)])
            at = end
    return b"".join([*kept, source[at:]])
