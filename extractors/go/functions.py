"""Functions: parameters, named results, the body."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.go.body import Body
from pliant.extractors.go.statements import block
from pliant.extractors.go.types import one, parameters, results, type_parameters
from pliant.extractors.ir.operands import Type
from pliant.extractors.ir.unit import Formal
from pliant.extractors.lowering.source import span, text


def translate(body: Body, node: Node) -> None:
    """A function or a method, from its declaration or its literal."""
    function = body.function
    with body.scope():
        body.scopes[-1].update(type_parameters(node))
        for kind in ("receiver", "parameters"):
            for name, type_, many in parameters(node.child_by_field_name(kind), body):
                of = Type("array", of=(type_,)) if many else type_
                variable = _named(body, name, of, len(function.formals))
                role = "receiver" if kind == "receiver" else "rest" if many else "one"
                function.formals.append(Formal(variable, of, role))  # type: ignore[arg-type]
        body.results = tuple(results(node, body))
        function.result = one(body.results)
        result = node.child_by_field_name("result")
        if result is not None and result.type == "parameter_list":
            for name, type_, _ in parameters(result, body):
                if name is not None:
                    variable = _named(body, name, type_, len(body.named))
                    body.build.set(variable, body.zero(type_, span(name)), span(name))
                    body.named.append(variable)
        block(body, node.child_by_field_name("body"))
    body.build.finish()


def _named(body: Body, name: Node | None, kind: Type, position: int) -> str:
    if name is None or text(name) == "_":
        return body.build.variable(f"_{position}", kind)
    return body.declare(text(name), kind)
