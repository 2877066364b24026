"""The difference of two sets of facts, on columns: symbols of both sides on one table, rows as keys, set difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from pliant.extractors.columns import Ints
from pliant.extractors.schema import RELATIONS
from pliant.extractors.tables import FactTable, together

_KEY_LIMIT = 1 << 62


@dataclass(slots=True)
class FactDiff:
    """symbols: distinct. inserted, deleted: relation name -> (facts, arity), ids into `symbols` or plain numbers.

    shared: whether some row that differs names no entity of a file, so that a third file may have it as well.
    """

    symbols: pa.Array
    inserted: dict[str, Ints]
    deleted: dict[str, Ints]
    shared: bool

    @property
    def size(self) -> tuple[int, int]:
        return sum(map(len, self.inserted.values())), sum(map(len, self.deleted.values()))


def difference(old: Sequence[FactTable], new: Sequence[FactTable]) -> FactDiff:
    """What is in `new` and not in `old`, and the other way round, both as sets of facts."""
    symbols, own, old_rows, new_rows = _on_one_table(old, new)
    result = FactDiff(symbols, {}, {}, shared=False)
    for name in sorted(old_rows.keys() | new_rows.keys()):
        relation = RELATIONS[name]
        none = np.empty((0, relation.arity), np.int64)
        before, after = old_rows.get(name, none), new_rows.get(name, none)
        keys = _keys(np.concatenate((before, after)))
        before_keys, before_first = np.unique(keys[: len(before)], return_index=True)
        after_keys, after_first = np.unique(keys[len(before) :], return_index=True)
        deleted = before[before_first[~np.isin(before_keys, after_keys, assume_unique=True)]]
        inserted = after[after_first[~np.isin(after_keys, before_keys, assume_unique=True)]]
        symbol_columns = [position for position, (_, kind) in enumerate(relation.columns) if kind == "symbol"]
        for rows, into in ((deleted, result.deleted), (inserted, result.inserted)):
            if len(rows):
                into[name] = rows
                result.shared |= not own[rows[:, symbol_columns]].any(axis=1).all()
    return result


def _on_one_table(
    old: Sequence[FactTable], new: Sequence[FactTable]
) -> tuple[pa.Array, np.ndarray[tuple[int], np.dtype[np.bool_]], dict[str, Ints], dict[str, Ints]]:
    tables = [*old, *new]
    all_facts = together(tables)
    coded = all_facts.symbols.dictionary_encode()
    codes = coded.indices.to_numpy().astype(np.int64)
    own = np.zeros(len(coded.dictionary), dtype=bool)
    own[codes[all_facts.own]] = True
    sides: tuple[dict[str, list[Ints]], dict[str, list[Ints]]] = ({}, {})
    start = 0
    for number, table in enumerate(tables):
        local = codes[start : start + len(table.symbols)]
        start += len(table.symbols)
        for name, rows in table.rows.items():
            columns = [
                local[rows[:, position]] if kind == "symbol" else rows[:, position]
                for position, (_, kind) in enumerate(RELATIONS[name].columns)
            ]
            sides[number >= len(old)].setdefault(name, []).append(np.stack(columns, axis=1))
    joined = [{name: np.concatenate(parts) for name, parts in side.items()} for side in sides]
    return coded.dictionary, own, joined[0], joined[1]


def _keys(rows: Ints) -> Ints:
    """One integer a row, equal where the rows are."""
    if not rows.size:
        return np.zeros(len(rows), np.int64)
    keys: Ints = rows[:, 0] - rows[:, 0].min()
    for position in range(1, rows.shape[1]):
        column = rows[:, position] - rows[:, position].min()
        width = int(column.max()) + 1
        if int(keys.max() + 1) * width > _KEY_LIMIT:
            keys = np.unique(keys, return_inverse=True)[1].astype(np.int64)
        keys = keys * width + column
    return keys
