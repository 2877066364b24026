"""Calls: of functions, methods, packages' members and types; now, later (`defer`) and beside (`go`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tree_sitter import Node

from pliant.extractors.go.body import Body, Typed
from pliant.extractors.go.builtins import BUILTIN_CALLS
from pliant.extractors.go.expressions import expression, fitting, member_span, reach, typed, value
from pliant.extractors.go.names import Builtin, Global, Named, Package
from pliant.extractors.go.operators import address
from pliant.extractors.go.types import Signature, one, target, written
from pliant.extractors.ir.operands import ANY, OTHER, Argument, Operand, Type
from pliant.extractors.ir.unit import Span
from pliant.extractors.lowering.source import elements, only, span, text


class Callee(NamedTuple):
    """What is called: a function, or the method `name` of the receiver if that does not show. receiver: what a method
    runs on; check: whether a call fails where it is nil."""

    function: Operand | None
    signature: Signature | None
    at: Span
    receiver: Operand = OTHER
    name: str = ""
    check: bool = False


@expression("call_expression")
def call(body: Body, node: Node) -> Typed:
    function, given = node.child_by_field_name("function"), elements(node.child_by_field_name("arguments"))
    kind = converted_to(body, function)
    if kind is not None:
        return conversion(body, kind, given[0] if given else None, node)
    name = _builtin(body, function)
    if name:
        return BUILTIN_CALLS[name](body, node, given)
    callee = called(body, function, node)
    return run(body, callee, arguments(body, given, callee.signature))


@expression("type_conversion_expression")
def generic_or_conversion(body: Body, node: Node) -> Typed:
    """`T[int](x)`: a conversion, or a call of a function with type arguments."""
    kind, operand = node.child_by_field_name("type"), node.child_by_field_name("operand")
    if kind is not None and kind.type == "generic_type":
        name = kind.child_by_field_name("type")
        if name is not None and name.type == "type_identifier":
            meaning = body.meaning(text(name))
            if isinstance(meaning, Global):
                callee = _global(body, meaning, span(node))
                return run(body, callee, arguments(body, [operand] if operand else [], callee.signature))
    return conversion(body, written(kind, body), operand, node)


def conversion(body: Body, kind: Type, operand: Node | None, node: Node) -> Typed:
    found, of = typed(body, operand)
    shape = body.file.shape(kind)
    if shape in ("number", "string", "boolean"):
        return body.build.give("arithmetic", "convert", (found,)), kind
    fitted = body.fit(found, of, kind, node)
    if fitted == found and isinstance(found, int):
        fitted = body.build.give("convert", found, kind, "cast", span=span(node))
    return fitted, kind


def run(body: Body, callee: Callee, given: Sequence[Argument]) -> Typed:
    """Call now."""
    build, receiver = body.build, callee.receiver
    if callee.check:
        build.do("require", receiver, "method", f".{callee.name}", span=callee.at)
        receiver = build.give("convert", receiver, ANY, "asserted")
    if callee.function is None:
        found = build.invoke(receiver, callee.name, given, callee.at)
    else:
        first = [Argument(receiver)] if callee.name else []
        found = build.call(callee.function, [*first, *given], callee.at)
    return found, one(callee.signature.results) if callee.signature is not None else ANY


def later(body: Body, node: Node) -> None:
    """`defer` and `go`: what is called and its arguments are evaluated now."""
    expression_ = only(node)
    while expression_ is not None and expression_.type == "parenthesized_expression":
        expression_ = only(expression_)
    if expression_ is None or expression_.type != "call_expression":
        value(body, expression_)
        return
    function, given = (
        expression_.child_by_field_name("function"),
        elements(expression_.child_by_field_name("arguments")),
    )
    if converted_to(body, function) is not None or _builtin(body, function):
        for each in given:
            value(body, each)
        return
    callee = called(body, function, expression_)
    passed = arguments(body, given, callee.signature)
    if callee.function is None:
        body.build.do("defer", callee.receiver, callee.name, passed, span=callee.at)
    else:
        first = (Argument(callee.receiver),) if callee.name else ()
        body.build.do("defer", callee.function, "", (*first, *passed), span=callee.at)


def called(body: Body, function: Node | None, node: Node) -> Callee:
    """What a call calls."""
    while function is not None and function.type == "parenthesized_expression":
        function = only(function)
    if function is not None and function.type == "selector_expression":
        operand, field = function.child_by_field_name("operand"), function.child_by_field_name("field")
        meaning = body.meaning(text(operand)) if operand is not None and operand.type == "identifier" else None
        if operand is not None and field is not None and not isinstance(meaning, Package | Named):
            return _method(body, operand, field, node)
    if function is not None and function.type in ("identifier", "index_expression", "type_instantiation_expression"):
        name = function if function.type == "identifier" else elements(function)[0]
        meaning = body.meaning(text(name)) if name is not None and name.type == "identifier" else None
        if isinstance(meaning, Global):
            return _global(body, meaning, span(node))
    found, kind = typed(body, function)
    results = Signature((), False, kind.of) if kind.kind == "function" else None
    return Callee(found, results, span(node))


def _global(body: Body, meaning: Global, at: Span) -> Callee:
    found = body.build.get(body.variable(meaning), at)
    return Callee(found, body.file.signatures.get(meaning.name) if meaning.here else None, at)


def _method(body: Body, operand: Node, field: Node, node: Node) -> Callee:
    """A method, or a field that holds a function. Where the file shows which method it is, it is that function, and its
    receiver may be nil if it takes a pointer."""
    name = text(field)
    at = member_span(node, field)
    base, kind = typed(body, operand)
    path, found = body.file.field(kind, name)
    base, found = reach(body, base, kind, name, at)
    if found is not None:
        results = body.file.underlying(found)
        signature = Signature((), False, results.of) if results.kind == "function" else None
        return Callee(body.build.give("load", base, name, span=at), signature, at)
    if path:
        kind = _embedded(body, kind, path)
    known, shape = body.file.method(kind, name), body.file.shape(kind)
    if shape == "interface":
        return Callee(None, known, at, base, name, check=True)
    if known is None and not body.file.is_plain(kind):
        return Callee(None, None, at, base, name)
    method = Global(f"{target(kind).name}.{name}", known.type if known is not None else ANY, known is not None)
    by_value = shape == "pointer" and known is not None and known.receiver == "value"
    if known is not None and known.receiver == "pointer" and shape not in ("pointer", "struct"):
        base, _ = address(body, operand, node)
    return Callee(body.build.get(body.variable(method), at), known, at, base, name, by_value)


def _embedded(body: Body, kind: Type, path: Sequence[str]) -> Type:
    """The type of the last of some embedded fields."""
    for name in path:
        struct = body.file.struct_of(target(body.file.underlying(kind)))
        kind = struct.fields.get(name, ANY) if struct is not None else ANY
    return kind


def arguments(body: Body, given: Sequence[Node], signature: Signature | None) -> tuple[Argument, ...]:
    """The arguments of a call. `f(g())` passes all that `g` gives."""
    if len(given) == 1 and given[0].type == "call_expression":
        found, kind = typed(body, given[0])
        if kind.kind == "tuple":
            items = [Argument(body.item(found, number)) for number in range(len(kind.of))]
            return tuple(items)
        return (Argument(body.fit(found, kind, _wanted(signature, 0), given[0])),)
    made = []
    for number, node in enumerate(given):
        if node.type == "variadic_argument":
            made.append(Argument(value(body, only(node)), "*"))
        else:
            made.append(Argument(fitting(body, node, _wanted(signature, number))))
    return tuple(made)


def _wanted(signature: Signature | None, number: int) -> Type:
    if signature is None or not signature.parameters:
        return ANY
    if number >= len(signature.parameters):
        return signature.parameters[-1] if signature.variadic else ANY
    return signature.parameters[number]


def converted_to(body: Body, function: Node | None) -> Type | None:
    """The type that a call converts to; None if it is a call."""
    while function is not None and function.type == "parenthesized_expression":
        function = only(function)
    if function is None:
        return None
    if function.type.endswith("_type"):
        return written(function, body)
    if function.type == "unary_expression" and function.children[0].type == "*":  # (*T)(x)
        inner = function.child_by_field_name("operand")
        kind = converted_to(body, inner)
        return Type("pointer", of=(kind,)) if kind is not None else None
    if function.type == "identifier":
        meaning = body.meaning(text(function))
        return meaning.type if isinstance(meaning, Named) else None
    return None


def _builtin(body: Body, function: Node | None) -> str:
    if function is None or function.type != "identifier":
        return ""
    meaning = body.meaning(text(function))
    return meaning.name if isinstance(meaning, Builtin) else ""
