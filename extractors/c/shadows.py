"""Whether a name inside a function means the file's variable, or one of the function that has the same name."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from tree_sitter import Node

from pliant.extractors.c.declarations import declarator, declarators, parameters, specifiers
from pliant.extractors.lowering.source import text


class Shadows:
    """functions: the definitions of a file. used: places, in bytes, and names that stand there."""

    def __init__(self, functions: Iterable[Node], used: Iterable[tuple[int, str]]) -> None:
        self._functions = sorted(functions, key=lambda node: node.start_byte)
        self._starts = [node.start_byte for node in self._functions]
        self._places: dict[str, list[int]] = {}
        for place, name in used:
            self._places.setdefault(name, []).append(place)

    def reach_file(self, name: str) -> bool:
        """Whether one of the places with that name may mean the file's variable."""
        return any(not self._shadowed(name, place) for place in self._places.get(name, ()))

    def _shadowed(self, name: str, place: int) -> bool:
        index = bisect_right(self._starts, place) - 1
        if index < 0 or place >= self._functions[index].end_byte:
            return False
        function = self._functions[index]
        one = declarator(function.child_by_field_name("declarator"))
        listed = parameters(one.function, function)[0] if one.function is not None else []
        shadowed = any(parameter.name == name for parameter in listed)
        node = function.child_by_field_name("body")
        while node is not None:
            inner = None
            for child in node.named_children:
                if child.start_byte > place:
                    break
                if child.type == "declaration" and any(
                    one.name is not None and text(one.name) == name and one.name.start_byte <= place
                    for one in declarators(child)
                ):
                    shadowed = "extern" not in specifiers(child).storage
                if place < child.end_byte:
                    inner = child
            node = inner
        return shadowed
