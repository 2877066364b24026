"""Statements: blocks, branches, jumps, directives inside functions."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.c.directives import branches_of
from pliant.extractors.c.macros import read_macro
from pliant.extractors.c.translation.body import Body, statement
from pliant.extractors.c.translation.calls import call_by_name
from pliant.extractors.c.translation.conditions import branch, is_test
from pliant.extractors.ir.builder import Place
from pliant.extractors.ir.operands import OTHER, Constant
from pliant.extractors.lowering.source import elements, text
from pliant.extractors.lowering.trees import inside

_NEAR = 32  # bytes in front of an expression that may be `goto`
_NOT_HERE = frozenset(("ERROR", "attribute_declaration", "attribute_specifier"))


@statement("compound_statement", "declaration_list", "translation_unit")
def compound(body: Body, node: Node) -> None:
    body.open()
    for child in node.named_children:
        body.statement(child)
    body.close()


@statement("expression_statement")
def expression_statement(body: Body, node: Node) -> None:
    for child in node.named_children:
        if child.type == "pointer_expression" and _is_jump(body, child):
            body.expression(child.child_by_field_name("argument"))
            _compute(body)
        elif child.type == "identifier" and (macro := body.statement_macro(text(child))) is not None:
            outer = body.frame
            body.statement(body.opened(macro, (), child))
            body.frame = outer
        elif child.type == "identifier" and _is_of_another_file(body, child):
            call_by_name(body, child)
        elif child.type != "comment":
            body.expression(child)


def _is_of_another_file(body: Body, name: Node) -> bool:
    """Whether a name that is a statement is a macro of another file: it may do anything, and leave."""
    word = text(name)
    is_passed = body.frame is not None and word in body.frame.arguments
    return not is_passed and body.meaning(word) is None and body.file.is_external(word)


@statement("attributed_statement", "else_clause")
def parts(body: Body, node: Node) -> None:
    for child in elements(node):
        if child.type not in _NOT_HERE:
            body.statement(child)


@statement("if_statement")
def if_(body: Body, node: Node) -> None:
    build = body.builder
    end = build.block()
    current: Node | None = node
    while current is not None and current.type == "if_statement":
        yes, no = build.block(), build.block()
        alternative = current.child_by_field_name("alternative")
        branch(body, current.child_by_field_name("condition"), yes, no if alternative is not None else end)
        build.start(yes)
        body.scoped(current.child_by_field_name("consequence"))
        build.jump(end)
        if alternative is None:
            break
        build.start(no)
        inner = elements(alternative) if alternative.type == "else_clause" else [alternative]
        current = inner[0] if inner else None
        if current is None or current.type != "if_statement":
            body.scoped(current)
            build.jump(end)
            break
    build.start(end)


@statement("return_statement")
def return_(body: Body, node: Node) -> None:
    given = [child for child in node.named_children if child.type != "comment"]
    if not given:
        body.builder.do(*(("raise", OTHER) if "macro" in body.function.flags else ("exit", ())), span=body.at(node))
        return
    if "macro" in body.function.flags:  # what uses it is left
        body.expression(given[0])
        body.builder.do("raise", OTHER, span=body.at(node))
    else:
        leave_with(body, given[0], node)


def leave_with(body: Body, given: Node, node: Node) -> None:
    """Leave with an expression; one that is true or false, or one of two, leaves in two ways."""
    build, at = body.builder, body.at(node)
    inner = inside(given)
    if body.result.base == "void" and not body.result.levels:
        body.expression(given)
        build.do("exit", (), span=at)
    elif not body.result.levels and inner is not None and is_test(inner):
        yes, no = build.block(), build.block()
        body.asked_by = "return"
        body.frame = body.frame
        branch(body, inner, yes, no)
        body.asked_by = ""
        body.frame = body.frame
        for place, number in ((yes, 1), (no, 0)):
            build.start(place)
            build.do("exit", (Constant("integer", number),), span=at)
    elif inner is not None and inner.type == "conditional_expression" and inner.child_by_field_name("consequence"):
        yes, no = build.block(), build.block()
        branch(body, inner.child_by_field_name("condition"), yes, no)
        for place, name in ((yes, "consequence"), (no, "alternative")):
            build.start(place)
            if (arm := inner.child_by_field_name(name)) is not None:
                leave_with(body, arm, node)
    else:
        build.do("exit", (body.fit(body.expression(given), body.result, given),), span=at)


# Jumps.


@statement("break_statement", "continue_statement")
def leave(body: Body, node: Node) -> None:
    if not body.flow.leave(again=node.type == "continue_statement"):
        body.unmodelled(f"{node.type} outside of loops")


@statement("labeled_statement")
def labelled(body: Body, node: Node) -> None:
    label = node.child_by_field_name("label")
    name = text(label) if label is not None else ""
    if name not in body.placed:  # of two labels of one name, gotos lead to the first
        body.placed.add(name)
        place = label_of(body, name)
        body.builder.jump(place)
        body.builder.start(place)
    for child in elements(node):
        if child != label:
            body.statement(child)


def label_of(body: Body, name: str) -> Place:
    place = body.labels.get(name)
    if place is None:
        place = body.labels[name] = body.builder.block()
    return place


@statement("goto_statement")
def goto(body: Body, node: Node) -> None:
    label = node.child_by_field_name("label")
    if label is None or any(child.type == "ERROR" for child in node.children):
        _compute(body)
    else:
        body.builder.jump(label_of(body, text(label)))


def _is_jump(body: Body, node: Node) -> bool:
    """GNU: `goto *p`, which the grammar reads as an error in front of an expression."""
    start = node.start_byte
    return body.frame is None and body.file.source[max(0, start - _NEAR) : start].rstrip().endswith(b"goto")


def _compute(body: Body) -> None:
    """Control goes to any label."""
    if body.computed is None:
        body.computed = body.builder.block()
    body.builder.jump(body.computed)


def leave_by_labels(body: Body) -> None:
    """A macro is complete: labels that it does not have are its caller's."""
    away = [body.labels.pop(name) for name in sorted(body.labels.keys() - body.placed)]
    if away:
        body.builder.do("exit", ())
    for place in away:
        body.builder.start(place)
        body.builder.do("raise", OTHER)


def finish_labels(body: Body) -> None:
    """The function is complete: computed jumps lead to any of its labels."""
    for name in body.labels.keys() - body.placed:
        body.unmodelled("goto a label that is not in the function")
        del body.labels[name]
    if body.computed is not None:
        body.builder.start(body.computed)
        if body.labels:
            body.builder.choose(list(body.labels.values()))


# Directives. Of a conditional, any of the branches is taken.


@statement("preproc_if", "preproc_ifdef")
def conditional(body: Body, node: Node) -> None:
    build = body.builder

    def number_of(name: str) -> int | None:
        return body.file.defined_before(name, node)

    taken = branches_of(node, number_of)
    if len(taken) == 1:
        for child in taken[0]:
            body.statement(child)
        return
    places, after = [build.block() for _ in taken], build.block()
    build.choose(places)
    for place, children in zip(places, taken, strict=True):
        build.start(place)
        for child in children:
            body.statement(child)
        build.jump(after)
    build.start(after)


@statement("preproc_else", "preproc_elif", "preproc_elifdef")
def stray_branch(body: Body, node: Node) -> None:
    for child in elements(node):
        body.statement(child)


@statement("preproc_def", "preproc_function_def")
def definition(body: Body, node: Node) -> None:
    macro = read_macro(node)
    if macro is not None:
        body.file.macros[macro.name] = macro


@statement("preproc_include", "preproc_call", "attribute_declaration", "type_qualifier", "identifier")
def ignored(body: Body, node: Node) -> None:
    """What has no effect on values; the name of a macro on its own."""
