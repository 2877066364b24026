"""The functions of the language."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tree_sitter import Node

from pliant.extractors.go.body import Body, Typed
from pliant.extractors.go.expressions import element_type, fitting, name, typed, value
from pliant.extractors.go.names import Global, Local
from pliant.extractors.go.types import INTERFACE, written
from pliant.extractors.ir.operands import ANY, NUMBER, OTHER, Operand, Type
from pliant.extractors.lowering.source import only, span, text

_Call = Callable[[Body, Node, Sequence[Node]], Typed]


def _computed(kind: Type) -> _Call:
    """What computes a number of its arguments, or nothing."""

    def call(body: Body, node: Node, given: Sequence[Node]) -> Typed:
        values = tuple(value(body, each) for each in given)
        function = node.child_by_field_name("function")
        operation = (function.text or b"").decode() if function is not None else ""
        return body.build.give("arithmetic", operation, values), kind

    return call


def _append(body: Body, node: Node, given: Sequence[Node]) -> Typed:
    """A slice with the elements of another one and some more: never nil if there are some."""
    if not given:
        return OTHER, ANY
    base, kind = typed(body, given[0])
    inner = element_type(body.file.underlying(kind))
    elements: list[Operand] = [body.build.give("element", base, OTHER)]
    for each in given[1:]:
        if each.type == "variadic_argument":
            elements.append(body.build.give("element", value(body, only(each)), OTHER))
        else:
            elements.append(fitting(body, each, inner))
    if len(given) == 1 or given[-1].type == "variadic_argument":  # of nothing, perhaps
        return body.build.give("slice", base, span=span(node)), kind
    made = kind if body.file.shape(kind) == "slice" else Type("array")
    return body.build.give("allocate", made, tuple(elements), span=span(node)), kind


def _make(body: Body, node: Node, given: Sequence[Node]) -> Typed:
    kind = written(given[0], body) if given else ANY
    for each in given[1:]:
        value(body, each)
    return body.build.give("allocate", kind, (), span=span(node)), kind


def _new(body: Body, node: Node, given: Sequence[Node]) -> Typed:
    """A pointer to a new variable: of a type, or with the value of a variable. For other values, see `parser`."""
    if given and given[0].type == "type_identifier" and isinstance(body.meaning(text(given[0])), Local | Global):
        found, kind = name(body, given[0])
        return body.holding(found, kind, node), Type("pointer", of=(kind,))
    kind = written(given[0], body) if given else ANY
    return body.new(kind, (), span(node)), Type("pointer", of=(kind,))


def _panic(body: Body, node: Node, given: Sequence[Node]) -> Typed:
    body.build.do("raise", value(body, given[0]) if given else OTHER, span=span(node))
    return OTHER, ANY


def _recover(body: Body, node: Node, given: Sequence[Node]) -> Typed:
    return body.build.give("caught", (), span=span(node)), INTERFACE


BUILTIN_CALLS: dict[str, _Call] = {
    **{name: _computed(NUMBER) for name in ("cap", "complex", "copy", "imag", "len", "max", "min", "real")},
    **{name: _computed(ANY) for name in ("clear", "close", "delete", "print", "println")},
    "append": _append,
    "make": _make,
    "new": _new,
    "panic": _panic,
    "recover": _recover,
}
