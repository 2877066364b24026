"""The facts of one Python file."""

from __future__ import annotations

import sys
from functools import cache

import tree_sitter_python
from tree_sitter import Language, Node, Parser

# Each of these registers its handlers.
from pliant.extractors.facts import FileFacts
from pliant.extractors.python import conditions, definitions, loops, patterns, statements  # noqa: F401
from pliant.extractors.python.lowering import Lowering, Pending, span
from pliant.extractors.ssa import Function
from pliant.extractors.writer import FactWriter

VERSION = "1"
_DEPTH = 6000  # frames that nested source may need; past it a statement is left out with a diagnostic


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_python.language()))


def extract(source: bytes) -> FileFacts:
    """Lower a file. Parts that do not parse or are nested too deeply become diagnostics; nothing is raised."""
    writer = FactWriter()
    root = _parser().parse(source).root_node
    writer.facts.lines = root.end_point[0] + (root.end_point[1] > 0)
    for line in _invalid_lines(root):
        writer.diagnostic(line, "not valid Python here: this part is not analysed")
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _DEPTH))
    try:
        lowering = Lowering(root, writer)
        _module(lowering)
        while lowering.pending:
            _function(lowering, lowering.pending.pop(0))
    except RecursionError:
        writer.diagnostic(1, "nested too deeply: the rest of this file is not analysed")
    finally:
        sys.setrecursionlimit(limit)
    return writer.finish()


def _invalid_lines(root: Node) -> list[int]:
    """Where the parser had to leave something out or to make something up."""
    lines = set()
    todo = [root] if root.has_error else []
    while todo:
        node = todo.pop()
        if node.is_error or node.is_missing:
            lines.add(node.start_point[0] + 1)
        else:
            todo.extend(child for child in node.children if child.has_error)
    return sorted(lines)


def _module(lo: Lowering) -> None:
    fn, module = lo.fn, lo.scopes.module
    module.qualname = lo.qualname
    fn.emit("function", lo.symbol, "|")
    lo.writer.place(lo.writer.symbol(lo.symbol), span(lo.root))
    lo.block(lo.root)
    fn.leave()
    for name in module.bound:
        cell = fn.fixed_value(lo.cell(name, module))
        fn.emit("global_name", "|", name, cell)
        value = fn.read(name)
        if module.bound[name] == 1 and name not in module.rebound and value in fn.nonnull:
            lo.constants.add(name)
        if module.bound[name] == 1 and not lo.is_literal_null(value):
            fn.emit("assign", cell, value)
    fn.finish()


def _function(lo: Lowering, pending: Pending) -> None:
    lo.fn = Function(lo.writer, pending.symbol, lo.tracked, lo.cleared)
    lo.enter(pending)
    try:
        definitions.lower_function(lo, pending)
    except RecursionError:
        lo.writer.diagnostic(pending.node.start_point[0] + 1, "nested too deeply: this function is not analysed")
    lo.fn.finish()
