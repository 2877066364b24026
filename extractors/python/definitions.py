"""Functions, lambdas and classes."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from pliant.extractors.lowering.source import elements, span, text
from pliant.extractors.passes.inheritance import hidden, known
from pliant.extractors.python.annotations import alternatives, declared
from pliant.extractors.python.expressions import handles as handles_expression
from pliant.extractors.python.expressions import literal_truth
from pliant.extractors.python.helpers import note_return, write_exits
from pliant.extractors.python.lowering import Lowering, Pending
from pliant.extractors.python.statements import handles
from pliant.extractors.ssa import Value

_PROPERTIES = frozenset(("property", "cached_property", "abstractproperty", "lazy_property"))
_OTHER_HALVES = frozenset(("setter", "deleter"))
# Decorators whose effect other facts tell.
_KNOWN = _PROPERTIES | _OTHER_HALVES | {"staticmethod", "classmethod", "abstractmethod", "overload", "getter", "wraps"}
_NO_STATEMENT = frozenset(("pass_statement", "comment"))


@handles("decorated_definition")
def decorated(lo: Lowering, node: Node) -> None:
    definition = node.child_by_field_name("definition")
    if definition is None:
        return
    names: list[str] = []
    decorators: list[tuple[str, Value, Node]] = []
    for child in elements(node):
        if child.type == "decorator":
            for expression in elements(child):
                function = expression.child_by_field_name("function") if expression.type == "call" else expression
                names.append(text(function or expression).rsplit(".", 1)[-1])
                decorators.append((names[-1], lo.expression(expression), expression))
    if definition.type == "class_definition":
        class_definition(lo, definition)
    else:
        define_function(lo, definition, frozenset(names), [each for each in decorators if each[0] not in _KNOWN])


@handles("function_definition")
def function_definition(lo: Lowering, node: Node) -> None:
    define_function(lo, node, frozenset())


def define_function(
    lo: Lowering, node: Node, decorators: frozenset[str], called: Sequence[tuple[str, Value, Node]] = ()
) -> None:
    """called: name, value and place of the decorators that are called with the function, the outermost first."""
    name_node = node.child_by_field_name("name")
    if name_node is None:
        return
    name = text(name_node)
    value = make_function(lo, node, name, decorators)
    if decorators & _OTHER_HALVES:
        return
    for what, decorator, place in reversed(called):
        value = _decorate(lo, value, what, decorator, place)
    lo.bind(name, value, name_node)


def _decorate(lo: Lowering, function: Value, what: str, decorator: Value, node: Node) -> Value:
    """What a decorator makes of a function: the function still, for all that is known, and what the call gives."""
    made = lo.call_value(f"@{what}", node, lo.live(), decorator)
    lo.emit("actual", made, 0, function)
    lo.emit("arguments", made, 1)
    result = lo.value(f"{what} of a function", node)
    lo.fn.nonnull.add(result)
    lo.emit("assign", result, function)
    lo.emit("decorated", result, made)
    return result


@handles_expression("lambda")
def lambda_(lo: Lowering, node: Node) -> Value:
    return make_function(lo, node, "<lambda>", frozenset())


def make_function(lo: Lowering, node: Node, name: str, decorators: frozenset[str]) -> Value:
    """The function object; the body is lowered later. Defaults and annotations are evaluated here."""
    symbol = lo.unique(lo.nested(name))
    scope = lo.scopes.of[node.id]
    scope.qualname = symbol[1:]
    lo.emit("function", symbol, "|")
    place = node.child_by_field_name("name") or node
    lo.writer.place(lo.writer.symbol(symbol), span(place))
    owner = lo.class_symbol
    if owner is not None and not decorators & _OTHER_HALVES and "overload" not in decorators:
        lo.emit("method", owner, name, symbol)
    if decorators & _PROPERTIES and owner is not None:
        lo.emit("property", symbol)
    if "staticmethod" in decorators or (name == "__new__" and owner is not None):
        lo.emit("static_method", symbol)
    if "classmethod" in decorators or name in ("__init_subclass__", "__class_getitem__"):
        lo.emit("class_method", symbol)
    if scope.yields:
        lo.emit("generator", symbol)
    outer, lo.defining = lo.defining, symbol
    for parameter in _parameters(node):
        formal = _formal(symbol, parameter.name)
        if parameter.default is not None:
            lo.emit("default", formal, lo.expression(parameter.default))
            if (truth := literal_truth(parameter.default)) is not None:
                lo.emit("default_truth", formal, "true" if truth else "false")
        if parameter.type is None or parameter.rest or "overload" in decorators:
            continue
        if declared(lo, formal, parameter.type):
            lo.emit("nullable_formal", formal)
    annotation = node.child_by_field_name("return_type")
    nested = lo.nested(name)
    if "overload" in decorators:
        may_be_null = annotation is None or alternatives(annotation)[1]
        lo.overloads[nested] = lo.overloads.get(nested, True) and may_be_null
    elif not lo.overloads.get(nested, True):
        lo.emit("overloaded", symbol)
    if any(child.type == "async" for child in node.children):
        lo.emit("asynchronous", symbol)
    if annotation is not None and not scope.yields and "overload" not in decorators:
        result = lo.value(f"{name} declared", annotation)
        nullable = declared(lo, result, annotation)
        lo.emit("returns", symbol, result, symbol)
        if nullable and _inner_text(annotation) != "None":
            lo.emit("returns", symbol, lo.null(f"{name} annotation", annotation, "annotation"), symbol)
    lo.defining = outer
    lo.capture(scope)
    value = lo.value(f"def {name}", place)
    lo.fn.nonnull.add(value)
    lo.emit("holds", value, symbol)
    if "overload" not in decorators:
        lo.pending.append(Pending(node, scope, symbol, owner, decorators))
    return value


def _inner_text(node: Node) -> str:
    return text(node).strip("'\" ")


def _formal(symbol: str, name: str) -> str:
    return f"{symbol}|{name}|formal"


class _Parameter:
    """A parameter as it is written."""

    __slots__ = ("default", "keyword_only", "name", "node", "rest", "type")

    def __init__(self, node: Node, keyword_only: bool) -> None:
        self.node = node
        self.keyword_only = keyword_only
        self.default = node.child_by_field_name("value")
        self.type = node.child_by_field_name("type")
        bound = node.child_by_field_name("name") or node
        if node.type == "typed_parameter" and node.named_children:
            bound = node.named_children[0]
        self.rest = {"list_splat_pattern": "*", "dictionary_splat_pattern": "**"}.get(bound.type, "")
        if self.rest and bound.named_children:
            bound = bound.named_children[0]
        self.name = text(bound)


def _parameters(node: Node) -> list[_Parameter]:
    parameters = node.child_by_field_name("parameters")
    found: list[_Parameter] = []
    keyword_only = False
    for child in elements(parameters) if parameters is not None else ():
        if child.type == "keyword_separator":
            keyword_only = True
        elif child.type != "positional_separator":
            found.append(_Parameter(child, keyword_only))
            keyword_only |= found[-1].rest == "*"
    return found


def lower_function(lo: Lowering, pending: Pending) -> None:
    """Lower the body of a function into `lo.fn`."""
    fn, node, symbol = lo.fn, pending.node, pending.symbol
    receiver = pending.owner is not None and "staticmethod" not in pending.kinds
    position = 0
    for parameter in _parameters(node):
        value = fn.fixed_value(_formal(symbol, parameter.name))
        fn.homes[value] = fn.entry
        fn.spans[value] = span(parameter.node)
        if parameter.rest:
            fn.nonnull.add(value)
            kind = "builtins.tuple" if parameter.rest == "*" else "builtins.dict"
            lo.emit("new", value, value, kind)
            lo.emit("formal_rest" if parameter.rest == "*" else "formal_rest_names", symbol, value)
        else:
            fn.formals[value] = None
            if not parameter.keyword_only:
                lo.emit("formal", symbol, position, value)
                position += 1
            lo.emit("formal_name", symbol, parameter.name, value)
        if receiver:
            receiver = False
            fn.nonnull.add(value)
            if "classmethod" in pending.kinds or symbol.endswith((".__new__", ".__init_subclass__")):
                lo.emit("holds", value, pending.owner or "")
            else:
                lo.emit("new", value, f"{pending.owner}|instance", pending.owner or "")
        lo.bind(parameter.name, value, parameter.node)
    body = node.child_by_field_name("body")
    if node.type == "lambda":
        if body is not None:
            lo.leave(lo.expression(body))
        return
    lo.block(body)
    if _only_refuses(body):
        fn.emit("ends", symbol, symbol)
    if fn.reachable():
        note_return(lo, None, None)
    if not (pending.scope.yields or any(child.type == "async" for child in node.children)):
        write_exits(lo)
    if fn.reachable() and (not _is_stub(body, pending) or _is_procedure(node, pending)):
        lo.leave(lo.null("end", node.child_by_field_name("name") or node, "end"))
    elif fn.reachable():
        fn.leave()


def _is_procedure(node: Node, pending: Pending) -> bool:
    """Whether a function is declared to return None alone; a method may be overridden by one that does not."""
    annotation = node.child_by_field_name("return_type")
    return pending.owner is None and annotation is not None and _inner_text(annotation) == "None"


def _is_stub(body: Node | None, pending: Pending) -> bool:
    """Whether a body says nothing about what the function returns: abstract, a docstring, `...` or `pass`."""
    if body is None or "abstractmethod" in pending.kinds or "abstractproperty" in pending.kinds:
        return True
    for statement in elements(body):
        if statement.type in _NO_STATEMENT:
            continue
        children = elements(statement)
        if statement.type == "expression_statement" and children and children[0].type in ("string", "ellipsis"):
            continue
        return False
    return True


def _only_refuses(body: Node | None) -> bool:
    """Whether a body, but for a docstring, only raises NotImplementedError: subclasses do the work."""
    statements = [
        statement
        for statement in (elements(body) if body is not None else [])
        if not (statement.type == "expression_statement" and _first_type(statement) == "string")
    ]
    return len(statements) == 1 and statements[0].type == "raise_statement" and "NotImplemented" in text(statements[0])


def _first_type(node: Node) -> str:
    return next((child.type for child in elements(node)), "")


@handles("class_definition")
def class_definition(lo: Lowering, node: Node) -> None:
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name_node is None:
        return
    name = text(name_node)
    symbol = lo.unique(lo.nested(name))
    lo.emit("class_def", symbol, "|")
    lo.emit("instance", symbol, f"{symbol}|instance")
    lo.writer.place(lo.writer.symbol(symbol), span(name_node))
    bases = node.child_by_field_name("superclasses")
    parents: list[Value] = []
    for child in elements(bases) if bases is not None else ():
        if child.type == "keyword_argument":
            value = child.child_by_field_name("value")
            if value is not None:
                lo.expression(value)
        else:
            base = child
            if child.type == "subscript":  # Generic[T]
                base = child.child_by_field_name("value") or child
            parents.append(lo.expression(base))
            lo.emit("class_base", symbol, parents[-1])
    outer_scope, outer_class = lo.scope, lo.class_symbol
    lo.scope, lo.class_symbol = lo.scopes.of[node.id], symbol
    lo.scope.qualname = symbol[1:]
    lo.block(body)
    lo.scope, lo.class_symbol = outer_scope, outer_class
    klass = lo.value(f"class {name}", name_node)
    lo.fn.nonnull.add(klass)
    lo.emit("holds", klass, symbol)
    _note_class(lo, symbol, node, klass, parents)
    lo.bind(name, klass, name_node)


def _note_class(lo: Lowering, symbol: str, node: Node, value: Value, parents: list[Value]) -> None:
    """Remember a class whose bases are known, and note what it does not inherit of them."""
    bases = [lo.classes[parent] for parent in parents if parent in lo.classes]
    if len(bases) == len(parents) and (found := known(symbol, lo.scopes.of[node.id].bound, bases)) is not None:
        lo.classes[value] = found
        for base, name in hidden(found, bases):
            lo.emit("hides_base", symbol, base, name)
