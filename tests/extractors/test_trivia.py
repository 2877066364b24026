"""A comment, or the continuation of a line, between two tokens changes nothing that a program means."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import corpus
import pytest
import tree_sitter_c
import tree_sitter_go
import tree_sitter_java
import tree_sitter_python
from tree_sitter import Language, Node, Parser

from pliant.extractors.ir.text import print_unit
from pliant.extractors.languages import LANGUAGES
from pliant.extractors.lowering.source import COMMENTS

_COMMENT = b" /* ( */ "
_CASES = {
    "python": (tree_sitter_python, corpus.sources, (b" \\\n ", b"  ")),
    "java": (tree_sitter_java, corpus.java, (_COMMENT, b"\n", b" // (\n")),
    "c": (tree_sitter_c, corpus.c, (b" /* */ ", b"\n")),
    "go": (tree_sitter_go, corpus.go, (_COMMENT, b"  ")),
}
_WHOLE = ("string", "character", "char_literal", "rune_literal", "preproc", "interpret", "raw_string", "system_lib")
_SHARE = 0.2  # of the places


def _tokens(root: Node) -> Iterator[Node]:
    """What the source is made of, in its order; strings and directives whole."""
    todo = [root]
    while todo:
        node = todo.pop()
        if node.children and not node.type.startswith(_WHOLE):
            todo += reversed(node.children)
        elif node.type not in COMMENTS and node.start_byte < node.end_byte:
            yield node


def _spread(language: str, source: bytes, random: Random) -> bytes:
    grammar, _, inserted = _CASES[language]
    tree = Parser(Language(grammar.language())).parse(source)
    places, end = [], None
    for token in _tokens(tree.root_node):
        between = source[end : token.start_byte] if end is not None else b"\n"
        if not between.strip() and b"\n" not in between and random.random() < _SHARE:
            places.append(token.start_byte)
        end = None if token.type.startswith("preproc") else token.end_byte
    for place in reversed(places):
        source = source[:place] + random.choice(inserted) + source[place:]
    return source


@pytest.mark.parametrize("language", _CASES)
def test_between_two_tokens(language: str) -> None:
    random = Random(language)
    parser, translate = Parser(Language(_CASES[language][0].language())), LANGUAGES[language].translate
    texts = sorted(_CASES[language][1]().items())
    for path, text in texts[:: max(1, len(texts) // corpus.share(120))]:
        source = text.encode()
        spread = _spread(language, source, random)
        if not any(parser.parse(each).root_node.has_error for each in (source, spread)):
            assert print_unit(translate(spread)) == print_unit(translate(source)), path
