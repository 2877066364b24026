"""Expressions: each handler returns the value of its node."""

from __future__ import annotations

import re
from ast import literal_eval

from tree_sitter import Node

from pliant.extractors.lowering.base import MOST_LINKS
from pliant.extractors.lowering.handlers import registrar
from pliant.extractors.lowering.literals import MOST_DIGITS, integer
from pliant.extractors.lowering.source import elements, text
from pliant.extractors.python.lowering import EXPRESSIONS, Lowering
from pliant.extractors.ssa import Key, Value

handles = registrar(EXPRESSIONS)


def keys_of(lo: Lowering, node: Node, links: int = MOST_LINKS) -> list[Key]:
    """The variables whose value the expression is, so that a test of it is a test of them. links: that a path may still
    have."""
    kind = node.type
    if kind == "identifier":
        name = text(node)
        owner = lo.scope.owner(name)
        return [lo.key(name, owner)] if owner is not None else []
    if kind == "parenthesized_expression" and node.named_children:
        return keys_of(lo, node.named_children[0], links)
    if kind == "named_expression":
        name_node, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        keys: list[Key] = []
        if name_node is not None:
            owner = lo.scope.owner(text(name_node))
            if owner is not None:
                keys.append(lo.key(text(name_node), owner))
        return keys + (keys_of(lo, value, links - 1) if value is not None and links else [])
    base, field = _member(node)
    if base is not None and links:
        for key in keys_of(lo, base, links - 1):
            current = lo.fn.content(key) if isinstance(key, tuple) else lo.fn.read(key)
            path = lo.fn.path(current, field)
            if path is not None:
                return [path]
    return []


def _member(node: Node) -> tuple[Node | None, str]:
    """Base and field of `base.field`; `base[constant]` and `base.name(constants)` are fields, too, for tests."""
    kind = node.type
    if kind == "attribute":
        name = node.child_by_field_name("attribute")
        return (node.child_by_field_name("object"), text(name)) if name is not None else (None, "")
    if kind == "subscript":
        indices = node.children_by_field_name("subscript")
        if len(indices) == 1 and indices[0].type in _FIXED:
            return node.child_by_field_name("value"), f"[{text(indices[0])}]"
    if kind == "call":
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or function.type != "attribute" or arguments is None:
            return None, ""
        if all(argument.type in _FIXED for argument in elements(arguments)):
            return function.child_by_field_name("object"), f".{text(function).rsplit('.', 1)[-1]}{text(arguments)}"
    return None, ""


_FIXED = frozenset(("string", "integer", "identifier"))


@handles("identifier")
def identifier(lo: Lowering, node: Node) -> Value:
    return lo.lookup(text(node))[0]


@handles("none")
def none(lo: Lowering, node: Node) -> Value:
    return lo.null("None", node, "literal")


@handles("integer", "float", "true", "false", "ellipsis", "type", "escape_sequence", "keyword_separator")
def constant(lo: Lowering, node: Node) -> Value:
    if node.type in ("true", "false", "integer") and node.parent is not None and node.parent.type in _CHOSEN:
        return _literal(lo, node)
    return lo.opaque()


# Where a constant may become one of several values of a variable.
_CHOSEN = frozenset(("assignment", "conditional_expression", "expression_list"))


def is_negative(node: Node) -> bool:
    """Whether an expression is a negative number, as it is written."""
    argument = node.child_by_field_name("argument") if node.type == "unary_operator" else None
    return argument is not None and argument.type == "integer" and text(node).startswith("-")


def _literal(lo: Lowering, node: Node) -> Value:
    """The value of a truth or an integer."""
    source = text(node)
    if len(source) > MOST_DIGITS:
        return lo.opaque()
    try:
        return lo.literal(literal_eval(source))
    except (ValueError, SyntaxError):  # 0777
        return lo.literal(source)


@handles("string", "concatenated_string", "interpolation", "format_specifier", "format_expression")
def string(lo: Lowering, node: Node) -> Value:
    for child in node.named_children:
        if child.type in ("interpolation", "string", "format_specifier", "format_expression"):
            string(lo, child)
        elif node.type in ("interpolation", "format_expression") and child.type not in (
            "type_conversion",
            "string_content",
        ):
            lo.expression(child)
    return lo.opaque()


@handles("parenthesized_expression")
def parenthesized(lo: Lowering, node: Node) -> Value:
    value = lo.opaque()
    for child in node.named_children:
        if child.type != "comment":
            value = lo.expression(child)
    return value


@handles("expression_list", "tuple", "pattern_list")
def tuple_(lo: Lowering, node: Node) -> Value:
    return _tuple(lo, node)[0]


def _tuple(lo: Lowering, node: Node) -> tuple[Value, list[tuple[Node, Value]]]:
    """A tuple and its items, as far as their number is known."""
    value = lo.value("tuple", node)
    lo.container(value, "builtins.tuple")
    fixed = True
    items: list[tuple[Node, Value]] = []
    for index, child in enumerate(elements(node)):
        if child.type == "list_splat":
            fixed = False
            _splat_into(lo, value, child)
        else:
            item = lo.expression(child)
            if fixed:
                lo.emit("tuple_item", value, index, item)
                items.append((child, item))
            lo.emit("store", value, "[]", item)
    return value, items


def _splat_into(lo: Lowering, container: Value, node: Node) -> None:
    """`*source` inside a display: its elements become elements of the container."""
    for child in elements(node):
        source = lo.expression(child)
        lo.dereference(source, "*", "iteration", node, keys_of(lo, child))
        item = lo.value("item")
        lo.emit("iterate", item, source)
        lo.emit("store", container, "[]", item)


@handles("list", "set")
def list_or_set(lo: Lowering, node: Node) -> Value:
    value = lo.value(node.type, node)
    lo.container(value, f"builtins.{node.type}")
    if elements(node):
        lo.emit("filled", value)
    for child in elements(node):
        if child.type == "list_splat":
            _splat_into(lo, value, child)
        else:
            lo.emit("store", value, "[]", lo.expression(child))
    return value


@handles("dictionary")
def dictionary(lo: Lowering, node: Node) -> Value:
    value = lo.value("dict", node)
    lo.container(value, "builtins.dict")
    if elements(node):
        lo.emit("filled", value)
    for child in elements(node):
        if child.type == "pair":
            pair(lo, value, child)
        elif child.type == "dictionary_splat":
            for part in elements(child):
                source = lo.expression(part)
                lo.dereference(source, "**", "iteration", child, keys_of(lo, part))
                for field in ("[]", "{}"):
                    item = lo.value("item")
                    lo.emit("load", item, source, field)
                    lo.emit("store", value, field, item)
        else:
            lo.expression(child)
    return value


def pair(lo: Lowering, container: Value, node: Node) -> None:
    for part, field in (("key", "{}"), ("value", "[]")):
        child = node.child_by_field_name(part)
        if child is not None:
            lo.emit("store", container, field, lo.expression(child))


@handles("named_expression")
def walrus(lo: Lowering, node: Node) -> Value:
    name, expression = node.child_by_field_name("name"), node.child_by_field_name("value")
    value = lo.expression(expression) if expression is not None else lo.opaque()
    if name is not None:
        lo.bind(text(name), value, node, "walrus")
    return value


@handles("attribute")
def attribute(lo: Lowering, node: Node) -> Value:
    base_node, name_node = node.child_by_field_name("object"), node.child_by_field_name("attribute")
    if base_node is None or name_node is None:
        return lo.opaque()
    name = text(name_node)
    base = lo.expression(base_node)
    if name not in _OF_NONE:
        lo.dereference(base, f".{name}", "attribute", node, keys_of(lo, base_node))
    value = lo.value(f".{name}", node)
    lo.emit("load", value, base, name)
    lo.attribute_reads.add(value)
    follow(lo, node, value, name)
    lo.note_tests(value, base)
    return value


_OF_NONE = frozenset(dir(None))  # __class__, __doc__ and what else every object has


def follow(lo: Lowering, node: Node, value: Value, field: str) -> None:
    """Tell `value`, which was just read by `node`, what is known of the variable or path that it is."""
    remember = node.type != "call" and node.id in lo.scopes.bases
    lo.follow(keys_of(lo, node), value, field, remember=remember)


@handles("subscript")
def subscript(lo: Lowering, node: Node) -> Value:
    base_node = node.child_by_field_name("value")
    if base_node is None:
        return lo.opaque()
    base = lo.expression(base_node)
    indices = node.children_by_field_name("subscript")
    for index in indices:
        lo.expression(index)
    lo.dereference(base, "[]", "subscript", node, keys_of(lo, base_node))
    value = lo.value("[]", node)
    if len(indices) == 1 and indices[0].type == "slice":
        lo.container(value, "builtins.list")
        item = lo.value("item")
        lo.emit("iterate", item, base)
        lo.emit("store", value, "[]", item)
    elif len(indices) == 1 and indices[0].type == "integer" and (known := integer(text(indices[0]))) is not None:
        lo.emit("element", value, base, min(known, 1 << 30))
        follow(lo, node, value, "")
    else:
        lo.emit("subscript", value, base)
        follow(lo, node, value, "")
    return value


@handles("slice", "list_splat", "dictionary_splat", "list_splat_pattern")
def parts(lo: Lowering, node: Node) -> Value:
    for child in elements(node):
        lo.expression(child)
    return lo.opaque()


_ARITHMETIC = frozenset(("+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "^", "@"))


@handles("binary_operator")
def binary(lo: Lowering, node: Node) -> Value:
    left_node, right_node = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator_node = node.child_by_field_name("operator")
    if left_node is None or right_node is None or operator_node is None:
        return lo.opaque()
    operator = text(operator_node)
    left = lo.expression(left_node)
    if operator == "%" and left_node.type in ("string", "concatenated_string"):
        _format(lo, left_node, right_node)
        return lo.opaque()
    right = lo.expression(right_node)
    if operator in _ARITHMETIC:
        lo.dereference(left, operator, "operator", node, keys_of(lo, left_node))
        if operator != "%":  # the right side of string formatting may be None
            lo.dereference(right, operator, "operator", node, keys_of(lo, right_node))
    if operator == "*":
        for operand, side in ((left, left_node), (right, right_node)):
            if side.type in ("list", "list_comprehension"):
                value = lo.value("*", node)
                lo.container(value, "builtins.list")
                lo.emit("repeat", value, operand)
                return value
    return lo.opaque()


# A conversion of a format string: what it is named by, a width and a precision that may be arguments, its letter.
_CONVERSION = re.compile(r"%(\([^)]*\))?[-#0 +]*(\*|\d*)(?:\.(\*|\d*))?[hlL]?([a-zA-Z%])")


def _format(lo: Lowering, left: Node, right: Node) -> None:
    """`"%d of %s" % (n, what)`: numbers and characters must be some, while the others may be None."""
    while right.type == "parenthesized_expression" and len(elements(right)) == 1:
        right = elements(right)[0]
    items = _tuple(lo, right)[1] if right.type == "tuple" else [(right, lo.expression(right))]
    wanted: list[bool] = []
    for name, width, precision, letter in _CONVERSION.findall(text(left)):
        if name:
            return
        if letter != "%":
            wanted += [True] * (width, precision).count("*") + [letter in _NUMBERS]
    if len(wanted) >= len(items):
        for (node, value), needed in zip(items, wanted, strict=False):
            if needed:
                lo.dereference(value, "%", "operator", node, keys_of(lo, node))


_NUMBERS = frozenset("diouxXeEfFgGc")


@handles("unary_operator")
def unary(lo: Lowering, node: Node) -> Value:
    if is_negative(node):
        return _literal(lo, node)
    argument = node.child_by_field_name("argument")
    if argument is not None:
        value = lo.expression(argument)
        operator = text(node)[:1]
        lo.dereference(value, operator, "operator", node, keys_of(lo, argument))
    return lo.opaque()


@handles("await")
def await_(lo: Lowering, node: Node) -> Value:
    children = elements(node)
    if not children:
        return lo.opaque()
    awaited = lo.expression(children[0])
    inner = children[0]
    while inner.type == "parenthesized_expression" and len(elements(inner)) == 1:
        inner = elements(inner)[0]
    if inner.type != "call":  # what a call gives is a coroutine; only awaiting it gives what it returns
        lo.dereference(awaited, "await", "await", node, keys_of(lo, children[0]))
    value = lo.value("await", node)
    lo.emit("await", value, awaited)
    return value


@handles("yield")
def yield_(lo: Lowering, node: Node) -> Value:
    delegates = any(child.type == "from" for child in node.children)
    for child in elements(node):
        value = lo.expression(child)
        if delegates:
            lo.dereference(value, "yield from", "iteration", node, keys_of(lo, child))
            item = lo.value("item")
            lo.emit("iterate", item, value)
            value = item
        lo.emit("yields", lo.symbol, value)
    return lo.opaque()


def literal_truth(node: Node) -> bool | None:
    """The truth of True, False, None and numbers as they are written."""
    if node.type in ("true", "false", "none"):
        return node.type == "true"
    if node.type == "integer":
        return text(node).strip("0") != ""
    return None
