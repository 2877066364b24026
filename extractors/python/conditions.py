"""Conditions: what a branch shows about the variables that it tests."""

from __future__ import annotations

import operator as op
from ast import literal_eval
from collections.abc import Callable
from functools import partial
from typing import Any

from tree_sitter import Node

from pliant.extractors.lowering import conditions
from pliant.extractors.lowering.base import Test, Tests
from pliant.extractors.lowering.correlation import correlate, unguarded
from pliant.extractors.lowering.literals import MOST_DIGITS
from pliant.extractors.lowering.source import elements, only, span, text
from pliant.extractors.python.class_tests import is_builtin_class, names_none, shown_by_type, type_of
from pliant.extractors.python.expressions import handles, is_negative, keys_of, literal_truth, parts
from pliant.extractors.python.helpers import call_came_back
from pliant.extractors.python.lowering import Lowering
from pliant.extractors.ssa import UNDEFINED, Block, Refinement, Value

_CONSTANTS = frozenset(
    ("string", "integer", "float", "true", "false", "concatenated_string", "list", "tuple", "dictionary")
)


def branch_on(lo: Lowering, node: Node, value: Value) -> tuple[Block, Block]:
    """Two blocks after the current one, where `value` is true and where it is false."""
    constant = literal_truth(node) if node.type != "none" else None
    tested = CONDITIONS.test(lo, node)

    def note(outcome: bool) -> None:
        if node.type in ("attribute", "call"):
            _test_by_helper(lo, node, value, outcome)
        if node.type == "call":
            call_came_back(lo, node, value, outcome)
        if node.type == "identifier":
            lo.note_truth(value, outcome)
        elif tested is not None and tested.what == "is None":
            lo.note_truth(tested.root, outcome != tested.positive)
        if tested is not None:
            correlate(lo, lo.fn.read(tested.key), partial(_may_be, lo, tested.what, outcome == tested.positive))

    if node.type in ("identifier", "attribute"):
        _doubt(lo, node, value)
    return conditions.branch_on(lo, lo.tests_of(node, value), constant, tested, note)


def _doubt(lo: Lowering, node: Node, value: Value) -> None:
    """Note that a condition asks whether `value` is None, where it was read from an attribute or a variable of the
    module. Of an attribute an assertion does not ask: it says."""
    owner = lo.scope.owner(text(node)) if node.type == "identifier" else None
    if owner is not None and owner.kind == "module" and "import" in owner.how.get(text(node), ()):
        lo.emit("variable_asked", lo.fn.fixed_value(lo.cell(text(node), owner)))
    if lo.asserting:
        return
    read = unguarded(lo, value)
    what = (lo.fn.names[read] or "").rsplit("|", 2)[-2:-1]
    if what and what[0].startswith(".") and not what[0].endswith(")"):
        lo.emit("doubts", lo.symbol, read)


def _may_be(lo: Lowering, what: str, outcome: bool, value: Value, block: Block) -> bool:
    """Whether the test `what` (of `_asked`) can have that outcome for a value."""
    if lo.is_literal_null(value):
        content: object = None
    elif value in lo.fn.constants:
        content = lo.fn.constants[value]
    else:
        return True
    operation, _, other = what.partition(" ")
    if operation == "true":
        return bool(content) == outcome
    if len(other) > MOST_DIGITS:
        return True
    try:
        compared = literal_eval(other)
        found = _COMPARE[operation](content, compared)
    except (KeyError, ValueError, SyntaxError, TypeError):
        return True
    return bool(found) == outcome


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "is": op.is_,
    "==": op.eq,
    "<": op.lt,
    "<=": op.le,
    ">": op.gt,
}


def _test_by_helper(lo: Lowering, node: Node, value: Value, outcome: bool) -> None:
    """`base.name` or `base.name(...)` was tested."""
    function = node.child_by_field_name("function") if node.type == "call" else node
    base = function.child_by_field_name("object") if function is not None and function.type == "attribute" else None
    if base is None:
        return
    lo.test_of(value, base, outcome)


_COMPARED = frozenset(("none", "true", "false", "integer", "float", "string"))
_OPPOSITES = {**conditions.OPPOSITES, "is not": "is", "not in": "in"}


def _asked(lo: Lowering, node: Node) -> Test | None:
    subject, what, positive = node, "true", True
    if node.type == "comparison_operator":
        operands = elements(node)
        operators = [text(child) for child in node.children_by_field_name("operators")]
        if len(operands) != 2 or not (operands[1].type in _COMPARED or is_negative(operands[1])):
            return None
        positive = operators[0] not in _OPPOSITES
        operator = _OPPOSITES.get(operators[0], operators[0])
        subject, what = operands[0], f"{operator} {text(operands[1])}"
    if subject.type != "identifier":
        return None
    for key in keys_of(lo, subject):
        value = lo.fn.read(key)
        if value:
            return Test(lo.fn.root(value), what, positive, key)
    return None


def _plain(lo: Lowering, node: Node) -> tuple[Block, Block]:
    suspects, lo.suspects = lo.suspects, None
    value = lo.expression(node)
    lo.suspects = suspects
    return branch_on(lo, node, value)


def _connected(node: Node) -> conditions.Sides | None:
    if node.type != "boolean_operator":
        return None
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return None
    return left, text(operator) == "and", right


def _equated(node: Node) -> conditions.Sides | None:
    if node.type != "comparison_operator":
        return None
    operators = [text(child) for child in node.children_by_field_name("operators")]
    sides = elements(node)
    if operators not in (["=="], ["is"], ["!="], ["is not"]) or len(sides) != 2:  # one of them does not parse
        return None
    return sides[0], operators[0] in ("==", "is"), sides[1]


CONDITIONS = conditions.Conditions(
    inside=lambda node: only(node) if node.type == "parenthesized_expression" else None,
    negated=lambda node: node.child_by_field_name("argument") if node.type == "not_operator" else None,
    connected=_connected,
    equated=_equated,
    tests=frozenset(("comparison_operator", "not_operator")),
    asked=_asked,
    plain=_plain,
)
branch = CONDITIONS.branch


def branch_if(lo: Lowering, node: Node) -> tuple[Block, Block]:
    """The same of an `if`: where None goes on from its test, later uses of it are suspicious."""
    outer, lo.suspects = lo.suspects, span(node)
    blocks = branch(lo, node)
    lo.suspects = outer
    return blocks


def branch_assertion(lo: Lowering, node: Node) -> tuple[Block, Block]:
    lo.asserting = True
    blocks = branch(lo, node)
    lo.asserting = False
    return blocks


# What a comparison asks its left operand for, and its right one if the left one does not know.
_ORDER = {"<": ("__lt__", "__gt__"), "<=": ("__le__", "__ge__"), ">": ("__gt__", "__lt__"), ">=": ("__ge__", "__le__")}


def _operand(
    lo: Lowering, node: Node, operator: str, side: Node, value: Value, other: tuple[Node, Value], method: str
) -> None:
    """`side`, lowered to `value`, is compared with `other`: for None that fails unless the class of `other` has a
    `method` that takes None, of which the rules know."""
    fn = lo.fn
    if other[0].type in _CONSTANTS or fn.names[fn.resolve(other[1])] == "":
        lo.dereference(value, operator, "operator", node, keys_of(lo, side))
        return
    site = lo.dereference(value, operator, "operator", node)
    if not site:
        return
    lo.emit("compares", site, other[1], method)
    for key in keys_of(lo, side):
        current = fn.resolve(fn.read(key))
        if current in (UNDEFINED, fn.unknown) or current in fn.nonnull or fn.root(current) != fn.root(value):
            continue
        after = fn.value(lo.writer.name(lo.qualname, f"{lo.plain(key)} compared"), root=fn.root(current))
        fn.define(after, "assign_object", after, current)
        fn.define(after, "passes_where", after, current, site)
        lo.guard_of[after] = current
        fn.write(key, after)


@handles("comparison_operator")
def compare(lo: Lowering, node: Node) -> Value:
    """A comparison, as a value that remembers what its outcome shows."""
    operands = elements(node)
    operators = [text(child) for child in node.children_by_field_name("operators")]
    values = [lo.expression(operand) for operand in operands]
    result = lo.fn.unnamed()
    yes: list[Refinement] = []
    no: list[Refinement] = []
    for index, operator in enumerate(operators[: len(values) - 1]):
        left, right = operands[index], operands[index + 1]
        a, b = values[index], values[index + 1]
        if operator in _ORDER:
            direct, reflected = _ORDER[operator]
            _operand(lo, node, operator, left, a, (right, b), reflected)
            _operand(lo, node, operator, right, b, (left, a), direct)
        elif operator in ("in", "not in"):
            lo.dereference(b, "in", "operator", node, keys_of(lo, right))
            if left.type in _FIXED:
                (yes if operator == "in" else no).extend(_member_of(lo, text(left), right))
            if operator == "in" and right.type in _CONSTANTS and not names_none(right):
                yes += lo.tested(type_of(left) or left, a, nonnull=True)
            if left.type == "none" and right.type in ("tuple", "list", "set"):
                for element in elements(right):
                    (no if operator == "in" else yes).extend(_shown(lo, element))
        elif operator in ("is", "==", "is not", "!=", "<>"):
            holds, fails = conditions.equality((left, a), (right, b), partial(_equal, lo), positive=operator in _EQUAL)
            yes += holds
            no += fails
    if len(operators) > 1:
        no = []
    lo.fn.tests[result] = (yes, no)
    return result


def _equal(lo: Lowering, subject: Node, value: Value, other: Node, other_value: Value) -> Tests | None:
    """What an operand is where it equals `other`, and where not."""
    if other.type == "none":
        _doubt(lo, subject, value)
        holds, fails = lo.tested(subject, value, nonnull=False), lo.tested(subject, value, nonnull=True)
        if subject.type == "call":  # getattr(x, name, None)
            fails = fails + lo.fn.tests.get(value, ([], []))[0]
        return holds, fails
    if (of := type_of(subject)) is not None:
        return shown_by_type(lo, of, value, other)
    if other.type in _CONSTANTS or is_builtin_class(other) or other_value in lo.fn.nonnull:
        return lo.tested(subject, value, nonnull=True), []
    return None


_EQUAL = frozenset(("is", "=="))
_FIXED = frozenset(("string", "integer", "identifier"))


def _member_of(lo: Lowering, key: str, container: Node) -> list[Refinement]:
    """That `container.get(key)` is not null where `key in container`."""
    found: list[Refinement] = []
    for variable in keys_of(lo, container):
        current = lo.fn.content(variable) if isinstance(variable, tuple) else lo.fn.read(variable)
        path = lo.fn.path(current, f".get({key})") if current else None
        if path is not None:
            found.append((path, lo.fn.root(lo.fn.read(path)), True))
    return found


def _shown(lo: Lowering, node: Node) -> list[Refinement]:
    """That the variable `node`, where it is one, is not null."""
    return [(key, lo.fn.root(lo.fn.read(key)), True) for key in keys_of(lo, node) if lo.fn.read(key)]


@handles("not_operator")
def not_(lo: Lowering, node: Node) -> Value:
    argument = node.child_by_field_name("argument")
    return conditions.negation(lo, argument, lo.expression(argument)) if argument is not None else lo.fn.unnamed()


@handles("boolean_operator")
def boolean(lo: Lowering, node: Node) -> Value:
    """`a and b`, `a or b` as values: a branch on each operand but the last chooses."""
    sides = _connected(node)
    if sides is None:
        return lo.opaque()
    conjunction = sides[1]

    def decided(value: Value) -> Value:
        if conjunction or value in lo.fn.nonnull:
            return value
        kept = lo.value("or left")
        lo.emit("assign_object", kept, value)
        lo.fn.nonnull.add(kept)
        return kept

    return conditions.connective(
        lo,
        lo.unique_key(node),
        CONDITIONS.operands(node),
        lambda operand, value: branch_on(lo, operand, value),
        decided,
        conjunction=conjunction,
    )


@handles("conditional_expression")
def conditional(lo: Lowering, node: Node) -> Value:
    children = elements(node)
    if len(children) != 3:
        return parts(lo, node)
    body, condition, alternative = children
    return conditions.conditional(
        lo,
        lo.unique_key(node),
        lambda: branch(lo, condition),
        lambda: lo.expression(body),
        lambda: lo.expression(alternative),
    )
