"""The facts of one Python file."""

from __future__ import annotations

from functools import cache, partial

import tree_sitter_python
from tree_sitter import Language, Node

from pliant.extractors.facts import FileFacts
from pliant.extractors.ir import Unit
from pliant.extractors.lowering import source as shared
from pliant.extractors.lowering.isolation import Waiting
from pliant.extractors.lowering.parsing import Parser
from pliant.extractors.lowering.source import span

# Each of these registers its handlers.
from pliant.extractors.python import calls, conditions, definitions, expressions, loops, patterns, statements  # noqa: F401
from pliant.extractors.python.lowering import Lowering, Pending
from pliant.extractors.ssa import Key


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
