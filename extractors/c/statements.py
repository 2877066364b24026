"""Statements: each handler lowers its node into the current block."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tree_sitter import Node

from pliant.extractors.c import comparisons, forms, results, spreads
from pliant.extractors.c.comparisons import Compared
from pliant.extractors.c.conditions import CONDITIONS, branch, decide, is_identity
from pliant.extractors.c.entities import LARGEST, Choice, Form, Variable, Way
from pliant.extractors.c.expressions import converted
from pliant.extractors.c.lowering import Lowering, statement
from pliant.extractors.c.operands import is_struct, literal_number
from pliant.extractors.c.places import operator_of, place_of, stripped
from pliant.extractors.c.ways import ways
from pliant.extractors.lowering import control
from pliant.extractors.lowering.base import Jump
from pliant.extractors.lowering.ranges import EVERYTHING, Number, meet, point
from pliant.extractors.lowering.source import elements, text
from pliant.extractors.ssa import UNDEFINED, Block, Key, Value


@statement("translation_unit", "declaration_list")
def several(lo: Lowering, node: Node) -> None:
    lo.block(node)


@statement("compound_statement")
def compound(lo: Lowering, node: Node) -> None:
    lo.scopes.append({})
    lo.block(node)
    lo.scopes.pop()


@statement("expression_statement")
def expression_statement(lo: Lowering, node: Node) -> None:
    for child in elements(node):
        value = lo.expression(child)
        made = stripped(child).type in ("call_expression", "comma_expression") and value in lo.call_info
        if made and lo.fn.reachable():
            lo.behind(value)
            returned(lo, value)


def returned(lo: Lowering, call: Value) -> None:
    """`call` has come back: its arguments are what they are wherever it is left."""
    results.known(lo, call, results.EVERY, {})


@statement("attributed_statement")
def attributed(lo: Lowering, node: Node) -> None:
    for child in elements(node):
        if child.type != "attribute_declaration":
            lo.statement(child)


# Branches.


@statement("if_statement")
def if_(lo: Lowering, node: Node) -> None:
    arms: list[control.Arm] = []
    otherwise: Node | None = None
    current: Node | None = node
    while current is not None:
        condition, consequence = current.child_by_field_name("condition"), current.child_by_field_name("consequence")
        if condition is None:
            break
        arms.append(_arm(lo, condition, consequence))
        alternative = current.child_by_field_name("alternative")
        current = None
        if alternative is not None:
            inner = elements(alternative) if alternative.type == "else_clause" else [alternative]
            if inner and inner[0].type == "if_statement":
                current = inner[0]
            elif inner:
                otherwise = inner[0]
    if not lo.fn.reachable() and arms:  # labels inside are reached from elsewhere
        for part in (node.child_by_field_name("consequence"), node.child_by_field_name("alternative")):
            if part is not None:
                lo.statement(part)
        return
    last = otherwise
    control.if_(lo, arms, (lambda: scoped(lo, last)) if last is not None else None)


def _arm(lo: Lowering, condition: Node, consequence: Node | None) -> control.Arm:
    return control.Arm(
        lambda: decide(lo, condition), lambda: scoped(lo, consequence), lambda: CONDITIONS.test(lo, condition)
    )


def scoped(lo: Lowering, node: Node | None) -> None:
    if node is not None and node.type == "compound_statement":  # which has a scope of its own
        lo.statement(node)
    elif node is not None:
        lo.scopes.append({})
        lo.statement(node)
        lo.scopes.pop()


@statement("else_clause")
def else_clause(lo: Lowering, node: Node) -> None:
    for child in elements(node):
        lo.statement(child)


# Loops.


@statement("while_statement")
def while_(lo: Lowering, node: Node) -> None:
    condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
    if condition is None:
        return
    if node.start_byte in lo.loops:
        macro_loop(lo, condition, body)
        return
    runs = foreseen(lo, condition, node)
    if runs is not False:
        control.loop(
            lo, lambda: branch(lo, condition), lambda: scoped(lo, body), kept=lo.unwritten(node), body_first=bool(runs)
        )


def foreseen(lo: Lowering, condition: Node, loop: Node) -> bool | None:
    """Whether a loop runs at least once, or never, as far as that is known before it."""
    if not lo.fn.reachable():
        return None
    runs = comparisons.foreseen(lo, condition)
    return runs if runs or not lo.has_landmark(loop) else None


def macro_loop(lo: Lowering, head: Node, body: Node | None) -> None:
    """A loop that a macro makes: each of its arguments that is a variable may get a value for each round."""
    variables = [child for child in _leaves(head) if child.type == "identifier"]

    def bind() -> None:
        for child in variables:
            place = place_of(lo, child)
            if place.variable is not None and not place.variable.cell and not lo.in_memory_whole(place.variable):
                lo.write(place, lo.fn.unnamed(), child)

    lo.writer.unmodelled("loop made by a macro")
    control.each(lo, bind, lambda: scoped(lo, body))


def _leaves(node: Node) -> list[Node]:
    if node.type in ("parenthesized_expression", "comma_expression"):
        return [leaf for child in elements(node) for leaf in _leaves(child)]
    return [node]


@statement("do_statement")
def do(lo: Lowering, node: Node) -> None:
    condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
    if condition is None:
        return
    if literal_number(lo, condition) == 0 and lo.fn.reachable():  # `do { ... } while (0)`
        here, after = lo.fn.here(), lo.fn.new_block()
        lo.jumps.append(Jump(after, after))
        scoped(lo, body)
        lo.jumps.pop()
        lo.fn.jump(after)
        lo.fn.start(after)
        lo.fn.joins(after, here)
        return
    control.loop(lo, lambda: branch(lo, condition), lambda: scoped(lo, body), body_first=True, kept=lo.unwritten(node))


@statement("for_statement")
def for_(lo: Lowering, node: Node) -> None:
    first, condition = node.child_by_field_name("initializer"), node.child_by_field_name("condition")
    step, body = node.child_by_field_name("update"), node.child_by_field_name("body")
    lo.scopes.append({})
    if first is not None:
        if first.type == "declaration":
            lo.statement(first)
        else:
            lo.expression(first)
    runs = foreseen(lo, condition, node) if condition is not None else None
    if runs is not False:
        least = _least(lo, step, body) if step is not None and body is not None else {}

        def tested(condition: Node) -> tuple[Block, Block]:
            if not runs:
                _rise(lo, least)
            return branch(lo, condition)

        def run() -> None:
            if runs or condition is None:
                _rise(lo, least)
            scoped(lo, body)

        control.loop(
            lo,
            (lambda: tested(condition)) if condition is not None else None,
            run,
            step=(lambda: void(lo, step)) if step is not None else None,
            kept=lo.unwritten(node),
            body_first=bool(runs),
        )
    lo.scopes.pop()


def _least(lo: Lowering, step: Node, body: Node) -> dict[Key, Number]:
    """Variables that a loop only makes larger, and what they are at first at least."""
    written = lo.written_between(body.start_byte, body.end_byte) if lo.frame is None else None
    found: dict[Key, Number] = {}
    for child in _leaves(step):
        variable = _raised(lo, child)
        if variable is not None and written is not None and variable.name not in written:
            value = lo.fn.read(variable.key)
            found[variable.key] = spreads.of_term(lo, value, spreads.DEPTH)[0][0] if value != UNDEFINED else -math.inf
    return found


def _raised(lo: Lowering, node: Node) -> Variable | None:
    """The variable of `i++` or `i += 2`."""
    subject = node.child_by_field_name("argument") or node.child_by_field_name("left")
    if subject is None or subject.type != "identifier":
        return None
    if node.type == "assignment_expression":
        by = node.child_by_field_name("right")
        number = literal_number(lo, by) if by is not None and operator_of(node) == "+=" else None
        rises = number is not None and number > 0
    else:
        rises = node.type == "update_expression" and operator_of(node) == "++"
    variable = lo.variable(text(subject))
    if not rises or variable is None or variable.cell or variable.address is not None:
        return None
    return variable


def _rise(lo: Lowering, least: dict[Key, Number]) -> None:
    """At the head of a loop: variables that it only makes larger are not less than they were at first."""
    for key, number in least.items():
        value = lo.fn.read(key)
        if number > -math.inf and value not in (UNDEFINED, lo.fn.opaque):
            lo.ranges[value] = meet(lo.ranges.get(value, EVERYTHING), ((number, math.inf),)) or ((number, math.inf),)


def void(lo: Lowering, node: Node) -> None:
    lo.expression(node)


@statement("break_statement")
def break_(lo: Lowering, node: Node) -> None:
    control.jump(lo, again=False)
    lo.fn.stop()


@statement("continue_statement")
def continue_(lo: Lowering, node: Node) -> None:
    control.jump(lo, again=True)
    lo.fn.stop()


@statement("switch_statement")
def switch(lo: Lowering, node: Node) -> None:
    """Cases are labels: each is entered from the head, or from what is before it."""
    condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
    fn = lo.fn
    chosen = None
    if condition is not None and fn.reachable():
        lo.expression(condition)
        chosen = forms.form(lo, condition)
    if chosen is None or body is None:
        lo.chosen.append(None)
    else:
        labels = [forms.constant(lo, label) for label in _labels(body) if label is not None]
        lo.chosen.append(Choice(chosen, spreads.spread(lo, chosen), labels))
    after = fn.new_block()
    head = fn.here()
    lo.jumps.append(Jump(after))
    lo.switches.append(head)
    lo.defaults.append(False)
    fn.start(fn.new_block())  # nothing runs before the first case
    if body is not None:
        scoped(lo, body)
    lo.jumps.pop()
    lo.switches.pop()
    last = lo.chosen.pop()
    exhausted = lo.defaults.pop() or (last is not None and last.exhausted)
    if not exhausted and fn.reachable(head.block):
        fn.edge(head.block, after)
    fn.jump(after)
    fn.start(after)
    fn.joins(after, head)


@statement("case_statement")
def case(lo: Lowering, node: Node) -> None:
    fn = lo.fn
    value = node.child_by_field_name("value")
    if lo.switches:
        head = lo.switches[-1]
        if value is None:
            lo.defaults[-1] = True
        entered = [head.block] if _led(lo, value) else []
        sources = [block for block in (*entered, fn.block) if fn.reachable(block)]
        fn.enter(head)
        fn.start(fn.new_block(*dict.fromkeys(sources)))
        fn.joins(fn.block, head)
        chosen = lo.chosen[-1]
        number = forms.constant(lo, value) if chosen is not None and value is not None else None
        if chosen is not None and number is not None and sources == [head.block]:
            comparisons.show(lo, Compared(Form(chosen.form.terms, chosen.form.constant - number), "=="), True)
    for child in elements(node):
        if child != value:
            lo.statement(child)


def _labels(node: Node) -> Iterator[Node | None]:
    """What the cases of a switch are for; None for the default."""
    for child in node.named_children:
        if child.type == "case_statement":
            yield child.child_by_field_name("value")
        if child.type != "switch_statement":
            yield from _labels(child)


def _led(lo: Lowering, label: Node | None) -> bool:
    """Whether the innermost switch may lead to the case with that label; to its default, without one."""
    chosen = lo.chosen[-1]
    if chosen is None:
        return True
    if label is None:
        return not chosen.exhausted
    number = forms.constant(lo, label)
    return number is None or bool(meet(chosen.range, point(number)))


# Jumps.


@statement("labeled_statement")
def labeled(lo: Lowering, node: Node) -> None:
    label = node.child_by_field_name("label")
    if label is not None:
        fn, name = lo.fn, text(label)
        block = _label(lo, name)
        if not fn.sealed(block):  # of two labels of one name, gotos lead to the first
            if fn.reachable():
                fn.edge(fn.block, block)
            fn.enter()
            fn.block = block
            if lo.jumps_to.get(name, 0) <= 0:
                fn.seal(block)
    for child in elements(node):
        if child != label:
            lo.statement(child)


def _label(lo: Lowering, name: str) -> Block:
    block = lo.labels.get(name)
    if block is None:
        block = lo.labels[name] = lo.fn.new_block()
    return block


@statement("goto_statement")
def goto(lo: Lowering, node: Node) -> None:
    label = node.child_by_field_name("label")
    name = text(label) if label is not None else ""
    if name in lo.jumps_to and lo.frame is None and not lo.fn.sealed(_label(lo, name)):
        lo.jumps_to[name] -= 1
        lo.fn.jump(_label(lo, name))
    elif name:
        lo.writer.unmodelled("goto a label that is not in the function")
    lo.fn.stop()


@statement("return_statement")
def return_(lo: Lowering, node: Node) -> None:
    children = elements(node)
    if lo.in_macro_function:
        for child in children:
            lo.expression(child)
        lo.fn.stop()
        return
    if not children:
        lo.leave_with(None, node)
        return
    return_value(lo, children[0], node)


def return_value(lo: Lowering, child: Node, node: Node) -> None:
    """Leave with an expression; one that is true or false leaves in two ways."""
    fn = lo.fn
    inner = stripped(child)
    kind = lo.types.resolve(lo.returns)
    if not kind.pointer and is_test(lo, inner):
        yes, no = branch(lo, inner)
        for block, outcome in ((yes, 1), (no, 0)):
            fn.block = block
            if fn.reachable():
                lo.leave_with(fn.opaque, node, [Way(point(outcome))])
        return
    if inner.type == "conditional_expression" and not kind.pointer:
        condition = inner.child_by_field_name("condition")
        arms = inner.child_by_field_name("consequence"), inner.child_by_field_name("alternative")
        if condition is not None and arms[0] is not None and arms[1] is not None:
            for block, arm in zip(branch(lo, condition), arms, strict=True):
                fn.block = block
                if fn.reachable() and arm is not None:
                    return_value(lo, arm, node)
            return
    if lo.is_zero(inner) and not kind.arithmetic:
        lo.leave_with(lo.null("return", node, "literal"), node, [Way(point(0))])
        return
    value = converted(lo, lo.expression(child), kind, child)
    if lo.in_macro_function and value in lo.call_info:
        lo.behind(value)
    lo.leave_with(lo.fn.opaque if is_struct(lo, inner) else value, node, _ways(lo, value, inner))


def _ways(lo: Lowering, value: Value, node: Node) -> list[Way]:
    """The ways to a `return` of the expression `node`: a number, or a pointer, which is 0 or another."""
    if lo.types.resolve(lo.returns).pointer:
        if value in lo.known_null or lo.is_literal_null(value):
            return [Way(point(0))]
        return [Way(((1, math.inf),) if value != lo.fn.opaque and lo.is_nonnull(value) else None)]
    number = literal_number(lo, node)
    if number is not None and abs(number) <= LARGEST:
        return [Way(point(number))]
    known = forms.form(lo, node)
    if known is None:
        return [Way(None)]
    given = spreads.spread(lo, known)
    alone = known.terms[0][0] if len(known.terms) == 1 and known.terms[0][1] == 1 and not known.constant else None
    return ways(lo, alone, given) if alone is not None else [Way(given)]


def is_test(lo: Lowering, node: Node) -> bool:
    kind = node.type
    if kind == "binary_expression":
        return operator_of(node) in ("&&", "||", "==", "!=", "<", ">", "<=", ">=")
    if kind == "unary_expression":
        return operator_of(node) == "!"
    if kind == "call_expression":
        function = node.child_by_field_name("function")
        return function is not None and is_identity(lo, function)
    return False


@statement("seh_try_statement", "seh_leave_statement")
def seh(lo: Lowering, node: Node) -> None:
    lo.writer.unmodelled(node.type)
    for child in elements(node):
        lo.statement(child)
