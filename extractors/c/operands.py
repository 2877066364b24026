"""What is known of an expression without lowering it: the type that is declared, the number that it is."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.c.declarations import UNKNOWN, CType, described
from pliant.extractors.c.integers import integer
from pliant.extractors.c.lowering import Lowering
from pliant.extractors.c.places import operator_of
from pliant.extractors.lowering.source import only, text


def field_type(lo: Lowering, kind: CType, field: str) -> CType:
    return lo.types.fields.get(lo.types.resolve(kind).base, {}).get(field, UNKNOWN)


def is_pointer(lo: Lowering, node: Node) -> bool:
    """Whether an operand may be a pointer, by what is declared."""
    kind = node.type
    if kind == "parenthesized_expression" and (inner := only(node)) is not None:
        lo.fn.spend(1)
        return is_pointer(lo, inner)
    if kind in ("number_literal", "char_literal", "sizeof_expression", "true", "false", "unary_expression"):
        return False
    if kind == "cast_expression":
        target = node.child_by_field_name("type")
        return target is None or not lo.types.resolve(described(target)).arithmetic
    if kind == "binary_expression":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        lo.fn.spend(1)
        return (
            operator_of(node) in ("+", "-")
            and left is not None
            and right is not None
            and (is_pointer(lo, left) or is_pointer(lo, right))
        )
    if kind == "identifier":
        bound = lo.bound(text(node))
        if bound is not None:
            with lo.within(bound.frame):
                return is_pointer(lo, bound.node)
        variable = lo.variable(text(node))
        if variable is not None:
            return not lo.types.resolve(variable.type).arithmetic
        macro = lo.macros.get(text(node))
        return not (macro is not None and macro.constant) and text(node) not in lo.enumerators
    if kind == "call_expression":
        function = node.child_by_field_name("function")
        name = text(function) if function is not None and function.type == "identifier" else ""
        if name in lo.functions:
            return not lo.types.resolve(lo.functions[name]).arithmetic
        return name not in lo.models.names or name in lo.models.null or name in lo.models.returns_argument
    if kind == "field_expression":
        name_node = node.child_by_field_name("field")
        return name_node is None or text(name_node) not in lo.arithmetic_fields
    return True


def is_struct(lo: Lowering, node: Node) -> bool:
    """Whether an expression is a variable that holds a struct, which is known by its address but is no pointer."""
    if node.type == "parenthesized_expression" and (inner := only(node)) is not None:
        return is_struct(lo, inner)
    if node.type != "identifier" or lo.bound(text(node)) is not None:
        return False
    variable = lo.variable(text(node))
    return variable is not None and variable.type.aggregate


def type_of(lo: Lowering, node: Node) -> CType:
    """The type of what an expression names, as far as it is declared in the file."""
    kind = node.type
    if kind == "identifier":
        named = text(node)
        bound = lo.bound(named)
        if bound is not None:
            with lo.within(bound.frame):
                return type_of(lo, bound.node)
        variable = lo.variable(named)
        return lo.types.resolve(variable.type) if variable is not None else UNKNOWN
    if kind == "parenthesized_expression" and (inner := only(node)) is not None:
        lo.fn.spend(1)
        return type_of(lo, inner)
    if kind == "compound_literal_expression" and (target := node.child_by_field_name("type")) is not None:
        return described(target)
    if kind == "field_expression":
        name = node.child_by_field_name("field")
        argument = node.child_by_field_name("argument")
        if name is None or argument is None:
            return UNKNOWN
        lo.fn.spend(1)
        outer = type_of(lo, argument)
        if outer.levels[:1] == ("pointer",):
            outer = outer.element()
        known = lo.types.fields.get(outer.base) if not outer.levels else None
        if known is not None and text(name) in known:
            return lo.types.resolve(known[text(name)])
        return CType("int") if text(name) in lo.arithmetic_fields else UNKNOWN
    if kind in ("subscript_expression", "pointer_expression"):
        argument = node.child_by_field_name("argument")
        if argument is None or (kind == "pointer_expression" and operator_of(node) == "&"):
            return UNKNOWN
        lo.fn.spend(1)
        outer = type_of(lo, argument)
        return lo.types.resolve(outer.element()) if outer.levels else UNKNOWN
    return UNKNOWN


def literal_number(lo: Lowering, node: Node) -> int | None:
    """The number that an expression is."""
    kind = node.type
    if kind == "number_literal":
        return integer(text(node))
    if kind == "parenthesized_expression" and (inside := only(node)) is not None:
        lo.fn.spend(1)
        return literal_number(lo, inside)
    if kind == "unary_expression":
        lo.fn.spend(1)
        argument = node.child_by_field_name("argument")
        inner = literal_number(lo, argument) if argument is not None else None
        operator = operator_of(node)
        if inner is not None and operator == "-":
            return -inner
        return int(not inner) if inner is not None and operator == "!" else None
    if kind == "true":
        return 1
    if kind in ("false", "null"):
        return 0
    if kind == "cast_expression":
        lo.fn.spend(1)
        value = node.child_by_field_name("value")
        return literal_number(lo, value) if value is not None else None
    if kind == "identifier":
        name = text(node)
        bound = lo.bound(name)
        if bound is not None:
            with lo.within(bound.frame):
                return literal_number(lo, bound.node)
        if lo.variable(name) is not None:
            return None
        if name in lo.enumerators:
            return lo.enumerators[name]
        macro = lo.macros.get(name)
        if macro is not None and macro.number is not None:
            return macro.number
        if macro is not None and macro.parameters is None and not lo.expanding(macro):
            body = macro.read(lo.parser)
            if (
                body is not None
                and macro.form == "expression"
                and body.type in ("parenthesized_expression", "unary_expression")
            ):
                with lo.within(lo.open_frame(macro, [], node)):
                    return literal_number(lo, body)
        if macro is None and name in lo.models.constants:
            return lo.models.constants[name]
        if macro is None and name.isupper():
            return named_number(name)
    return None


def named_number(name: str) -> int:
    """A number that stands for a constant of another file, the same wherever it is named."""
    digest = 0
    for character in name.encode():
        digest = (digest * 131 + character) % 1_000_000_007
    return 1_000_000 + digest
