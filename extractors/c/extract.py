"""The facts of one C file."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache, partial

import tree_sitter_c
from tree_sitter import Language, Node, Query, QueryCursor, Tree

from pliant.extractors.budget import TooMuch

# Each of these registers its handlers.
from pliant.extractors.c import (  # noqa: F401
    calls,
    comparisons,
    conditions,
    definitions,
    expressions,
    forms,
    initializers,
    local_variables,
    loops,
    places,
    preprocessor,
    repair,
    returns,
    sizes,
    statements,
    switches,
)
from pliant.extractors.c.declarations import UNTYPED
from pliant.extractors.c.entities import MODULE, Variable
from pliant.extractors.c.lowering import Lowering
from pliant.extractors.c.macros import read_macro
from pliant.extractors.c.shadows import Shadows
from pliant.extractors.facts import FileFacts
from pliant.extractors.lowering import source as shared
from pliant.extractors.lowering.isolation import LeftOut, Waiting
from pliant.extractors.lowering.parsing import Parser
from pliant.extractors.lowering.source import span, text
from pliant.extractors.ssa import Key, Value
from pliant.extractors.writer import FactWriter

_SURVEY = """
(pointer_expression operator: "&" argument: (identifier) @addressed)
(pointer_expression operator: "&" argument: (parenthesized_expression (identifier) @addressed))
(field_expression argument: (identifier) @dotted operator: ".")
(goto_statement label: (statement_identifier) @goto)
(labeled_statement) @label
(assignment_expression left: (identifier) @assigned)
(update_expression argument: (identifier) @assigned)
(case_statement) @landmark
(preproc_def) @macro
(preproc_function_def) @macro
(function_definition) @function
(assignment_expression left: (field_expression)) @stored
(call_expression function: (identifier) arguments: (argument_list (identifier) @passed))
"""


@cache
def _language() -> Language:
    return Language(tree_sitter_c.language())


@cache
def _parser() -> Parser:
    return Parser(_language())


@cache
def _survey() -> Query:
    return Query(_language(), _SURVEY)


class _Read:
    """A parser of the one source that has been read."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    def parse(self, source: bytes, /) -> Tree:
        return self.tree


def extract(source: bytes) -> FileFacts:
    """Lower a file."""
    try:
        parsed = repair.parse(source, _parser())
    except TooMuch as error:
        return shared.not_parsed(source, error)

    def file(root: Node, writer: FactWriter, left_out: LeftOut) -> File:
        return File(root, writer, left_out, parsed)

    return shared.extract(parsed.source, _Read(parsed.tree), "C", file)


class File(Lowering):
    def __init__(self, root: Node, writer: FactWriter, left_out: LeftOut, parsed: repair.Parsed) -> None:
        super().__init__(root, writer, left_out, _parser())
        self.loops = parsed.loops
        self.nullable = parsed.nullable

    def survey(self, root: Node) -> tuple[frozenset[str], frozenset[str]]:
        found = QueryCursor(_survey()).captures(root)
        self._addressed = _named(found.get("addressed", []))
        self._dotted = _named(found.get("dotted", []))
        self._gotos = _named(found.get("goto", []))
        self._labels = sorted(node.start_byte for node in found.get("label", []))
        # To macros of other files, which may give them other values.
        self._passed = _named([node for node in found.get("passed", []) if _is_macro_argument(node)])
        self._landmarks = sorted([*self._labels, *(node.start_byte for node in found.get("landmark", []))])
        self._assigned = _named(found.get("assigned", []))
        self.dotted_anywhere = frozenset(name for _, name in self._dotted)
        for node in _in_order(found.get("macro", [])):
            macro = read_macro(node)
            if macro is not None:
                self.macros[macro.name] = macro
        functions = _in_order(found.get("function", []))
        for node in functions:
            definitions.declare_function(self, node)
        assigning = [re.escape(macro.name) for macro in self.macros.values() if macro.assigns]
        pattern = rf"\b(?:{'|'.join(assigning)})\b".encode()
        self._shadows = (Shadows(functions, self._addressed), Shadows(functions, self._assigned))
        self.varied = _varied(found.get("macro", []))
        self._expanded = [match.start() for match in re.finditer(pattern, root.text or b"")] if assigning else []
        stored: set[str] = set()
        cleared: set[str] = set()
        for node in found.get("stored", []):
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            field = left.child_by_field_name("field") if left is not None else None
            if field is not None and right is not None:
                (cleared if text(right) in ("NULL", "0") else stored).add(text(field))
        stored |= cleared
        return frozenset((*stored, "*")), frozenset((*cleared, "*"))

    def keys_of(self, node: Node) -> list[Key]:
        return places.keys_of(self, node)

    def block(self, node: Node | None) -> None:
        if self.symbol != MODULE or node is None:
            super().block(node)
            return
        previous = None
        for child in node.named_children:
            if child.type != "compound_statement" or previous is None or definitions.body_of(previous) is None:
                self.statement(child)
            if child.type != "comment":
                previous = child

    def lower_file(self) -> None:
        fn = self.fn
        self.scopes.append({})
        self.emit("function", MODULE, "|")
        self.writer.place(self.writer.symbol(MODULE), span(self.root))
        self.block(self.root)
        self.lowered_outside()
        for macro_name in [name for name in self.macros if name in self.functions]:
            del self.macros[macro_name]
        definitions.lower_macros(self)
        definitions.tell_numbers(self)
        self.arithmetic_fields = {
            name
            for fields in self.types.fields.values()
            for name, kind in fields.items()
            if self.types.resolve(kind).arithmetic
        } - {
            name
            for fields in self.types.fields.values()
            for name, kind in fields.items()
            if not self.types.resolve(kind).arithmetic
        }
        for name in sorted(
            {name for fields in self.types.fields.values() for name, kind in fields.items() if kind == UNTYPED}
        ):
            self.emit("untyped_field", name)
        fn.finish()

    def next_function(self) -> Waiting | None:
        if not self.pending:
            return None
        node, body, symbol = self.pending.pop(0)
        self.writer.extents[symbol] = span(node)
        return Waiting(symbol, node, partial(self._lower, node, body, symbol))

    def _lower(self, node: Node, body: Node, symbol: str) -> None:
        self.start_function(symbol)
        if node.type == "preproc_function_def":
            name = node.child_by_field_name("name")
            definitions.lower_macro_function(self, self.macros[text(name) if name is not None else ""])
        else:
            self._enter(node.start_byte, body.end_byte)
            definitions.lower_function(self, node, body)
        self.fn.finish()

    def _enter(self, start: int, end: int) -> None:
        """What the survey says of a function."""
        self.addressed = frozenset(_between(self._addressed, start, end))
        self.dotted = frozenset(_between(self._dotted, start, end))
        self.landmarks = self._landmarks[bisect_left(self._landmarks, start) : bisect_left(self._landmarks, end)]
        for name in _between(self._gotos, start, end):
            self.jumps_to[name] = self.jumps_to.get(name, 0) + 1

    def written_between(self, start: int, end: int) -> set[str] | None:
        for starts in (self._labels, self._expanded):
            if bisect_left(starts, start) < bisect_left(starts, end):
                return None
        return {*_between(self._assigned, start, end), *_between(self._passed, start, end)}

    def address_taken(self, name: str) -> bool:
        return self._shadows[0].reach_file(name)

    def changed(self, name: str, words: frozenset[str]) -> bool:
        if "volatile" in words or any(shadows.reach_file(name) for shadows in self._shadows):
            return True
        return any(macro.assigns and re.search(rf"\b{name}\b", macro.body) for macro in self.macros.values())

    def stepped(self, variable: Variable, node: Node) -> Value:
        return forms.stepped(self, variable, node)

    def file_declaration(self, node: Node) -> None:
        definitions.file_declaration(self, node)


def _varied(macros: list[Node]) -> set[str]:
    """Names of macros that are defined more than once, or under a condition."""
    once: set[str] = set()
    varied: set[str] = set()
    for node in macros:
        name = node.child_by_field_name("name")
        if name is not None:
            conditional = node.parent is not None and node.parent.type.startswith("preproc")
            (varied if conditional or text(name) in once else once).add(text(name))
    return varied


def _is_macro_argument(node: Node) -> bool:
    call = node.parent.parent if node.parent is not None else None
    function = call.child_by_field_name("function") if call is not None else None
    return function is not None and text(function).isupper()


def _in_order(nodes: list[Node]) -> list[Node]:
    """As they stand in the file: captures come in any order."""
    return sorted(nodes, key=lambda node: node.start_byte)


def _named(nodes: list[Node]) -> list[tuple[int, str]]:
    return sorted((node.start_byte, text(node)) for node in nodes)


def _between(named: list[tuple[int, str]], start: int, end: int) -> list[str]:
    return [name for _, name in named[bisect_left(named, (start, "")) : bisect_left(named, (end, ""))]]
