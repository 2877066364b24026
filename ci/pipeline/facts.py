"""Facts as rows of DataFrames: those of a commit's files, from the facts of their blobs, and how two commits' differ.

    files     path, oid, language
    facts     relation, own, c0, c1, ...    a row for each fact of each file: numbers as decimals, null past the arity

`own` says whether a fact names an entity of its file, so that no other file can have it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pliant.ci.fact_diff import FactDiff
from pliant.ci.pipeline.extraction import unpacked
from pliant.extractors.columns import SYMBOL_COLUMNS, Ints, check
from pliant.extractors.facts import escape_path
from pliant.extractors.tables import FactTable, assemble

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

FILES: Final = "path string, oid string, language string"
CELLS: Final = [f"c{index}" for index in range(max(map(len, SYMBOL_COLUMNS.values())))]
_SCHEMA: Final = pa.schema([("relation", pa.string()), ("own", pa.bool_()), *((cell, pa.string()) for cell in CELLS)])
FACTS: Final = "relation string, own boolean, " + ", ".join(f"{cell} string" for cell in CELLS)
_FILES_AT_ONCE: Final = 64


def facts_of(packed: DataFrame, files: DataFrame) -> DataFrame:
    """The facts of files, whose blobs' facts are among `packed`."""
    return packed.join(files.hint("broadcast"), ["oid", "language"]).mapInArrow(fact_batches, FACTS)


def fact_batches(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """For `mapInArrow` over files with the facts of their blobs."""
    for batch in batches:
        for start in range(0, batch.num_rows, _FILES_AT_ONCE):
            part = batch.slice(start, _FILES_AT_ONCE)
            _, columns = unpacked(part)
            check(columns)
            paths = [escape_path(path) for path in part["path"].to_pylist()]
            yield from rows_of(assemble(pa.Table.from_batches([columns]), paths))


def rows_of(table: FactTable) -> Iterator[pa.RecordBatch]:
    """The rows of a table, a batch for each relation."""
    for name, rows in table.rows.items():
        is_symbol = SYMBOL_COLUMNS[name]
        cells = [
            (table.symbols.take(pa.array(rows[:, index])) if symbol else pa.array(rows[:, index])).cast(pa.string())
            for index, symbol in enumerate(is_symbol)
        ]
        cells += [pa.nulls(len(rows), pa.string())] * (len(CELLS) - len(cells))
        own = table.own[rows[:, is_symbol]].any(axis=1)
        columns = [pa.repeat(pa.scalar(name), len(rows)), pa.array(own), *cells]
        yield pa.RecordBatch.from_arrays(columns, schema=_SCHEMA)


def table_of(rows: pa.Table) -> FactTable:
    """Rows as a table again; no symbol of it is said to belong to a file."""
    places = {
        name: np.flatnonzero(pc.equal(rows["relation"], name).to_numpy(zero_copy_only=False))
        for name in pc.unique(rows["relation"]).to_pylist()
    }
    texts: list[pa.Array] = []
    found: dict[str, Ints] = {}
    waiting: list[tuple[Ints, int, int]] = []
    start = 0
    for name, of_name in places.items():
        some = rows.take(pa.array(of_name))
        made = found[name] = np.zeros((len(of_name), len(SYMBOL_COLUMNS[name])), np.int64)
        for index, symbol in enumerate(SYMBOL_COLUMNS[name]):
            column = some[CELLS[index]].combine_chunks()
            if not symbol:
                made[:, index] = column.cast(pa.int64()).to_numpy()
                continue
            texts.append(column.cast(pa.large_string()))
            waiting.append((made, index, start))
            start += len(column)
    coded = pa.chunked_array(texts, pa.large_string()).combine_chunks().dictionary_encode()
    codes = coded.indices.to_numpy().astype(np.int64)
    for made, index, first in waiting:
        made[:, index] = codes[first : first + len(made)]
    return FactTable(coded.dictionary, np.zeros(len(coded.dictionary), bool), found)


def difference(old: Sequence[DataFrame], new: Sequence[DataFrame], parts: int) -> DataFrame:
    """What only one side has, as a set of facts: rows of FACTS with `sign`, -1 or +1. It is computed in `parts`."""
    from pyspark.sql import functions

    sides = [
        reduce(lambda one, other: one.unionByName(other), side).withColumn("sign", functions.lit(sign))
        for sign, side in ((-1, old), (1, new))
    ]
    key = ["relation", *CELLS]
    rows = sides[0].unionByName(sides[1]).repartition(parts, *key).groupBy(*key)
    lowest, highest = functions.min("sign").alias("sign"), functions.max("sign").alias("highest")
    found = rows.agg(functions.max("own").alias("own"), lowest, highest)
    return found.filter(found["sign"] == found["highest"]).drop("highest")


def fact_diff(rows: pa.Table) -> FactDiff:
    """What `difference` gives, here."""
    table = table_of(rows)
    signs = rows["sign"].to_numpy()
    result = FactDiff(table.symbols, {}, {}, shared=not all(rows["own"].to_pylist()))
    names = rows["relation"].to_numpy(zero_copy_only=False)
    for name, made in table.rows.items():
        of_name = signs[names == name]
        for sign, into in ((-1, result.deleted), (1, result.inserted)):
            if (of_name == sign).any():
                into[name] = made[of_name == sign]
    return result


__all__ = [
    "CELLS", "FACTS", "FILES", "difference", "fact_batches", "fact_diff", "facts_of", "rows_of", "table_of",
]  # fmt: skip
