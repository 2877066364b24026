"""What the rules have derived, looked up where a run or a way asks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from pliant.analyses.witness.programs import Programs
from pliant.analyses.wording import file_of, what_of
from pliant.engine import Evaluation
from pliant.extractors.languages import language_of

_MOST_FUNCTIONS = 5_000  # that are followed for what a call may write


@dataclass(frozen=True, slots=True)
class Effects:
    """What calls may write. fields: their names; None for any. code: whether code of the repository runs, which may
    set variables that it shares with others."""

    fields: frozenset[str] | None
    code: bool


@dataclass(frozen=True, slots=True)
class Callees:
    """What a call runs. bodies: functions of the repository. known: whether that is all. reads: whether it is a
    function of the library that changes nothing. makes: whether it gives an object of a class of the repository; a new
    one if that is `new`, which a class of the library may not give. anything: whether it may run code that nobody
    knows."""

    bodies: Sequence[str]
    known: bool
    reads: bool
    makes: Literal["", "new", "object"] = ""
    anything: bool = False


class _Rows:
    """Rows by their first column."""

    def __init__(self, rows: np.ndarray) -> None:
        rows = rows[np.argsort(rows[:, 0], kind="stable")]
        self._first, self._others = np.ascontiguousarray(rows[:, 0]), rows[:, 1:]

    def _at(self, entry: int) -> np.ndarray:
        begin, end = np.searchsorted(self._first, [entry, entry + 1])
        return self._others[begin:end]

    def of(self, entry: int) -> list[int]:
        """The second column."""
        found: list[int] = self._at(entry)[:, 0].tolist()
        return found

    def of_pairs(self, entry: int) -> list[list[int]]:
        """The second and the third column."""
        found: list[list[int]] = self._at(entry).tolist()
        return found


def _relation(name: str, *columns: int) -> Callable[[Derived], _Rows]:
    """The rows of a relation, by one of its columns, with others."""

    def read(self: Derived) -> _Rows:
        return _Rows(self.evaluation.rows(name)[:, list(columns)])

    return read


class Derived:
    """What one evaluation has derived."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation
        self._effects: dict[str, tuple[Effects, int]] = {}
        self._callees: dict[str, Callees] = {}
        self._names: dict[int, str] = {}
        self._entries: dict[str, int] = {}

    _up = cached_property(_relation("up", 1, 0))
    _down = cached_property(_relation("down", 1, 0))
    calls = cached_property(_relation("calls", 0, 1))
    passed = cached_property(_relation("passes", 2, 0, 1))  # by parameter: call, argument
    _returned = cached_property(_relation("returns", 0, 1))
    _elements = cached_property(_relation("element", 0, 1, 2))
    _items = cached_property(_relation("tuple_item", 0, 1, 2))
    defaults = cached_property(_relation("default", 0, 1))
    _flow = cached_property(_relation("flow", 0, 1))
    _summary = cached_property(_relation("summary", 0, 1))
    _uses = cached_property(_relation("dereference", 0, 1))
    _evident = cached_property(_relation("evident", 0, 1))
    _targets = cached_property(_relation("any_target", 0, 1))
    _constructions = cached_property(_relation("construction", 0, 1))
    _nullable = cached_property(_relation("lib_nullable", 0, 1))
    _writes = cached_property(_relation("field_write", 0, 1))
    _states = cached_property(_relation("state_write", 0, 1))
    _calls_in = cached_property(_relation("call", 1, 0))
    _called_by = cached_property(_relation("calls", 1, 0))
    _loads = cached_property(_relation("load", 2, 0))
    _invoked = cached_property(_relation("call_method", 2, 0))
    _constructs = cached_property(_relation("constructs", 0, 1))
    _on_base = cached_property(_relation("bound_target", 0, 1))
    _unbound = cached_property(_relation("target", 0, 1))
    _classes = cached_property(_relation("class_def", 0, 1))
    _computed = cached_property(_relation("computed", 0, 0))
    _bases = cached_property(_relation("class_base", 0, 1))
    _derives = cached_property(_relation("subclass", 0, 1))
    _of_class = cached_property(_relation("class_lookup", 0, 1))

    def entry(self, name: str) -> int:
        """The id of a symbol; -1 for one that is not known."""
        known = self._entries.get(name)
        if known is None:
            [known] = self.evaluation.symbol_ids([name]).tolist()
            self._entries[name] = known
        return known

    def name(self, entry: int) -> str:
        known = self._names.get(entry)
        if known is None:
            known = self._names[entry] = self.evaluation.strings([entry])[0]
        return known

    # Nulls.

    def has_null(self, origin: int) -> frozenset[int]:
        """The values that may be the null made at `origin`."""
        return frozenset((*self._up.of(origin), *self._down.of(origin)))

    def used(self, site: str) -> list[int]:
        """The values that fail at a site if they are null."""
        return self._uses.of(self.entry(site))

    def flows(self, value: int) -> list[int]:
        """The values that a value may be, in its function."""
        return self._flow.of(value) + self._summary.of(value)

    def results(self, value: int) -> Iterator[tuple[int, int, int]]:
        """Of what a call gives, or an item of that: the call, what it runs, and the value that is returned there."""
        for body in self.calls.of(value):
            yield from ((value, body, returned) for returned in self._returned.of(body))
        for call, number in self._elements.of_pairs(value):
            for body in self.calls.of(call):
                for whole in self._returned.of(body):
                    items = self._items.of_pairs(whole)
                    yield from ((call, body, item) for position, item in items if position == number)

    def gives(self, value: int) -> bool:
        """Whether a value is what a call gives, or a parameter that calls pass."""
        return bool(self.calls.of(value)) or bool(self.passed.of(value))

    # Calls.

    @cached_property
    def _changing(self) -> frozenset[int]:
        """The functions of the library that change what they are called on."""
        return frozenset(self.evaluation.rows("lib_mutates")[:, 0].tolist())

    @cached_property
    def _invokes(self) -> _Rows:
        """By function, the functions that it runs."""
        call = self.evaluation.rows("call")
        calls = np.concatenate([self.evaluation.rows("calls"), self.evaluation.rows("constructs")])
        call = call[np.argsort(call[:, 0], kind="stable")]
        at = np.minimum(np.searchsorted(call[:, 0], calls[:, 0]), max(len(call) - 1, 0))
        known = call[at, 0] == calls[:, 0] if len(call) else np.zeros(len(calls), dtype=bool)
        return _Rows(np.stack([call[at[known], 1], calls[known, 1]], axis=1))

    def callees(self, call: str) -> Callees:
        """What a call runs, by its symbol; empty for one that has none."""
        found = self._callees.get(call)
        if found is None:
            found = self._callees[call] = self._called(call)
        return found

    def _called(self, call: str) -> Callees:
        entry = self.entry(call) if call else -1
        if entry < 0:
            return Callees([], False, False)
        bodies = self.calls.of(entry) + self._constructs.of(entry)
        own = [name for name in map(self.name, bodies) if "|" in name]
        targets = self._targets.of(entry)
        reads = not own and any(map(self._nullable.of, targets)) and self._changing.isdisjoint(targets)
        evident = set(self._evident.of(entry))
        makes = self._made(targets) if evident.issuperset(targets) else ""
        known = bool(own) and len(own) == len(bodies) and evident.issuperset(bodies)
        if any(self._classes.of(each) for each in targets):
            known &= bool(makes) and len(targets) == 1 and not self._calls_differ
        return Callees(own, known, reads, makes, self._runs_anything(entry))

    def _runs_anything(self, call: int) -> bool:
        """Whether a call may run code that nobody knows, of a language whose methods may be overridden anywhere."""
        if self.calls.of(call) or self._constructs.of(call):
            return False
        symbol = self.name(call)
        language = language_of(file_of(symbol))
        if language is None or not language.translates or not language.semantics.virtual:
            return False
        name, containers = what_of(symbol).strip(".()"), language.semantics.containers_of
        if name in language.semantics.library.at_once:
            return True
        if self._targets.of(call) or self._constructions.of(call):
            return False
        return containers is None or name not in containers.harmless

    def _made(self, targets: Sequence[int]) -> Literal["", "new", "object"]:
        """What calling any of `targets` makes, as in `Callees`."""
        new = self.entry("__new__")
        if not targets or not all(self._classes.of(each) and new not in self._of_class.of(each) for each in targets):
            return ""
        todo = list(targets)
        seen: set[int] = set()
        while todo:
            each = todo.pop()
            if each not in seen:
                seen.add(each)
                above = self._derives.of(each)
                if not self._classes.of(each) or len(above) < len(self._bases.of(each)) or self._calls_differ:
                    return "object"
                todo += above
        return "new"

    @cached_property
    def _calls_differ(self) -> bool:
        """Whether a class of classes says what calling a class does: nobody knows of which."""
        rows = self.evaluation.rows("library_base")
        of_classes = rows[rows[:, 1] == self.entry("builtins.type"), 0].tolist()
        return any(self.entry("__call__") in self._of_class.of(each) for each in of_classes)

    def is_computed(self, load: str) -> bool:
        """Whether reading an attribute runs a property."""
        return bool(load) and bool(self._computed.of(self.entry(load)))

    def constructs(self, call: str, function: str) -> bool:
        """Whether a call runs a function on the new object that it gives."""
        return self.entry(function) in self._constructs.of(self.entry(call))

    def is_bound(self, call: str, function: str) -> bool | None:
        """Whether a call runs a function on what it is found on, rather than on its first argument; None where it may
        be either."""
        known, entry = self.entry(call), self.entry(function)
        on_base, unbound = (entry in rows.of(known) for rows in (self._on_base, self._unbound))
        return None if on_base and unbound else not unbound

    def callers(self, function: str, programs: Programs) -> list[str]:
        """The calls of a function that only calls of the repository run; none where others may run it."""
        code = programs.code(function)
        if code is None or not code.is_private or code.escapes:
            return []
        if code.function.owner is not None and self._is_value(code.name):
            return []
        return sorted(map(self.name, self._called_by.of(self.entry(function))))

    def _is_value(self, name: str) -> bool:
        """Whether a method of that name is taken as a value, or called where nobody knows on what."""
        entry = self.entry(name)
        return bool(self._loads.of(entry)) or any(not self.calls.of(call) for call in self._invoked.of(entry))

    def effects(self, function: str) -> tuple[Effects, int]:
        """What a call of a function may write, with all that it runs, and how many functions these are."""
        found = self._effects.get(function)
        if found is None:
            found = self._effects[function] = self._found(function)
        return found

    def _found(self, function: str) -> tuple[Effects, int]:
        seen: set[int] = set()
        fields: set[int] = set()
        todo = [self.entry(function)]
        while todo:
            each = todo.pop()
            if each not in seen:
                seen.add(each)
                if len(seen) > _MOST_FUNCTIONS:
                    return Effects(None, True), len(seen)
                fields.update(self._writes.of(each), self._states.of(each))
                todo += self._invokes.of(each)
                if any(map(self._runs_anything, self._calls_in.of(each))):
                    return Effects(None, True), len(seen)
        return Effects(frozenset(map(self.name, fields)), True), len(seen)
