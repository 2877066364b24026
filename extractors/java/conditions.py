"""Conditions: what a branch shows about the variables that it tests."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from tree_sitter import Node

from pliant.extractors.java import helpers, kept, kinds, numbers, rereads, scalars, state
from pliant.extractors.java.expressions import constant, handles, parts
from pliant.extractors.java.lowering import Lowering
from pliant.extractors.java.operators import binary, unary, unboxed
from pliant.extractors.java.paths import LITERALS, keys_of
from pliant.extractors.java.types import is_primitive
from pliant.extractors.lowering import conditions
from pliant.extractors.lowering.base import Test, Tests
from pliant.extractors.lowering.correlation import correlate
from pliant.extractors.lowering.literals import integer
from pliant.extractors.lowering.ranges import TURNED
from pliant.extractors.lowering.source import only, text
from pliant.extractors.ssa import Block, Value

_EQUALITY = frozenset(("==", "!="))
_COMPARED_WITH = LITERALS | {"null_literal"}


def _operation(node: Node) -> tuple[Node, str, Node] | None:
    if node.type != "binary_expression":
        return None
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return None
    return left, text(operator), right


def _negated(node: Node) -> Node | None:
    """The operand of `!`."""
    if node.type != "unary_expression":
        return None
    operator, operand = node.child_by_field_name("operator"), node.child_by_field_name("operand")
    return operand if operator is not None and text(operator) == "!" else None


def branch_on(lo: Lowering, node: Node, value: Value) -> tuple[Block, Block]:
    """Two blocks after the current one, where `value` is true and where it is false."""
    compared = numbers.compared(lo, node)
    constant = _decided(lo, node, value) if compared is None else numbers.verdict(lo, compared)
    tested = CONDITIONS.test(lo, node)
    guard = scalars.guard(lo, scalars.tested(lo, node, value))
    tests = lo.tests_of(node, value)

    def note(outcome: bool) -> None:
        guard(outcome)
        lo.note_tested_null(node, tests[0 if outcome else 1])
        if compared is not None:
            numbers.show(lo, compared, outcome)
        if value in lo.instances:
            kinds.note(lo, lo.instances[value], outcome)
        called = lo.fn.resolve(value)
        if called in lo.calls_made:
            helpers.came_back(lo, called, outcome)
            lo.test(called, lo.calls_made[called][0], outcome)
        elif node.type in ("method_invocation", "field_access"):
            _test_by_helper(lo, node, value, outcome)
        state.note_bounds(lo, node, outcome)
        if node.type == "identifier":
            lo.note_truth(value, outcome)
        elif tested is not None and tested.what == "== null":
            lo.note_truth(tested.root, outcome != tested.positive, false="null")
        if tested is not None:
            correlate(lo, lo.fn.read(tested.key), partial(_may_be, lo, tested.what, outcome == tested.positive))
        kept.tested(lo, node, outcome)

    return conditions.branch_on(lo, tests, constant, tested, note)


def _decided(lo: Lowering, node: Node, value: Value) -> bool | None:
    """The outcome of a condition that can have one only."""
    instance = lo.instances.get(value)
    return instance.outcome if instance is not None else lo.decided.get(value, scalars.decided(node))


def _may_be(lo: Lowering, what: str, outcome: bool, value: Value, block: Block) -> bool:
    """Whether the test `what` (of `_asked`) can have that outcome for a value."""
    null = lo.is_literal_null(value)
    content = lo.fn.constants.get(value)
    if not null and content is None:
        return True
    operator, _, other = what.partition(" ")
    if operator == "true":
        return content == outcome if isinstance(content, bool) else True
    if other == "null":
        return null == outcome
    if null:
        return True
    compared = _CONSTANTS.get(other, other)
    if isinstance(compared, str) and (known := integer(compared.removeprefix("-"))) is not None:
        compared = -known if compared.startswith("-") else known
    if type(compared) is not type(content):
        return True
    if operator == "==":
        return (content == compared) == outcome
    if isinstance(content, int) and isinstance(compared, int):
        return (content < compared if operator == "<" else content > compared) == outcome
    return True


_CONSTANTS: dict[str, bool | int | str] = {"true": True, "false": False}


def _test_by_helper(lo: Lowering, node: Node, value: Value, outcome: bool) -> None:
    """`base.name()` was tested."""
    base = node.child_by_field_name("object")
    if base is None or base.type == "this":
        if lo.class_ is not None and not lo.static:
            lo.test(value, lo.this(), outcome)
        return
    lo.test_of(value, base, outcome)


def _asked(lo: Lowering, node: Node) -> Test | None:
    subject, what, positive = node, "true", True
    operation = _operation(node)
    if operation is not None:
        subject, operator, other = operation
        if operator not in TURNED or not (other.type in _COMPARED_WITH or constant(other) is not None):
            return None
        positive = operator not in conditions.OPPOSITES
        what = f"{conditions.OPPOSITES.get(operator, operator)} {text(other)}"
    path = kept.path_of(lo, subject)
    if path is not None:
        return Test(lo.fn.root(kept.state(lo, path)), what, positive, path)
    if subject.type != "identifier":
        return None
    for key in keys_of(lo, subject):
        value = lo.fn.read(key) if isinstance(key, str) else lo.fn.content(key)
        if value and value != lo.fn.opaque:
            return Test(lo.fn.root(value), what, positive, key)
    return None


def _plain(lo: Lowering, node: Node) -> tuple[Block, Block]:
    value = lo.expression(node)
    if node.type in ("identifier", "method_invocation", "field_access"):
        unboxed(lo, node, value, "if")
    return branch_on(lo, node, value)


def _sides(node: Node, operators: Mapping[str, bool]) -> conditions.Sides | None:
    parsed = _operation(node)
    return (parsed[0], operators[parsed[1]], parsed[2]) if parsed is not None and parsed[1] in operators else None


CONDITIONS = conditions.Conditions(
    inside=lambda node: only(node) if node.type == "parenthesized_expression" else None,
    negated=_negated,
    connected=lambda node: _sides(node, conditions.CONNECTIVES),
    equated=lambda node: _sides(node, conditions.EQUALITIES),
    tests=frozenset(("binary_expression", "unary_expression")),
    asked=_asked,
    plain=_plain,
)
branch = CONDITIONS.branch


@handles("binary_expression")
def operation(lo: Lowering, node: Node) -> Value:
    parsed = _operation(node)
    if parsed is None:
        return parts(lo, node)
    left, operator, right = parsed
    if operator in _EQUALITY:
        return _equality(lo, node, left, operator == "==", right)
    if operator in ("&&", "||"):
        return conditions.connective(
            lo,
            lo.unique_key(node),
            CONDITIONS.operands(node),
            lambda operand, value: _operand(lo, operand, value, operator),
            lambda value: value,
            conjunction=operator == "&&",
        )
    return binary(lo, node)


def _operand(lo: Lowering, node: Node, value: Value, operator: str) -> tuple[Block, Block]:
    if node.type in ("identifier", "method_invocation", "field_access"):
        unboxed(lo, node, value, operator)
    return branch_on(lo, node, value)


def _equality(lo: Lowering, node: Node, left: Node, positive: bool, right: Node) -> Value:
    a, b = lo.expression(left), lo.expression(right)
    result = lo.fn.unnamed()

    def shown(subject: Node, value: Value, other: Node, other_value: Value) -> Tests | None:
        if other.type == "null_literal":
            if lo.fn.what(value) not in ("", "value") and value not in lo.fn.nonnull:
                lo.emit("doubts", lo.symbol, value)
                rereads.note_test(lo, node, subject)
            return lo.tested(subject, value, nonnull=False), lo.tested(subject, value, nonnull=True)
        if other_value not in lo.fn.nonnull and not _is_constant(other):
            return None
        if is_primitive(lo.static_type(other)):
            unboxed(lo, subject, value, "==" if positive else "!=")
        return lo.tested(subject, value, nonnull=True), []

    lo.fn.tests[result] = conditions.equality((left, a), (right, b), shown, positive=positive)
    if "null_literal" not in (left.type, right.type):
        state.asked(lo, a, b)
    if "null_literal" in (left.type, right.type) and "this" in (left.type, right.type):
        lo.decided[result] = not positive
    for subject, value, other in ((left, a, right), (right, b, left)):
        than = scalars.number(other)
        if than is not None:
            lo.compared[result] = (subject, value, than, positive)
    return result


def _is_constant(node: Node) -> bool:
    """A constant of an enum or class, by its name."""
    name = node.child_by_field_name("field") if node.type == "field_access" else node
    return name is not None and name.type == "identifier" and text(name).isupper() and len(text(name)) > 1


@handles("unary_expression")
def negation(lo: Lowering, node: Node) -> Value:
    negated = _negated(node)
    if negated is None:
        return unary(lo, node)
    inner = lo.expression(negated)
    value = conditions.negation(lo, negated, inner)
    unboxed(lo, negated, inner, "!")
    return value


@handles("ternary_expression")
def ternary(lo: Lowering, node: Node) -> Value:
    condition = node.child_by_field_name("condition")
    consequence, alternative = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
    if condition is None or consequence is None or alternative is None:
        return parts(lo, node)
    return conditions.conditional(
        lo,
        lo.unique_key(node),
        lambda: branch(lo, condition),
        lambda: lo.expression(consequence),
        lambda: lo.expression(alternative),
    )
