"""What calls of libraries show of their arguments: checks that throw, assertions, and what maps hold."""

from __future__ import annotations

import re

from tree_sitter import Node

from pliant.extractors.java.lowering import Lowering
from pliant.extractors.java.paths import is_fixed, key_of, value_of
from pliant.extractors.lowering.base import SHOWN
from pliant.extractors.lowering.source import elements, text
from pliant.extractors.ssa import Value

# Classes of libraries whose methods of these names throw if their first argument is null.
_CHECKERS = frozenset(("Validate", "Assert", "Preconditions", "Verify", "Ensure", "Args"))
_CHECKS = frozenset(
    ("notEmpty", "notBlank", "noNullElements", "validIndex", "hasText", "hasLength", "checkElementIndex")
)
# What assertions on `assertThat(x)` show of x, and matchers of `assertThat(x, ...)`.
_ASSERTIONS = frozenset(
    (
        "isNotNull",
        "isInstanceOf",
        "isInstanceOfAny",
        "isExactlyInstanceOf",
        "isNotEmpty",
        "isNotBlank",
        "hasSize",
        "hasText",
        "hasValue",
    )
)
_MATCHERS = ("notNullValue(", "not(nullValue(", "instanceOf(", "isA(", "any(")
_QUALIFIER = re.compile(r"\b[A-Z]\w*\.")
_DEPTH = 20  # calls of a chain of assertions that are looked through


def checked_by_library(lo: Lowering, name: str, base: Node | None, given: list[Node], passed: list[Value]) -> None:
    """What a call that came back has checked."""
    if name in _CHECKS and base is not None and base.type == "identifier" and text(base) in _CHECKERS:
        _not_null(lo, given[:1], passed[:1])
    elif name == "assertThat" and len(given) >= 2:
        matcher = _QUALIFIER.sub("", text(given[-1]))
        if any(word in matcher for word in _MATCHERS) and "not(" not in matcher.replace("not(nullValue", ""):
            _not_null(lo, given[-2:-1], passed[-2:-1])
    elif name in _ASSERTIONS and base is not None:
        subject = _asserted(base)
        if subject is not None:
            lo.refine(lo.tested(subject, lo.opaque(), nonnull=True))


def _not_null(lo: Lowering, given: list[Node], passed: list[Value]) -> None:
    for argument, value in zip(given, passed, strict=True):
        lo.refine(lo.tested(argument, value, nonnull=True))


def _asserted(node: Node) -> Node | None:
    """x of `assertThat(x).as(...)`, and the like."""
    current: Node | None = node
    for _ in range(_DEPTH):
        if current is None or current.type != "method_invocation":
            return None
        name = current.child_by_field_name("name")
        arguments = elements(current.child_by_field_name("arguments"))
        if name is not None and text(name) == "assertThat" and len(arguments) == 1:
            return arguments[0]
        current = current.child_by_field_name("object")
    return None


def note_map(lo: Lowering, name: str, receiver: Value, given: list[Node], passed: list[Value]) -> None:
    """What a map gives for a key after `put`, `remove` or `clear`."""
    fn = lo.fn
    if name in ("put", "remove") and len(given) == 1 + (name == "put") and is_fixed(given[0]):
        there = name == "put" and not lo.is_literal_null(passed[1])
        for read in ("get", "remove"):
            path = fn.path(receiver, f".{read}({key_of(lo, given[0])})")
            if path is not None and (there or fn.content(path)):
                fn.write(path, lo.opaque() if there else fn.unknown)
    elif name == "clear" and not given:
        root = fn.root(receiver)
        for field in [field for field in fn.fields_of.get(root, ()) if field.startswith((".get(", ".remove("))]:
            fn.write((root, field), fn.unknown)


def note_key(lo: Lowering, source: Node, name: Node) -> None:
    """That a map gives something for the key `name`, where a loop goes over `source`, its keys."""
    method, map_node = source.child_by_field_name("name"), source.child_by_field_name("object")
    if source.type != "method_invocation" or method is None or text(method) != "keySet" or map_node is None:
        return
    path = lo.fn.path(value_of(lo, map_node), f".get({key_of(lo, name)})")
    if path is not None:
        lo.fn.write(path, lo.opaque())


# Methods that run a function which they are given before they return, and not later.
_AT_ONCE = frozenset(
    (
        *("forEach", "removeIf", "replaceAll", "computeIfAbsent", "computeIfPresent", "compute", "merge", "sort"),
        *("filter", "map", "mapToInt", "mapToLong", "mapToObj", "flatMap", "peek", "anyMatch", "allMatch", "noneMatch"),
        *("reduce", "collect", "ifPresent", "ifPresentOrElse", "orElseGet", "doPrivileged", "sorted", "takeWhile"),
    )
)


def known_in_lambda(lo: Lowering, node: Node) -> list[str]:
    """Fields of this object that are known not to be null where a lambda is made, and so in it: those that nothing
    in the file sets back to null, and all where it runs at once."""
    if lo.class_ is None or lo.static:
        return []
    parent = node.parent.parent if node.parent is not None and node.parent.type == "argument_list" else None
    name = parent.child_by_field_name("name") if parent is not None else None
    at_once = name is not None and text(name) in _AT_ONCE
    fn, found = lo.fn, []
    root = fn.root(lo.this())
    for field in list(fn.fields_of.get(root, ())):
        known = lo.class_.fields.get(field)
        if known is None or not (at_once or known.final or field not in lo.cleared):
            continue
        content = fn.content((root, field))
        if content in fn.nonnull or (content and fn.on_every_way(fn.content((fn.root(content), SHOWN)))):
            found.append(field)
    return found
