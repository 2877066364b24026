"""New objects: of classes of the file and of elsewhere, of anonymous classes, and the constants of enums."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Node

from pliant.extractors.ir.operands import ANY, Argument, Operand, Type
from pliant.extractors.java.translation import classes
from pliant.extractors.java.translation.body import Body, expression, outer_field
from pliant.extractors.java.translation.frames import Declared, Field, Local
from pliant.extractors.java.translation.written import array_of, type_written
from pliant.extractors.java.types import erased
from pliant.extractors.lowering.source import elements, span

if TYPE_CHECKING:
    from pliant.extractors.java.translation.file import File

_BEFORE_TYPE = frozenset(("marker_annotation", "annotation", "type_arguments", "line_comment", "block_comment"))


def constructor_name(simple: str) -> str:
    """Under what a constructor is invoked."""
    return f"<init> {simple}"


def field_type(file: File, class_: Declared, known: Field) -> Type:
    if known.type is None:
        return class_.type  # a constant of an enum
    return array_of(type_written(file, class_.frame, known.type), known.dimensions)


def arguments(body: Body, node: Node | None) -> list[Argument]:
    return [Argument(body.expression(child)) for child in elements(node)]


def local_class(body: Body, node: Node, name: str) -> Declared:
    """A class in the code of a function, anonymous or with a name; it is not made yet."""
    file = body.file
    holder = Local(body.builder.variable(name.rpartition(".")[2], ANY), ANY, body.builder)
    found = classes.read(file, node, body.class_, body.frame, file.deeper(name), holder)
    found.static = "static" in body.function.flags
    return found


def _anonymous(body: Body, inside: Node, name: str, base: Node, arity: int) -> Operand:
    """A class that is written where an object of it is made; it is made here."""
    found = local_class(body, inside, name)
    found.arity, found.superclass, found.bases = arity, base, [base]
    return body.file.define(body, found)


def create(body: Body, node: Node, class_: Declared, inside: Node | None, name: str) -> Operand:
    """A constant of an enum; inside: the body of its own class, which is called `name`."""
    build = body.builder
    given = node.child_by_field_name("arguments")
    if inside is None:
        kind = body.class_value(class_)
    else:
        kind = _anonymous(body, inside, name, class_.place, len(elements(given)))
    return build.call(kind, arguments(body, given), span(node))


@expression("object_creation_expression")
def creation(body: Body, node: Node) -> Operand:
    build = body.builder
    declared, given = node.child_by_field_name("type"), node.child_by_field_name("arguments")
    if declared is None:
        return build.call(body.type_value(""), arguments(body, given), span(node))
    first = elements(node)[0]
    outer: Operand | None = None
    if first != declared and first.type not in _BEFORE_TYPE:  # `outer.new Inner()`
        outer = body.expression(first)
        build.do("require", outer, "method", ".new", span=span(first))
    name = erased(declared)
    inside = next((child for child in node.named_children if child.type == "class_body"), None)
    if inside is None:
        class_, _, rest = body.file.meaning(name, body.frame)
        kind = body.type_value(name, span(declared))
        made = build.call(kind, arguments(body, given), span(node))
        if class_ is not None and not rest and class_.holder is None and not class_.static and class_.outer is not None:
            around = outer if outer is not None else body.this_of(class_.outer)
            build.do("store", made, outer_field(class_.outer), around, span=span(node))
        return made
    name = f"{body.function.name}.new {name.rpartition('.')[2]}"
    kind = _anonymous(body, inside, name, declared, len(elements(given)))
    return build.call(kind, arguments(body, given), span(node))
