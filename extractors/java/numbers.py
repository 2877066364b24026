"""What is known of numbers in local variables: constants, and what comparisons have shown of a parameter's value.

A number is a *form*: an SSA value times a factor, and a constant. What a comparison shows of a value is followed like
a path of it, so that it holds where the branch leads and no further; where ways have joined, it says which it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tree_sitter import Node

from pliant.extractors.java import kept
from pliant.extractors.java.types import is_boxed
from pliant.extractors.lowering.correlation import correlate
from pliant.extractors.lowering.literals import integer
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
from pliant.extractors.lowering.source import elements, text
from pliant.extractors.ssa import UNDEFINED, Key, Value

if TYPE_CHECKING:
    from pliant.extractors.java.lowering import Lowering

_RANGE = "$range"
_WHOLE = frozenset(("int", "long", "short", "byte", "char", "Integer", "Long", "Short"))
_COMPARISONS = frozenset(("==", "!=", "<", ">", "<=", ">="))
_READ = frozenset(("identifier", "field_access", "method_invocation"))
_LARGEST = 2**64  # larger numbers are not followed
_DEPTH = 3  # joins behind joins that are looked through


class Form(NamedTuple):
    """`factor` times the number that `root` is, and `constant`; without a root, the constant alone."""

    root: Value
    factor: int
    constant: int


class Compared(NamedTuple):
    """A form that is compared with 0."""

    form: Form
    operator: str


def form(lo: Lowering, node: Node) -> Form | None:
    """The number that an expression, which was lowered, is; None where nothing is known of it."""
    kind = node.type
    if kind == "decimal_integer_literal":
        known = integer(text(node).rstrip("lL").replace("_", ""))
        return _bounded(Form(UNDEFINED, 0, known)) if known is not None else None
    if kind == "parenthesized_expression" and len(elements(node)) == 1:
        return form(lo, elements(node)[0])
    if kind in ("true", "false"):
        return Form(UNDEFINED, 0, int(kind == "true"))
    if kind == "identifier" and (key := lo.local(text(node))) is not None:
        return _variable(lo, key)
    if kind in ("identifier", "field_access", "method_invocation"):
        return _state(lo, node)
    if kind == "unary_expression" and text(node)[:1] == "-":
        operand = node.child_by_field_name("operand")
        inner = form(lo, operand) if operand is not None else None
        return _sum(Form(UNDEFINED, 0, 0), inner, -1) if inner is not None else None
    if kind == "binary_expression":
        return _arithmetic(lo, node)
    return None


def _variable(lo: Lowering, key: Key) -> Form | None:
    value = lo.fn.resolve(lo.fn.read(key))
    if lo.types[key] in _WHOLE:
        return _of_value(lo, value)
    known = _of_value(lo, value) if lo.types[key] in ("boolean", "Boolean") else None
    return known if known is not None and (not known.factor or known.root in lo.state_values) else None


def _state(lo: Lowering, node: Node) -> Form | None:
    """What a field holds, or what a container says of itself."""
    path = kept.path_of(lo, node)
    if path is None:
        return None
    count = kept.counts(lo, node)
    return Form(UNDEFINED, 0, count) if count is not None else _of_value(lo, lo.fn.resolve(kept.state(lo, path)))


def _of_value(lo: Lowering, value: Value) -> Form | None:
    root = lo.fn.root(value)
    known = lo.boxed.get(root, lo.fn.constants.get(value))
    if isinstance(known, int):
        return Form(UNDEFINED, 0, int(known))
    return Form(root, 1, 0) if root not in (UNDEFINED, lo.fn.opaque, lo.fn.unknown) else None


def _arithmetic(lo: Lowering, node: Node) -> Form | None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    what = text(operator) if operator is not None else ""
    if left is None or right is None or what not in ("+", "-", "*"):
        return None
    a = form(lo, left)
    b = form(lo, right) if a is not None else None
    if a is None or b is None:
        return None
    if what != "*":
        return _sum(a, b, 1 if what == "+" else -1)
    if a.factor and b.factor:
        return None
    scaled, by = (a, b.constant) if a.factor else (b, a.constant)
    return _bounded(Form(scaled.root, scaled.factor * by, scaled.constant * by))


def _sum(a: Form, b: Form, sign: int) -> Form | None:
    if a.factor and b.factor and a.root != b.root:
        return None
    return _bounded(Form(a.root if a.factor else b.root, a.factor + sign * b.factor, a.constant + sign * b.constant))


def _bounded(known: Form) -> Form | None:
    return known if abs(known.constant) < _LARGEST and abs(known.factor) < _LARGEST else None


def compared(lo: Lowering, node: Node) -> Compared | None:
    """A condition as a comparison of a number with 0; a truth is 1 or 0."""
    if node.type in _READ:
        known = form(lo, node) if node.type != "identifier" or _is_truth(lo, node) else None
        return Compared(Form(known.root, known.factor, known.constant - 1), "==") if known is not None else None
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if node.type != "binary_expression" or left is None or right is None or operator is None:
        return None
    what = text(operator)
    if what not in _COMPARISONS or "null_literal" in (left.type, right.type):
        return None
    boxed = is_boxed(lo.static_type(left)) and is_boxed(lo.static_type(right))
    if boxed and not (_cached(lo, left) and _cached(lo, right)):
        return None  # objects are compared
    a = form(lo, left)
    b = form(lo, right) if a is not None else None
    known = _sum(a, b, -1) if a is not None and b is not None else None
    return Compared(known, what) if known is not None else None


def _is_truth(lo: Lowering, node: Node) -> bool:
    return lo.static_type(node) == "boolean"


def _cached(lo: Lowering, node: Node) -> bool:
    """Whether a variable holds a number that was boxed and of which there is one object."""
    key = lo.local(text(node)) if node.type == "identifier" else None
    number = lo.fn.constants.get(lo.fn.resolve(lo.fn.read(key))) if key is not None else None
    return isinstance(number, int) and -128 <= number <= 127


def equal(lo: Lowering, one: Node, other: Node) -> bool | None:
    """Whether two numbers are the same."""
    a, b = form(lo, one), form(lo, other)
    return a.constant == b.constant if a is not None and b is not None and not a.factor and not b.factor else None


def verdict(lo: Lowering, test: Compared) -> bool | None:
    """Whether a comparison holds wherever control comes from; None where that is not known."""
    known, operator = test
    if not known.factor:
        return holds(point(known.constant), operator)
    left = _solutions(known, operator)
    before = _shown(lo, known.root)
    return False if not meet(before, left) else True if within(before, left) else None


def show(lo: Lowering, test: Compared, outcome: bool) -> None:
    """A comparison has this outcome where control is."""
    known, operator = test
    if not known.factor:
        return
    left = _solutions(known, operator if outcome else NEGATED[operator])
    before = _shown(lo, known.root)
    correlate(lo, lo.fn.read((known.root, _RANGE)), lambda one, _: bool(meet(_range(lo, one), left)))
    token = lo.fn.unnamed()
    lo.ranges[token] = meet(before, left) or left
    lo.fn.write((known.root, _RANGE), token)


def _solutions(known: Form, operator: str) -> Range:
    """The numbers that the root may be where the form compares so with 0."""
    if known.factor < 0:
        operator = TURNED[operator]
    quotient, rest = divmod(-known.constant, known.factor)
    if rest and operator in ("==", "!="):
        return () if operator == "==" else EVERYTHING
    return solutions(operator, quotient if not rest else quotient + 0.5, whole=True)


def _shown(lo: Lowering, root: Value) -> Range:
    return _range(lo, lo.fn.content((root, _RANGE)))


def _range(lo: Lowering, token: Value, depth: int = 0) -> Range:
    token = lo.fn.resolve(token)
    if token in lo.ranges:
        return lo.ranges[token]
    sources = lo.fn.sources(token) if depth < _DEPTH else None
    if not sources:
        return EVERYTHING
    parts = [_range(lo, operand, depth + 1) for _, operand in sources]
    return EVERYTHING if any(part == EVERYTHING for part in parts) else join(parts)
