"""What is known of numbers where control is: constants, sums of variables, and what branches have shown of them.

A number is a *form*, a sum of SSA values times integers and a constant. What a comparison shows of a sum is followed
like a variable, as a path of one of its values, so that it holds where the branch leads and no further.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from tree_sitter import Node

from pliant.extractors.c.declarations import CType
from pliant.extractors.c.entities import Form, Variable
from pliant.extractors.c.lowering import Lowering
from pliant.extractors.c.macros import number as integer
from pliant.extractors.c.operands import described, literal_number, type_of
from pliant.extractors.c.places import called_macro, elements, keys_of, only, operator_of, stripped
from pliant.extractors.c.ranges import (
    EVERYTHING,
    NATURAL,
    Number,
    Range,
    add,
    holds,
    join,
    meet,
    point,
    scale,
    single,
    solutions,
    within,
)
from pliant.extractors.lowering.source import text
from pliant.extractors.ssa import UNDEFINED, Block, Key, Value

RANGE = "$range"  # the field under which it is followed what branches have shown of a number
_TERMS = 4  # of a sum
_DEPTH = 3  # joins behind joins that are looked through
_OPERANDS = 8  # of a join
_LARGEST = 2**64  # beyond it a number is not followed: sums and products must not grow without end
_NAMED = 1_000_000  # from here on, a number may stand for a constant of another file
_NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_TURNED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_SMALL: dict[str, tuple[int, int]] = {
    "bool": (0, 1), "_Bool": (0, 1), "char": (0, 127), "signed char": (-128, 127), "unsigned char": (0, 255),
    "int8_t": (-128, 127), "uint8_t": (0, 255), "short": (-32768, 32767), "unsigned short": (0, 65535),
    "int16_t": (-32768, 32767), "uint16_t": (0, 65535),
}  # fmt: skip
_BYTES = {
    "bool": 1, "_Bool": 1, "char": 1, "signed char": 1, "unsigned char": 1, "int8_t": 1, "uint8_t": 1, "short": 2,
    "unsigned short": 2, "int16_t": 2, "uint16_t": 2, "int": 4, "unsigned": 4, "unsigned int": 4, "int32_t": 4,
    "uint32_t": 4, "float": 4, "double": 8, "long long": 8, "unsigned long long": 8, "int64_t": 8, "uint64_t": 8,
    "size_t": 8,
}  # fmt: skip
_ESCAPES = {"\\0": 0, "\\n": 10, "\\t": 9, "\\r": 13, "\\\\": 92, "\\'": 39, '\\"': 34}


class Compared(NamedTuple):
    """A form that is compared with 0."""

    form: Form
    operator: str


def is_unsigned(kind: CType) -> bool:
    return not kind.levels and (kind.base.startswith(("unsigned", "uint", "size_t", "bool", "_Bool")))


def is_fraction(kind: CType) -> bool:
    return "float" in kind.base or "double" in kind.base


# What an expression is.


def form(lo: Lowering, node: Node) -> Form | None:
    """The number that an expression, which was lowered or changes nothing, is; None where nothing is known of it."""
    handler = _FORMS.get(node.type)
    return _bounded(handler(lo, node)) if handler is not None else None


def _bounded(known: Form | None) -> Form | None:
    """The form, if all its numbers are finite and none is larger than any that a program has."""
    if known is None or not abs(known.constant) <= _LARGEST or any(abs(factor) > _LARGEST for _, factor in known.terms):
        return None
    return known


def constant(lo: Lowering, node: Node) -> int | None:
    """The integer that an expression of constants is."""
    known = form(lo, node)
    return known.constant if known is not None and not known.terms and isinstance(known.constant, int) else None


def _number(lo: Lowering, node: Node) -> Form | None:
    source = text(node)
    known: Number | None = integer(source)
    if known is None:
        try:
            known = float(source.rstrip("fFlL"))
        except ValueError:
            return None
    return Form((), known)


def _character(lo: Lowering, node: Node) -> Form | None:
    inner = text(node)[1:-1]
    code = ord(inner) if len(inner) == 1 else _ESCAPES.get(inner)
    return Form((), code) if code is not None else None


def _word(lo: Lowering, node: Node) -> Form | None:
    return Form((), int(node.type == "true"))


def _inside(lo: Lowering, node: Node) -> Form | None:
    inner = only(node)
    return form(lo, inner) if inner is not None else None


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
        return Form((), known) if known is not None and abs(known) < _NAMED else None
    macro = lo.macros.get(name)
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
    if fn.operands(value) is not None and (number := single(_of_term(lo, value, _DEPTH))) is not None:
        return Form((), number)
    return Form(((value, 1),), 0)


def _resolved(lo: Lowering, known: Form) -> Form:
    """A form whose terms may have become other values since."""
    result = Form((), known.constant)
    for value, factor in known.terms:
        term = lo.fn.resolve(value)
        inner = lo.forms.get(term) if term != value else None
        more = _sum(result, inner if inner is not None else Form(((term, 1),), 0), factor)
        if more is None:
            return known
        result = more
    return result


def _memory(lo: Lowering, node: Node) -> Form | None:
    """What is read from memory: followed where nothing else can have written it since."""
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
    elif not _whole(lo, known):
        return None
    return known if known is not None and fits(lo, known, target) else None


def _unary(lo: Lowering, node: Node) -> Form | None:
    argument = node.child_by_field_name("argument")
    if argument is None:
        return None
    operator = operator_of(node)
    if operator == "!":
        return _truth_value(lo, node)
    known = form(lo, argument)
    if known is None or operator == "+":
        return known
    if operator == "-":
        return None if _has_unsigned(lo, known) else _sum(Form((), 0), known, -1)
    if operator == "~" and not known.terms and isinstance(known.constant, int):
        return Form((), ~known.constant)
    return None


def _binary(lo: Lowering, node: Node) -> Form | None:
    operator = operator_of(node)
    if operator in _TURNED or operator in ("&&", "||"):
        return _truth_value(lo, node)
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    a = form(lo, left) if left is not None else None
    b = form(lo, right) if right is not None and (a is not None or operator in "%&") else None
    if operator in ("%", "&") and b is not None and not b.terms:
        return _masked(lo, node, a, b.constant, operator)
    if a is None or b is None:
        return None
    if operator == "+":
        return _sum(a, b, 1)
    if operator == "-":
        return None if _has_unsigned(lo, a) or _has_unsigned(lo, b) else _sum(a, b, -1)
    if operator == "*":
        for one, other in ((a, b), (b, a)):
            if not one.terms and isinstance(one.constant, int):
                return _sum(Form((), 0), other, one.constant)
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


def _sizeof(lo: Lowering, node: Node) -> Form | None:
    inner = node.child_by_field_name("value") or node.child_by_field_name("type")
    size = _size(lo, stripped(inner)) if inner is not None else None
    lo.consulted += size is not None
    return Form((), size) if size is not None else None


def _size(lo: Lowering, node: Node) -> int | None:
    """Bytes, where a pointer has 8."""
    if node.type == "type_descriptor":
        return _bytes(lo.types.resolve(described(node)))
    if node.type != "identifier" or (variable := lo.variable(text(node))) is None:
        return _bytes(type_of(lo, node))
    if not variable.type.array:
        return _bytes(variable.type)
    declared = variable.node.parent if variable.node is not None else None
    if declared is None or declared.type != "array_declarator":
        return None
    length, one = declared.child_by_field_name("size"), _bytes(variable.type.element())
    count = constant(lo, length) if length is not None else None
    if length is None and declared.parent is not None and declared.parent.type == "init_declarator":
        initial = declared.parent.child_by_field_name("value")
        if initial is not None and initial.type == "initializer_list":
            listed = elements(initial)
            count = len(listed) if all(child.type != "initializer_pair" for child in listed) else None
    return count * one if count is not None and one is not None else None


def _bytes(kind: CType) -> int | None:
    if kind.levels:
        return 8 if kind.levels[0] == "pointer" else None
    return _BYTES.get(kind.base)


def _assigned(lo: Lowering, node: Node) -> Form | None:
    left = node.child_by_field_name("left")
    return form(lo, left) if left is not None and lo.lowered else None


def _truth_value(lo: Lowering, node: Node) -> Form | None:
    known = truth(lo, node)
    return Form((), int(known)) if known is not None else None


_FORMS: dict[str, Callable[[Lowering, Node], Form | None]] = {
    "number_literal": _number,
    "char_literal": _character,
    "true": _word,
    "false": _word,
    "null": _word,
    "parenthesized_expression": _inside,
    "identifier": _identifier,
    "field_expression": _memory,
    "subscript_expression": _memory,
    "pointer_expression": _memory,
    "call_expression": _call,
    "cast_expression": _cast,
    "sizeof_expression": _sizeof,
    "unary_expression": _unary,
    "binary_expression": _binary,
    "assignment_expression": _assigned,
}


def _sum(a: Form, b: Form, factor: int) -> Form | None:
    """`a` and `factor` times `b`; None where it has too many terms or too large numbers."""
    counts = dict(a.terms)
    for value, count in b.terms:
        counts[value] = counts.get(value, 0) + factor * count
    terms = tuple(sorted((value, count) for value, count in counts.items() if count))
    return _bounded(Form(terms, a.constant + factor * b.constant)) if len(terms) <= _TERMS else None


def _has_unsigned(lo: Lowering, known: Form) -> bool:
    return any(value in lo.unsigned for value, _ in known.terms)


def _whole(lo: Lowering, known: Form) -> bool:
    return isinstance(known.constant, int) and not any(value in lo.fractions for value, _ in known.terms)


def fits(lo: Lowering, known: Form, kind: CType) -> bool:
    """Whether a number is what it was when it is kept in a variable of that type."""
    if kind.base in _SMALL:
        return within(spread(lo, known), (_SMALL[kind.base],))
    return not is_unsigned(kind) or spread(lo, known)[0][0] >= 0


# What it can be.


def spread(lo: Lowering, known: Form, depth: int = _DEPTH) -> Range:
    """The numbers that a form can be here."""
    found = point(known.constant)
    for value, factor in known.terms:
        found = add(scale(_of_term(lo, value, depth), factor), found)
    if len(known.terms) > 1:
        (base, name), sign, factor, _ = _key(lo, known)
        said = shown(lo, base, name)
        if said is not None:
            found = meet(found, add(scale(said, sign * factor), point(known.constant))) or found
    return found


def _of_term(lo: Lowering, value: Value, depth: int) -> Range:
    fn = lo.fn
    value = fn.resolve(value)
    known = lo.forms.get(value)
    if known is not None and depth:
        return spread(lo, known, depth - 1)
    found = lo.ranges.get(value, EVERYTHING)
    if value in lo.unsigned:
        found = meet(found, NATURAL) or found
    said = shown(lo, value, RANGE)
    if said is not None:
        found = meet(found, said) or found
    if found is EVERYTHING and depth:
        sources = fn.sources(value)
        # Of a label, not all ways may be known yet: there are no sources then.
        if sources and len(sources) <= _OPERANDS and all(operand != value for _, operand in sources):
            parts = [_of_term(lo, operand, depth - 1) for _, operand in sources]
            found = EVERYTHING if EVERYTHING in parts else join(parts)
    return found


def shown(lo: Lowering, value: Value, name: str, block: Block | None = None) -> Range | None:
    """What branches have shown, at the end of `block` (here), of a sum that is followed as a path of `value`."""
    fn = lo.fn
    if name not in fn.fields_of.get(value, ()):
        return None
    todo, parts, seen = [fn.read((value, name), block)], list[Range](), set[Value]()
    while todo:
        token = fn.resolve(todo.pop())
        if token in lo.ranges:
            parts.append(lo.ranges[token])
        elif not (operands := fn.operands(token)):
            return None
        elif token not in seen:
            seen.add(token)
            todo.extend(operands)
        if len(seen) > _OPERANDS:
            return None
    return join(parts) if parts else None


def _key(lo: Lowering, known: Form) -> tuple[tuple[Value, str], int, int, bool]:
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
    return (base, name), sign, factor, _whole(lo, known)


# What a condition shows.


def compared(lo: Lowering, node: Node) -> Compared | None:
    """A condition that is no connective, as a comparison with 0."""
    kind = node.type
    if kind == "parenthesized_expression":
        inner = only(node)
        return compared(lo, inner) if inner is not None else None
    if kind == "binary_expression" and (operator := operator_of(node)) in _TURNED:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        a = form(lo, left) if left is not None else None
        b = form(lo, right) if right is not None and a is not None else None
        if a is None or b is None:
            return None
        for one, other in ((a, b), (b, a)):  # what is compared with an unsigned number is made one
            if _has_unsigned(lo, one) and other.constant < 0:
                return None
        known = _sum(a, b, -1)
        return Compared(known, operator) if known is not None else None
    if kind == "unary_expression" and operator_of(node) == "!":
        argument = node.child_by_field_name("argument")
        inner_test = compared(lo, argument) if argument is not None else None
        return Compared(inner_test.form, _NEGATED[inner_test.operator]) if inner_test is not None else None
    known = form(lo, node) if kind in _PLAIN else None
    return Compared(known, "!=") if known is not None else None


_PLAIN = frozenset((*_FORMS,)) - {"null"}


def verdict(lo: Lowering, test: Compared) -> bool | None:
    """Whether a comparison holds wherever control comes from; None where that is not known."""
    known, operator = test
    if known.terms and operator in ("==", "!=") and _whole(lo, known):
        factor = math.gcd(*(count for _, count in known.terms))
        if known.constant % factor:
            return operator == "!="
    return holds(spread(lo, known), operator)


def truth(lo: Lowering, node: Node) -> bool | None:
    """Whether a condition that was lowered, or changes nothing, holds; None where that is not known."""
    kind = node.type
    if kind == "parenthesized_expression":
        inner = only(node)
        return truth(lo, inner) if inner is not None else None
    if kind == "binary_expression" and operator_of(node) in ("&&", "||"):
        decisive = operator_of(node) == "||"
        sides = [truth(lo, side) for side in elements(node)]
        return decisive if decisive in sides else None if None in sides else not decisive
    if kind == "unary_expression" and operator_of(node) == "!":
        argument = node.child_by_field_name("argument")
        inner_truth = truth(lo, argument) if argument is not None else None
        return None if inner_truth is None else not inner_truth
    test = compared(lo, node)
    return verdict(lo, test) if test is not None else None


def foreseen(lo: Lowering, node: Node) -> bool | None:
    """The same of a condition that is not lowered yet."""
    lo.lowered, before = False, lo.lowered
    known = truth(lo, node)
    lo.lowered = before
    return known


def decided(lo: Lowering, test: Compared | None, consulted: int) -> bool | None:
    """What a condition comes to by what is known of variables; constants alone stand for how the program is built.
    consulted: how much had been asked of variables before it."""
    return verdict(lo, test) if test is not None and lo.consulted > consulted else None


def show(lo: Lowering, test: Compared, outcome: bool) -> None:
    """A comparison has this outcome where control is."""
    known, operator = test
    if not known.terms:
        return
    if not outcome:
        operator = _NEGATED[operator]
    (base, name), sign, factor, whole = _key(lo, known)
    if operator in ("==", "!=") and known.constant % factor:
        return
    if sign < 0:
        operator = _TURNED[operator]
    bound = -known.constant / (sign * factor)
    left = solutions(operator, int(bound) if bound == int(bound) else bound, whole=whole)
    before = shown(lo, base, name)
    if len(known.terms) == 1 and name == RANGE:
        before = meet(before, lo.ranges.get(base, EVERYTHING)) if before is not None else lo.ranges.get(base)
        if base in lo.unsigned:
            left = meet(left, NATURAL) or left
    limit(lo, (base, name), meet(before, left) or left if before is not None else left)


def show_range(lo: Lowering, known: Form, left: Range) -> None:
    """A form of one term lies in `left` here."""
    (value, factor), bound = known.terms[0], known.constant
    if abs(factor) == 1:
        inside = scale(add(left, point(-bound)), factor)
        before = _of_term(lo, value, 0)
        limit(lo, (value, RANGE), meet(before, inside) or inside)


def limit(lo: Lowering, key: Key, left: Range) -> None:
    """What is followed under `key` lies in `left` here."""
    if left != EVERYTHING:
        token = lo.fn.unnamed()
        lo.ranges[token] = left
        lo.fn.write(key, token)


# Variables.


def kept(lo: Lowering, kind: CType, value: Value, source: Node) -> Value:
    """The value of a variable of an arithmetic type that is given `source`, lowered to `value`."""
    if value in lo.call_results:
        (lo.fractions if is_fraction(kind) else lo.unsigned if is_unsigned(kind) else set()).add(value)
        return value
    known = form(lo, source)
    if known is not None and (kind.base in _SMALL or is_unsigned(kind)) and not fits(lo, known, kind):
        known = None
    if known is not None and not is_fraction(kind) and not _whole(lo, known):
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
        known = _sum(before, by, 1 if operator[0] == "+" else -1)
        if known is not None and variable.type.base not in _SMALL:
            lo.forms[value] = known
    if value not in lo.forms and is_unsigned(variable.type):
        lo.unsigned.add(value)
    return value
