"""Functions as values: lambdas, which are lowered like methods, and references to methods."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.java import (
    guards,
    type_arguments,
    written_types,
)
from pliant.extractors.java.classes import define_function
from pliant.extractors.java.declarations import parameters_of
from pliant.extractors.java.expressions import handles, names_type, outer_this
from pliant.extractors.java.lowering import Lowering, Pending
from pliant.extractors.java.paths import keys_of
from pliant.extractors.java.types import erased
from pliant.extractors.lowering.source import elements, is_small, span, text
from pliant.extractors.ssa import Value


@handles("lambda_expression")
def lambda_(lo: Lowering, node: Node) -> Value:
    symbol = lo.namer(lo.deeper(f"{lo.symbol[1:]}.<lambda>"))
    parameters_node, body = node.child_by_field_name("parameters"), node.child_by_field_name("body")
    parameters: list[tuple[str, Node | None, str, Node]]
    if parameters_node is not None and parameters_node.type == "identifier":
        parameters = [(text(parameters_node), None, "", parameters_node)]
    elif parameters_node is not None and parameters_node.type == "inferred_parameters":
        parameters = [(text(child), None, "", child) for child in elements(parameters_node)]
    else:
        parameters = [(p.name, p.type, p.type_name, p.node) for p in parameters_of(node)]
    define_function(lo, symbol, node, len(parameters))
    for parameter in parameters_of(node):
        if parameter.nullable:
            lo.emit("nullable_formal", f"{symbol}|{parameter.name}|formal")
    taken = type_arguments.function_parameters(lo, type_arguments.target_of(lo, node)) if lo.annotated else []
    for (name, declared, _, _), type_ in zip(parameters, taken, strict=False):
        if type_.nullable and declared is None:
            lo.emit("nullable_formal", f"{symbol}|{name}|formal")

    known = guards.known_in_lambda(lo, node)
    small = is_small(node)

    def lower() -> None:
        for field in known:
            path = lo.fn.path(lo.this(), field)
            if path is not None:
                lo.fn.write(path, lo.fn.unnamed())
        for position, (name, declared, type_name, place) in enumerate(parameters):
            formal = lo.fn.fixed_value(f"{symbol}|{name}|formal")
            lo.fn.homes[formal] = lo.fn.entry
            lo.fn.spans[formal] = span(place)
            lo.fn.formals[formal] = None
            lo.fn.follow_object(formal, small)
            lo.emit("formal", symbol, position, formal)
            lo.declared(formal, declared)
            lo.declare_variable(name, type_name, formal, _written(declared, taken[position : position + 1]))
        if body is not None and body.type == "block":
            lo.statement(body)
            lo.leave(None)
        elif body is not None:
            lo.leave(lo.expression(body))

    captures = lo.capture(symbol, node)
    lo.pending.append(Pending(symbol, lo.class_, lo.static, lower, node, captures, lo.frame))
    return _function_value(lo, symbol, node)


def _written(declared: Node | None, taken: list[written_types.Type]) -> written_types.Type | None:
    return written_types.written(declared) if declared is not None else next(iter(taken), None)


def _function_value(lo: Lowering, symbol: str, node: Node) -> Value:
    value = lo.value("lambda", node)
    lo.functions.add(value)
    lo.fn.nonnull.add(value)
    lo.emit("holds", value, symbol)
    return value


@handles("method_reference")
def reference(lo: Lowering, node: Node) -> Value:
    """`base::name`, as what members of that name are with any of a few numbers of arguments."""
    children = elements(node)
    if not children:
        return lo.opaque()
    base_node, name = children[0], text(children[-1]) if len(children) > 1 else ""
    if base_node.type in ("type_identifier", "generic_type", "array_type", "scoped_type_identifier"):
        base = lo.type_value(erased(base_node)) if base_node.type != "array_type" else lo.opaque()
    elif dotted := names_type(lo, base_node):
        base = lo.type_value(dotted)
    else:
        base = outer_this(lo, "") if base_node.type == "ERROR" else lo.expression(base_node)
        lo.dereference(base, f"::{name}", "method", node, keys_of(lo, base_node))
    if not name or node.children[-1].type == "new":
        lo.writer.unmodelled("reference to a constructor")
        return lo.opaque()
    value = lo.value("reference", node)
    lo.functions.add(value)
    lo.fn.nonnull.add(value)
    for count in range(4):
        member = lo.value(f"::{name}")
        lo.emit("load", member, base, f"{name}/{count}")
        lo.emit("assign_object", value, member)
    return value
