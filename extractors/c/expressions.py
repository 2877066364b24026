"""Expressions: each handler returns the value of its node."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.c import forms
from pliant.extractors.c.declarations import UNKNOWN, UNTYPED, CType, described
from pliant.extractors.c.entities import Place
from pliant.extractors.c.lowering import Lowering, expression
from pliant.extractors.c.operands import is_pointer, is_struct, type_of
from pliant.extractors.c.places import address_of, operator_of, place_of, step, stripped, text_of, write_anew
from pliant.extractors.lowering.source import elements, text
from pliant.extractors.ssa import UNDEFINED, Value

# Reading.


@expression("identifier")
def identifier(lo: Lowering, node: Node) -> Value:
    name = text(node)
    bound = lo.bound(name)
    if bound is not None:
        with lo.within(bound.frame):
            return lo.expression(bound.node)
    variable = lo.variable(name)
    if variable is not None:
        return lo.read_variable(variable, node)
    macro = lo.macros.get(name)
    if macro is not None and macro.parameters is None:
        if macro.constant or lo.expanding(macro):
            return lo.null("NULL", node, "literal") if macro.body == "NULL" else lo.opaque()
        body = macro.read(lo.parser)
        if body is not None and macro.form == "expression":
            with lo.within(lo.open_frame(macro, [], node)):
                return lo.expression(body)
        lo.writer.unmodelled("macro that is no expression")
        return lo.opaque()
    if name in lo.enumerators or name in _NO_VARIABLES:
        return lo.opaque()
    return lo.external(name)


_NO_VARIABLES = frozenset(
    ("__func__", "__FUNCTION__", "__LINE__", "__FILE__", "stdin", "stdout", "stderr", "errno", "environ")
)


@expression("null")
def null(lo: Lowering, node: Node) -> Value:
    return lo.null("NULL", node, "literal")


_NO_VALUES = (
    *("number_literal", "char_literal", "true", "false", "string_literal", "concatenated_string", "string_content"),
    *("escape_sequence", "system_lib_string", "type_descriptor", "sizeof_expression", "alignof_expression"),
    *("offsetof_expression", "primitive_type", "type_identifier", "preproc_defined", "field_identifier"),
    *("statement_identifier", "attribute_specifier", "struct_specifier", "union_specifier", "enum_specifier"),
    *("sized_type_specifier", "macro_type_specifier", "preproc_arg", "preproc_directive"),
)


@expression(*_NO_VALUES)
def constant(lo: Lowering, node: Node) -> Value:
    return lo.opaque()


@expression("parenthesized_expression")
def parenthesized(lo: Lowering, node: Node) -> Value:
    value = lo.opaque()
    for child in elements(node):
        if child.type == "compound_statement":  # GNU: the value of the last statement
            value = block_value(lo, child)
        else:
            value = lo.expression(child)
    return value


def block_value(lo: Lowering, node: Node) -> Value:
    children = elements(node)
    lo.scopes.open()
    for child in children[:-1]:
        lo.statement(child)
    value = lo.opaque()
    if children:
        last = children[-1]
        inner = elements(last)
        if last.type == "expression_statement" and inner:
            if lo.fn.reachable():
                lo.discarded.add(inner[0].id)
                value = lo.expression(inner[0])
        else:
            lo.statement(last)
    lo.scopes.close()
    return value


@expression("extension_expression")
def extension(lo: Lowering, node: Node) -> Value:
    value = lo.opaque()
    for child in elements(node):
        value = lo.expression(child)
    return value


@expression("generic_expression")
def generic(lo: Lowering, node: Node) -> Value:
    """`_Generic`: any of the alternatives, of which types decide that are not known here."""
    children = elements(node)
    fn = lo.fn
    value = fn.opaque
    if children:
        key = lo.unique_key(node, "$generic")
        end = fn.new_block()
        before = fn.split()
        for child in children[1:]:
            if child.type == "type_descriptor" or not fn.reachable(before):
                continue
            fn.start(fn.new_block(before))
            fn.write(key, lo.expression(child))
            fn.jump(end)
        fn.start(end)
        if not fn.reachable():
            fn.start(fn.new_block(before))
        found = fn.read(key)
        value = found if found != UNDEFINED else fn.opaque
    return value


@expression("field_expression", "subscript_expression")
def member(lo: Lowering, node: Node) -> Value:
    place = place_of(lo, node)
    if not place.base:
        return lo.opaque()
    return lo.read(place, text_of(place))


@expression("pointer_expression")
def pointer_expression(lo: Lowering, node: Node) -> Value:
    argument = node.child_by_field_name("argument")
    if argument is None:
        return lo.opaque()
    if operator_of(node) == "&":
        return address_of(lo, argument)
    inner = stripped(argument)
    if inner.type == "identifier" and (variable := lo.variable(text(inner))) is not None and variable.function:
        return lo.read_variable(variable, inner)  # a function that is followed is the function
    place = place_of(lo, node)
    return lo.read(place, "*") if place.base else lo.opaque()


@expression("cast_expression")
def cast(lo: Lowering, node: Node) -> Value:
    value = node.child_by_field_name("value")
    kind = node.child_by_field_name("type")
    if value is None:
        return lo.opaque()
    target = described(kind) if kind is not None else UNKNOWN
    if target.pointer and lo.is_zero(value):
        return lo.null("NULL", node, "literal")
    result = lo.expression(value)
    if target.pointer and result == lo.fn.opaque and forms.constant(lo, value) == 0:
        return lo.null("NULL", node, "literal")
    if target.pointer:
        result = converted(lo, result, target, value)
    return lo.opaque() if lo.types.resolve(target).arithmetic and result not in lo.call_results else result


def converted(lo: Lowering, value: Value, kind: CType, source: Node) -> Value:
    """The value of `source` as a pointer of type `kind`: a new object gets that type, and what was a pointer of no
    type points to objects of that type alone."""
    fn, kind = lo.fn, lo.types.resolve(kind)
    if kind.levels[:1] != ("pointer",) or value in (UNDEFINED, fn.opaque):
        return value
    name = lo.class_of(kind.element())
    if name is None:
        return value
    if value in lo.allocated and name:
        lo.allocated.discard(value)
        lo.emit("new", value, value if name.endswith("*") else f"{name} object", name)
    elif value in lo.call_results or value in lo.loads:
        fn.define(value, *(("used_for", value, name) if name else ("plain", value)))
    elif name and type_of(lo, source) == UNTYPED:
        pointer = lo.value(text(source) if source.type == "identifier" else f"({name} *)", source)
        fn.define(pointer, "converts", pointer, value, name)
        lo.objects[pointer] = value
        fn.roots[pointer] = fn.root(value)
        if lo.is_nonnull(value):
            fn.nonnull.add(pointer)
        else:
            fn.define(pointer, "assign_null", pointer, value)
        return pointer
    return value


# Operators.


@expression("unary_expression")
def unary(lo: Lowering, node: Node) -> Value:
    argument = node.child_by_field_name("argument")
    if argument is None:
        return lo.opaque()
    inner = lo.expression(argument)
    if operator_of(node) == "!":
        value = lo.fn.unnamed()
        yes, no = lo.tests_of(argument, inner)
        lo.fn.tests[value] = (no, yes)
        return value
    return lo.opaque()


def arithmetic(lo: Lowering, node: Node) -> Value:
    """Binary operators that are no tests."""
    operator = operator_of(node)
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return lo.opaque()
    if operator in ("+", "-"):
        a, b = lo.expression(left), lo.expression(right)
        if operator == "-" and is_pointer(lo, left) and is_pointer(lo, right):
            return lo.opaque()
        for value, side in ((a, left), (b, right)):
            if value not in (UNDEFINED, lo.fn.opaque) and is_pointer(lo, side):
                return lo.interior(value, operator, node)
        return lo.opaque()
    lo.expression(left)
    lo.expression(right)
    return lo.opaque()


@expression("update_expression")
def update(lo: Lowering, node: Node) -> Value:
    argument = node.child_by_field_name("argument")
    if argument is None:
        return lo.opaque()
    place = place_of(lo, argument)
    look_at(lo, place, node)
    old = step(lo, place, node)
    prefix = bool(node.children) and node.children[0].type in ("++", "--")
    return lo.read(place, text_of(place)) if prefix and (place.variable is not None or place.base) else old


@expression("assignment_expression")
def assignment(lo: Lowering, node: Node) -> Value:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return lo.opaque()
    operator = operator_of(node)
    if operator != "=":
        place = place_of(lo, left)
        lo.expression(right)
        look_at(lo, place, node)
        return step(lo, place, node) if operator in ("+=", "-=") else forget(lo, place, node)
    kind = type_of(lo, left)
    value = lo.pointer(right, kind)
    place = place_of(lo, left)
    if is_struct(lo, right) and place.variable is None and place.base:  # a member that is a struct
        lo.emit("copies", place.base, value)
        lo.write(place, lo.fn.unnamed(), node)
        return value
    value = converted(lo, value, kind, right)
    assign(lo, place, value, kind, node, right)
    return value


def look_at(lo: Lowering, place: Place, node: Node) -> None:
    """What an operator changes is read, too, where its expression is no statement."""
    if place.variable is not None and node.id not in lo.discarded:
        lo.read_variable(place.variable, node)


def forget(lo: Lowering, place: Place, node: Node) -> Value:
    if place.variable is not None or place.base:
        write_anew(lo, place, lo.a_number(), node)
    return lo.opaque()


def assign(lo: Lowering, place: Place, value: Value, kind: CType, node: Node, source: Node) -> None:
    """source: the expression whose value it is."""
    number = lo.types.resolve(kind).arithmetic
    if number:
        value = forms.kept(lo, kind, value, source)
    if place.variable is None and not place.base:
        return
    if place.field == "*" and place.variable is None and kind.aggregate and value != lo.fn.opaque:
        lo.copy(place.base, value)
        return
    if place.field == "*" and place.variable is None and not kind.base:
        lo.emit("copies", place.base, value)
    lo.write(place, value, node, number=number)


@expression("comma_expression")
def comma(lo: Lowering, node: Node) -> Value:
    value = lo.opaque()
    for child in elements(node):
        if value in lo.call_info:
            lo.behind(value)
        value = lo.pointer(child) if lo.is_zero(child) else lo.expression(child)
    return value


@expression("gnu_asm_expression")
def assembly(lo: Lowering, node: Node) -> Value:
    lo.writer.unmodelled("assembly")
    return lo.opaque()
