"""What a number in a program is: a *form*, a sum of SSA values times integers and a constant."""

from __future__ import annotations

import math
from collections.abc import Callable

from tree_sitter import Node

from pliant.extractors.c.declarations import CType, described
from pliant.extractors.c.entities import Form, Variable
from pliant.extractors.c.integers import integer
from pliant.extractors.c.lowering import Lowering
from pliant.extractors.c.operands import literal_number, type_of
from pliant.extractors.c.places import called_macro, keys_of, operator_of
from pliant.extractors.c.spreads import (
    DEPTH,
    fits,
    has_unsigned,
    is_fraction,
    is_narrow,
    is_unsigned,
    of_term,
    spread,
    whole,
    wrapped,
)
from pliant.extractors.lowering.handlers import registrar
from pliant.extractors.lowering.ranges import Number, single
from pliant.extractors.lowering.source import elements, only, text
from pliant.extractors.ssa import UNDEFINED, Value

_TERMS = 4  # of a sum
_LARGEST = 2**64  # beyond it a number is not followed: sums and products must not grow without end
_NAMED = 1_000_000  # from here on, a number may stand for a constant of another file
_ESCAPES = {"\\0": 0, "\\n": 10, "\\t": 9, "\\r": 13, "\\\\": 92, "\\'": 39, '\\"': 34}
_Handler = Callable[[Lowering, Node], Form | None]
_FORMS: dict[str, _Handler] = {}


form_of = registrar(_FORMS)  # of what tells the form of nodes, which were lowered or change nothing


def is_number(kind: str) -> bool:
    """Whether a node of that type may be a number."""
    return kind in _FORMS and kind != "null"


def form(lo: Lowering, node: Node) -> Form | None:
    """The number that an expression, which was lowered or changes nothing, is; None where nothing is known of it."""
    handler = _FORMS.get(node.type)
    if handler is None:
        return None
    lo.fn.spend(1)
    return _bounded(handler(lo, node))


def _bounded(known: Form | None) -> Form | None:
    """The form, if all its numbers are finite and none is larger than any that a program has."""
    if known is None or not abs(known.constant) <= _LARGEST or any(abs(factor) > _LARGEST for _, factor in known.terms):
        return None
    return known


def constant(lo: Lowering, node: Node) -> int | None:
    """The integer that an expression of constants is."""
    known = form(lo, node)
    return known.constant if known is not None and not known.terms and isinstance(known.constant, int) else None


@form_of("number_literal")
def _number(lo: Lowering, node: Node) -> Form | None:
    source = text(node)
    known: Number | None = integer(source)
    if known is None:
        try:
            known = float(source.rstrip("fFlL"))
        except ValueError:
            return None
    return Form((), known)


@form_of("char_literal")
def _character(lo: Lowering, node: Node) -> Form | None:
    inner = text(node)[1:-1]
    code = ord(inner) if len(inner) == 1 else _ESCAPES.get(inner)
    return Form((), code) if code is not None else None


@form_of("true", "false", "null")
def _word(lo: Lowering, node: Node) -> Form | None:
    return Form((), int(node.type == "true"))


@form_of("parenthesized_expression")
def _inside(lo: Lowering, node: Node) -> Form | None:
    inner = only(node)
    return form(lo, inner) if inner is not None else None


@form_of("identifier")
def _identifier(lo: Lowering, node: Node) -> Form | None:
    name = text(node)
    bound = lo.bound(name)
    if bound is not None:
        with lo.within(bound.frame):
            return form(lo, bound.node)
    variable = lo.variable(name)
    if variable is not None:
        return _variable(lo, variable)
    if name in lo.enumerators:
        known = lo.enumerators[name]
        return Form((), known) if known is not None and (abs(known) < _NAMED or name in lo.exact) else None
    macro = lo.macros.get(name)
    if macro is None and name in lo.models.constants:
        return Form((), lo.models.constants[name])
    if macro is None or macro.parameters is not None or lo.expanding(macro) or name in lo.varied:
        return None
    body = macro.read(lo.parser)
    if body is None or macro.form != "expression":
        return None
    with lo.within(lo.open_frame(macro, [], node)):
        return form(lo, body)


def _variable(lo: Lowering, variable: Variable) -> Form | None:
    if variable.function or not variable.type.arithmetic:
        return None
    if variable.cell:
        known = lo.constants.get(variable.cell)
        lo.consulted += known is not None
        return Form((), known) if known is not None else None
    fn = lo.fn
    if variable.address is None:
        value = fn.resolve(fn.read(variable.key))
    else:
        value = fn.content((fn.root(variable.address), "*"))
        return _of_value(lo, value, variable.type) if value not in fn.carried else None
    return _of_value(lo, value, variable.type, fn.root(value))


def _of_value(lo: Lowering, value: Value, kind: CType, root: Value = UNDEFINED) -> Form | None:
    """root: what the value was before guards; calls may have changed what was read from memory."""
    fn = lo.fn
    if value in (UNDEFINED, fn.opaque, fn.unknown):
        return None
    lo.consulted += 1
    known = lo.forms.get(value)
    if known is not None:
        return _resolved(lo, known)
    value = root or value
    if is_unsigned(kind):
        lo.unsigned.add(value)
    elif is_fraction(kind):
        lo.fractions.add(value)
    if fn.operands(value) is not None and (number := single(of_term(lo, value, DEPTH))) is not None:
        return Form((), number)
    return Form(((value, 1),), 0)


def _resolved(lo: Lowering, known: Form) -> Form:
    """A form whose terms may have become other values since."""
    result = Form((), known.constant)
    for value, factor in known.terms:
        term = lo.fn.resolve(value)
        inner = lo.forms.get(term) if term != value else None
        more = add_up(result, inner if inner is not None else Form(((term, 1),), 0), factor)
        if more is None:
            return known
        result = more
    return result


@form_of("field_expression", "subscript_expression", "pointer_expression")
def _memory(lo: Lowering, node: Node) -> Form | None:
    """What is read from memory: of a table of constants, or followed where nothing else can have written it since."""
    if (known := _of_table(lo, node)) is not None:
        return Form((), known)
    kind = type_of(lo, node)
    if not kind.arithmetic:
        return None
    fn = lo.fn
    for key in keys_of(lo, node):
        if not isinstance(key, tuple):
            continue
        value = fn.content(key)
        if value in fn.carried or (lo.read_at.get(key) != lo.epoch and key[0] not in lo.stack):
            return None
        owned = key[0] in lo.stack and node.type == "field_expression"
        field = "*" if key[1].startswith("[") else key[1].rpartition(".")[2]
        if not owned and (lo.jumps or not lo.written_by.get(field, set()) <= {key[0]}):
            return None
        return _of_value(lo, value, kind)
    return None


def _of_table(lo: Lowering, node: Node) -> Number | None:
    """The element that an index of constants names in an array that is declared `const`."""
    argument, index = node.child_by_field_name("argument"), node.child_by_field_name("index")
    if not lo.tables or argument is None or index is None or argument.type != "identifier":
        return None
    variable = lo.variable(text(argument))
    listed = lo.tables.get(variable.cell, ()) if variable is not None else ()
    at = constant(lo, index) if listed else None
    return listed[at] if at is not None and 0 <= at < len(listed) else None


@form_of("call_expression")
def _call(lo: Lowering, node: Node) -> Form | None:
    macro = called_macro(lo, node)
    arguments = node.child_by_field_name("arguments")
    if macro is not None:
        body = macro.read(lo.parser)
        if body is None or macro.form != "expression" or arguments is None or macro.name in lo.varied:
            return None
        with lo.within(lo.open_frame(macro, elements(arguments), node)):
            return form(lo, body)
    value = lo.call_at.get(node.id, UNDEFINED) if lo.lowered else UNDEFINED
    if value in lo.ranges:
        lo.consulted += 1
        number = single(lo.ranges[value])
        return Form((), number) if number is not None else Form(((value, 1),), 0)
    return None


@form_of("cast_expression")
def _cast(lo: Lowering, node: Node) -> Form | None:
    inner, kind = node.child_by_field_name("value"), node.child_by_field_name("type")
    if inner is None or kind is None:
        return None
    known, target = form(lo, inner), lo.types.resolve(described(kind))
    if known is None or target.levels or not target.arithmetic:
        return known if known is not None and not known.terms and known.constant == 0 else None
    if is_fraction(target):
        return known
    if not known.terms:
        known = Form((), int(known.constant)) if math.isfinite(known.constant) else None
    elif not whole(lo, known):
        return None
    return known if known is not None and fits(lo, known, target) else None


def of_sign(lo: Lowering, node: Node) -> Form | None:
    """`+a`, `-a`, `~a`."""
    argument = node.child_by_field_name("argument")
    if argument is None:
        return None
    operator = operator_of(node)
    known = form(lo, argument)
    if known is None or operator == "+":
        return known
    if operator == "-":
        return None if has_unsigned(lo, known) else add_up(Form((), 0), known, -1)
    if operator == "~" and not known.terms and isinstance(known.constant, int):
        return Form((), ~known.constant)
    return None


def of_arithmetic(lo: Lowering, node: Node) -> Form | None:
    """`a + b` and the like."""
    operator = operator_of(node)
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    a = form(lo, left) if left is not None else None
    b = form(lo, right) if right is not None and (a is not None or operator in "%&") else None
    if operator in ("%", "&") and b is not None and not b.terms:
        return _masked(lo, node, a, b.constant, operator)
    if a is None or b is None:
        return None
    if operator == "+":
        return add_up(a, b, 1)
    if operator == "-":
        return None if has_unsigned(lo, a) or has_unsigned(lo, b) else add_up(a, b, -1)
    if operator == "*":
        for one, other in ((a, b), (b, a)):
            if not one.terms and isinstance(one.constant, int):
                return add_up(Form((), 0), other, one.constant)
    if a.terms or b.terms:
        return None
    result = _computed(operator, a.constant, b.constant)
    return Form((), result) if result is not None else None


def _masked(lo: Lowering, node: Node, a: Form | None, by: Number, operator: str) -> Form | None:
    """`a % by` or `a & by`: a number of its own, in known bounds."""
    if not isinstance(by, int) or by <= 0:
        return None
    if a is not None and not a.terms:
        result = _computed(operator, a.constant, by)
        return Form((), result) if result is not None else None
    key = (operator, by, a)
    value = lo.masked.get(key, UNDEFINED)
    if a is None or value == UNDEFINED:
        value = lo.masked[key] = lo.fn.unnamed()
        if a is not None:
            lo.fn.homes[value] = max(lo.fn.homes[term] for term, _ in a.terms)
    natural = a is not None and spread(lo, a)[0][0] >= 0
    if operator == "%":
        lo.ranges[value] = ((0 if natural else 1 - by, by - 1),)
    else:
        lo.ranges[value] = ((0, by),)
    return Form(((value, 1),), 0)


def _computed(operator: str, a: Number, b: Number) -> Number | None:
    if operator == "/" and b:
        return (
            abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1) if isinstance(a, int) and isinstance(b, int) else a / b
        )
    if not isinstance(a, int) or not isinstance(b, int):
        return None
    if operator == "%" and b:
        return int(math.fmod(a, b)) if abs(a) < 2**52 else None
    if operator in ("<<", ">>"):
        return (a << b if operator == "<<" else a >> b) if 0 <= b < 63 else None
    if operator in ("&", "|", "^"):
        return {"&": a & b, "|": a | b, "^": a ^ b}[operator]
    return None


@form_of("assignment_expression")
def _assigned(lo: Lowering, node: Node) -> Form | None:
    left = node.child_by_field_name("left")
    return form(lo, left) if left is not None and lo.lowered else None


def add_up(a: Form, b: Form, factor: int) -> Form | None:
    """`a` and `factor` times `b`; None where it has too many terms or too large numbers."""
    counts = dict(a.terms)
    for value, count in b.terms:
        counts[value] = counts.get(value, 0) + factor * count
    terms = tuple(sorted((value, count) for value, count in counts.items() if count))
    return _bounded(Form(terms, a.constant + factor * b.constant)) if len(terms) <= _TERMS else None


# Variables.


def kept(lo: Lowering, kind: CType, value: Value, source: Node) -> Value:
    """The value of a variable of an arithmetic type that is given `source`, lowered to `value`."""
    if value in lo.call_results:
        (lo.fractions if is_fraction(kind) else lo.unsigned if is_unsigned(kind) else set()).add(value)
        return value
    known = form(lo, source)
    if known is not None and not known.terms:
        known = Form((), wrapped(known.constant, kind))
    if known is not None and (is_narrow(kind) or is_unsigned(kind)) and not fits(lo, known, kind):
        known = None
    if known is not None and not is_fraction(kind) and not whole(lo, known):
        known = Form((), int(known.constant)) if not known.terms and math.isfinite(known.constant) else None
    if value not in lo.fn.tests:
        exact = known.constant if known is not None and not known.terms and isinstance(known.constant, int) else None
        value = lo.a_number(exact if exact is not None else literal_number(lo, source))
    if known is not None:
        lo.forms[value] = known
    elif is_fraction(kind):
        lo.fractions.add(value)
    elif is_unsigned(kind):
        lo.unsigned.add(value)
    return value


def stepped(lo: Lowering, variable: Variable, node: Node) -> Value:
    """The value of a variable after `++`, `--`, `+=` or `-=`."""
    operator = operator_of(node)
    before = _variable(lo, variable)
    right = node.child_by_field_name("right")
    by = form(lo, right) if right is not None else Form((), 1)
    value = lo.a_number()
    if before is not None and by is not None and (operator[0] == "+" or not is_unsigned(variable.type)):
        known = add_up(before, by, 1 if operator[0] == "+" else -1)
        if known is not None and not is_narrow(variable.type):
            lo.forms[value] = known
    if value not in lo.forms and is_unsigned(variable.type):
        lo.unsigned.add(value)
    return value
