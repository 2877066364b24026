"""Conditions: what a branch shows about the variables that it tests."""

from __future__ import annotations

from functools import partial

from tree_sitter import Node

from pliant.extractors.java import helpers, kept, kinds, numbers, rereads, scalars, state
from pliant.extractors.java.declarations import elements
from pliant.extractors.java.expressions import binary, constant, handles, parts, unary, unboxed
from pliant.extractors.java.lowering import EXPRESSIONS, Lowering
from pliant.extractors.java.paths import LITERALS, keys_of
from pliant.extractors.java.patterns import bind_pattern
from pliant.extractors.java.types import is_primitive
from pliant.extractors.lowering import control
from pliant.extractors.lowering.base import RESULT, ConditionKey
from pliant.extractors.lowering.correlation import correlate
from pliant.extractors.lowering.source import text
from pliant.extractors.ssa import Block, Refinement, Value

_EQUALITY = frozenset(("==", "!="))
# Comparisons: as which one, and whether it holds where that one does.
_COMPARED = {
    "==": ("==", True),
    "!=": ("==", False),
    "<": ("<", True),
    ">=": ("<", False),
    ">": (">", True),
    "<=": (">", False),
}
_COMPARED_WITH = LITERALS | {"null_literal"}


def _operation(node: Node) -> tuple[Node, str, Node] | None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if node.type != "binary_expression" or left is None or right is None or operator is None:
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
    tested = condition_key(lo, node)
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
        elif tested is not None and tested[0][1] == "== null":
            lo.note_truth(tested[0][0], outcome != tested[1], false="null")
        if tested is not None:
            (_, what), positive = tested
            correlate(lo, _tested_value(lo, node), partial(_may_be, lo, what, outcome == positive))
        kept.tested(lo, node, outcome)

    return control.branch_on(lo, tests, constant, tested, note)


def _decided(lo: Lowering, node: Node, value: Value) -> bool | None:
    """The outcome of a condition that can have one only."""
    instance = lo.instances.get(value)
    return instance.outcome if instance is not None else lo.decided.get(value, scalars.decided(node))


def _tested_value(lo: Lowering, node: Node) -> Value:
    """What the variable that a condition compares holds."""
    while True:
        operation, negated = _operation(node), _negated(node)
        if operation is not None:
            node = operation[0]
        elif negated is not None:
            node = negated
        elif node.type == "parenthesized_expression" and elements(node):
            node = elements(node)[0]
        else:
            break
    path = kept.path_of(lo, node)
    keys = [path] if path is not None else keys_of(lo, node)
    return lo.fn.read(keys[0]) if keys else lo.opaque()


def _may_be(lo: Lowering, what: str, outcome: bool, value: Value, block: Block) -> bool:
    """Whether the test `what` (of `condition_key`) can have that outcome for a value."""
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
    if isinstance(compared, str) and compared.lstrip("-").isdigit():
        compared = int(compared)
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


def condition_key(lo: Lowering, node: Node) -> tuple[ConditionKey, bool] | None:
    """What a condition tests, so that the same test is known when it comes again, and whether it is turned round."""
    if node.type == "parenthesized_expression" and len(elements(node)) == 1:
        return condition_key(lo, elements(node)[0])
    negated = _negated(node)
    if negated is not None:
        inner = condition_key(lo, negated)
        return (inner[0], not inner[1]) if inner is not None else None
    subject, what, positive = node, "true", True
    operation = _operation(node)
    if operation is not None:
        subject, operator, other = operation
        if operator not in _COMPARED or not (other.type in _COMPARED_WITH or constant(other) is not None):
            return None
        same, positive = _COMPARED[operator]
        what = f"{same} {text(other)}"
    path = kept.path_of(lo, subject)
    if path is not None:
        return (lo.fn.root(kept.state(lo, path)), what), positive
    if subject.type != "identifier":
        return None
    for key in keys_of(lo, subject):
        value = lo.fn.read(key) if isinstance(key, str) else lo.fn.content(key)
        if value and value != lo.fn.opaque:
            return (lo.fn.root(value), what), positive
    return None


def branch(lo: Lowering, node: Node) -> tuple[Block, Block]:
    """Lower a condition; returns the blocks where it holds and where it does not."""
    if node.type == "parenthesized_expression" and len(elements(node)) == 1:
        return branch(lo, elements(node)[0])
    negated = _negated(node)
    if negated is not None:
        yes, no = branch(lo, negated)
        return no, yes
    operation = _operation(node)
    if operation is not None and operation[1] in ("&&", "||"):
        left, operator, right = operation
        return control.short_circuit(
            lo, lambda: branch(lo, left), lambda: branch(lo, right), conjunction=operator == "&&"
        )
    if operation is not None and operation[1] in ("==", "!=", "^") and _tests(lo, operation[0], operation[2]):
        first, operator, second = operation
        return control.exclusive(lo, lambda: branch(lo, first), lambda: branch(lo, second), equal=operator == "==")
    value = lo.expression(node)
    if node.type in ("identifier", "method_invocation", "field_access"):
        unboxed(lo, node, value, "if")
    return branch_on(lo, node, value)


def _tests(lo: Lowering, *sides: Node) -> bool:
    """Whether both sides of a comparison are tests themselves, as in `(a == null) != (b == null)`."""
    for side in sides:
        while side.type == "parenthesized_expression" and len(elements(side)) == 1:
            side = elements(side)[0]
        if side.type not in ("binary_expression", "unary_expression") or condition_key(lo, side) is None:
            return False
    return True


@handles("binary_expression")
def operation(lo: Lowering, node: Node) -> Value:
    parsed = _operation(node)
    if parsed is None:
        return parts(lo, node)
    left, operator, right = parsed
    if operator in _EQUALITY:
        return _equality(lo, node, left, operator == "==", right)
    if operator in ("&&", "||"):
        conjunction = operator == "&&"
        return control.connective(
            lo,
            f"{RESULT}#{node.start_byte}-{node.end_byte}",
            control.chain(node, lambda each: _sides(each, operator)),
            lambda operand, value: _operand(lo, operand, value, operator),
            lambda value: value,
            conjunction=conjunction,
        )
    return binary(lo, node)


def _operand(lo: Lowering, node: Node, value: Value, operator: str) -> tuple[Block, Block]:
    if node.type in ("identifier", "method_invocation", "field_access"):
        unboxed(lo, node, value, operator)
    return branch_on(lo, node, value)


def _sides(node: Node, operator: str) -> tuple[Node, Node] | None:
    """The operands of an operation with that operator."""
    parsed = _operation(node)
    return (parsed[0], parsed[2]) if parsed is not None and parsed[1] == operator else None


def _equality(lo: Lowering, node: Node, left: Node, positive: bool, right: Node) -> Value:
    a, b = lo.expression(left), lo.expression(right)
    result = lo.fn.unnamed()
    yes: list[Refinement] = []
    no: list[Refinement] = []
    for subject, value, other, other_value in ((left, a, right, b), (right, b, left, a)):
        if other.type == "null_literal":
            if lo.fn.what(value) not in ("", "value") and value not in lo.fn.nonnull:
                lo.emit("doubts", lo.symbol, value)
                rereads.note_test(lo, node, subject)
            holds, fails = lo.tested(subject, value, nonnull=False), lo.tested(subject, value, nonnull=True)
        elif other_value in lo.fn.nonnull or _is_constant(other):
            if is_primitive(lo.static_type(other)):
                unboxed(lo, subject, value, "==" if positive else "!=")
            holds, fails = lo.tested(subject, value, nonnull=True), []
        else:
            continue
        yes += holds if positive else fails
        no += fails if positive else holds
    lo.fn.tests[result] = (yes, no)
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
    yes, no = lo.tests_of(negated, inner)
    unboxed(lo, negated, inner, "!")
    value = lo.fn.unnamed()
    lo.fn.tests[value] = (no, yes)
    return value


@handles("ternary_expression")
def ternary(lo: Lowering, node: Node) -> Value:
    condition = node.child_by_field_name("condition")
    consequence, alternative = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
    if condition is None or consequence is None or alternative is None:
        return parts(lo, node)
    here = lo.fn.here()
    yes, no = branch(lo, condition)
    return control.choose(
        lo,
        f"{RESULT}#{node.start_byte}-{node.end_byte}",
        [(yes, lambda: lo.expression(consequence)), (no, lambda: lo.expression(alternative))],
        here,
    )


__all__ = ["EXPRESSIONS", "bind_pattern", "branch", "branch_on", "condition_key"]
