"""Paths: fields of what variables hold, and what calls do to them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from pliant.extractors.ssa.blocks import UNDEFINED, Block, Key, Path, Value
from pliant.extractors.ssa.values import LIVE
from pliant.extractors.ssa.variables import Variables
from pliant.extractors.writer import FactWriter

STATE = "="  # before the name of a field of which a number or a truth is followed, from call to call
_TOLD_APART = re.compile(r"#[^.\[]*")  # what tells keys of one name apart


def may_change(call: Value, arguments: dict[Value, Value], path: Path, value: Value) -> bool:
    """Nothing is known of the call."""
    return True


class Paths(Variables):
    """tracked: names of the fields that the file writes; only their paths are followed.
    cleared: names of the fields that the file sets to null; only their paths cross calls."""

    __slots__ = (
        "_call_arguments",
        "carried",
        "carried_from",
        "changed_by",
        "cleared",
        "formals",
        "lent",
        "opaque",
        "private",
        "tracked",
        "unknown",
    )

    def __init__(self, writer: FactWriter, symbol: str, tracked: frozenset[str], cleared: frozenset[str]) -> None:
        super().__init__(writer, symbol)
        self.tracked = tracked
        self.cleared = cleared
        self.formals: dict[Value, None] = {}
        self.private: set[Value] = set()  # addresses of places that only calls which get them can change
        self.lent: set[Value] = set()  # pointers that were passed to say where to write: taken to be private, too
        self.carried: dict[Value, Value] = {}  # contents of paths after calls, by the last of the calls
        self.carried_from: dict[Value, tuple[Value, list[Value]]] = {}  # what they were before, and all the calls
        self._call_arguments: dict[Value, dict[Value, Value]] = {}  # call -> root of argument -> argument
        # Whether a call, with its arguments by their roots, may change the state at a path, which is a value.
        self.changed_by: Callable[[Value, dict[Value, Value], Path, Value], bool] = may_change
        self.write(LIVE, self.fixed_value(symbol))
        self.opaque = self.unnamed()
        self.unknown = self.value("")  # the content of a path of which nothing is known
        self.homes[self.unknown] = -1

    def path(self, base: Value, field: str) -> Path | None:
        """The key of `base.field`; None where there is no base."""
        root = self.root(base)
        return (root, field) if root not in (UNDEFINED, self.opaque) else None

    def content(self, path: Path, block: Block | None = None) -> Value:
        """What is known of the content of a path at the end of `block` (here, by default); UNDEFINED if nothing is."""
        root, field = path
        if field not in self.tracked and field not in self.fields_of.get(root, ()):
            return UNDEFINED
        value = self.read(path, block)
        return UNDEFINED if value == self.unknown else value

    def on_every_way(self, value: Value) -> bool:
        """Whether something is known of the content of a path whichever way led here. value: that content."""
        seen: set[Value] = set()
        todo = [value]
        while todo:
            current = self.resolve(todo.pop())
            if current in (UNDEFINED, self.unknown):
                return False
            if current not in seen:
                self.spend(1)
                seen.add(current)
                todo.extend(self.operands(current) or self.so_far(current))
        return True

    def so_far(self, value: Value) -> list[Value]:
        """The operands of the phi of a loop that is not lowered to its end: what the loop begins with."""
        block = self.homes[value]
        if value not in self._operands or self._sealed[block]:
            return []
        return [self.read(self._phi_keys[value], pred) for pred in self._preds[block]]

    def calls_since_unknown(self, content: Value) -> list[Value]:
        """Of the content of a path of which nothing is known but that calls may have changed it: those calls, on a way
        with few; none for other contents."""
        seen: set[Value] = set()
        todo: list[tuple[Value, list[Value]]] = [(content, [])]
        for value, calls in todo:
            current = self.resolve(value)
            if current == self.unknown or self.is_entry(current):
                return calls
            if current in seen or current in self.nonnull:
                continue
            seen.add(current)
            if current in self.carried_from:
                before, passed = self.carried_from[current]
                self.spend(len(passed) + len(calls))
                todo.append((before, [*passed, *calls]))
            else:
                todo.extend((operand, calls) for operand in self.operands(current) or ())
        return []

    def _enter_path(self, key: Path) -> Value:
        root, field = key
        if root not in self.formals or field not in self.cleared:
            return self.unknown
        value = self.entry_values.get(key)
        if value is None:
            value = self.value(f"{self.symbol}|{field} of {self.what(root)} at entry|1", root=UNDEFINED)
            self.homes[value] = self.entry
            self.carried[value] = UNDEFINED
            self.entry_values[key] = value
            self.fields_of.setdefault(root, {})[field] = None
            self.define(value, "path_formal", self.symbol, root, field, value)
        return value

    def key_name(self, key: Key) -> str:
        """What names say of a variable or a path: nothing that the rest of the function changes."""
        if isinstance(key, str):
            return key.partition("#")[0]
        field = _TOLD_APART.sub("", key[1]) if "#" in key[1] else key[1]
        return f"{field} of {self.what(key[0])}"

    def is_entry(self, value: Value) -> bool:
        """Whether the value is what a path held when the function was entered."""
        return self.carried.get(value) == UNDEFINED

    def what(self, value: Value) -> str:
        """What a value's name says it is, without its function and ordinal."""
        name = self.names[value]
        return name.rsplit("|", 2)[1] if name and name.count("|") >= 2 else "value"

    def _carry(self, key: Path, value: Value, block: Block) -> Value:
        """The content of a path after the calls that were made since it was last known, in their order."""
        root, field = key
        if field[:1] == STATE:
            return self._still(key, value, block)
        pending: list[Value] = []
        own = root in self.private
        private = own or root in self.lent
        for call in self._calls[block][self._carried.get((block, key), 0) :]:
            if not private or root in self._call_arguments[call]:
                pending.append(call)
            # Of a place of its own, the first call that gets it says what it holds.
            if (field in self.cleared or (own and value == self.unknown)) and root in self._call_arguments[call]:
                value = self.across(key, value, pending, block)
                self.define(value, "path_result", call, self._call_arguments[call][root], field, value)
                pending = []
        if pending and field in self.tracked and value != self.unknown and value not in self.nonnull:
            value = self.across(key, value, pending, block)
        self._defs[block][key] = value
        self._carried[(block, key)] = len(self._calls[block])
        return value

    def _still(self, key: Path, value: Value, block: Block) -> Value:
        """The state at a path after the calls since it was last known; `unknown` if one may have changed it."""
        calls = self._calls[block]
        since = calls[self._carried.get((block, key), 0) :]
        self.spend(len(since))
        if value != self.unknown and any(
            self.changed_by(call, self._call_arguments[call], key, value) for call in since
        ):
            value = self.unknown
        self._defs[block][key] = value
        self._carried[(block, key)] = len(calls)
        return value

    def left_by(self, call: Value, content: Value, root: Value) -> tuple[Value, list[Value]] | None:
        """What `call` left in a path of `root`, and the calls since then over which `content` was carried, none of
        which got `root`; None if it was not left by `call`."""
        since: list[Value] = []
        while content in self.carried_from and self.carried[content] != call:
            before, calls = self.carried_from[content]
            if any(root in self._call_arguments[later] for later in calls):
                return None
            content = before
            since = [*calls, *since]
            self.spend(len(since))
        return (content, since) if content in self.carried_from else None

    def across(self, key: Path, value: Value, calls: list[Value], block: Block) -> Value:
        """The content of a path, `value` before, after some calls that may have changed it."""
        self.spend(len(calls))
        carried = self.value(self.writer.name(self.qualname, f"{self.key_name(key)} after calls"))
        self.homes[carried] = block
        self.carried[carried] = calls[-1]
        self.carried_from[carried] = (value, list(calls))
        if value != self.unknown and value not in self.nonnull:
            self.roots[carried] = self.root(value)  # where it has changed, no null is known of it
            self.define(carried, "carry", carried, value, key[1])
            for call in calls:
                self.define(carried, "carry_across", carried, call)
        return carried

    def called(self, call: Value, arguments: Iterable[Value], copied: Iterable[Value] = ()) -> None:
        """Note that `call` happens here with these arguments, the receiver included. copied: places of which it gets
        what they hold."""
        by_root: dict[Value, Value] = {}
        passed = []
        for argument in arguments:
            root = self.root(argument)
            by_root.setdefault(root, argument)
            passed.append((root, argument))
        passed += [(self.root(argument), argument) for argument in copied]
        for root, argument in passed:
            fields = self.fields_of.get(root)
            if not fields:
                continue
            self.spend(len(fields))
            for field in fields:
                if field not in self.tracked:
                    continue
                value = self.content((root, field))
                if value != UNDEFINED and field in self.cleared:
                    if value not in self.nonnull:
                        self.emit("path_actual", call, argument, field, value)
                    elif root in self.formals:
                        self.emit("path_shown", call, argument, field)
        self._calls[self.block].append(call)
        self._called += 1
        self._call_arguments[call] = by_root

    def leave(self) -> None:
        """Note that control leaves the function here."""
        if not self.reachable():
            return
        live = self.read(LIVE)
        self.emit("ends", self.symbol, live)
        for formal in self.formals:
            fields = self.fields_of.get(formal, ())
            self.spend(1 + len(fields))
            for field in fields:
                if field not in self.tracked:
                    continue
                value = self.content((formal, field))
                if value != UNDEFINED and value not in self.nonnull and field in self.cleared:
                    self.emit("path_exit", self.symbol, formal, field, value, live)
