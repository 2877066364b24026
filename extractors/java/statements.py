"""Statements: each handler lowers its node into the current block."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.java import guards, helpers, synonyms, type_arguments, written_types
from pliant.extractors.java.calls import pass_arguments
from pliant.extractors.java.classes import define
from pliant.extractors.java.conditions import CONDITIONS, branch
from pliant.extractors.java.declarations import CLASSES, Frame, constructor_name
from pliant.extractors.java.expressions import super_
from pliant.extractors.java.lowering import STATEMENTS, Lowering
from pliant.extractors.java.operators import unboxed
from pliant.extractors.java.paths import keys_of
from pliant.extractors.java.types import erased, is_boxed, is_primitive
from pliant.extractors.lowering import control
from pliant.extractors.lowering.handlers import registrar
from pliant.extractors.lowering.source import elements, span, text
from pliant.extractors.ssa import Value

_EVERYTHING = frozenset(("Exception", "RuntimeException", "Throwable"))


handles = registrar(STATEMENTS)


@handles("block", "constructor_body")
def block(lo: Lowering, node: Node) -> None:
    lo.frame = Frame(lo.frame)
    lo.block(node)
    lo.frame = lo.frame.outer or lo.frame


def body_of(lo: Lowering, node: Node | None) -> control.Part:
    def lower() -> None:
        if node is not None:
            lo.frame = Frame(lo.frame)
            lo.statement(node)
            lo.frame = lo.frame.outer or lo.frame

    return lower


@handles(";")
def nothing(lo: Lowering, node: Node) -> None:
    """Statements without effect on values."""


@handles("expression_statement")
def expression_statement(lo: Lowering, node: Node) -> None:
    for child in elements(node):
        value = lo.expression(child)
        if child.type == "method_invocation":
            lo.behind(value)


@handles("local_variable_declaration")
def local_variables(lo: Lowering, node: Node) -> None:
    declared = node.child_by_field_name("type")
    type_name = erased(declared) if declared is not None else ""
    for declarator in node.children_by_field_name("declarator"):
        name, value_node = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
        if name is None:
            continue
        kind = type_name + ("[]" if declarator.child_by_field_name("dimensions") is not None else "")
        value = lo.opaque()
        if value_node is not None:
            value = lo.expression(value_node)
            if is_primitive(kind):
                unboxed(lo, value_node, value, "=")
                known = value in lo.fn.tests or value in lo.fn.constants
                value = lo.opaque() if value in lo.fn.nonnull and not known else value
            elif value_node.type in ("method_invocation", "cast_expression", "array_access"):
                lo.declared(value, declared)
            if kind == "var":
                kind = lo.static_type(value_node)
        if value in lo.call_results:
            lo.emit("named", value)
        written = None
        if lo.annotated:
            written = written_types.written(declared, type_use=lo.type_use)
            written = type_arguments.of_expression(lo, value_node) if type_name == "var" else written
        key = lo.declare_variable(text(name), kind, value, written)
        if value_node is not None:
            synonyms.note(lo, key, value_node, value)


@handles(*CLASSES)
def local_class(lo: Lowering, node: Node) -> None:
    name = node.child_by_field_name("name")
    if name is None:
        return
    class_ = lo.declare_local_class(node, f"{lo.symbol[1:]}.{text(name)}", static=lo.static)
    lo.writer.place(lo.writer.symbol(class_.symbol), span(name))
    if class_.kind == "class":
        class_.captures = lo.capture(class_.symbol, node)
    define(lo, class_)


@handles("explicit_constructor_invocation")
def constructor_call(lo: Lowering, node: Node) -> None:
    """`this(...)` or `super(...)`."""
    which = node.child_by_field_name("constructor")
    given = elements(node.child_by_field_name("arguments"))
    class_ = lo.class_
    if class_ is None:
        return
    if which is not None and which.type == "super":
        what, receiver = "super()", super_(lo, node)
        name = constructor_name(erased(class_.bases[0])) if class_.bases else "<init>"
    else:
        what, receiver, name = "this()", lo.this(), class_.constructor
    value = lo.call_method(what, node, lo.live(), receiver, f"{name}/{len(given)}")
    passed = pass_arguments(lo, value, given)
    lo.fn.called(value, [receiver, *passed])
    lo.fn.passed(value, [receiver, *passed])
    lo.behind(value)


@handles("return_statement")
def return_(lo: Lowering, node: Node) -> None:
    children = elements(node)
    if not children:
        helpers.note_return(lo, None, None)
        lo.leave(None)
        return
    _return(lo, node, children[0])


def _return(lo: Lowering, node: Node, returned: Node) -> None:
    """`return a ? null : c` is two returns: what shows that it gives null then is followed."""
    while returned.type == "parenthesized_expression" and len(elements(returned)) == 1:
        returned = elements(returned)[0]
    condition = returned.child_by_field_name("condition")
    arms = [arm for name in ("consequence", "alternative") if (arm := returned.child_by_field_name(name)) is not None]
    if condition is not None and len(arms) == 2 and any(arm.type == "null_literal" for arm in arms):
        for block, arm in zip(branch(lo, condition), arms, strict=True):
            lo.fn.block = block
            if lo.fn.reachable():
                _return(lo, node, arm)
        return
    value = lo.expression(returned)
    helpers.note_return(lo, returned, value)
    if is_primitive(lo.return_type):
        unboxed(lo, returned, value, "return")
        lo.leave(lo.opaque() if value in lo.fn.nonnull else value)
        return
    if lo.is_literal_null(value):
        value = lo.null("return", node, "literal")
        lo.return_nulls.setdefault(lo.symbol, {})[returned.start_byte] = lo.fn.names[value] or ""
    lo.leave(value)


@handles("throw_statement")
def throw(lo: Lowering, node: Node) -> None:
    for child in elements(node):
        value = lo.expression(child)
        lo.dereference(value, "throw", "throw", node, keys_of(lo, child))
    lo.may_raise()
    lo.fn.stop()


@handles("assert_statement")
def assert_(lo: Lowering, node: Node) -> None:
    children = elements(node)
    if children:
        control.assert_(lo, lambda: branch(lo, children[0]), children[1:])


@handles("if_statement")
def if_(lo: Lowering, node: Node) -> None:
    """`else if` after `else if` is nested in the tree; it is lowered in a loop."""
    arms: list[control.Arm] = []
    otherwise: Node | None = node
    while otherwise is not None and otherwise.type == "if_statement":
        condition = otherwise.child_by_field_name("condition")
        if condition is None:
            break
        arms.append(_arm(lo, condition, otherwise.child_by_field_name("consequence")))
        otherwise = otherwise.child_by_field_name("alternative")
    if arms:
        control.if_(lo, arms, body_of(lo, otherwise) if otherwise is not None else None)


def _arm(lo: Lowering, condition: Node, consequence: Node | None) -> control.Arm:
    return control.Arm(lambda: branch(lo, condition), body_of(lo, consequence), lambda: CONDITIONS.test(lo, condition))


# Loops.


def _labels(lo: Lowering) -> frozenset[str]:
    labels, lo.labels = lo.labels, frozenset()
    return labels


@handles("while_statement", "do_statement")
def while_(lo: Lowering, node: Node) -> None:
    condition = node.child_by_field_name("condition")
    if condition is not None:
        body = body_of(lo, node.child_by_field_name("body"))
        first = node.type == "do_statement"
        control.loop(lo, lambda: branch(lo, condition), body, body_first=first, labels=_labels(lo))


@handles("for_statement")
def for_(lo: Lowering, node: Node) -> None:
    labels = _labels(lo)
    lo.frame = Frame(lo.frame)
    for child in node.children_by_field_name("init"):
        lo.statement(child)
    condition, updates = node.child_by_field_name("condition"), node.children_by_field_name("update")

    def step() -> None:
        for update in updates:
            lo.expression(update)

    test = (lambda: branch(lo, condition)) if condition is not None else None
    control.loop(lo, test, body_of(lo, node.child_by_field_name("body")), step=step if updates else None, labels=labels)
    lo.frame = lo.frame.outer or lo.frame


@handles("enhanced_for_statement")
def for_each(lo: Lowering, node: Node) -> None:
    labels = _labels(lo)
    declared, name = node.child_by_field_name("type"), node.child_by_field_name("name")
    value_node = node.child_by_field_name("value")
    if value_node is None or name is None:
        return
    source = lo.expression(value_node)
    lo.dereference(source, "for", "iteration", value_node, keys_of(lo, value_node))
    if not lo.fn.reachable():
        return
    type_name = erased(declared) if declared is not None else ""
    loops = list(lo.loops)
    if not lo.static_type(value_node).endswith("[]"):  # whatever changes, the loop over an array does not notice
        loop = lo.value("loop", value_node)
        lo.emit("iterates", loop, source)
        lo.loops.append(lo.fn.names[loop] or "")

    def bind() -> None:
        item = lo.opaque()
        inner = type_arguments.item_of(lo, value_node) if lo.annotated else written_types.Type("")
        if not is_primitive(type_name):
            item = lo.value("item", name)
            lo.emit("iterate", item, source)
            lo.declared(item, declared)
            if lo.annotated:
                type_arguments.takes_null(lo, inner, item, value_node)
        elif inner.nullable and is_boxed(inner.name):
            boxed = lo.null("item", value_node, "annotation")
            lo.dereference(boxed, "item", "unboxing", name)
        lo.declare_variable(text(name), type_name, item, inner if lo.annotated else None)
        guards.note_key(lo, value_node, name)

    lo.frame = Frame(lo.frame)
    control.each(lo, bind, body_of(lo, node.child_by_field_name("body")), labels=labels)
    lo.loops = loops
    lo.frame = lo.frame.outer or lo.frame


_LOOPS = frozenset(("while_statement", "do_statement", "for_statement", "enhanced_for_statement"))


@handles("labeled_statement")
def labelled(lo: Lowering, node: Node) -> None:
    children = elements(node)
    if len(children) < 2:
        return
    label, body = text(children[0]), children[1]
    if body.type in _LOOPS:
        lo.labels = frozenset((label,))
        lo.statement(body)
        lo.labels = frozenset()
    else:
        control.labelled(lo, label, body_of(lo, body))


@handles("break_statement", "continue_statement")
def jump(lo: Lowering, node: Node) -> None:
    children = elements(node)
    control.jump(lo, again=node.type == "continue_statement", label=text(children[0]) if children else "")


# Exceptions and locks.


@handles("try_statement", "try_with_resources_statement")
def try_(lo: Lowering, node: Node) -> None:
    clauses = [child for child in node.children if child.type == "catch_clause"]
    final = next((child for child in node.children if child.type == "finally_clause"), None)
    names = [_caught(clause) for clause in clauses]
    resources = node.child_by_field_name("resources")

    def body() -> None:
        lo.frame = Frame(lo.frame)
        opened = [_resource(lo, resource) for resource in elements(resources) if resource.type == "resource"]
        if (inner := node.child_by_field_name("body")) is not None:
            lo.statement(inner)
        for resource, value in reversed(opened):
            if lo.fn.reachable():  # a resource that is null is not closed
                value = lo.call_method("close()", resource, lo.live(), value, "close/0")
                lo.emit("arguments", value, 0)
        lo.frame = lo.frame.outer or lo.frame

    def finish() -> None:
        for child in elements(final):
            lo.statement(child)

    control.try_(
        lo,
        body,
        [_catch(lo, clause, of_clause) for clause, of_clause in zip(clauses, names, strict=True)],
        everything=any(not _EVERYTHING.isdisjoint(of_clause) for of_clause in names),
        final=finish if final is not None else None,
    )


def _resource(lo: Lowering, node: Node) -> tuple[Node, Value]:
    name, value_node = node.child_by_field_name("name"), node.child_by_field_name("value")
    declared = node.child_by_field_name("type")
    if name is None or value_node is None:
        value = lo.opaque()
        for child in elements(node):
            value = lo.expression(child)
        return node, value
    value = lo.expression(value_node)
    if value in lo.call_results:
        lo.emit("named", value)
    if value_node.type in ("method_invocation", "cast_expression"):
        lo.declared(value, declared)
    lo.declare_variable(text(name), erased(declared) if declared is not None else "", value)
    return node, value


def _caught(clause: Node) -> list[str]:
    """The simple names of the exceptions that a clause catches."""
    parameter = next((child for child in clause.children if child.type == "catch_formal_parameter"), None)
    types = next((child for child in elements(parameter) if child.type == "catch_type"), None)
    return [erased(child).rsplit(".", 1)[-1] for child in elements(types)]


def _catch(lo: Lowering, clause: Node, names: list[str]) -> control.Catch:
    def run() -> None:
        lo.frame = Frame(lo.frame)
        parameter = next((child for child in clause.children if child.type == "catch_formal_parameter"), None)
        name = parameter.child_by_field_name("name") if parameter is not None else None
        if name is not None:
            caught = lo.value("exception", name)
            lo.fn.nonnull.add(caught)
            types = next((child for child in elements(parameter) if child.type == "catch_type"), None)
            for child in elements(types):
                lo.declared(caught, child)
            lo.declare_variable(text(name), names[0] if names else "", caught)
        if (body := clause.child_by_field_name("body")) is not None:
            lo.statement(body)
        lo.frame = lo.frame.outer or lo.frame

    return control.Catch(names, run)


@handles("synchronized_statement")
def synchronized(lo: Lowering, node: Node) -> None:
    for child in elements(node):
        if child.type == "parenthesized_expression":
            value = lo.expression(child)
            lo.dereference(value, "synchronized", "lock", child, keys_of(lo, child))
    if (body := node.child_by_field_name("body")) is not None:
        lo.statement(body)
