"""The facts of one Java file."""

from __future__ import annotations

from functools import cache

import tree_sitter_java
from tree_sitter import Language, Node

from pliant.extractors.facts import FileFacts
from pliant.extractors.ir.unit import Unit
from pliant.extractors.java import translation
from pliant.extractors.java.parser import Parser
from pliant.extractors.java.semantics import SEMANTICS
from pliant.extractors.java.translation.file import File
from pliant.extractors.java.translation.written import readable
from pliant.extractors.lowering import source as shared
from pliant.extractors.lowering.isolation import LeftOut
from pliant.extractors.passes.facts import facts_of
from pliant.extractors.writer import FactWriter


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_java.language()))


def extract(source: bytes) -> FileFacts:
    """The facts of a file. What does not parse, or fails, becomes a diagnostic; nothing is raised."""
    read = readable(source)

    def begin(root: Node, writer: FactWriter, left_out: LeftOut) -> File:
        def write(file: File) -> None:
            writer.facts.unmodelled.update(file.unmodelled)
            facts_of(file.unit, SEMANTICS, writer, file.steps_left, file.fails)

        return File(root, left_out, write)

    return shared.extract(read, _parser(), "Java", begin)


def parse(source: bytes) -> Node:
    """The syntax of a file. Raises TooMuch."""
    return _parser().parse(readable(source)).root_node


def translate(source: bytes) -> Unit:
    """The instructions of a file. What fails costs itself; raises what fails outside of any function or class."""
    with shared.deep():
        return translation.translate(parse(source), len(source))
