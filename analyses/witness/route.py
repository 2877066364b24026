"""The ways of a null from its origin to its use, as frames: which call leads from one function into another, and at
which value the null is known again. All that the rules have derived of it are tried, not one proof of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from pliant.analyses.witness.bounds import LOOKED_UP, Steps
from pliant.analyses.witness.derived import Derived

_DEPTH = 9  # calls that a null goes through, up and down
_MOST_VALUES = 10_000  # that may be the null


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One run of a function. function: its symbol. origin: the value or parameter where the null is first, where that
    is here. calls: what runs in the calls of it that the null goes through, by the symbol of the call, or by that of a
    function inside it that is made there, and runs at any time after; the use is below each of several that are not
    inner. site: the use, where it is here; argument: its position or name, if what is called there uses an argument.
    inner: whether the null comes out of it, rather than the use being in it or below it. again: whether it stands for
    any of the calls in which the function has called itself. formal: the parameter by which the null comes into it, if
    it does."""

    function: str
    origin: str = ""
    calls: dict[str, Frame] = field(default_factory=dict)
    site: str = ""
    argument: int | str | None = None
    inner: bool = False
    again: bool = False
    formal: str = ""

    def inner_ends(self) -> list[Frame]:
        """The runs below this one in which the use is or below which it is, where one alone leads to it: those of the
        function that the use is in, of that with what calls it, and so on."""
        found: list[Frame] = []
        frame = self
        while not frame.site:
            below = {child for child in frame.calls.values() if not child.inner}
            if len(below) != 1:
                return []
            [frame] = below
            found.append(frame)
        return found[::-1]

    @property
    def has_origin(self) -> bool:
        """Whether the null comes out of a call."""
        return any((each.inner and bool(each.origin)) or each.has_origin for each in self.calls.values())

    def all(self) -> Iterator[Frame]:
        """This run, and those below it."""
        yield self
        for child in dict.fromkeys(self.calls.values()):
            yield from child.all()

    def functions(self) -> Iterator[str]:
        """This function, and those in which and below which the use is."""
        yield self.function
        for child in dict.fromkeys(self.calls.values()):
            if not child.inner:
                yield from child.functions()


@dataclass(frozen=True, slots=True)
class Concerned:
    """functions: those that have values which may be the null. fields: those that may hold it, by name."""

    functions: frozenset[str] = frozenset()
    fields: frozenset[str] = frozenset()


def function_symbol(symbol: str) -> str:
    """The function that an entity belongs to."""
    return "|".join(symbol.split("|")[:2])


def made_around(frame: Frame, function: str = "") -> Frame:
    """The frame of the function around that of a frame, or of `function` if that is further out: what makes it."""
    while "." in frame.function.rpartition("|")[2] and frame.function != function:
        frame = Frame(frame.function.rpartition(".")[0], calls={frame.function: frame})
        if not function:
            break
    return frame


class Routes:
    """The ways of one null to one use. site, origin: symbols of a `null_dereference`. steps: for looking.
    may_hold: the values that the rules say may be the null, besides the one that gives it."""

    def __init__(self, derived: Derived, site: str, origin: str, steps: Steps) -> None:
        self._derived, self._site, self._steps = derived, site, steps
        self._origin = derived.entry(origin)
        self._has = derived.has_null(self._origin)

    @property
    def may_hold(self) -> frozenset[int]:
        return self._has - {self._origin}

    @cached_property
    def concerned(self) -> Concerned:
        """What has to do with the null; nothing where too many values may be it."""
        if len(self._has) > _MOST_VALUES:
            return Concerned()
        used = {entry for value in self._derived.used(self._site) for entry in self._entries(value)}
        values = self._has | used
        self._steps.spend(2 * len(values))
        functions = frozenset(map(function_symbol, self._derived.names(values)))
        return Concerned(functions, self._derived.fields_of(values))

    def frames(self) -> Iterator[Frame]:
        """The outermost frame of each way."""
        here = Frame(function_symbol(self._site), site=self._site)
        used = [(value, here) for value in self._derived.used(self._site)]
        used += [(value, replace(here, argument=each)) for each, value in self._derived.used_inside(self._site)]
        with_null = [(value, frame) for value, frame in used if value in self._has]
        for value, frame in with_null or used:  # of several that are used there, those to which the null comes
            yield from self._outwards(value, frame, _DEPTH)

    def _outwards(self, value: int, frame: Frame, depth: int) -> Iterator[Frame]:
        """The ways on which a value of a frame, in which the use is or below which it is, has the null."""
        for entry in self._entries(value):
            if entry == self._origin:
                yield replace(frame, origin=self._derived.name(entry))
                continue
            name = self._derived.name(entry)
            known, here = False, made_around(frame, function_symbol(name))
            calls: dict[tuple[str, tuple[int, ...]], dict[str, int]] = {}
            for by, inner in self._inwards(entry, depth):
                known = True
                yield replace(here, calls={**here.calls, by: inner})
            for call, argument in self._derived.passed.of_pairs(entry) if depth else ():
                self._steps.spend(LOOKED_UP)
                where = self._derived.name(call)
                if argument in self._has:
                    known = True
                    # Where a function passes on its own parameter to itself, the null has come there from elsewhere.
                    if function_symbol(where) not in here.functions():
                        through = (function_symbol(where), tuple(self._entries(argument)))
                        calls.setdefault(through, {})[where] = argument
            inner = replace(here, formal=name)
            for (function, _), arguments in calls.items():
                outer = Frame(function, calls=dict.fromkeys(arguments, inner))
                yield from self._outwards(next(iter(arguments.values())), outer, depth - 1)
            if not known or self._derived.defaults.of(entry):
                yield replace(frame, origin=self._derived.name(entry))

    def _inwards(self, value: int, depth: int, around: tuple[int, ...] = ()) -> Iterator[tuple[str, Frame]]:
        """The ways on which what a call runs gives the null, for what the call gives or an item of that: with the
        symbol of the call. around: the functions that the call is below, with what they give. A function that has
        called itself has the null of the last of these calls, which is passed anything."""
        for call, body, returned in self._derived.results(value) if depth else ():
            self._steps.spend(LOOKED_UP)
            if around.count(body) > 1:
                continue
            function, name, again = self._derived.name(body), self._derived.name(call), body in around
            through = (*around, body)
            for entry in self._entries(returned) if returned in self._has else ():
                below = [
                    Frame(function, "", {by: each}, inner=True, again=again)
                    for by, each in self._inwards(entry, depth - 1, through)
                ]
                if not below and any(through.count(each) > 1 for _, each, _ in self._derived.results(entry)):
                    continue
                for inner in below or [Frame(function, self._derived.name(entry), inner=True, again=again)]:
                    yield name, inner

    def _entries(self, value: int) -> list[int]:
        """The values of the function through which the null comes to a value of it: nothing in the function gives it to
        them."""
        found: list[int] = []
        seen = {value}
        todo = [value]
        while todo:
            each = todo.pop()
            self._steps.spend(LOOKED_UP)
            before = [other for other in self._derived.flows(each) if other in self._has]
            if each == self._origin or not before or self._derived.gives(each):
                found.append(each)
            for other in before if each != self._origin else ():
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        return found
