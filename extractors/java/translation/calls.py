"""Calls of methods, lambdas, references to methods."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.ir.operands import OTHER, Argument, Operand
from pliant.extractors.ir.unit import Function
from pliant.extractors.java.translation import nulls
from pliant.extractors.java.translation.body import Body, expression, statement
from pliant.extractors.java.translation.creation import arguments, constructor_name
from pliant.extractors.java.translation.formals import formals
from pliant.extractors.java.translation.frames import Declared, Frame
from pliant.extractors.java.translation.names import (
    above,
    base_of,
    class_around,
    heir,
    is_a_class,
    is_instance,
    member,
    type_name,
)
from pliant.extractors.java.translation.types_of import type_of, unbox
from pliant.extractors.java.translation.written import array_of, is_primitive, member_name, parameters, type_written
from pliant.extractors.java.types import erased
from pliant.extractors.lowering.source import elements, span, text


@expression("method_invocation")
def call(body: Body, node: Node) -> Operand:
    name, base = node.child_by_field_name("name"), node.child_by_field_name("object")
    given = node.child_by_field_name("arguments")
    if name is None:
        return OTHER
    count = len(elements(given))
    own: Declared | None = None
    if base is None:
        receiver, own = _implicit(body, text(name), count, node)
    elif any(child.type == "super" for child in node.children[1:]):  # `Outer.super.name()`
        receiver = above(body, class_around(body, base) or body.class_, span(node))
    else:
        receiver = base_of(body, base)
        own = body.class_ if base.type == "this" else None
    passed = arguments(body, given)
    if own is not None:
        _unboxed(body, own, text(name), elements(given), passed)
    value = body.builder.invoke(receiver, member_name(text(name)), passed, span(node))
    if count == 0 and text(name) == "getClass" and not _is_array(body, base):  # no class can replace it
        is_a_class(body, value)
    if body.file.says_null:
        nulls.note_call(body, node, value)
    return value


def _is_array(body: Body, base: Node | None) -> bool:
    """Whether something is an array: its class has a component type, which others have not."""
    return base is not None and type_of(body, base).kind == "array"


def _implicit(body: Body, name: str, count: int, node: Node) -> tuple[Operand, Declared | None]:
    """The object or class whose method an unqualified name is, and the class of the file that has the method."""
    file, at = body.file, span(node)
    for class_ in body.frame.enclosing():
        if name in class_.methods:
            found = class_.found(name, count)
            body.builder.spend(2 * len(found))
            static = all(method.static for method in found) or not is_instance(body, class_)
            return (body.class_value(class_) if static else body.this_of(class_)), class_
    if name in file.static_imports:
        return member(body, *file.static_imports[name], at), None
    inherits = heir(body)
    if inherits is not None:
        return (body.this_of(inherits) if is_instance(body, inherits) else body.class_value(inherits)), None
    if len(file.static_stars) == 1:
        return member(body, *file.static_stars[0], at), None
    return (body.this() if body.class_ is not None and is_instance(body, body.class_) else OTHER), None


def _unboxed(body: Body, class_: Declared, name: str, given: list[Node], passed: list[Argument]) -> None:
    """Arguments that each method which may be meant takes as primitives are unboxed."""
    found = [method for method in class_.found(name, len(given)) if method.takes(len(given))]
    body.builder.spend(2 * len(found) * len(given))
    for number, (node, argument) in enumerate(zip(given, passed, strict=True)):
        kinds = []
        for method in found:
            taken = method.parameters[min(number, len(method.parameters) - 1)]
            kinds.append(array_of(type_written(body.file, class_.frame, taken.type), taken.dimensions))
        if kinds and all(map(is_primitive, kinds)) and type_of(body, node).kind != "array":
            unbox(body, node, argument.value, "argument")


@statement("explicit_constructor_invocation")
def constructor(body: Body, node: Node) -> None:
    """`this(...)` and `super(...)`."""
    which, class_ = node.child_by_field_name("constructor"), body.class_
    around = node.child_by_field_name("object")
    if which is None or class_ is None:
        return
    if around is not None:
        body.expression(around)
    passed = arguments(body, node.child_by_field_name("arguments"))
    if which.type == "this":
        body.builder.invoke(body.this(), constructor_name(class_.simple), passed, span(node))
        return
    simple = erased(class_.superclass).rpartition(".")[2] if class_.superclass is not None else "Object"
    body.builder.invoke(above(body, class_, span(which)), constructor_name(simple), passed, span(node))


@expression("lambda_expression")
def lambda_(body: Body, node: Node) -> Operand:
    file = body.file
    name = file.unique(file.deeper(f"{body.function.name}.<lambda>"))
    made = Function(name, span=span(node), extent=span(node))
    inner = Body(file, made, Frame(body.frame), body)
    code = node.child_by_field_name("body")
    takes = list(parameters(node, type_use=file.type_use))
    said = formals(inner, takes)
    if file.says_null:
        kinds, told = nulls.of_lambda(body, node, takes)
        said += told
        for each, kind in zip(takes, kinds, strict=False):
            nulls.declare(inner, inner.frame.names[each.name], kind)
    if said:
        body.builder.do("signature", name, tuple(said), span=span(node))

    def run() -> None:
        if code is not None and code.type == "block":
            inner.block(code)
        else:
            inner.builder.do("exit", (inner.expression(code),), span=span(code or node))

    file.wait(node, inner, run)
    return body.builder.give("closure", name, (), span=span(node))


@expression("method_reference")
def reference(body: Body, node: Node) -> Operand:
    """`base::name`; of a constructor, the class itself."""
    children = elements(node)
    if not children or children[0].type == "array_type":
        return OTHER
    base, last = children[0], node.children[-1]
    named = type_name(body, base)
    value = base_of(body, base)
    if last.type == "new":
        return value
    if not named and base.type not in ("this", "super"):
        body.builder.do("require", value, "method", f"::{text(last)}", span=span(node))
    return body.builder.give("load", value, f"{text(last)}()", span=span(node))
