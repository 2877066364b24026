"""Declarators and types, as far as they are written in the file."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from tree_sitter import Node

from pliant.extractors.c.integers import integer
from pliant.extractors.lowering.source import text

_ARITHMETIC = re.compile(
    r"(?:(?:un)?signed|char|short|int|long|float|double|bool|_Bool|void|_Complex|s?size_t|u?int(?:_fast|_least)?\d+_t|"
    r"u?intptr_t|u?intmax_t|ptrdiff_t|off_t|off64_t|time_t|mode_t|pid_t|uid_t|gid_t|dev_t|ino_t|wchar_t|wint_t|clock_t|"
    r"socklen_t|sig_atomic_t|enum\s+\w+|\s)+"
)
_SPECIFIERS = frozenset(
    ("primitive_type", "sized_type_specifier", "struct_specifier", "union_specifier", "enum_specifier",
     "type_identifier", "macro_type_specifier", "typeof_specifier")
)  # fmt: skip
_LEVELS = 64  # of a declarator that are told apart, those closest to the name; C asks compilers for 12
_NAMES = frozenset(("identifier", "field_identifier", "type_identifier"))
_ATTRIBUTE = re.compile(
    r"\b_*(?P<name>nonnull|returns_nonnull|noreturn|_Noreturn|Noreturn)_*\b(?:\s*\((?P<arguments>[^()]*)\))?"
)


Attributes = list[tuple[str, list[int | None]]]  # of a function, with the numbers that each lists


@lru_cache(maxsize=4096)
def _is_arithmetic(base: str) -> bool:
    return _ARITHMETIC.fullmatch(base) is not None


class CType(NamedTuple):
    """base: as it is written, without qualifiers; levels: what is closest to the name first, "pointer", "array",
    "function"."""

    base: str
    levels: tuple[str, ...] = ()

    @property
    def pointer(self) -> bool:
        """Whether values of the type are addresses, arrays and functions included."""
        return bool(self.levels)

    @property
    def array(self) -> bool:
        return self.levels[:1] == ("array",)

    @property
    def arithmetic(self) -> bool:
        return not self.levels and _is_arithmetic(self.base)

    @property
    def aggregate(self) -> bool:
        return not self.levels and self.base.startswith(("struct", "union"))

    @property
    def plain(self) -> bool:
        """Whether no pointer can be in what a value points to."""
        return len(self.levels) == 1 and _is_arithmetic(self.base) and self.base != "void"

    def element(self) -> CType:
        return CType(self.base, self.levels[1:])

    def scalar(self) -> CType:
        """What an array, or one of arrays, is an array of."""
        kind = self
        while kind.array:
            kind = kind.element()
        return kind

    def decayed(self) -> CType:
        """As a parameter."""
        if self.levels[:1] == ("array",):
            return CType(self.base, ("pointer", *self.levels[1:]))
        if self.levels[:1] == ("function",):
            return CType(self.base, ("pointer", *self.levels))
        return self


UNKNOWN = CType("")
UNTYPED = CType("void", ("pointer",))


@dataclass(slots=True)
class Declarator:
    """name: its identifier, None in an abstract one. function: the declarator that has the parameters, if it is one of
    a function. words: qualifiers and nullability on its pointers. initial: the initialiser."""

    name: Node | None = None
    levels: tuple[str, ...] = ()
    function: Node | None = None
    words: frozenset[str] = frozenset()
    initial: Node | None = None


@dataclass(slots=True)
class Specifiers:
    base: str = ""
    storage: frozenset[str] = frozenset()
    node: Node | None = None  # of the type


@dataclass(slots=True)
class Types:
    """typedefs: name -> type; fields: struct or union -> field -> type, in order."""

    typedefs: dict[str, CType] = field(default_factory=dict)
    fields: dict[str, dict[str, CType]] = field(default_factory=dict)

    def resolve(self, kind: CType) -> CType:
        known = self.typedefs.get(kind.base)
        for _ in range(8):
            if known is None:
                break
            kind = CType(known.base, (*kind.levels, *known.levels))
            known = self.typedefs.get(kind.base)
        return kind


def specifiers(node: Node) -> Specifiers:
    """Of a declaration, a definition, a parameter or a field."""
    storage = []
    found = Specifiers()
    for child in node.children:
        kind = child.type
        if kind in _SPECIFIERS and (found.node is None or node.type != "type_definition"):  # else it is the new name
            found.node = child
            found.base = base_name(child)
        elif kind in ("storage_class_specifier", "type_qualifier"):
            storage.append(text(child))
        elif found.node is not None and kind not in ("attribute_specifier", "attribute_declaration"):
            break
    found.storage = frozenset(storage)
    return found


def base_name(node: Node) -> str:
    """What a type specifier names."""
    kind = node.type
    if kind in ("struct_specifier", "union_specifier", "enum_specifier"):
        name = node.child_by_field_name("name")
        word = kind.partition("_")[0]
        return f"{word} {text(name)}" if name is not None else f"{word} #{node.start_byte}"
    return text(node)


def declarator(node: Node | None) -> Declarator:
    levels: list[str] = []
    words: list[str] = []
    found = Declarator()
    while node is not None:
        kind = node.type
        if kind in _NAMES:
            found.name = node
            break
        if kind == "init_declarator":
            found.initial = node.child_by_field_name("value")
            node = node.child_by_field_name("declarator")
            continue
        if kind in ("pointer_declarator", "abstract_pointer_declarator"):
            levels.append("pointer")
            words += [text(child) for child in node.children if child.type == "type_qualifier"]
        elif kind in ("array_declarator", "abstract_array_declarator"):
            levels.append("array")
        elif kind in ("function_declarator", "abstract_function_declarator"):
            levels.append("function")
            found.function = node
        elif kind not in ("parenthesized_declarator", "abstract_parenthesized_declarator", "attributed_declarator"):
            break
        inner = node.child_by_field_name("declarator")
        if kind == "function_declarator" and inner is not None and inner.type == kind:
            found.name = inner  # a function gives no function: `PRIV(name)(...)` is named by a macro
            break
        if inner is None and kind.endswith(("parenthesized_declarator", "attributed_declarator")):
            inner = next(
                (child for child in node.named_children if "declarator" in child.type or child.type in _NAMES), None
            )
        node = inner
    found.levels = tuple(levels[: -_LEVELS - 1 : -1])
    if found.levels[:1] != ("function",):
        found.function = None
    found.words = frozenset(words)
    return found


def declarators(node: Node) -> list[Declarator]:
    """Of a declaration or a field declaration, in order."""
    return [declarator(child) for child in node.children_by_field_name("declarator")]


def described(node: Node) -> CType:
    """The type that a type descriptor says."""
    parts = specifiers(node)
    inner = declarator(node.child_by_field_name("declarator"))
    return CType(parts.base, inner.levels)


@dataclass(slots=True)
class Parameter:
    name: str
    type: CType
    node: Node
    declaration: Node
    words: frozenset[str] = frozenset()
    constant: bool = False  # what it points to is not written through it


def parameters(function: Node, definition: Node | None = None) -> tuple[list[Parameter], bool]:
    """The parameters of a function declarator, and whether more may be passed. definition: of the function, for the
    declarations of an old-style one."""
    node = function.child_by_field_name("parameters")
    found: list[Parameter] = []
    variadic = False
    old: dict[str, Parameter] = {}
    old_style = definition is not None and definition.type == "declaration"
    for child in node.named_children if node is not None else ():
        if child.type == "parameter_declaration":
            parts = specifiers(child)
            inner = declarator(child.child_by_field_name("declarator"))
            kind = CType(parts.base, inner.levels).decayed()
            if kind == CType("void") and inner.name is None:
                continue
            name = text(inner.name) if inner.name is not None else ""
            if old_style and inner.name is None and not inner.levels:
                name = parts.base  # read as a type, but it is the name
                kind = CType("")
            place = inner.name if inner.name is not None else child
            found.append(Parameter(name, kind, place, child, inner.words, "const" in parts.storage))
        elif child.type == "variadic_parameter":
            variadic = True
        elif child.type == "identifier":
            old[text(child)] = parameter = Parameter(text(child), CType("int"), child, child)
            found.append(parameter)
    if old and definition is not None:
        for child in definition.named_children:
            if child.type == "declaration":
                parts = specifiers(child)
                for one in declarators(child):
                    if one.name is not None and (known := old.get(text(one.name))) is not None:
                        known.type = CType(parts.base, one.levels).decayed()
                        known.words = one.words
    return found, variadic


def attributes(node: Node, end: int) -> Attributes:
    """`nonnull`, `returns_nonnull` and `noreturn` of a declaration, with the numbers that they list (from 1)."""
    source = (node.text or b"")[: max(0, end - node.start_byte)].decode("utf-8", "replace")
    if "null" not in source and "oreturn" not in source:
        return []
    found = []
    for match in _ATTRIBUTE.finditer(source):
        numbers = [integer(part.strip()) for part in (match["arguments"] or "").split(",") if part.strip().isdecimal()]
        found.append((match["name"].strip("_").lower(), numbers))
    return found


def read_struct(node: Node, types: Types, spend: Callable[[int], None]) -> None:
    """The fields of a struct or union that is defined by `node`. spend: takes a step (`budget`) for each field that is
    one of a struct around it, too."""
    body = node.child_by_field_name("body")
    if body is None or node.type == "enum_specifier":
        return
    fields = types.fields.setdefault(base_name(node), {})
    todo = list(body.named_children)[::-1]
    while todo:
        child = todo.pop()
        if child.type.startswith("preproc"):
            todo.extend(child.named_children[::-1])
        if child.type != "field_declaration":
            continue
        parts = specifiers(child)
        inner = parts.node
        if inner is not None and inner.type in ("struct_specifier", "union_specifier"):
            read_struct(inner, types, spend)
            if child.child_by_field_name("declarator") is None:  # members of an anonymous one are members of this one
                members = types.fields.get(base_name(inner), {})
                spend(len(members))
                fields.update(members)
        for one in declarators(child):
            if one.name is not None:
                fields[text(one.name)] = CType(parts.base, one.levels)
