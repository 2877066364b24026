"""A whole function: its facts, written when it was lowered to the end and trivial phis are gone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import chain, compress

from pliant.extractors.schema import RELATIONS
from pliant.extractors.ssa.blocks import Value
from pliant.extractors.ssa.heap import VERSION, Heap
from pliant.extractors.ssa.values import LIVE

# Relations with columns of numbers -> where they are, and which columns are none.
_NUMBERED = {
    name: (numbers, tuple(kind == "symbol" for _, kind in relation.columns))
    for name, relation in RELATIONS.items()
    if (numbers := tuple(place for place, (_, kind) in enumerate(relation.columns) if kind != "symbol"))
}


class _Nothing(Exception):
    """Nothing is known of a value that a fact is to mention: there is no such fact."""


class _Symbols(dict[Value | str, int]):
    """Symbols by entries as they were emitted; looking up one that no fact has mentioned so far interns it, or raises
    _Nothing. used: values that were mentioned, of which more is to be said. places: of those that were mentioned."""

    __slots__ = ("_function", "_intern", "places", "used")

    def __init__(self, function: Function) -> None:
        super().__init__()
        self._function = function
        self._intern = function.writer.symbol
        self.used: list[Value] = []
        self.places: list[int] = []

    def __missing__(self, entry: Value | str) -> int:
        if isinstance(entry, str):
            number = self[entry] = self._intern(entry)
            return number
        fn = self._function
        if entry in fn.forward:
            number = self[entry] = self[fn.resolve(entry)]
            return number
        name = fn.names[entry]
        if name is None and not fn._is_constant(entry):  # of a phi
            name = fn.names[entry] = fn.writer.name(fn.qualname, f"{fn.key_name(fn._phi_keys[entry])} joined")
            self.used.append(entry)
        if not name:
            raise _Nothing
        number = self[entry] = self._intern(name)
        if entry in fn.spans:
            self.places.extend((number, *fn.spans[entry]))
        if entry in fn._definitions:
            self.used.append(entry)
        return number


class Function(Heap):
    """A function body (or module body) under construction. symbol: the function's own symbol, `|qualname`."""

    __slots__ = ()

    def finish(self) -> None:
        """Write the facts of this function. Raises TooMuch, and has written nothing then."""
        self.write_versions()
        self.spend(len(self._ops))
        rows, places = self._facts()
        self.writer.facts.places.fromlist(places)
        for relation, row in rows.items():
            self.writer.rows(relation).fromlist(row)

    def _facts(self) -> tuple[dict[str, list[int]], list[int]]:
        """Rows, by relation, and places."""
        symbols = _Symbols(self)
        symbol = symbols.__getitem__
        rows: defaultdict[str, list[int]] = defaultdict(list)
        never_null = self._never_null() if any(relation == "uses_path" for relation, _ in self._ops) else ()
        for relation, entries in chain(self._ops, self._mentioned(symbols)):
            if relation == "dereference" and self.resolve(int(entries[1])) in self.nonnull:
                continue  # a phi that was not known to be so when that was noted
            if relation == "uses_path" and self.resolve(int(entries[2])) in never_null:
                continue
            try:
                if relation not in _NUMBERED:
                    row = [*map(symbol, entries)]
                else:
                    numbers, is_symbol = _NUMBERED[relation]
                    row = [*map(symbol, compress(entries, is_symbol))]
                    for place in numbers:
                        row.insert(place, int(entries[place]))
            except _Nothing:
                continue
            rows[relation] += row
        return rows, symbols.places

    def _mentioned(self, symbols: _Symbols) -> Iterator[tuple[str, tuple[int | str, ...]]]:
        """What is said of values that facts mention, and of those that these facts mention in turn."""
        symbol, used = symbols.__getitem__, symbols.used
        unknown: dict[Value, None] = {}
        while used:
            value = used.pop()
            yield from self._definitions.get(value, ())
            key = self._phi_keys.get(value)
            if key is None:
                continue
            phi = symbol(value)
            self.spend(len(self._operands[value]))
            if key != LIVE and (isinstance(key, str) or key[1] != VERSION):
                unknown.update((root, None) for root in self.joined(value))
            for pred, operand in self._operands[value]:
                try:
                    if symbol(operand) == phi:
                        continue
                except _Nothing:
                    continue
                if key == LIVE:
                    yield "control", (value, operand)
                else:  # if nothing comes from there, there is no such value
                    yield "phi", (value, operand, self.read(LIVE, pred))
        for root in unknown:
            yield "version_unknown", (root,)

    def _never_null(self) -> set[Value]:
        """The phis in which nothing comes together but values that are not null."""
        users: defaultdict[Value, list[Value]] = defaultdict(list)
        todo = []
        for phi, operands in self._operands.items():
            self.spend(len(operands))
            for operand in {self.resolve(each) for _, each in operands}:
                if operand in self._operands:
                    users[operand].append(phi)
                elif operand not in self.nonnull:
                    todo.append(phi)
                    break
        nullable = set(todo)
        while todo:
            more = [phi for phi in users[todo.pop()] if phi not in nullable]
            nullable.update(more)
            todo += more
        return self._operands.keys() - nullable

    def _is_constant(self, value: Value) -> bool:
        """Whether nothing but constants of the source come together in a phi: then no fact is to mention it."""
        seen: set[Value] = set()
        todo = [value]
        while todo:
            current = self.resolve(todo.pop())
            if current in seen or current in self.constants or current == self.opaque:
                continue
            if current not in self._operands:
                return False
            seen.add(current)
            self.spend(len(self._operands[current]))
            todo.extend(operand for _, operand in self._operands[current])
        return True
