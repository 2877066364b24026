"""The names of a value: a variable that was given what another one, or a field, holds. A test of one is one of all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tree_sitter import Node

from pliant.extractors.lowering.source import text
from pliant.extractors.ssa import Key, Refinement, Value

if TYPE_CHECKING:
    from pliant.extractors.java.lowering import Lowering

_NAMES = frozenset(("identifier", "field_access"))


def note(lo: Lowering, key: Key, node: Node, value: Value) -> None:
    """The variable `key` was given `value`, lowered from `node`."""
    if node.type in _NAMES and value not in lo.fn.nonnull and (keys := lo.keys_of(node)):
        lo.names_of.setdefault(lo.fn.root(value), {}).update(dict.fromkeys((key, *keys)))


def others(lo: Lowering, found: Iterable[Refinement]) -> list[Refinement]:
    """What tests show of the other names of what they test; not of fields that calls may have changed since."""
    return [
        (other, root, nonnull)
        for key, root, nonnull in found
        if root in lo.names_of and not _changed(lo, key)
        for other in lo.names_of[root]
        if other != key and not _changed(lo, other)
    ]


def _changed(lo: Lowering, key: Key) -> bool:
    return isinstance(key, tuple) and bool(lo.fn.carried.get(lo.fn.content(key)))


def declared_not_null(lo: Lowering, call: Value) -> bool:
    """Whether a call is one of a method of this file that is declared never to give null: to ask is only careful."""
    node, count = lo.invoked.get(call, (None, 0))
    name_node = node.child_by_field_name("name") if node is not None else None
    if node is None or name_node is None or node.child_by_field_name("object") is not None:
        return False
    name = text(name_node)
    for class_ in lo.class_.chain() if lo.class_ is not None else ():
        if name in class_.methods:
            return all(method.nonnull for method in class_.methods[name] if f"{name}/{count}" in method.keys)
    return False
