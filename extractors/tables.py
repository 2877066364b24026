"""The facts of many files put together. Done on columns: no Python runs for a single fact or symbol."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pliant.extractors.columns import SYMBOL_COLUMNS, Ints, columns_of, lengths_of
from pliant.extractors.facts import FOLDER, OWN, FileFacts, folder_of


@dataclass(slots=True)
class FactTable:
    """Facts of many files on one symbol table.

    symbols: may hold a symbol more than once. own: which of them belong to one file.
    rows: relation name -> (facts, arity) ids into `symbols`, or the numbers of a number column.
    """

    symbols: pa.Array
    own: npt.NDArray[np.bool_]
    rows: dict[str, Ints]

    @property
    def facts(self) -> int:
        return sum(len(rows) for rows in self.rows.values())


def from_facts(facts: FileFacts) -> FactTable:
    """Facts of no blob (those of the commit as a whole) as a table; no symbol of them belongs to a file."""
    # A module's dotted name has the bytes of its file's name, which need not be UTF-8; no source can import such a one.
    symbols = [symbol.encode("utf-8", "backslashreplace").decode("utf-8") for symbol in facts.symbols]
    batch = columns_of([replace(facts, symbols=symbols)])
    return assemble(pa.Table.from_batches([batch]), [""])


def together(tables: Sequence[FactTable]) -> FactTable:
    """The facts of several tables as one; a fact of two tables is in it twice."""
    kind = pa.large_string() if any(pa.types.is_large_string(table.symbols.type) for table in tables) else pa.string()
    rows: dict[str, list[Ints]] = {}
    start = 0
    for table in tables:
        for name, part in table.rows.items():
            rows.setdefault(name, []).append(part + start * SYMBOL_COLUMNS[name])
        start += len(table.symbols)
    return FactTable(
        pa.chunked_array([table.symbols.cast(kind) for table in tables], kind).combine_chunks(),
        np.concatenate([np.zeros(0, bool), *(table.own for table in tables)]),
        {name: np.concatenate(parts) for name, parts in rows.items()},
    )


def assemble(columns: pa.Table, paths: list[str]) -> FactTable:
    symbols = columns["symbols"].combine_chunks()
    texts = symbols.flatten()
    counts = lengths_of(symbols)
    first_symbol = np.concatenate(([0], np.cumsum(counts)))[:-1]
    own = pc.starts_with(texts, OWN).to_numpy(zero_copy_only=False)
    of_file = np.repeat(np.arange(1, len(paths) + 1), counts)
    prefix_of = np.where(own, of_file, 0)
    prefixes = ["", *paths]
    of_folder = pc.starts_with(texts, FOLDER)
    if pc.any(of_folder).as_py():
        shared = of_folder.to_numpy(zero_copy_only=False)
        prefix_of = np.where(shared, of_file + len(paths), prefix_of)
        prefixes += map(folder_of, paths)
        texts = pc.if_else(of_folder, pc.replace_substring(texts, FOLDER, OWN, max_replacements=1), texts)
        own = own & ~shared
    prefix_bytes = np.array([len(prefix.encode()) for prefix in prefixes])
    # A string array holds 2 GiB; what may be more takes 64-bit offsets.
    kind = pa.string() if prefix_bytes[prefix_of].sum() + texts.nbytes < 2**31 - 1 else pa.large_string()
    taken = pa.array(prefixes, kind).take(pa.array(prefix_of))
    joined = pc.binary_join_element_wise(taken, texts.cast(kind), pa.scalar("", kind))
    rows: dict[str, Ints] = {}
    for name, is_symbol in SYMBOL_COLUMNS.items():
        column = columns[f"rows/{name}"].combine_chunks()
        if not len(column) or not len(flat := column.flatten().to_numpy()):
            continue
        table = flat.astype(np.int64).reshape(-1, len(is_symbol))
        offsets = np.repeat(first_symbol, lengths_of(column) // len(is_symbol))
        for position in np.flatnonzero(is_symbol):
            table[:, position] += offsets
        rows[name] = table
    return FactTable(joined, own, rows)
