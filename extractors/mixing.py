"""Facts of a file in which some functions are as another version of the file has them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator

from pliant.extractors.columns import PLACE_WIDTH, SYMBOL_COLUMNS
from pliant.extractors.facts import OWN, FileFacts

Owns = Callable[[str], bool]  # of the name of an owner
MODULE = "<module>"  # the function that a file's statements outside of functions belong to


def owner_of(symbol: str) -> str | None:
    """The qualified name of the function or class that an entity of a file belongs to, with the ordinal of a
    redefinition; empty for the file itself, None for what is of no file."""
    return symbol[1:].partition(OWN)[0] if symbol.startswith(OWN) else None


def owners(facts: FileFacts) -> set[str]:
    return {owner for symbol in facts.symbols if (owner := owner_of(symbol)) is not None}


def functions(facts: FileFacts) -> set[str]:
    """The names of the functions of a file, without the one that stands for the file."""
    return {owner for symbol in facts.rows.get("function", ())[::2] if (owner := owner_of(facts.symbols[symbol]))} - {
        MODULE
    }


def mixed(own: FileFacts, other: FileFacts, wanted: Owns, refused: Owns = lambda owner: False) -> FileFacts:
    """`own` with rows of `other` in the place of its own: those that name an entity of an owner that is `wanted`, and
    none of one that is `refused`. With them come what `other` says of no entity of the file, and what it says of
    entities that these rows name, that `own` has not, and that are of no function."""
    made = _Mixed()
    made.facts.library = list(dict.fromkeys([*own.library, *other.library]))
    made.facts.lines, made.facts.suppressions = own.lines, own.suppressions
    for facts, is_other in ((own, False), (other, True)):
        wants, refuses, is_own = _each(facts, wanted), _each(facts, refused), _each(facts, lambda owner: True)
        for name, row, named in _rows(facts):
            moves = any(wants[each] for each in named) and not any(refuses[each] for each in named)
            if moves == is_other or (is_other and not any(is_own[each] for each in named)):
                made.add(facts, name, row)
        for place in range(0, len(facts.places), PLACE_WIDTH):
            if wants[facts.places[place]] == is_other:
                made.place(facts, facts.places[place : place + PLACE_WIDTH])
    made.complete(own, other)
    return made.finish()


class _Mixed:
    def __init__(self) -> None:
        self.facts = FileFacts()
        self._numbers: dict[str, int] = {}
        self._rows: set[tuple[str | int, ...]] = set()

    def add(self, facts: FileFacts, name: str, row: array[int]) -> None:
        kinds = zip(row, SYMBOL_COLUMNS[name].tolist(), strict=True)
        entries = [self._number(facts.symbols[entry]) if is_symbol else entry for entry, is_symbol in kinds]
        if (name, *entries) not in self._rows:
            self._rows.add((name, *entries))
            self.facts.rows.setdefault(name, array("i")).extend(entries)

    def place(self, facts: FileFacts, place: array[int]) -> None:
        self.facts.places.extend((self._number(facts.symbols[place[0]]), *place[1:]))

    def _number(self, symbol: str) -> int:
        return self._numbers.setdefault(symbol, len(self._numbers))

    def complete(self, own: FileFacts, other: FileFacts) -> None:
        """Add what `other` says of shared entities that are named here and that `own` has not."""
        of_functions, known = functions(other), set(own.symbols)
        shared = {
            number: symbol
            for number, symbol in enumerate(other.symbols)
            if symbol not in known and (owner := owner_of(symbol)) is not None and owner not in of_functions
        }
        rows = list(_rows(other))
        rows_of: dict[int, list[int]] = {}
        for place, (_, _, named) in enumerate(rows):
            for each in {*named} & shared.keys():
                rows_of.setdefault(each, []).append(place)
        todo = [each for each, symbol in shared.items() if symbol in self._numbers]
        added: set[int] = set()
        while todo:
            for place in rows_of.pop(todo.pop(), ()):
                if place not in added:
                    added.add(place)
                    name, row, named = rows[place]
                    self.add(other, name, row)
                    todo += {*named} & shared.keys()

    def finish(self) -> FileFacts:
        self.facts.symbols = list(self._numbers)
        return self.facts


def _each(facts: FileFacts, is_so: Owns) -> list[bool]:
    return [owner is not None and is_so(owner) for owner in map(owner_of, facts.symbols)]


def _rows(facts: FileFacts) -> Iterator[tuple[str, array[int], list[int]]]:
    """Relation, row, and the numbers of its symbols."""
    for name, rows in facts.rows.items():
        is_symbol = SYMBOL_COLUMNS[name].tolist()
        for start in range(0, len(rows), len(is_symbol)):
            row = rows[start : start + len(is_symbol)]
            yield name, row, [entry for entry, symbol in zip(row, is_symbol, strict=True) if symbol]
