"""Calls: of functions, of pointers to functions, of macros; assertions."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from pliant.extractors.c.assertions import asserted
from pliant.extractors.c.declarations import UNKNOWN, CType, parameters
from pliant.extractors.c.models import models
from pliant.extractors.c.translation.body import NOTHING, ZERO, Body, Typed, expression
from pliant.extractors.c.translation.conditions import branch, tells_how_likely
from pliant.extractors.c.translation.places import place, write
from pliant.extractors.ir.operands import ANY, OTHER, Argument, Operand
from pliant.extractors.lowering.source import elements, joined, text
from pliant.extractors.lowering.trees import inside

_FUNCTION = CType("", ("function",))
_NO_CALLS = frozenset(
    [
        *("va_end", "__builtin_va_end", "__builtin_constant_p", "sizeof", "offsetof", "defined"),
        *("_Static_assert", "static_assert"),
    ]
)
_COPIES = frozenset(("va_copy", "__va_copy", "__builtin_va_copy"))
_REST = "..."  # the parameter that stands for those behind the others


@expression("call_expression")
def call(body: Body, node: Node) -> Typed:
    function: Node | None
    function, *_, arguments = node.children
    given = elements(arguments)
    while function is not None and function.type != "identifier":
        if function.type == "parenthesized_expression" and (inner := inside(function)) is not None:
            function = inner
        elif function.type == "pointer_expression" and function.children[0].type == "*":
            function = function.child_by_field_name("argument")  # a function is called the same with and without `*`
        else:
            break
    if function is None:
        return NOTHING
    name = body.renamed(text(function)) if function.type == "identifier" else _pasted(body, function)
    if body.frame is not None and name in body.frame.arguments:  # what is passed as the function is none by name
        name = ""
    if not name or name in body.names:
        return _call(body, node, name, function, given)
    if name == "assert" and given:  # whatever a macro of the file makes of it
        return _assertion(body, given[0], holds=True)
    macro = body.called_macro(name)
    if macro is not None:
        form = body.reads(macro)
        if form != "none":
            outer = body.frame
            meant = body.opened(macro, given, node)
            found = body.expression(meant) if form == "expression" else NOTHING
            if form == "statement":
                body.statement(meant)
            body.frame = outer
            return found
        if not macro.body:  # a macro that does nothing
            return NOTHING
        body.unmodelled("macro that is no expression")
    if body.meaning(name) is None:
        special = _by_name(body, node, name, given)
        if special is not None:
            return special
    if "ssert" in name or "SSERT" in name or name in models().asserts:
        known = (given[0], True) if given and name in models().asserts else asserted(name, given)
        if known is not None and not body.file.defines(name):
            return _assertion(body, known[0], holds=known[1])
    return _call(body, node, name, function, given)


def _by_name(body: Body, node: Node, name: str, given: Sequence[Node]) -> Typed | None:
    """What a name gives that has a meaning of its own."""
    if name in _NO_CALLS:
        return NOTHING
    if tells_how_likely(name) and given:
        found = body.expression(given[0])
        for other in given[1:]:
            body.expression(other)
        return found
    if name == "va_start" or name in _COPIES:
        return _started(body, name, given)
    if name in ("va_arg", "__builtin_va_arg") and given:
        return body.builder.give("next", body.value(given[0]), "element", span=body.at(node)), UNKNOWN
    return None


def _pasted(body: Body, function: Node) -> str:
    """The name that a macro of another file makes: `PRIV(name)`."""
    if function.type != "call_expression":
        return ""
    inner, given = function.child_by_field_name("function"), elements(function.child_by_field_name("arguments"))
    if inner is None or inner.type != "identifier" or len(given) != 1 or given[0].type != "identifier":
        return ""
    name = text(inner)
    macro = body.file.macros.get(name)
    unread = macro is None or body.reads(macro) == "none"
    return joined(function) if name.isupper() and unread and body.meaning(name) is None else ""


def _call(body: Body, node: Node, name: str, function: Node, given: Sequence[Node]) -> Typed:
    local = body.meaning(name) if name else None
    callee: Operand
    if local is not None:
        callee, kind = body.builder.get(local.variable, body.at(function)), local.kind
    elif name:
        local = body.external(name, _FUNCTION)
        callee, kind = body.builder.get(local.variable, body.at(function)), local.kind
    else:
        callee, kind = body.expression(function)
    passed = _arguments(body, name if name not in body.names else "", given)
    found = body.builder.call(callee, passed, body.at(node))
    for each in given if node.children[-1].start_byte in body.file.assigning else ():
        if each.type == "identifier" and (where := place(body, each)).how == "variable":
            write(body, where, OTHER)
    if kind.levels[:2] == ("pointer", "function"):
        kind = CType(kind.base, kind.levels[1:])
    if name in body.file.noreturn and name not in body.names:
        body.builder.do("raise", OTHER, span=body.at(node))
    return found, body.kinds.element(kind) if kind.levels[:1] == ("function",) else UNKNOWN


def call_by_name(body: Body, name: Node) -> None:
    """A call of what the file does not declare, without arguments."""
    local = body.external(text(name), _FUNCTION)
    body.builder.call(body.builder.get(local.variable, body.at(name)), [], body.at(name))


def _arguments(body: Body, name: str, given: Sequence[Node]) -> list[Argument]:
    found: list[Argument] = []
    wanted: list[CType] | None = None
    for number, node in enumerate(given):
        typed = body.expression(node)
        kind = UNKNOWN
        if typed[0] == ZERO and name:
            wanted = _parameters(body, name) if wanted is None else wanted
            kind = wanted[number] if number < len(wanted) else UNKNOWN
        found.append(Argument(body.fit(typed, kind, node)))
    return found


def _parameters(body: Body, name: str) -> list[CType]:
    """The types of the parameters of a function, if the file declares it."""
    known = body.file.globals.get(name)
    if known is None or known.declarator is None:
        return []
    return [body.kinds.resolve(each.type) for each in parameters(known.declarator, known.node)[0]]


def _assertion(body: Body, condition: Node, *, holds: bool) -> Typed:
    """The program ends where the condition is not as it is asserted to be."""
    on, fails = body.builder.block(), body.builder.block()
    body.asked_by = "assert"
    body.frame = body.frame
    branch(body, condition, *((on, fails) if holds else (fails, on)))
    body.asked_by = ""
    body.frame = body.frame
    body.builder.start(fails)
    body.builder.do("raise", OTHER, span=body.at(condition))
    body.builder.start(on)
    return NOTHING


def _started(body: Body, name: str, given: Sequence[Node]) -> Typed:
    """A list of arguments begins: with the first of those behind the parameters, or where another list is."""
    if given:
        value: Operand = OTHER
        if name in _COPIES:
            value = body.value(given[1]) if len(given) > 1 else OTHER
        elif _REST in body.function.variables:
            value = body.builder.get(_REST)
        write(body, place(body, given[0]), value)
    return NOTHING


def add_rest(body: Body) -> str:
    """The variable for the arguments behind the parameters."""
    return body.builder.variable(_REST, ANY)
