"""The state of a file that is being lowered, and the facts that every language has: values, guards, uses, calls.

A language derives its `Lowering` from this one and registers a handler for each node type. A type that no handler knows
is counted as not modelled, and its children are lowered for their effects.
"""

from __future__ import annotations

import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from tree_sitter import Node

from pliant.extractors.budget import NODE_STEPS, file_steps, outer_steps
from pliant.extractors.lowering.correlation import correlate
from pliant.extractors.lowering.isolation import LeftOut, Part, Waiting, reason_of
from pliant.extractors.lowering.source import span, text
from pliant.extractors.ssa import LIVE, UNDEFINED, Block, Function, Key, Refinement, Value
from pliant.extractors.writer import LONGEST_NAME, FactWriter, shortened

Expression = Callable[[Any, Node], Value]  # the language's Lowering, a node
Statement = Callable[[Any, Node], None]
Tests = tuple[list[Refinement], list[Refinement]]  # what is shown if true, if false

SHOWN = "$shown"  # the field under which it is followed that a value was shown not to be null
TRUTH = "$truth"  # the field under which the truth of a parameter is followed
TESTS = "$tests"  # the field under which the tests of an object are followed
MOST_LINKS = 16  # of a path that is followed: `a.b.c` has two
WORDS = re.compile(r"[^\W\d]\w*")  # what may be a name
RESULT = "$result"  # prefix of the keys of values that branches choose between


@dataclass(slots=True)
class Jump:
    """Where `break` and `continue` go; `again` is None where there is no going on, as in a switch."""

    after: Block
    again: Block | None = None
    labels: frozenset[str] = frozenset()
    plain: bool = True  # whether a `break` without a label ends it


class Test(NamedTuple):
    """What a condition asks of a variable. root: of what that holds; what: a text that is the same for the same
    question; positive: whether the condition holds where the answer is yes; key: of the variable."""

    root: Value
    what: str
    positive: bool
    key: Key


@dataclass(slots=True)
class Joined:
    """An `if` that has been lowered: where its sides ended, where they meet, what they wrote."""

    function: Function
    block: Block
    yes: Block
    no: Block
    keys: frozenset[Key]


class Lowering(ABC):
    """expressions, statements: handlers by node type. null_name: what a literal null is named in facts."""

    expressions: ClassVar[dict[str, Expression]]
    statements: ClassVar[dict[str, Statement]]
    null_name: ClassVar[str]
    skipped: ClassVar[frozenset[str]] = frozenset(("comment",))

    def __init__(
        self,
        root: Node,
        writer: FactWriter,
        left_out: LeftOut,
        symbol: str,
        tracked: frozenset[str],
        cleared: frozenset[str],
    ) -> None:
        self.root = root
        self.writer = writer
        self.left_out = left_out
        self.failed: dict[Part, str] = {}
        self.symbol = self.file_symbol = symbol
        self.tracked = tracked
        self.cleared = cleared
        self.qualnames: dict[str, int] = {}
        self.start_function(symbol)

    def start_function(self, symbol: str) -> None:
        """Make `symbol` the function that is being lowered."""
        self.symbol = symbol
        self.fn = Function(self.writer, symbol, self.tracked, self.cleared)
        if symbol == self.file_symbol:
            self.fn.most_steps = outer_steps(self.root.end_byte)
        self.emit: Callable[..., None] = self.fn.emit
        self.jumps: list[Jump] = []
        self.written_fields: set[str] = set()
        self.write_log: list[Key] = []
        self.joins: dict[tuple[Value, str], Joined] = {}  # by root and question of the test of an `if`
        self.holders: dict[Block, dict[Key, None]] = {}  # block of a join -> variables that were given a phi of it
        self.guard_of: dict[Value, Value] = {}  # what guards made a value of
        self.known_null: set[Value] = set()
        self.call_results: set[Value] = set()
        self.truths: dict[Value, str] = {}  # values that stand for the truth of a parameter

    # What a language says.

    @abstractmethod
    def keys_of(self, node: Node) -> list[Key]:
        """The variables and paths whose value the expression is, so that a test of it is a test of them."""

    # Naming.

    @property
    def qualname(self) -> str:
        """The definition that names made here belong to."""
        return self.symbol[1:]

    def unique(self, qualname: str) -> str:
        """The symbol of a definition; the second of the same name gets an ordinal."""
        if len(qualname) > LONGEST_NAME:
            qualname = shortened(qualname)
        count = self.qualnames.get(qualname, 0) + 1
        self.qualnames[qualname] = count
        return f"|{qualname}" if count == 1 else f"|{qualname}#{count}"

    def unique_key(self, node: Node, what: str = RESULT) -> str:
        """A key that no other node has, of a value that branches within it choose between."""
        return f"{what}#{node.start_byte}-{node.end_byte}"

    # Values.

    def value(self, what: str, node: Node | None = None) -> Value:
        return self.fn.value(self.writer.name(self.qualname, what), span(node) if node is not None else None)

    def opaque(self) -> Value:
        """The value that is not null and of which nothing else is known."""
        return self.fn.opaque

    def null(self, what: str, node: Node, kind: str) -> Value:
        value = self.value(what, node)
        self.emit("null", value, kind)
        return value

    def live(self) -> Value:
        return self.fn.read(LIVE)

    def assign(self, key: Key, value: Value) -> None:
        self.fn.write(key, value)
        self.write_log.append(key)
        if self.fn.is_phi(value):
            self.holders.setdefault(self.fn.homes[self.fn.resolve(value)], {})[key] = None

    def is_literal_null(self, value: Value) -> bool:
        name = self.fn.names[self.fn.resolve(value)]
        return name is not None and name.rsplit("|", 2)[-2:-1] == [self.null_name]

    # Guards and uses.

    def tested(self, node: Node, value: Value, *, nonnull: bool) -> list[Refinement]:
        """What a test of the expression, lowered to `value`, shows about the variables that it is."""
        found: list[Refinement] = []
        for key in self.keys_of(node):
            current = self.fn.read(key)
            found.append((key, self.fn.root(current if current else value), nonnull))
        return found

    def tests_of(self, node: Node, value: Value) -> Tests:
        """What the truth of an expression, already lowered to `value`, shows."""
        yes, no = self.fn.tests.get(self.fn.root(value), self.fn.tests.get(self.fn.resolve(value), ([], [])))
        return yes + self.tested(node, value, nonnull=True), list(no)

    def refine(self, refinements: Iterable[Refinement]) -> None:
        """Make the variables what a test has shown them to be."""
        fn = self.fn
        for key, root, nonnull in refinements:
            current = fn.read(key)
            if current == UNDEFINED or current in fn.nonnull or fn.root(current) != root:
                continue
            if current == fn.unknown:
                if nonnull:
                    fn.write(key, fn.unnamed())
                continue
            what = f"{fn.key_name(key)} {'not null' if nonnull else 'null'}"
            guarded = fn.value(self.writer.name(self.qualname, what), root=fn.root(current))
            fn.define(guarded, "assign_object" if nonnull else "assign_null", guarded, current)
            self.guard_of[guarded] = current
            if nonnull:
                fn.nonnull.add(guarded)
                fn.write((root, SHOWN), guarded)
            else:
                self.known_null.add(guarded)
            fn.write(key, guarded)
            self.guarded(guarded, current)
            correlate(self, current, self._may_be_nonnull if nonnull else self._may_be_null)

    def _may_be_null(self, value: Value, _: Block | None = None) -> bool:
        return value not in self.fn.nonnull

    def _may_be_nonnull(self, value: Value, _: Block | None = None) -> bool:
        return value not in self.known_null and not self.is_literal_null(value)

    def alone(self, key: Key, operand: Value) -> Value:
        """The one operand of a join that a variable can be; a null is called after the variable."""
        if not self.is_literal_null(operand):
            return operand
        fn = self.fn
        what = key.split("#")[0] if isinstance(key, str) else f"{key[1]} of {fn.what(key[0])}"
        value = fn.value(self.writer.name(self.qualname, f"{what} joined"), root=fn.root(operand))
        fn.define(value, "assign", value, operand)
        self.known_null.add(value)
        return value

    def guarded(self, guarded: Value, current: Value) -> None:
        """Told that `guarded` is what a test has made of `current`."""
        return

    def dereference(self, value: Value, what: str, kind: str, node: Node, keys: Iterable[Key] = ()) -> Value:
        """Note that `node` fails if `value` is null, and that it is not null afterwards; returns that use."""
        fn = self.fn
        value, site = fn.resolve(value), UNDEFINED
        if value == UNDEFINED or value in fn.nonnull or not fn.reachable():
            return site
        site = self.value(what, node)
        self.emit("dereference", site, value, kind, self.live())
        root = fn.root(value)
        self.refine([(key, root, True) for key in keys])
        return site

    # Calls.

    def behind(self, call: Value) -> None:
        """What follows is reached once `call` returns."""
        if self.fn.reachable():
            reached = self.value("control")
            self.emit("control_call", reached, self.live(), call)
            self.fn.write(LIVE, reached)

    def leave(self, value: Value | None) -> None:
        """Control leaves the function here, with `value` if there is one."""
        if self.fn.reachable():
            if value is not None:
                self.emit("returns", self.symbol, value, self.live())
                self.fn.returned(value)
                if self.fn.what(value) in ("return", "end"):
                    self.requirements(value)
            self.fn.leave()
        self.fn.stop()

    # Flags: `if required: raise`, after which null is returned only where `required` is false.

    def note_truth(self, value: Value, outcome: bool, *, false: str = "false") -> None:
        """Note that here `value` is known to be true or false, if it is a parameter. false: `null` where it is null."""
        root = self.fn.root(value)
        if root in self.fn.formals:
            token = self.fn.unnamed()
            self.truths[token] = "true" if outcome else false
            self.fn.write((root, TRUTH), token)

    def note_tested_null(self, node: Node, shown: Iterable[Refinement]) -> None:
        """Note that a parameter, or what a call gave, is null here by a test that the function goes on after."""
        fn = self.fn
        for key, root, nonnull in shown:
            if nonnull or not isinstance(key, str) or not (root in fn.formals or root in self.call_results):
                continue
            current = fn.read(key)
            if current in self.known_null and fn.root(current) == root:
                test = self.value("test for null", node)
                fn.define(current, "null", test, "tested")
                fn.define(current, "tested_null", current, test)

    def requirements(self, null: Value) -> None:
        """Note which parameters must be true or false for `null` to be returned here."""
        for formal in self.fn.formals:
            truth = self.truths.get(self.fn.content((formal, TRUTH)))
            if truth is not None:
                self.emit("requires", null, formal, truth)

    # Dispatch.

    def expression(self, node: Node) -> Value:
        self.fn.steps += NODE_STEPS
        handler = self.expressions.get(node.type)
        if handler is not None:
            return handler(self, node)
        if node.type not in self.skipped and node.type != "ERROR":
            self.writer.unmodelled(node.type)
        for child in node.named_children:
            self.expression(child)
        return self.opaque()

    def statement(self, node: Node) -> None:
        if self.fn.reachable():
            self.reached(node)

    def reached(self, node: Node) -> None:
        """Lower a statement that control comes to."""
        handler = self.statements.get(node.type)
        if handler is None:
            if node.type == "ERROR":
                self._error(node)
            elif node.type in self.expressions:
                self.expressions[node.type](self, node)
            elif node.type not in self.skipped:
                self.writer.unmodelled(node.type)
            return
        if self.left_out and (reason := self.left_out.get((node.start_byte, node.end_byte, ""))) is not None:
            self.leave_out_statement(node, reason)
            return
        fn = self.fn
        fn.steps += NODE_STEPS
        try:
            if fn.steps > fn.most_steps:
                fn.spend(0)
            handler(self, node)
        except Exception as error:
            self.fails(node, error)

    # What is left out, because it fails (`isolation`).

    def fails(self, node: Node, error: Exception) -> None:
        """Note that a statement outside of functions fails; in a function, the whole of it does. What is around a
        statement that has failed may fail for that alone, and is tried again without it."""
        if self.symbol != self.file_symbol:
            raise error
        last = next(reversed(self.failed), None)
        if last is None or not (node.start_byte <= last[0] and last[1] <= node.end_byte):
            self.failed[(node.start_byte, node.end_byte, "")] = reason_of(error)

    def lowered_outside(self) -> None:
        """All statements outside of functions have been lowered: what is left to do for their names has the rest of the
        file's steps."""
        self.fn.most_steps = file_steps(self.root.end_byte)

    def leave_out_statement(self, node: Node, reason: str) -> None:
        """A statement outside of functions is not lowered."""
        self.writer.lines_left_out(node.start_point[0] + 1, node.end_point[0] + 1, reason)

    def leave_out(self, function: Waiting, reason: str) -> None:
        """Write what holds of a function that is not lowered: a call of it comes back, and may have written each field
        that it mentions."""
        self.start_function(function.symbol)
        self.fn.most_steps = sys.maxsize  # the words of the function bound what follows
        self.writer.function_left_out(function.symbol, function.node.start_point[0] + 1, reason)
        self.emit("ends", self.symbol, self.symbol)
        unknown = self.value("left out")
        for field in sorted(self.tracked.intersection(WORDS.findall(text(function.node)))):
            self.emit("field_write", self.symbol, field)
            self.emit("written_late", "?", field)
            self.emit("attribute_set", unknown, field)
        self.fn.finish()

    @abstractmethod
    def next_function(self) -> Waiting | None:
        """Take one of the functions that are waiting to be lowered."""

    def finish(self) -> None:
        """All functions have been lowered."""
        return

    def block(self, node: Node | None) -> None:
        if node is not None:
            for child in node.named_children:
                self.statement(child)

    def _error(self, node: Node) -> None:
        for child in node.named_children:
            if child.type in self.statements or child.type == "ERROR":
                self.statement(child)
