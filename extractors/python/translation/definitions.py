"""Functions, lambdas and classes."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.ir import ANY, Argument, Class, Formal, Function, Type
from pliant.extractors.ir.operands import Operand
from pliant.extractors.python.translation.functions import Body, Pending, elements, expression, span, statement, text

_FLAGS = {"staticmethod": "static", "classmethod": "class_method", "property": "property", "overload": "declared"}


@statement("function_definition")
def function_definition(body: Body, node: Node) -> None:
    _define(body, node, [])


@statement("decorated_definition")
def decorated(body: Body, node: Node) -> None:
    definition = node.child_by_field_name("definition")
    if definition is None:
        return
    decorators = [
        (body.expression(each), each)
        for child in elements(node)
        if child.type == "decorator"
        for each in elements(child)
    ]
    if definition.type == "class_definition":
        _class(body, definition, decorators)
    else:
        _define(body, definition, decorators)


def _define(body: Body, node: Node, decorators: list[tuple[Operand, Node]]) -> None:
    name = node.child_by_field_name("name")
    if name is not None:
        value = function(body, node, text(name), [text(each) for _, each in decorators])
        body.bind(text(name), _decorated(body, value, decorators), span(name))


def _decorated(body: Body, value: Operand, decorators: list[tuple[Operand, Node]]) -> Operand:
    """What decorators make of a function or a class, the innermost first."""
    for decorator, where in reversed(decorators):
        value = body.builder.call(decorator, [Argument(value)], span(where))
    return value


@expression("lambda")
def lambda_(body: Body, node: Node) -> Operand:
    return function(body, node, "<lambda>", [])


def function(body: Body, node: Node, name: str, decorators: list[str]) -> Operand:
    """The function object; its body is translated later. Defaults are evaluated here."""
    symbol = body.file.unique(body.nested(name))
    scope = body.file.scopes.of[node.id]
    scope.qualname = symbol
    flags = {_FLAGS[each] for each in decorators if each in _FLAGS}
    flags |= {"generator"} if scope.yields else set()
    flags |= {"asynchronous"} if any(child.type == "async" for child in node.children) else set()
    owner = Type("class", body.class_name) if body.class_name else None
    name_node = node.child_by_field_name("name") or node
    made = Function(symbol, owner=owner, flags=frozenset(flags), span=span(name_node), extent=span(node))
    inner = Body(body.file, made, scope)
    defaults = _formals(body, node, made, inner)
    body.file.pending.append(Pending(node, inner))
    return body.builder.give("closure", symbol, tuple(defaults), span=made.span)


def _formals(body: Body, node: Node, made: Function, inner: Body) -> list[Operand]:
    """Declares the parameters; returns the defaults, evaluated in the order of the parameters that have one."""
    parameters = node.child_by_field_name("parameters")
    defaults: list[Operand] = []
    named_only = False
    for child in elements(parameters) if parameters is not None else ():
        if child.type in ("keyword_separator", "positional_separator"):
            named_only |= child.type == "keyword_separator"
            continue
        default = child.child_by_field_name("value")
        bound = child.child_by_field_name("name") or child
        if child.type == "typed_parameter" and child.named_children:
            bound = child.named_children[0]
        rest = {"list_splat_pattern": "rest", "dictionary_splat_pattern": "names"}.get(bound.type, "")
        if rest and bound.named_children:
            bound = bound.named_children[0]
        if default is not None:
            defaults.append(body.expression(default))
        receiver = not made.formals and made.owner is not None and "static" not in made.flags
        kind = rest or ("named" if named_only else "receiver" if receiver else "one")
        variable = inner.variable(text(bound), inner.scope)
        made.formals.append(Formal(variable, ANY, kind, default is not None))  # type: ignore[arg-type]
        named_only |= rest == "rest"
    return defaults


@statement("class_definition")
def class_definition(body: Body, node: Node) -> None:
    _class(body, node, [])


def _class(body: Body, node: Node, decorators: list[tuple[Operand, Node]]) -> None:
    """A class: its body runs where it is defined."""
    name = node.child_by_field_name("name")
    if name is None:
        return
    symbol = body.file.unique(body.nested(text(name)))
    superclasses = node.child_by_field_name("superclasses")
    bases: list[Operand] = []
    for child in elements(superclasses) if superclasses is not None else ():
        if child.type == "keyword_argument":
            given = child.child_by_field_name("value")
            if given is not None:
                body.expression(given)
        else:
            bases.append(body.expression(child))
    body.file.unit.classes.append(Class(Type("class", symbol), span=span(name)))
    value = body.builder.give("class", symbol, tuple(bases), span=span(name))
    held = body.temporary("class")
    body.builder.set(held, value)
    outer = body.scope, body.class_name, body.class_holder
    body.scope, body.class_name, body.class_holder = body.file.scopes.of[node.id], symbol, held
    body.scope.qualname = symbol
    body.block(node.child_by_field_name("body"))
    body.scope, body.class_name, body.class_holder = outer
    body.bind(text(name), _decorated(body, body.builder.get(held), decorators), span(name))
