"""A whole function: its facts, written when it was lowered to the end and trivial phis are gone."""

from __future__ import annotations

from collections import defaultdict

from pliant.extractors.schema import RELATIONS
from pliant.extractors.ssa.blocks import UNDEFINED, Value
from pliant.extractors.ssa.heap import VERSION, Heap
from pliant.extractors.ssa.values import LIVE

_NOTHING = -1
_NEW = -2
_NUMBER_COLUMNS = {
    name: tuple(position for position, (_, kind) in enumerate(relation.columns) if kind != "symbol")
    for name, relation in RELATIONS.items()
}


class Function(Heap):
    """A function body (or module body) under construction. symbol: the function's own symbol, `|qualname`."""

    __slots__ = ()

    def finish(self) -> None:
        """Write the facts of this function. Raises TooMuch, and has written no row then."""
        self.write_versions()
        self.spend(len(self._ops))
        self.writer.extend(*self._facts())

    def _facts(self) -> tuple[dict[str, list[int]], list[int]]:
        """Rows of relations, and places."""
        writer = self.writer
        rows: defaultdict[str, list[int]] = defaultdict(list)  # of each relation, one behind the other
        places: list[int] = []
        intern = writer.symbol
        symbols: dict[Value | str, int] = {}  # entry as it was emitted -> symbol; NOTHING if nothing is known of it
        used: list[Value] = []
        defined, forward, names, spans = self._definitions, self._forward, self.names, self.spans

        def symbol(value: Value) -> int:
            resolved = self.resolve(value) if value in forward else value
            number = symbols.get(resolved)
            if number is None:
                name = names[resolved]
                if name is None and self._is_constant(resolved):
                    name = ""
                if name is None:
                    what = self.key_name(self._phi_keys[resolved])
                    name = names[resolved] = writer.name(self.qualname, f"{what} joined")
                    used.append(resolved)
                if resolved == UNDEFINED or not name:
                    number = _NOTHING
                else:
                    number = intern(name)
                    if resolved in spans:
                        places.extend((number, *spans[resolved]))
                    if resolved in defined:
                        used.append(resolved)
                symbols[resolved] = number
            symbols[value] = number
            return number

        def write(relation: str, entries: tuple[int | str, ...]) -> None:
            numbers = _NUMBER_COLUMNS[relation]
            if not numbers:
                known = [symbols.get(entry, _NEW) for entry in entries]
                if _NEW not in known:  # as most are, after the first facts of a function
                    if _NOTHING not in known:
                        rows[relation].extend(known)
                    return
            row: list[int] = []
            for position, entry in enumerate(entries):
                if position in numbers:
                    row.append(int(entry))
                    continue
                number = symbols.get(entry)
                if number is None:
                    if isinstance(entry, str):
                        number = symbols[entry] = intern(entry)
                    else:
                        number = symbol(entry)
                if number == _NOTHING:
                    return
                row.append(number)
            rows[relation].extend(row)

        for relation, entries in self._ops:
            if relation == "dereference" and self.resolve(int(entries[1])) in self.nonnull:
                continue  # what was a phi when this was lowered
            write(relation, entries)
        unknown: dict[Value, None] = {}
        # Values that something uses, and what they use in turn.
        while used:
            value = used.pop()
            for relation, entries in defined.get(value, ()):
                write(relation, entries)
            if value not in self._phi_keys:
                continue
            phi = symbol(value)
            key = self._phi_keys[value]
            control = key == LIVE
            self.spend(len(self._operands[value]))
            if not control and (isinstance(key, str) or key[1] != VERSION):
                unknown.update((root, None) for root in self.joined(value))
            for pred, operand in self._operands[value]:
                joined = symbol(operand)
                if joined in (_NOTHING, phi):
                    continue
                if control:
                    rows["control"].extend((phi, joined))
                elif (reached := symbol(self.read(LIVE, pred))) != _NOTHING:  # else nothing comes from there
                    rows["phi"].extend((phi, joined, reached))
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
