"""Types with their arguments, as far as they say where null may be: `List<@Nullable String>`, `@Nullable String[]`.

A member whose declared type is a type variable gives what the variable stands for. Only files that write such types are
looked at, and only the classes of the file and those of `models/java_generics.toml` are known. What may be null so is
declared to be (`declare`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources

from tree_sitter import Node

from pliant.extractors.ir.operands import NULL, Argument, Operand
from pliant.extractors.java.translation.body import Body
from pliant.extractors.java.translation.frames import Declared, Field, Local, Method, Parameter
from pliant.extractors.java.types import NULLABLE, annotation_names, erased, is_nullable
from pliant.extractors.lowering.source import elements, joined, only, span, text

_NAMES = "|".join(sorted(NULLABLE)).encode()
# `<@Nullable X`, `, @Nullable X>`, `extends @Nullable X`, `@Nullable X[]`, `X @Nullable ...`
_WRITTEN = re.compile(
    rb"[<,]\s*@(?:\w+\.)*(?:%b)\b|(?:extends|super)\s+@(?:\w+\.)*(?:%b)\b|@(?:%b)\s+[\w.<>]+\s*(?:\[\s*\]|\.\.\.)"
    rb"|/\*~" % (_NAMES, _NAMES, _NAMES)
)
_WORDS = (*(name.encode() for name in sorted(NULLABLE)), b"/*~")  # without which it is in no source
_DEPTH = 8  # types in types, and bases of bases
_NO_TYPE = frozenset(("marker_annotation", "annotation", "line_comment", "block_comment", "super"))
_WILDCARD = "?"  # one without an upper bound


@dataclass(frozen=True, slots=True)
class Said:
    """A type as it is written. name: erased; element: of an array."""

    name: str = ""
    nullable: bool = False
    arguments: tuple[Said, ...] = ()
    element: Said | None = None


Bindings = Mapping[str, Said]
_UNKNOWN = Said()


@cache
def _models() -> tuple[dict[str, int], dict[str, list[int]]]:
    model = resources.files("pliant.extractors").joinpath("models", "java_generics.toml")
    tables = tomllib.loads(model.read_text("utf-8"))
    return tables["gives"], tables["takes"]


def are_said(source: bytes) -> bool:
    """Whether a file says of type arguments, their bounds or elements of arrays that they take null."""
    return any(word in source for word in _WORDS) and _WRITTEN.search(source) is not None


# What is written.


def written(node: Node | None, modifiers: Node | None = None, *, type_use: bool = False, depth: int = 0) -> Said:
    """type_use: an annotation in front of the declaration of an array speaks of its elements."""
    if node is None or depth > _DEPTH:
        return _UNKNOWN
    nullable = modifiers is not None and not annotation_names(modifiers).isdisjoint(NULLABLE)
    if node.type == "annotated_type":
        nullable |= not annotation_names(node).isdisjoint(NULLABLE)
        node = next((child for child in reversed(node.named_children) if child.type not in _NO_TYPE), node)
    if node.type == "wildcard":
        inner = [child for child in node.named_children if child.type not in _NO_TYPE]
        found = written(inner[-1], depth=depth + 1) if inner else _UNKNOWN
        above = any(child.type == "super" for child in node.children)
        return found if inner and not above else Said(_WILDCARD, found.nullable)
    if node.type == "array_type":
        return _array(node, nullable, type_use=type_use, depth=depth)
    given: tuple[Said, ...] = ()
    if node.type == "generic_type":
        parts = next((child for child in node.named_children if child.type == "type_arguments"), None)
        given = tuple(written(child, depth=depth + 1) for child in elements(parts))
    return Said(erased(node), nullable, given)


def _array(node: Node, nullable: bool, *, type_use: bool, depth: int) -> Said:
    element, dimensions = node.child_by_field_name("element"), node.child_by_field_name("dimensions")
    inner = written(element, depth=depth + 1)
    if nullable and (type_use or is_nullable(frozenset(), node)):
        inner, nullable = replace(inner, nullable=True), False
    of_dimension: list[bool] = []
    annotated = False
    for child in dimensions.children if dimensions is not None else ():
        if child.type in ("marker_annotation", "annotation"):
            name = child.child_by_field_name("name")
            annotated |= name is not None and joined(name).rpartition(".")[2] in NULLABLE
        elif child.type == "[":
            of_dimension.append(annotated)
            annotated = False
    for takes_null in reversed(of_dimension or [False]):
        inner = Said("", takes_null, (), inner)
    return replace(inner, nullable=inner.nullable or nullable)


def _modifiers(node: Node | None) -> Node | None:
    return next((child for child in node.children if child.type == "modifiers"), None) if node is not None else None


def _variables(node: Node | None) -> list[str]:
    """The type parameters that a class or method declares, in their order."""
    found = []
    for part in elements(node.child_by_field_name("type_parameters") if node is not None else None):
        names = [child for child in part.named_children if child.type in ("type_identifier", "identifier")]
        found += [text(each) for each in names[:1]]
    return found


def _of_field(body: Body, known: Field) -> Said:
    declaration = known.node.parent.parent if known.node.parent is not None else None
    return written(known.type, _modifiers(declaration), type_use=body.file.type_use)


def of_parameter(body: Body, parameter: Parameter) -> Said:
    if parameter.rest:
        return Said("", True in parameter.nullness, (), written(parameter.type, _modifiers(parameter.node)))
    return written(parameter.type, _modifiers(parameter.node), type_use=body.file.type_use)


def _of_result(body: Body, method: Method) -> Said:
    return written(method.type, _modifiers(method.node), type_use=body.file.type_use)


# Members.


def _bound(said: Said, bindings: Bindings, depth: int = 0) -> Said:
    """A type whose variables stand for what is bound to them."""
    if depth > _DEPTH:
        return _UNKNOWN
    known = bindings.get(said.name)
    if known is not None:
        return replace(known, nullable=True) if said.nullable else known
    if said.element is not None:
        return replace(said, element=_bound(said.element, bindings, depth + 1))
    return replace(said, arguments=tuple(_bound(each, bindings, depth + 1) for each in said.arguments))


def _class(body: Body, name: str) -> Declared | None:
    class_, _, rest = body.file.meaning(name, body.frame) if name else (None, "", [])
    return class_ if not rest else None


def _bindings(class_: Declared, said: Said) -> dict[str, Said]:
    names = _variables(class_.node)
    if len(names) != len(said.arguments):
        return {}
    found = dict(zip(names, said.arguments, strict=True))
    for part, name in zip(elements(class_.node.child_by_field_name("type_parameters")), names, strict=False):
        above = [child for child in part.named_children if child.type == "type_bound"]
        if found[name].name == _WILDCARD and above:
            limit = written(next(iter(elements(above[0])), None))
            found[name] = replace(found[name], nullable=found[name].nullable or limit.nullable)
    return found


def _methods(body: Body, said: Said, name: str, count: int, depth: int = 0) -> tuple[list[Method], dict[str, Said]]:
    """The methods of that name and number of parameters that a type of this file has, and what its variables are."""
    class_ = _class(body, said.name) if depth <= _DEPTH else None
    if class_ is None:
        return [], {}
    body.builder.spend(1)
    found = [method for method in class_.methods.get(name, ()) if method.takes(count)]
    bindings = _bindings(class_, said)
    for base in class_.bases if not found else ():
        found, inner = _methods(body, _bound(written(base), bindings), name, count, depth + 1)
        if found:
            return found, inner
    return found, bindings


def _functional(body: Body, said: Said) -> tuple[Method, dict[str, Said]] | None:
    """The one method without a body of an interface of this file."""
    class_ = _class(body, said.name)
    if class_ is None or class_.kind != "interface":
        return None
    every = [method for methods in class_.methods.values() for method in methods if method.node is not None]
    own = [each for each in every if not each.static and each.node.child_by_field_name("body") is None]  # type: ignore[union-attr]
    return (own[0], _bindings(class_, said)) if len(own) == 1 else None


# Expressions.


def of_expression(body: Body, node: Node | None) -> Said:
    """The type of an expression that was translated, as far as it is known."""
    while node is not None and node.type == "parenthesized_expression":
        node = only(node)
    if node is None:
        return _UNKNOWN
    match node.type:
        case "identifier":
            meaning = body.meaning(text(node))
            if isinstance(meaning, Local):
                return body.file.said.get((meaning.owner.function.name, meaning.variable), _UNKNOWN)
            return _of_field(body, meaning[1]) if meaning is not None else _UNKNOWN
        case "method_invocation":
            return body.file.said_of.get(node.id, _UNKNOWN)
        case "field_access":
            found = _field(body, node)
            return _bound(_of_field(body, found[1]), _bindings(found[0], found[2])) if found is not None else _UNKNOWN
        case "array_access":
            return of_expression(body, node.child_by_field_name("array")).element or _UNKNOWN
        case "cast_expression":
            return written(node.child_by_field_name("type"))
        case "assignment_expression":
            return of_expression(body, node.child_by_field_name("right"))
        case "object_creation_expression":
            return _of_creation(body, node)
    return _UNKNOWN


def _field(body: Body, node: Node) -> tuple[Declared, Field, Said] | None:
    """The class and the field of the file that an access is of, and the type of its base."""
    base, name = node.child_by_field_name("object"), node.child_by_field_name("field")
    if base is None or name is None:
        return None
    said = of_expression(body, base)
    class_ = body.class_ if base.type == "this" else _class(body, said.name)
    known = class_.fields.get(text(name)) if class_ is not None else None
    return (class_, known, said) if class_ is not None and known is not None else None


def _of_creation(body: Body, node: Node) -> Said:
    """`new Box<>(value)`, too, where a constructor or a record's components tell what it is a box of."""
    said = written(node.child_by_field_name("type"))
    class_ = _class(body, said.name)
    if said.arguments or class_ is None:
        return said
    given = elements(node.child_by_field_name("arguments"))
    names = _variables(class_.node)
    for method in class_.constructors:
        if len(method.parameters) == len(given):
            found: dict[str, Said] = {}
            for parameter, argument in zip(method.parameters, given, strict=True):
                _infer(body, of_parameter(body, parameter), argument, names, found)
            return replace(said, arguments=tuple(found.get(name, _UNKNOWN) for name in names))
    return said


def _called(body: Body, node: Node) -> tuple[list[Method], dict[str, Said], Said]:
    """What a call may run as this file tells, what its receiver's type variables are, and the receiver's type."""
    name_node, base = node.child_by_field_name("name"), node.child_by_field_name("object")
    name, count = text(name_node) if name_node is not None else "", len(elements(node.child_by_field_name("arguments")))
    if base is None or base.type == "this":
        class_ = next((each for each in body.frame.enclosing() if name in each.methods), None)
        return (
            ([each for each in class_.methods[name] if each.takes(count)] if class_ is not None else []),
            {},
            _UNKNOWN,
        )
    said = of_expression(body, base)
    if not said.name and base.type == "identifier" and body.meaning(text(base)) is None:
        said = Said(text(base))  # a class, whose static method is called
    found, bindings = _methods(body, said, name, count)
    return found, bindings, said


def note_call(body: Body, node: Node, value: Operand) -> None:
    """The type of what a call gives; it may be null where a type variable stands for a type that takes null."""
    found, bindings, receiver = _called(body, node)
    given = elements(node.child_by_field_name("arguments"))
    if len(found) == 1:
        method, declared = found[0], _of_result(body, found[0])
        if names := _variables(method.node):
            bindings |= _method_bindings(body, node, method, names, given)
        said, takes = _bound(declared, bindings), declared.name in bindings and not declared.nullable
    else:
        name = node.child_by_field_name("name")
        key = f"{receiver.name.rpartition('.')[2]}.{text(name) if name is not None else ''}/{len(given)}"
        number = _models()[0].get(key) if not found else None
        if number is None or number >= len(receiver.arguments):
            return
        said, takes = receiver.arguments[number], True
    body.file.said_of[node.id] = said
    if takes:
        takes_null(body, said, value, node)


def _method_bindings(body: Body, node: Node, method: Method, names: list[str], given: list[Node]) -> dict[str, Said]:
    """What the type parameters of a method are in a call: as it says, or as its arguments show."""
    explicit = [child for child in node.named_children if child.type == "type_arguments"]
    if explicit:
        told = [written(child) for child in elements(explicit[0])]
        return dict(zip(names, told, strict=True)) if len(told) == len(names) else {}
    found: dict[str, Said] = {}
    for parameter, argument in zip(method.parameters, given, strict=False):
        if not parameter.rest:
            _infer(body, of_parameter(body, parameter), argument, names, found)
    return found


def _infer(body: Body, wanted: Said, argument: Node, names: list[str], found: dict[str, Said]) -> None:
    """Bind the variables `names` so that `argument` is of the type `wanted`."""
    said = Said("null", True) if argument.type == "null_literal" else of_expression(body, argument)
    if wanted.arguments and argument.type == "method_reference":
        _unify_function(body, wanted, argument, names, found)
    else:
        _unify(wanted, said, names, found)


def _unify_function(body: Body, wanted: Said, node: Node, names: list[str], found: dict[str, Said]) -> None:
    """`base::name` gives what the functional interface `wanted` gives."""
    functional, children = _functional(body, wanted), elements(node)
    if functional is None or len(children) != 2:
        return
    method, bindings = functional
    base, name = children[0], text(children[1])
    said = of_expression(body, base) if base.type == "identifier" else _UNKNOWN
    class_ = _class(body, said.name or erased(base))
    known = class_.methods.get(name, []) if class_ is not None else []
    if class_ is not None and len(known) == 1:
        given = _bound(_of_result(body, known[0]), _bindings(class_, said))
        _unify(_bound(_of_result(body, method), bindings), given, names, found)


def _unify(wanted: Said, said: Said, names: list[str], found: dict[str, Said], depth: int = 0) -> None:
    if wanted.name in names:
        known = replace(said, nullable=False) if wanted.nullable else said
        if wanted.name not in found or (known.nullable and not found[wanted.name].nullable):
            found[wanted.name] = known
    elif len(wanted.arguments) == len(said.arguments) and depth <= _DEPTH:
        for inner, other in zip(wanted.arguments, said.arguments, strict=True):
            _unify(inner, other, names, found, depth + 1)


# What may be null.


def takes_null(body: Body, said: Said, value: Operand, node: Node) -> None:
    """Declare that `value`, what `node` gives, may be null if its type says so."""
    if said.nullable:
        body.builder.do("declare", value, (NULL,), span=span(node))


def declare(body: Body, local: Local, said: Said) -> None:
    """A variable is of a type."""
    body.file.said[local.owner.function.name, local.variable] = said


def item_of(body: Body, node: Node) -> Said:
    """What a loop over the value of an expression gives."""
    said = of_expression(body, node)
    if said.element is not None:
        return said.element
    return said.arguments[0] if len(said.arguments) == 1 else _UNKNOWN


def note_field(body: Body, node: Node, value: Operand) -> None:
    """A field whose declared type is a type variable may be null where that stands for a type that takes null."""
    found = _field(body, node)
    if found is not None and found[1].type is not None and text(found[1].type) in _variables(found[0].node):
        takes_null(body, _bound(_of_field(body, found[1]), _bindings(found[0], found[2])), value, node)


# Lambdas.


def of_lambda(body: Body, node: Node, takes: Sequence[Parameter]) -> tuple[list[Said], list[Argument]]:
    """The types of a lambda's parameters, and what is said of null in those that are not declared."""
    said = _target(body, node)
    functional = _functional(body, said)
    if functional is not None:
        method, bindings = functional
        taken = [_bound(of_parameter(body, each), bindings) for each in method.parameters]
    else:
        numbers = _models()[1].get(said.name.rpartition(".")[2], ())
        taken = [said.arguments[number] for number in numbers if number < len(said.arguments)]
    pairs = list(zip(takes, taken, strict=False))
    told = [Argument(NULL, each.name) for each, inner in pairs if inner.nullable and each.type is None]
    return [inner if each.type is None else of_parameter(body, each) for each, inner in pairs], told


def _target(body: Body, node: Node) -> Said:
    """The functional interface that a lambda is written for."""
    parent = node.parent
    while parent is not None and parent.type == "parenthesized_expression":
        parent = parent.parent
    if parent is None or parent.parent is None:
        return _UNKNOWN
    match parent.type:
        case "variable_declarator":
            return written(parent.parent.child_by_field_name("type"), _modifiers(parent.parent))
        case "assignment_expression":
            return of_expression(body, parent.child_by_field_name("left"))
        case "cast_expression":
            return written(parent.child_by_field_name("type"))
        case "argument_list" if parent.parent.type == "method_invocation":
            return _of_argument(body, parent.parent, elements(parent).index(node))
    return _UNKNOWN


def _of_argument(body: Body, call: Node, number: int) -> Said:
    found, bindings, _ = _called(body, call)
    if len(found) != 1 or number >= len(found[0].parameters) or found[0].parameters[number].rest:
        return _UNKNOWN
    method, outer = found[0], call.parent
    names = _variables(method.node)
    if names and outer is not None and outer.type == "variable_declarator" and outer.parent is not None:
        told: dict[str, Said] = {}
        _unify(_of_result(body, method), written(outer.parent.child_by_field_name("type")), names, told)
        bindings = bindings | told
    return _bound(of_parameter(body, method.parameters[number]), bindings)
