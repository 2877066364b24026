"""What predicates show: on either side of a branch, a variable or a path that was asked about gets a value of its own.

So rules that know nothing of the order of instructions see a test of `x` (static single information).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from pliant.extractors.ir.operands import Constant, Operand, Predicate
from pliant.extractors.lowering.correlation import correlate
from pliant.extractors.ssa import UNDEFINED, Block, Function, Key, Refinement, Value
from pliant.extractors.writer import FactWriter

Shown = tuple[list[Refinement], list[Refinement]]  # where a predicate holds, and where it does not
SHOWN = "$shown"  # the field under which it is followed that a value was shown not to be null


class Keys(Protocol):
    """What is asked of the function that is constructed."""

    truth_is_not_null: bool

    def keys(self, operand: Operand) -> list[Key]:
        """The variables and paths whose value it is."""

    def value(self, operand: Operand) -> Value: ...


class Guards:
    """The guards of a function."""

    def __init__(self, fn: Function, writer: FactWriter, qualname: str) -> None:
        self.fn = fn
        self._writer = writer
        self._qualname = qualname
        self.known_null: set[Value] = set()
        self.guard_of: dict[Value, Value] = {}
        self.holders: dict[Block, dict[Key, None]] = {}

    def shown(self, predicate: Predicate, function: Keys) -> Shown:
        """What a predicate shows."""
        operator, operands = predicate.operator, predicate.operands
        if operator == "not":
            yes, no = self.shown(_predicate(operands[0]), function)
            return no, yes
        if operator in ("and", "or"):
            left, right = (self.shown(_predicate(each), function) for each in operands)
            return (left[0] + right[0], []) if operator == "and" else ([], left[1] + right[1])
        subject = operands[0]
        if operator == "always" or not isinstance(subject, int | Constant):
            return [], []
        if operator == "null":
            return self._tested(subject, function, nonnull=False), self._tested(subject, function, nonnull=True)
        if operator == "truth":
            value = function.value(subject)
            yes, no = self.fn.tests.get(self.fn.root(value), ([], []))
            if function.truth_is_not_null:
                yes = yes + self._tested(subject, function, nonnull=True)
            return list(yes), list(no)
        if operator == "is":
            return self._tested(subject, function, nonnull=True), []
        if operator == "==":
            found: list[Refinement] = []
            for one, other in (operands, operands[::-1]):
                if isinstance(other, int | Constant) and isinstance(one, int) and self._not_null(other, function):
                    found += self._tested(one, function, nonnull=True)
            return found, []
        return [], []

    def _not_null(self, operand: Operand, function: Keys) -> bool:
        return self.fn.resolve(function.value(operand)) in self.fn.nonnull

    def _tested(self, operand: Operand, function: Keys, *, nonnull: bool) -> list[Refinement]:
        fn = self.fn
        value = function.value(operand)
        found: list[Refinement] = []
        for key in function.keys(operand):
            current = fn.read(key)
            found.append((key, fn.root(current or value), nonnull))
        return found

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
            guarded = fn.value(self._writer.name(self._qualname, what), root=fn.root(current))
            fn.define(guarded, "assign_object" if nonnull else "assign_null", guarded, current)
            self.guard_of[guarded] = current
            if nonnull:
                fn.nonnull.add(guarded)
                fn.write((root, SHOWN), guarded)
            else:
                self.known_null.add(guarded)
            fn.write(key, guarded)
            correlate(self, current, self._may_be_nonnull if nonnull else self._may_be_null)

    def wrote(self, key: Key, value: Value) -> None:
        """Note that a variable was given a value, so that variables of one join are known together."""
        fn = self.fn
        if fn.is_phi(value):
            self.holders.setdefault(fn.homes[fn.resolve(value)], {})[key] = None

    def alone(self, key: Key, operand: Value) -> Value:
        """The one operand of a join that a variable can be."""
        return operand

    def _may_be_null(self, value: Value, _: Block | None = None) -> bool:
        return value not in self.fn.nonnull

    def _may_be_nonnull(self, value: Value, _: Block | None = None) -> bool:
        return value not in self.known_null


def _predicate(part: object) -> Predicate:
    assert isinstance(part, Predicate)
    return part
