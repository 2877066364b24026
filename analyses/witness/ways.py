"""Ways of a null to a use that both sides have, which a change adds or takes away.

The rules derive that the null of an origin comes to a use, whatever the way. So where both sides derive it, a new call
of a helper, a second assignment or a test that is gone shows in no difference of rows. It shows in the ways (route.py),
which are compared here: by file, function, operation and line first, then by what they are, as names and places may
have changed. A way that replaces another one is not new, as a finding is not whose null has got another name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal, TypeAlias

from pliant.analyses.identity import Hunk, Pair, head_line
from pliant.analyses.paths import Locate, place_of
from pliant.analyses.witness.bounds import Steps, TooLarge
from pliant.analyses.witness.changed import Changed
from pliant.analyses.witness.derived import Derived
from pliant.analyses.witness.route import Frame, Routes, function_symbol
from pliant.analyses.wording import file_of, function_of, what_of

_MOST_WAYS = 64  # of a null to a use, on either side: past that, they are not compared
_MOST_STEPS = 50_000  # to list them
_MOST_OF_ALL = 5_000_000  # to list those of all findings

_Name: TypeAlias = Callable[[str], object]  # of a symbol


@dataclass(frozen=True, slots=True)
class Way:
    """A way of the null made at `origin` to `site`. status: what a change does with it. there: its site in the head.
    frame: its outermost one. others: the calls and values by which the other ways go, and it does not."""

    status: Literal["new", "fixed"]
    site: str
    origin: str
    there: str
    frame: Frame
    others: frozenset[str]

    @property
    def name(self) -> str:
        """What it is, without names of files, classes and locals."""
        return str(_key(self.frame, _likeness))


@dataclass(frozen=True, slots=True)
class Compared:
    """found: in the order of the findings. left_out: the sites in the head of those with too many ways."""

    found: tuple[Way, ...] = ()
    left_out: frozenset[str] = frozenset()


class _Side:
    def __init__(self, derived: Derived, locate: Locate) -> None:
        self._derived, self._locate = derived, locate
        self._left = _MOST_OF_ALL
        self._places: dict[str, object] = {}

    def through(self, origins: Sequence[str], functions: Iterable[str]) -> set[str]:
        """Those of some origins whose null may come through one of some functions."""
        wanted = frozenset(functions)
        return self._derived.come_to(origins, lambda symbol: function_symbol(symbol) in wanted)

    def ways(self, site: str, origin: str) -> list[Frame] | None:
        """By name; None where there are too many. Those take all the steps that there are, as the order in which rows
        are found decides how many it takes to see it."""
        steps = Steps(min(_MOST_STEPS, self._left))
        frames: list[Frame] | None
        try:
            frames = list(islice(Routes(self._derived, site, origin, steps).frames(), _MOST_WAYS + 1))
        except TooLarge:
            frames = None
        if frames is None or len(frames) > _MOST_WAYS:
            self._left -= steps.most
            return None
        self._left -= steps.most - steps.left
        return sorted(frames, key=lambda frame: repr(_key(frame, str)))

    def placed(self, symbol: str, path: Callable[[str], str], line: Callable[[str, int], int | None]) -> object:
        """A symbol by its file, function, operation and line, as the head has them."""
        if symbol not in self._places:
            file, at, _ = place_of(symbol, self._locate) if symbol.count("|") > 1 else (file_of(symbol), 0, 0)
            where = line(path(file), at) if at else 0
            named = (path(file), function_of(symbol), what_of(symbol) if at else "", where)
            self._places[symbol] = symbol if where is None else named
        return self._places[symbol]


def further(
    base: tuple[Derived, Locate],
    head: tuple[Derived, Locate],
    pairs: Sequence[Pair],
    changed: Changed,
    hunks: Mapping[str, Sequence[Hunk]],
    renames: Mapping[str, str],
) -> Compared:
    """Of findings that both sides have, the ways that lead through a changed function and that one side alone has."""
    before, after = _Side(*base), _Side(*head)
    came = after.through([origin for pair in pairs for origin in pair.head.origins], changed.came)
    gone = before.through([origin for pair in pairs for origin in pair.base.origins], changed.gone)

    def of_base(symbol: str) -> object:
        return before.placed(
            symbol, lambda path: renames.get(path, path), lambda path, line: head_line(hunks.get(path, ()), line)
        )

    def of_head(symbol: str) -> object:
        return after.placed(symbol, lambda path: path, lambda _, line: line)

    found: list[Way] = []
    left_out: set[str] = set()
    for pair in sorted(pairs, key=lambda pair: pair.head.site):
        there = {what_of(origin): origin for origin in pair.base.origins}
        for origin in sorted(pair.head.origins):
            was = origin if origin in pair.base.origins else there.get(what_of(origin))
            if was is None or (origin not in came and was not in gone):
                continue
            new, old = after.ways(pair.head.site, origin), before.ways(pair.base.site, was)
            if new is None or old is None:
                left_out.add(pair.head.site)
                continue
            added, lost = _apart(new, old, of_head, of_base)
            found += [_way("new", pair.head.site, origin, pair.head.site, each, new) for each in added]
            found += [_way("fixed", pair.base.site, was, pair.head.site, each, old) for each in lost]
    return Compared(tuple(found), frozenset(left_out))


def _way(
    status: Literal["new", "fixed"], site: str, origin: str, there: str, frame: Frame, every: Sequence[Frame]
) -> Way:
    own = set(_goes_by(frame))
    others = {symbol for each in every if each is not frame for symbol in _goes_by(each)}
    return Way(status, site, origin, there, frame, frozenset(others - own - {origin}))


def _goes_by(frame: Frame) -> Iterator[str]:
    if frame.origin:
        yield frame.origin
    for by, child in frame.calls.items():
        yield by
        yield from _goes_by(child)


def _apart(
    new: Sequence[Frame], old: Sequence[Frame], of_head: _Name, of_base: _Name
) -> tuple[Sequence[Frame], Sequence[Frame]]:
    """The ways that one side has and the other has not: of either side those that are more than the other's."""
    for name_new, name_old in ((of_head, of_base), (_likeness, _likeness), (_what, _what)):
        named = [(_key(frame, name_new), frame) for frame in new]
        there = [(_key(frame, name_old), frame) for frame in old]
        new, old = _without(named, there), _without(there, named)
    return new[len(old) :], old[len(new) :]


def _without(named: Sequence[tuple[object, Frame]], there: Sequence[tuple[object, Frame]]) -> list[Frame]:
    """Those for which the other side has none of the same name."""
    known = Counter(name for name, _ in there)
    left = []
    for name, frame in named:
        known[name] -= 1
        if known[name] < 0:
            left.append(frame)
    return left


def _key(frame: Frame, name: _Name) -> tuple[object, ...]:
    """What a way is: its functions, by which parameters and results it goes, and the values that it starts with. Calls
    that pass the same value to the same parameter are one way."""
    below = {
        (name(by) if child.inner else "", _key(child, name)): None
        for by, child in sorted(frame.calls.items(), key=lambda item: item[0])
    }
    ends = (frame.function, frame.origin, frame.formal, frame.site)
    return (*(name(end) if end else "" for end in ends), tuple(below))


def _likeness(symbol: str) -> object:
    """The last part of its function's name, and what it is."""
    return function_of(symbol).rpartition(".")[2], _what(symbol)


def _what(symbol: str) -> str:
    """What an entity in a function is; empty for a function itself."""
    return what_of(symbol) if symbol.count("|") > 1 else ""
