"""A whole function: its facts, written when it was lowered to the end and trivial phis are gone."""

from __future__ import annotations

from pliant.extractors.schema import RELATIONS
from pliant.extractors.ssa.blocks import UNDEFINED, Value
from pliant.extractors.ssa.heap import VERSION, Heap
from pliant.extractors.ssa.values import LIVE

_NOTHING = -1
_NUMBER_COLUMNS = {
    name: tuple(position for position, (_, kind) in enumerate(relation.columns) if kind != "symbol")
    for name, relation in RELATIONS.items()
}


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
        symbols: dict[Value | str, int] = {}  # entry as it was emitted -> symbol; NOTHING if nothing is known of it
        used: list[Value] = []  # of which more is to be said
        rows: dict[str, list[int]] = {}
        places: list[int] = []
        defined, forward, names, spans = self._definitions, self._forward, self.names, self.spans
        phis, nonnull = self._phi_keys, self.nonnull

        def symbol(entry: Value | str) -> int:
            if isinstance(entry, str):
                number = symbols[entry] = intern(entry)
                return number
            value = self.resolve(entry) if entry in forward else entry
            known = symbols.get(value)
            if known is None:
                name = names[value]
                if name is None:  # of a phi
                    name = ""
                    if not self._is_constant(value):
                        name = names[value] = name_of(self.qualname, f"{self.key_name(phis[value])} joined")
                        used.append(value)
                if value == UNDEFINED or not name:
                    known = _NOTHING
                else:
                    known = intern(name)
                    if value in spans:
                        places.extend((known, *spans[value]))
                    if value in defined:
                        used.append(value)
                symbols[value] = known
            symbols[entry] = known
            return known

        def write(relation: str, entries: tuple[int | str, ...]) -> None:
            numbers = _NUMBER_COLUMNS[relation]
            row: list[int] = []
            for entry in entries:
                if numbers and len(row) in numbers:
                    row.append(int(entry))
                    continue
                number = symbols.get(entry)
                if number is None:
                    number = symbol(entry)
                if number == _NOTHING:
                    return
                row.append(number)
            known = rows.get(relation)
            if known is None:
                rows[relation] = row
            else:
                known += row

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
                if symbol(operand) in (_NOTHING, phi):
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
