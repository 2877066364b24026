"""Conditions: what a branch shows about the variables that it tests."""

from __future__ import annotations

from collections.abc import Mapping

from tree_sitter import Node

from pliant.extractors.c import comparisons, results
from pliant.extractors.c.expressions import arithmetic
from pliant.extractors.c.lowering import Lowering, expression
from pliant.extractors.c.operands import literal_number
from pliant.extractors.c.places import called_macro, keys_of, operator_of, quiet_value, stripped
from pliant.extractors.lowering import conditions
from pliant.extractors.lowering.base import Test, Tests
from pliant.extractors.lowering.ranges import RESULTS, TURNED, meet
from pliant.extractors.lowering.source import elements, only, text
from pliant.extractors.ssa import UNDEFINED, Block, Refinement, Value


def _plain(lo: Lowering, node: Node) -> tuple[Block, Block]:
    kind = node.type
    if kind == "comma_expression":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None:
            lo.expression(left)
            return branch(lo, right)
    if kind == "call_expression":
        arguments = node.child_by_field_name("arguments")
        function = node.child_by_field_name("function")
        given = elements(arguments)
        if function is not None and given and is_identity(lo, function):
            return branch(lo, given[0])
        macro = called_macro(lo, node)
        body = macro.read(lo.parser) if macro is not None else None
        if macro is not None and body is not None and macro.form == "expression":
            with lo.within(lo.open_frame(macro, given, node)):
                return branch(lo, body)
    if kind == "identifier":
        name = text(node)
        bound = lo.bound(name)
        if bound is not None:
            with lo.within(bound.frame):
                return branch(lo, bound.node)
        macro = lo.macros.get(name) if lo.variable(name) is None else None
        if macro is not None and macro.parameters is None and not macro.constant and not lo.expanding(macro):
            body = macro.read(lo.parser)
            if body is not None and macro.form == "expression":
                with lo.within(lo.open_frame(macro, [], node)):
                    return branch(lo, body)
    return branch_on(lo, node, lo.expression(node))


def decide(lo: Lowering, condition: Node) -> tuple[Block, Block]:
    """The condition of an `if`."""
    lo.deciding, outer = True, lo.deciding
    blocks = branch(lo, condition)
    lo.deciding = outer
    return blocks


def is_identity(lo: Lowering, function: Node) -> bool:
    if function.type != "identifier":
        return False
    return named_identity(lo, text(function))


def named_identity(lo: Lowering, name: str) -> bool:
    return name in lo.models.identity or name.lower().rstrip("_").endswith("likely")  # of a library's own


def branch_on(lo: Lowering, node: Node, value: Value) -> tuple[Block, Block]:
    """Two blocks after the current one, where `value` is true and where it is false."""
    tested = CONDITIONS.test(lo, node)
    shown = results.tested(lo, node, value)
    tests = lo.tests_of(node, value)
    plain = lo.frame is None
    if plain and lo.deciding:
        tested_late(lo, node, [*tests[0], *tests[1]])

    consulted = lo.consulted
    numbers = comparisons.compared(lo, node)

    def note(outcome: bool) -> None:
        if numbers is not None:
            one, came = comparisons.correlated(lo, numbers, outcome)
            comparisons.show(lo, numbers, outcome)
            if shown is None and one != UNDEFINED and (one := lo.fn.root(one)) in lo.call_info:
                left = meet(comparisons.solved(lo, numbers, outcome), (RESULTS,))
                results.known(lo, one, [(int(low), int(high)) for low, high in left], came)
        if shown is not None:
            call, yes, no = shown
            results.known(lo, call, yes if outcome else no, {})
        if node.type == "identifier":
            lo.note_truth(value, outcome)
        elif tested is not None and tested.what == "true":
            lo.note_truth(tested.root, outcome == tested.positive)
        if plain:
            lo.note_tested_null(node, tests[0 if outcome else 1])

    number = literal_number(lo, node)
    constant = None if number is None or node.type == "identifier" else bool(number)
    if constant is None:
        constant = comparisons.decided(lo, numbers, consulted) if numbers is not None else apart(lo, node)
    return conditions.branch_on(lo, tests, constant, tested, note)


def apart(lo: Lowering, node: Node) -> bool | None:
    """A comparison of the address of a variable with a parameter, which is none of this call's variables."""
    if node.type == "parenthesized_expression" and (inside := only(node)) is not None:
        return apart(lo, inside)
    if node.type != "binary_expression" or operator_of(node) not in ("==", "!="):
        return None
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return None
    a, b = _address(lo, stripped(left)), _address(lo, stripped(right))
    different = (a in lo.stack and b in lo.fn.formals) or (b in lo.stack and a in lo.fn.formals)
    return operator_of(node) == "!=" if different else None


def _address(lo: Lowering, node: Node) -> Value:
    """What an operand is: the address of a variable, or a pointer that was passed."""
    if node.type == "identifier":
        return lo.fn.root(quiet_value(lo, node))
    argument = node.child_by_field_name("argument") if node.type == "pointer_expression" else None
    if argument is None or argument.type != "identifier" or operator_of(node) != "&":
        return UNDEFINED
    variable = lo.variable(text(argument))
    return variable.address or UNDEFINED if variable is not None else UNDEFINED


def _with_number(lo: Lowering, node: Node) -> tuple[Node, str, int] | None:
    """A comparison with a constant, as if the constant stood on the right: subject, operator, constant."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = operator_of(node)
    if left is None or right is None or operator not in TURNED:
        return None
    if literal_number(lo, left) is not None:
        left, right, operator = right, left, TURNED[operator]
    number = literal_number(lo, right)
    return None if number is None else (left, operator, number)


def tested_late(lo: Lowering, node: Node, shown: list[Refinement]) -> None:
    """Note that a variable is compared with null that was used before."""
    for key in dict.fromkeys(key for key, _, nonnull in shown if not nonnull and isinstance(key, str)):
        site = lo.used.get(lo.fn.resolve(lo.fn.read(key)))
        if site is not None:
            test = lo.value("test for null", node)
            lo.emit("null", test, "tested")
            lo.emit("tested_late", site, test)


def _asked(lo: Lowering, node: Node) -> Test | None:
    subject, what, positive = node, "true", True
    if node.type == "binary_expression":
        if (compared := _with_number(lo, node)) is None:
            return None
        subject, operator, number = compared
        positive = operator not in conditions.OPPOSITES
        what = f"{conditions.OPPOSITES.get(operator, operator)} {number}"
        if what == "== 0":
            what, positive = "true", not positive
    if subject.type not in ("identifier", "field_expression"):
        return None
    for key in keys_of(lo, subject):
        value = lo.fn.read(key) if isinstance(key, str) else lo.fn.content(key)
        if value and value != lo.fn.opaque:
            return Test(lo.fn.root(value), what, positive, key)
    return None


def _inside(node: Node) -> Node | None:
    inner = only(node) if node.type == "parenthesized_expression" else None
    return inner if inner is not None and inner.type != "compound_statement" else None


def _negated(node: Node) -> Node | None:
    negation = node.type == "unary_expression" and operator_of(node) == "!"
    return node.child_by_field_name("argument") if negation else None


def _sides(node: Node, operators: Mapping[str, bool]) -> conditions.Sides | None:
    if node.type != "binary_expression" or (operator := operator_of(node)) not in operators:
        return None
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    return (left, operators[operator], right) if left is not None and right is not None else None


CONDITIONS = conditions.Conditions(
    inside=_inside,
    negated=_negated,
    connected=lambda node: _sides(node, conditions.CONNECTIVES),
    equated=lambda node: _sides(node, conditions.EQUALITIES),
    tests=frozenset(("binary_expression", "unary_expression")),
    asked=_asked,
    plain=_plain,
)
branch = CONDITIONS.branch


@expression("binary_expression")
def binary(lo: Lowering, node: Node) -> Value:
    operator = operator_of(node)
    if operator in TURNED:
        return compare(lo, node)
    return connective(lo, node) if operator in ("&&", "||") else arithmetic(lo, node)


def compare(lo: Lowering, node: Node) -> Value:
    """A comparison, as a value that remembers what its outcome shows."""
    operator = operator_of(node)
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return lo.opaque()
    a, b = lo.expression(left), lo.expression(right)
    lo.compared[node.id] = a if a in lo.call_info else b
    result = lo.fn.unnamed()

    def shown(subject: Node, value: Value, other: Node, other_value: Value) -> Tests | None:
        if lo.is_zero(other):
            if lo.is_zero(subject):
                return None
            inner = lo.fn.tests.get(lo.fn.root(value), ([], []))  # `(p != NULL) == 0`
            holds = lo.tested(subject, value, nonnull=False) + inner[1]
            return holds, lo.tested(subject, value, nonnull=True) + inner[0]
        if other_value in lo.fn.nonnull and literal_number(lo, other) is None and other_value != lo.fn.opaque:
            return lo.tested(subject, value, nonnull=True), []
        return None

    about_equality = operator in ("==", "!=")
    lo.fn.tests[result] = (  # of every comparison: `forms` tells truths by that
        conditions.equality((left, a), (right, b), shown, positive=operator == "==") if about_equality else ([], [])
    )
    return result


def connective(lo: Lowering, node: Node) -> Value:
    """`a && b` or `a || b` as a value, which is no pointer: what it shows is remembered."""
    fn = lo.fn
    conjunction = operator_of(node) == "&&"
    operands = CONDITIONS.operands(node)
    here, end = fn.here(), fn.new_block()
    shown: list[Refinement] = []
    for operand in operands[:-1]:
        yes, no = branch(lo, operand)
        shown += simple_tests(lo, operand)[0 if conjunction else 1]
        fn.block = no if conjunction else yes
        fn.jump(end)
        fn.block = yes if conjunction else no
        if not fn.reachable():
            break
    else:
        value = lo.expression(operands[-1])
        shown += lo.tests_of(operands[-1], value)[0 if conjunction else 1]
    fn.jump(end)
    fn.start(end)
    fn.joins(end, here)
    result = fn.unnamed()
    fn.tests[result] = (shown, []) if conjunction else ([], shown)
    return result


def simple_tests(lo: Lowering, node: Node) -> Tests:
    """What a condition that was lowered as a branch shows where its value is used later on."""
    if (inner := CONDITIONS.inside(node)) is not None:
        return simple_tests(lo, inner)
    if (inner := CONDITIONS.negated(node)) is not None:
        yes, no = simple_tests(lo, inner)
        return no, yes
    if node.type == "binary_expression" and operator_of(node) in ("==", "!="):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None and lo.is_zero(right):
            yes, no = _both(lo, left)
            return (no, yes) if operator_of(node) == "==" else (yes, no)
        return [], []
    return _both(lo, node)


def _both(lo: Lowering, node: Node) -> Tests:
    keys = [(key, lo.fn.root(lo.fn.read(key))) for key in keys_of(lo, node)]
    known = [(key, root) for key, root in keys if root != UNDEFINED]
    return [(key, root, True) for key, root in known], [(key, root, False) for key, root in known]


@expression("conditional_expression")
def conditional(lo: Lowering, node: Node) -> Value:
    condition = node.child_by_field_name("condition")
    consequence, alternative = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
    if condition is None or alternative is None:
        return lo.opaque()
    here, key = lo.fn.here(), lo.unique_key(node)
    if consequence is None:  # GNU: `a ?: b`
        value = lo.expression(condition)
        yes, no = branch_on(lo, condition, value)

        def kept() -> Value:
            if value in lo.fn.nonnull:
                return value
            result = lo.value("or left", condition)
            lo.fn.define(result, "assign_object", result, value)
            lo.fn.nonnull.add(result)
            return result

        return conditions.choose(lo, key, [(yes, kept), (no, lambda: lo.pointer(alternative))], here)
    numbers = literal_number(lo, consequence) is not None and literal_number(lo, alternative) is not None

    def arm(child: Node) -> Value:
        return lo.expression(child) if numbers else lo.pointer(child)

    return conditions.conditional(
        lo, key, lambda: branch(lo, condition), lambda: arm(consequence), lambda: arm(alternative)
    )
