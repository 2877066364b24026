"""Extraction as an Arrow function: a row for each distinct blob in, a row with its facts out.

    blobs    oid, language, content
    packed   oid, language, and the columns of the fact cache (`extractors.columns.BLOB_SCHEMA`)

A blob that takes its process down is a diagnostic of its facts, as it is without Spark: each task extracts in a process
of its own beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from pliant.extractors.blobs import SUMMARY_COLUMNS, Summary, summaries
from pliant.extractors.columns import BLOB_SCHEMA, columns_of
from pliant.extractors.languages import LANGUAGES
from pliant.extractors.workers import Content, extract_apart

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

BLOBS: Final = "oid string, language string, content binary"
_KEY: Final = [pa.field("oid", pa.string()), pa.field("language", pa.string())]
_AT_ONCE: Final = 64  # blobs whose facts are one batch


def packed_schema() -> pa.Schema:
    """Of what `extract_batches` yields: names without `/`, which are awkward in SQL."""
    fields = [pa.field(field.name.replace("/", "_"), _plain(field.type)) for field in BLOB_SCHEMA]
    return pa.schema([*_KEY, *fields])


def packed_ddl() -> str:
    """The same for Spark."""
    words = {pa.int32(): "int", pa.string(): "string"}

    def word(kind: pa.DataType) -> str:
        return f"array<{words[kind.value_type]}>" if pa.types.is_list(kind) else words[kind]

    return ", ".join(f"`{field.name}` {word(field.type)}" for field in packed_schema())


def extract_batches(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """For `mapInArrow` over blobs."""
    waiting: list[tuple[tuple[str, str], Any]] = []
    for key, facts in extract_apart(_sources(batches)):
        waiting.append((key, facts))
        if len(waiting) == _AT_ONCE:
            yield _packed(waiting)
            waiting = []
    if waiting:
        yield _packed(waiting)


def extracted(blobs: DataFrame) -> DataFrame:
    """The facts of distinct blobs. `blobs`: of the columns BLOBS, each (language, oid) once."""
    return blobs.select("oid", "language", "content").mapInArrow(extract_batches, packed_ddl())


def unpacked(packed: pa.RecordBatch) -> tuple[list[tuple[str, str]], pa.RecordBatch]:
    """(language, oid) of each row, and the rows as the fact cache keeps them."""
    keys = list(zip(packed["language"].to_pylist(), packed["oid"].to_pylist(), strict=True))
    columns = [packed[field.name.replace("/", "_")].cast(field.type) for field in BLOB_SCHEMA]
    return keys, pa.RecordBatch.from_arrays(columns, schema=BLOB_SCHEMA)


SUMMARY: Final = [*(field.name for field in _KEY), *SUMMARY_COLUMNS]  # of what is packed


def summaries_of(packed: pa.RecordBatch) -> Iterator[tuple[tuple[str, str], Summary]]:
    """(language, oid) of each row with its summary; `packed`: the columns SUMMARY."""
    keys = zip(packed["language"].to_pylist(), packed["oid"].to_pylist(), strict=True)
    yield from zip(keys, summaries(packed), strict=True)


def _sources(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[tuple[str, str], Any, Content]]:
    for batch in batches:
        for oid, language, content in zip(*(batch[name] for name in ("oid", "language", "content")), strict=True):
            name = language.as_py()
            yield (oid.as_py(), name), LANGUAGES[name], content.as_py()


def _packed(some: list[tuple[tuple[str, str], Any]]) -> pa.RecordBatch:
    columns = columns_of([facts for _, facts in some])
    keys = [pa.array([key[position] for key, _ in some], pa.string()) for position in (0, 1)]
    plain = [column.cast(_plain(column.type)) for column in columns.columns]
    return pa.RecordBatch.from_arrays([*keys, *plain], schema=packed_schema())


def _plain(kind: pa.DataType) -> pa.DataType:
    """Spark's lists may hold nulls."""
    return pa.list_(kind.value_type) if pa.types.is_list(kind) else kind


__all__ = [
    "BLOBS", "SUMMARY", "extract_batches", "extracted", "packed_ddl", "packed_schema", "summaries_of", "unpacked",
]  # fmt: skip
