"""Directives of the preprocessor. Of a conditional, any of the branches is taken."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.c.directives import branches_of
from pliant.extractors.c.entities import MODULE
from pliant.extractors.c.lowering import Lowering, statement
from pliant.extractors.lowering.source import elements


@statement("preproc_if", "preproc_ifdef")
def conditional(lo: Lowering, node: Node) -> None:
    fn = lo.fn
    branches, never = branches_of(node)
    if lo.symbol == MODULE or not fn.reachable():
        for children in branches:
            for child in children:
                lo.statement(child)
        return
    here, after = fn.here(), fn.new_block()
    before = fn.split()
    for number, children in enumerate(branches):
        if number == never:
            continue
        fn.start(fn.new_block(before))
        for child in children:
            lo.statement(child)
        fn.jump(after)
    if len(branches) == 1 or (never >= 0 and len(branches) == 2 and not branches[1]):
        fn.edge(before, after)
    fn.start(after)
    fn.joins(after, here)


@statement("preproc_else", "preproc_elif", "preproc_elifdef")
def stray_branch(lo: Lowering, node: Node) -> None:
    for child in elements(node):
        lo.statement(child)


@statement("macro_type_specifier")
def call_like_a_type(lo: Lowering, node: Node) -> None:
    lo.writer.unmodelled("call with a type among its arguments")


@statement("preproc_include", "preproc_call", "attribute_declaration", "linkage_specification_end")
def ignored(lo: Lowering, node: Node) -> None:
    """Directives without effect on values."""


@statement("preproc_def", "preproc_function_def")
def definition(lo: Lowering, node: Node) -> None:
    """Macros are read beforehand."""
