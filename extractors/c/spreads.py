"""What a number can be where control is: what is known of its terms, and what branches have shown of them.

What a comparison shows of a sum is followed like a variable, as a path of one of its values, so that it holds where the
branch leads and no further.
"""

from __future__ import annotations

import math

from pliant.extractors.c.declarations import CType
from pliant.extractors.c.entities import Form
from pliant.extractors.c.lowering import Lowering
from pliant.extractors.lowering.ranges import EVERYTHING, NATURAL, Number, Range, add, join, meet, point, scale, within
from pliant.extractors.ssa import Block, Key, Value

RANGE = "$range"  # the field under which it is followed what branches have shown of a number
DEPTH = 3  # joins behind joins that are looked through
_OPERANDS = 8  # of a join
_SMALL: dict[str, tuple[int, int]] = {
    "bool": (0, 1), "_Bool": (0, 1), "char": (0, 127), "signed char": (-128, 127), "unsigned char": (0, 255),
    "int8_t": (-128, 127), "uint8_t": (0, 255), "short": (-32768, 32767), "unsigned short": (0, 65535),
    "int16_t": (-32768, 32767), "uint16_t": (0, 65535),
}  # fmt: skip


_INT = frozenset(("int", "signed", "signed int", "int32_t", "enum"))
_UNSIGNED = frozenset(("unsigned", "unsigned int", "uint32_t"))


def wrapped(number: Number, kind: CType) -> Number:
    """A constant as a value of that type, if it has 32 bits."""
    if not isinstance(number, int) or kind.levels or kind.base not in _INT | _UNSIGNED:
        return number
    number %= 2**32
    return number - 2**32 if kind.base in _INT and number >= 2**31 else number


def is_unsigned(kind: CType) -> bool:
    return not kind.levels and (kind.base.startswith(("unsigned", "uint", "size_t", "bool", "_Bool")))


def is_fraction(kind: CType) -> bool:
    return "float" in kind.base or "double" in kind.base


def is_narrow(kind: CType) -> bool:
    """Whether numbers of the type are so small that what is kept in one may be another number then."""
    return kind.base in _SMALL


def has_unsigned(lo: Lowering, known: Form) -> bool:
    return any(value in lo.unsigned for value, _ in known.terms)


def whole(lo: Lowering, known: Form) -> bool:
    return isinstance(known.constant, int) and not any(value in lo.fractions for value, _ in known.terms)


def fits(lo: Lowering, known: Form, kind: CType) -> bool:
    """Whether a number is what it was when it is kept in a variable of that type."""
    if is_narrow(kind):
        return within(spread(lo, known), (_SMALL[kind.base],))
    return not is_unsigned(kind) or spread(lo, known)[0][0] >= 0


def spread(lo: Lowering, known: Form, depth: int = DEPTH, block: Block | None = None) -> Range:
    """The numbers that a form can be at the end of `block` (here)."""
    found = point(known.constant)
    for value, factor in known.terms:
        found = add(scale(of_term(lo, value, depth, block), factor), found)
    if len(known.terms) > 1:
        (base, name), sign, factor, _ = path_of(lo, known)
        said = shown(lo, base, name, block)
        if said is not None:
            found = meet(found, add(scale(said, sign * factor), point(known.constant))) or found
    return found


def of_term(lo: Lowering, value: Value, depth: int, block: Block | None = None) -> Range:
    fn = lo.fn
    value = fn.root(value)
    known = lo.forms.get(value)
    if known is not None and depth:
        return spread(lo, known, depth - 1, block)
    found = lo.ranges.get(value, EVERYTHING)
    if value in lo.unsigned:
        found = meet(found, NATURAL) or found
    said = shown(lo, value, RANGE, block)
    if said is not None:
        found = meet(found, said) or found
    if found is EVERYTHING and depth:
        sources = fn.sources(value)
        # Of a label, not all ways may be known yet: there are no sources then.
        if sources and len(sources) <= _OPERANDS and all(operand != value for _, operand in sources):
            parts = [of_term(lo, operand, depth - 1, pred) for pred, operand in sources]
            found = EVERYTHING if EVERYTHING in parts else join(parts)
    return found


def shown(lo: Lowering, value: Value, name: str, block: Block | None = None) -> Range | None:
    """What branches have shown, at the end of `block` (here), of a sum that is followed as a path of `value`."""
    fn = lo.fn
    if name not in fn.fields_of.get(value, ()):
        return None
    todo, parts, seen = [token(lo, value, name, block)], list[Range](), set[Value]()
    while todo:
        current = fn.resolve(todo.pop())
        if current in lo.ranges:
            parts.append(lo.ranges[current])
        elif not (operands := fn.operands(current)):
            return None
        elif current not in seen:
            seen.add(current)
            todo.extend(operands)
        if len(seen) > _OPERANDS:
            return None
    return join(parts) if parts else None


def token(lo: Lowering, value: Value, name: str, block: Block | None = None) -> Value:
    """What stands for what branches have shown of a sum. In a loop that is not lowered to its end, what was known
    before it: the sum is of values, which do not change."""
    found = lo.fn.resolve(lo.fn.read((value, name), block))
    while len(before := lo.fn.so_far(found)) == 1:
        found = lo.fn.resolve(before[0])
    return found


def path_of(lo: Lowering, known: Form) -> tuple[tuple[Value, str], int, int, bool]:
    """The path under which it is followed what is shown of the terms of a form; the sign and the factor by which they
    are that; whether all are integers."""
    fn = lo.fn
    if len(known.terms) == 1 and abs(known.terms[0][1]) == 1:
        value, sign = known.terms[0]
        return (value, RANGE), sign, 1, value not in lo.fractions and isinstance(known.constant, int)
    factor = math.gcd(*(count for _, count in known.terms))
    base, count = max(known.terms, key=lambda term: (fn.homes[term[0]], term[0]))
    sign = 1 if count > 0 else -1
    rest = [(value, sign * each // factor) for value, each in known.terms if value != base]
    own = abs(count) // factor
    name = RANGE if not rest and own == 1 else f"{RANGE}{own}{rest}"
    return (base, name), sign, factor, whole(lo, known)


def show_range(lo: Lowering, known: Form, left: Range) -> None:
    """A form of one term lies in `left` here."""
    (value, factor), bound = known.terms[0], known.constant
    if abs(factor) == 1:
        inside = scale(add(left, point(-bound)), factor)
        before = of_term(lo, value, 0)
        limit(lo, (value, RANGE), meet(before, inside) or inside)


def limit(lo: Lowering, key: Key, left: Range) -> None:
    """What is followed under `key` lies in `left` here."""
    if left != EVERYTHING:
        token = lo.fn.unnamed()
        lo.ranges[token] = left
        lo.fn.write(key, token)
