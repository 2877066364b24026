"""Statements: control flow, exceptions, imports."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from pliant.extractors.ir import Constant, Predicate, Type
from pliant.extractors.ir.builder import Place
from pliant.extractors.ir.operands import NULL, OTHER, Operand
from pliant.extractors.lowering.source import joined
from pliant.extractors.python.translation.annotations import admits_none, declared
from pliant.extractors.python.translation.conditions import branch
from pliant.extractors.python.translation.expressions import arithmetic, for_each
from pliant.extractors.python.translation.functions import Body, elements, span, statement, text
from pliant.extractors.python.translation.targets import assign, delete_element
from pliant.extractors.writer import LONGEST_NAME


@statement(
    "pass_statement", "global_statement", "nonlocal_statement", "future_import_statement", "type_alias_statement",
    "print_statement", "exec_statement",
)  # fmt: skip
def nothing(body: Body, node: Node) -> None:
    """Statements without effect on values."""


@statement("module", "block")
def block(body: Body, node: Node) -> None:
    body.block(node)


@statement("expression_statement")
def expression_statement(body: Body, node: Node) -> None:
    for child in elements(node):
        if child.type == "assignment":
            assignment(body, child)
        elif child.type == "augmented_assignment":
            augmented(body, child)
        else:
            body.expression(child)


def assignment(body: Body, node: Node) -> Operand:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    kind = node.child_by_field_name("type")
    if left is None:
        return OTHER
    if right is None:
        if kind is not None:
            _annotated(body, left, kind, None)
        return OTHER
    pairs = _pairs(left, right)
    if pairs is not None and (node.parent is None or node.parent.type != "assignment"):
        values = [body.expression(source) for _, source in pairs]
        for (target, _), value in zip(pairs, values, strict=True):
            assign(body, target, value)
        return OTHER
    value = assignment(body, right) if right.type == "assignment" else body.expression(right)
    types = declared(body, kind) if kind is not None else []
    if types and not isinstance(value, Constant):
        body.builder.do("declare", value, tuple(types), span=span(left))
    assign(body, left, value)
    if kind is not None:
        _annotated(body, left, kind, right)
    return value


def _pairs(left: Node, right: Node) -> list[tuple[Node, Node]] | None:
    """`a, b = x, y` item by item, where it can be read so."""
    if left.type not in ("pattern_list", "tuple_pattern") or right.type not in ("expression_list", "tuple"):
        return None
    targets, sources = elements(left), elements(right)
    if len(targets) != len(sources) or (left.type == "tuple_pattern" and len(left.children) == 3):
        return None
    if any(child.type.startswith("list_splat") for child in targets + sources):
        return None
    return list(zip(targets, sources, strict=True))


def _annotated(body: Body, left: Node, kind: Node, value: Node | None) -> None:
    """`name: X` in the body of a class, and `self.name: X` in a method. value: what is assigned there."""
    builder, made = body.builder, body.builder.function
    shared = "shared" if "ClassVar" in text(kind) else ""
    if body.class_name and body.scope.kind == "class" and left.type == "identifier":
        if value is None:
            builder.do("annotate", body.class_value, text(left), _declared(body, kind), shared, span=span(left))
        elif value.type == "none" and not admits_none(kind):
            builder.do("annotate", body.class_value, text(left), (), f"{shared} required".lstrip(), span=span(left))
        elif shared:
            builder.do("annotate", body.class_value, text(left), (), shared, span=span(left))
    elif left.type == "attribute" and made.owner is not None and not body.class_name:
        base, name = left.child_by_field_name("object"), left.child_by_field_name("attribute")
        if base is not None and base.type == "identifier" and name is not None:
            builder.do("annotate", body.expression(base), text(name), _declared(body, kind), "", span=span(left))


def _declared(body: Body, kind: Node) -> tuple[Operand, ...]:
    """What an annotation names; a class that is not known if it may allow None without saying so."""
    types = declared(body, kind)
    return (*types, *([OTHER] if NULL not in types and admits_none(kind) else []))


def augmented(body: Body, node: Node) -> None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return
    old = body.expression(left)
    assign(body, left, arithmetic(body, text(operator), (old, body.expression(right)), node))


@statement("return_statement")
def return_(body: Body, node: Node) -> None:
    builder = body.builder
    children = elements(node)
    value = body.expression(children[0]) if children else builder.null(span(node))
    if body.scope.function().kind != "function":
        return  # elsewhere it is no valid Python and says nothing of what follows
    if body.flow.direct:
        builder.do("exit", (value,), span=span(node))
        return
    held = body.temporary("returned")
    builder.set(held, value)
    body.flow.exit(lambda: builder.do("exit", (builder.get(held),), span=span(node)))


@statement("raise_statement")
def raise_(body: Body, node: Node) -> None:
    values: list[Operand] = []
    for child in elements(node):
        values.append(body.expression(child))
        if child.type in ("identifier", "attribute"):  # of a class
            values[-1] = body.builder.call(values[-1], [], span(child))
    body.builder.do("raise", values[0] if values else OTHER, span=span(node))


@statement("break_statement", "continue_statement")
def jump(body: Body, node: Node) -> None:
    body.flow.leave(again=node.type == "continue_statement")


@statement("assert_statement")
def assert_(body: Body, node: Node) -> None:
    children = elements(node)
    if not children:
        return
    builder = body.builder
    holds, fails = builder.block(), builder.block()
    branch(body, children[0], holds, fails)
    builder.start(fails)
    for child in children[1:]:
        body.expression(child)
    builder.do("raise", body.builder.give("import", "builtins", "AssertionError"), span=span(node))
    builder.start(holds)


@statement("if_statement")
def if_(body: Body, node: Node) -> None:
    builder = body.builder
    after = builder.block()
    for arm in (node, *node.children_by_field_name("alternative")):
        condition = arm.child_by_field_name("condition")
        if condition is None:
            body.block(arm.child_by_field_name("body"))
            continue
        yes, no = builder.block(), builder.block()
        branch(body, condition, yes, no)
        builder.start(yes)
        body.block(arm.child_by_field_name("consequence"))
        builder.jump(after)
        builder.start(no)
    builder.jump(after)
    builder.start(after)


def _otherwise(node: Node) -> Node | None:
    alternative = node.child_by_field_name("alternative")
    return alternative.child_by_field_name("body") if alternative is not None else None


@statement("for_statement")
def for_(body: Body, node: Node) -> None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is not None and right is not None:
        run = node.child_by_field_name("body")
        source = body.expression(right)
        for_each(body, left, source, right, lambda: body.block(run), lambda: body.block(_otherwise(node)))


@statement("while_statement")
def while_(body: Body, node: Node) -> None:
    condition, run = node.child_by_field_name("condition"), node.child_by_field_name("body")
    if condition is not None:
        asked = condition
        body.flow.loop(
            lambda yes, no: branch(body, asked, yes, no),
            lambda: body.block(run),
            otherwise=lambda: body.block(_otherwise(node)),
        )


# Exceptions.


@statement("try_statement")
def try_(body: Body, node: Node) -> None:
    clauses = [child for child in node.children if child.type in ("except_clause", "except_group_clause")]
    final = next((child for child in node.children if child.type == "finally_clause"), None)
    otherwise = next((child for child in node.children if child.type == "else_clause"), None)

    def guarded() -> None:
        _caught(body, node.child_by_field_name("body"), clauses, otherwise)

    if final is None:
        guarded()
    else:
        body.flow.finally_(guarded, lambda: body.block(_block_of(final)))


def _block_of(clause: Node) -> Node | None:
    return next((child for child in elements(clause) if child.type == "block"), None)


def _caught(body: Body, tried: Node | None, clauses: list[Node], otherwise: Node | None) -> None:
    builder = body.builder
    handler, after = builder.block(), builder.block()
    if not clauses:
        body.block(tried)
    else:
        with builder.handled(handler):
            body.block(tried)
    if otherwise is not None:
        body.block(otherwise.child_by_field_name("body"))
    builder.jump(after)
    builder.start(handler)
    held = body.temporary("raised")
    builder.set(held, builder.give("caught", ()))
    for clause in clauses:
        following = _clause(body, clause, held)
        builder.jump(after)
        builder.start(following)
    builder.do("raise", builder.get(held))
    builder.start(after)


def _clause(body: Body, clause: Node, held: str) -> Place:
    """A clause; returns the block where control goes on if it does not catch what was raised."""
    builder = body.builder
    value, target = clause.child_by_field_name("value"), None
    if value is not None and value.type == "as_pattern":
        target = value.child_by_field_name("alias")
        value = next(iter(elements(value)), value)
    run, following = builder.block(), builder.block()
    kinds: list[Operand] = []
    if value is None:
        builder.branch(Predicate("always", (Constant("boolean", True),)), run, following)
    else:
        predicate: Predicate | None = None
        for part in elements(value) if value.type in ("tuple", "parenthesized_expression") else [value]:
            kinds.append(body.expression(part))
            one = Predicate("is", (builder.get(held), Type("class", joined(part))))
            predicate = one if predicate is None else Predicate("or", (predicate, one))
        builder.branch(predicate or Predicate("always", (Constant("boolean", False),)), run, following)
    builder.start(run)
    if target is not None:
        assign(body, target, builder.give("caught", tuple(kinds), span=span(target)))
    body.block(_block_of(clause))
    return following


@statement("with_statement")
def with_(body: Body, node: Node) -> None:
    items = [item for clause in elements(node) if clause.type == "with_clause" for item in elements(clause)]
    _entered(body, iter(items), node)


def _entered(body: Body, items: Iterator[Node], node: Node) -> None:
    """Enter the items that are left, each inside the one before it; then the body."""
    builder = body.builder
    value = next((found for item in items if (found := item.child_by_field_name("value")) is not None), None)
    if value is None:
        body.block(node.child_by_field_name("body"))
        return
    target = None
    if value.type == "as_pattern":
        target = value.child_by_field_name("alias")
        value = next(iter(elements(value)), value)
    context = body.expression(value)
    builder.do("require", context, "context", "with", span=span(value))
    entered = builder.give("enter", context, span=span(value))
    handler, ended, after = builder.block(), builder.block(), builder.block()
    with builder.handled(handler):
        if target is not None:
            assign(body, target, entered)
        _entered(body, items, node)
    builder.jump(after)
    builder.start(handler)
    raised = body.temporary("raised")
    builder.set(raised, builder.give("caught", ()))
    suppressed = builder.give("leave", context, span=span(value))
    builder.branch(Predicate("truth", (suppressed,)), after, ended)
    builder.start(ended)
    builder.do("raise", builder.get(raised))
    builder.start(after)


@statement("delete_statement")
def delete(body: Body, node: Node) -> None:
    todo = elements(node)
    while todo:
        child = todo.pop(0)
        if child.type in ("expression_list", "tuple", "list", "parenthesized_expression"):
            todo = elements(child) + todo
        elif child.type == "subscript":
            delete_element(body, child)
        elif child.type == "attribute":
            base = child.child_by_field_name("object")
            if base is not None:
                what = text(child.child_by_field_name("attribute") or child)
                body.builder.do("require", body.expression(base), "attribute", f"del .{what}", span=span(child))


# Imports.


@statement("import_statement")
def import_(body: Body, node: Node) -> None:
    builder, mentions = body.builder, body.file.unit.mentions
    for child in node.children_by_field_name("name"):
        alias = child.child_by_field_name("alias")
        name = child.child_by_field_name("name") if alias is not None else child
        if name is None:
            continue
        dotted = _module(name)
        mentions.append(dotted)
        if alias is not None:
            body.bind(text(alias), builder.give("import", dotted, "", span=span(child)), span(child))
            continue
        first, *packages = dotted.split(".")
        mentions.append(first)
        value = outer = builder.give("import", first, "", span=span(child))
        for package in packages:
            if len(first) + len(package) >= LONGEST_NAME:
                break  # no file has such a path
            first = f"{first}.{package}"
            inner = builder.give("import", first, "", span=span(child))
            builder.do("fill", outer, Constant("string", package), inner)
            outer = inner
        body.bind(dotted.partition(".")[0], value, span(child))


def _module(node: Node) -> str:
    """The name of a module; relative ones as the instruction `import` has them."""
    if node.type != "relative_import":
        return joined(node)
    level, name = 0, ""
    for child in node.named_children:
        if child.type == "import_prefix":
            level = text(child).count(".")
        elif child.type == "dotted_name":
            name = joined(child)
    return f"^{level} {name}"


@statement("import_from_statement")
def import_from(body: Body, node: Node) -> None:
    module_node = node.child_by_field_name("module_name")
    if module_node is None:
        return
    module = _module(module_node)
    body.file.unit.mentions.append(module)
    if any(child.type == "wildcard_import" for child in node.named_children):
        body.builder.give("import", module, "*", span=span(node))
    for child in node.children_by_field_name("name"):
        alias = child.child_by_field_name("alias")
        name = child.child_by_field_name("name") if alias is not None else child
        if name is not None:
            value = body.builder.give("import", module, text(name), span=span(child))
            body.file.unit.mentions.append(f"{module}{'' if module.endswith(' ') else '.'}{text(name)}")
            body.bind(text(alias if alias is not None else name), value, span(child))


# match


@statement("match_statement")
def match(body: Body, node: Node) -> None:
    builder = body.builder
    subjects, cases = node.children_by_field_name("subject"), node.child_by_field_name("body")
    if not subjects or cases is None:
        return
    values = [body.expression(subject) for subject in subjects]
    held = body.temporary("subject")
    builder.set(held, values[0] if len(values) == 1 else builder.give("tuple", tuple(values)))
    after = builder.block()
    for clause in elements(cases):
        if clause.type != "case_clause":
            continue
        following = builder.block()
        patterns = [child for child in elements(clause) if child.type == "case_pattern"]
        for number, pattern in enumerate(patterns):
            subject = builder.get(held, span(pattern))
            if len(patterns) > 1:
                subject = builder.give("item", subject, Constant("integer", number))
            _pattern(body, pattern, subject, following)
        guard = clause.child_by_field_name("guard")
        for condition in elements(guard)[:1] if guard is not None else ():
            holds = builder.block()
            branch(body, condition, holds, following)
            builder.start(holds)
        body.block(clause.child_by_field_name("consequence"))
        builder.jump(after)
        builder.start(following)
    builder.jump(after)
    builder.start(after)


def _only(node: Node) -> Node:
    while node.type == "case_pattern" and len(elements(node)) == 1:
        node = elements(node)[0]
    return node


def _pattern(body: Body, pattern: Node, value: Operand, fails: Place) -> None:
    """Bind what a pattern captures from `value`; go to `fails` where it does not match."""
    builder = body.builder
    pattern = _only(pattern)
    kind, children = pattern.type, elements(pattern)
    if kind == "none":
        _ask(body, pattern, Predicate("null", (value,)), fails)
    elif kind == "dotted_name" and len(children) == 1:
        body.bind(text(children[0]), value, span(pattern))
    elif kind == "case_pattern" and text(pattern) == "_":
        return
    elif kind == "as_pattern":
        held = body.temporary("matched")
        builder.set(held, value)
        for child in children:
            if child.type == "identifier":
                body.bind(text(child), builder.get(held), span(child))
            else:
                _pattern(body, child, builder.get(held), fails)
    elif kind == "union_pattern":
        _union(body, children, value, fails)
    elif kind in ("list_pattern", "tuple_pattern"):
        _sequence(body, children, value, fails)
    elif kind == "class_pattern":
        _ask(body, pattern, Predicate("is", (value, Type("class", joined(children[0]) if children else ""))), fails)
        _parts(body, children[1:], value, fails)
    elif kind == "dict_pattern":
        _perhaps(body, fails)
        for child in pattern.children_by_field_name("value"):
            _pattern(body, child, builder.give("element", value, OTHER, span=span(child)), fails)
        for child in children:
            if child.type == "splat_pattern":
                _pattern(body, child, value, fails)
    elif kind == "splat_pattern":
        for child in children:
            if child.type == "identifier" and text(child) != "_":
                body.bind(text(child), builder.give("allocate", Type("class", "list", "builtins"), ()), span(child))
    elif kind in ("string", "concatenated_string", "integer", "float", "true", "false"):
        _ask(body, pattern, Predicate("==", (value, body.expression(pattern))), fails)
    else:
        _perhaps(body, fails)


def _ask(body: Body, pattern: Node, predicate: Predicate, fails: Place) -> None:
    """Go on where the predicate holds."""
    holds = body.builder.block()
    body.builder.branch(predicate, holds, fails, span(pattern))
    body.builder.start(holds)


def _perhaps(body: Body, fails: Place) -> None:
    """Go on, or not."""
    holds = body.builder.block()
    body.builder.choose([holds, fails])
    body.builder.start(holds)


def _sequence(body: Body, children: list[Node], value: Operand, fails: Place) -> None:
    _perhaps(body, fails)
    fixed = True
    for number, child in enumerate(children):
        fixed = fixed and _only(child).type != "splat_pattern"
        item = (
            body.builder.give("item", value, Constant("integer", number), span=span(child))
            if fixed
            else body.builder.give("next", value, "element", span=span(child))
        )
        _pattern(body, child, item, fails)


def _parts(body: Body, children: list[Node], value: Operand, fails: Place) -> None:
    """What the pattern of a class says of the object's attributes."""
    for number, child in enumerate(children):
        inner = _only(child)
        parts = elements(inner)
        if inner.type == "keyword_pattern" and len(parts) == 2:
            part, place = parts[1], body.builder.give("load", value, text(parts[0]), span=span(child))
        else:
            part, place = child, body.builder.give("item", value, Constant("integer", number), span=span(child))
        _pattern(body, part, place, fails)


def _union(body: Body, children: list[Node], value: Operand, fails: Place) -> None:
    builder = body.builder
    matched = builder.block()
    held = body.temporary("matched")
    builder.set(held, value)
    for number, child in enumerate(children, 1):
        following = builder.block() if number < len(children) else fails
        _pattern(body, child, builder.get(held), following)
        builder.jump(matched)
        if number < len(children):
            builder.start(following)
    builder.start(matched)
