"""Expressions: each handler gives the value of its node."""

from __future__ import annotations

import re
from ast import literal_eval

from tree_sitter import Node

from pliant.extractors.ir import ANY, Argument, Constant, Predicate, Type
from pliant.extractors.ir.flow import Part
from pliant.extractors.ir.operands import OTHER, Operand
from pliant.extractors.lowering.source import joined
from pliant.extractors.python.scopes import Scope
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
    written = text(node)
    if len(written) > _KEPT:
        return OTHER
    plain = _PLAIN.fullmatch(written)
    if plain is not None:
        return Constant("string", plain[2])
    try:
        content = literal_eval(written)
    except (ValueError, SyntaxError, MemoryError):
        return OTHER
    return Constant("string", content) if isinstance(content, str) else OTHER


_KEPT = 200  # bytes of a string whose content is kept
_PLAIN = re.compile(r"""(["'])([^"'\\\r\n\0]*)\1""")


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
    """A new container of what is written in it."""
    builder, made_of = body.builder, Type("class", kind, "builtins")
    children = elements(node)
    if not any(child.type in ("pair", "list_splat", "dictionary_splat") for child in children):
        return builder.give("allocate", made_of, tuple(body.expression(child) for child in children), span=span(node))
    filling: list[tuple[Operand, Operand, Node]] = []
    for child in children:
        if child.type == "pair":
            filling.append((*pair(body, child), child))
        elif child.type in ("list_splat", "dictionary_splat"):
            for part in elements(child):
                source = body.expression(part)
                builder.do(
                    "require", source, "iteration", "*" if child.type == "list_splat" else "**", span=span(child)
                )
                if child.type == "list_splat":
                    filling.append((OTHER, builder.give("next", source, "element", span=span(child)), child))
                else:
                    element = builder.give("next", source, "value", span=span(child))
                    filling.append((builder.give("next", source, "key", span=span(child)), element, child))
        else:
            filling.append((OTHER, body.expression(child), child))
    value = builder.give("allocate", made_of, (), span=span(node))
    for known, content, child in filling:
        builder.do("fill", value, known, content, span=span(child))
    return value


def pair(body: Body, node: Node) -> tuple[Operand, Operand]:
    """Key and value of an item of a dictionary."""
    key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
    known = body.expression(key) if key is not None else OTHER
    return known, body.expression(value) if value is not None else OTHER


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
    if text(operator) == "%" and left.type in ("string", "concatenated_string"):
        return _format(body, left, right, node)
    operands = (body.expression(left), body.expression(right))
    return arithmetic(body, text(operator), operands, node)


# A conversion of a format string: what it is named by, a width and a precision that may be arguments, its letter.
_CONVERSION = re.compile(r"%(\([^)]*\))?[-#0 +]*(\*|\d*)(?:\.(\*|\d*))?[hlL]?([a-zA-Z%])")
_NUMBERS = frozenset("diouxXeEfFgGc")


def _format(body: Body, left: Node, right: Node, node: Node) -> Operand:
    """`"%d of %s" % (n, what)`: numbers and characters must be some, while the others may be None."""
    builder = body.builder
    pattern = body.expression(left)
    while right.type == "parenthesized_expression" and len(elements(right)) == 1:
        right = elements(right)[0]
    items = [(each, body.expression(each)) for each in (elements(right) if right.type == "tuple" else [right])]
    wanted: list[bool] = []
    for name, width, precision, letter in _CONVERSION.findall(text(left)):
        if name:
            wanted = []
            break
        if letter != "%":
            wanted += [True] * (width, precision).count("*") + [letter in _NUMBERS]
    if len(wanted) >= len(items):
        for (item, value), needed in zip(items, wanted, strict=False):
            if needed:
                builder.do("require", value, "operator", "%", span=span(item))
    return arithmetic(body, "format", (pattern, *(value for _, value in items)), node)


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
    """What stands outside of functions, as in a part of a broken file, is no generator."""
    builder, inside = body.builder, body.scope.function().kind != "module"
    delegates = any(child.type == "from" for child in node.children)
    for child in elements(node):
        value = body.expression(child)
        if delegates:
            builder.do("require", value, "iteration", "yield from", span=span(node))
            value = builder.give("next", value, "element", span=span(node))
        if inside:
            builder.do("yield", value, span=span(node))
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
        receiver = _super(body, base)
        receiver = body.expression(base) if receiver is None else receiver
        return body.builder.invoke(receiver, text(name), _arguments(body, arguments), span(node))
    callee = body.expression(function)
    return body.builder.call(callee, _arguments(body, arguments), span(node))


def _super(body: Body, node: Node) -> Operand | None:
    """`super()` in a method."""
    function = node.child_by_field_name("function") if node.type == "call" else None
    made = body.builder.function
    if function is None or text(function) != "super" or made.owner is None or body.class_name or not made.formals:
        return None
    receiver = body.builder.get(made.formals[0].variable)
    return body.builder.give("super", made.owner.name, receiver, span=span(node))


def _is_instance(body: Body, arguments: list[Node]) -> Predicate | None:
    """`isinstance(x, A)` and `isinstance(x, (A, B))`; of a class that is computed nothing is known."""
    if len(arguments) != 2 or any(child.type in ("list_splat", "keyword_argument") for child in arguments):
        return None
    value = body.expression(arguments[0])
    found: Predicate | None = None
    todo = [arguments[1]]
    while todo:
        each = todo.pop(0)
        if each.type in ("tuple", "parenthesized_expression", "binary_operator"):
            todo = elements(each) + todo
            continue
        body.expression(each)
        name = joined(each) if each.type in ("identifier", "attribute") else ""
        if each.type == "none" or name.rsplit(".", 1)[-1] == "NoneType" or joined(each) == "type(None)":
            one = Predicate("null", (value,))
        elif name == "object" and body.scope.owner(name) is None:
            one = Predicate("always", (Constant("boolean", True),))
        else:
            one = Predicate("is", (value, Type("class", name) if name else ANY))
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
            for part in elements(child):
                found.append(Argument(body.expression(part), kind))
                body.builder.do("require", found[-1].value, "iteration", kind, span=span(child))
        else:
            found.append(Argument(body.expression(child)))
    return found


@expression("list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression")
def comprehension(body: Body, node: Node) -> Operand:
    """A loop of its own scope, in line."""
    builder = body.builder
    kind = {"list_comprehension": "list", "set_comprehension": "set", "dictionary_comprehension": "dict"}.get(node.type)
    made_of = Type("class", kind, "builtins") if kind else Type("class", "Generator", "typing")
    made = builder.give("allocate", made_of, (), span=span(node))
    clauses = [child for child in elements(node) if child.type in _CLAUSES]
    results = [child for child in elements(node) if child.type not in _CLAUSES]
    outer = body.scope
    _run_clauses(body, node, outer, clauses, lambda: _fill(body, made, results))
    body.scope = outer
    return made


_CLAUSES = frozenset(("for_in_clause", "if_clause"))


def _fill(body: Body, made: Operand, results: list[Node]) -> None:
    for child in results:
        key, value = pair(body, child) if child.type == "pair" else (OTHER, body.expression(child))
        body.builder.do("fill", made, key, value, span=span(child))


def _run_clauses(body: Body, node: Node, outer: Scope, clauses: list[Node], run: Part, at: int = 0) -> None:
    """Run `run` as the clauses of a comprehension from number `at` on say. outer: the scope in which the first source
    is evaluated."""
    if at == len(clauses):
        run()
        return
    builder = body.builder
    clause = clauses[at]
    if clause.type == "if_clause":
        yes, after = builder.block(), builder.block()
        for condition in elements(clause)[:1]:
            branch(body, condition, yes, after)
        builder.start(yes)
        _run_clauses(body, node, outer, clauses, run, at + 1)
        builder.jump(after)
        builder.start(after)
        return
    left, right = clause.child_by_field_name("left"), clause.child_by_field_name("right")
    if left is None or right is None:
        return
    if at == 0:
        body.scope = outer
    source = body.expression(right)
    body.scope = body.file.scopes.of.get(node.id, outer)
    for_each(body, left, source, right, lambda: _run_clauses(body, node, outer, clauses, run, at + 1))


def for_each(body: Body, target: Node, source: Operand, where: Node, run: Part, otherwise: Part | None = None) -> None:
    """Run `run` with `target` bound to each element of `source`."""
    builder = body.builder
    builder.do("require", source, "iteration", "for", span=span(where))

    def more(yes: int, no: int) -> None:
        builder.choose([yes, no])

    def step() -> None:
        assign(body, target, builder.give("next", source, "element", span=span(target)))
        run()

    body.flow.loop(more, step, otherwise=otherwise, body_first=_not_empty(where))


def _not_empty(source: Node) -> bool:
    """Whether a loop over `source` runs at least once, as the source says."""
    if source.type in ("tuple", "list", "set"):
        return any(child.type != "list_splat" for child in elements(source))
    function, arguments = source.child_by_field_name("function"), source.child_by_field_name("arguments")
    if function is None or arguments is None or text(function) != "range":
        return False
    numbers = elements(arguments)
    most = literal(numbers[0]).content if len(numbers) == 1 else None
    return isinstance(most, int) and most > 0


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
