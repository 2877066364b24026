"""The facts of one Python file."""

from __future__ import annotations

from functools import cache

import tree_sitter_python
from tree_sitter import Language, Node

from pliant.extractors.facts import FileFacts
from pliant.extractors.ir import Unit
from pliant.extractors.lowering import source as shared
from pliant.extractors.lowering.isolation import LeftOut
from pliant.extractors.lowering.parsing import Parser
from pliant.extractors.passes.facts import facts_of
from pliant.extractors.python import translation
from pliant.extractors.python.scopes import ScopeBuilder
from pliant.extractors.python.semantics import SEMANTICS
from pliant.extractors.python.translation.functions import File
from pliant.extractors.writer import FactWriter


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_python.language()))


def extract(source: bytes) -> FileFacts:
    """The facts of a file. What does not parse, or fails, becomes a diagnostic; nothing is raised."""

    scopes = cache(ScopeBuilder)  # all attempts have the same tree

    def begin(root: Node, writer: FactWriter, left_out: LeftOut) -> File:
        def write(file: File) -> None:
            writer.facts.unmodelled.update(file.unmodelled)
            facts_of(file.unit, SEMANTICS, writer, file.steps_left, file.fails)

        return File(root, scopes(root), left_out, write)

    return shared.extract(source, _parser(), "Python", begin)


def translate(source: bytes) -> Unit:
    """The instructions of a file. What fails costs itself; raises what fails outside of any function or statement."""
    with shared.deep():
        return translation.translate(_parser().parse(source).root_node, len(source))
