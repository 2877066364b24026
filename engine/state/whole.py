"""A whole layer: every relation without tombstones, with its arrangements and room to grow, and every symbol in use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..backends.embedded.arrangement import Run
from ..backends.embedded.keys import Column, Mask, key_words
from ..backends.embedded.relation import NEW, NUMBERS, SETTLED, Number, Relation
from ..backends.embedded.widths import narrowed
from ..datalog.syntax import Kind
from ..symbols import SymbolTable
from .arrays import Arrays


def room(size: int) -> int:
    """Rows that may be added before the columns have to move."""
    return size // 8 + 64


def key_name(columns: Sequence[int]) -> str:
    return "-".join(map(str, columns))


def numbers_of(relation: Relation) -> dict[Number, NDArray[Any]]:
    """The numbers that each row has. What nobody keeps above the levels is not known of any."""
    if relation.level is None:
        return {}
    unknown = np.zeros(len(relation.state), np.uint8)
    return {name: unknown if getattr(relation, name) is None else getattr(relation, name) for name in NUMBERS}


def describe(
    relation: Relation, kinds: Sequence[Kind], keys: Iterable[tuple[int, ...]], ids: Column | None
) -> tuple[dict[str, Any], Arrays]:
    """A relation's entry in the manifest, and its arrays by name. `ids`: new ids of symbols, ascending with the old."""
    size = relation.size
    alive = None if relation.uniform else (relation.state[:size] & NEW) != 0
    kept = size if alive is None else int(np.count_nonzero(alive))
    arrays: Arrays = {}

    def living(array: NDArray[Any]) -> NDArray[Any]:
        return array[:size] if alive is None else array[:size][alive]

    def put(name: str, values: NDArray[Any]) -> None:
        arrays[name] = np.concatenate([values, np.zeros(room(kept), values.dtype)])

    columns = [living(column) for column in relation.columns]
    if ids is not None:
        columns = [ids[column] if kind == "symbol" else column for column, kind in zip(columns, kinds, strict=True)]
    for index, column in enumerate(columns):
        put(f"column{index}", column)
    for name, numbers in numbers_of(relation).items():
        put(name, narrowed(living(numbers)))
    put("state", np.full(kept, SETTLED, np.uint8))
    relation.arrangement(tuple(range(relation.arity)))
    for key in keys:
        relation.arrangement(key)
    renumbered = None if alive is None else (np.cumsum(alive) - 1).astype(np.int32)
    for key, arrangement in relation.arrangements.items():
        run = arrangement.merged(relation)
        if alive is not None and renumbered is not None:
            there = alive[run.rows]
            run = Run(run.keys[there], renumbered[run.rows[there]])
        if ids is not None and any(kinds[column] == "symbol" for column in key):
            run = _packed_again([columns[column] for column in key], run.rows, arrangement.exact)
        arrays[f"keys{key_name(key)}"], arrays[f"rows{key_name(key)}"] = run.keys, run.rows
    entry = {
        "size": kept,
        "levelled": relation.level is not None,
        "arrangements": [list(columns) for columns in relation.arrangements],
        "fanouts": {key_name(key): value for key, (_, value) in relation.fanouts.items()},
    }
    return entry, arrays


def _packed_again(columns: list[Column], rows: Column, exact: bool) -> Run:
    """The run with new symbol ids. These are in the order of the old ones, so exact words keep their order."""
    keys = key_words([column[rows] for column in columns], len(rows))
    if exact:
        return Run(keys, rows)
    order = np.argsort(keys)
    return Run(keys[order], rows[order])


def symbols_in_use(
    relations: Iterable[tuple[Relation, Sequence[Kind]]], count: int, constants: Sequence[int]
) -> Mask | None:
    """Which symbols a tuple or a rule has; None if all of them."""
    used = np.zeros(count, np.bool_)
    used[list(constants)] = True
    for relation, kinds in relations:
        rows = slice(relation.size) if relation.uniform else relation.rows_in(NEW)
        for column, kind in zip(relation.columns, kinds, strict=True):
            if kind == "symbol":
                used[column[rows]] = True
    return None if used.all() else used


def describe_symbols(symbols: SymbolTable, used: Mask | None) -> tuple[Any, Arrays, Column | None]:
    """The strings in use, their index by hash, and the new id of each old one if any is left out."""
    texts, index = symbols.whole()
    if used is None:
        return texts, {"hash": index.keys, "id": index.rows}, None
    ids = (np.cumsum(used) - 1).astype(np.int32)
    there = used[index.rows]
    return texts.filter(pa.array(used)), {"hash": index.keys[there], "id": ids[index.rows[there]]}, ids
