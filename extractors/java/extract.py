"""The facts of one Java file."""

from __future__ import annotations

from functools import cache, partial

import tree_sitter_java
from tree_sitter import Language, Node

from pliant.extractors.facts import FileFacts
from pliant.extractors.ir.unit import Unit

# Each of these registers its handlers.
from pliant.extractors.java import (  # noqa: F401
    arrays,
    assigned,
    calls,
    classes,
    conditions,
    expressions,
    functions,
    kept,
    operators,
    outcomes,
    paths,
    patterns,
    statements,
    stores,
    switches,
    translation,
    type_arguments,
    written_types,
)
from pliant.extractors.java.declarations import CLASSES, declare, readable
from pliant.extractors.java.lowering import Lowering, Pending
from pliant.extractors.java.parser import Parser
from pliant.extractors.java.semantics import SEMANTICS
from pliant.extractors.java.translation.file import File as Translated
from pliant.extractors.java.types import NULLABLE, TYPE_USE
from pliant.extractors.lowering import source as shared
from pliant.extractors.lowering.isolation import LeftOut, Waiting
from pliant.extractors.lowering.source import elements, span, text
from pliant.extractors.passes import facts_of
from pliant.extractors.ssa import Key, Value
from pliant.extractors.writer import FactWriter


@cache
def _language() -> Language:
    return Language(tree_sitter_java.language())


@cache
def _parser() -> Parser:
    return Parser(_language())


def extract(source: bytes) -> FileFacts:
    """Lower a file."""
    return shared.extract(readable(source), _parser(), "Java", File)


def by_passes(source: bytes) -> FileFacts:
    """The facts that the passes make of a file's instructions, which are not yet those of `extract`."""
    read = readable(source)

    def begin(root: Node, writer: FactWriter, left_out: LeftOut) -> Translated:
        def write(file: Translated) -> None:
            writer.facts.unmodelled.update(file.unmodelled)
            facts_of(file.unit, SEMANTICS, writer, len(read), file.fails)

        return Translated(root, left_out, write)

    return shared.extract(read, _parser(), "Java", begin)


def translate(source: bytes) -> Unit:
    """The instructions of a file. Raises RecursionError for one that is nested too deeply."""
    with shared.deep():
        return translation.translate(_parser().parse(readable(source)).root_node)


class File(Lowering):
    def __init__(self, root: Node, writer: FactWriter, left_out: LeftOut) -> None:
        super().__init__(root, writer, left_out, assigned.assigned_names(_language(), root))

    def keys_of(self, node: Node) -> list[Key]:
        return paths.keys_of(self, node)

    def identifiers(self, node: Node) -> list[Node]:
        return assigned.identifiers(_language(), node)

    def begin(self, pending: Pending) -> None:
        super().begin(pending)
        self.fn.changed_by = partial(kept.changed_by, self)

    def leave(self, value: Value | None) -> None:
        if self.return_type == "<init>" and not self.symbol.endswith("<init>"):
            classes.note_fields(self)
        self.leave_written()
        super().leave(value)

    def lower_file(self) -> None:
        fn = self.fn
        fn.emit("function", self.symbol, "|")
        self.writer.place(self.writer.symbol(self.symbol), span(self.root))
        todo = elements(self.root)[::-1]
        types = []
        while todo:
            node = todo.pop()
            if node.type == "package_declaration":
                self.package = _dotted(node)
            elif node.type == "import_declaration":
                self._import(node)
            elif node.type in CLASSES:
                types.append(node)
            elif node.type == "ERROR":
                todo += elements(node)[::-1]
            elif node.type not in ("module_declaration", ";"):
                self.writer.unmodelled(f"{node.type} outside of classes")
        self.annotated = written_types.are_written(self.source)
        self.type_use = self.namer.type_use = self._annotates_types()
        fn.emit("module", "|", self.package or "<default>")
        if not self.package:
            self.package = "<default>"
        for node in types:
            self.attempt(node, partial(self._declare, node))
        self.lowered_outside()
        fn.leave()
        fn.finish()

    def _annotates_types(self) -> bool:
        """Whether the file's annotation for null belongs to the type behind it."""
        for name in NULLABLE:
            package, _ = self.imports.get(name, ("", []))
            if package in TYPE_USE:
                return True
        return not NULLABLE & self.imports.keys() and not TYPE_USE.isdisjoint(self.stars)

    def _declare(self, node: Node) -> None:
        name = node.child_by_field_name("name")
        if name is None:
            return
        class_ = declare(node, None, text(name), self.namer)
        self.classes.setdefault(class_.name, class_)
        classes.define(self, class_)
        cell = self.fn.fixed_value(f"|<module>|{class_.name}|cell")
        self.fn.nonnull.add(cell)
        self.emit("global_name", "|", class_.name, cell)
        self.emit("holds", cell, class_.symbol)

    def _import(self, node: Node) -> None:
        parts = [part for part in _dotted(node).split(".") if part]
        star = any(child.type == "asterisk" for child in node.children)
        if not parts:
            return
        at = next((number for number, part in enumerate(parts) if part[:1].isupper()), len(parts) - 1)
        if any(child.type == "static" for child in node.children):
            if star:
                self.static_stars.append((".".join(parts[:at]), parts[at:]))
            elif len(parts) > at + 1:
                self.static_imports[parts[-1]] = (".".join(parts[:at]), parts[at:-1])
        elif star:
            self.stars.append(".".join(parts))
        else:
            self.imports[parts[-1]] = (".".join(parts[:at]), parts[at:])

    def next_function(self) -> Waiting | None:
        if not self.pending:
            return None
        pending = self.pending.popleft()
        if pending.class_ is None or pending.node is not pending.class_.node:
            self.writer.extents[pending.symbol] = span(pending.node)
        return Waiting(pending.symbol, pending.node, partial(self._lower, pending))

    def _lower(self, pending: Pending) -> None:
        self.begin(pending)
        pending.lower()
        self.end()

    def finish(self) -> None:
        outcomes.write_ruled_out(self)


def _dotted(node: Node) -> str:
    """The name in a package or import declaration."""
    for child in node.named_children:
        if child.type in ("scoped_identifier", "identifier"):
            return "".join(text(child).split())
    return ""
