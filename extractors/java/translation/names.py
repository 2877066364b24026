"""Names as values: variables, fields, what is of elsewhere, classes."""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.ir.operands import OTHER, Operand
from pliant.extractors.ir.unit import Span
from pliant.extractors.java.translation import nulls
from pliant.extractors.java.translation.body import Body, Values, expression
from pliant.extractors.java.translation.frames import THIS, Declared, Field, Local
from pliant.extractors.java.translation.types_of import CLASS
from pliant.extractors.java.types import erased
from pliant.extractors.lowering.source import elements, joined, span, text


@expression("identifier")
def identifier(body: Body, node: Node) -> Operand:
    name, at = text(node), span(node)
    meaning = body.meaning(name)
    if isinstance(meaning, Local):
        return body.get(meaning, at)
    if meaning is not None:
        class_, known = meaning
        base = field_base(body, class_, known)
    else:
        base = outside(body, name, at)
    return body.builder.give("load", base, name, span=at)


def field_base(body: Body, class_: Declared, known: Field) -> Operand:
    """The object (or class) whose field an unqualified name is: inherited, where a class inside is derived from it."""
    if known.static:
        return body.class_value(class_)
    for heir in body.frame.enclosing():
        if heir is class_:
            break
        if any(body.file.meaning(erased(base), heir.frame)[0] is class_ for base in heir.bases):
            return body.this_of(heir)
    return body.this_of(class_)


def outside(body: Body, name: str, at: Span) -> Operand:
    """The object or class that has a field of a name which nothing in the file declares: imported, or inherited."""
    file = body.file
    if name in file.static_imports:
        package, names = file.static_imports[name]
        return member(body, package, names, at)
    inherits = heir(body)
    if inherits is not None:
        return body.this_of(inherits) if is_instance(body, inherits) else body.class_value(inherits)
    if len(file.static_stars) == 1:
        return member(body, *file.static_stars[0], at)
    return body.this() if body.class_ is not None and is_instance(body, body.class_) else OTHER


def member(body: Body, package: str, names: list[str], at: Span) -> Operand:
    """A class of elsewhere, and what it is inside of."""
    value = body.builder.give("import", package, names[0] if names else "", span=at)
    for each in names[1:]:
        value = body.builder.give("load", value, each, span=at)
    return value


def heir(body: Body) -> Declared | None:
    """The innermost class around this code that has bases, in which names may be looked for."""
    return next((class_ for class_ in body.frame.enclosing() if class_.bases), None)


def is_instance(body: Body, class_: Declared) -> bool:
    """Whether the code has an object of a class around it."""
    held = False
    for frame in body.frame.around():
        if THIS in frame.names:
            held = True
        if frame.class_ is class_:
            return held
        if frame.class_ is not None and frame.class_.static:
            held = False
    return False


def type_name(body: Body, node: Node | None) -> str:
    """The name of a class that an expression is; empty for one that is a value."""
    if node is None:
        return ""
    if node.type in ("type_identifier", "scoped_type_identifier", "generic_type", "scoped_identifier"):
        return erased(node)
    if body.values.has(node, body.frame):
        return ""
    parts, base = _dotted(node)
    body.builder.spend(len(parts))
    if not parts:
        body.values = Values(body.frame, node.start_byte, base.end_byte, node.end_byte)
        return ""
    if body.meaning(parts[0]) is not None or parts[0] in body.file.static_imports:
        body.values = Values(body.frame, node.start_byte, node.start_byte, node.end_byte)
        return ""
    return ".".join(parts) if _is_class(body, parts) else ""


def _dotted(node: Node) -> tuple[list[str], Node]:
    """The parts of `a.b.c`, none of what is no such name, and what is in front of all dots that are looked through."""
    parts: list[str] = []
    while node.type == "field_access":
        name, base = node.child_by_field_name("field"), node.child_by_field_name("object")
        if name is None or base is None or name.type != "identifier":
            return [], node
        parts.append(text(name))
        node = base
    return ([text(node), *reversed(parts)] if node.type == "identifier" else []), node


def _is_class(body: Body, parts: list[str]) -> bool:
    """Whether a dotted name whose first part is no variable is one of a class, as names usually are written: those of
    packages begin with a small letter, those of classes with a capital, and constants have capitals alone. What may be
    an inherited constant, or a class of a package that is imported as a whole, is taken for the class."""
    first, *rest = parts
    class_, _, names = body.file.meaning(first, body.frame)
    if class_ is not None:
        while rest and rest[0] in class_.inner:
            class_ = class_.inner[rest.pop(0)]
        return not rest
    if not names:
        return False  # a type parameter
    if first not in body.file.imports and not first[:1].isupper():
        capital = next((number for number, part in enumerate(rest) if part[:1].isupper()), None)
        if capital is None:
            return False
        rest = rest[capital + 1 :]
    elif first.isupper() and len(first) > 1 and _may_be_inherited(body, first):
        return False
    return all(part[:1].isupper() and not part.isupper() for part in rest)


def _may_be_inherited(body: Body, name: str) -> bool:
    file = body.file
    return heir(body) is not None and name not in file.imports and not file.stars


def base_of(body: Body, node: Node | None) -> Operand:
    """What stands in front of a dot: a value, or a class."""
    name = type_name(body, node)
    if name and node is not None:
        return body.type_value(name, span(node))
    return body.expression(node)


@expression("this")
def this(body: Body, node: Node) -> Operand:
    return body.this()


@expression("super")
def super_(body: Body, node: Node) -> Operand:
    return above(body, body.class_, span(node))


def above(body: Body, class_: Declared | None, at: Span) -> Operand:
    """`super`, of a class around this code."""
    if class_ is None:
        return OTHER
    return body.builder.give("super", class_.type.name, body.this_of(class_), span=at)


def class_around(body: Body, node: Node) -> Declared | None:
    """The class around this code that is written, in `Outer.this` and `Outer.super`."""
    found, _, rest = body.file.meaning(joined(node), body.frame)
    return found if not rest and any(class_ is found for class_ in body.frame.enclosing()) else None


@expression("field_access")
def field_access(body: Body, node: Node) -> Operand:
    base, name = node.child_by_field_name("object"), node.child_by_field_name("field")
    if base is None or name is None:
        return OTHER
    if name.type == "this":
        class_ = class_around(body, base)
        return body.this_of(class_) if class_ is not None else body.this()
    dotted = type_name(body, node)
    if dotted:
        return body.type_value(dotted, span(node))
    of_super = any(child.type == "super" for child in node.children[1:])
    holder = above(body, class_around(body, base) or body.class_, span(node)) if of_super else base_of(body, base)
    value = body.builder.give("load", holder, text(name), span=span(node))
    if body.file.says_null and base.type != "this":
        nulls.note_field(body, node, value)
    return value


@expression("class_literal")
def class_literal(body: Body, node: Node) -> Operand:
    declared = next(iter(elements(node)), None)
    name = type_name(body, declared)
    if not name:
        return OTHER
    value = body.builder.give("load", body.type_value(name, span(node)), "class", span=span(node))
    is_a_class(body, value)
    return body.builder.give("convert", value, CLASS, "cast", span=span(node))


def is_a_class(body: Body, value: Operand) -> None:
    """Say that a value is an object of `java.lang.Class`."""
    body.file.mention("java.lang", "Class")
    body.builder.do("declare", value, (body.builder.give("import", "java.lang", "Class"),))


@expression("type_identifier", "scoped_type_identifier", "generic_type")
def type_as_value(body: Body, node: Node) -> Operand:
    return body.type_value(erased(node), span(node))
