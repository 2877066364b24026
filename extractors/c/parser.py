"""The parser of C."""

from __future__ import annotations

from functools import cache

import tree_sitter_c
from tree_sitter import Language

from pliant.extractors.lowering.parsing import Parser


@cache
def parser() -> Parser:
    return Parser(Language(tree_sitter_c.language()))
