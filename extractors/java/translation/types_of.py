"""Types of expressions, as far as the file tells: they say where something is unboxed."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.ir.operands import ANY, BOOLEAN, Constant, Operand, Type
from pliant.extractors.java.translation.body import Body
from pliant.extractors.java.translation.creation import field_type
from pliant.extractors.java.translation.frames import THIS, Declared, Local
from pliant.extractors.java.translation.written import (
    INT,
    STRING,
    array_of,
    dimensions,
    element_of,
    is_primitive,
    type_written,
    unboxed,
)
from pliant.extractors.lowering.source import elements, only, span, text
from pliant.extractors.lowering.trees import operator_of, spine

CLASS = Type("class", "Class", "java.lang")
_LITERALS = {
    "string_literal": STRING,
    "decimal_integer_literal": INT,
    "hex_integer_literal": INT,
    "octal_integer_literal": INT,
    "binary_integer_literal": INT,
    "decimal_floating_point_literal": Type("number", "double"),
    "hex_floating_point_literal": Type("number", "double"),
    "character_literal": Type("number", "char"),
    "true": BOOLEAN,
    "false": BOOLEAN,
    "instanceof_expression": BOOLEAN,
    "class_literal": CLASS,
}
_TRUTHS = frozenset(("==", "!=", "<", ">", "<=", ">=", "&&", "||"))


def fitted(body: Body, node: Node, value: Operand, kind: Type, what: str) -> Operand:
    """A value where one of a type is wanted: it is unboxed for a primitive one."""
    if is_primitive(kind):
        unbox(body, node, value, what)
    return value


def unbox(body: Body, node: Node, value: Operand, what: str) -> None:
    """What `node` gives is used as a primitive."""
    if not isinstance(value, Constant) and not is_primitive(type_of(body, node)):
        body.builder.do("require", value, "unboxing", what, span=span(node))


def type_of(body: Body, node: Node | None) -> Type:
    """The type of an expression; ANY where the file does not tell."""
    while node is not None and node.type == "parenthesized_expression":
        node = only(node)
    if node is None:
        return ANY
    literal = _LITERALS.get(node.type)
    if literal is not None:
        return Type("number", "long") if literal == INT and text(node)[-1:] in "lL" else literal
    if node.type == "identifier":
        return _of_name(body, text(node))
    known = body.file.types.get(node.id)
    if known is None:
        known = body.file.types[node.id] = _computed(body, node)
    return known


def _of_name(body: Body, name: str) -> Type:
    meaning = body.meaning(name)
    if isinstance(meaning, Local):
        return meaning.type
    return field_type(body.file, *meaning) if meaning is not None else ANY


def _computed(body: Body, node: Node) -> Type:
    match node.type:
        case "this":
            return body.class_.type if body.class_ is not None else ANY
        case "cast_expression" | "object_creation_expression":
            return body.type(node.child_by_field_name("type"))
        case "array_creation_expression":
            given = node.children_by_field_name("dimensions")
            count = sum(dimensions_of(each) for each in given)
            return array_of(body.type(node.child_by_field_name("type")), count)
        case "array_access":
            return element_of(type_of(body, node.child_by_field_name("array")))
        case "field_access":
            return _of_field(body, node)
        case "method_invocation":
            return _of_call(body, node)
        case "assignment_expression":
            return type_of(body, node.child_by_field_name("left"))
        case "update_expression":
            return next((type_of(body, each) for each in elements(node)), ANY)
        case "unary_expression":
            if node.children[0].type == "!":
                return BOOLEAN
            return _promoted([unboxed(type_of(body, node.child_by_field_name("operand")))])
        case "binary_expression":
            operator = operator_of(node)
            if operator in _TRUTHS:
                return BOOLEAN
            first, *rest = spine(node, operator)
            kind = type_of(body, first)
            for each in rest:
                kind = binary_type(operator, [kind, type_of(body, each)])
            return kind
        case "ternary_expression":
            arms = [node.child_by_field_name(each) for each in ("consequence", "alternative")]
            return of_arms([type_of(body, each) for each in arms])
    return ANY


def dimensions_of(node: Node) -> int:
    return sum(child.type == "[" for child in node.children)


def of_arms(arms: list[Type]) -> Type:
    """The type of `c ? a : b`: a primitive one if one of them is, and the other one can be unboxed."""
    if any(map(is_primitive, arms)):
        kinds = [unboxed(each) for each in arms]
        if all(each == BOOLEAN for each in kinds):
            return BOOLEAN
        return _promoted(kinds) if all(each.kind == "number" for each in kinds) else ANY
    return arms[0] if arms[0] == arms[-1] else ANY


def binary_type(operator: str, operands: list[Type]) -> Type:
    """The type of what an operator gives."""
    if operator in _TRUTHS:
        return BOOLEAN
    if operator == "+" and STRING in operands:
        return STRING
    kinds = [unboxed(each) for each in operands]
    if operator in ("&", "|", "^") and BOOLEAN in kinds:
        return BOOLEAN
    if operator == "+" and ANY in kinds:
        return ANY
    return _promoted(kinds)


def _promoted(kinds: list[Type]) -> Type:
    if BOOLEAN in kinds:
        return BOOLEAN
    for wide in ("double", "float", "long"):
        if Type("number", wide) in kinds:
            return Type("number", wide)
    return INT


def _of_field(body: Body, node: Node) -> Type:
    base, name = node.child_by_field_name("object"), node.child_by_field_name("field")
    if base is None or name is None:
        return ANY
    if name.type == THIS:
        return body.type(base)
    kind = type_of(body, base)
    if kind.kind == "array":
        return INT if text(name) == "length" else ANY
    class_ = _declared(body, base, kind)
    known = class_.fields.get(text(name)) if class_ is not None else None
    return field_type(body.file, class_, known) if class_ is not None and known is not None else ANY


def _declared(body: Body, base: Node, kind: Type) -> Declared | None:
    """The class of the file that an expression gives an instance of, or is the name of."""
    if kind.kind == "class":
        return body.file.declared.get(kind.name) if not kind.module else None
    if base.type == "identifier" and body.meaning(text(base)) is None:
        class_, _, rest = body.file.meaning(text(base), body.frame)
        return class_ if not rest else None
    return None


def _of_call(body: Body, node: Node) -> Type:
    """What a method of the file gives, if those that may be meant agree."""
    base, name = node.child_by_field_name("object"), node.child_by_field_name("name")
    if name is None:
        return ANY
    count = len(elements(node.child_by_field_name("arguments")))
    classes = [found] if base is not None and (found := _declared(body, base, type_of(body, base))) is not None else []
    if base is None or base.type == THIS:
        classes = list(body.frame.enclosing())
    for class_ in classes:
        methods = class_.found(text(name), count)
        if methods:
            body.builder.spend(2 * len(methods))
            kinds = {
                array_of(type_written(body.file, class_.frame, each.type), dimensions(each.node)) for each in methods
            }
            return kinds.pop() if len(kinds) == 1 and all(not _is_generic(each.node) for each in methods) else ANY
    return ANY


def _is_generic(node: Node | None) -> bool:
    return node is not None and node.child_by_field_name("type_parameters") is not None
