"""A function under translation: its instructions so far, on top of its names, and where jumps lead."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tree_sitter import Node

from pliant.extractors.c.declarations import UNKNOWN, CType
from pliant.extractors.c.translation.kinds import fits, is_record, wrapped
from pliant.extractors.c.translation.names import Frame
from pliant.extractors.c.translation.scope import Scope
from pliant.extractors.ir.builder import Place
from pliant.extractors.ir.flow import Flow
from pliant.extractors.ir.operands import ANY, OTHER, Constant, Operand
from pliant.extractors.ir.unit import Function, Span
from pliant.extractors.lowering.source import COMMENTS, only
from pliant.extractors.lowering.translated import registers

if TYPE_CHECKING:
    from pliant.extractors.c.translation.file import File

Typed = tuple[Operand, CType]
Expression = Callable[["Body", Node], Typed]
Statement = Callable[["Body", Node], None]
EXPRESSIONS: dict[str, Expression] = {}
STATEMENTS: dict[str, Statement] = {}
expression, statement = registers(EXPRESSIONS), registers(STATEMENTS)

NOTHING: Typed = (OTHER, UNKNOWN)
ZERO = Constant("integer", 0)
_FRESH = frozenset(("call_expression", "compound_literal_expression", "initializer_list"))


class Body(Scope):
    """result: the type that is returned. cases: of the switches around, where their cases are. computed: where computed
    jumps go on."""

    def __init__(self, file: File, function: Function) -> None:
        super().__init__(file, function)
        self.flow = Flow(self.builder)
        self.result: CType = UNKNOWN
        self.cases: list[list[tuple[Node, Frame | None, Place]]] = []
        self.labels: dict[str, Place] = {}
        self.placed: set[str] = set()
        self.computed: Place | None = None

    # Dispatch.

    def expression(self, node: Node | None) -> Typed:
        """Translate an expression; what is not modelled gives an unknown value, when its parts have been evaluated."""
        if node is None:
            return NOTHING
        handler = EXPRESSIONS.get(node.type)
        if handler is not None:
            return handler(self, node)
        if node.type not in COMMENTS and node.type != "ERROR":
            self.unmodelled(node.type)
        for child in node.named_children:
            self.expression(child)
        return NOTHING

    def value(self, node: Node | None) -> Operand:
        return self.expression(node)[0]

    def statement(self, node: Node) -> None:
        """Translate a statement, also where nothing leads: labels and cases inside may be reached."""
        handler = STATEMENTS.get(node.type)
        if handler is not None:
            handler(self, node)
        elif node.type in EXPRESSIONS:
            self.expression(node)
        elif node.type not in COMMENTS:
            if node.type != "ERROR":
                self.unmodelled(node.type)
            for child in node.named_children:
                if child.type in STATEMENTS or child.type not in EXPRESSIONS:
                    self.statement(child)

    def scoped(self, node: Node | None) -> None:
        """A statement, which is a block of its own."""
        if node is not None:
            self.open()
            self.statement(node)
            self.close()

    def unmodelled(self, what: str) -> None:
        self.file.unmodelled[what] = self.file.unmodelled.get(what, 0) + 1
        self.function.flags |= {"unclear"}

    # Values.

    def fit(self, found: Typed, wanted: CType, node: Node) -> Operand:
        """A value as it is assigned or returned: `0` is null where a pointer stands, a structure is copied, a number is
        what the type can hold."""
        value, kind = found
        if wanted is UNKNOWN and (kind.levels or not is_record(kind)):
            return value
        if value == ZERO:
            return self.builder.null(self.at(node)) if wanted.levels else value
        if is_record(kind):
            while node.type == "parenthesized_expression" and (inner := only(node)) is not None:
                node = inner
            return self.builder.give("copy", value) if node.type not in _FRESH else value
        if is_record(wanted) and isinstance(value, int):  # a macro of another file gives it
            known = self.builder.give("convert", value, self.kinds.type(wanted), "cast", span=self.at(node))
            return self.builder.give("copy", known, span=self.at(node))
        return value if kind == wanted and not isinstance(value, Constant) else self.narrowed(found, wanted, node)

    def narrowed(self, found: Typed, wanted: CType, node: Node) -> Operand:
        """A number as one of a type."""
        value, kind = found
        if isinstance(value, Constant):
            if type(value.content) is not int:
                return value
            number = wrapped(value.content, wanted)
            return Constant("integer", number) if number != value.content else value
        if fits(kind, wanted):
            return value
        return self.builder.give("convert", value, self.kinds.type(wanted), "cast", span=self.at(node))

    def new(self, op: str, kind: CType, at: Span | None) -> Operand:
        """A new object: `allocate`, of unknown content, or `zero`."""
        made = self.kinds.type(kind) if kind != UNKNOWN else ANY
        return self.builder.give(op, *((made, ()) if op == "allocate" else (made,)), span=at)
