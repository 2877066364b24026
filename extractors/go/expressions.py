"""Expressions: each gives a value and, as far as the file shows it, its type."""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from pliant.extractors.go.body import Body, Typed
from pliant.extractors.go.names import Global, Local, Named, Package
from pliant.extractors.go.types import target, written
from pliant.extractors.ir.operands import ANY, BOOLEAN, NUMBER, OTHER, STRING, Constant, Operand, Predicate, Type
from pliant.extractors.ir.unit import Span
from pliant.extractors.lowering.source import elements, joined, only, span, text

Handler = Callable[[Body, Node], Typed]
HANDLERS: dict[str, Handler] = {}
_DIGITS = 40  # of a number that is kept
_LETTERS = 200  # of a string that is kept


def expression(*kinds: str) -> Callable[[Handler], Handler]:
    """Registers what translates the nodes of these types."""

    def register(handler: Handler) -> Handler:
        HANDLERS.update(dict.fromkeys(kinds, handler))
        return handler

    return register


def typed(body: Body, node: Node | None) -> Typed:
    """The value of an expression, and its type."""
    if node is None:
        return OTHER, ANY
    handler = HANDLERS.get(node.type)
    return handler(body, node) if handler is not None else body.unmodelled(node.type)


def value(body: Body, node: Node | None) -> Operand:
    return typed(body, node)[0]


def fitting(body: Body, node: Node, wanted: Type) -> Operand:
    """The value of an expression that is assigned to or passed as what has a type."""
    found, kind = typed(body, node)
    return body.fit(found, kind, wanted, node)


# Names and literals.


@expression("identifier")
def name(body: Body, node: Node) -> Typed:
    meaning = body.meaning(text(node))
    if isinstance(meaning, Local | Global):
        return body.build.get(body.variable(meaning), span(node)), meaning.type
    return OTHER, ANY  # `_`, or a type where a value is expected


@expression("nil")
def nil(body: Body, node: Node) -> Typed:
    return body.build.null(span(node)), ANY


@expression("true", "false")
def truth(body: Body, node: Node) -> Typed:
    return Constant("boolean", node.type == "true"), BOOLEAN


@expression("int_literal")
def integer(body: Body, node: Node) -> Typed:
    digits = text(node).replace("_", "").lower()
    if len(digits) > _DIGITS:
        return OTHER, NUMBER
    if len(digits) > 1 and digits[0] == "0" and digits[1].isdigit():
        digits = f"0o{digits}"
    try:
        return Constant("integer", int(digits, 0)), NUMBER
    except ValueError:
        return OTHER, NUMBER


@expression("float_literal")
def floating(body: Body, node: Node) -> Typed:
    digits = text(node)
    return (Constant("float", digits) if len(digits) <= _DIGITS else OTHER), NUMBER


@expression("rune_literal")
def rune(body: Body, node: Node) -> Typed:
    inner = text(node)[1:-1]
    return (Constant("integer", ord(inner)) if len(inner) == 1 else OTHER), NUMBER


@expression("imaginary_literal", "iota")
def number(body: Body, node: Node) -> Typed:
    return OTHER, NUMBER


@expression("interpreted_string_literal", "raw_string_literal")
def string(body: Body, node: Node) -> Typed:
    inner = text(node)[1:-1]
    kept = len(inner) <= _LETTERS and (node.type == "raw_string_literal" or "\\" not in inner)
    return (Constant("string", inner) if kept else OTHER), STRING


@expression("parenthesized_expression", "variadic_argument")
def parenthesized(body: Body, node: Node) -> Typed:
    return typed(body, only(node))


# Fields.


def member_span(node: Node, field: Node) -> Span:
    """Where a field or a method is used: with what is in front of it on its line."""
    first, last = (node if node.start_point[0] == field.start_point[0] else field), span(node)
    return (*span(first)[:2], *last[2:])


def reach(body: Body, base: Operand, kind: Type, name: str, at: Span) -> tuple[Operand, Type | None]:
    """The object that has a field or method of a value's type, perhaps an embedded one; the type of the field, None if
    it is no field."""
    path, found = body.file.field(kind, name)
    for embedded in path:
        base = body.build.give("load", base, embedded, span=at)
    return base, found


@expression("selector_expression")
def selector(body: Body, node: Node) -> Typed:
    operand, field = node.child_by_field_name("operand"), node.child_by_field_name("field")
    if operand is None or field is None:
        return body.unmodelled("selector_expression")
    if operand.type == "identifier":
        meaning = body.meaning(text(operand))
        if isinstance(meaning, Package):
            return body.build.get(body.member(meaning.path, text(field)), span(node)), ANY
        if isinstance(meaning, Named):  # a method as a function of its receiver
            return OTHER, ANY
    base, kind = typed(body, operand)
    at = member_span(node, field)
    base, found = reach(body, base, kind, text(field), at)
    return body.build.give("load", base, text(field), span=at), found or ANY


# Elements.


@expression("index_expression")
def index(body: Body, node: Node) -> Typed:
    operand, key = node.child_by_field_name("operand"), node.child_by_field_name("index")
    if operand is not None and operand.type == "identifier":
        meaning = body.meaning(text(operand))
        if isinstance(meaning, Named) or (isinstance(meaning, Global) and meaning.name in body.file.signatures):
            return typed(body, operand)  # of type arguments
    base, kind = typed(body, operand)
    base, kind = through(body, base, kind, node)
    at = value(body, key)
    if isinstance(at, Constant) and at.kind == "integer" and body.file.shape(kind) in ("slice", "any"):
        body.build.do("require", base, "subscript", "[]", span=span(node))  # nil has no elements
    return body.build.give("element", base, at, span=span(node)), element_type(kind)


def through(body: Body, base: Operand, kind: Type, node: Node) -> Typed:
    """An array where a pointer to it is indexed or sliced."""
    kind = body.file.underlying(kind)
    if kind.kind != "pointer":
        return base, kind
    body.build.do("require", base, "pointer", "[]", span=span(node))
    return base, body.file.underlying(target(kind))


def element_type(kind: Type) -> Type:
    """The type of the elements of a container."""
    if kind.kind == "string":
        return NUMBER
    return kind.of[-1] if kind.of and kind.kind in ("array", "map", "channel") else ANY


@expression("type_instantiation_expression")
def instance(body: Body, node: Node) -> Typed:
    """A function or a type with several type arguments."""
    return typed(body, elements(node)[0])


@expression("slice_expression")
def slice_(body: Body, node: Node) -> Typed:
    base, kind = typed(body, node.child_by_field_name("operand"))
    for bound in ("start", "end", "capacity"):
        if (found := node.child_by_field_name(bound)) is not None:
            value(body, found)
    base, kind = through(body, base, kind, node)
    if kind.kind == "string":
        return body.build.give("arithmetic", "[:]", (base,)), STRING
    made: Operand = body.build.give("slice", base, span=span(node))
    kind = Type("array", of=kind.of[:1]) if kind.kind == "array" else ANY
    if (end := node.child_by_field_name("end")) is not None and text(end) != "0":
        made = body.build.give("convert", made, kind, "asserted")  # it has elements, or nothing is done with them
    return made, kind


# Assertions of types.


@expression("type_assertion_expression")
def assertion(body: Body, node: Node) -> Typed:
    """Fails for nil and for other types."""
    base = value(body, node.child_by_field_name("operand"))
    declared = node.child_by_field_name("type")
    kind, name = written(declared, body), joined(declared) if declared is not None else ""
    body.build.do("require", base, "attribute", f".({name[:_LETTERS]})", span=span(node))
    return body.build.give("convert", base, kind, "asserted", span=span(node)), kind


def either(body: Body, test: Predicate | None, found: Callable[[], Operand], kind: Type, at: Node) -> Typed:
    """A value and whether there is one, as `v, ok := ...` takes them: what is found, or what a variable is at first.

    test: says which; None where that is not modelled."""
    build = body.build
    yes, no = build.block(), build.block()
    if test is None:
        build.choose([yes, no])
    else:
        build.branch(test, yes, no, span(at))

    def there() -> Operand:
        return build.give("tuple", (found(), Constant("boolean", True)))

    def missing() -> Operand:
        return build.give("tuple", (body.zero(kind, span(at)), Constant("boolean", False)))

    both = Type("tuple", of=(kind, BOOLEAN))
    return build.chosen("found", both, [(yes, there), (no, missing)]), both
