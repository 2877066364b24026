"""What stands outside of functions: functions, variables of the file, declarations of what other files define."""

from __future__ import annotations

import re

from tree_sitter import Node

from pliant.extractors.budget import NODE_STEPS
from pliant.extractors.c import forms, outcomes, spreads, unread
from pliant.extractors.c.declarations import (
    UNTYPED,
    Attributes,
    CType,
    attributes,
    declarator,
    parameters,
    read_struct,
    specifiers,
)
from pliant.extractors.c.entities import FREED, LARGEST, MODULE, Form, Variable
from pliant.extractors.c.initializers import initialize
from pliant.extractors.c.local_variables import read_enum
from pliant.extractors.c.lowering import Lowering, statement
from pliant.extractors.c.macros import Macro
from pliant.extractors.c.operands import named_number
from pliant.extractors.c.returns import return_value
from pliant.extractors.lowering.source import elements, span, text

_TABLE = 64  # elements of an array that are known
STATIC = "|static"  # the file as what includes it sees it: its names without linkage are members, too
_RESTRICT = frozenset(("restrict", "__restrict", "__restrict__"))
_BLOCK = re.compile(rb"\s*\{")
_NEVER_NULL = frozenset(("_Nonnull", "__nonnull", "__nonnull__"))


def cell(name: str) -> str:
    return f"{MODULE}|{name}|cell"


def declare_function(lo: Lowering, node: Node) -> None:
    """A function definition; its body is lowered later."""
    one = declarator(node.child_by_field_name("declarator"))
    if one.name is None or one.function is None:
        return
    name = text(one.name)
    parts = specifiers(node)
    lo.globals[name] = Variable(name, name, CType(parts.base, one.levels), None, cell(name), True)
    lo.functions[name] = CType(parts.base, one.levels[1:])


def body_of(lo: Lowering, node: Node) -> Node | None:
    """The body of a function. `int f(a) int a; {` is read as a declaration, with a block behind it."""
    if node.type == "declaration":
        following = node.next_named_sibling if _BLOCK.match(lo.source, node.end_byte) else None
        return following if following is not None and following.type == "compound_statement" else None
    return node.child_by_field_name("body")


@statement("function_definition")
def function_definition(lo: Lowering, node: Node) -> None:
    if lo.symbol != MODULE:  # GNU: a function in a function
        lo.writer.unmodelled("nested function")
        return
    one = declarator(node.child_by_field_name("declarator"))
    body = body_of(lo, node)
    if one.name is None or one.function is None or body is None:
        return
    name = text(one.name)
    if name not in lo.functions:
        declare_function(lo, node)
    symbol = lo.unique(name)
    parts = specifiers(node)
    lo.emit("function", symbol, "|")
    if CType(parts.base, one.levels[1:]) == UNTYPED:
        lo.emit("untyped_result", symbol)
    lo.writer.place(lo.writer.symbol(symbol), span(one.name))
    lo.emit("holds", cell(name), symbol)
    export(lo, name, static="static" in parts.storage)
    promise(lo, name, attributes(node, body.start_byte))
    lo.pending.append((node, body, symbol))


def export(lo: Lowering, name: str, *, static: bool) -> None:
    if name in lo.models.names and not static:
        lo.writer.library(f"c={name}")
    if (name, static) not in lo.exported:
        lo.exported.add((name, static))
        lo.emit("global_name", STATIC if static else "|", name, cell(name))


def promise(lo: Lowering, name: str, said: Attributes) -> None:
    """What attributes say of a function."""
    for what, numbers in said:
        for number in numbers or [0]:
            if number is not None and number <= LARGEST:
                lo.emit("promise", name, what, number - 1)


def file_declaration(lo: Lowering, node: Node) -> None:
    parts = specifiers(node)
    if parts.node is not None:
        read_struct(parts.node, lo.types, lo.fn.spend)
        if parts.node.type == "enum_specifier":
            read_enum(lo, parts.node)
    promised: Attributes | None = None
    for child in node.children_by_field_name("declarator"):
        lo.fn.spend(NODE_STEPS)
        one = declarator(child)
        if one.name is None:
            continue
        name = text(one.name)
        if one.levels[:1] == ("function",):
            if promised is None and body_of(lo, node) is not None:
                function_definition(lo, node)
                return
            promised = attributes(node, node.end_byte) if promised is None else promised
            promise(lo, name, promised)
            lo.prototypes[name] = CType(parts.base, one.levels[1:])
            continue
        if "extern" in parts.storage and one.initial is None:
            continue
        kind = lo.types.resolve(CType(parts.base, one.levels))
        if not kind.levels and not kind.arithmetic and not kind.aggregate and name in lo.dotted_anywhere:
            kind = CType(f"struct {kind.base}")
        whole = kind.array or kind.aggregate
        variable = Variable(name, name, kind, None, cell(name), node=one.name)
        if name in lo.globals and lo.globals[name].address is not None:
            variable = lo.globals[name]
        elif whole or lo.address_taken(name):
            variable.address = lo.fn.fixed_value(cell(name))
        lo.globals[name] = variable
        if name not in lo.placed:
            lo.placed.add(name)
            lo.writer.place(lo.writer.symbol(cell(name)), span(one.name))
        if not kind.arithmetic:
            export(lo, name, static="static" in parts.storage)
            followed = kind.levels[:1] == ("pointer",) and variable.address is None
            if followed and (one.initial is None or lo.is_zero(one.initial)):
                lo.emit("starts_null", cell(name))
        elif parts.storage & {"static", "const"} and not lo.changed(name, parts.storage):
            number = forms.form(lo, one.initial) if one.initial is not None else Form((), 0)
            if number is not None and not number.terms and spreads.fits(lo, number, kind):
                lo.constants[cell(name)] = spreads.wrapped(number.constant, kind)
        if kind.levels == ("array",) and "const" in parts.storage and one.initial is not None:
            tabulate(lo, name, CType(kind.base), one.initial)
        if whole:
            address = lo.address(variable)
            if not CType(kind.base).arithmetic or len(kind.levels) > 1:
                lo.emit("new", address, f"{MODULE}|{name}|object", lo.class_of(kind.scalar()) or "object")
        if one.initial is not None:
            file_initial(lo, variable, one.initial)


def tabulate(lo: Lowering, name: str, kind: CType, node: Node) -> None:
    """Of an array that is never changed, note the elements, if they are constant numbers of type `kind` in order."""
    numbers = [forms.constant(lo, child) for child in elements(node)] if node.type == "initializer_list" else []
    known = [spreads.wrapped(number, kind) for number in numbers if number is not None]
    if kind.arithmetic and len(known) == len(numbers) <= _TABLE:
        lo.tables[cell(name)] = known


def file_initial(lo: Lowering, variable: Variable, node: Node) -> None:
    kind = variable.type
    if node.type == "initializer_list":
        if lo.in_memory_whole(variable):
            initialize(lo, lo.address(variable), kind, node)
        return
    if kind.arithmetic or lo.in_memory_whole(variable):
        return
    value = lo.pointer(node, kind)
    if not lo.is_literal_null(value):
        lo.emit("assign_object", cell(variable.name), value)
        lo.emit("variable_set", cell(variable.name))


def lower_macros(lo: Lowering) -> None:
    """Macros as other files see them: one that is an expression is a function, or a variable that holds it."""
    for macro in lo.macros.values():
        if macro.name in lo.globals or macro.constant:
            continue
        if macro.parameters is None:
            _constant(lo, macro)
        elif macro.read(lo.parser) is not None and "..." not in macro.parameters:
            symbol = lo.unique(macro.name)
            lo.emit("function", symbol, "|")
            lo.writer.place(lo.writer.symbol(symbol), span(macro.node))
            lo.emit("holds", cell(macro.name), symbol)
            export(lo, macro.name, static=True)
            lo.pending.append((macro.node, macro.node, symbol))


def tell_numbers(lo: Lowering) -> None:
    """What the numbers mean by which other files know constants of this one."""
    numbers = [*lo.enumerators.items(), *((macro.name, macro.number) for macro in lo.macros.values())]
    for name, number in numbers:
        if number is not None and name.isupper() and abs(number) < LARGEST:
            for step in (-1, 0, 1):  # a range may end beside it
                lo.emit("stands_for", named_number(name) + step, number + step)


def _constant(lo: Lowering, macro: Macro) -> None:
    body = macro.body
    if body in ("NULL", "((void *)0)", "((void*)0)", "nullptr"):
        lo.emit("assign", cell(macro.name), lo.null("NULL", macro.node, "literal"))
        export(lo, macro.name, static=True)
        return
    if body.isidentifier() and (variable := lo.globals.get(body)) is not None:
        value = lo.read_variable(variable, macro.node)
    elif body.isidentifier() and body not in lo.macros and body != macro.name:
        value = lo.external(body)
        if body in lo.models.names:
            lo.writer.library(f"c:{body}")
    else:
        return
    lo.emit("assign", cell(macro.name), value)
    lo.emit("renames", STATIC, macro.name, cell(macro.name))


def lower_macro_function(lo: Lowering, macro: Macro) -> None:
    """The body of a macro with parameters, as that of a function whose `return` leaves its caller."""
    fn = lo.fn
    lo.in_macro_function = True
    lo.emit("macro", lo.symbol)
    lo.scopes.open()
    for position, name in enumerate(macro.parameters or ()):
        value = fn.fixed_value(f"{lo.symbol}|{name}|formal")
        fn.homes[value] = fn.entry
        fn.formals[value] = None
        lo.emit("formal", lo.symbol, position, value)
        fn.write(name, value)
        fn.write((value, FREED), lo.alive)
        lo.scopes.declare(name, Variable(name, name, CType("")))
        lo.macro_parameters[name] = value
    body = macro.read(lo.parser)
    if body is not None:
        frame = lo.open_frame(macro, [], macro.node)
        with lo.within(frame):
            if macro.form == "statement":
                lo.statement(body)
                if fn.reachable():
                    lo.leave_with(None, macro.node)
            else:
                return_value(lo, body, macro.node)
    lo.write_exits()


def lower_function(lo: Lowering, node: Node, body: Node) -> None:
    """Lower the body of a function into `lo.fn`."""
    fn, symbol = lo.fn, lo.symbol
    one = declarator(node.child_by_field_name("declarator"))
    if one.function is None or one.name is None:
        return
    parts = specifiers(node)
    lo.returns = CType(parts.base, one.levels[1:])
    listed, variadic = parameters(one.function, node)
    promised = {
        number - 1
        for what, numbers in attributes(node, body.start_byte)
        if what == "nonnull"
        for number in numbers or range(1, len(listed) + 1)
        if number is not None
    }
    lo.scopes.open()
    for position, parameter in enumerate(listed):
        kind = lo.types.resolve(parameter.type)
        variable = Variable(parameter.name, parameter.name, kind)
        if not kind.levels and not kind.arithmetic and not kind.aggregate and parameter.name in lo.dotted:
            variable.type = kind = CType(f"struct {kind.base}")
        value = fn.fixed_value(f"{symbol}|{parameter.name or position}|formal")
        fn.homes[value] = fn.entry
        fn.spans[value] = span(parameter.node)
        if parameter.name:
            lo.scopes.declare(parameter.name, variable)
            lo.shadowed[parameter.name] = 1
        if kind.arithmetic:
            fn.nonnull.add(value)
            fn.formals[value] = None
            fn.define(value, "formal", symbol, position, value)  # it matters where it decides on a null
            lo.numbers.add(value)
            if spreads.is_unsigned(kind):
                lo.unsigned.add(value)
            elif spreads.is_fraction(kind):
                lo.fractions.add(value)
            fn.write(parameter.name, value)
            continue
        lo.emit("formal", symbol, position, value)
        fn.formals[value] = None
        fn.write((value, FREED), lo.alive)
        if kind.plain:
            lo.emit("plain", value)
        if position in promised or parameter.words & _NEVER_NULL:
            fn.nonnull.add(value)
        if any(parameter.declaration.start_byte < place < parameter.declaration.end_byte for place in lo.nullable):
            lo.emit("nullable_formal", value)
        if parameter.words & _RESTRICT:
            lo.emit("restrict", symbol, position, "read" if parameter.constant else "written")
        if kind.aggregate:
            fn.nonnull.add(value)
            variable.address = value
            lo.stack.add(value)
        elif parameter.name in lo.addressed:
            address = lo.value(f"&{parameter.name}", parameter.node)
            fn.nonnull.add(address)
            lo.stack.add(address)
            variable.address = address
            fn.define(address, "new", address, address, lo.class_of(kind) or "pointer")
            lo.emit("store", address, "*", value)
            fn.write((address, "*"), value)
            lo.read_at[(address, "*")] = 0
        else:
            fn.write(parameter.name, value)
            if kind.levels == ("pointer", "pointer"):
                fn.lent.add(value)
    if variadic:
        lo.rest = fn.fixed_value(f"{symbol}|...|formal")
        fn.nonnull.add(lo.rest)
        lo.emit("new", lo.rest, lo.rest, "va_list")
        lo.emit("formal_rest", symbol, lo.rest)
    unmodelled = lo.writer.unmodelled_so_far()
    lo.statement(body)
    for block in lo.labels.values():
        fn.seal(block)
    if fn.reachable():
        lo.leave_with(None, one.name)
    for value in lo.allocated:
        fn.define(value, "new", value, value, "heap")
    lo.write_exits()
    unread.tell(lo, body, unmodelled)
    outcomes.summarize(lo, text(one.name), tuple(lo.types.resolve(parameter.type) for parameter in listed))
