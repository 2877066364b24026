"""Local variables: which one a name means, and which of them a part of the file gives another value."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from pliant.extractors.c.entities import Variable

Places = Mapping[str, Sequence[int]]  # name -> where it stands, in bytes, in order


class Scopes:
    """The scopes that are open, innermost last. visible: what names mean in them. declared: the variables of all
    scopes so far by key, numbered."""

    __slots__ = ("_hidden", "declared", "visible")

    def __init__(self) -> None:
        self.visible: dict[str, Variable] = {}
        self.declared: dict[str, tuple[int, Variable]] = {}
        self._hidden: list[dict[str, Variable | None]] = []  # what names of each scope mean outside of it

    def open(self) -> None:
        self._hidden.append({})

    def close(self) -> None:
        for name, variable in self._hidden.pop().items():
            if variable is None:
                del self.visible[name]
            else:
                self.visible[name] = variable

    def declare(self, name: str, variable: Variable) -> None:
        """Let a name mean a variable until the innermost scope ends."""
        self._hidden[-1].setdefault(name, self.visible.get(name))
        self.visible[name] = variable
        self.declared[variable.key] = (len(self.declared), variable)


@dataclass(frozen=True, slots=True)
class Written:
    """The names that are written in parts of a file. places: where names are written; parts: starts and ends, in
    bytes."""

    places: Sequence[Places]
    parts: Sequence[tuple[int, int]]

    def __contains__(self, name: object) -> bool:
        for places in self.places:
            found = places.get(name) if isinstance(name, str) else None
            if found is not None:
                for start, end in self.parts:
                    if bisect_left(found, start) < bisect_left(found, end):
                        return True
        return False


@dataclass(frozen=True, slots=True)
class Unwritten:
    """The keys of variables that are followed like locals, among the first `count` of `declared`, and that are not
    `written`. Loops in each other each have one: none of them lists its variables."""

    declared: Mapping[str, tuple[int, Variable]]
    count: int
    written: Container[str]

    def __contains__(self, key: object) -> bool:
        found = self.declared.get(key) if isinstance(key, str) else None
        if found is None:
            return False
        number, variable = found
        return (
            number < self.count and not variable.cell and variable.address is None and variable.name not in self.written
        )
