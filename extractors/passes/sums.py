"""Sums of numbers: of languages that compute with plain integers, what a number is, and what comparisons show of sums.

A number is a *sum* of SSA values times integers, and a constant. What a comparison shows of a sum is followed like a
variable, as a path of one of its values, so that it holds where the branch leads and no further.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from pliant.extractors.budget import NODE_STEPS
from pliant.extractors.ir.operands import Constant, Operand, Type
from pliant.extractors.ir.unit import Instruction
from pliant.extractors.lowering.correlation import correlate, unguarded
from pliant.extractors.lowering.ranges import (
    EVERYTHING,
    NATURAL,
    NEGATED,
    TURNED,
    Number,
    Range,
    add,
    holds,
    join,
    meet,
    point,
    scale,
    single,
    solutions,
    within,
)
from pliant.extractors.passes.numbers import Numbers
from pliant.extractors.ssa import UNDEFINED, Block, Key, Path, Value

RANGE = "$range"  # the field under which it is followed what branches have shown of a number
_DEPTH = 3  # joins behind joins that are looked through
_OPERANDS = 8  # of a join
_TERMS = 4  # of a sum
_LARGEST = 2**64  # beyond it a number is not followed: sums and products must not grow without end
Came = dict[Block, Block]

_COMPARISON_STEPS = 3 * NODE_STEPS  # of a comparison of numbers whose outcome is known


class Sum(NamedTuple):
    """The sum of `terms`, values and how often each counts, and a constant. asked: whether a variable was asked for it:
    what constants of the source come to says how the program is built."""

    terms: tuple[tuple[Value, int], ...]
    constant: Number
    asked: bool


class Sums(Numbers):
    """sums: of values that are computed, what they are. ranges: the numbers that a value can be, or a token, which
    stands for what a comparison has shown."""

    def prepare(self) -> None:
        super().prepare()
        self.sums: dict[Value, Sum] = {}
        self.ranges: dict[Value, Range] = {}
        self._unsigned: set[Value] = set()
        self._fractions: set[Value] = set()
        self._parts: dict[tuple[str, int, Sum], Value] = {}  # rests of divisions

    # What a number is.

    def sum_of(self, operand: Operand) -> Sum | None:
        """The number that an operand is; None where nothing is known of it."""
        if isinstance(operand, Constant):
            return _of_constant(operand)
        op, operands = self.instructions[operand].op, self.instructions[operand].operands
        if op == "const":
            known = _of_constant(operands[0])
            return known._replace(asked=True) if known is not None else None
        if op == "get":
            number = self.survey.numbers.get(operands[0].partition("#")[0])
            if number is not None and self._is_of_module(operand):
                return Sum((), number, asked=True)
        if op == "element" and self.survey.tables:
            known_element = self._of_table(*operands)
            if known_element is not None:
                return Sum((), known_element, asked=True)
        if not self.is_steady(operand):
            return None
        value = unguarded(self.guards, self.value(operand))
        kind = self.type_of(operand)
        return self._of_value(value, kind) if kind.kind not in ("pointer", "array", "function", "class") else None

    def _of_table(self, base: Operand, key: Operand) -> int | None:
        """The element that a constant index names in an array that is never changed."""
        if (
            isinstance(base, Constant)
            or self.op(base) != "get"
            or not isinstance(key, Constant)
            or not isinstance(key.content, int)
        ):
            return None
        name = self.instructions[base].operands[0].partition("#")[0]
        listed = self.survey.tables.get(name, ()) if self._is_of_module(base) else ()
        content = listed[key.content] if 0 <= key.content < len(listed) else None
        return content if type(content) is int else None

    def _is_of_module(self, operand: Value) -> bool:
        return self.function.variables[self.instructions[operand].operands[0]].home == "module"

    def result_of(self, operand: Operand) -> Sum | None:
        """The number that an operand is, told to callers; one of another file stands for its name."""
        named = self.named_number(operand)
        return Sum((), named, asked=True) if named is not None else self.sum_of(operand)

    def named_number(self, operand: Operand) -> int | None:
        """The number that stands for a constant of another file."""
        if isinstance(operand, Constant) or self.op(operand) != "get" or self.semantics.constant is None:
            return None
        variable = self.function.variables[self.instructions[operand].operands[0]]
        return self.semantics.constant(variable.name) if variable.home == "import" else None

    def is_steady(self, operand: Value) -> bool:
        """Whether nothing else can have written what an operand is read from."""
        return self.is_own(operand)

    def _of_value(self, value: Value, kind: Type) -> Sum | None:
        fn = self.fn
        value = fn.resolve(value)
        if value in (UNDEFINED, fn.opaque, fn.unknown):
            return None
        known = self.sums.get(value)
        if known is not None:
            return self._settled(known)
        content = fn.constants.get(value)
        if isinstance(content, int):
            return Sum((), int(content), asked=True)
        root = fn.root(value)
        if kind.name in self.semantics.fractions:
            self._fractions.add(root)
        elif self.semantics.limits.get(kind.name, EVERYTHING) != EVERYTHING:
            self._unsigned.add(root)
        if fn.operands(value) is not None and (number := single(self.of_term(root, _DEPTH))) is not None:
            return Sum((), number, asked=True)
        return Sum(((root, 1),), 0, asked=True)

    def _settled(self, known: Sum) -> Sum:
        """A sum whose terms may have become other values since."""
        result = Sum((), known.constant, known.asked)
        for value, factor in known.terms:
            term = self.fn.resolve(value)
            inner = self.sums.get(term) if term != value else None
            more = added(result, inner if inner is not None else Sum(((term, 1),), 0, asked=True), factor)
            if more is None:
                return known
            result = more
        return result

    def compute(self, made: Instruction, value: Value) -> None:
        """Note what `value`, which an instruction computes, is."""
        operator, operands = made.operands
        self.fn.spend(1)
        found = self._sum_by(operator.removesuffix("="), [self.sum_of(each) for each in operands])
        if found is not None:
            self.sums[value] = found

    def _sum_by(self, operator: str, sums: list[Sum | None]) -> Sum | None:
        if not sums:  # of what nothing is known, at least a byte
            value = self.fn.unnamed()
            self.ranges[value] = ((1, math.inf),)
            return Sum(((value, 1),), 0, asked=True)
        if len(sums) == 1:
            return self._signed(operator, sums[0])
        if len(sums) != 2:
            return None
        a, b = sums
        if operator in ("%", "&") and b is not None and not b.terms:
            return self._part(operator, a, b.constant)
        if a is None or b is None:
            return None
        if operator == "+":
            return added(a, b, 1)
        if operator == "-":
            return None if self._has_unsigned(a) or self._has_unsigned(b) else added(a, b, -1)
        if operator == "*":
            for one, other in ((a, b), (b, a)):
                if not one.terms and isinstance(one.constant, int):
                    return added(Sum((), 0, one.asked), other, one.constant)
        if a.terms or b.terms:
            return None
        result = _calculated(operator, a.constant, b.constant)
        return Sum((), result, a.asked or b.asked) if result is not None else None

    def _signed(self, operator: str, known: Sum | None) -> Sum | None:
        if known is None or operator == "+":
            return known
        if operator == "-":
            return None if self._has_unsigned(known) else added(Sum((), 0, asked=False), known, -1)
        if operator == "~" and not known.terms and isinstance(known.constant, int):
            return known._replace(constant=~known.constant)
        return None

    def _part(self, operator: str, a: Sum | None, by: Number) -> Sum | None:
        """`a % by` or `a & by`: a number of its own, in known bounds."""
        if not isinstance(by, int) or by <= 0:
            return None
        if a is not None and not a.terms:
            result = _calculated(operator, a.constant, by)
            return a._replace(constant=result) if result is not None else None
        value = self._parts.get((operator, by, a), UNDEFINED) if a is not None else UNDEFINED
        if value == UNDEFINED:
            value = self.fn.unnamed()
            if a is not None:
                self._parts[operator, by, a] = value
                self.fn.homes[value] = max(self.fn.homes[term] for term, _ in a.terms)
        natural = a is not None and self.spread(a)[0][0] >= 0
        self.ranges[value] = ((0, by),) if operator == "&" else ((0 if natural else 1 - by, by - 1),)
        return Sum(((value, 1),), 0, asked=True)

    def converted(self, operand: Operand, kind: Type, value: Value) -> None:
        """Note what a number is as one of another type, if it is the same."""
        known = self.sum_of(operand)
        if known is None:
            return
        if kind.name not in self.semantics.fractions and not self._is_whole(known):
            if known.terms or not math.isfinite(known.constant):
                return
            known = known._replace(constant=int(known.constant))
        if self.fits(known, kind):
            self.sums[value] = known

    def fits(self, known: Sum, kind: Type) -> bool:
        """Whether a number is what it was when it is kept in a variable of a type."""
        limits = self.semantics.limits.get(kind.name)
        return limits is None or within(self.spread(known), limits)

    def risen(self, name: str, before: Block) -> None:
        """A loop begins here that only makes a variable larger. before: the block that leads to it."""
        value, first = self.fn.read(name), self.fn.read(name, before)
        if UNDEFINED in (value, first) or value == first:
            return
        least = self.of_term(first, _DEPTH)[0][0]
        if least > -math.inf:
            self.ranges[value] = ((least, math.inf),)

    def _has_unsigned(self, known: Sum) -> bool:
        return any(value in self._unsigned for value, _ in known.terms)

    def _is_whole(self, known: Sum) -> bool:
        return isinstance(known.constant, int) and not any(value in self._fractions for value, _ in known.terms)

    # What a number can be.

    def spread(self, known: Sum, depth: int = _DEPTH, block: Block | None = None) -> Range:
        """The numbers that a sum can be at the end of `block` (here)."""
        found = point(known.constant)
        for value, factor in known.terms:
            found = add(scale(self.of_term(value, depth, block), factor), found)
        if len(known.terms) > 1:
            (base, name), sign, factor, _ = self._followed_as(known)
            said = self.said_of(base, name, block)
            if said is not None:
                found = meet(found, add(scale(said, sign * factor), point(known.constant))) or found
        return found

    def of_term(self, value: Value, depth: int, block: Block | None = None) -> Range:
        fn = self.fn
        value = fn.root(value)
        known = self.sums.get(value)
        if known is not None and depth:
            return self.spread(known, depth - 1, block)
        content = fn.constants.get(value)
        if isinstance(content, int):
            return point(int(content))
        found = self.ranges.get(value, EVERYTHING)
        if value in self._unsigned:
            found = meet(found, NATURAL) or found
        said = self.said_of(value, RANGE, block)
        if said is not None:
            found = meet(found, said) or found
        if found is EVERYTHING and depth:
            sources = fn.sources(value)
            if sources and len(sources) <= _OPERANDS and all(operand != value for _, operand in sources):
                parts = [self.of_term(operand, depth - 1, pred) for pred, operand in sources]
                found = EVERYTHING if EVERYTHING in parts else join(parts)
        return found

    def said_of(self, value: Value, name: str, block: Block | None = None) -> Range | None:
        """The range of the sum `name` of `value` at the end of `block` (by default here), as branches have shown it."""
        fn = self.fn
        if name not in fn.fields_of.get(value, ()):
            return None
        todo, parts, seen = [self._token(value, name, block)], list[Range](), set[Value]()
        while todo:
            current = fn.resolve(todo.pop())
            if current in self.ranges:
                parts.append(self.ranges[current])
            elif not (operands := fn.operands(current)):
                return None
            elif current not in seen:
                seen.add(current)
                todo.extend(operands)
            if len(seen) > _OPERANDS:
                return None
        return join(parts) if parts else None

    def _token(self, value: Value, name: str, block: Block | None = None) -> Value:
        """What stands for what branches have shown of a sum. In a loop whose end has not been taken, what was known
        before it: the sum is of values, which do not change."""
        found = self.fn.resolve(self.fn.read((value, name), block))
        while len(before := self.fn.so_far(found)) == 1:
            found = self.fn.resolve(before[0])
        return found

    def _followed_as(self, known: Sum) -> tuple[Path, int, int, bool]:
        """The path under which it is followed what is shown of the terms of a sum; the sign and the factor by which
        they are that; whether all are integers."""
        fn = self.fn
        if len(known.terms) == 1 and abs(known.terms[0][1]) == 1:
            value, sign = known.terms[0]
            return (value, RANGE), sign, 1, value not in self._fractions and isinstance(known.constant, int)
        factor = math.gcd(*(count for _, count in known.terms))
        base, count = max(known.terms, key=lambda term: (fn.homes[term[0]], term[0]))
        sign = 1 if count > 0 else -1
        rest = [(value, sign * each // factor) for value, each in known.terms if value != base]
        own = abs(count) // factor
        name = RANGE if not rest and own == 1 else f"{RANGE}{own}{rest}"
        return (base, name), sign, factor, self._is_whole(known)

    # Comparisons.

    def difference(self, left: Operand, right: Operand) -> Sum | None:
        """What is compared with 0 where two operands are compared."""
        a = self.sum_of(left)
        b = self.sum_of(right) if a is not None else None
        if a is None or b is None:
            return None
        for one, other in ((a, b), (b, a)):  # what is compared with an unsigned number is made one
            if self._has_unsigned(one) and other.constant < 0:
                return None
        return added(a, b, -1)

    def compared_numbers(self, operator: str, left: Operand, right: Operand) -> bool | None:
        if not self.semantics.sums:
            return super().compared_numbers(operator, left, right)
        known = self.difference(left, right)
        if known is None or not known.asked:
            return None
        if known.terms and operator == "==" and self._is_whole(known):
            factor = math.gcd(*(count for _, count in known.terms))
            if known.constant % factor:
                return False
        return holds(self.spread(known), operator)

    def show_number(self, operator: str, left: Operand, right: Operand, *, outcome: bool) -> None:
        if not self.semantics.sums:
            super().show_number(operator, left, right, outcome=outcome)
            return
        known = self.difference(left, right)
        if known is None:
            self._show_named(operator, left, right, outcome)
        if known is None or not known.terms:
            return
        self.fn.spend(_COMPARISON_STEPS)
        one, came = self._correlated(known, operator, outcome)
        self._show(known, operator, outcome)
        if one != UNDEFINED:
            low_high = self.solved(known, operator, outcome)
            self.result_lies_in(self.fn.root(one), low_high, came)

    def _show_named(self, operator: str, left: Operand, right: Operand, outcome: bool) -> None:
        """A number that may be the result of a call is compared with a constant of another file."""
        for one, other, turned in ((left, right, operator), (right, left, TURNED[operator])):
            named = self.named_number(other)
            if named is not None and isinstance(one, int):
                range_ = solutions(turned if outcome else NEGATED[turned], named, whole=True)
                self.result_lies_in(self.fn.root(self.value(one)), range_, {})

    def result_lies_in(self, value: Value, range_: Range, came: Came) -> None:
        """A value that may be the result of a call lies in a range here. came: of joins, from where control came."""

    def _correlated(self, known: Sum, operator: str, outcome: bool) -> tuple[Value, Came]:
        """Variables that were joined with a number, or with what was known of it, become what they can be where the
        comparison has this outcome. Returns what the number itself is then, and from where control came to joins."""
        fn = self.fn
        one, came = UNDEFINED, Came()
        for value, factor in known.terms:
            others = Sum(tuple(term for term in known.terms if term[0] != value), known.constant, asked=True)
            rest = self.spread(others)

            def may_be(found: Range, factor: int = factor, rest: Range = rest) -> bool:
                return holds(add(scale(found, factor), rest), operator) in (None, outcome)

            if rest == EVERYTHING:
                continue
            if RANGE in fn.fields_of.get(value, ()):
                token = self._token(value, RANGE)
                correlate(self.guards, token, lambda one, _: may_be(self.ranges.get(one, EVERYTHING)))
            came = correlate(self.guards, value, lambda one, pred: may_be(self.of_term(one, 1, pred)))
            one = fn.by_way(unguarded(self.guards, value), came)
        return (one, came) if len(known.terms) == 1 else (UNDEFINED, {})

    def _show(self, known: Sum, operator: str, outcome: bool) -> None:
        """A comparison of a sum with 0 has this outcome where control is."""
        (base, name), _, factor, _ = self._followed_as(known)
        if operator == "==" and known.constant % factor:
            return
        left = self.solved(known, operator, outcome)
        before = self.said_of(base, name)
        if len(known.terms) == 1 and name == RANGE:
            before = meet(before, self.ranges.get(base, EVERYTHING)) if before is not None else self.ranges.get(base)
            if base in self._unsigned:
                left = meet(left, NATURAL) or left
        self._limit((base, name), meet(before, left) or left if before is not None else left)

    def solved(self, known: Sum, operator: str, outcome: bool) -> Range:
        """The numbers that what is compared, as it is followed, can be where the comparison has this outcome."""
        _, sign, factor, whole = self._followed_as(known)
        if not outcome:
            operator = NEGATED[operator]
        if sign < 0:
            operator = TURNED[operator]
        bound = -known.constant / (sign * factor)
        return solutions(operator, int(bound) if bound == int(bound) else bound, whole=whole)

    def show_range(self, known: Sum, left: Range) -> None:
        """A sum of one term lies in `left` here."""
        (value, factor), bound = known.terms[0], known.constant
        if abs(factor) == 1:
            inside = scale(add(left, point(-bound)), factor)
            self._limit((value, RANGE), meet(self.of_term(value, 0), inside) or inside)

    def _limit(self, key: Key, left: Range) -> None:
        """What is followed under `key` lies in `left` here."""
        if left != EVERYTHING:
            token = self.fn.unnamed()
            self.ranges[token] = left
            self.fn.write(key, token)


def _of_constant(operand: Constant) -> Sum | None:
    content = operand.content
    if operand.kind in ("integer", "boolean") and isinstance(content, int):
        return _bounded(Sum((), int(content), asked=False))
    if operand.kind == "float" and isinstance(content, str):
        try:
            return _bounded(Sum((), float(content.rstrip("fFlL")), asked=False))
        except ValueError:
            return None
    return None


def _bounded(known: Sum) -> Sum | None:
    """The sum, if all its numbers are finite and none is larger than any that a program has."""
    if not abs(known.constant) <= _LARGEST or any(abs(factor) > _LARGEST for _, factor in known.terms):
        return None
    return known


def added(a: Sum, b: Sum, factor: int) -> Sum | None:
    """`a` and `factor` times `b`; None where it has too many terms or too large numbers."""
    counts = dict(a.terms)
    for value, count in b.terms:
        counts[value] = counts.get(value, 0) + factor * count
    terms = tuple(sorted((value, count) for value, count in counts.items() if count))
    if len(terms) > _TERMS:
        return None
    return _bounded(Sum(terms, a.constant + factor * b.constant, a.asked or b.asked))


def _calculated(operator: str, a: Number, b: Number) -> Number | None:
    if operator == "/" and b:
        if isinstance(a, int) and isinstance(b, int):
            return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return a / b
    if not isinstance(a, int) or not isinstance(b, int):
        return None
    if operator == "%" and b:
        return int(math.fmod(a, b)) if abs(a) < 2**52 else None
    if operator in ("<<", ">>"):
        return (a << b if operator == "<<" else a >> b) if 0 <= b < 63 else None
    if operator in ("&", "|", "^"):
        return {"&": a & b, "|": a | b, "^": a ^ b}[operator]
    return None
