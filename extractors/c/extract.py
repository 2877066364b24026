"""The facts of one C file."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import partial

from tree_sitter import Node, Tree

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
    translation,
)
from pliant.extractors.c.declarations import UNTYPED
from pliant.extractors.c.entities import MODULE, Variable
from pliant.extractors.c.lowering import Lowering
from pliant.extractors.c.macros import read_macro
from pliant.extractors.c.scopes import Written
from pliant.extractors.c.shadows import Shadows
from pliant.extractors.c.survey import parser, survey
from pliant.extractors.facts import FileFacts
from pliant.extractors.ir.unit import Unit
from pliant.extractors.lowering import source as shared
from pliant.extractors.lowering.isolation import LeftOut, Waiting
from pliant.extractors.lowering.source import elements, span, text
from pliant.extractors.ssa import Key, Value
from pliant.extractors.writer import FactWriter

_WORD = re.compile(r"\w+")
_WORD_BYTES = re.compile(rb"\w+")
_FUNCTION_STEPS = 100  # of the shortest function (`budget`), besides those of its nodes
_FEW = 64  # names that one pattern looks for


class _Read:
    """A parser of the one source that has been read."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    def parse(self, source: bytes, /) -> Tree:
        return self.tree


def extract(source: bytes) -> FileFacts:
    """Lower a file."""
    try:
        parsed = repair.parse(source, parser())
    except TooMuch as error:
        return shared.not_parsed(source, error)

    def file(root: Node, writer: FactWriter, left_out: LeftOut) -> File:
        return File(root, writer, left_out, parsed)

    return shared.extract(parsed.source, _Read(parsed.tree), "C", file)


def translate(source: bytes) -> Unit:
    """The instructions of a file. Raises RecursionError for one that is nested too deeply, TooMuch for one that costs
    too much."""
    parsed = repair.parse(source, parser())
    with shared.deep():
        return translation.translate(parsed, parser())


class File(Lowering):
    def __init__(self, root: Node, writer: FactWriter, left_out: LeftOut, parsed: repair.Parsed) -> None:
        super().__init__(root, writer, left_out, parser())
        self.loops = parsed.loops
        self.nullable = parsed.nullable

    def survey(self, root: Node) -> tuple[frozenset[str], frozenset[str]]:
        found = survey(root)
        self._addressed = _named(found.get("addressed", []))
        self._dotted = _named(found.get("dotted", []))
        self._gotos = _named(found.get("goto", []))
        self._labels = sorted(node.start_byte for node in found.get("label", []))
        # To macros of other files, which may give them other values.
        self._passed = _by_name([node for call in found.get("call", []) for node in _macro_arguments(call)])
        self._landmarks = sorted([*self._labels, *(node.start_byte for node in found.get("landmark", []))])
        self._assigned = _by_name(found.get("assigned", []))
        self.dotted_anywhere = frozenset(name for _, name in self._dotted)
        for node in _in_order(found.get("macro", [])):
            macro = read_macro(node)
            if macro is not None:
                self.macros[macro.name] = macro
        functions = _in_order(found.get("function", []))
        for node in functions:
            definitions.declare_function(self, node)
        assigning = [macro for macro in self.macros.values() if macro.assigns]
        self._assigning_words = {word for macro in assigning for word in _WORD.findall(macro.body)}
        addressed = _by_name(found.get("addressed", []))
        self._shadows = (Shadows(functions, addressed), Shadows(functions, self._assigned))
        self.varied = _varied(found.get("macro", []), found.get("conditional", []))
        self._expanded = _places(self.source, [macro.name for macro in assigning])
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
            if child.type != "compound_statement" or previous is None or definitions.body_of(self, previous) is None:
                self.statement(child)
            if child.type != "comment":
                previous = child

    def lower_file(self) -> None:
        fn = self.fn
        self.scopes.open()
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
        node, body, symbol = self.pending.popleft()
        self.writer.extents[symbol] = span(node)
        return Waiting(symbol, node, partial(self._lower, node, body, symbol), node.type == "preproc_function_def")

    def _lower(self, node: Node, body: Node, symbol: str) -> None:
        self.start_function(symbol)
        if node.type == "preproc_function_def":
            name = node.child_by_field_name("name")
            definitions.lower_macro_function(self, self.macros[text(name) if name is not None else ""])
        else:
            self.fn.steps += _FUNCTION_STEPS
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

    def written_in(self, parts: Sequence[tuple[int, int]]) -> Written | None:
        for starts in (self._labels, self._expanded):
            if any(bisect_left(starts, start) < bisect_left(starts, end) for start, end in parts):
                return None
        return Written((self._assigned, self._passed), parts)

    def address_taken(self, name: str) -> bool:
        return self._shadows[0].reach_file(name, self.fn.spend)

    def changed(self, name: str, words: frozenset[str]) -> bool:
        if "volatile" in words or any(shadows.reach_file(name, self.fn.spend) for shadows in self._shadows):
            return True
        return name in self._assigning_words

    def stepped(self, variable: Variable, node: Node) -> Value:
        return forms.stepped(self, variable, node)

    def file_declaration(self, node: Node) -> None:
        definitions.file_declaration(self, node)


def _places(source: bytes, names: list[str]) -> list[int]:
    """Where one of the names stands, in order."""
    if len(names) > _FEW:
        wanted = {name.encode() for name in names}
        return [match.start() for match in _WORD_BYTES.finditer(source) if match[0] in wanted]
    pattern = rf"\b(?:{'|'.join(map(re.escape, names))})\b".encode()
    return [match.start() for match in re.finditer(pattern, source)] if names else []


def _varied(macros: list[Node], conditionals: list[Node]) -> set[str]:
    """Names of macros that are defined more than once, or under a condition."""
    under = {child.id for node in conditionals for child in node.named_children}
    once: set[str] = set()
    varied: set[str] = set()
    for node in macros:
        name = node.child_by_field_name("name")
        if name is not None:
            (varied if node.id in under or text(name) in once else once).add(text(name))
    return varied


def _macro_arguments(call: Node) -> list[Node]:
    """Variables that are passed to what is called like a macro."""
    function = call.child_by_field_name("function")
    if function is None or function.type != "identifier" or not text(function).isupper():
        return []
    arguments = call.child_by_field_name("arguments")
    return [child for child in elements(arguments) if child.type == "identifier"]


def _in_order(nodes: list[Node]) -> list[Node]:
    """As they stand in the file: captures come in any order."""
    return sorted(nodes, key=lambda node: node.start_byte)


def _named(nodes: list[Node]) -> list[tuple[int, str]]:
    return sorted((node.start_byte, text(node)) for node in nodes)


def _by_name(nodes: list[Node]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for place, name in _named(nodes):
        found.setdefault(name, []).append(place)
    return found


def _between(named: list[tuple[int, str]], start: int, end: int) -> list[str]:
    return [name for _, name in named[bisect_left(named, (start, "")) : bisect_left(named, (end, ""))]]
