"""Versions of objects: what a function does to an object that it makes or is passed, in order (SSA of the heap).

An object has one version at each point of its function: every write to it and every call that gets it makes a new one,
and joins have phis. What a version holds is for the rules to say, because only the call graph knows what a call does.
Where an object gets a second name that this function cannot follow, its version is lost from there on.
"""

from __future__ import annotations

from collections.abc import Iterable

from pliant.extractors.ssa.blocks import UNDEFINED, Block, Path, Value
from pliant.extractors.ssa.paths import Paths
from pliant.extractors.ssa.values import LIVE
from pliant.extractors.writer import FactWriter

VERSION = "$version"  # the field under which the version of an object is followed


class Heap(Paths):
    """What is followed is known by its root: a call that makes an object, or a parameter."""

    __slots__ = ("_assumed", "_entries_of", "_exits", "_own", "_same", "_unfollowed", "leaked")

    def __init__(self, writer: FactWriter, symbol: str, tracked: frozenset[str], cleared: frozenset[str]) -> None:
        super().__init__(writer, symbol, tracked, cleared)
        self._own: set[Value] = set()  # objects that are made here
        self._entries_of: dict[Value, Value] = {}  # parameter -> its version when the function is entered
        self._same: dict[Value, Value] = {}  # other values that are a parameter: `super`
        self._exits: list[tuple[Block, Value]] = []
        self._assumed: dict[Value, Value] = {}  # phi, perhaps of an unfinished loop -> the one object that it joins
        self.leaked: set[Value] = set()  # objects that others may have a name for
        self._unfollowed: dict[Value, bool] = {}  # parameter -> whether something may have changed it

    def made(self, value: Value) -> None:
        """`value` is an object that is made here, or that a helper may have made."""
        self._own.add(value)
        version = self._version()
        self.define(version, "version_made", version, value)
        self.write((value, VERSION), version)

    def follow_object(self, formal: Value, small: bool) -> None:
        """Follow the object that is passed as a parameter, if the function is small."""
        if not small:
            self._unfollowed[formal] = False
            return
        version = self._version()
        self.define(version, "version_formal", version, formal)
        self._entries_of[formal] = version
        self.entry_values[(formal, VERSION)] = version

    def same_object(self, value: Value, formal: Value) -> None:
        """`value` is another name of what is passed as a parameter."""
        self._same[value] = formal

    def is_made_here(self, value: Value) -> bool:
        return self._settled(self.root(value)) in self._own

    def wrote(self, base: Value, field: str, value: Value) -> None:
        """Note that `base.field` is `value` from here on. What is stored has a second name."""
        self.escaped(value)
        root, before = self._current(base)
        if before != UNDEFINED:
            version = self._version()
            self.define(version, "version_set", version, before, field)
            self.define(version, "version_value", version, value)
            self.write((root, VERSION), version)

    def escaped(self, value: Value) -> None:
        """Note that `value` has a name from here on under which others may change it."""
        root, before = self._current(value)
        self.leaked.add(root)
        if before != UNDEFINED:
            version = self._version()
            self.define(version, "version_lost", version)
            self.write((root, VERSION), version)

    def passed(self, call: Value, arguments: Iterable[Value]) -> None:
        """Note that `call` gets these arguments, the receiver included."""
        seen: dict[Value, Value] = {}
        for argument in arguments:
            root, before = self._current(argument)
            if before == UNDEFINED:
                continue
            if root in seen:
                self.escaped(argument)
                continue
            seen[root] = before
            named = self._same.get(argument, argument)
            if before != self._entries_of.get(root) and root != call:
                self.emit("version_at", call, named, before)
            version = self._version()
            self.define(version, "version_call", version, before, call, named)
            self.write((root, VERSION), version)

    def read_version(self, value: Value, base: Value, field: str) -> None:
        """Note the version of `base` of which `value` is a field, if it is not the one that the function was given."""
        root, current = self._current(base, changing=False)
        if current not in (UNDEFINED, self._entries_of.get(root)):
            self.emit("version_read", value, current, field)

    def returned(self, value: Value) -> None:
        """Note the version of an object that is returned."""
        root, current = self._current(value, changing=False)
        if current != UNDEFINED and root in self._own:
            self.emit("version_returned", self.symbol, value, current, self.read(LIVE))
        elif current != UNDEFINED:
            self.emit("version_back", root)

    def leave(self) -> None:
        if self.reachable():
            self._exits.append((self.block, self.read(LIVE)))
        super().leave()

    def joined(self, phi: Value) -> list[Value]:
        """The objects that have a second name in a join with other objects."""
        if not self._own and not self._entries_of:
            return []
        roots = {self.root(operand): None for operand in self.operands(phi) or ()}
        found = [root for root in roots if root in self._own or root in self._entries_of]
        return found if found and len(self._sources(phi)) > 1 else []

    def write_versions(self) -> None:
        """The versions of parameters where the function is left; none where it changes nothing."""
        for formal, changed in self._unfollowed.items():
            if changed:
                self.emit("version_unknown", formal)
        for phi, assumed in self._assumed.items():
            sources = self._sources(phi)
            if sources != [assumed]:
                for root in (assumed, *sources):
                    if root in self._own or root in self._entries_of:
                        self.emit("version_unknown", root)
        for formal, entry in self._entries_of.items():
            if VERSION not in self.fields_of.get(formal, ()):
                continue
            left = [(self.resolve(self.read((formal, VERSION), block)), live) for block, live in self._exits]
            if any(version != entry for version, _ in left):
                for version, live in left:
                    self.emit("version_exit", self.symbol, formal, version, live)

    def _current(self, value: Value, *, changing: bool = True) -> tuple[Value, Value]:
        """The root of an object, and its version here; UNDEFINED where it is not followed."""
        root = self._settled(self.root(self._same.get(value, value)))
        if root in self._unfollowed:
            self._unfollowed[root] |= changing
        if root not in self._own and root not in self._entries_of:
            return root, UNDEFINED
        version = self.read((root, VERSION))
        return root, UNDEFINED if version == self.unknown else version

    def _settled(self, root: Value) -> Value:
        """The root; the one object that a phi joins with itself, if that turns out to be so once its loop has ended."""
        if root not in self._operands:
            return root
        assumed = self._sources(root)
        if len(assumed) != 1:
            return root
        self._assumed[root] = assumed[0]
        return assumed[0]

    def _sources(self, phi: Value) -> list[Value]:
        """The values that a phi joins, whatever the loops; of a loop whose end is not known, those from before it."""
        found: dict[Value, None] = {}
        seen: set[Value] = set()
        todo = [phi]
        while todo and len(found) < 2:
            value = self.resolve(todo.pop())
            if value in seen or value == UNDEFINED:
                continue
            seen.add(value)
            self.spend(1)
            if value not in self._operands:
                root = self.roots[value]
                if root == value:
                    found[value] = None
                else:
                    todo.append(root)
            elif self.sealed(self.homes[value]):
                self.spend(len(self._operands[value]))
                todo.extend(operand for _, operand in self._operands[value])
            else:
                first = self._preds[self.homes[value]][:1]  # none of a label whose jumps are never reached
                todo.extend(self.read(self._phi_keys[value], pred) for pred in first)
        return list(found)

    def _version(self) -> Value:
        return self.value(self.writer.name(self.qualname, "version"))

    def _enter_path(self, key: Path) -> Value:
        if key[1] == VERSION:
            return self._entries_of.get(key[0], self.unknown)
        return super()._enter_path(key)
