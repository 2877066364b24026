"""Types with their arguments, as far as they say where null may be: `List<@Nullable String>`, `@Nullable String[]`.

A member whose declared type is a type variable gives what the variable stands for. Only files that write such types are
looked at, and only the classes of the file and those of `models/java_generics.toml` are known.
"""

from __future__ import annotations

import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path

from tree_sitter import Node

from pliant.extractors.java.declarations import Class, Method, modifiers_node
from pliant.extractors.java.lowering import Lowering
from pliant.extractors.java.types import erased, is_primitive
from pliant.extractors.java.written_types import (
    ANY,
    DEPTH,
    UNKNOWN,
    Type,
    bound,
    of_field,
    of_parameter,
    of_result,
    variables,
    written,
)
from pliant.extractors.lowering.source import elements, text
from pliant.extractors.ssa import UNDEFINED, Value

MODELS = Path(__file__).parent.parent / "models" / "java_generics.toml"


@cache
def _models() -> tuple[dict[str, int], dict[str, list[int]]]:
    tables = tomllib.loads(MODELS.read_text(encoding="utf-8"))
    return tables["gives"], tables["takes"]


# Members.


def _bindings(class_: Class, type_: Type) -> dict[str, Type]:
    names = variables(class_.node)
    if len(names) != len(type_.arguments):
        return {}
    found = dict(zip(names, type_.arguments, strict=True))
    for part in elements(class_.node.child_by_field_name("type_parameters")):
        above = [child for child in part.named_children if child.type == "type_bound"]
        name = text(part.named_children[0]) if part.named_children else ""
        if name in found and found[name].name == ANY and above:
            limit = written(next(iter(elements(above[0])), None))
            found[name] = replace(found[name], nullable=found[name].nullable or limit.nullable)
    return found


def _methods(lo: Lowering, type_: Type, name: str, count: int, depth: int = 0) -> tuple[list[Method], dict[str, Type]]:
    """The methods of that name and number of parameters that a type of this file has, and what its variables are."""
    class_ = lo.find_class(type_.name) if type_.name and depth <= DEPTH else None
    if class_ is None:
        return [], {}
    found = [method for method in class_.methods.get(name, ()) if f"{name}/{count}" in method.keys]
    bindings = _bindings(class_, type_)
    if found:
        return found, bindings
    for base in class_.bases:
        found, inner = _methods(lo, bound(written(base), bindings), name, count, depth + 1)
        if found:
            return found, inner
    return [], {}


def _functional(lo: Lowering, type_: Type, depth: int = 0) -> tuple[Method, dict[str, Type]] | None:
    """The one method without a body of an interface of this file."""
    class_ = lo.find_class(type_.name) if type_.name and depth <= DEPTH else None
    if class_ is None or class_.kind != "interface":
        return None
    own = [
        method
        for methods in class_.methods.values()
        for method in methods
        if method.node is not None and not method.static and method.node.child_by_field_name("body") is None
    ]
    bindings = _bindings(class_, type_)
    if own:
        return (own[0], bindings) if len(own) == 1 else None
    inherited = [_functional(lo, bound(written(base), bindings), depth + 1) for base in class_.bases]
    return inherited[0] if len(inherited) == 1 else None


def function_parameters(lo: Lowering, type_: Type) -> list[Type]:
    """What a functional interface takes."""
    found = _functional(lo, type_)
    if found is not None:
        method, bindings = found
        return [bound(of_parameter(lo, parameter), bindings) for parameter in method.parameters]
    takes = _models()[1].get(type_.name.rsplit(".", 1)[-1], ())
    return [type_.arguments[number] for number in takes if number < len(type_.arguments)]


# Expressions.


def of_expression(lo: Lowering, node: Node | None) -> Type:
    """The type of an expression that was lowered, as far as it is known; `?` where it is not."""
    if node is None:
        return UNKNOWN
    kind = node.type
    if kind == "parenthesized_expression":
        return of_expression(lo, next(iter(elements(node)), None))
    if kind == "identifier":
        name = text(node)
        key = lo.local(name)
        if key is not None:
            return lo.written_types.get(key, UNKNOWN)
        owner = lo.field_owner(name)
        return of_field(lo, owner[1]) if owner is not None and lo.captured(name) is None else UNKNOWN
    if kind == "method_invocation":
        return lo.call_types.get(node.id, UNKNOWN)
    if kind == "field_access":
        return _of_field_access(lo, node)
    if kind == "array_access":
        return of_expression(lo, node.child_by_field_name("array")).element or UNKNOWN
    if kind == "cast_expression":
        return written(node.child_by_field_name("type"))
    if kind == "assignment_expression":
        return of_expression(lo, node.child_by_field_name("right"))
    if kind == "object_creation_expression":
        return _of_creation(lo, node)
    return UNKNOWN


def _of_creation(lo: Lowering, node: Node) -> Type:
    """`new Box<>(value)`, too, where a constructor or a record's components tell what it is a box of."""
    type_ = written(node.child_by_field_name("type"))
    class_ = lo.find_class(type_.name)
    if type_.arguments or class_ is None:
        return type_
    given = elements(node.child_by_field_name("arguments"))
    for method in class_.constructors():
        if len(method.parameters) == len(given):
            found: dict[str, Type] = {}
            names = variables(class_.node)
            for parameter, argument in zip(method.parameters, given, strict=True):
                _infer(lo, of_parameter(lo, parameter), argument, lo.opaque(), names, found)
            return replace(type_, arguments=tuple(found.get(name, UNKNOWN) for name in names))
    return type_


def _of_field_access(lo: Lowering, node: Node) -> Type:
    base, name_node = node.child_by_field_name("object"), node.child_by_field_name("field")
    if base is None or name_node is None:
        return UNKNOWN
    name = text(name_node)
    if base.type == "this" and lo.class_ is not None:
        known = lo.class_.fields.get(name)
        return of_field(lo, known) if known is not None else UNKNOWN
    type_ = of_expression(lo, base)
    class_ = lo.find_class(type_.name) if type_.name else None
    known = class_.fields.get(name) if class_ is not None else None
    if class_ is None or known is None:
        return UNKNOWN
    return bound(of_field(lo, known), _bindings(class_, type_))


def _called(lo: Lowering, node: Node) -> tuple[list[Method], dict[str, Type], Type]:
    """What a call may run as this file tells, what its receiver's type variables are, and the receiver's type."""
    name_node, base = node.child_by_field_name("name"), node.child_by_field_name("object")
    name, count = text(name_node) if name_node is not None else "", len(elements(node.child_by_field_name("arguments")))
    if base is None or base.type == "this":
        for class_ in lo.class_.chain() if lo.class_ is not None else ():
            if name in class_.methods:
                return [m for m in class_.methods[name] if f"{name}/{count}" in m.keys], {}, UNKNOWN
        return [], {}, UNKNOWN
    type_ = of_expression(lo, base)
    if not type_.name and base.type == "identifier" and lo.local(text(base)) is None:
        type_ = Type(text(base))  # a class, whose static method is called
    found, bindings = _methods(lo, type_, name, count)
    return found, bindings, type_


def note_call(lo: Lowering, node: Node, value: Value, passed: list[Value]) -> None:
    """The type of what a call gives; it may be null where a type variable stands for a type that takes null."""
    found, bindings, receiver = _called(lo, node)
    given = elements(node.child_by_field_name("arguments"))
    if len(found) != 1:
        name_node = node.child_by_field_name("name")
        name = text(name_node) if name_node is not None else ""
        number = _models()[0].get(f"{receiver.name.rsplit('.', 1)[-1]}.{name}/{len(given)}") if not found else None
        if number is None or number >= len(receiver.arguments):
            return
        type_ = receiver.arguments[number]
        lo.call_types[node.id] = type_
        takes_null(lo, type_, value, node)
        return
    method = found[0]
    declared = of_result(lo, method)
    names = variables(method.node)
    if names:
        bindings |= _method_bindings(lo, node, method, names, given, passed)
    type_ = bound(declared, bindings)
    lo.call_types[node.id] = type_
    if declared.name in bindings and not declared.nullable:
        takes_null(lo, type_, value, node)


def _method_bindings(
    lo: Lowering, node: Node, method: Method, names: list[str], given: list[Node], passed: list[Value]
) -> dict[str, Type]:
    """What the type parameters of a method are in a call: as it says, or as its arguments show."""
    explicit = [child for child in node.named_children if child.type == "type_arguments"]
    if explicit:
        told = [written(child) for child in elements(explicit[0])]
        return dict(zip(names, told, strict=True)) if len(told) == len(names) else {}
    found: dict[str, Type] = {}
    for parameter, argument, value in zip(method.parameters, given, passed, strict=False):
        if not parameter.rest:
            _infer(lo, of_parameter(lo, parameter), argument, value, names, found)
    return found


def _infer(
    lo: Lowering, wanted: Type, argument: Node, value: Value, names: list[str], found: dict[str, Type], depth: int = 0
) -> None:
    """Bind the variables `names` so that `argument`, lowered to `value`, is of the type `wanted`."""
    if wanted.name in names:
        null = argument.type == "null_literal" or lo.known_to_be_null(value)
        type_ = Type("null", True, (), None, argument) if null else of_expression(lo, argument)
        known = value in lo.fn.nonnull and value != lo.opaque()
        _bind(wanted.name, replace(type_, nullable=False) if known or wanted.nullable else type_, found)
    elif wanted.arguments and argument.type == "method_reference":
        _unify_function(lo, wanted, argument, names, found)
    elif wanted.arguments and depth <= DEPTH:
        _unify(wanted, of_expression(lo, argument), names, found)


def _unify_function(lo: Lowering, wanted: Type, node: Node, names: list[str], found: dict[str, Type]) -> None:
    """`base::name` gives what the functional interface `wanted` gives."""
    functional, children = _functional(lo, wanted), elements(node)
    if functional is None or len(children) != 2:
        return
    method, bindings = functional
    base, name = children[0], text(children[1])
    type_ = of_expression(lo, base) if base.type == "identifier" else UNKNOWN
    class_ = lo.find_class(type_.name or erased(base))
    known = class_.methods.get(name, []) if class_ is not None else []
    if class_ is not None and len(known) == 1:
        given = bound(of_result(lo, known[0]), _bindings(class_, type_))
        _unify(bound(of_result(lo, method), bindings), given, names, found)


def _unify(wanted: Type, type_: Type, names: list[str], found: dict[str, Type], depth: int = 0) -> None:
    if wanted.name in names:
        _bind(wanted.name, replace(type_, nullable=False) if wanted.nullable else type_, found)
    elif len(wanted.arguments) == len(type_.arguments) and depth <= DEPTH:
        for inner, other in zip(wanted.arguments, type_.arguments, strict=True):
            _unify(inner, other, names, found, depth + 1)


def _bind(name: str, type_: Type, found: dict[str, Type]) -> None:
    if name not in found or (type_.nullable and not found[name].nullable):
        found[name] = type_


def takes_null(lo: Lowering, type_: Type, value: Value, node: Node) -> None:
    """Note that `value`, what `node` gives, may be null if its type says so."""
    if type_.nullable and value not in lo.fn.nonnull and not is_primitive(type_.name):
        lo.maybe_null.add(value)
        lo.emit("assign", value, lo.null("type argument", type_.place or node, "annotation"))


def element_takes_null(lo: Lowering, node: Node, value: Value, content: Value) -> None:
    """The same of an element of an array. content: what is known to be there; one that was read before, or nothing."""
    if content == UNDEFINED or lo.fn.root(content) in lo.maybe_null:
        takes_null(lo, of_expression(lo, node), value, node)


def item_of(lo: Lowering, node: Node) -> Type:
    """What a loop over the value of an expression gives."""
    type_ = of_expression(lo, node)
    if type_.element is not None:
        return type_.element
    return type_.arguments[0] if len(type_.arguments) == 1 else UNKNOWN


def note_field(lo: Lowering, node: Node, value: Value) -> None:
    """A field whose declared type is a type variable may be null where that stands for a type that takes null."""
    base, name_node = node.child_by_field_name("object"), node.child_by_field_name("field")
    type_ = of_expression(lo, base)
    class_ = lo.find_class(type_.name) if type_.name else None
    known = class_.fields.get(text(name_node)) if class_ is not None and name_node is not None else None
    if class_ is not None and known is not None and known.type_name in variables(class_.node):
        takes_null(lo, bound(of_field(lo, known), _bindings(class_, type_)), value, node)


# Lambdas.


def target_of(lo: Lowering, node: Node) -> Type:
    """The functional interface that a lambda is written for."""
    parent = node.parent
    while parent is not None and parent.type == "parenthesized_expression":
        parent = parent.parent
    if parent is None:
        return UNKNOWN
    if parent.type == "variable_declarator" and parent.parent is not None:
        declaration = parent.parent
        return written(declaration.child_by_field_name("type"), modifiers_node(declaration))
    if parent.type == "assignment_expression":
        return of_expression(lo, parent.child_by_field_name("left"))
    if parent.type == "cast_expression":
        return written(parent.child_by_field_name("type"))
    if parent.type == "return_statement":
        return written(lo.return_node)
    if parent.type == "argument_list" and parent.parent is not None and parent.parent.type == "method_invocation":
        return _of_argument(lo, parent.parent, elements(parent).index(node))
    return UNKNOWN


def _of_argument(lo: Lowering, call: Node, number: int) -> Type:
    found, bindings, _ = _called(lo, call)
    if len(found) != 1 or number >= len(found[0].parameters) or found[0].parameters[number].rest:
        return UNKNOWN
    method = found[0]
    names = variables(method.node)
    outer = call.parent
    if names and outer is not None and outer.type == "variable_declarator" and outer.parent is not None:
        told: dict[str, Type] = {}
        _unify(of_result(lo, method), written(outer.parent.child_by_field_name("type")), names, told)
        bindings = bindings | told
    return bound(of_parameter(lo, method.parameters[number]), bindings)
