"""Facts and instructions of blobs as Arrow columns: a row each, checked before anything uses numbers as indices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pliant.extractors.facts import SCOPES, FileFacts
from pliant.extractors.ir.stored import Packed
from pliant.extractors.schema import RELATIONS

PLACE_WIDTH = 5
Ints = npt.NDArray[np.int64]
_INT_LIST = pa.list_(pa.field("item", pa.int32(), nullable=False))
_TEXT_LIST = pa.list_(pa.field("item", pa.string(), nullable=False))
_COLUMNS: tuple[tuple[str, pa.DataType], ...] = (
    ("symbols", _TEXT_LIST),
    *((f"rows/{name}", _INT_LIST) for name in RELATIONS),
    ("places", _INT_LIST),
    ("library", _TEXT_LIST),
    ("diagnostic_lines", _INT_LIST),
    ("diagnostic_last_lines", _INT_LIST),
    ("diagnostic_reasons", _TEXT_LIST),
    ("diagnostic_scopes", _TEXT_LIST),
    ("diagnostic_functions", _TEXT_LIST),
    ("unmodelled", _TEXT_LIST),
    ("unmodelled_counts", _INT_LIST),
    ("lines", pa.int32()),
    ("suppression_lines", _INT_LIST),  # of the comment, and of the code that it covers
    ("suppression_rules", _TEXT_LIST),
    ("suppression_reasons", _TEXT_LIST),
    ("suppression_tools", _TEXT_LIST),
)
BLOB_SCHEMA = pa.schema([pa.field(name, kind, nullable=False) for name, kind in _COLUMNS])
INSTRUCTIONS_SCHEMA = pa.schema(
    [pa.field(name, pa.large_binary(), nullable=False) for name in ("outline", "functions")]
)
SYMBOL_COLUMNS = {
    name: np.array([kind == "symbol" for _, kind in relation.columns]) for name, relation in RELATIONS.items()
}


def columns_of(blobs: Sequence[FileFacts]) -> pa.RecordBatch:
    """The facts of blobs as a batch of BLOB_SCHEMA, a row each."""
    batch = batch_of(blobs)
    check(batch)
    return batch


def batch_of(blobs: Sequence[FileFacts]) -> pa.RecordBatch:
    """`columns_of`, unchecked."""

    def ints(values: Sequence[Any]) -> pa.ListArray:
        flat = np.concatenate([np.asarray(part, dtype=np.int32) for part in values])
        return pa.ListArray.from_arrays(_offsets(values), pa.array(flat, pa.int32()), type=_INT_LIST)

    def texts(values: Sequence[Sequence[str]]) -> pa.ListArray:
        flat = pa.array([text for part in values for text in part], pa.string())
        return pa.ListArray.from_arrays(_offsets(values), flat, type=_TEXT_LIST)

    for blob in blobs:
        if unknown := blob.rows.keys() - RELATIONS.keys():
            raise ValueError(f"facts of relations that the schema does not have: {', '.join(sorted(unknown))}")
    columns: dict[str, pa.Array] = {"symbols": texts([blob.symbols for blob in blobs])}
    for name in RELATIONS:
        columns[f"rows/{name}"] = ints([blob.rows.get(name, ()) for blob in blobs])
    columns["places"] = ints([blob.places for blob in blobs])
    columns["library"] = texts([blob.library for blob in blobs])
    columns["diagnostic_lines"] = ints([[item.line for item in blob.diagnostics] for blob in blobs])
    columns["diagnostic_last_lines"] = ints([[item.last_line for item in blob.diagnostics] for blob in blobs])
    columns["diagnostic_reasons"] = texts([[item.reason for item in blob.diagnostics] for blob in blobs])
    columns["diagnostic_scopes"] = texts([[item.scope for item in blob.diagnostics] for blob in blobs])
    columns["diagnostic_functions"] = texts([[item.function for item in blob.diagnostics] for blob in blobs])
    columns["unmodelled"] = texts([list(blob.unmodelled) for blob in blobs])
    columns["unmodelled_counts"] = ints([list(blob.unmodelled.values()) for blob in blobs])
    silenced = [blob.suppressions for blob in blobs]
    columns["suppression_lines"] = ints([[n for item in items for n in (item.line, item.covers)] for items in silenced])
    columns["suppression_rules"] = texts([[",".join(item.rules) for item in items] for items in silenced])
    columns["suppression_reasons"] = texts([[item.reason for item in items] for items in silenced])
    columns["suppression_tools"] = texts([[item.tool for item in items] for items in silenced])
    columns["lines"] = pa.array([blob.lines for blob in blobs], pa.int32())
    return pa.RecordBatch.from_arrays([columns[name] for name in BLOB_SCHEMA.names], schema=BLOB_SCHEMA)


def instructions_of(blobs: Sequence[Packed]) -> pa.RecordBatch:
    """The instructions of blobs as a batch of INSTRUCTIONS_SCHEMA."""
    columns = [pa.array([blob[part] for blob in blobs], pa.large_binary()) for part in (0, 1)]
    return pa.RecordBatch.from_arrays(columns, schema=INSTRUCTIONS_SCHEMA)


def check_instructions(batch: pa.RecordBatch) -> None:
    """ValueError where a batch is not what `instructions_of` makes, but for what `ir.stored` looks at when it reads."""
    batch.validate(full=True)
    if any(column.null_count for column in batch.columns):
        raise ValueError("instructions are null")


def _offsets(values: Sequence[Sequence[Any]]) -> pa.Array:
    return pa.array(np.cumsum([0, *map(len, values)]), pa.int32())


def check(batch: pa.RecordBatch) -> None:
    """ValueError where a batch is not what `batch_of` makes: what follows uses its numbers as indices."""
    batch.validate(full=True)
    for name, column in zip(BLOB_SCHEMA.names, batch.columns, strict=True):
        if column.null_count or (pa.types.is_list(column.type) and column.values.null_count):
            raise ValueError(f"a null in column {name}")
    symbols = lengths_of(batch["symbols"])
    for name, is_symbol in SYMBOL_COLUMNS.items():
        _check_indices(name, batch[f"rows/{name}"], is_symbol, symbols)
    _check_indices("places", batch["places"], np.arange(PLACE_WIDTH) == 0, symbols)
    for other in ("suppression_rules", "suppression_reasons", "suppression_tools"):
        if not np.array_equal(lengths_of(batch["suppression_lines"]), 2 * lengths_of(batch[other])):
            raise ValueError(f"columns suppression_lines and {other} do not match")
    of_diagnostics = [
        ("diagnostic_lines", f"diagnostic_{name}") for name in ("reasons", "scopes", "functions", "last_lines")
    ]
    for one, other in (*of_diagnostics, ("unmodelled", "unmodelled_counts")):
        if not np.array_equal(lengths_of(batch[one]), lengths_of(batch[other])):
            raise ValueError(f"columns {one} and {other} do not match")
    if not pc.all(pc.is_in(batch["diagnostic_scopes"].flatten(), pa.array(SCOPES)), min_count=0).as_py():
        raise ValueError("a diagnostic of an unknown scope")


def _check_indices(name: str, column: pa.ListArray, is_symbol: npt.NDArray[np.bool_], symbols: Ints) -> None:
    flat = column.flatten().to_numpy()
    if not len(flat):
        return
    lengths = lengths_of(column)
    if (lengths % len(is_symbol)).any():
        raise ValueError(f"a row of {name} is cut short")
    ids = flat.reshape(-1, len(is_symbol))[:, is_symbol]
    bounds = np.repeat(symbols, lengths // len(is_symbol))
    if ids.size and (ids.min() < 0 or (ids >= bounds[:, None]).any()):
        raise ValueError(f"a row of {name} names a symbol that is not there")


def lengths_of(column: pa.ListArray) -> Ints:
    lengths: Ints = np.diff(column.offsets.to_numpy().astype(np.int64))
    return lengths
