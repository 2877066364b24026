"""Calls: what is called, with which arguments, and what builtins do with them."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.lowering.source import elements, text
from pliant.extractors.python.class_tests import shown_by_isinstance
from pliant.extractors.python.expressions import follow, handles, keys_of, literal_truth
from pliant.extractors.python.lowering import Lowering
from pliant.extractors.ssa import Value

_EXACT_TESTS = frozenset(("getattr", "isinstance", "issubclass", "callable", "hasattr", "bool", "all"))


@handles("call")
def call(lo: Lowering, node: Node) -> Value:
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None:
        return lo.opaque()
    live = lo.live()
    receiver: Value | None = None
    if function.type == "attribute":
        base_node, name_node = function.child_by_field_name("object"), function.child_by_field_name("attribute")
        if base_node is None or name_node is None:
            return lo.opaque()
        name = text(name_node)
        if lo.method_of is not None and _is_super(base_node):
            receiver = _super(lo, base_node)
        else:
            receiver = lo.expression(base_node)
            lo.dereference(receiver, f".{name}", "attribute", function, keys_of(lo, base_node))
        value = lo.call_method(f".{name}()", node, live, receiver, name)
    else:
        callee = lo.expression(function)
        lo.dereference(callee, "()", "call", node, keys_of(lo, function))
        name = text(function) if function.type == "identifier" else ""
        value = lo.call_value(f"{name}()", node, live, callee)
    outer, lo.anonymous = lo.anonymous, True
    passed = _arguments(lo, value, arguments)
    lo.anonymous = outer
    if receiver is not None:
        lo.fn.called(value, [receiver, *passed])
    elif name == "setattr" and lo.scope.owner(name) is None and arguments is not None:
        _setattr(lo, node, elements(arguments), passed)
        lo.fn.called(value, passed)
    elif not name or lo.scope.owner(name) is not None:  # other builtins change no attribute
        lo.fn.called(value, passed)
    if receiver is not None:
        follow(lo, node, value, "")
        if arguments is not None and passed and name.startswith("is") and text(function) == f"inspect.{name}":
            lo.fn.tests[value] = (lo.tested(elements(arguments)[0], passed[0], nonnull=True), [])
    elif arguments is not None:
        _needs_objects(lo, name, arguments, passed)
        _test_call(lo, name, arguments, passed, value)
    return value


def _is_super(node: Node) -> bool:
    function = node.child_by_field_name("function") if node.type == "call" else None
    return function is not None and text(function) == "super"


def _super(lo: Lowering, node: Node) -> Value:
    value = lo.value("super()", node)
    lo.fn.nonnull.add(value)
    receiver = next(iter(lo.fn.formals), lo.opaque())
    lo.emit("super_of", value, lo.method_of or "", receiver)
    return value


def _arguments(lo: Lowering, called: Value, arguments: Node | None) -> list[Value]:
    """Lower the arguments of a call; returns the positional and keyword ones."""
    passed: list[Value] = []
    if arguments is None:
        return passed
    if arguments.type == "generator_expression":
        passed.append(lo.expression(arguments))
        lo.emit("actual", called, 0, passed[0])
        lo.emit("arguments", called, 1)
        return passed
    position: int | None = 0
    exact = True
    for child in elements(arguments):
        if child.type == "keyword_argument":
            name, expression = child.child_by_field_name("name"), child.child_by_field_name("value")
            if name is not None and expression is not None:
                passed.append(lo.expression(expression))
                lo.emit("actual_name", called, text(name), passed[-1])
                if (truth := _argument_truth(lo, expression, passed[-1])) is not None:
                    lo.emit("actual_name_truth", called, text(name), truth)
        elif child.type in ("list_splat", "dictionary_splat"):
            exact = False
            sequence = child.type == "list_splat"
            for part in elements(child):
                source = lo.expression(part)
                lo.dereference(source, "*" if sequence else "**", "iteration", child, keys_of(lo, part))
                lo.emit("actual_rest" if sequence else "actual_rest_names", called, source)
            if sequence:
                position = None
        else:
            passed.append(lo.expression(child))
            if position is not None:
                lo.emit("actual", called, position, passed[-1])
                if (truth := _argument_truth(lo, child, passed[-1])) is not None:
                    lo.emit("actual_truth", called, position, truth)
                position += 1
    if exact:
        lo.emit("arguments", called, len(passed))
    return passed


def _argument_truth(lo: Lowering, node: Node, value: Value) -> str | None:
    """What an argument tells a flag, where no `actual` fact says that it is passed or what it is."""
    truth = literal_truth(node)
    if truth is not None:
        return "true" if truth else "false"
    return "unknown" if not lo.fn.names[lo.fn.resolve(value)] and node.type not in ("string", "float") else None


def _setattr(lo: Lowering, node: Node, arguments: list[Node], passed: list[Value]) -> None:
    """`setattr(base, "name", value)`, with a name that is written, is an assignment."""
    if len(arguments) == len(passed) == 3 and arguments[1].type == "string":
        field = text(arguments[1]).strip("'\"")
        if field.isidentifier():
            lo.store_field(passed[0], field, passed[2], node)


# Builtins that fail for None: how many of their first arguments must be something else.
_NEEDING = {
    **dict.fromkeys(("len", "iter", "next", "reversed", "enumerate", "sorted", "any", "all", "sum", "abs", "ord"), 1),
    **dict.fromkeys(("list", "tuple", "set", "frozenset", "dict", "int", "float", "chr", "round", "open"), 1),
    **dict.fromkeys(("range", "zip", "divmod"), 3),
}


def _needs_objects(lo: Lowering, name: str, arguments: Node, passed: list[Value]) -> None:
    """Note which arguments of a builtin must not be None."""
    if name not in _NEEDING or lo.scope.owner(name) is not None:
        return
    for child, value in list(zip(elements(arguments), passed, strict=False))[: _NEEDING[name]]:
        if child.type in ("keyword_argument", "list_splat", "dictionary_splat"):
            return
        lo.dereference(value, f"{name}()", "argument", child, keys_of(lo, child))


def _test_call(lo: Lowering, name: str, arguments: Node, passed: list[Value], value: Value) -> None:
    """Calls of builtins that show their argument not to be null."""
    if not passed or name not in _EXACT_TESTS or lo.scope.owner(name) is not None:
        return
    subject = elements(arguments)[0]
    if name == "getattr":  # with None for an attribute that is not there: None has few that are asked for
        if len(elements(arguments)) == 3 and elements(arguments)[2].type == "none":
            lo.fn.tests[value] = (lo.tested(subject, passed[0], nonnull=True), [])
        return
    if name == "isinstance" and len(passed) == 2:
        lo.fn.nonnull.add(value)
        lo.fn.tests[value] = shown_by_isinstance(lo, subject, passed[0], elements(arguments)[1])
        return
    found = lo.tested(subject, passed[0], nonnull=True)
    if name == "all":
        shown = elements(subject) if subject.type in ("tuple", "list", "set") else []
        found = [(key, lo.fn.root(lo.fn.read(key)), True) for part in shown for key in keys_of(lo, part)]
    lo.fn.nonnull.add(value)
    lo.fn.tests[value] = (found, [])
