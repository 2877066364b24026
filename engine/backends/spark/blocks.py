"""What travels between steps as rows of a DataFrame: relations of shards, messages, symbols, reports.

A row is (key, kind, name, payload, note). The key says which shard it belongs to, the payload is an Arrow stream of
integers or strings: data that cannot run code, and that is copied and not converted on its way through Spark. Spark
copies a row half a dozen times between two workers, so payloads are compressed: rows of a relation lie in the order in
which they were sorted, and take a tenth of their room or less for a few nanoseconds each.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

import numpy as np
import pyarrow as pa

from ...errors import EngineError
from ...strategies.level_counts import LevelCounts
from ...strategies.pipelined.messages import Message
from ...strategies.pipelined.report import Report
from ..embedded.relation import KEPT, NEW, OLD, SETTLED, Relation

SCHEMA: Final = pa.schema(
    [("key", pa.int32()), ("kind", pa.string()), ("name", pa.string()), ("payload", pa.binary()), ("note", pa.string())]
)
DDL: Final = "key int, kind string, name string, payload binary, note string"
SHARD, RELATION, COUNTS, MESSAGE, SYMBOLS, STRINGS, FACTS, SURVEY, REPORT = (
    "shard", "relation", "counts", "message", "symbols", "strings", "facts", "survey", "report",
)  # fmt: skip
_BATCH_BYTES: Final = 1 << 25
_ROW_BYTES: Final = (1 << 31) - (1 << 16)  # what a row of Spark holds
_COMPRESSED: Final = pa.ipc.IpcWriteOptions(compression="zstd", use_threads=False)
_PLAIN: Final = pa.ipc.IpcWriteOptions()
_READ: Final = pa.ipc.IpcReadOptions(use_threads=False)
_WORTH: Final = 1 << 12  # bytes that are worth compressing
Row = tuple[int, str, str, Any, str]
_NUMBERS: Final = ("level", "count", "total")


def table_of(rows: Sequence[Row]) -> pa.Table:
    """Rows as a table of batches that stay well under what an Arrow array of bytes can hold."""
    batches: list[pa.RecordBatch] = []
    part: list[Row] = []
    size = 0
    for row in rows:
        if part and size + len(row[3]) > _BATCH_BYTES:
            batches.append(_batch(part))
            part, size = [], 0
        part.append(row)
        size += len(row[3])
    if part:
        batches.append(_batch(part))
    return pa.Table.from_batches(batches, SCHEMA)


def batches_of(rows: Iterable[Row]) -> Iterator[pa.RecordBatch]:
    """Rows one after another, each as soon as it is there."""
    for row in rows:
        yield _batch([row])


def _batch(rows: Sequence[Row]) -> pa.RecordBatch:
    columns = list(zip(*rows, strict=True))
    arrays = [
        _payloads(column) if field.name == "payload" else pa.array(column, field.type)
        for column, field in zip(columns, SCHEMA, strict=True)
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)


def _payloads(column: Sequence[Any]) -> Any:
    """A single one, which may be large, is not copied."""
    if len(column) > 1:
        return pa.array([memoryview(each) for each in column], pa.binary())
    data = pa.py_buffer(column[0])
    return pa.Array.from_buffers(pa.binary(), 1, [None, pa.py_buffer(np.array([0, data.size], np.int32)), data])


def stream_of(rows: Sequence[Row]) -> pa.Buffer:
    """Rows in one piece."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, SCHEMA) as stream:
        stream.write_table(table_of(rows))
    return sink.getvalue()


def streamed(piece: Any) -> Iterator[Row]:
    with pa.ipc.open_stream(pa.py_buffer(piece)) as stream:
        for batch in stream:
            yield from rows_of(batch)


def rows_of(table: pa.Table | pa.RecordBatch) -> Iterator[Row]:
    for batch in table.to_batches() if isinstance(table, pa.Table) else [table]:
        kinds, names, notes = (batch.column(index).to_pylist() for index in (1, 2, 4))
        keys = batch.column(0).to_pylist()
        payloads = batch.column(3)
        for index in range(batch.num_rows):
            yield keys[index], kinds[index], names[index], payloads[index].as_buffer(), notes[index]


def packed(arrays: Mapping[str, np.ndarray[Any, Any]], compressed: bool = True) -> Any:
    """Columns of one length by name."""
    batch = pa.RecordBatch.from_arrays([pa.array(array) for array in arrays.values()], names=list(arrays))
    return written(batch, compressed)


def packed_strings(strings: Any) -> Any:
    return written(pa.RecordBatch.from_arrays([strings], names=["text"]))


def unpacked_strings(payload: Any) -> Any:
    return _read(payload).column(0)


def written(batch: pa.RecordBatch, compressed: bool = True) -> Any:
    """A batch as a payload. Raises EngineError if it is more than a row holds."""
    sink = pa.BufferOutputStream()
    options = _COMPRESSED if compressed and batch.nbytes >= _WORTH else _PLAIN
    with pa.ipc.new_stream(sink, batch.schema, options=options) as stream:
        stream.write_batch(batch)
    payload = sink.getvalue()
    if payload.size > _ROW_BYTES:
        raise EngineError(
            f"{batch.num_rows:,} rows of a shard are more than the 2 GiB that Spark moves in a piece: use more shards"
        )
    return payload


def _read(payload: Any) -> pa.RecordBatch:
    with pa.ipc.open_stream(payload, options=_READ) as stream:
        return stream.read_next_batch()


def unpacked(payload: Any) -> dict[str, np.ndarray[Any, Any]]:
    batch = _read(payload)
    return {name: batch.column(index).to_numpy() for index, name in enumerate(batch.schema.names)}


def packed_relation(relation: Relation) -> tuple[Any, str]:
    """Everything but arrangements; and in words whether it is levelled and counted, and how many rows it has."""
    size = relation.size
    arrays: dict[str, np.ndarray[Any, Any]] = {str(i): column[:size] for i, column in enumerate(relation.columns)}
    for name in _NUMBERS:
        numbers = getattr(relation, name)
        if numbers is not None:
            arrays[name] = numbers[:size]
    if not relation.uniform or not arrays:
        arrays["state"] = relation.state[:size]
    if relation.former is not None:
        former = np.zeros(size, np.int32)
        known = min(size, len(relation.former))
        former[:known] = relation.former[:known]
        arrays["former"] = former
    note = json.dumps([relation.arity, relation.level is not None, relation.count is not None, size])
    return packed(arrays), note


def unpacked_relation(name: str, payload: Any, note: str) -> Relation:
    """The relation; its arrays are those of the payload until it is written to."""
    arity, levelled, counted, size = json.loads(note)
    arrays = unpacked(payload)
    relation = Relation(name, arity, levelled, counted)
    relation.columns = [arrays[str(index)] for index in range(arity)]
    for each in _NUMBERS:
        if each in arrays:
            setattr(relation, each, arrays[each])
    state = arrays.get("state")
    relation.uniform = state is None
    relation.state = np.full(size, SETTLED, np.uint8) if state is None else state
    relation.size = relation.stable = size
    if state is not None:
        relation.dead = int(np.count_nonzero((state & (OLD | NEW | KEPT)) == 0))
    if "former" in arrays:
        relation.former = arrays["former"].copy()
    relation._shared = True
    return relation


def packed_counts(table: LevelCounts) -> Any:
    rows, levels, counts = table.pairs()
    return packed({"rows": rows, "levels": levels, "counts": counts})


def unpacked_counts(payload: Any) -> LevelCounts:
    arrays = unpacked(payload)
    return LevelCounts.of(arrays["rows"], arrays["levels"], arrays["counts"].copy())


def packed_message(message: Message, key: int, compressed: bool = True) -> Row:
    """`key`: of the receiver."""
    arrays: dict[str, np.ndarray[Any, Any]] = {str(index): column for index, column in enumerate(message.columns)}
    if message.levels is not None:
        arrays["levels"] = message.levels
    if message.counts is not None:
        arrays["counts"] = message.counts
    head = [message.sender, message.number, message.target, message.kind, message.name, message.size,
            len(message.columns)]  # fmt: skip
    return key, MESSAGE, message.name, packed(arrays, compressed) if arrays else b"", json.dumps(head)


def unpacked_message(payload: Any, note: str) -> Message:
    sender, number, target, kind, name, size, width = json.loads(note)
    arrays = unpacked(payload) if len(payload) else {}
    columns = [arrays[str(index)] for index in range(width)]
    return Message(sender, number, target, kind, name, columns, size, arrays.get("levels"), arrays.get("counts"))


def report_note(report: Report) -> str:
    return json.dumps(asdict(report))


def report_of(note: str) -> Report:
    return report_from(json.loads(note))


def report_from(fields: dict[str, Any]) -> Report:
    fields["changes"] = {name: tuple(counts) for name, counts in fields["changes"].items()}
    fields["chosen"] = {index: tuple(told) for index, told in fields["chosen"].items()}
    fields["strata"] = {index: tuple(counts) for index, counts in fields["strata"].items()}
    return Report(**fields)
