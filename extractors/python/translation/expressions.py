"""Expressions: each handler gives the value of its node."""

from __future__ import annotations

from ast import literal_eval

from tree_sitter import Node

from pliant.extractors.ir import Argument, Constant, Predicate, Type
from pliant.extractors.ir.flow import Part
from pliant.extractors.ir.operands import OTHER, Operand
from pliant.extractors.python.translation.conditions import branch
from pliant.extractors.python.translation.functions import Body, elements, expression, literal, span, text
from pliant.extractors.python.translation.targets import assign

_CONTAINERS = {"list": "list", "set": "set", "dictionary": "dict"}


@expression("identifier")
def identifier(body: Body, node: Node) -> Operand:
    return body.read(text(node), span(node))


@expression("none")
def none(body: Body, node: Node) -> Operand:
    return body.builder.null(span(node))


@expression("integer", "float", "true", "false", "ellipsis", "type", "escape_sequence", "keyword_separator")
def constant(body: Body, node: Node) -> Operand:
    return literal(node)


@expression("string", "concatenated_string", "interpolation", "format_specifier", "format_expression")
def string(body: Body, node: Node) -> Operand:
    parts = _interpolated(body, node)
    if parts:
        return body.builder.give("arithmetic", "format", tuple(parts), span=span(node))
    try:
        content = literal_eval(text(node)) if len(text(node)) <= _KEPT else None
    except (ValueError, SyntaxError, MemoryError):
        content = None
    return Constant("string", content) if isinstance(content, str) else OTHER


_TEXT = ("type_conversion", "string_content")
_KEPT = 200  # bytes of a string whose content is kept


def _interpolated(body: Body, node: Node) -> list[Operand]:
    """The values that a string is made from."""
    found: list[Operand] = []
    for child in node.named_children:
        if child.type in ("interpolation", "string", "format_specifier", "format_expression"):
            found += _interpolated(body, child)
        elif node.type in ("interpolation", "format_expression") and child.type not in (
            "type_conversion",
            "string_content",
        ):
            found.append(body.expression(child))
    return found


@expression("parenthesized_expression")
def parenthesized(body: Body, node: Node) -> Operand:
    value: Operand = OTHER
    for child in elements(node):
        value = body.expression(child)
    return value


@expression("expression_list", "tuple", "pattern_list")
def tuple_(body: Body, node: Node) -> Operand:
    if any(child.type == "list_splat" for child in elements(node)):
        return _display(body, node, "tuple")
    return body.builder.give("tuple", tuple(body.expression(child) for child in elements(node)), span=span(node))


@expression("list", "set", "dictionary")
def display(body: Body, node: Node) -> Operand:
    return _display(body, node, _CONTAINERS[node.type])


def _display(body: Body, node: Node, kind: str) -> Operand:
    builder = body.builder
    value = builder.give("allocate", Type("class", kind, "builtins"), (), span=span(node))
    for child in elements(node):
        if child.type == "pair":
            pair(body, value, child)
        elif child.type in ("list_splat", "dictionary_splat"):
            for part in elements(child):
                source = body.expression(part)
                builder.do("require", source, "iteration", "*", span=span(child))
                key = builder.give("next", source, "key") if child.type == "dictionary_splat" else OTHER
                builder.do("put", value, key, builder.give("next", source, "element"))
        else:
            builder.do("put", value, OTHER, body.expression(child), span=span(child))
    return value


def pair(body: Body, container: Operand, node: Node) -> None:
    key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
    known = body.expression(key) if key is not None else OTHER
    if value is not None:
        body.builder.do("put", container, known, body.expression(value), span=span(node))


@expression("named_expression")
def walrus(body: Body, node: Node) -> Operand:
    name, inner = node.child_by_field_name("name"), node.child_by_field_name("value")
    value = body.expression(inner) if inner is not None else OTHER
    if name is not None:
        body.bind(text(name), value, span(node), "walrus")
        return body.read(text(name), span(node))
    return value


@expression("attribute")
def attribute(body: Body, node: Node) -> Operand:
    base, name = node.child_by_field_name("object"), node.child_by_field_name("attribute")
    if base is None or name is None:
        return OTHER
    return body.builder.give("load", body.expression(base), text(name), span=span(node))


@expression("subscript")
def subscript(body: Body, node: Node) -> Operand:
    base_node = node.child_by_field_name("value")
    if base_node is None:
        return OTHER
    base = body.expression(base_node)
    indices = node.children_by_field_name("subscript")
    keys = [body.expression(index) for index in indices]
    if len(indices) == 1 and indices[0].type == "slice":
        return body.builder.give("slice", base, span=span(node))
    key = keys[0] if len(keys) == 1 else body.builder.give("tuple", tuple(keys))
    return body.builder.give("element", base, key, span=span(node))


@expression("slice", "list_splat", "dictionary_splat", "list_splat_pattern")
def parts(body: Body, node: Node) -> Operand:
    for child in elements(node):
        body.expression(child)
    return OTHER


@expression("binary_operator")
def binary(body: Body, node: Node) -> Operand:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return parts(body, node)
    operands = (body.expression(left), body.expression(right))
    return arithmetic(body, text(operator), operands, node)


def arithmetic(body: Body, operator: str, operands: tuple[Operand, ...], node: Node) -> Operand:
    return body.builder.give("arithmetic", operator, operands, span=span(node))


@expression("unary_operator")
def unary(body: Body, node: Node) -> Operand:
    argument = node.child_by_field_name("argument")
    if argument is None:
        return OTHER
    operator = text(node)[:1]
    if argument.type == "integer" and operator == "-":
        written = literal(argument)
        return Constant("integer", -written.content) if isinstance(written.content, int) else OTHER
    return arithmetic(body, operator, (body.expression(argument),), node)


@expression("await")
def await_(body: Body, node: Node) -> Operand:
    for child in elements(node):
        return body.builder.give("await", body.expression(child), span=span(node))
    return OTHER


@expression("yield")
def yield_(body: Body, node: Node) -> Operand:
    builder = body.builder
    delegates = any(child.type == "from" for child in node.children)
    for child in elements(node):
        value = body.expression(child)
        builder.do("yield", builder.give("next", value, "element") if delegates else value, span=span(node))
    return OTHER


@expression("call")
def call(body: Body, node: Node) -> Operand:
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None:
        return OTHER
    if function.type == "identifier" and text(function) == "isinstance" and body.scope.owner("isinstance") is None:
        predicate = _is_instance(body, elements(arguments))
        if predicate is not None:
            return body.builder.give("test", predicate, span=span(node))
    base, name = function.child_by_field_name("object"), function.child_by_field_name("attribute")
    if function.type == "attribute" and base is not None and name is not None:
        receiver = body.expression(base)
        return body.builder.invoke(receiver, text(name), _arguments(body, arguments), span(node))
    callee = body.expression(function)
    return body.builder.call(callee, _arguments(body, arguments), span(node))


def _is_instance(body: Body, arguments: list[Node]) -> Predicate | None:
    """`isinstance(x, A)` and `isinstance(x, (A, B))` of classes that are named."""
    if len(arguments) != 2 or any(child.type in ("list_splat", "keyword_argument") for child in arguments):
        return None
    classes = elements(arguments[1]) if arguments[1].type == "tuple" else [arguments[1]]
    if not classes or any(each.type not in ("identifier", "attribute") for each in classes):
        return None
    value = body.expression(arguments[0])
    found: Predicate | None = None
    for each in classes:
        body.expression(each)
        one = Predicate("is", (value, Type("class", text(each))))
        found = one if found is None else Predicate("or", (found, one))
    return found


def _arguments(body: Body, node: Node | None) -> list[Argument]:
    if node is None:
        return []
    if node.type == "generator_expression":
        return [Argument(body.expression(node))]
    found: list[Argument] = []
    for child in elements(node):
        if child.type == "keyword_argument":
            name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
            if name is not None and value is not None:
                found.append(Argument(body.expression(value), text(name)))
        elif child.type in ("list_splat", "dictionary_splat"):
            kind = "*" if child.type == "list_splat" else "**"
            found += [Argument(body.expression(part), kind) for part in elements(child)]
        else:
            found.append(Argument(body.expression(child)))
    return found


@expression("list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression")
def comprehension(body: Body, node: Node) -> Operand:
    """A loop of its own scope, in line."""
    builder = body.builder
    kind = {"list_comprehension": "list", "set_comprehension": "set", "dictionary_comprehension": "dict"}.get(node.type)
    made = builder.give("allocate", Type("class", kind or "generator", "builtins"), (), span=span(node))
    holder = body.temporary("made")
    builder.set(holder, made)
    outer = body.scope
    clauses = [child for child in elements(node) if child.type in ("for_in_clause", "if_clause")]
    results = [child for child in elements(node) if child.type not in ("for_in_clause", "if_clause")]

    def inner(rest: list[Node]) -> None:
        if not rest:
            for child in results:
                if child.type == "pair":
                    pair(body, builder.get(holder), child)
                else:
                    value = body.expression(child)
                    builder.do("put", builder.get(holder), OTHER, value, span=span(child))
            return
        clause = rest[0]
        if clause.type == "if_clause":
            yes, after = builder.block(), builder.block()
            for condition in elements(clause)[:1]:
                branch(body, condition, yes, after)
            builder.start(yes)
            inner(rest[1:])
            builder.jump(after)
            builder.start(after)
            return
        left, right = clause.child_by_field_name("left"), clause.child_by_field_name("right")
        if left is None or right is None:
            return
        if clause is clauses[0]:
            body.scope = outer
        source = body.expression(right)
        body.scope = body.file.scopes.of.get(node.id, outer)
        for_each(body, left, source, right, lambda: inner(rest[1:]))

    inner(clauses)
    body.scope = outer
    return builder.get(holder)


def for_each(body: Body, target: Node, source: Operand, where: Node, run: Part, otherwise: Part | None = None) -> None:
    """Run `run` with `target` bound to each element of `source`."""
    builder = body.builder
    builder.do("require", source, "iteration", "for", span=span(where))
    held = body.temporary("iterated")
    builder.set(held, source)

    def more(yes: int, no: int) -> None:
        builder.choose([yes, no])

    def step() -> None:
        assign(body, target, builder.give("next", builder.get(held), "element", span=span(target)))
        run()

    body.flow.loop(more, step, otherwise=otherwise)


@expression("not_operator")
def not_(body: Body, node: Node) -> Operand:
    argument = node.child_by_field_name("argument")
    if argument is None:
        return OTHER
    value = body.expression(argument)
    return body.builder.give("test", Predicate("not", (Predicate("truth", (value,)),)), span=span(node))


@expression("boolean_operator")
def boolean(body: Body, node: Node) -> Operand:
    """`a and b and c` as a value: each operand but the last may decide."""
    builder = body.builder
    chosen, end = body.temporary("chosen"), builder.block()
    operands: list[Node] = []
    conjunction = _operator(node) == "and"
    rest: Node | None = node
    while rest is not None and rest.type == "boolean_operator" and (_operator(rest) == "and") == conjunction:
        right = rest.child_by_field_name("right")
        if right is not None:
            operands.append(right)
        rest = rest.child_by_field_name("left")
    operands += [rest] if rest is not None else []
    for number, operand in enumerate(reversed(operands), 1):
        value = body.expression(operand)
        builder.set(chosen, value)
        if number < len(operands):
            following = builder.block()
            yes, no = (following, end) if conjunction else (end, following)
            builder.branch(Predicate("truth", (value,)), yes, no)
            builder.start(following)
    builder.jump(end)
    builder.start(end)
    return builder.get(chosen, span(node))


def _operator(node: Node) -> str:
    operator = node.child_by_field_name("operator")
    return text(operator) if operator is not None else ""


@expression("conditional_expression")
def conditional(body: Body, node: Node) -> Operand:
    children = elements(node)
    if len(children) != 3:
        return parts(body, node)
    one, condition, other = children
    yes, no = body.builder.block(), body.builder.block()
    branch(body, condition, yes, no)
    return body.builder.chosen(
        "chosen.", Type("any"), [(yes, lambda: body.expression(one)), (no, lambda: body.expression(other))]
    )
