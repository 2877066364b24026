"""Statements: each handler lowers its node into the current block."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.lowering import control
from pliant.extractors.lowering.base import Handler
from pliant.extractors.lowering.handlers import registrar
from pliant.extractors.lowering.source import elements, text
from pliant.extractors.python.annotations import admits_none, declared
from pliant.extractors.python.conditions import CONDITIONS, branch, branch_assertion, branch_if
from pliant.extractors.python.expressions import keys_of
from pliant.extractors.python.helpers import call_came_back, note_return
from pliant.extractors.python.loops import for_each
from pliant.extractors.python.lowering import STATEMENTS, Lowering
from pliant.extractors.python.targets import bind_target, store_item
from pliant.extractors.ssa import Value

_EVERYTHING = frozenset(("Exception", "BaseException"))
# Context managers that end an exception raised in their body.
_SUPPRESSING = frozenset(("suppress", "raises", "assertRaises", "assertRaisesRegex"))


handles = registrar(STATEMENTS)


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
            if child.type == "call":
                lo.behind(value)
                call_came_back(lo, child, value)


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
    if kind is not None and left.type == "attribute" and lo.method_of is not None and not admits_none(kind):
        _declared_field(lo, left, lo.method_of)
    if right is None:
        if kind is not None and lo.class_symbol is not None and left.type == "identifier":
            value = lo.value(text(left), left)
            lo.fn.nonnull.add(value)
            declared(lo, value, kind)
            lo.emit("class_attribute", lo.class_symbol, text(left), value)
            if not admits_none(kind):
                lo.emit("required_field", lo.class_symbol, text(left))
        return lo.opaque()
    pairs = _pairs(left, right)
    if pairs is not None and (node.parent is None or node.parent.type != "assignment"):
        values = [lo.expression(source) for _, source in pairs]
        for (target, _), value in zip(pairs, values, strict=True):
            bind_target(lo, target, value)
        return lo.opaque()
    value = assignment(lo, right) if right.type == "assignment" else lo.expression(right)
    call_came_back(lo, right, value)
    if kind is not None and value not in lo.fn.nonnull:
        nullable = declared(lo, value, kind)
        if nullable and left.type == "attribute" and lo.method_of is not None:
            _declared_field(lo, left, lo.method_of, optional=True)
    bind_target(lo, left, value)
    return value


def _declared_field(lo: Lowering, node: Node, owner: str, optional: bool = False) -> None:
    """`self.name: X` or `self.name: X | None` in a method of class `owner`."""
    base, name = node.child_by_field_name("object"), node.child_by_field_name("attribute")
    if base is None or base.type != "identifier" or name is None:
        return
    if lo.expression(base) != next(iter(lo.fn.formals), None):
        return
    if optional:
        null = lo.null(f"{text(name)} attribute annotation", node, "annotation")
        lo.emit("optional_field", owner, text(name), null)
    else:
        lo.emit("required_field", owner, text(name))


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
        lo.implications(children[0], value)
        if lo.is_literal_null(value):
            value = lo.null("return", node, "literal")
    else:
        value = lo.null("return", node, "literal")
    if lo.scope.function().kind == "function":  # elsewhere it is no valid Python and says nothing of what follows
        note_return(lo, children[0] if children else None, value)
        lo.leave(value)


@handles("raise_statement")
def raise_(lo: Lowering, node: Node) -> None:
    for child in elements(node):
        live, value = lo.live(), lo.expression(child)
        if child.type in ("identifier", "attribute"):
            lo.call_value("raise", child, live, value)  # of a class
    lo.may_raise()
    lo.fn.stop()


@handles("break_statement", "continue_statement")
def jump(lo: Lowering, node: Node) -> None:
    control.jump(lo, again=node.type == "continue_statement")


@handles("assert_statement")
def assert_(lo: Lowering, node: Node) -> None:
    children = elements(node)
    if children:
        control.assert_(lo, lambda: branch_assertion(lo, children[0]), children[1:])


@handles("if_statement")
def if_(lo: Lowering, node: Node) -> None:
    arms, otherwise = [_arm(lo, node)], None
    for alternative in node.children_by_field_name("alternative"):
        if alternative.type == "elif_clause":
            arms.append(_arm(lo, alternative))
        else:
            otherwise = _body(lo, alternative.child_by_field_name("body"))
    control.if_(lo, [arm for arm in arms if arm is not None], otherwise)


def _arm(lo: Lowering, node: Node) -> control.Arm | None:
    condition = node.child_by_field_name("condition")
    if condition is None:
        return None
    body = _body(lo, node.child_by_field_name("consequence"))
    return control.Arm(lambda: branch_if(lo, condition), body, lambda: CONDITIONS.test(lo, condition))


def _body(lo: Lowering, node: Node | None) -> control.Part:
    return lambda: lo.block(node)


@handles("for_statement")
def for_(lo: Lowering, node: Node) -> None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return
    source = lo.expression(right)
    body, otherwise = _bodies(lo, node)
    for_each(lo, node, left, source, right, keys_of(lo, right), body, otherwise)


@handles("while_statement")
def while_(lo: Lowering, node: Node) -> None:
    condition = node.child_by_field_name("condition")
    if condition is not None:
        body, otherwise = _bodies(lo, node)
        control.loop(lo, lambda: branch(lo, condition), body, otherwise=otherwise, kept=lo.unwritten(node))


def _bodies(lo: Lowering, node: Node) -> tuple[control.Part, control.Part | None]:
    body, alternative = node.child_by_field_name("body"), node.child_by_field_name("alternative")
    return _body(lo, body), _body(lo, alternative.child_by_field_name("body")) if alternative is not None else None


# Exceptions.


@handles("try_statement")
def try_(lo: Lowering, node: Node) -> None:
    clauses = [child for child in node.children if child.type in ("except_clause", "except_group_clause")]
    final = next((child for child in node.children if child.type == "finally_clause"), None)
    otherwise = next((child for child in node.children if child.type == "else_clause"), None)
    names = [_caught(clause) for clause in clauses]
    control.try_(
        lo,
        _body(lo, node.child_by_field_name("body")),
        [_catch(lo, clause, of_clause) for clause, of_clause in zip(clauses, names, strict=True)],
        everything=any(not of_clause or not _EVERYTHING.isdisjoint(of_clause) for of_clause in names),
        otherwise=_body(lo, otherwise.child_by_field_name("body")) if otherwise is not None else None,
        final=_body(lo, final) if final is not None else None,
    )


def _catch(lo: Lowering, clause: Node, names: list[str]) -> control.Catch:
    return control.Catch(names, lambda: _except(lo, clause))


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
            lo.fn.spend(index)
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
