"""What an answer rests on: which functions were read for it, and what the rules were asked.

Much is found once and kept for other questions. What was read for that counts for each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


@dataclass(slots=True)
class Rests:
    """functions: their symbols. asked: of what the rules have derived, the name of the question and the symbol that it
    is about."""

    functions: set[str] = field(default_factory=set)
    asked: set[tuple[str, str]] = field(default_factory=set)

    def add(self, other: Rests) -> None:
        self.functions |= other.functions
        self.asked |= other.asked


class Reads:
    """Notes what is read, for whoever wants to know."""

    __slots__ = ("_open",)

    def __init__(self) -> None:
        self._open: list[Rests] = []

    def function(self, symbol: str) -> None:
        """A function is read."""
        if self._open:
            self._open[-1].functions.add(symbol)

    def asked(self, question: str, symbol: str) -> None:
        """The rules are asked something."""
        if self._open:
            self._open[-1].asked.add((question, symbol))

    @contextmanager
    def noting(self) -> Iterator[Rests]:
        """What is read from here on."""
        rests = Rests()
        self._open.append(rests)
        try:
            yield rests
        finally:
            self._open.pop()
            if self._open:
                self._open[-1].add(rests)

    def kept(self, known: dict[Key, tuple[Value, Rests]], key: Key, find: Callable[[], Value]) -> Value:
        """What is found once for each key. known: what has been found."""
        found = known.get(key)
        if found is None:
            with self.noting() as rests:
                value = find()
            found = known[key] = value, rests
        elif self._open:
            self._open[-1].add(found[1])
        return found[0]
