"""A whole function: its facts, written when it was lowered to the end and trivial phis are gone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from itertools import compress

from pliant.extractors.schema import RELATIONS
from pliant.extractors.ssa.blocks import Value
from pliant.extractors.ssa.heap import VERSION, Heap
from pliant.extractors.ssa.values import LIVE

_NUMBER_COLUMNS = {
    name: tuple(position for position, (_, kind) in enumerate(relation.columns) if kind != "symbol")
    for name, relation in RELATIONS.items()
}


_IS_SYMBOL = {name: tuple(kind == "symbol" for _, kind in relation.columns) for name, relation in RELATIONS.items()}


class _Nothing(Exception):
    """Nothing is known of a value that a fact is to mention: there is no such fact."""


class _Symbols(dict[Value | str, int]):
    """Symbols by entries as they were emitted. mention: finds that of another entry; raises _Nothing."""

    def __init__(self, mention: Callable[[_Symbols, Value | str], int]) -> None:
        super().__init__()
        self._mention = mention

    def __missing__(self, entry: Value | str) -> int:
        number = self[entry] = self._mention(self, entry)
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
        intern, name_of = self.writer.symbol, self.writer.name
        used: list[Value] = []  # of which more is to be said
        rows: defaultdict[str, list[int]] = defaultdict(list)
        places: list[int] = []
        defined, forward, names, spans = self._definitions, self._forward, self.names, self.spans
        phis, nonnull = self._phi_keys, self.nonnull

        def mention(symbols: _Symbols, entry: Value | str) -> int:
            """The symbol of an entry that no fact has mentioned so far."""
            if isinstance(entry, str):
                return intern(entry)
            if entry in forward:
                return symbols[self.resolve(entry)]
            name = names[entry]
            if name is None and not self._is_constant(entry):  # of a phi
                name = names[entry] = name_of(self.qualname, f"{self.key_name(phis[entry])} joined")
                used.append(entry)
            if not name:
                raise _Nothing
            number = intern(name)
            if entry in spans:
                places.extend((number, *spans[entry]))
            if entry in defined:
                used.append(entry)
            return number

        symbol = _Symbols(mention).__getitem__

        def write(relation: str, entries: tuple[int | str, ...]) -> None:
            numbers = _NUMBER_COLUMNS[relation]
            try:
                row = list(map(symbol, entries if not numbers else compress(entries, _IS_SYMBOL[relation])))
            except _Nothing:
                return
            for place in numbers:
                row.insert(place, int(entries[place]))
            rows[relation] += row

        for relation, entries in self._ops:
            if relation == "dereference" and self.resolve(int(entries[1])) in nonnull:
                continue  # what was a phi when this was lowered
            write(relation, entries)
        unknown: dict[Value, None] = {}
        # Values that something uses, and what they use in turn.
        while used:
            value = used.pop()
            for relation, entries in defined.get(value, ()):
                write(relation, entries)
            key = phis.get(value)
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
                    write("control", (value, operand))
                else:  # if nothing comes from there, there is no such value
                    write("phi", (value, operand, self.read(LIVE, pred)))
        for root in unknown:
            write("version_unknown", (root,))
        return rows, places

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
