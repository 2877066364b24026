"""Which way a branch goes, where what is known of values decides it.

Constants are known through variables and joins; `numbers` says what comparisons have shown before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from operator import eq
from typing import Final

from pliant.extractors.ir.operands import Constant, Operand, Predicate
from pliant.extractors.lowering.correlation import unguarded
from pliant.extractors.passes.numbers import COMPARISONS
from pliant.extractors.passes.questions import BY_TEXT, answered
from pliant.extractors.passes.sums import Sums
from pliant.extractors.ssa import UNDEFINED, Value

_VALUES = 64  # joins and operands of joins that are looked through
_NO_NUMBERS = frozenset(("null", "is", "in", "always"))
_TESTS = 8  # tests of results of tests that are looked through


@dataclass(frozen=True, slots=True)
class Null:
    """What is known of a null."""


NULL: Final = Null()
ZERO: Final = Constant("integer", 0)
Content = object  # of a constant, or NULL


class Decisions(Sums):
    """The branches of a function under construction."""

    def decided(self, predicate: Predicate, depth: int = 0) -> bool | None:
        """The outcome of a predicate that has but one; None for others."""
        operator, operands = predicate.operator, predicate.operands
        if operator in ("and", "or", "not"):
            return self._connected(predicate, depth)
        subject = operands[0]
        if not isinstance(subject, int | Constant):
            return None
        if operator == "always":
            return bool(subject.content) if isinstance(subject, Constant) else None
        if operator == "null":
            return self._of_all(subject, lambda content: content is NULL)
        if operator == "truth":
            return self._truth(subject, depth)
        other = operands[1]
        if operator not in COMPARISONS or not isinstance(other, int | Constant):
            return None
        if self.semantics.sums:
            return self.compared_numbers(operator, subject, other)
        if self._is_open(subject, other) or (operator == "==" and self.may_be_two(subject, other)):
            return None
        found = self.compared_numbers(operator, subject, other)
        return self._compared(operator, subject, other) if found is None else found

    def show_numbers(self, predicate: Predicate, *, holds: bool, depth: int = 0) -> None:
        """Note what numbers are, where a predicate holds or does not."""
        asked = predicate.operands[0] if predicate.operator == "not" else predicate
        if not isinstance(asked, Predicate) or asked.operator in _NO_NUMBERS:
            return
        sums = self.semantics.sums
        if asked.operator == "truth" and not sums and not self._is_test(asked.operands[0]):
            return
        if not sums and not self.compared_again:
            return
        for leaf, outcome in answered(predicate, holds):
            subject = leaf.operands[0]
            if leaf.operator in COMPARISONS:
                self.show_number(leaf.operator, *leaf.operands, outcome=outcome)  # type: ignore[arg-type]
            elif leaf.operator == "truth" and isinstance(subject, int) and depth < _TESTS:
                tested = self._tested(subject)
                if tested is not None:
                    self.show_numbers(tested, holds=outcome, depth=depth + 1)
                elif sums:
                    self.show_number("==", subject, ZERO, outcome=not outcome)

    def _connected(self, predicate: Predicate, depth: int) -> bool | None:
        sides = [self.decided(each, depth) for each in predicate.operands if isinstance(each, Predicate)]
        if predicate.operator == "not":
            return None if sides[0] is None else not sides[0]
        decisive = predicate.operator == "or"
        return decisive if decisive in sides else None if None in sides else not decisive

    def _truth(self, subject: Operand, depth: int) -> bool | None:
        if isinstance(subject, int) and depth < _TESTS:
            tested = self._tested(subject)
            if tested is not None:
                return self.decided(tested, depth + 1)
        if isinstance(subject, int) and self.op(subject) == "invoke":
            equal = self.equal_numbers(self.instructions[subject])
            if equal is not None:
                return equal
        if self.semantics.sums:
            zero = self.compared_numbers("==", subject, ZERO)
            return None if zero is None else not zero
        false = self.semantics.false
        return self._of_all(subject, lambda content: content is not NULL and content not in false)

    def _is_test(self, operand: object) -> bool:
        return isinstance(operand, int) and self.value(operand) in self.computed

    def _tested(self, subject: Value) -> Predicate | None:
        """The predicate of which a value is the outcome."""
        made = self.computed.get(self.value(subject))
        if made is None or made.op != "test":
            return None
        self.fn.spend(1)
        predicate: Predicate = made.operands[0]
        return predicate

    def _compared(self, operator: str, one: Operand, other: Operand) -> bool | None:
        """Of equal constants, also where one is of several."""
        if operator != "==":
            return None
        if isinstance(one, int) and isinstance(other, int) and self._is_same(one, other):
            return True
        for subject, against in ((one, other), (other, one)):
            known = self.contents(against)
            if known is not None and len(known) == 1 and NULL not in known:
                return self._of_all(subject, partial(eq, *known))
        return None

    def _is_same(self, one: Value, other: Value) -> bool:
        """Whether two operands are the same truth."""
        value = self.value(one)
        if value != self.value(other) or value in (UNDEFINED, self.fn.opaque, self.fn.unknown):
            return False
        return "boolean" in (self.type_of(one).kind, self.type_of(other).kind)

    def _of_all(self, operand: Operand, holds: Callable[[Content], bool]) -> bool | None:
        """Whether something holds of all constants that an operand may be, or of none."""
        contents = self.contents(operand)
        if contents is None:
            return None
        answers = {holds(content) for content in contents}
        return answers.pop() if len(answers) == 1 else None

    def contents(self, operand: Operand) -> set[Content] | None:
        """The constants that an operand may be; None if it may be anything."""
        if isinstance(operand, Constant):
            return None if operand.kind == "other" or operand.kind in BY_TEXT else {operand.content}
        value = self.value(operand)
        return self.constants_of(value) if self._is_known(value) and self.is_own(operand) else None

    def _is_open(self, one: Operand, other: Operand) -> bool:
        """Whether nothing is known of one of two operands that are compared."""
        if self.semantics.boxes:
            return False
        values = [self.value(each) for each in (one, other) if isinstance(each, int)]
        if len(values) == 2 and values[0] == values[1]:
            return False
        if all(value in self.computed or self._is_known(value) for value in values):
            return False
        written = other if isinstance(other, Constant) else one
        return (isinstance(written, Constant) and written.kind == "string") or not self.compared_again

    def _is_known(self, value: Value) -> bool:
        """Whether a value may be one of some constants."""
        fn, guards = self.fn, self.guards
        return value in fn.constants or value in guards.literal_null or value in guards.guard_of or fn.is_phi(value)

    def constants_of(self, value: Value) -> set[Content] | None:
        fn, guards = self.fn, self.guards
        found: set[Content] = set()
        seen: set[Value] = set()
        todo = [value]
        while todo:
            current = unguarded(guards, todo.pop())
            if current in fn.constants:
                if isinstance(fn.constants[current], Constant):
                    return None
                found.add(fn.constants[current])
            elif current in guards.literal_null:
                found.add(NULL)
            elif current not in seen:
                seen.add(current)
                sources = fn.sources(current)
                if sources is None or len(seen) + len(sources) > _VALUES:
                    return None
                todo += [operand for _, operand in sources]
        return found or None


__all__ = ["NULL", "Decisions"]
