"""Functions, lambdas and classes."""

from __future__ import annotations

from functools import partial

from tree_sitter import Node

from pliant.extractors.ir import ANY, Argument, Class, Formal, Function, Type
from pliant.extractors.ir.operands import NULL, OTHER, Operand
from pliant.extractors.lowering.source import joined
from pliant.extractors.python.translation.annotations import admits_none, declared, is_none
from pliant.extractors.python.translation.functions import Body, elements, expression, span, statement, text

_PROPERTIES = frozenset(("property", "cached_property", "abstractproperty", "lazy_property"))
_KEPT = frozenset(("cached_property", "lazy_property"))
_CACHES = frozenset(("cache", "lru_cache"))  # of functions: by their arguments
_OTHER_HALVES = frozenset(("setter", "deleter"))
# Decorators that say what a function is: it is not called with it.
_SAYING = _PROPERTIES | _OTHER_HALVES | {"staticmethod", "classmethod", "abstractmethod", "overload", "getter", "wraps"}
_STATIC = frozenset(("__new__",))
_OF_CLASSES = frozenset(("__init_subclass__", "__class_getitem__"))

Decorator = tuple[str, Operand, Node]  # the last part of its name, its value, where it stands


@statement("function_definition")
def function_definition(body: Body, node: Node) -> None:
    _define(body, node, [])


@statement("decorated_definition")
def decorated(body: Body, node: Node) -> None:
    definition = node.child_by_field_name("definition")
    if definition is None:
        return
    decorators: list[Decorator] = []
    for child in elements(node):
        for each in elements(child) if child.type == "decorator" else ():
            called = each.child_by_field_name("function") if each.type == "call" else each
            decorators.append((joined(called or each).rsplit(".", 1)[-1], body.expression(each), each))
    if definition.type == "class_definition":
        _class(body, definition)
    else:
        _define(body, definition, decorators)


def _define(body: Body, node: Node, decorators: list[Decorator]) -> None:
    name = node.child_by_field_name("name")
    if name is None:
        return
    said = frozenset(what for what, _, _ in decorators)
    value = function(body, node, text(name), said)
    if said & _OTHER_HALVES:
        return
    for what, decorator, where in reversed(decorators):
        if what not in _SAYING:
            value = body.builder.give("decorate", decorator, value, span=span(where))
    body.bind(text(name), value, span(name))


@expression("lambda")
def lambda_(body: Body, node: Node) -> Operand:
    return function(body, node, "<lambda>", frozenset())


def function(body: Body, node: Node, name: str, decorators: frozenset[str]) -> Operand:
    """The function object; its body is translated later. Defaults and annotations are evaluated here."""
    symbol = body.file.unique(body.nested(name))
    scope = body.file.scopes.of[node.id]
    scope.qualname = symbol
    of_class = bool(body.class_name) and body.scope.kind == "class"
    owner = Type("class", body.class_name) if of_class else None
    flags = set()
    flags |= {"static"} if "staticmethod" in decorators or (of_class and name in _STATIC) else set()
    flags |= {"class_method"} if "classmethod" in decorators or name in _OF_CLASSES else set()
    flags |= {"property"} if of_class and decorators & _PROPERTIES else set()
    flags |= {"kept"} if (of_class and decorators & _KEPT) or _CACHES >= decorators - _SAYING > set() else set()
    flags |= {"setter"} if decorators & _OTHER_HALVES else set()
    flags |= {"generator"} if scope.yields else set()
    flags |= {"asynchronous"} if any(child.type == "async" for child in node.children) else set()
    name_node = node.child_by_field_name("name") or node
    made = Function(symbol, owner=owner, span=span(name_node), extent=span(node))
    inner = Body(body.file, made, scope)
    outer, body.builder.within = body.builder.within, symbol
    receives = of_class and "staticmethod" not in decorators
    defaults, types = _formals(body, node, made, inner, receives=receives, holds="overload" not in decorators)
    annotation = node.child_by_field_name("return_type")
    nested = body.nested(name)
    if "overload" in decorators:
        flags |= {"declared", "overload"}
        may_be_none = annotation is None or NULL in declared(body, annotation)
        body.file.overloads[nested] = body.file.overloads.get(nested, True) and may_be_none
    else:
        flags |= {"overloaded"} if not body.file.overloads.get(nested, True) else set()
        if annotation is not None and not scope.yields:
            results = [Argument(each, "return") for each in declared(body, annotation)]
            types += results if not is_none(annotation) else []
            where = span(annotation)
            body.builder.do("signature", symbol, tuple(types), span=where)
        elif types:
            body.builder.do("signature", symbol, tuple(types), span=span(name_node))
        body.file.wait(node, inner, partial(inner.function_body, node, stub=_is_stub(node, decorators)))
    if only_refuses(node.child_by_field_name("body")):
        flags |= {"refuses"}
    made.flags = frozenset(flags)
    if "overload" in decorators:
        body.file.unit.functions.append(made)
    body.builder.within = outer
    return body.builder.give("closure", symbol, tuple(defaults), span=made.span)


def _formals(
    body: Body, node: Node, made: Function, inner: Body, *, receives: bool, holds: bool
) -> tuple[list[Operand], list[Argument]]:
    """Declares the parameters; returns the defaults, evaluated in the order of the parameters that have one, and what
    the parameters are declared to be."""
    parameters = node.child_by_field_name("parameters")
    defaults: list[Operand] = []
    types: list[Argument] = []
    named_only = False
    for child in elements(parameters) if parameters is not None else ():
        if child.type in ("keyword_separator", "positional_separator"):
            named_only |= child.type == "keyword_separator"
            continue
        default, kind_node = child.child_by_field_name("value"), child.child_by_field_name("type")
        bound = child.child_by_field_name("name") or child
        if child.type == "typed_parameter":
            bound = next(iter(elements(child)), child)
        rest = {"list_splat_pattern": "rest", "dictionary_splat_pattern": "names"}.get(bound.type, "")
        if rest:
            bound = next(iter(elements(bound)), bound)
        if default is not None:
            defaults.append(body.expression(default))
        if kind_node is not None and not rest and holds:
            types += [Argument(each, text(bound)) for each in declared(body, kind_node)]
            if not admits_none(kind_node) and (default is None or default.type != "none"):
                types.append(Argument(OTHER, text(bound)))
        kind = rest or ("named" if named_only else "receiver" if receives and not made.formals else "one")
        variable = inner.variable(text(bound), inner.scope)
        made.formals.append(Formal(variable, ANY, kind, default is not None))  # type: ignore[arg-type]
        named_only |= rest == "rest"
    return defaults, types


_NO_STATEMENT = frozenset(("pass_statement", "comment"))
_ABSTRACT = frozenset(("abstractmethod", "abstractproperty"))


def _is_stub(node: Node, decorators: frozenset[str]) -> bool:
    """Whether a body says nothing about what the function returns: abstract, a docstring, `...` or `pass`. A function
    that is declared to return None alone says so; a method may be overridden by one that does not."""
    body, annotation = node.child_by_field_name("body"), node.child_by_field_name("return_type")
    if annotation is not None and is_none(annotation) and not _in_class(node):
        return False
    if body is None or decorators & _ABSTRACT:
        return True
    for each in elements(body):
        if each.type in _NO_STATEMENT:
            continue
        children = elements(each)
        if each.type == "expression_statement" and children and children[0].type in ("string", "ellipsis"):
            continue
        return False
    return True


def _in_class(node: Node) -> bool:
    around = node.parent
    while around is not None and around.type in ("decorated_definition", "block"):
        around = around.parent
    return around is not None and around.type == "class_definition"


def only_refuses(body: Node | None) -> bool:
    """Whether a body, but for a docstring, only raises NotImplementedError: subclasses do the work."""
    statements = [
        each
        for each in elements(body)
        if not (each.type == "expression_statement" and next((e.type for e in elements(each)), "") == "string")
    ]
    return len(statements) == 1 and statements[0].type == "raise_statement" and "NotImplemented" in text(statements[0])


@statement("class_definition")
def class_definition(body: Body, node: Node) -> None:
    _class(body, node)


def _class(body: Body, node: Node) -> None:
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
            base = child.child_by_field_name("value") if child.type == "subscript" else child  # Generic[T]
            bases.append(body.expression(base or child))
    body.file.unit.classes.append(Class(Type("class", symbol), span=span(name)))
    value = body.builder.give("class", symbol, tuple(bases), span=span(name))
    outer = body.scope, body.class_name, body.class_value, body.builder.within
    body.scope, body.class_name, body.class_value = body.file.scopes.of[node.id], symbol, value
    body.builder.within = symbol
    body.scope.qualname = symbol
    body.block(node.child_by_field_name("body"))
    body.scope, body.class_name, body.class_value, body.builder.within = outer
    body.bind(text(name), value, span(name))
