"""Strings to ids without one place that has them all: a string belongs to the part that its hash names, which numbers
its strings in order of arrival; an id is `number * parts + part`.

Blocks of strings are only ever added. Whoever needs strings (to encode facts, to compare, to digest, to write) is
handed all blocks for that one step.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ...datalog.program import Program
from ...errors import FactError
from ...facts import to_words
from ...symbols import SymbolTable, as_strings, hash_strings
from ..embedded.keys import Column, Mask, Words


def part_of(strings: Any, parts: int) -> NDArray[np.int64]:
    """The part that each string belongs to."""
    return part_by(hash_strings(as_strings(strings))[0], parts)


def part_by(hashes: Words, parts: int) -> NDArray[np.int64]:
    """By the first hashes of strings."""
    return (hashes % np.uint64(parts)).astype(np.int64)


class Parts:
    """The strings of all parts, or of some, in blocks."""

    def __init__(self, parts: int, blocks: Mapping[int, Sequence[Any]]):
        self.tables = [SymbolTable() for _ in range(parts)]
        self._indexed = [True] * parts
        for part, some in blocks.items():
            self.add(part, *some)

    def add(self, part: int, *some: Any) -> None:
        """More blocks of a part, of strings that it lacks."""
        whole = [each for each in (self._texts(part), *some) if len(each)]
        if whole:
            self.tables[part] = SymbolTable([pa.concat_arrays(whole)])  # an index takes longer than all else with it
            self._indexed[part] = False

    def _texts(self, part: int) -> Any:
        return self.tables[part].take(np.arange(len(self.tables[part])))

    def _table(self, part: int) -> SymbolTable:
        """With an index."""
        if not self._indexed[part]:
            texts = self._texts(part)
            self.tables[part] = SymbolTable()
            self.tables[part].intern(texts)
            self._indexed[part] = True
        return self.tables[part]

    def intern(self, part: int, strings: Any) -> Any:
        """The strings of a part that are new, in the order of their numbers."""
        table = self._table(part)
        before = len(table)
        table.intern(strings)
        return table.take(np.arange(before, len(table)))

    def ids(self, strings: Any) -> Column:
        """The id of each string; -1 for one that is nowhere."""
        strings = as_strings(strings)
        parts = len(self.tables)
        of = part_of(strings, parts)
        found = np.full(len(strings), -1, np.int64)
        for part in range(parts):
            mine = np.flatnonzero(of == part)
            if len(mine):
                numbers = self._table(part).ids(strings.take(pa.array(mine))).astype(np.int64)
                found[mine] = np.where(numbers < 0, -1, numbers * parts + part)
        if len(found) and int(found.max()) >= 2**31:
            raise FactError(f"more than {2**31 // parts} different symbols in one of {parts} parts")
        return found.astype(np.int32)

    def take(self, ids: NDArray[Any]) -> Any:
        """The strings of ids."""
        parts = len(self.tables)
        ids = np.asarray(ids, np.int64)
        order = np.argsort(ids % parts, kind="stable")
        pieces = [table.take(ids[order][ids[order] % parts == part] // parts) for part, table in enumerate(self.tables)]
        back = np.empty(len(order), np.int64)
        back[order] = np.arange(len(order))
        return pa.concat_arrays(pieces).take(pa.array(back)) if pieces else pa.array([], pa.large_string())

    def lanes(self) -> tuple[Words, Words]:
        """The two hashes of every string, by id."""
        parts = len(self.tables)
        size = max((len(table) for table in self.tables), default=0) * parts
        found = np.zeros(size, np.uint64), np.zeros(size, np.uint64)
        for part, table in enumerate(self.tables):
            if len(table):
                for into, lane in zip(found, table.all_lanes(), strict=True):
                    into[part : len(table) * parts : parts] = lane
        return found

    def compare(self, operator: str, left: Column, right: Column) -> Mask:
        """Comparison by the strings' bytes."""
        function = {"<": pc.less, "<=": pc.less_equal, ">": pc.greater, ">=": pc.greater_equal}[operator]
        result: Mask = function(self.take(left), self.take(right)).to_numpy(zero_copy_only=False)
        return result


def constants_of(
    program: Program, parts: int, more: Iterable[str] = ()
) -> tuple[dict[int, list[str]], Column, dict[str, int]]:
    """The first strings of each part, which are the program's constants and then `more`; the constants as stored words;
    the ids of the strings."""
    texts = list(dict.fromkeys([*(str(value) for kind, value in program.constants if kind == "symbol"), *more]))
    firsts: dict[int, list[str]] = {}
    ids: dict[str, int] = {}
    for text, part in zip(texts, part_of(pa.array(texts, pa.large_string()), parts).tolist(), strict=True):
        mine = firsts.setdefault(part, [])
        ids[text] = len(mine) * parts + part
        mine.append(text)
    words = [ids[str(value)] if kind == "symbol" else int(value) for kind, value in program.constants]
    return firsts, to_words(np.array(words, np.int64)), ids


def orders_symbols(program: Program) -> bool:
    """Whether some rule compares symbols by their order, so that shards need strings while they run."""
    return any(
        each.kind == "symbol" and each.operator not in ("=", "!=")
        for stratum in program.strata
        for rule in stratum.rules
        for each in rule.comparisons
    )


def split(strings: Iterable[Any], parts: int) -> dict[int, Any]:
    """Distinct strings by the part that they belong to."""
    whole = pa.chunked_array([as_strings(each) for each in strings], pa.large_string()).unique()
    of = part_of(whole, parts)
    return {part: whole.take(pa.array(np.flatnonzero(of == part))) for part in np.unique(of).tolist()}
