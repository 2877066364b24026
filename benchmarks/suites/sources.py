"""The functions of source files, and what is found in the files of a suite."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import tree_sitter_c
import tree_sitter_java
import tree_sitter_python
from tree_sitter import Language, Node, Parser

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "tests"))

from in_memory import evaluate, findings

from pliant.analyses.findings import Finding
from pliant.engine import Evaluation

__all__ = ["Function", "evaluate", "found", "functions", "nulls", "on_the_way", "pairs", "parser", "read"]

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
        at = at.child_by_field_name("declarator")
        found = at if at is not None and at.type == "identifier" else None
    return found.text.decode(errors="replace") if found is not None and found.text is not None else "?"


def read(folder: Path, suffixes: tuple[str, ...]) -> dict[str, bytes]:
    """The sources below a folder by their paths in it."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.suffix in suffixes and path.is_file()
    }


def found(files: Mapping[str, bytes]) -> list[Finding]:
    """What is found in a program, whatever its confidence."""
    return findings(files)


def nulls(files: Mapping[str, bytes]) -> list[Finding]:
    """The null dereferences of a program."""
    return [finding for finding in found(files) if finding.rule.startswith("null.")]


def on_the_way(finding: Finding, function: Function) -> bool:
    """The finding fails in the function or its path leads through it: a caller that passes the null is at fault."""
    return function.holds(finding.file, finding.line) or any(
        function.holds(step.file, step.line) for step in finding.path
    )


def pairs(evaluation: Evaluation, relation: str, second: int = 1) -> list[tuple[str, str]]:
    """The first and another column of a relation, as texts."""
    texts = evaluation.strings(evaluation.rows(relation)[:, [0, second]].reshape(-1))
    return list(zip(texts[::2], texts[1::2], strict=True))
