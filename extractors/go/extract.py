"""The facts of one Go file."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.budget import passes_steps
from pliant.extractors.facts import FileFacts
from pliant.extractors.go import declarations
from pliant.extractors.go.parser import parser
from pliant.extractors.go.semantics import SEMANTICS
from pliant.extractors.ir.unit import Unit
from pliant.extractors.lowering import source as shared
from pliant.extractors.passes.facts import facts_of
from pliant.extractors.writer import FactWriter


def extract(source: bytes) -> FileFacts:
    """The facts of a file. What does not parse, or fails, becomes a diagnostic; nothing is raised."""

    def write(root: Node) -> FactWriter:
        writer = FactWriter()
        file = declarations.translate(root)
        writer.facts.unmodelled.update(file.unmodelled)
        facts_of(file.unit, SEMANTICS, writer, passes_steps(root.end_byte, file.spent.all))
        return writer

    return shared.framed(source, parser(), "Go", write)


def translate(source: bytes) -> Unit:
    """The instructions of a file."""
    with shared.deep():
        return declarations.translate(parser().parse(source).root_node).unit
