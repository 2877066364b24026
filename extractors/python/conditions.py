"""Conditions: what a branch shows about the variables that it tests."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.python.expressions import handles, keys_of, literal_truth, parts, tested
from pliant.extractors.python.lowering import ConditionKey, Lowering
from pliant.extractors.python.scopes import elements, text
from pliant.extractors.ssa import UNDEFINED, Block, Refinement, Value

RESULT = "$result"  # prefix of the keys of values that branches choose between
Tests = tuple[list[Refinement], list[Refinement]]  # if true, if false
_CONSTANTS = frozenset(
    ("string", "integer", "float", "true", "false", "concatenated_string", "list", "tuple", "dictionary")
)


def tests_of(lo: Lowering, node: Node, value: Value) -> Tests:
    """What the truth of an expression, already lowered to `value`, shows."""
    yes, no = lo.fn.tests.get(lo.fn.root(value), lo.fn.tests.get(lo.fn.resolve(value), ([], [])))
    return yes + tested(lo, node, value, nonnull=True), list(no)


def branch_on(lo: Lowering, node: Node, value: Value) -> tuple[Block, Block]:
    """Two blocks after the current one, where `value` is true and where it is false."""
    fn = lo.fn
    yes_tests, no_tests = tests_of(lo, node, value)
    here = [fn.block] if fn.reachable() else []
    constant = literal_truth(node) if node.type != "none" else None
    tested = condition_key(lo, node)
    blocks = []
    for outcome, tests, taken in ((True, yes_tests, constant is not False), (False, no_tests, constant is not True)):
        block = fn.new_block(*(here if taken else []))
        fn.start(block)
        lo.refine(tests)
        if node.type in ("attribute", "call") and taken:
            _test_by_helper(lo, node, value, outcome)
        if node.type == "identifier" and taken:
            lo.note_truth(value, outcome)
        elif tested is not None and tested[0][1] == "is None" and taken:
            lo.note_truth(tested[0][0], outcome != tested[1])
        _recall(lo, tested, outcome)
        blocks.append(block)
    return blocks[0], blocks[1]


def _test_by_helper(lo: Lowering, node: Node, value: Value, outcome: bool) -> None:
    """`base.name` or `base.name(...)` was tested."""
    function = node.child_by_field_name("function") if node.type == "call" else node
    base = function.child_by_field_name("object") if function is not None and function.type == "attribute" else None
    if base is None:
        return
    for key in keys_of(lo, base):
        current = lo.fn.content(key) if isinstance(key, tuple) else lo.fn.read(key)
        if current:
            lo.test(value, current, outcome)
            return


_COMPARED = frozenset(("none", "true", "false", "integer", "float", "string"))
_OPPOSITES = {"is not": "is", "!=": "==", "not in": "in", ">=": "<", "<=": ">"}


def condition_key(lo: Lowering, node: Node) -> tuple[ConditionKey, bool] | None:
    """What a condition tests, so that the same test is known when it comes again, and whether it is turned round."""
    kind = node.type
    if kind == "parenthesized_expression" and len(elements(node)) == 1:
        return condition_key(lo, elements(node)[0])
    if kind == "not_operator":
        argument = node.child_by_field_name("argument")
        inner = condition_key(lo, argument) if argument is not None else None
        return (inner[0], not inner[1]) if inner is not None else None
    subject, what = node, "true"
    positive = True
    if kind == "comparison_operator":
        operands = elements(node)
        operators = [text(child) for child in node.children_by_field_name("operators")]
        if len(operands) != 2 or operands[1].type not in _COMPARED:
            return None
        positive = operators[0] not in _OPPOSITES
        operator = _OPPOSITES.get(operators[0], operators[0])
        subject, what = operands[0], f"{operator} {text(operands[1])}"
    if subject.type != "identifier":
        return None
    for key in keys_of(lo, subject):
        value = lo.fn.read(key)
        if value:
            return (lo.fn.root(value), what), positive
    return None


def _recall(lo: Lowering, tested: tuple[ConditionKey, bool] | None, outcome: bool) -> None:
    """Where an earlier `if` made the same test, variables hold what they got on that side of it."""
    fn = lo.fn
    joined = lo.joins.get(tested[0]) if tested is not None else None
    if tested is None or joined is None or joined.function is not fn:
        return
    taken = joined.yes if outcome == tested[1] else joined.no
    for key in joined.keys:
        current = fn.resolve(fn.read(key))
        operand = fn.operand(current, taken) if fn.homes[current] == joined.block else 0
        if operand:
            fn.write(key, operand)


def branch(lo: Lowering, node: Node) -> tuple[Block, Block]:
    """Lower a condition; returns the blocks where it holds and where it does not."""
    fn = lo.fn
    kind = node.type
    if kind == "parenthesized_expression":
        inner = elements(node)
        if len(inner) == 1:
            return branch(lo, inner[0])
    if kind == "not_operator":
        argument = node.child_by_field_name("argument")
        if argument is not None:
            yes, no = branch(lo, argument)
            return no, yes
    if kind == "boolean_operator":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if left is not None and right is not None and operator is not None:
            yes, no = branch(lo, left)
            conjunction = text(operator) == "and"
            fn.block = yes if conjunction else no
            second_yes, second_no = branch(lo, right)
            joined = [no, second_no] if conjunction else [yes, second_yes]
            merged = fn.new_block(*(block for block in joined if fn.reachable(block)))
            fn.seal(merged)
            return (second_yes, merged) if conjunction else (merged, second_no)
    return branch_on(lo, node, lo.expression(node))


_ORDER = frozenset(("<", "<=", ">", ">="))


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
            lo.dereference(a, operator, "operator", node, keys_of(lo, left))
            lo.dereference(b, operator, "operator", node, keys_of(lo, right))
        elif operator in ("in", "not in"):
            lo.dereference(b, "in", "operator", node, keys_of(lo, right))
            if operator == "in" and right.type in _CONSTANTS and "None" not in text(right):
                yes += tested(lo, left, a, nonnull=True)
            if left.type == "none" and right.type in ("tuple", "list", "set"):
                for element in elements(right):
                    (no if operator == "in" else yes).extend(_shown(lo, element))
        elif operator in ("is", "==", "is not", "!=", "<>"):
            positive = operator in ("is", "==")
            for subject, value, other, other_value in ((left, a, right, b), (right, b, left, a)):
                if other.type == "none":
                    holds, fails = tested(lo, subject, value, nonnull=False), tested(lo, subject, value, nonnull=True)
                    if subject.type == "call":  # getattr(x, name, None)
                        fails = fails + lo.fn.tests.get(value, ([], []))[0]
                elif other.type in _CONSTANTS or _is_type_test(other) or other_value in lo.fn.nonnull:
                    holds, fails = tested(lo, _subject(subject), value, nonnull=True), []
                else:
                    continue
                yes += holds if positive else fails
                no += fails if positive else holds
    if len(operators) > 1:
        no = []
    lo.fn.tests[result] = (yes, no)
    return result


def _shown(lo: Lowering, node: Node) -> list[Refinement]:
    """That the variable `node`, where it is one, is not null."""
    return [(key, lo.fn.root(lo.fn.read(key)), True) for key in keys_of(lo, node) if lo.fn.read(key)]


def _is_type_test(node: Node) -> bool:
    return node.type == "identifier" and text(node) in (
        "str",
        "int",
        "float",
        "list",
        "dict",
        "tuple",
        "set",
        "bytes",
        "bool",
    )


def _subject(node: Node) -> Node:
    """The x of `type(x)`."""
    if node.type == "call":
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is not None and text(function) == "type" and arguments is not None and arguments.named_children:
            return arguments.named_children[0]
    return node


@handles("not_operator")
def not_(lo: Lowering, node: Node) -> Value:
    argument = node.child_by_field_name("argument")
    value = lo.fn.unnamed()
    if argument is not None:
        inner = lo.expression(argument)
        yes, no = tests_of(lo, argument, inner)
        lo.fn.tests[value] = (no, yes)
    return value


@handles("boolean_operator")
def boolean(lo: Lowering, node: Node) -> Value:
    """`a and b`, `a or b` as values: a branch on each operand but the last chooses."""
    left_node, right_node = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left_node is None or right_node is None or operator is None:
        return lo.opaque()
    conjunction = text(operator) == "and"
    fn = lo.fn
    end = fn.new_block()
    key = f"{RESULT}#{node.start_byte}-{node.end_byte}"
    shown: list[Refinement] = []  # by the whole, if it is true (and) or false (or)
    operands = _chain(node, text(operator))
    for operand in operands[:-1]:
        value = lo.expression(operand)
        shown += tests_of(lo, operand, value)[0 if conjunction else 1]
        yes, no = branch_on(lo, operand, value)
        # The side that this operand decides.
        fn.block = no if conjunction else yes
        kept = value
        if not conjunction and value not in fn.nonnull:
            kept = lo.value("or left")
            lo.emit("assign_object", kept, value)
            fn.nonnull.add(kept)
        fn.write(key, kept)
        fn.jump(end)
        fn.block = yes if conjunction else no
    last = lo.expression(operands[-1])
    shown += tests_of(lo, operands[-1], last)[0 if conjunction else 1]
    fn.write(key, last)
    fn.jump(end)
    fn.start(end)
    value = fn.read(key)
    if value == UNDEFINED:
        return lo.opaque()
    if value != fn.opaque:
        fn.tests[value] = (shown, []) if conjunction else ([], shown)
    return value


def _chain(node: Node, operator: str) -> list[Node]:
    """The operands of `a and b and c`, which is parsed as `(a and b) and c`."""
    operands: list[Node] = []
    while node.type == "boolean_operator":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        own = node.child_by_field_name("operator")
        if left is None or right is None or own is None or text(own) != operator:
            break
        operands.append(right)
        node = left
    operands.append(node)
    return operands[::-1]


@handles("conditional_expression")
def conditional(lo: Lowering, node: Node) -> Value:
    children = elements(node)
    if len(children) != 3:
        return parts(lo, node)
    body, condition, alternative = children
    yes, no = branch(lo, condition)
    end = lo.fn.new_block()
    key = f"{RESULT}#{node.start_byte}-{node.end_byte}"
    for block, child in ((yes, body), (no, alternative)):
        lo.fn.block = block
        if lo.fn.reachable():
            value = lo.expression(child)
            lo.fn.write(key, value)
        lo.fn.jump(end)
    lo.fn.start(end)
    value = lo.fn.read(key)
    return value if value != UNDEFINED else lo.opaque()
