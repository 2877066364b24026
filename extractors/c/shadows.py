"""Whether a name inside a function means the file's variable, or one of the function that has the same name."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from typing import NamedTuple

from tree_sitter import Node

from pliant.extractors.c.declarations import declarator, declarators, parameters, specifiers
from pliant.extractors.c.scopes import Places
from pliant.extractors.lowering.source import text

_FEW = 16  # children of a node that are looked at anew for each place


class _Level(NamedTuple):
    """The named children of a node, and where they start; of what they declare by name: where each of that name stands,
    and whether it is a variable of the function."""

    starts: list[int]
    children: list[Node]
    declared: dict[str, tuple[list[int], list[bool]]]


class Shadows:
    """functions: the definitions of a file. places: where names are used."""

    def __init__(self, functions: Iterable[Node], places: Places) -> None:
        self._functions = sorted(functions, key=lambda node: node.start_byte)
        self._starts = [node.start_byte for node in self._functions]
        self._places = places
        self._parameters: dict[int, frozenset[str]] = {}  # of functions that were asked about
        self._levels: dict[int, _Level] = {}  # of those of their nodes that have many children

    def reach_file(self, name: str, spend: Callable[[int], None]) -> bool:
        """Whether one of the places with that name may mean the file's variable. spend: takes steps (`budget`)."""
        return any(not self._shadowed(name, place, spend) for place in self._places.get(name, ()))

    def _shadowed(self, name: str, place: int, spend: Callable[[int], None]) -> bool:
        index = bisect_right(self._starts, place) - 1
        if index < 0 or place >= self._functions[index].end_byte:
            return False
        shadowed = name in self._parameters_of(index)
        node = self._functions[index].child_by_field_name("body")
        while node is not None:
            spend(1)
            starts, children, declared = self._level(node)
            if name in declared:
                stand, local = declared[name]
                if (before := bisect_right(stand, place)) > 0:
                    shadowed = local[before - 1]
            last = bisect_right(starts, place) - 1
            node = children[last] if last >= 0 and place < children[last].end_byte else None
        return shadowed

    def _parameters_of(self, index: int) -> frozenset[str]:
        found = self._parameters.get(index)
        if found is None:
            function = self._functions[index]
            one = declarator(function.child_by_field_name("declarator"))
            listed = parameters(one.function, function)[0] if one.function is not None else []
            found = self._parameters[index] = frozenset(parameter.name for parameter in listed)
        return found

    def _level(self, node: Node) -> _Level:
        found = self._levels.get(node.id)
        if found is None:
            children = node.named_children
            found = _Level([child.start_byte for child in children], children, {})
            if len(children) > _FEW:
                self._levels[node.id] = found
            for child in children:
                if child.type == "declaration":
                    local = "extern" not in specifiers(child).storage
                    for one in declarators(child):
                        if one.name is not None:
                            stand, locals_ = found.declared.setdefault(text(one.name), ([], []))
                            stand.append(one.name.start_byte)
                            locals_.append(local)
        return found
