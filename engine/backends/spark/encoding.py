"""Chunks of facts, with the strings that they were found with, as messages of ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from ...datalog.syntax import Kind
from ...strategies.pipelined.conductor import route_rows
from ...strategies.pipelined.localise import LocalProgram
from ...strategies.pipelined.messages import Message
from ..embedded.keys import Column
from .symbols import Parts

Chunk = tuple[str, int, Any]  # the input, whether the facts come (+1) or go (-1), and the facts


def encoded(local: LocalProgram, number: int, chunks: Iterable[Chunk], symbols: Parts) -> Iterator[Message]:
    """The facts that shard `number` was given, to all shards that have copies of their relations."""
    read = [(name, sign, _read(payload)) for name, sign, payload in chunks]
    ids = _ids([batch for *_, batch in read], symbols)
    found: dict[tuple[int, str], list[tuple[list[Column], int]]] = {}
    for name, sign, batch in read:
        found.setdefault((sign, name), []).append(_columns(batch, local.program.inputs[name], ids))
    serials = {-1: 0, 1: 0}
    for (sign, name), parts in sorted(found.items()):
        columns = [np.concatenate(some) for some in zip(*(part[0] for part in parts), strict=True)]
        size = len(columns[0]) if columns else min(sum(part[1] for part in parts), 1)
        storage = local.program.input_storage[name]
        sender = number if sign > 0 else -1 - number  # what goes and what comes are numbered apart
        for message in route_rows(local, storage, columns, np.full(size, sign, np.int64), sender, serials[sign]):
            serials[sign] = message.number
            yield message


def _read(payload: Any) -> pa.RecordBatch:
    with pa.ipc.open_stream(payload) as stream:
        return stream.read_next_batch()


def _ids(batches: Iterable[pa.RecordBatch], symbols: Parts) -> Iterator[Column]:
    """For each column of strings, in turn, the ids of its dictionary. A string that many chunks have is looked up
    once."""
    dictionaries = [
        column.dictionary for batch in batches for column in batch.columns if pa.types.is_dictionary(column.type)
    ]
    if not dictionaries:
        return
    whole = pa.chunked_array(dictionaries).combine_chunks().dictionary_encode()
    ids = symbols.ids(whole.dictionary)[whole.indices.to_numpy()]
    start = 0
    for each in dictionaries:
        yield ids[start : start + len(each)]
        start += len(each)


def _columns(batch: pa.RecordBatch, kinds: tuple[Kind, ...], ids: Iterator[Column]) -> tuple[list[Column], int]:
    columns: list[Column] = []
    for index, kind in enumerate(kinds):
        column = batch.column(index)
        if kind == "symbol":
            columns.append(next(ids)[column.indices.to_numpy()])
        else:
            columns.append(column.to_numpy().astype(np.uint32).view(np.int32))
    known = np.ones(batch.num_rows, np.bool_)  # a string that is nowhere is in no fact that could go
    for column, kind in zip(columns, kinds, strict=True):
        if kind == "symbol":
            known &= column >= 0
    return [column[known] for column in columns], int(known.sum())


__all__ = ["Chunk", "encoded"]
