"""Chunks of facts, with the strings that they were found with, as messages of ids.

An id is given by the shard whose part the string belongs to (`symbols`). Shards that are connected ask each other, and
none has all strings: each sends the distinct strings of its chunks to the shards that they belong to, which number
those that are new and answer with ids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...datalog.syntax import Kind
from ...errors import FactError
from ...strategies.pipelined.localise import LocalProgram
from ...strategies.pipelined.messages import Message
from ...strategies.pipelined.routing import route_rows
from ...symbols import SymbolTable, as_strings, hash_strings
from ..embedded.keys import Column, Mask, Words
from . import blocks
from .symbols import part_by

Chunk = tuple[str, int, Any]  # the input, whether the facts come (+1) or go (-1), and the facts
Swap = Callable[[Mapping[int, Sequence[Any]]], Mapping[int, Any]]  # bytes for each other shard; what each sent
Ids = Callable[[Any, Mask], Column]  # distinct strings, and which of these are to have an id, if they have none


def encoded(local: LocalProgram, number: int, chunks: Iterable[Chunk], ids_of: Ids) -> Iterator[Message]:
    """The facts that shard `number` was given, to all shards that have copies of their relations. `ids_of` is called
    once, whatever there is."""
    read = [(name, sign, _read(payload)) for name, sign, payload in chunks]
    ids = _ids([(sign, batch) for _, sign, batch in read], ids_of)
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


def strings_of(payload: Any) -> list[Any]:
    """The distinct strings of each column of a chunk that has any."""
    return [column.dictionary for column in _read(payload).columns if pa.types.is_dictionary(column.type)]


def _ids(batches: Iterable[tuple[int, pa.RecordBatch]], ids_of: Ids) -> Iterator[Column]:
    """For each column of strings, in turn, the ids of its dictionary. A string that many chunks have is looked up
    once."""
    signs, dictionaries = [], []
    for sign, batch in batches:
        for column in batch.columns:
            if pa.types.is_dictionary(column.type):
                signs.append(sign)
                dictionaries.append(column.dictionary)
    whole = pa.chunked_array(dictionaries, pa.large_string()).combine_chunks().dictionary_encode()
    places = whole.indices.to_numpy()
    ends = np.cumsum([len(each) for each in dictionaries], dtype=np.int64)
    come = np.zeros(len(whole.dictionary), np.bool_)
    for sign, each, end in zip(signs, dictionaries, ends, strict=True):
        if sign > 0:
            come[places[end - len(each) : end]] = True
    ids = ids_of(whole.dictionary, come)[places]
    return iter([ids[end - len(each) : end] for each, end in zip(dictionaries, ends, strict=True)])


def _columns(batch: pa.RecordBatch, kinds: tuple[Kind, ...], ids: Iterator[Column]) -> tuple[list[Column], int]:
    columns: list[Column] = []
    known: Mask | None = None
    for index, kind in enumerate(kinds):
        column = batch.column(index)
        if kind != "symbol":
            columns.append(column.to_numpy().astype(np.uint32).view(np.int32))
            continue
        mine = next(ids)
        columns.append(mine[column.indices.to_numpy()])
        if len(mine) and int(mine.min()) < 0:  # a string that is nowhere is in no fact that could go
            there = columns[-1] >= 0
            known = there if known is None else known & there
    if known is None:
        return columns, batch.num_rows
    return [column[known] for column in columns], int(known.sum())


class Asking:
    """Ids from the shards that strings belong to; all shards ask at once. `own`: the blocks of strings of this shard's
    part. `firsts`: those that its part begins with."""

    def __init__(self, number: int, shards: int, own: Sequence[Any], firsts: Sequence[str], swap: Swap):
        self._number, self._shards, self._swap = number, shards, swap
        self._table = SymbolTable()
        for block in own:
            self._table.intern(block)
        self._known = len(self._table)
        if firsts and not self._known:
            self._table.intern(list(firsts))

    def __call__(self, strings: Any, come: Mask) -> Column:
        hashes = hash_strings(strings)[0]
        of = part_by(hashes, self._shards)
        places = [np.flatnonzero(of == part) for part in range(self._shards)]
        asked = self._swapped(
            [
                pa.RecordBatch.from_arrays(
                    [strings.take(pa.array(mine)), pa.array(hashes[mine]), pa.array(come[mine])],
                    names=["text", "hash", "come"],
                )
                for mine in places
            ]
        )
        found = self._answer(pa.Table.from_batches(asked))
        ends = np.cumsum([each.num_rows for each in asked])
        answers = self._swapped(
            [
                pa.RecordBatch.from_arrays([pa.array(found[end - each.num_rows : end])], names=["ids"])
                for each, end in zip(asked, ends, strict=True)
            ]
        )
        ids = np.empty(len(strings), np.int32)
        for mine, answer in zip(places, answers, strict=True):
            ids[mine] = answer.column(0).to_numpy()
        return ids

    def fresh(self) -> tuple[int, Any]:
        """The strings of the part that are new, and the number of the first of them."""
        return self._known, self._table.take(np.arange(self._known, len(self._table)))

    def _swapped(self, batches: Sequence[pa.RecordBatch]) -> list[pa.RecordBatch]:
        """One from each shard, in order, for one to each."""
        found = self._swap(
            {peer: [blocks.written(batch, False)] for peer, batch in enumerate(batches) if peer != self._number}
        )
        return [
            batches[peer] if peer == self._number else _read(pa.py_buffer(found[peer])) for peer in range(self._shards)
        ]

    def _answer(self, asked: pa.Table) -> Column:
        """The ids of strings of the part. In the order of their hashes those that are new come to the table, so that
        they have the same ids when they come again, in whatever order."""
        distinct = asked.column(0).combine_chunks().dictionary_encode()
        values, places = distinct.dictionary, distinct.indices.to_numpy()
        hashes, come = np.empty(len(values), np.uint64), np.zeros(len(values), np.bool_)
        hashes[places] = asked.column(1).to_numpy()
        come[places[asked.column(2).to_numpy()]] = True
        numbers = self._table.find(values, hashes)
        new = np.flatnonzero(come & (numbers < 0))
        new = new[in_order_of(hashes[new], values.take(pa.array(new)))]
        numbers[new] = self._table.intern_distinct(values.take(pa.array(new)), hashes[new])
        ids = np.where(numbers < 0, -1, numbers.astype(np.int64) * self._shards + self._number)
        if len(ids) and int(ids.max()) >= 2**31:
            raise FactError(f"more than {2**31 // self._shards} different symbols in one of {self._shards} parts")
        found: Column = ids.astype(np.int32)[places]
        return found


def in_turn(strings: Any) -> Any:
    """Distinct strings in an order of their own: they come in any, and have the same ids when they come again."""
    strings = as_strings(strings)
    return strings.take(pa.array(in_order_of(hash_strings(strings)[0], strings)))


def in_order_of(hashes: Words, strings: Any) -> NDArray[np.int64]:
    """Places in the order of hashes, and of second ones where these are the same."""
    order: NDArray[np.int64] = np.argsort(hashes)
    if len(order) > 1 and bool((np.diff(hashes[order]) == 0).any()):
        order = np.lexsort((hash_strings(strings)[1], hashes))
    return order


__all__ = ["Asking", "Chunk", "encoded", "in_turn", "strings_of"]
