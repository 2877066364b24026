"""Conditions: what a branch shows about the variables that it tests, and about the calls whose results it tests."""

from __future__ import annotations

from collections.abc import Mapping

from tree_sitter import Node

from pliant.extractors.c import comparisons
from pliant.extractors.c.entities import LARGEST
from pliant.extractors.c.expressions import arithmetic
from pliant.extractors.c.lowering import Lowering, expression
from pliant.extractors.c.operands import literal_number
from pliant.extractors.c.places import called_macro, elements, keys_of, only, operator_of, quiet_value, stripped
from pliant.extractors.lowering import control
from pliant.extractors.lowering.base import ConditionKey
from pliant.extractors.lowering.ranges import RESULTS, TURNED, meet
from pliant.extractors.lowering.source import text
from pliant.extractors.ssa import UNDEFINED, Block, Refinement, Value

LOW, HIGH = RESULTS
Range = tuple[int, int]
EVERY: list[Range] = [(LOW, HIGH)]
_OPPOSITES = {"!=": "==", ">=": "<", "<=": ">"}


def branch(lo: Lowering, node: Node) -> tuple[Block, Block]:
    """Lower a condition; returns the blocks where it holds and where it does not."""
    kind = node.type
    if kind == "parenthesized_expression":
        inner = elements(node)
        if len(inner) == 1 and inner[0].type != "compound_statement":
            return branch(lo, inner[0])
    if kind == "unary_expression" and operator_of(node) == "!":
        argument = node.child_by_field_name("argument")
        if argument is not None:
            yes, no = branch(lo, argument)
            return no, yes
    if kind == "binary_expression" and operator_of(node) in ("&&", "||"):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None:
            first, second = left, right
            return control.short_circuit(
                lo, lambda: branch(lo, first), lambda: branch(lo, second), conjunction=operator_of(node) == "&&"
            )
    if kind == "binary_expression" and operator_of(node) in ("==", "!=", "^"):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None and _is_test(lo, left) and _is_test(lo, right):
            one, other = left, right
            return control.exclusive(
                lo, lambda: branch(lo, one), lambda: branch(lo, other), equal=operator_of(node) == "=="
            )
    if kind == "comma_expression":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None:
            lo.expression(left)
            return branch(lo, right)
    if kind == "call_expression":
        arguments = node.child_by_field_name("arguments")
        function = node.child_by_field_name("function")
        given = elements(arguments) if arguments is not None else []
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


def _is_test(lo: Lowering, node: Node) -> bool:
    """Whether an operand is a test of a variable itself, as those of `!a != !b` are."""
    while node.type == "parenthesized_expression" and (inside := only(node)) is not None:
        node = inside
    return node.type in ("binary_expression", "unary_expression") and condition_key(lo, node) is not None


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
    tested = condition_key(lo, node)
    shown = result_test(lo, node, value)
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
                result_known(lo, one, [(int(low), int(high)) for low, high in left], came)
        if shown is not None:
            call, yes, no = shown
            result_known(lo, call, yes if outcome else no, {})
        if node.type == "identifier":
            lo.note_truth(value, outcome)
        elif tested is not None and tested[0][1] == "true":
            lo.note_truth(tested[0][0], outcome == tested[1])
        if plain:
            lo.note_tested_null(node, tests[0 if outcome else 1])

    number = literal_number(lo, node)
    constant = None if number is None or node.type == "identifier" else bool(number)
    if constant is None:
        constant = comparisons.decided(lo, numbers, consulted) if numbers is not None else apart(lo, node)
    return control.branch_on(lo, tests, constant, tested, note)


def apart(lo: Lowering, node: Node) -> bool | None:
    """A comparison of the address of a variable with a parameter, which is none of this call's variables."""
    if node.type == "parenthesized_expression" and (inside := only(node)) is not None:
        return apart(lo, inside)
    if node.type != "binary_expression" or operator_of(node) not in ("==", "!="):
        return None
    sides = [_address(lo, stripped(side)) for side in elements(node)]
    for one, other in (sides, sides[::-1]):
        if one in lo.stack and other in lo.fn.formals:
            return operator_of(node) == "!="
    return None


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


def condition_key(lo: Lowering, node: Node) -> tuple[ConditionKey, bool] | None:
    """What a condition tests, so that the same test is known when it comes again, and whether it is turned round."""
    kind = node.type
    if kind == "parenthesized_expression" and (inside := only(node)) is not None:
        return condition_key(lo, inside)
    if kind == "unary_expression" and operator_of(node) == "!":
        argument = node.child_by_field_name("argument")
        inner = condition_key(lo, argument) if argument is not None else None
        return (inner[0], not inner[1]) if inner is not None else None
    subject, what, positive = node, "true", True
    if kind == "binary_expression":
        if (compared := _with_number(lo, node)) is None:
            return None
        subject, operator, number = compared
        positive = operator not in _OPPOSITES
        what = f"{_OPPOSITES.get(operator, operator)} {number}"
        if what == "== 0":
            what, positive = "true", not positive
    if subject.type not in ("identifier", "field_expression"):
        return None
    for key in keys_of(lo, subject):
        value = lo.fn.read(key) if isinstance(key, str) else lo.fn.content(key)
        if value and value != lo.fn.opaque:
            return (lo.fn.root(value), what), positive
    return None


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
    yes: list[Refinement] = []
    no: list[Refinement] = []
    if operator in ("==", "!="):
        for subject, value, other, other_value in ((left, a, right, b), (right, b, left, a)):
            if lo.is_zero(other):
                if lo.is_zero(subject):
                    continue
                inner = lo.fn.tests.get(lo.fn.root(value), ([], []))  # `(p != NULL) == 0`
                holds = lo.tested(subject, value, nonnull=False) + inner[1]
                fails = lo.tested(subject, value, nonnull=True) + inner[0]
            elif other_value in lo.fn.nonnull and literal_number(lo, other) is None and other_value != lo.fn.opaque:
                holds, fails = lo.tested(subject, value, nonnull=True), []
            else:
                continue
            yes += holds if operator == "==" else fails
            no += fails if operator == "==" else holds
    lo.fn.tests[result] = (yes, no)
    return result


def connective(lo: Lowering, node: Node) -> Value:
    """`a && b` or `a || b` as a value, which is no pointer: what it shows is remembered."""
    fn = lo.fn
    conjunction = operator_of(node) == "&&"
    operands = control.chain(node, lambda each: _sides(each, operator_of(node)))
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


def simple_tests(lo: Lowering, node: Node) -> tuple[list[Refinement], list[Refinement]]:
    """What a condition that was lowered as a branch shows where its value is used later on."""
    kind = node.type
    if kind == "parenthesized_expression" and (inside := only(node)) is not None:
        return simple_tests(lo, inside)
    if kind == "unary_expression" and operator_of(node) == "!":
        argument = node.child_by_field_name("argument")
        if argument is not None:
            yes, no = simple_tests(lo, argument)
            return no, yes
    if kind == "binary_expression" and operator_of(node) in ("==", "!="):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None and lo.is_zero(right):
            yes, no = _both(lo, left)
            return (no, yes) if operator_of(node) == "==" else (yes, no)
        return [], []
    return _both(lo, node)


def _both(lo: Lowering, node: Node) -> tuple[list[Refinement], list[Refinement]]:
    keys = [(key, lo.fn.root(lo.fn.read(key))) for key in keys_of(lo, node)]
    known = [(key, root) for key, root in keys if root != UNDEFINED]
    return [(key, root, True) for key, root in known], [(key, root, False) for key, root in known]


def _sides(node: Node, operator: str) -> tuple[Node, Node] | None:
    """The operands of an operation with that operator."""
    if node.type != "binary_expression" or operator_of(node) != operator:
        return None
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    return (left, right) if left is not None and right is not None else None


# Results of calls: `if (find(key, &value) != 0) return;` shows in which way `find` was left.


def result_test(lo: Lowering, node: Node, value: Value) -> tuple[Value, list[Range], list[Range]] | None:
    """The call whose result is tested, and the ranges of the result where the test holds and where it does not."""
    kind = node.type
    if kind == "parenthesized_expression" and (inside := only(node)) is not None:
        return result_test(lo, inside, value)
    fn = lo.fn
    call = fn.root(value)
    if call in lo.call_info:
        return call, [(LOW, -1), (1, HIGH)], [(0, 0)]
    if kind != "binary_expression":
        return None
    operator = operator_of(node)
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None or operator not in TURNED:
        return None
    number = literal_number(lo, right)
    if number is None:
        number = literal_number(lo, left)
        left, operator = right, TURNED[operator]
    if number is None or abs(number) > LARGEST:
        return None
    subjects = [fn.read(key) for key in keys_of(lo, left)] or [lo.compared.get(node.id, UNDEFINED)]
    for call in map(fn.root, subjects):
        if call in lo.call_info:
            below, above = [(LOW, number - 1)], [(number + 1, HIGH)]
            equal = [(number, number)]
            sides = {
                "==": (equal, below + above),
                "<": (below, equal + above),
                ">": (above, below + equal),
            }
            yes, no = sides[_OPPOSITES.get(operator, operator)]
            return (call, no, yes) if operator in _OPPOSITES else (call, yes, no)
    return None


def result_known(lo: Lowering, call: Value, ranges: list[Range], came: Mapping[Block, Block]) -> None:
    """The result of `call` lies in one of `ranges` here: its arguments, and what it wrote through them, are what they
    are when it ends so. came: of joins behind the call, from which of their predecessors control came."""
    fn = lo.fn
    info = lo.call_info[call]
    for argument, keys in zip(info.arguments, info.keys, strict=True):
        root = fn.root(argument)
        for key in keys:
            current = fn.read(key)
            if current in (UNDEFINED, fn.opaque, fn.unknown) or fn.root(current) != root or lo.is_nonnull(current):
                continue
            what = f"{fn.key_name(key)} after calls"
            shown = fn.value(lo.writer.name(lo.qualname, what), root=fn.root(current))
            lo.objects[shown] = current
            fn.define(shown, "assign_object", shown, current)
            fn.define(shown, "assign_null", shown, current)
            for low, high in ranges:
                fn.define(shown, "shown", shown, call, argument, low, high)
            fn.write(key, shown)
        if ranges == EVERY:
            continue
        fields = dict.fromkeys([*(["*"] if lo.is_address(argument) else []), *fn.fields_of.get(root, ())])
        for field in fields:
            if field.startswith("$"):
                continue
            left = fn.left_by(call, fn.by_way(fn.content((root, field)), came), root)
            if left is None:
                continue
            content, since = left
            after = fn.value(lo.writer.name(lo.qualname, f"{field} of {fn.what(root)} after calls"))
            fn.carried[after] = call
            before, calls = fn.carried_from[content]
            if before != fn.unknown and before not in fn.nonnull:
                fn.define(after, "carry", after, before, field)
                for crossed in calls:
                    fn.define(after, "carry_across", after, crossed)
            fn.carried_from[after] = before, calls
            for low, high in ranges:
                fn.define(after, "path_result_when", call, argument, field, after, low, high)
            fn.write((root, field), fn.across((root, field), after, since, fn.block) if since else after)


@expression("conditional_expression")
def conditional(lo: Lowering, node: Node) -> Value:
    condition = node.child_by_field_name("condition")
    consequence, alternative = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
    if condition is None or alternative is None:
        return lo.opaque()
    here, key = lo.fn.here(), lo.unique_key(node, "$result")
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

        return control.choose(lo, key, [(yes, kept), (no, lambda: lo.pointer(alternative))], here)
    yes, no = branch(lo, condition)
    numbers = literal_number(lo, consequence) is not None and literal_number(lo, alternative) is not None

    def arm(child: Node) -> Value:
        return lo.expression(child) if numbers else lo.pointer(child)

    arms = [(yes, lambda: arm(consequence)), (no, lambda: arm(alternative))]
    return control.choose(lo, key, arms, here)
