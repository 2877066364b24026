"""The facts of one Python file."""

from __future__ import annotations

from functools import cache, partial

import tree_sitter_python
from tree_sitter import Language, Node

from pliant.extractors.facts import FileFacts
from pliant.extractors.ir import Unit
from pliant.extractors.lowering import source as shared
from pliant.extractors.lowering.isolation import LeftOut, Waiting
from pliant.extractors.lowering.parsing import Parser
from pliant.extractors.lowering.source import span

# Each of these registers its handlers.
from pliant.extractors.python import calls, conditions, definitions, expressions, loops, patterns, statements  # noqa: F401
from pliant.extractors.python.lowering import Lowering, Pending
from pliant.extractors.ssa import Key
from pliant.extractors.writer import FactWriter


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_python.language()))


def extract(source: bytes) -> FileFacts:
    """Lower a file."""
    return shared.extract(source, _parser(), "Python", File)


def translate(source: bytes) -> Unit:
    """The instructions of a file. Raises RecursionError for one that is nested too deeply."""
    from pliant.extractors.python.translation import translate as translated  # noqa: PLC0415  # no fact needs it

    with shared.deep():
        return translated(_parser().parse(source).root_node)


def from_instructions(source: bytes) -> FileFacts:
    """The facts of a file as the shared passes make them of its instructions: not yet those that `extract` gives."""
    from pliant.extractors.passes import facts_of  # noqa: PLC0415
    from pliant.extractors.python.semantics import SEMANTICS  # noqa: PLC0415
    from pliant.extractors.python.translation.functions import File as Translation  # noqa: PLC0415

    def begin(root: Node, writer: FactWriter, left_out: LeftOut) -> Translation:
        def write(file: Translation) -> None:
            writer.facts.unmodelled.update(file.unmodelled)
            facts_of(file.unit, SEMANTICS, writer, len(source))

        return Translation(root, left_out, write)

    return shared.extract(source, _parser(), "Python", begin)


class File(Lowering):
    def keys_of(self, node: Node) -> list[Key]:
        return expressions.keys_of(self, node)

    def lower_file(self) -> None:
        fn, module = self.fn, self.scopes.module
        module.qualname = self.qualname
        fn.emit("function", self.symbol, "|")
        self.writer.place(self.writer.symbol(self.symbol), span(self.root))
        self.block(self.root)
        self.lowered_outside()
        fn.leave()
        for name in module.bound:
            cell = fn.fixed_value(self.cell(name, module))
            fn.emit("global_name", "|", name, cell)
            value = fn.read(name)
            if module.bound[name] == 1 and name not in module.rebound and value in fn.nonnull:
                self.constants.add(name)
            if module.bound[name] == 1 and not self.is_literal_null(value):
                fn.emit("assign", cell, value)
        fn.finish()

    def next_function(self) -> Waiting | None:
        if not self.pending:
            return None
        pending = self.pending.popleft()
        self.writer.extents[pending.symbol] = span(pending.node)
        return Waiting(pending.symbol, pending.node, partial(self._lower, pending))

    def _lower(self, pending: Pending) -> None:
        self.start_function(pending.symbol)
        self.scope = pending.scope
        self.class_symbol, self.method_of = None, pending.owner
        definitions.lower_function(self, pending)
        self.fn.finish()
