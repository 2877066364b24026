"""Calls: of functions, of pointers to functions, of macros, of the library."""

from __future__ import annotations

import re

from tree_sitter import Node

from pliant.extractors.budget import NODE_STEPS
from pliant.extractors.c import conditions, outcomes
from pliant.extractors.c.assertions import asserted
from pliant.extractors.c.entities import FREED, CallInfo
from pliant.extractors.c.lowering import Lowering, expression
from pliant.extractors.c.operands import is_struct, literal_number
from pliant.extractors.c.places import keys_of, macro_named, operator_of, place_of, renamed
from pliant.extractors.c.requests import requested
from pliant.extractors.lowering.passed_conditions import conditions_held
from pliant.extractors.lowering.source import elements, text
from pliant.extractors.ssa import UNDEFINED, Value

_CONVERSION = re.compile(r"%(?:%|[-+ #0'I]*+(?:\d+|\*)?(?:\.(?:\d+|\*)?)?(?:hh|h|ll|l|q|j|z|t|L)?[a-zA-Z])")


@expression("call_expression")
def call(lo: Lowering, node: Node) -> Value:
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None:
        return lo.opaque()
    given = elements(arguments)
    inner = function
    while True:
        if inner.type == "parenthesized_expression" and len(elements(inner)) == 1:
            inner = elements(inner)[0]
        elif inner.type == "pointer_expression" and operator_of(inner) == "*" and inner.named_children:
            inner = inner.named_children[0]  # a pointer to a function is called the same with and without `*`
        else:
            break
    name = text(inner) if inner.type == "identifier" or _is_pasted(lo, inner) else ""
    if name in lo.models.asserts and given and lo.variable(name) is None:  # whatever a macro of the file makes of it
        return assertion(lo, given[0])
    name = renamed(lo, name)
    macro = macro_named(lo, name) if function.type == "identifier" else None
    if macro is not None:
        body = macro.read(lo.parser)
        if body is not None:
            with lo.within(lo.open_frame(macro, given, node)):
                if macro.form == "expression":
                    return lo.expression(body)
                lo.statement(body)
                return lo.opaque()
        if not macro.body:  # a macro that does nothing
            return lo.opaque()
        lo.writer.unmodelled("macro that is no expression")
    identity = conditions.named_identity(lo, name)
    bound = lo.bound(name) if name else None
    if bound is not None and bound.node.type == "identifier":  # a macro's parameter is called
        name = text(bound.node)
    if name in _SPECIAL and lo.variable(name) is None:
        return _SPECIAL[name](lo, node, given)
    library = name if name in lo.models.names and lo.variable(name) is None else ""
    if given and identity and lo.variable(name) is None:
        value = lo.expression(given[0])
        for other in given[1:]:
            lo.expression(other)
        return value
    known = asserted(name, given) if not lo.is_function(name) else None
    if known is not None:
        return assertion(lo, *known)
    return call_function(lo, node, inner, name, library, given)


def assertion(lo: Lowering, condition: Node, holds: bool = True) -> Value:
    true, false = conditions.branch(lo, condition)
    lo.fn.block = true if holds else false
    return lo.opaque()


def _is_pasted(lo: Lowering, node: Node) -> bool:
    """Whether a name is made by a macro: `PRIV(name)`, of another file or of what cannot be read by itself."""
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if node.type != "call_expression" or function is None or arguments is None or function.type != "identifier":
        return False
    name, given = text(function), elements(arguments)
    known = lo.macros.get(name)
    of_a_macro = name.isupper() and lo.variable(name) is None and (known is None or known.read(lo.parser) is None)
    return of_a_macro and len(given) == 1 and given[0].type == "identifier"


def call_function(lo: Lowering, node: Node, function: Node, name: str, library: str, given: list[Node]) -> Value:
    fn = lo.fn
    live = lo.live()
    variable = lo.variable(name) if name else None
    if name and (variable is None or variable.function):
        callee = lo.read_variable(variable, function) if variable is not None else lo.external(name)
    else:
        callee = lo.expression(function)
        lo.dereference(callee, "()", "call", node, keys_of(lo, function))
    values = [lo.pointer(argument) for argument in given]
    if lo.members:
        values = [member_passed(lo, passed) if passed in lo.members else passed for passed in values]
    if lo.numbers:
        values = [fn.opaque if fn.root(passed) in lo.numbers else passed for passed in values]
    if not fn.reachable():
        return fn.opaque
    value = lo.value(f"{name or called_name(function)}()", node)
    lo.emit("call", value, lo.symbol, live)
    lo.emit("call_value", value, callee)
    lo.effects = True
    lo.call_results.add(value)
    lo.call_at[node.id] = value
    for number, passed in enumerate(values):
        lo.emit("actual", value, number, passed)
        known = literal_number(lo, given[number])
        if known is not None:
            lo.emit("actual_truth", value, number, "true" if known else "false")
        elif passed != fn.opaque and lo.is_nonnull(passed):
            lo.emit("actual_truth", value, number, "true")
    if library:
        call_library(lo, node, library, value, given, values)
    else:
        call_own(lo, value, given, values)
        if name.isupper() and (variable is None or not variable.function):
            behind_macro(lo, value, given, values)
    same_objects(lo, library, value, given, values)
    if variable is not None and name in lo.outcomes:
        outcomes.returned(lo, name, value, given, values)
    if not library:
        conditions_held(lo, value, given, values)
    return value


def member_passed(lo: Lowering, address: Value) -> Value:
    """`&p->field` as an argument, which uses `p`; returns the address as what it is where `p` is not null."""
    fn, member = lo.fn, lo.members[address]
    if lo.is_nonnull(member.pointer):
        return address
    lo.dereference(member.pointer, f"->{member.field}", "member", member.node, member.keys)
    shown = fn.value(lo.writer.name(lo.qualname, f"&->{member.field} not null"), root=fn.root(address))
    fn.define(shown, "assign_object", shown, address)
    fn.nonnull.add(shown)
    lo.objects[shown] = address
    return shown


def called_name(function: Node) -> str:
    field = function.child_by_field_name("field")
    return f"->{text(field)}" if field is not None else ""


def call_own(lo: Lowering, value: Value, given: list[Node], values: list[Value]) -> None:
    """A function of the repository, or one of which nothing is known: it may change all memory, and free its
    arguments."""
    fn = lo.fn
    pointers, copied = list[Value](), list[Value]()
    for node, argument in zip(given, values, strict=False):
        if argument not in (UNDEFINED, fn.opaque):
            (copied if is_struct(lo, node) else pointers).append(argument)
    for argument in pointers:
        free_after(lo, value, argument)
    forget_numbers(lo, pointers)
    fn.called(value, pointers, copied)
    forget_escaped(lo, {lo.object_of(argument) for argument in pointers})
    keys = [keys_of(lo, node) for node in given]
    lo.call_info[value] = CallInfo(values, keys)
    lo.epoch += 1
    lo.calls_made.append(value)


def behind_macro(lo: Lowering, call: Value, given: list[Node], values: list[Value]) -> None:
    """`call` may be of a macro of another file, which can give the variables that are its arguments other values."""
    fn = lo.fn
    for node, argument in zip(given, values, strict=True):
        for key in keys_of(lo, node):
            current = fn.read(key)
            if not isinstance(key, str) or current in (UNDEFINED, fn.opaque, fn.unknown) or lo.is_nonnull(current):
                continue
            after = fn.value(lo.writer.name(lo.qualname, f"{fn.key_name(key)} after macros"), root=fn.root(current))
            lo.objects[after] = current
            fn.define(after, "assign_object", after, current)
            fn.define(after, "assign_null", after, current)
            fn.define(after, "macro_after", after, call, argument)
            lo.behind_macros.add(after)
            fn.write(key, after)


def forget_numbers(lo: Lowering, passed: list[Value]) -> None:
    """A call may give other numbers to what it gets the address of."""
    fn = lo.fn
    for argument in passed if lo.forms else ():
        root = fn.root(argument)
        fields = fn.fields_of.get(root, {})
        fn.spend(NODE_STEPS * len(fields))
        for field in fields:
            if field[:1] != "$" and fn.content((root, field)) in lo.forms:
                fn.write((root, field), fn.unknown)


def forget_escaped(lo: Lowering, passed: set[Value]) -> None:
    """A call may write the variables whose addresses memory holds. What it does to those that it is passed is known by
    other means."""
    fn = lo.fn
    fn.spend(NODE_STEPS * len(lo.escaped))
    for address in lo.escaped:
        for field in list(fn.fields_of.get(address, ())) if address not in passed else ():
            if not field.startswith("$") and fn.content((address, field)) != UNDEFINED:
                fn.write((address, field), fn.unknown)


def free_after(lo: Lowering, call: Value, argument: Value) -> None:
    """Note that `call` may have freed what `argument` points to, and what fields of that point to."""
    fn = lo.fn
    release(lo, call, argument, "", argument)
    root = fn.root(argument)
    fields = list(fn.fields_of.get(root, ()))
    fn.spend(NODE_STEPS * len(fields))
    for field in fields:
        if field.startswith(("$", "[", "*")):
            continue
        content = fn.content((root, field))
        if content not in (UNDEFINED, fn.opaque) and content not in fn.carried and not lo.is_address(content):
            release(lo, call, argument, field, content)


def release(lo: Lowering, call: Value, argument: Value, field: str, held: Value) -> None:
    """After `call`, the state of the object that `held` points to is a new one."""
    fn = lo.fn
    target = lo.object_of(held)
    if target in (UNDEFINED, fn.opaque) or lo.is_address(target):
        return
    before = fn.content((target, FREED)) if FREED in fn.fields_of.get(target, ()) else UNDEFINED
    state = lo.value("state")
    fn.define(state, "released", state, call, argument, field)
    if before not in (UNDEFINED, fn.opaque) and (before == lo.alive or lo.comes_from(before, lo.alive)):
        fn.define(state, "released_before", state, before)
        if lo.comes_from(before):
            lo.emit("use_released", state)
    lo.states.add(state)
    lo.assign((target, FREED), state)
    lo.touched[target] = None


def call_library(lo: Lowering, node: Node, name: str, value: Value, given: list[Node], values: list[Value]) -> None:
    fn, models = lo.fn, lo.models
    lo.writer.library(f"c:{name}")
    if name in models.null:
        lo.emit("arguments", value, len(values))
    needed = [*models.needs.get(name, ()), *printed(lo, name, given)]
    for position in needed:
        if position < len(values):
            lo.dereference(values[position], f"{name}()", "argument", given[position], keys_of(lo, given[position]))
    freed = models.frees.get(name)
    if freed is not None and freed < len(values):
        lo.use(values[freed], f"{name}()", "free", node)
        release(lo, value, values[freed], "", values[freed])
    moved = models.moves.get(name)
    if moved is not None and moved < len(values) and values[moved] not in (UNDEFINED, fn.opaque):
        lo.use(values[moved], f"{name}()", "free", node)
        target = lo.object_of(values[moved])
        before = fn.content((target, FREED)) if FREED in fn.fields_of.get(target, ()) else UNDEFINED
        release(lo, value, values[moved], "", values[moved])
        lo.moves[value] = (target, before if before != UNDEFINED else fn.opaque)
    forget_numbers(lo, values)
    if name in models.allocates:
        lo.allocated.add(value)
    requested(lo, name, value, given)
    given_back = models.returns_argument.get(name)
    if given_back is not None and given_back < len(values) and values[given_back] not in (UNDEFINED, fn.opaque):
        lo.objects[value] = values[given_back]
        if name not in models.null:
            fn.nonnull.add(value)
    for position, argument in enumerate(values):
        if position in models.writes.get(name, ()) or (name not in models.needs and lo.is_address(argument)):
            root = fn.root(argument)
            if "*" in fn.fields_of.get(root, ()):
                fn.write((root, "*"), fn.unknown)
    if name in models.noreturn:
        fn.stop()
    if name in models.runs and models.runs[name][0] < len(values):
        run_argument(lo, node, value, given, values)


def run_argument(lo: Lowering, node: Node, call: Value, given: list[Node], values: list[Value]) -> None:
    """A function of the library calls one of its arguments, with others of them."""
    name = lo.fn.what(call).removesuffix("()")
    callee, *passed = (position for position in lo.models.runs[name] if position < len(values))
    value = lo.value(f"{name}() call", node)
    lo.emit("call", value, lo.symbol, lo.live())
    lo.emit("call_value", value, values[callee])
    for number, position in enumerate(passed):
        lo.emit("actual", value, number, values[position])
    call_own(lo, value, [given[position] for position in passed], [values[position] for position in passed])


def printed(lo: Lowering, name: str, given: list[Node]) -> list[int]:
    """Which arguments a format prints as strings."""
    at = lo.models.formats.get(name)
    if at is None or at >= len(given) or given[at].type not in ("string_literal", "concatenated_string"):
        return []
    found, position = [], at + 1
    for conversion in _CONVERSION.findall(text(given[at])):
        if conversion == "%%":
            continue
        position += conversion.count("*")
        if conversion[-1] == "s" and "." not in conversion:
            found.append(position)
        position += 1
    return found


# Arguments that are one object.


def same_objects(lo: Lowering, name: str, call: Value, given: list[Node], values: list[Value]) -> None:
    """Note pairs of arguments that point into one object, unless the source shows that the parts are apart."""
    fn = lo.fn
    by_object: dict[Value, int] = {}
    for position, value in enumerate(values):
        if value in (UNDEFINED, fn.opaque) or (name and name not in lo.models.apart):
            continue
        target = lo.object_of(value)
        first = by_object.setdefault(target, position)
        if first != position and not lo.is_literal_null(target) and not _apart(given, first, position):
            lo.emit("same_object", call, first, position)


def _plain(node: Node) -> str:
    """The text of an expression without casts, parentheses and spaces."""
    source = re.sub(r"\s+", "", text(node))
    source = re.sub(r"\((?:unsigned|signed|int|long|size_t|uInt|uLong|char\*|void\*|ptrdiff_t)+\)", "", source)
    inside = min(len(source) - len(source.lstrip("(")), len(source) - len(source.rstrip(")")))
    return source[inside : len(source) - inside]


def _apart(given: list[Node], first: int, second: int) -> bool:
    """Whether two parts of one object do not overlap: they are as far apart as they are long, or they are elements."""
    a, b = _plain(given[first]), _plain(given[second])
    length = _plain(given[-1])
    if a == b:
        return False
    for one, other in ((a, b), (b, a)):
        if one in (f"{other}+{length}", f"{length}+{other}"):
            return True
    if a.startswith("&") and b.startswith("&") and a.endswith("]") and b.endswith("]"):
        return length.startswith("sizeof") and "*" not in length.removeprefix("sizeof*").removeprefix("sizeof(*")
    # Members of one struct, and parts at different constant distances, are taken to be apart.
    if "->" in a.partition("+")[0] and "->" in b.partition("+")[0]:
        return a.partition("+")[0].partition("[")[0] != b.partition("+")[0].partition("[")[0]
    return False


# Names with a meaning of their own.


def _nothing(lo: Lowering, node: Node, given: list[Node]) -> Value:
    return lo.opaque()


def _va_start(lo: Lowering, node: Node, given: list[Node]) -> Value:
    """The list of what was passed beyond the parameters."""
    rest = lo.rest
    if given and rest != UNDEFINED:
        place = place_of(lo, given[0])
        lo.write(place, rest, node)
    return lo.opaque()


def _va_arg(lo: Lowering, node: Node, given: list[Node]) -> Value:
    if not given:
        return lo.opaque()
    source = lo.expression(given[0])
    value = lo.value("va_arg", node)
    lo.fn.define(value, "subscript", value, source)
    return value


def _va_copy(lo: Lowering, node: Node, given: list[Node]) -> Value:
    if len(given) == 2:
        value = lo.expression(given[1])
        lo.write(place_of(lo, given[0]), value, node)
    return lo.opaque()


_SPECIAL = {
    "va_start": _va_start,
    "va_arg": _va_arg,
    "va_copy": _va_copy,
    "__va_copy": _va_copy,
    "va_end": _nothing,
    "__builtin_va_end": _nothing,
    "__builtin_constant_p": _nothing,
    "sizeof": _nothing,
    "offsetof": _nothing,
    "UNUSED": _nothing,
    "defined": _nothing,
}
