"""Functions: their parameters, and what declarations promise of them."""

from __future__ import annotations

import re
from dataclasses import replace

from tree_sitter import Node

from pliant.extractors.c.declarations import UNKNOWN, attributes, parameters
from pliant.extractors.c.macros import Macro
from pliant.extractors.c.translation.body import Body
from pliant.extractors.c.translation.calls import add_rest
from pliant.extractors.c.translation.conditions import is_test
from pliant.extractors.c.translation.kinds import as_record
from pliant.extractors.c.translation.names import Frame
from pliant.extractors.c.translation.statements import finish_labels, leave_by_labels, leave_with
from pliant.extractors.ir.operands import ANY, NULL, OTHER, Argument
from pliant.extractors.ir.unit import Formal
from pliant.extractors.lowering.trees import inside

_SPLIT_ELSE = re.compile(rb"^[ \t]*#.*\n\s*+\}?\s*+else\b|\belse\s*\n[ \t]*#", re.M)  # not read as what it is
_RESTRICT = frozenset(("restrict", "__restrict", "__restrict__"))
_NOT_NULL = frozenset(("_Nonnull", "__nonnull", "__nonnull__"))


def translate(body: Body, function: Node | None, node: Node, block: Node) -> None:
    """function: the declarator with the parameters, if there is one; node: the definition; block: what runs."""
    source = block.text or b""
    if block.has_error or _SPLIT_ELSE.search(source):
        body.function.flags |= {"unclear"}
    if b"volatile" in source:
        body.function.flags |= {"volatile"}
    body.open()
    if function is not None:
        declare_formals(body, function, node)
    body.statement(block)
    finish_labels(body)


def translate_macro(body: Body, macro: Macro) -> None:
    """A macro as other files see it: a function, whose `return` and `goto` leave its caller, or what follows there."""
    body.open()
    for name in macro.parameters or ():
        local = body.declare(name, UNKNOWN)
        body.function.formals.append(Formal(local.variable))
    root = macro.read(body.file.parser)
    body.frame = Frame(macro, {}, body.at(macro.node), None)
    if root is not None and macro.form == "expression":
        if (tested := inside(root)) is not None and is_test(tested):
            leave_with(body, root, root)
            return
        value, kind = body.expression(root)
        body.function.result = body.kinds.type(kind) if kind != UNKNOWN else ANY
        body.builder.do("exit", (value,), span=body.at(root))
    elif root is not None:
        body.statement(root)
        leave_by_labels(body)


def declare_formals(body: Body, function: Node, node: Node) -> None:
    listed, variadic = parameters(function, node)
    for each in listed:
        kind = as_record(body.resolved(each.type), each.name in body.file.dotted)
        local = body.declare(each.name, kind)
        made = body.kinds.type(kind)
        if each.words & _RESTRICT and made.kind == "pointer":
            made = replace(made, name="read" if each.constant else "written")
        body.function.formals.append(Formal(local.variable, made))
    if variadic:
        body.function.formals.append(Formal(add_rest(body), kind="rest"))


def promises(body: Body, function: Node, node: Node, end: int) -> tuple[list[Argument], bool]:
    """What the declaration of a function says of null, as types of its parameters and of what it returns; whether it
    never comes back."""
    found: list[Argument] = []
    said = attributes(node, end)
    listed = parameters(function, node)[0]
    for number, each in enumerate(listed):
        not_null = any(what == "nonnull" and (not of or number + 1 in of) for what, of in said)
        start, stop = each.declaration.start_byte, each.declaration.end_byte
        if any(start < place < stop for place in body.file.nullable):
            found.append(Argument(NULL, each.name))
        elif (not_null and body.kinds.resolve(each.type).levels) or each.words & _NOT_NULL:
            found.append(Argument(OTHER, each.name))
    if any(what == "returns_nonnull" for what, _ in said):
        found.append(Argument(OTHER, "return"))
    return found, any(what == "noreturn" for what, _ in said)
