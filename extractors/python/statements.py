"""Statements: each handler lowers its node into the current block."""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from pliant.extractors.python.annotations import declared
from pliant.extractors.python.conditions import branch, condition_key, tests_of
from pliant.extractors.python.expressions import keys_of
from pliant.extractors.python.loops import for_each, while_true
from pliant.extractors.python.lowering import STATEMENTS, Handler, Joined, Lowering, Statement
from pliant.extractors.python.scopes import elements, text
from pliant.extractors.python.targets import bind_target, store_item
from pliant.extractors.ssa import LIVE, Block, Value

_EVERYTHING = frozenset(("Exception", "BaseException"))
# Context managers that end an exception raised in their body.
_SUPPRESSING = frozenset(("suppress", "raises", "assertRaises", "assertRaisesRegex"))
_FINALLY_COPIES = 2  # nested deeper than this, only the normal way through a `finally` is lowered


def handles(*types: str) -> Callable[[Statement], Statement]:
    def register(handler: Statement) -> Statement:
        for kind in types:
            STATEMENTS[kind] = handler
        return handler

    return register


@handles("pass_statement", "global_statement", "nonlocal_statement", "future_import_statement", "type_alias_statement")
def nothing(lo: Lowering, node: Node) -> None:
    """Statements without effect on values."""


@handles("module", "block")
def block(lo: Lowering, node: Node) -> None:
    lo.block(node)


@handles("expression_statement")
def expression_statement(lo: Lowering, node: Node) -> None:
    for child in elements(node):
        if child.type in ("assignment", "augmented_assignment"):
            (assignment if child.type == "assignment" else augmented)(lo, child)
        elif child.type != "string":
            value = lo.expression(child)
            if child.type == "call" and lo.fn.reachable():
                reached = lo.value("control")
                lo.emit("control_call", reached, lo.live(), value)
                lo.fn.write(LIVE, reached)


@handles("print_statement", "exec_statement")
def old_statement(lo: Lowering, node: Node) -> None:
    lo.writer.unmodelled(node.type)


def assignment(lo: Lowering, node: Node) -> Value:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    kind = node.child_by_field_name("type")
    if left is None:
        return lo.opaque()
    if kind is not None and lo.class_symbol is not None and "ClassVar" in text(kind):
        lo.emit("class_variable", lo.class_symbol, text(left))
    if right is None:
        if kind is not None and lo.class_symbol is not None and left.type == "identifier":
            value = lo.value(text(left), left)
            lo.fn.nonnull.add(value)
            declared(lo, value, kind)
            lo.emit("class_attribute", lo.class_symbol, text(left), value)
        return lo.opaque()
    pairs = _pairs(left, right)
    if pairs is not None:
        values = [lo.expression(source) for _, source in pairs]
        for (target, _), value in zip(pairs, values, strict=True):
            bind_target(lo, target, value)
        return lo.opaque()
    value = assignment(lo, right) if right.type == "assignment" else lo.expression(right)
    if kind is not None and value not in lo.fn.nonnull:
        declared(lo, value, kind)
    bind_target(lo, left, value)
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


def augmented(lo: Lowering, node: Node) -> None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return
    old = lo.expression(left)
    added = lo.expression(right)
    what = text(operator)
    lo.dereference(old, what, "operator", node, keys_of(lo, left))
    if what != "%=":
        lo.dereference(added, what, "operator", node, keys_of(lo, right))
    if left.type == "identifier":
        lo.emit("write", lo.value(what, node), old, "augmented")
        value = old
        if old != lo.opaque():
            value = lo.value(text(left), left)
            lo.fn.nonnull.add(value)
            lo.emit("assign_object", value, old)
        lo.bind(text(left), value, left)
    elif left.type == "subscript":
        store_item(lo, left, lo.opaque())
    elif left.type == "attribute":
        lo.emit("write", lo.value(what, node), old, "augmented")
        bind_target(lo, left, lo.opaque())


@handles("return_statement")
def return_(lo: Lowering, node: Node) -> None:
    children = elements(node)
    if children:
        value = lo.expression(children[0])
        _implications(lo, children[0], value)
        if lo.is_literal_null(value):
            value = lo.null("return", node, "literal")
    else:
        value = lo.null("return", node, "literal")
    if lo.scope.function().kind == "function":  # elsewhere it is no valid Python and says nothing of what follows
        leave(lo, value)


def _implications(lo: Lowering, node: Node, value: Value) -> None:
    """What a true (or false) result shows about attributes of the function's parameters."""
    for outcome, tests in zip(("true", "false"), tests_of(lo, node, value), strict=True):
        for key, _, nonnull in tests:
            if nonnull and isinstance(key, tuple) and key[0] in lo.fn.formals:
                lo.emit("implies", lo.symbol, outcome, key[1])
    lo.emit("result", lo.symbol, lo.value("result", node))


def leave(lo: Lowering, value: Value) -> None:
    """Control leaves the function here with `value`."""
    if lo.fn.reachable():
        lo.emit("returns", lo.symbol, value, lo.live())
        if lo.fn.what(value) in ("return", "end"):
            lo.requirements(value)
        lo.fn.leave()
        _through_finally(lo)
    lo.fn.stop()


def _through_finally(lo: Lowering) -> None:
    for handler in reversed(lo.handlers):
        if handler.final and handler.block is not None:
            lo.fn.edge(lo.fn.block, handler.block)
            return


@handles("raise_statement")
def raise_(lo: Lowering, node: Node) -> None:
    for child in elements(node):
        lo.expression(child)
    lo.may_raise()
    lo.fn.stop()


@handles("break_statement", "continue_statement")
def jump(lo: Lowering, node: Node) -> None:
    if lo.loops:
        _through_finally(lo)
        after, header = lo.loops[-1]
        lo.fn.jump(after if node.type == "break_statement" else header)
        lo.fn.stop()


@handles("assert_statement")
def assert_(lo: Lowering, node: Node) -> None:
    children = elements(node)
    if not children:
        return
    yes, no = branch(lo, children[0])
    lo.fn.block = no
    if lo.fn.reachable():
        for child in children[1:]:
            lo.expression(child)
        lo.may_raise()
    lo.fn.block = yes


@handles("if_statement")
def if_(lo: Lowering, node: Node) -> None:
    condition, consequence = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
    alternatives = node.children_by_field_name("alternative")
    after = lo.fn.new_block()
    _if(lo, condition, consequence, alternatives, after)
    lo.fn.jump(after)
    lo.fn.start(after)


def _if(lo: Lowering, condition: Node | None, consequence: Node | None, rest: list[Node], after: Block) -> None:
    """Lower one arm; the current block is then the end of the last alternative."""
    fn = lo.fn
    if condition is None:
        return
    tested = condition_key(lo, condition)
    yes, no = branch(lo, condition)
    mark = len(lo.write_log)
    fn.block = yes
    if fn.reachable():
        lo.block(consequence)
    yes_end = fn.block
    fn.jump(after)
    fn.block = no
    if rest and fn.reachable():
        first = rest[0]
        if first.type == "elif_clause":
            inner = (first.child_by_field_name("condition"), first.child_by_field_name("consequence"))
            _if(lo, *inner, rest[1:], after)
            return
        lo.block(first.child_by_field_name("body"))
    if tested is not None:
        key, positive = tested
        keys = frozenset(lo.write_log[mark:])
        ends = (yes_end, fn.block) if positive else (fn.block, yes_end)
        lo.joins[key] = Joined(fn, after, *ends, keys)


@handles("for_statement")
def for_(lo: Lowering, node: Node) -> None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return
    source = lo.expression(right)
    body, otherwise = _bodies(lo, node)
    for_each(lo, left, source, right, keys_of(lo, right), body, otherwise)


@handles("while_statement")
def while_(lo: Lowering, node: Node) -> None:
    condition = node.child_by_field_name("condition")
    if condition is not None:
        body, otherwise = _bodies(lo, node)
        while_true(lo, condition, body, otherwise)


def _bodies(lo: Lowering, node: Node) -> tuple[Callable[[], None], Callable[[], None] | None]:
    body, alternative = node.child_by_field_name("body"), node.child_by_field_name("alternative")
    otherwise = None
    if alternative is not None:
        otherwise = lambda: lo.block(alternative.child_by_field_name("body"))  # noqa: E731
    return (lambda: lo.block(body)), otherwise


# Exceptions.


@handles("try_statement")
def try_(lo: Lowering, node: Node) -> None:
    fn = lo.fn
    clauses = [child for child in node.children if child.type in ("except_clause", "except_group_clause")]
    final = next((child for child in node.children if child.type == "finally_clause"), None)
    otherwise = next((child for child in node.children if child.type == "else_clause"), None)
    final_block = fn.new_block()
    if final is not None:
        lo.handlers.append(Handler(final_block, final=True))
    after = fn.new_block()
    caught = fn.new_block()
    if clauses:
        names = frozenset(name for clause in clauses for name in _caught(clause))
        everything = bool(names & _EVERYTHING) or any(not _caught(clause) for clause in clauses)
        lo.handlers.append(Handler(caught, names, everything))
    lo.block(node.child_by_field_name("body"))
    if clauses:
        lo.handlers.pop()
    if otherwise is not None:
        lo.block(otherwise.child_by_field_name("body"))
    fn.jump(after)
    fn.start(caught)
    if clauses and fn.reachable():
        for clause in clauses:
            fn.block = fn.new_block(caught)
            fn.seal(fn.block)
            _except(lo, clause)
            fn.jump(after)
        if not everything:
            fn.block = fn.new_block(caught)
            fn.seal(fn.block)
            lo.may_raise()
    if final is not None:
        lo.handlers.pop()
        body = elements(final)
        fn.start(final_block)
        if fn.reachable() and lo.finally_depth < _FINALLY_COPIES:
            lo.finally_depth += 1
            for child in body:
                lo.statement(child)
            lo.finally_depth -= 1
            if fn.reachable():
                lo.may_raise()
        fn.start(after)
        for child in body:
            lo.statement(child)
    else:
        fn.seal(final_block)
        fn.start(after)


def _caught(clause: Node) -> list[str]:
    """Last parts of the names of the exceptions that a clause catches."""
    value = clause.child_by_field_name("value")
    if value is not None and value.type == "as_pattern":
        value = next(iter(elements(value)), None)
    if value is None:
        return []
    parts = elements(value) if value.type in ("tuple", "parenthesized_expression") else [value]
    return [text(part).rsplit(".", 1)[-1] for part in parts] or ["()"]


def _except(lo: Lowering, clause: Node) -> None:
    value = clause.child_by_field_name("value")
    if value is not None:
        target = None
        if value.type == "as_pattern":
            target = value.child_by_field_name("alias")
            value = next(iter(elements(value)), value)
        kind = lo.expression(value)
        if target is not None:
            caught = lo.value("exception", target)
            lo.fn.nonnull.add(caught)
            lo.emit("typed", caught, kind)
            bind_target(lo, target, caught)
    for child in elements(clause):
        if child.type == "block":
            lo.block(child)


@handles("with_statement")
def with_(lo: Lowering, node: Node) -> None:
    fn = lo.fn
    suppressing = False
    for clause in elements(node):
        if clause.type != "with_clause":
            continue
        for item in elements(clause):
            value = item.child_by_field_name("value")
            if value is None:
                continue
            target = None
            if value.type == "as_pattern":
                target = value.child_by_field_name("alias")
                value = next(iter(elements(value)), value)
            context = lo.expression(value)
            lo.dereference(context, "with", "context", value, keys_of(lo, value))
            if value.type == "call":
                function = value.child_by_field_name("function")
                suppressing |= function is not None and text(function).rsplit(".", 1)[-1] in _SUPPRESSING
            entered = lo.value("with", value)
            lo.emit("enter", entered, context)
            if target is not None:
                bind_target(lo, target, entered)
    after = fn.new_block()
    if suppressing:
        names = frozenset(("AttributeError", "TypeError"))
        lo.handlers.append(Handler(after, names, True))
    lo.block(node.child_by_field_name("body"))
    if suppressing:
        lo.handlers.pop()
    fn.jump(after)
    fn.start(after)


@handles("delete_statement")
def delete(lo: Lowering, node: Node) -> None:
    todo = elements(node)
    while todo:
        child = todo.pop(0)
        if child.type in ("expression_list", "tuple", "list", "parenthesized_expression"):
            todo = elements(child) + todo
        elif child.type == "subscript":
            store_item(lo, child, lo.opaque())
        elif child.type == "attribute":
            base_node, name = child.child_by_field_name("object"), child.child_by_field_name("attribute")
            if base_node is not None and name is not None:
                base = lo.expression(base_node)
                lo.dereference(base, f"del .{text(name)}", "attribute", child, keys_of(lo, base_node))


# Imports.


def _dotted(node: Node) -> tuple[str, str]:
    """(symbol, mention) of the module that an import names: relative ones belong to the file."""
    if node.type == "relative_import":
        level, name = 0, ""
        for child in node.named_children:
            if child.type == "import_prefix":
                level = text(child).count(".")
            elif child.type == "dotted_name":
                name = text(child)
        mention = f"^{level} {name}"
        return f"|{mention}", mention
    name = "".join(text(node).split())
    return name, name


@handles("import_statement")
def import_(lo: Lowering, node: Node) -> None:
    for child in node.children_by_field_name("name"):
        alias = child.child_by_field_name("alias")
        name_node = child.child_by_field_name("name") if alias is not None else child
        if name_node is None:
            continue
        dotted, mention = _dotted(name_node)
        lo.writer.library(mention)
        if alias is not None:
            value = _module(lo, dotted, child)
            lo.bind(text(alias), value, child)
            continue
        packages = dotted.split(".")
        value = _module(lo, packages[0], child)
        lo.writer.library(packages[0])
        outer = value
        for index, name in enumerate(packages[1:], 2):
            inner = _module(lo, ".".join(packages[:index]), child)
            lo.emit("store", outer, name, inner)
            outer = inner
        lo.bind(packages[0], value, child)


def _module(lo: Lowering, dotted: str, node: Node) -> Value:
    value = lo.value(f"import {dotted}", node)
    lo.fn.nonnull.add(value)
    lo.emit("import_module", value, dotted)
    return value


@handles("import_from_statement")
def import_from(lo: Lowering, node: Node) -> None:
    module = node.child_by_field_name("module_name")
    if module is None:
        return
    dotted, mention = _dotted(module)
    lo.writer.library(mention)
    for child in node.named_children:
        if child.type == "wildcard_import":
            lo.stars.append(dotted)
            lo.emit("star_import", "|", dotted)
    for child in node.children_by_field_name("name"):
        alias = child.child_by_field_name("alias")
        name_node = child.child_by_field_name("name") if alias is not None else child
        if name_node is None:
            continue
        name = text(name_node)
        value = lo.value(f"import {name}", child)
        lo.fn.nonnull.add(value)
        lo.emit("import_from", value, dotted, name)
        separator = "" if dotted.endswith(" ") else "."
        lo.emit("import_module", value, f"{dotted}{separator}{name}")
        lo.writer.library(f"{mention}{separator}{name}")
        lo.bind(text(alias) if alias is not None else name, value, child)
