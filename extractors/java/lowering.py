"""A Java file to facts: what is written to fields, what tests show, and the functions that wait to be lowered.

`expressions`, `conditions`, `statements`, `switches` and `classes` each add handlers by the node types of
tree-sitter-java; what all languages share is in `extractors.lowering`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from tree_sitter import Node

from pliant.extractors.java import helpers, synonyms
from pliant.extractors.java.declarations import Captured, Class, Frame
from pliant.extractors.java.static_types import StaticTypes
from pliant.extractors.lowering.base import Expression, Statement
from pliant.extractors.lowering.isolation import LeftOut
from pliant.extractors.ssa import UNDEFINED, Block, Key, Path, Refinement, Value
from pliant.extractors.writer import FactWriter

if TYPE_CHECKING:
    from pliant.extractors.java import evaluation

EXPRESSIONS: dict[str, Expression] = {}
STATEMENTS: dict[str, Statement] = {}

ARRAY = "java.lang.Object[]"  # the class of all arrays
_NULL_POINTER = frozenset(("NullPointerException",))


@dataclass(slots=True)
class Pending:
    """A function whose body is lowered when the one around it is done."""

    symbol: str
    class_: Class | None
    static: bool
    lower: Callable[[], None]
    node: Node
    captures: dict[str, Captured] = field(default_factory=dict)
    frame: Frame | None = None


class Lowering(StaticTypes):
    expressions: ClassVar[dict[str, Expression]] = EXPRESSIONS
    statements: ClassVar[dict[str, Statement]] = STATEMENTS
    null_name = "null"
    skipped = frozenset(("line_comment", "block_comment"))

    def __init__(
        self, root: Node, writer: FactWriter, left_out: LeftOut, fields: tuple[frozenset[str], frozenset[str]]
    ) -> None:
        super().__init__(root, writer, left_out, fields)
        self.source = root.text or b""
        self.pending: deque[Pending] = deque()
        self.annotated = False  # whether the file says of type arguments that they take null: else none is looked at
        self.type_use = False  # whether an annotation in front of an array speaks of its elements
        # What calls of methods of this file do (`outcomes`).
        self.ways: dict[tuple[object, ...], list[evaluation.Way]] = {}
        self.small_methods: dict[str, tuple[bool, bool]] = {}
        self.members_twice: frozenset[str] | None = None
        self.ruled_out: list[tuple[str, str, frozenset[int]]] = []  # call, method, the returns that it may reach
        self.return_nulls: dict[str, dict[int, str]] = {}  # method -> where it returns a null that is written -> that

    def null_errors(self, kind: str) -> frozenset[str]:
        return _NULL_POINTER

    def begin(self, pending: Pending) -> None:
        self.start_function(pending.symbol)
        self.class_, self.static, self.captures = pending.class_, pending.static, pending.captures
        self.frame = Frame(pending.frame, start=True)
        self.forget_function()

    def end(self) -> None:
        """The function has been lowered."""
        for value, content in self.reads:
            if content == UNDEFINED or self.fn.may_be(content, self.fn.unknown) or self.fn.is_entry(content):
                self.emit("unknown_content", value)
                continue
            for call in self.fn.calls_since_unknown(content):
                self.emit("unknown_before", value, call)
        for holder, name in self.writes.values() if not self.left else ():
            self.emit("attribute_set", holder, name)
        helpers.write_exits(self)
        self.fn.finish()

    def guarded(self, guarded: Value, current: Value) -> None:
        if not self.using:
            self.tested_roots.add(self.fn.root(current))

    def dereference(self, value: Value, what: str, kind: str, node: Node, keys: Iterable[Key] = ()) -> Value:
        self.using = True
        site = super().dereference(value, what, kind, node, keys)
        self.using = False
        return site

    def store_field(self, base: Value, name: str, value: Value, node: Node) -> None:
        super().store_field(base, name, value, node)
        self.stored.add(self.fn.root(base))
        self.written(base, name, value, self.fn.path(base, name))
        self.fn.wrote(base, name, value)

    def written(self, base: Value, name: str, value: Value, path: Path | None) -> None:
        """Note that an attribute (`[]`: an element) of `base` was written; path: where what it holds is followed."""
        if self._may_be_null(value):
            self.emit("attribute_written", base, name, value)
        else:
            self.emit("attribute_set", base, name)
        if path is not None:
            self.writes[path] = (base, name)

    def tested(self, node: Node, value: Value, *, nonnull: bool) -> list[Refinement]:
        found = super().tested(node, value, nonnull=nonnull)
        return found + synonyms.others(self, found) if self.names_of else found

    def note_tested_null(self, node: Node, shown: Iterable[Refinement]) -> None:
        super().note_tested_null(node, [each for each in shown if not synonyms.declared_not_null(self, each[1])])

    def leave_written(self) -> None:
        """Note what the function leaves in the attributes that it has written."""
        if self.fn.reachable():
            self.left = True
            for path, (base, name) in self.writes.items():
                value = self.fn.content(path)
                if self._may_be_null(value):
                    self.emit("attribute_left", base, name, value, self.live())
                else:
                    self.emit("attribute_set", base, name)

    def _may_be_null(self, value: Value, _: Block | None = None) -> bool:
        return value not in (UNDEFINED, self.fn.opaque) and value not in self.fn.nonnull

    def known_to_be_null(self, value: Value) -> bool:
        """Whether a value is null, or one of what it joins is, as far as it was lowered."""
        value = self.fn.resolve(value)
        operands = self.fn.operands(value)
        return value in self.known_null or any(self.is_literal_null(each) for each in operands or (value,))

    def literal(self, content: object) -> Value:
        """The value of a constant that is written."""
        value = self.fn.unnamed()
        self.fn.constants[value] = content
        return value
