"""A C file to facts: guards, uses of pointers, and which handler lowers a node."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterable, Sequence

from tree_sitter import Node

from pliant.extractors.c.declarations import UNKNOWN, CType
from pliant.extractors.c.entities import FREED, NONNULL, Variable
from pliant.extractors.c.exits import Exits
from pliant.extractors.c.scopes import Unwritten, Written
from pliant.extractors.lowering.base import Expression, Statement, Tests
from pliant.extractors.lowering.handlers import registrar
from pliant.extractors.lowering.source import text
from pliant.extractors.ssa import UNDEFINED, Block, Key, Refinement, Value

EXPRESSIONS: dict[str, Expression] = {}
STATEMENTS: dict[str, Statement] = {}


expression = registrar(EXPRESSIONS)


statement = registrar(STATEMENTS)


class Lowering(Exits):
    expressions = EXPRESSIONS
    statements = STATEMENTS
    null_name = "NULL"

    # Guards and uses.

    def guarded(self, guarded: Value, current: Value) -> None:
        self.objects[guarded] = current

    def tests_of(self, node: Node, value: Value) -> Tests:
        yes, no = super().tests_of(node, value)
        return yes, no + self.tested(node, value, nonnull=False)

    def refine(self, refinements: Iterable[Refinement]) -> None:
        refinements = list(refinements)
        super().refine(refinements)
        for _, root, nonnull in refinements:
            if root == UNDEFINED:
                continue
            if nonnull:
                self.fn.write((root, NONNULL), self.fn.opaque)
            else:  # there is nothing that could be freed
                self.fn.write((root, FREED), self.fn.opaque)
                if root in self.call_info:
                    self.found_null[root] = None
                moved = self.moves.get(root)
                if moved is not None:
                    self.fn.write((moved[0], FREED), moved[1])

    def requirements(self, null: Value) -> None:
        super().requirements(null)
        for call in self.found_null:
            if self.fn.content((call, FREED)) == self.fn.opaque:
                self.emit("behind_null", null, call)

    def a_number(self, number: int | None = None) -> Value:
        """A value that is no pointer; number: where it is known."""
        value = self.fn.unnamed()
        self.number_of[value] = number
        return value

    def stepped(self, variable: Variable, node: Node) -> Value:
        """The value of a variable after `++`, `--`, `+=` or `-=`."""
        raise NotImplementedError

    def _may_be_null(self, value: Value, _: Block | None = None) -> bool:
        if value in self.number_of or value == self.fn.opaque:
            return self.number_of.get(value) in (None, 0)
        return super()._may_be_null(value)

    def _may_be_nonnull(self, value: Value, _: Block | None = None) -> bool:
        return super()._may_be_nonnull(value) and self.number_of.get(value) != 0

    def dereference(self, value: Value, what: str, kind: str, node: Node, keys: Iterable[Key] = ()) -> Value:
        fn = self.fn
        value, site = fn.resolve(value), UNDEFINED
        if value in (UNDEFINED, fn.opaque) or not fn.reachable():
            return site
        self.use(value, what, kind, node)
        if not self.is_nonnull(value):
            keys = list(keys)
            site = super().dereference(value, what, kind, self.at(node), keys)
            fn.write((fn.root(value), NONNULL), fn.opaque)
            if site != UNDEFINED and self.in_macro_function:
                self.emit("in_macro", site)
            for key in keys:
                if site != UNDEFINED and isinstance(key, str):
                    self.used[fn.resolve(fn.read(key))] = site
        return site

    def use(self, value: Value, what: str, kind: str, node: Node) -> None:
        """The object that `value` points to is used: it must not have been freed."""
        fn = self.fn
        target = self.object_of(value)
        state = fn.content((target, FREED)) if FREED in fn.fields_of.get(target, ()) else UNDEFINED
        if state not in (UNDEFINED, self.alive, fn.opaque) and fn.reachable() and self.comes_from(state):
            self.emit("use_freed", self.value(what, node), state, kind, self.live())
            fn.write((target, FREED), self.alive)

    def comes_from(self, state: Value, source: Value = UNDEFINED) -> bool:
        """Whether a state may be one that a call has made, or `source`; it may where not all ways to here are known."""
        fn, sources = self.fn, self.states
        without = self.stateless.setdefault(source, set())
        seen: set[Value] = set()
        todo = [state]
        while todo:
            current = fn.resolve(todo.pop())
            operands = fn.operands(current)
            if current in sources or current == source or operands == []:
                return True
            if current not in seen and current not in without:
                seen.add(current)
                todo.extend(operands or ())
        without |= seen
        return False

    # Dispatch.

    def pointer(self, node: Node, kind: CType = UNKNOWN) -> Value:
        """The value of an expression that stands where a pointer may: `0` is null there."""
        if self.is_zero(node) and not kind.arithmetic:
            return self.null("NULL", node, "literal")
        return self.expression(node)

    def is_zero(self, node: Node) -> bool:
        kind = node.type
        if kind == "number_literal":
            return text(node) in ("0", "0L", "0x0", "0UL")
        if kind == "null":
            return True
        if kind == "parenthesized_expression" and node.named_child_count == 1:
            self.fn.spend(1)
            return self.is_zero(node.named_children[0])
        if kind == "cast_expression":
            self.fn.spend(1)
            value = node.child_by_field_name("value")
            return value is not None and self.is_zero(value)
        if kind == "identifier":
            name = text(node)
            bound = self.bound(name)
            if bound is not None:
                with self.within(bound.frame):
                    return self.is_zero(bound.node)
            macro = self.macros.get(name)
            return macro is not None and macro.null and self.variable(name) is None
        return False

    def statement(self, node: Node) -> None:
        if self.fn.reachable():
            self.reached(node)
        elif self.has_landmark(node):
            handler = self.statements.get(node.type)
            if handler is not None:
                handler(self, node)

    def has_landmark(self, node: Node) -> bool:
        """Whether a label or a case is in the node, so that it can be reached from elsewhere."""
        if self.frame is not None:
            return False
        first = bisect_left(self.landmarks, node.start_byte)
        return first < len(self.landmarks) and self.landmarks[first] < node.end_byte

    def is_function(self, name: str) -> bool:
        """Whether the file defines a function of that name."""
        variable = self.variable(name) if name else None
        return variable is not None and variable.function

    def is_address(self, value: Value) -> bool:
        """Whether a value is the address of a variable."""
        return value in self.stack or value in self.addresses

    def address_taken(self, name: str) -> bool:
        """Whether the address of that variable of the file is taken anywhere in it."""
        raise NotImplementedError

    def changed(self, name: str, words: frozenset[str]) -> bool:
        """Whether a variable of the file, declared with these words, may get another value than its first."""
        raise NotImplementedError

    def file_declaration(self, node: Node) -> None:
        """A declaration outside of functions."""
        raise NotImplementedError

    def unwritten(self, loop: Node) -> Container[Key]:
        """Keys of variables that a loop does not give another value."""
        parts = [loop]
        if self.frame is not None:
            parts = [bound.node for name, bound in self.frame.arguments.items() if name]
            outer = self.frame.arguments[""].frame
            if self.frame.macro.assigns or outer is not None:
                return frozenset()
        written = self.written_in([(part.start_byte, part.end_byte) for part in parts])
        if written is None:
            return frozenset()
        return Unwritten(self.scopes.declared, len(self.scopes.declared), written)

    def written_in(self, parts: Sequence[tuple[int, int]]) -> Written | None:
        """Names that are assigned to in parts of the file; None where that is not known. parts: starts and ends."""
        raise NotImplementedError
