"""A function under translation: its instructions so far, what names mean in it, and where jumps lead."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from tree_sitter import Node

from pliant.extractors.ir.builder import Builder
from pliant.extractors.ir.flow import Flow
from pliant.extractors.ir.operands import ANY, OTHER, Operand, Type
from pliant.extractors.ir.unit import Function, Span
from pliant.extractors.java.translation.frames import THIS, Declared, Field, Frame, Local
from pliant.extractors.java.translation.written import type_written
from pliant.extractors.lowering.source import COMMENTS, span, text
from pliant.extractors.lowering.translated import registers

if TYPE_CHECKING:
    from pliant.extractors.java.translation.file import File

Expression = Callable[["Body", Node], Operand]
Statement = Callable[["Body", Node], None]
EXPRESSIONS: dict[str, Expression] = {}
STATEMENTS: dict[str, Statement] = {}


expression, statement = registers(EXPRESSIONS), registers(STATEMENTS)


class Values(NamedTuple):
    """The accesses to members, each the object of the next, that begin at `start` and end behind `low` and not behind
    `high`."""

    frame: Frame
    start: int
    low: int
    high: int

    def has(self, node: Node, frame: Frame) -> bool:
        return node.start_byte == self.start and self.low < node.end_byte <= self.high and frame is self.frame


class Body:
    """frame: of the code that is being translated. result: the type that is returned. yields: of the switch expressions
    around, the variable that `yield` sets, a label, and the types of the values. label: of the statement that comes
    next. values: accesses that were found to be no names of classes."""

    def __init__(self, file: File, function: Function, frame: Frame, around: Body | None = None) -> None:
        self.file = file
        self.function = function
        outer = around.builder if around is not None else None
        self.builder: Builder = Builder(function, outer, apart=True)
        self.flow = Flow(self.builder)
        self.frame = frame
        self.class_ = next(frame.enclosing(), None)
        self.result: Type = ANY
        self.yields: list[tuple[str, str, list[Type]]] = []
        self.label: frozenset[str] = frozenset()
        self.values = Values(frame, 0, 0, 0)
        self._outside: dict[str, str] = {}

    # Dispatch.

    def expression(self, node: Node | None) -> Operand:
        """Translate an expression; what is not modelled gives an unknown value, when its parts have been evaluated."""
        if node is None:
            return OTHER
        handler = EXPRESSIONS.get(node.type)
        if handler is not None:
            return handler(self, node)
        if node.type not in COMMENTS and node.type != "ERROR":
            self.unmodelled(node.type)
        for child in node.named_children:
            self.expression(child)
        return OTHER

    def statement(self, node: Node | None) -> None:
        if node is None or node.type in COMMENTS or not self.builder.reachable:
            return
        handler = STATEMENTS.get(node.type)
        if handler is not None:
            handler(self, node)
        elif node.type == "ERROR":
            for child in node.named_children:
                if child.type in STATEMENTS or child.type == "ERROR":
                    self.statement(child)
        else:
            self.unmodelled(node.type)

    def block(self, node: Node | None) -> None:
        with self.scope():
            for child in node.named_children if node is not None else ():
                self.statement(child)

    def unmodelled(self, what: str) -> None:
        self.file.unmodelled[what] = self.file.unmodelled.get(what, 0) + 1

    # Names.

    @contextmanager
    def scope(self) -> Iterator[Frame]:
        """A block with names of its own."""
        outer = self.frame
        self.frame = inner = Frame(outer)
        try:
            yield inner
        finally:
            self.frame = outer

    def take_label(self) -> frozenset[str]:
        label, self.label = self.label, frozenset()
        return label

    def declare(self, name: Node, kind: Type, value: Operand | None = None) -> Local:
        """A new variable of the current block."""
        return self.declare_as(text(name), kind, value, span(name))

    def declare_as(self, name: str, kind: Type, value: Operand | None = None, at: Span | None = None) -> Local:
        local = Local(self.builder.variable(name or "_", kind), kind, self.builder)
        self.frame.names[name] = local
        if value is not None:
            self.builder.set(local.variable, value, at)
        return local

    def meaning(self, name: str) -> Local | tuple[Declared, Field] | None:
        """The variable or the field of the file that a name means here; None if it is of elsewhere."""
        steps = 0
        found: Local | tuple[Declared, Field] | None = None
        frame: Frame | None = self.frame
        while frame is not None and found is None:
            steps += 1
            found = frame.names.get(name)
            if found is None and frame.class_ is not None and name in frame.class_.fields:
                found = frame.class_, frame.class_.fields[name]
            frame = frame.outer
        self.builder.spend(steps >> 2)
        return found

    def variable(self, local: Local) -> str:
        """The variable of this function that a local variable is."""
        owner = local.owner
        if owner is not self.builder and local.variable not in self.function.variables:
            self.builder.capture(local.variable, local.type, owner.function.name)
            owner.share(local.variable)
        return local.variable

    def get(self, local: Local, at: Span | None = None) -> Operand:
        return self.builder.get(self.variable(local), at)

    def this(self) -> Operand:
        """The object that the code belongs to; nothing is known of it where there is none."""
        return self.this_of(self.class_) if self.class_ is not None else OTHER

    def this_of(self, wanted: Declared) -> Operand:
        """The object of a class around this code."""
        held: Local | None = None
        ways: list[str] = []
        for frame in self.frame.around():
            found = frame.names.get(THIS)
            if found is not None:
                held, ways = found, []
            class_ = frame.class_
            if class_ is wanted:
                break
            if class_ is not None and (class_.static or class_.outer is None):
                held = None
            elif class_ is not None and class_.outer is not None:
                ways.append(outer_field(class_.outer))
        if held is None:
            return OTHER
        value = self.get(held)
        for way in ways:
            value = self.builder.give("load", value, way)
        return value

    def class_value(self, class_: Declared) -> Operand:
        """What holds a class of the file."""
        if class_.holder is not None:
            outermost = class_
            while outermost.outer is not None and outermost.outer.holder is class_.holder:
                outermost = outermost.outer
            value = self.get(class_.holder)
            for part in class_.type.name[len(outermost.type.name) + 1 :].split("."):
                value = self.builder.give("load", value, part) if part else value
            return value
        return self.builder.get(self.class_variable(class_))

    def class_variable(self, class_: Declared) -> str:
        """The variable that holds a class of the file, but for local ones."""
        name = class_.type.name
        if name not in self._outside:
            self._outside[name] = self.builder.variable(name, ANY, "module")
        return self._outside[name]

    def type_value(self, name: str, at: Span | None = None) -> Operand:
        """What holds the class that a name, perhaps a dotted one, means here."""
        class_, module, rest = self.file.meaning(name, self.frame)
        if class_ is not None:
            value = self.class_value(class_)
        elif not rest:
            return OTHER
        else:
            value = self.builder.give("import", module, rest.pop(0), span=at)
        for each in rest:
            value = self.builder.give("load", value, each, span=at)
        return value

    def type(self, node: Node | None) -> Type:
        """The type that is written, as it is meant here."""
        return type_written(self.file, self.frame, node)


def outer_field(class_: Declared) -> str:
    """The field of an inner class's instance that holds the one of the class around it."""
    return f"{class_.simple}.this"
