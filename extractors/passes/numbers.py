"""What is known of numbers: constants, sums and multiples of other values, and what comparisons have shown of these.

A number is a *form*: an SSA value times a factor, and a constant. What a comparison shows of a value is followed like
a path of it, so that it holds where the branch leads and no further; where ways have joined, it says which it was.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import NamedTuple

from pliant.extractors.ir.operands import Constant, Operand
from pliant.extractors.ir.unit import Instruction
from pliant.extractors.lowering.correlation import correlate, unguarded
from pliant.extractors.lowering.ranges import (
    EVERYTHING,
    NEGATED,
    TURNED,
    Range,
    holds,
    join,
    meet,
    point,
    solutions,
    within,
)
from pliant.extractors.passes.questions import leaves
from pliant.extractors.passes.types import Types
from pliant.extractors.ssa import UNDEFINED, Value

COMPARISONS = frozenset(("==", "<", "<="))
_RANGE = "$range"
_LARGEST = 2**64  # larger numbers are not followed
_EXACT = 2**50  # below it, what is between two integers is a number
_OPERATIONS = 16  # that a form is computed from
_DEPTH = 3  # joins behind joins that are looked through
_MULTIPLES = 4  # the largest factor by which it is looked for what overflows to a number


class Form(NamedTuple):
    """`factor` times the number that `root` is, and `constant`; without a root, the constant alone. bits: those in
    which it was computed, 0 where it cannot overflow. whole: whether the root is an integer."""

    root: Value
    factor: int
    constant: int
    bits: int
    whole: bool


class Numbers(Types):
    """The numbers of a function under construction."""

    def prepare(self) -> None:
        self._ranges: dict[Value, Range] = {}  # of tokens, which are followed as `$range` of a value
        self._again: frozenset[Operand | str] | None = None

    def compared_numbers(self, operator: str, left: Operand, right: Operand) -> bool | None:
        """Whether a comparison holds wherever control comes from; None where that is not known."""
        one, other = self.number(left), self.number(right)
        if one is None or other is None:
            return None
        if not one.factor and not other.factor:
            return holds(point(one.constant - other.constant), operator)
        if one[:3] == other[:3] and operator == "==":
            return True if one.whole or self.type_of(left).kind == "boolean" else None
        asked = _compared(one, operator, other)
        if asked is None:
            return None
        form, operator, number = asked
        possible = solutions_of(form, operator, number)
        before = self._range_shown(form.root)
        return False if not meet(before, possible) else True if within(before, possible) else None

    def may_be_two(self, left: Operand, right: Operand) -> bool:
        """Whether `==` asks if two operands are one object, and they may be two that hold one number."""
        once = self.semantics.boxed_once
        if once is None or not (self._is_object(left) and self._is_object(right)):
            return False
        one, other = self.number(left), self.number(right)
        if one is None or other is None:
            return False
        if any(self._boxed(unguarded(self.guards, self.value(each))) for each in (left, right)):
            return True
        same = not one.factor and not other.factor and one.constant == other.constant
        return bool(one.factor or other.factor) or (same and one.constant not in once)

    def _is_object(self, operand: Operand) -> bool:
        if isinstance(operand, Constant):
            return False
        return self.type_of(operand).kind not in ("number", "boolean")

    def show_number(self, operator: str, left: Operand, right: Operand, *, outcome: bool) -> None:
        """A comparison has this outcome where control is."""
        if self.compared_again.isdisjoint(map(self._compared_as, (left, right))):
            return
        one = self.number(left)
        other = self.number(right) if one is not None else None
        asked = _compared(one, operator, other) if one is not None and other is not None else None
        if asked is None:
            return
        form, operator, number = asked
        fn = self.fn
        possible = solutions_of(form, operator if outcome else NEGATED[operator], number)
        before = self._range_shown(form.root)
        left_over = join((meet(before, possible) or possible,))  # of a few intervals
        if left_over == before:
            return
        correlate(self.guards, fn.read((form.root, _RANGE)), lambda one, _: bool(meet(self._range(one), possible)))
        token = fn.unnamed()
        self._ranges[token] = left_over
        fn.write((form.root, _RANGE), token)

    @property
    def compared_again(self) -> frozenset[Operand | str]:
        """The variables and values that several comparisons of the function are of."""
        if self._again is None:
            counted: Counter[Operand | str] = Counter()
            for each in self.index.of("branch", "test"):
                for leaf in leaves(each.operands[0]):
                    if leaf.operator in COMPARISONS:
                        counted.update({self._compared_as(each) for each in leaf.operands if isinstance(each, int)})
            self._again = frozenset(each for each, count in counted.items() if count > 1)
        return self._again

    def _compared_as(self, operand: Operand) -> Operand | str:
        """The variable or the value that a comparison of an operand is of."""
        for _ in range(_OPERATIONS):
            made = self.instructions[operand] if isinstance(operand, int) else None
            if made is None or made.op != "arithmetic":
                break
            operand = next((each for each in made.operands[1] if isinstance(each, int)), made.number)
        return made.operands[0] if made is not None and made.op == "get" else operand

    def number(self, operand: Operand) -> Form | None:
        """The number that an operand is; None where nothing is known of it."""
        return self._form(operand, [_OPERATIONS])

    def _form(self, operand: Operand, left: list[int]) -> Form | None:
        """left: how many operations may still be looked at."""
        fn = self.fn
        known: object
        if isinstance(operand, Constant):
            bits = self.semantics.integers.get("")
            known = operand.content
        elif not self.is_own(operand):
            return None
        else:
            bits = self.semantics.integers.get(self._type(operand)) if len(self.semantics.integers) > 1 else None
            value = unguarded(self.guards, self.value(operand))
            known = fn.constants.get(value)
            if known is None:
                made = self.computed.get(value)
                if made is not None and made.op == "arithmetic" and left[0]:
                    left[0] -= 1
                    fn.spend(1)
                    if (found := self._arithmetic(made, left)) is not None:
                        return found
                if value in (UNDEFINED, fn.opaque, fn.unknown):
                    return None
                if self.semantics.boxes and (boxed := self._boxed(value)) is not None and left[0]:
                    left[0] -= 1
                    return self._form(boxed, left)
                return Form(value, 1, 0, -1 if bits is None else bits, bits is not None)
        if not isinstance(known, int) or abs(known) >= _LARGEST:
            return None
        return Form(UNDEFINED, 0, int(known), -1 if bits is None else bits, True)

    def _boxed(self, value: Value) -> Operand | None:
        """The number that a new object holds."""
        made = self.results.get(self.written.get(value, value))
        if made is None or made.op != "call" or len(made.operands[1]) != 1:
            return None
        kind = self.type_of(made.number)
        operand: Operand = made.operands[1][0].value
        return operand if kind.module and kind.name in self.semantics.boxes else None

    def equal_numbers(self, instruction: Instruction) -> bool | None:
        """Whether a method gives true that asks two objects if they hold the same number, of one class."""
        base, name, arguments = instruction.operands
        if name not in self.semantics.library.equal or len(arguments) != 1 or not self.semantics.boxes:
            return None
        other = arguments[0].value
        kinds = [
            self.type_of(base).name,
            self.type_of(other).name if isinstance(other, int) else self.semantics.boxes[0],
        ]
        one, another = self.number(base), self.number(other)
        if one is None or another is None or kinds[0] != kinds[1] or one.factor or another.factor:
            return None
        return one.constant == another.constant

    def _type(self, operand: Operand) -> str:
        """The name of the type of number that an operand is declared to be; empty of a constant, `?` if unknown."""
        if isinstance(operand, Constant):
            return ""
        kind = self.type_of(operand)
        return kind.name or "?" if kind.kind == "number" else "?"

    def _arithmetic(self, made: Instruction, left: list[int]) -> Form | None:
        operator, operands = made.operands
        what = operator.removesuffix("=")
        if what not in ("+", "-", "*") or not 1 <= len(operands) <= 2:
            return None
        forms = [self._form(each, left) for each in operands]
        if len(forms) == 1 and what == "-":
            forms.insert(0, Form(UNDEFINED, 0, 0, forms[0].bits if forms[0] is not None else -1, True))
        if len(forms) != 2:
            return None
        a, b = forms
        if a is None or b is None:
            return None
        # Constants take the type of what they are computed with.
        bits = [each.bits for each, operand in zip((a, b), operands[-2:], strict=False) if not _is_plain(operand)]
        return self._combined(what, a, b, max(bits) if bits and min(bits) >= 0 else -1 if bits else a.bits)

    def _combined(self, what: str, a: Form, b: Form, bits: int) -> Form | None:
        """bits: of the arithmetic; -1 where that is not known."""
        if what == "*":
            if a.factor and b.factor:
                return None
            scaled, by = (a, b.constant) if a.factor else (b, a.constant)
            root, factor, constant = scaled.root, scaled.factor * by, scaled.constant * by
        else:
            sign = -1 if what == "-" else 1
            if a.factor and b.factor and a.root != b.root:
                return None
            root = a.root if a.factor else b.root
            factor, constant = a.factor + sign * b.factor, a.constant + sign * b.constant
        if abs(constant) >= _LARGEST or abs(factor) >= _LARGEST:
            return None
        if factor:
            return Form(root, factor, constant, bits, True) if bits >= 0 and (a.whole and b.whole) else None
        if bits < 0:
            bits = self.semantics.integers.get("", -1)
        fits = not bits or (bits > 0 and -(1 << bits - 1) <= constant < 1 << bits - 1)
        return Form(UNDEFINED, 0, constant, bits, True) if fits else None

    def _range_shown(self, root: Value) -> Range:
        return self._range(self.fn.content((root, _RANGE)))

    def _range(self, token: Value, depth: int = 0) -> Range:
        token = self.fn.resolve(token)
        if token in self._ranges:
            return self._ranges[token]
        sources = self.fn.sources(token) if depth < _DEPTH else None
        if not sources:
            return EVERYTHING
        parts = [self._range(operand, depth + 1) for _, operand in sources]
        return EVERYTHING if EVERYTHING in parts else join(parts)


def _is_plain(operand: Operand) -> bool:
    return isinstance(operand, Constant)


def _compared(one: Form, operator: str, other: Form) -> tuple[Form, str, int] | None:
    """A comparison as one of a form that has a root with a number."""
    if bool(one.factor) == bool(other.factor):
        return None
    return (one, operator, other.constant) if one.factor else (other, TURNED[operator], one.constant)


def solutions_of(form: Form, operator: str, number: int) -> Range:
    """The numbers that the root may be where the form compares so with a number. Of a root that is no integer, what
    lies between two integers stands for all numbers there."""
    if not form.whole:
        return _between(operator, number - form.constant)
    turned = TURNED[operator] if form.factor < 0 else operator
    quotient, rest = divmod(number - form.constant, form.factor)
    if rest and operator in ("==", "!="):
        found: Range = () if operator == "==" else EVERYTHING
    else:
        found = solutions(turned, quotient if not rest else quotient + 0.5, whole=True)
    if not form.bits or operator == "!=" or (form.factor, form.constant) == (1, 0):
        return found
    return join([found, _overflowing(form, operator, number)])


def _between(operator: str, number: int) -> Range:
    """The numbers, integers or not, that compare so with an integer."""
    if abs(number) >= _EXACT:
        return EVERYTHING
    below, above = (-math.inf, number - 0.5), (number + 0.5, math.inf)
    return {
        "==": point(number),
        "!=": (below, above),
        "<": (below,),
        "<=": ((-math.inf, number),),
        ">": (above,),
        ">=": ((number, math.inf),),
    }[operator]


def _overflowing(form: Form, operator: str, number: int) -> Range:
    """The numbers for which the form overflows, and may compare so."""
    least, most = -(1 << form.bits - 1), (1 << form.bits - 1) - 1
    factor, constant = form.factor, form.constant
    if operator == "==" and abs(factor) <= _MULTIPLES and abs(constant) <= most:
        exact = [divmod(number + ((turns << form.bits) - constant), factor) for turns in range(-_MULTIPLES, _MULTIPLES)]
        return join([point(root) for root, rest in exact if not rest and least <= root <= most])
    first, last = sorted(((least - constant) // factor, (most - constant) // factor))
    return tuple((low, high) for low, high in ((least, first + 1), (last, most)) if low <= high)


__all__ = ["COMPARISONS", "Form", "Numbers", "solutions_of"]
