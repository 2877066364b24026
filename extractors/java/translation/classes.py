"""What the classes of a file declare, read before any code is translated: names may be used above their declaration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Node

from pliant.extractors.budget import TooMuch
from pliant.extractors.ir.operands import Type
from pliant.extractors.java.translation.frames import Declared, Field, Frame, Local, Method, Parameter
from pliant.extractors.java.translation.written import (
    dimensions,
    member_name,
    modifiers,
    nullness,
    parameters,
    type_parameters,
)
from pliant.extractors.java.types import SET_NOTHING, annotation_names, erased
from pliant.extractors.lowering.source import elements, text

if TYPE_CHECKING:
    from pliant.extractors.java.translation.file import File

CLASSES = {
    "class_declaration": "class",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "record_declaration": "record",
    "annotation_type_declaration": "interface",
}
_CONSTANT = frozenset(("static", "final"))
_MOST_FIELDS = 65_535  # that a class file has room for (The Java Virtual Machine Specification, 4.1)


def read(
    file: File, node: Node, outer: Declared | None, around: Frame, qualname: str, holder: Local | None = None
) -> Declared:
    """The class that a declaration (or the body of an anonymous class) makes, and those inside it. holder: the variable
    that holds a local class."""
    kind = CLASSES.get(node.type, "class")
    words, _ = modifiers(node) if node.type in CLASSES else (frozenset(), frozenset())
    inside = outer is not None and outer.kind == "interface"
    symbol = file.unique(qualname)
    simple = qualname.rpartition(".")[2]
    static = outer is None or "static" in words or kind != "class" or inside
    frame = Frame(around, parameters=type_parameters(node))
    found = frame.class_ = Declared(Type("class", symbol), simple, kind, node, frame, outer, static, holder)
    file.declared[symbol] = found
    for child in node.children:
        if child.type == "superclass":
            found.bases += elements(child)
            found.superclass = next(iter(found.bases), None)
        elif child.type in ("super_interfaces", "extends_interfaces"):
            for types in elements(child):
                found.bases += elements(types)
    if kind == "record":
        for each in parameters(node, type_use=file.type_use):
            words = frozenset(("final", "private"))
            found.fields[each.name] = Field(each.name, each.type, _depth(each), each.node, None, words, each.nullness)
    _members(file, found, node if node.type == "class_body" else node.child_by_field_name("body"))
    if len(found.fields) > _MOST_FIELDS:
        raise TooMuch(f"it has more than the {_MOST_FIELDS:,} fields that a class file may have")
    _provided(file, found)
    return found


def _depth(parameter: Parameter) -> int:
    return parameter.dimensions + parameter.rest


def _members(file: File, found: Declared, body: Node | None) -> None:
    for child in elements(body):
        kind = child.type
        name = child.child_by_field_name("name")
        if kind in CLASSES:
            if name is not None:
                qualname = file.deeper(f"{found.type.name}.{text(name)}")
                inner = read(file, child, found, found.frame, qualname, found.holder)
                found.inner.setdefault(text(name), inner)
        elif kind in ("field_declaration", "constant_declaration"):
            _fields(file, found, child)
        elif kind in ("method_declaration", "annotation_type_element_declaration"):
            if name is not None:
                _method(file, found, child, name)
        elif kind in ("constructor_declaration", "compact_constructor_declaration"):
            given = found.node if kind.startswith("compact") else child
            takes = list(parameters(given, type_use=file.type_use))
            symbol = _symbol(file, found, found.simple, takes, first=not found.constructors)
            words, _ = modifiers(child)
            found.constructors.append(Method(symbol, found.simple, child, name or child, takes, None, words))
        elif kind == "enum_constant" and name is not None:
            constant = Field(text(name), None, 0, name, child, _CONSTANT, frozenset((False,)))
            found.fields[constant.name] = constant
            found.code.append((True, constant))
        elif kind == "enum_body_declarations":
            _members(file, found, child)
        elif kind in ("block", "static_initializer"):
            found.code.append((kind != "block", child))


def _fields(file: File, found: Declared, node: Node) -> None:
    words, annotations = modifiers(node)
    if node.type == "constant_declaration" or found.kind == "interface":
        words |= _CONSTANT
    if annotations - SET_NOTHING:
        words |= {"processed"}
    declared = node.child_by_field_name("type")
    of = nullness(annotations, declared, type_use=file.type_use)
    for declarator in node.children_by_field_name("declarator"):
        name, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
        if name is not None:
            known = Field(text(name), declared, dimensions(declarator), name, value, words, of)
            found.fields[known.name] = known
            if value is not None:
                found.code.append((known.static, known))


def _method(file: File, found: Declared, node: Node, name: Node) -> None:
    words, annotations = modifiers(node)
    annotations |= annotation_names(node)  # behind type parameters
    declared = node.child_by_field_name("type")
    takes = list(parameters(node, type_use=file.type_use))
    methods = found.methods.setdefault(text(name), [])
    symbol = _symbol(file, found, member_name(text(name)), takes, first=not methods)
    of = nullness(annotations, declared, type_use=file.type_use)
    methods.append(Method(symbol, text(name), node, name, takes, declared, words, of))


def _symbol(file: File, found: Declared, name: str, takes: list[Parameter], *, first: bool) -> str:
    """The first method of a name is named by it, others by their parameters' types as well."""
    types = [
        (erased(each.type).rpartition(".")[2] if each.type is not None else "") + "[]" * _depth(each) for each in takes
    ]
    return file.unique(f"{found.type.name}.{name}" + ("" if first else f"#{','.join(types)}"))


def _provided(file: File, found: Declared) -> None:
    """Methods that a class has without writing them: a record's and an enum's, and the constructor."""
    simple, place = found.simple, found.place
    if found.kind == "enum":
        for name, takes in (("values", []), ("valueOf", [Parameter("name", None, 0, place, frozenset(), False)])):
            if name not in found.methods:
                symbol = file.unique(f"{found.type.name}.{name}")
                words = frozenset(("static",))
                found.methods[name] = [Method(symbol, name, None, place, takes, None, words, frozenset((False,)))]
    if found.kind == "interface":
        return
    takes = []
    if found.kind == "record":
        takes = list(parameters(found.node, type_use=file.type_use))
        for each in takes:
            methods = found.methods.setdefault(each.name, [])
            if all(method.parameters for method in methods):
                symbol = file.unique(f"{found.type.name}.{each.name}")
                methods.append(Method(symbol, each.name, None, each.node, [], each.type, nullness=each.nullness))
        if any(len(method.parameters) == len(takes) for method in found.constructors):
            return
    elif found.constructors:
        return
    anonymous = found.node.type == "class_body"
    symbol = _symbol(file, found, "<init>" if anonymous else simple, takes, first=not found.constructors)
    found.constructors.append(Method(symbol, simple, None, place, takes))
