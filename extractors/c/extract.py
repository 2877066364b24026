"""The facts of one C file."""

from __future__ import annotations

from tree_sitter import Node, Tree

from pliant.extractors.budget import TooMuch
from pliant.extractors.c import repair, translation
from pliant.extractors.c.models import models
from pliant.extractors.c.parser import parser
from pliant.extractors.c.semantics import SEMANTICS
from pliant.extractors.c.translation.file import File
from pliant.extractors.facts import FileFacts
from pliant.extractors.ir.unit import Unit
from pliant.extractors.lowering import source as shared
from pliant.extractors.lowering.isolation import LeftOut
from pliant.extractors.passes.facts import facts_of
from pliant.extractors.writer import FactWriter


class _Read:
    """A parser of the one source that has been read."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    def parse(self, source: bytes, /) -> Tree:
        return self.tree


def extract(source: bytes) -> FileFacts:
    """The facts of a file. What does not parse, or fails, becomes a diagnostic; nothing is raised."""
    try:
        parsed = repair.parse(source, parser())
    except TooMuch as error:
        return shared.not_parsed(source, error)

    def begin(root: Node, writer: FactWriter, left_out: LeftOut) -> File:
        def write(file: File) -> None:
            writer.facts.unmodelled.update(file.unmodelled)
            file.unit.mentions += _library(file.unit)
            facts_of(file.unit, SEMANTICS, writer, file.steps_left)

        return File(parsed, parser(), left_out, write)

    return shared.extract(parsed.source, _Read(parsed.tree), "C", begin)


def translate(source: bytes) -> Unit:
    """The instructions of a file. Raises RecursionError for one that is nested too deeply, TooMuch for one that costs
    too much."""
    parsed = repair.parse(source, parser())
    with shared.deep():
        return translation.translate(parsed, parser())


def _library(unit: Unit) -> list[str]:
    """The names of the library that a file uses, and those that it defines itself."""
    names = models().names
    used = {
        variable.name.partition("#")[0]
        for function in unit.functions
        for variable in function.variables.values()
        if variable.home == "import"
    }
    defined = {function.name for function in unit.functions if "global" in function.flags - {"private"}}
    return [*(f"c:{name}" for name in sorted(used & names)), *(f"c={name}" for name in sorted(defined & names))]
