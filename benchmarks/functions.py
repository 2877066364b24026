"""The functions of source files in any of the languages, found by their grammars alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import tree_sitter_c
import tree_sitter_java
import tree_sitter_python
from tree_sitter import Language, Node, Parser

_GRAMMARS = {".c": tree_sitter_c, ".h": tree_sitter_c, ".java": tree_sitter_java, ".py": tree_sitter_python}
_CLASSES = frozenset(
    ("class_declaration", "interface_declaration", "enum_declaration", "record_declaration", "class_definition")
)
_FUNCTIONS = frozenset(("function_definition", "method_declaration", "constructor_declaration"))


@dataclass(frozen=True, slots=True)
class Function:
    """name: the classes and functions around it and its own, with dots. Lines count from 1, the last is included."""

    name: str
    file: str
    first: int
    last: int

    def holds(self, file: str, line: int) -> bool:
        return file == self.file and self.first <= line <= self.last


@cache
def parser(suffix: str) -> Parser:
    return Parser(Language(_GRAMMARS[suffix].language()))


def functions(file: str, source: bytes) -> Iterator[Function]:
    """Functions and methods of a file, those inside others after them."""
    suffix = Path(file).suffix
    if suffix in _GRAMMARS:
        yield from _functions(file, parser(suffix).parse(source).root_node, "")


def _functions(file: str, node: Node, prefix: str) -> Iterator[Function]:
    for child in node.named_children:
        inner = prefix
        if child.type in _CLASSES or child.type in _FUNCTIONS:
            inner = f"{prefix}{_name(child)}."
            if child.type in _FUNCTIONS:
                yield Function(inner[:-1], file, child.start_point[0] + 1, child.end_point[0] + 1)
        yield from _functions(file, child, inner)


def _name(node: Node) -> str:
    found: Node | None = node.child_by_field_name("name")
    at: Node | None = node
    while found is None and at is not None:  # in C the name stands in a declarator
        parts = at.named_children if at.type == "parenthesized_declarator" else ()  # `int (*f(void))[4]`
        at = parts[0] if parts else at.child_by_field_name("declarator")
        found = at if at is not None and at.type == "identifier" else None
    return found.text.decode(errors="replace") if found is not None and found.text is not None else "?"
