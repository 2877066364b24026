"""Macros that a file defines: read when they are used, and lowered in the place of their use."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from tree_sitter import Node, Tree

from pliant.extractors.budget import TooMuch
from pliant.extractors.c.integers import integer
from pliant.extractors.lowering.parsing import Parser
from pliant.extractors.lowering.source import text

_CONSTANT = re.compile(
    r"""\(*\s*+[-+~!]?\s*+(?:\([\w\s]+\)\s*+)?(?:\d[\w.]*|'(?:\\.|[^'\\])+'|(?:L?"(?:\\.|[^"\\])*"\s*)+)\s*\)*""", re.S
)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)

_ASSIGNS = re.compile(r"\+\+|--|(?<![=!<>])=(?!=)|<<=|>>=")

Form = Literal["expression", "statement", "none"]


@dataclass(eq=False)
class Macro:
    """parameters: None for one that is used like a variable. body: without space around it. form and tree: of its
    body, once it was read; listed: of one that is an initialiser in braces."""

    name: str
    node: Node
    parameters: tuple[str, ...] | None
    body: str
    form: Form | None = None
    tree: Tree | None = None
    root: Node | None = None
    listed: Tree | None = None

    @cached_property
    def constant(self) -> bool:
        """Whether it is a number, a character or a string."""
        return self.parameters is None and _CONSTANT.fullmatch(self.body) is not None

    @cached_property
    def null(self) -> bool:
        """Whether it is 0 or null."""
        return self.parameters is None and (self.body in ("0", "NULL", "(0)") or "*)0" in self.body.replace(" ", ""))

    @cached_property
    def assigns(self) -> bool:
        """Whether its body may give a variable another value."""
        return _ASSIGNS.search(self.body) is not None

    @cached_property
    def number(self) -> int | None:
        return integer(self.body) if self.parameters is None else None

    @property
    def _text(self) -> str:
        return _COMMENT.sub(" ", self.body.replace("\\\r\n", " ").replace("\\\n", " ")).strip()

    def initializer(self, parser: Parser) -> Node | None:
        """The body, if it is an initialiser in braces."""
        if not self.body.startswith("{"):
            return None
        if self.listed is None:
            with suppress(TooMuch):
                self.listed = parser.parse(f"struct s x = {self._text};".encode())
        if self.listed is None or self.listed.root_node.has_error:
            return None
        return _descend(self.listed.root_node, ("declaration", "init_declarator", "initializer_list"))

    def read(self, parser: Parser) -> Node | None:
        """The body: an expression, a compound statement, or None where it is neither."""
        if self.form is None:
            self.form = "none"
            body = self._text
            if body and not ("#" in body and re.search(r"(?<!['\"])#", body)):
                with suppress(TooMuch):
                    self._parse(body, parser)
        return self.root

    def _parse(self, body: str, parser: Parser) -> None:
        tree = parser.parse(f"void f(void){{x=({body});}}".encode())
        if not tree.root_node.has_error:
            inner = _descend(tree.root_node, ("function_definition", "compound_statement", "expression_statement"))
            value = inner.named_children[0].child_by_field_name("right") if inner is not None else None
            if value is not None:
                self.form, self.tree, self.root = "expression", tree, value
                return
        tree = parser.parse(f"void f(void){{{body};}}".encode())
        if not tree.root_node.has_error:
            block = _descend(tree.root_node, ("function_definition", "compound_statement"))
            if block is not None:
                self.form, self.tree, self.root = "statement", tree, block


def _descend(node: Node, types: tuple[str, ...]) -> Node | None:
    for kind in types:
        found = next((child for child in node.named_children if child.type == kind), None)
        if found is None:
            return None
        node = found
    return node


def read_macro(node: Node) -> Macro | None:
    """The macro that a `preproc_def` or `preproc_function_def` defines."""
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is None:
        return None
    parameters = None
    if node.type == "preproc_function_def":
        listed = node.child_by_field_name("parameters")
        parameters = (
            tuple(text(child) for child in listed.named_children if child.type == "identifier")
            if listed is not None
            else ()
        )
    return Macro(text(name), node, parameters, text(value).strip() if value is not None else "")
