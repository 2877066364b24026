"""Which of several bases a class takes a name from, where all of them are classes of the same file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Known:
    """A class of the file. order: the classes in which its attributes are looked up, itself first, by their symbols."""

    symbol: str
    names: frozenset[str]
    order: tuple[Known, ...]

    def provider(self, name: str) -> str:
        """The class that `name` is found in; empty where none has it."""
        return next((each.symbol for each in (self, *self.order[1:]) if name in each.names), "")


def known(symbol: str, names: Iterable[str], bases: Sequence[Known]) -> Known | None:
    """The class with these bases; None if they have no order."""
    rest = _merge([*(list(_lookup(base)) for base in bases), list(bases)])
    if rest is None:
        return None
    own = Known(symbol, frozenset(names), ())
    return Known(symbol, own.names, (own, *rest))


def _lookup(of: Known) -> Iterator[Known]:
    yield of
    yield from of.order[1:]


def _merge(lists: list[list[Known]]) -> list[Known] | None:
    """The C3 linearisation's merge: the first head that no tail has, until nothing is left."""
    merged: list[Known] = []
    while lists := [each for each in lists if each]:
        tails = {other.symbol for each in lists for other in each[1:]}
        head = next((each[0] for each in lists if each[0].symbol not in tails), None)
        if head is None:
            return None
        merged.append(head)
        lists = [[other for other in each if other.symbol != head.symbol] for each in lists]
    return merged


def hidden(of: Known, bases: Sequence[Known]) -> Iterator[tuple[str, str]]:
    """(base, name): what a base has as `name` is not what the class inherits."""
    if len(bases) < 2:
        return
    every = {name for base in bases for each in _lookup(base) for name in each.names}
    for name in sorted(every - of.names):
        found = of.provider(name)
        for base in bases:
            if base.provider(name) not in ("", found):
                yield base.symbol, name
