"""What predicates show: on either side of a branch, a variable or a path that was asked about gets a value of its own.

So rules that know nothing of the order of instructions see a test of `x` (static single information).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Protocol

from pliant.extractors.ir.operands import Constant, Operand, Predicate
from pliant.extractors.lowering.correlation import ANSWER, correlate
from pliant.extractors.passes import questions
from pliant.extractors.ssa import UNDEFINED, Block, Function, Key, Refinement, Value
from pliant.extractors.writer import FactWriter, Span

Shown = tuple[list[Refinement], list[Refinement]]  # where a predicate holds, and where it does not
SHOWN = "$shown"  # the field under which it is followed that a value was shown not to be null


class Keys(Protocol):
    """What is asked of the function that is constructed."""

    truth_is_not_null: bool

    def keys(self, operand: Operand) -> list[Key]:
        """The variables and paths whose value it is."""

    def value(self, operand: Operand) -> Value: ...

    def shown_by_value(self, operand: Operand) -> Shown:
        """What it shows that a value counts as true, and that it does not, besides what it shows of itself."""

    def shown_by_null(self, operand: Operand) -> Shown:
        """The same of its being null."""

    def shown_by_equality(self, one: Operand, other: Operand) -> Shown:
        """The same of two values that are equal."""

    def shown_by_membership(self, element: Operand, container: Operand) -> Shown:
        """The same of an element that is in a container."""


class Guards:
    """The guards of a function. place: the definition that new names belong to. suspect: where an `if` that is
    branched on asks: null that goes on from there is noted."""

    def __init__(self, fn: Function, writer: FactWriter, place: str) -> None:
        self.fn = fn
        self._writer = writer
        self.place = place
        self.known_null: set[Value] = set()
        self.literal_null: set[Value] = set()
        self.guard_of: dict[Value, Value] = {}
        self.unguarded_before: dict[Value, Value] = {}
        self.holders: dict[Block, dict[Key, None]] = {}
        self.names_of: dict[Value, dict[Key, None]] = {}  # root -> variables and paths that were given it
        self.using = False  # whether that values are not null is what uses of them show
        self.tested_roots: set[Value] = set()  # of which tests have shown something
        self.suspect: Span | None = None
        self.told: Callable[[Value, bool], None] | None = None  # told what is shown not to be null, or to be null
        self.answers = {True: fn.unnamed(), False: fn.unnamed()}

    def shown(self, predicate: Predicate, function: Keys) -> Shown:
        """What a predicate shows."""
        operator, operands = predicate.operator, predicate.operands
        if operator == "not":
            yes, no = self.shown(_predicate(operands[0]), function)
            return no, yes
        if operator in ("and", "or"):
            left, right = (self.shown(_predicate(each), function) for each in operands)
            if operator == "and":
                return left[0] + right[0], [each for each in left[1] if each in right[1]]
            return [each for each in left[0] if each in right[0]], left[1] + right[1]
        subject = operands[0]
        if operator == "always" or not isinstance(subject, int | Constant):
            return [], []
        if operator == "null":
            yes, no = function.shown_by_null(subject)
            return (
                self.tested(subject, function, nonnull=False) + yes,
                self.tested(subject, function, nonnull=True) + no,
            )
        if operator == "truth":
            value = function.value(subject)
            yes, no = self.fn.tests.get(self.fn.root(value), ([], []))
            further = function.shown_by_value(subject)
            if function.truth_is_not_null:
                yes = yes + self.tested(subject, function, nonnull=True)
            return yes + further[0], no + further[1]
        if operator == "is":
            return self.tested(subject, function, nonnull=True), []
        other = operands[1]
        assert isinstance(other, int | Constant)
        if operator == "in":
            return function.shown_by_membership(subject, other)
        if operator == "==":
            yes, no = function.shown_by_equality(subject, other)
            for one, another in ((subject, other), (other, subject)):
                if isinstance(one, int) and self._not_null(another, function):
                    yes = yes + self.tested(one, function, nonnull=True)
            return yes, no
        return [], []

    def _not_null(self, operand: Operand, function: Keys) -> bool:
        return self.fn.resolve(function.value(operand)) in self.fn.nonnull

    def tested(self, operand: Operand, function: Keys, *, nonnull: bool) -> list[Refinement]:
        """That an operand is not null, or that it is."""
        fn = self.fn
        value = function.value(operand)
        found: list[Refinement] = []
        root = fn.root(value)
        for key in function.keys(operand):
            current = fn.read(key)
            known = current not in (UNDEFINED, fn.unknown) and not (
                isinstance(key, tuple)
                and fn.content(key) == UNDEFINED  # a field that the file does not write, in a loop
            )
            if not known or fn.root(current) == root:
                found.append((key, fn.root(current or value), nonnull))
        others = self.names_of.get(root, ())
        if others and any(self._changed(key) for key, _, _ in found):
            return found
        for key in others:
            if all(key != other for other, _, _ in found) and not self._changed(key):
                found.append((key, root, nonnull))
        return found

    def _changed(self, key: Key) -> bool:
        """Whether calls may have changed a field since its value was known."""
        return isinstance(key, tuple) and bool(self.fn.carried.get(self.fn.content(key)))

    def refine(self, refinements: Iterable[Refinement]) -> None:
        """Make the variables what a test has shown them to be."""
        fn = self.fn
        for key, root, nonnull in refinements:
            if self.told is not None and root != UNDEFINED:
                self.told(root, nonnull)
            current = fn.read(key)
            if current == UNDEFINED or current in fn.nonnull or fn.root(current) != root:
                continue
            if current == fn.unknown:
                if nonnull:
                    fn.write(key, fn.unnamed())
                else:
                    self._null_of_unknown(key)
                continue
            what = f"{fn.key_name(key)} {'not null' if nonnull else 'null'}"
            guarded = fn.value(self._writer.name(self.place, what), root=fn.root(current))
            fn.define(guarded, "assign_object" if nonnull else "assign_null", guarded, current)
            self.guard_of[guarded] = current
            if nonnull and (holder := fn.classes.get(current)) is not None:
                fn.define(guarded, "typed", guarded, holder)
                fn.classes[guarded] = holder
            if not self.using:
                self.tested_roots.add(root)
            if nonnull:
                fn.nonnull.add(guarded)
                fn.write((root, SHOWN), guarded)
            else:
                self.known_null.add(guarded)
                self._suspect(guarded)
            fn.write(key, guarded)
            correlate(self, current, self._may_be_nonnull if nonnull else self._may_be_null)

    def _suspect(self, value: Value) -> None:
        if self.suspect is not None:
            self.fn.spans[value] = self.suspect
            self.fn.emit("found_null", value)

    def _null_of_unknown(self, key: Key) -> None:
        """A field of which nothing was known is null."""
        fn = self.fn
        if self.suspect is not None and isinstance(key, tuple) and key[1] in fn.tracked:
            null = fn.value(self._writer.name(self.place, f"{fn.key_name(key)} null"))
            self.known_null.add(null)
            self._suspect(null)
            fn.write(key, null)

    def remember(self, predicate: Predicate, holds: bool, function: Keys) -> None:
        """Note the answers to the questions of a predicate, and what they say of joins before."""
        fn = self.fn
        for leaf, outcome in questions.answered(predicate, holds):
            asked = questions.question(leaf)
            if asked is None:
                continue
            what, answer = questions.text(asked), outcome != questions.turned(asked)
            value = fn.root(function.value(asked.subject))
            path = fn.path(value, what)
            if path is None:
                continue
            known = fn.content(path)
            if known != UNDEFINED and known not in self.answers.values():
                other = self.answers[not answer]
                correlate(self, known, partial(_differs, other))
            for key in function.keys(asked.subject)[: asked.asked != "null"]:  # else `refine` has done so
                current = fn.read(key)
                if current != UNDEFINED:
                    correlate(self, current, partial(self._possible, asked, outcome))
            fn.write(path, self.answers[answer])

    def _possible(self, asked: questions.Question, outcome: bool, value: Value, block: Block) -> bool:
        """Whether a question about a value, at the end of a block, can have an answer."""
        fn = self.fn
        if value in self.literal_null:
            return questions.answer(asked, None) in (outcome, None)
        if value in fn.constants:
            return questions.answer(asked, fn.constants[value]) in (outcome, None)
        path = fn.path(value, questions.text(asked))
        known = fn.content(path, block) if path is not None else UNDEFINED
        return known != self.answers[outcome == questions.turned(asked)]

    def answer(self, value: Value, what: str, block: Block | None = None) -> bool | None:
        """What the answer to a question about a value was; None where it is not known at the end of a block (here, by
        default)."""
        path = self.fn.path(value, f"{ANSWER}{what}")
        known = self.fn.content(path, block) if path is not None else UNDEFINED
        return next((answer for answer, token in self.answers.items() if token == known), None)

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


def _differs(other: Value, value: Value, _: Block) -> bool:
    return value != other


def _predicate(part: object) -> Predicate:
    assert isinstance(part, Predicate)
    return part
