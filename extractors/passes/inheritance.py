"""Which of several bases a class takes a name from, where all of them are classes of the same file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

_MOST = 64  # classes that a class inherits from, with itself: of one that has more, this is not looked at


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
    """The class with these bases; None if they have no order, or one of more than _MOST classes."""
    rest = _merge([*(list(_lookup(base)) for base in bases), list(bases)])
    if rest is None or len(rest) >= _MOST:
        return None
    own = Known(symbol, frozenset(names), ())
    return Known(symbol, own.names, (own, *rest))


def _lookup(of: Known) -> Iterator[Known]:
    yield of
    yield from of.order[1:]


def _merge(lists: Sequence[Sequence[Known]]) -> list[Known] | None:
    """The C3 linearisation's merge: the first head that no tail has, until nothing is left."""
    merged: list[Known] = []
    in_tails = Counter(each.symbol for one in lists for each in one[1:])
    heads = [0] * len(lists)
    while any(head < len(one) for one, head in zip(lists, heads, strict=True)):
        candidates = (one[head] for one, head in zip(lists, heads, strict=True) if head < len(one))
        found = next((each for each in candidates if not in_tails[each.symbol]), None)
        if found is None:
            return None
        merged.append(found)
        for number, one in enumerate(lists):
            head = heads[number]
            if head < len(one) and one[head].symbol == found.symbol:
                heads[number] = head + 1
                if head + 1 < len(one):
                    in_tails[one[head + 1].symbol] -= 1
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
