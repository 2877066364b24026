"""What runs in Spark's Python workers: a step of a shard, and the steps that turn strings into ids and back.

Functions here get the rows of one shard and give rows (`blocks`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any, Final

import numpy as np
import pyarrow as pa

from ...datalog.syntax import Kind
from ...digest import tuple_sums
from ...facts import to_values
from ...strategies.pipelined.messages import in_turn
from ...strategies.pipelined.steps import Step
from ..embedded.relation import Relation
from . import blocks
from .blocks import Row
from .encoding import Chunk, encoded
from .shards import Work, in_order, local_program, opened, relation_rows
from .spread import spread_keys
from .symbols import Parts, part_of, split

_CHUNK_ROWS: Final = 100_000  # the more, the fewer strings are in several chunks


def stepper(work: Work, step: Step) -> Callable[[pa.Table], pa.Table]:
    """For `applyInArrow`: hand a shard its messages, begin its phases, and give what it wrote and sends."""

    def run(table: pa.Table) -> pa.Table:
        started = perf_counter()
        keys = spread_keys(work.local.shards)
        key = table.column(0)[0].as_py()
        shard, messages, _ = opened(work, keys.index(key), blocks.rows_of(table))
        messages.sort(key=in_turn)
        shard.finish(step.finish)
        shard.receive(*step.received, messages)
        for phase, index, settings in step.begins:
            shard.begin(phase, index, settings)
        sent = shard.send()
        out = [blocks.packed_message(message, keys[message.target]) for message in sent]
        out += relation_rows(work, shard, key, step.writes(work.local))
        report = shard.reported()
        report.seconds = perf_counter() - started
        report.held_rows = sum(relation.size for relation in shard.relations.values())
        out.append((key, blocks.REPORT, str(len(sent)), b"", blocks.report_note(report)))
        return blocks.table_of(out)

    return run


# Facts


def collector(keys: list[int], sign: int, name: str, kinds: tuple[Kind, ...]) -> Callable[[Any], Any]:
    """For `mapInArrow` over facts of an input that come (+1) or go (-1): chunks of them, and their distinct strings by
    part."""

    def run(batches: Any) -> Any:
        waiting: list[Any] = []
        size = turn = 0
        for batch in batches:
            waiting.append(batch)
            size += batch.num_rows
            if size >= _CHUNK_ROWS:
                turn += 1
                yield from _chunk(keys, sign, name, kinds, _one(waiting), turn, size)
                waiting, size = [], 0
        if size:
            yield from _chunk(keys, sign, name, kinds, _one(waiting), turn + 1, size)

    return run


def sorter(keys: list[int], sign: int, kinds_of: Mapping[str, tuple[Kind, ...]]) -> Callable[[Any], Any]:
    """For `mapInArrow` over facts of many inputs, (relation, c0, c1, ...) in text: as `collector` gives for each."""

    def run(batches: Any) -> Any:
        waiting: dict[str, list[Any]] = {}
        sizes: dict[str, int] = {}
        turn = 0
        for batch in batches:
            of_batch = batch.column(0).dictionary_encode()
            codes = of_batch.indices.to_numpy()
            order = np.argsort(codes, kind="stable")
            ends = np.cumsum(np.bincount(codes, minlength=len(of_batch.dictionary)))
            ordered = batch.take(pa.array(order))
            for name, end, start in zip(of_batch.dictionary.to_pylist(), ends, [0, *ends[:-1]], strict=True):
                if name not in kinds_of:
                    continue
                cells = ordered.slice(start, end - start).select(range(1, 1 + len(kinds_of[name])))
                waiting.setdefault(name, []).append(cells)
                sizes[name] = sizes.get(name, 0) + (end - start)
                if sizes[name] >= _CHUNK_ROWS:
                    turn += 1
                    yield from _chunk(keys, sign, name, kinds_of[name], _one(waiting.pop(name)), turn, sizes.pop(name))
        for name, parts in waiting.items():
            turn += 1
            yield from _chunk(keys, sign, name, kinds_of[name], _one(parts), turn, sizes[name])

    return run


def _one(parts: list[Any]) -> Any:
    [batch] = pa.Table.from_batches(parts).combine_chunks().to_batches() if parts[0].num_columns else parts[:1]
    return batch


def _chunk(
    keys: list[int], sign: int, name: str, kinds: tuple[Kind, ...], batch: Any, turn: int, size: int | None = None
) -> list[pa.RecordBatch]:
    size = batch.num_rows if size is None else size
    columns = _plain([batch.column(index) for index in range(len(kinds))], kinds)
    target = keys[(hash_of(batch) + turn) % len(keys)]
    rows: list[Row] = [(target, blocks.FACTS, name, _written(columns, size), str(sign))]
    texts = [column for column, kind in zip(columns, kinds, strict=True) if kind == "symbol"]
    if texts:
        rows += [
            (keys[part], blocks.STRINGS, str(part), blocks.packed_strings(strings), "")
            for part, strings in split([text.dictionary for text in texts], len(keys)).items()
        ]
    found: list[pa.RecordBatch] = blocks.table_of(rows).to_batches()
    return found


def hash_of(batch: pa.RecordBatch) -> int:
    """Of its first values: chunks go to shards without a pattern, and again to the same one if they are made again."""
    first = str(batch.slice(0, 1).to_pylist())
    return int(part_of(pa.array([first], pa.large_string()), 1 << 20)[0])


def _plain(columns: list[Any], kinds: tuple[Kind, ...]) -> list[Any]:
    found = []
    for column, kind in zip(columns, kinds, strict=False):
        if kind == "symbol":
            found.append(column.cast(pa.large_string()).dictionary_encode())
        else:
            found.append(column.cast(pa.int64()))
    return found


def _written(columns: list[Any], size: int) -> Any:
    if not columns:
        columns = [pa.array(np.zeros(size, np.int8))]
    return blocks.written(pa.RecordBatch.from_arrays(columns, names=[str(index) for index in range(len(columns))]))


def interner(parts: int, firsts: Mapping[int, list[str]]) -> Callable[[pa.Table], pa.Table]:
    """For `applyInArrow`: the strings of a part that are new, as one more block. `firsts`: strings of a part that has
    none yet."""

    def run(table: pa.Table) -> pa.Table:
        number, key, known, fresh = -1, -1, {}, []
        for row_key, kind, name, payload, note in blocks.rows_of(table):
            if kind == blocks.SHARD:
                number, key = int(name), row_key
            elif kind == blocks.SYMBOLS:
                known[int(note)] = blocks.unpacked_strings(payload)
            elif kind == blocks.STRINGS:
                fresh.append(blocks.unpacked_strings(payload))
        symbols = Parts(parts, {number: [known[start] for start in sorted(known)]})
        start = len(symbols.tables[number])
        if not known and number in firsts:
            fresh.insert(0, pa.array(firsts[number], pa.large_string()))
        # Parts of a shuffle come in any order: sorted, so that a block that is made again is the same.
        rows: list[Row] = []
        if fresh:
            head = fresh[:1] if not known and number in firsts else []
            tail = pa.chunked_array(fresh[len(head) :], pa.large_string()).unique().sort() if fresh[len(head) :] else []
            new = [symbols.intern(number, each) for each in [*head, *([tail] if len(tail) else [])]]
            block = pa.concat_arrays(new) if new else pa.array([], pa.large_string())
            if len(block):
                rows.append((key, blocks.SYMBOLS, str(number), blocks.packed_strings(block), str(start)))
        rows.append((key, blocks.REPORT, str(number), b"", str(len(symbols.tables[number]) - start)))
        return blocks.table_of(rows)

    return run


def encoder(digest: str, content: bytes) -> Callable[[pa.Table], pa.Table]:
    """For `applyInArrow`: chunks of facts as messages to all shards that have copies of their relations."""

    def run(table: pa.Table) -> pa.Table:
        local = local_program(digest, content)
        keys = spread_keys(local.shards)
        key = table.column(0)[0].as_py()
        number = keys.index(key)
        strings: dict[int, list[tuple[int, Any]]] = {}
        chunks: list[Chunk] = []
        for _, kind, name, payload, note in blocks.rows_of(table):
            if kind == blocks.SYMBOLS:
                strings.setdefault(int(name), []).append((int(note), blocks.unpacked_strings(payload)))
            elif kind == blocks.FACTS:
                chunks.append((name, int(note), payload))
        rows: list[Row] = [(key, blocks.SHARD, str(number), b"", "")]
        for message in encoded(local, number, chunks, Parts(local.shards, in_order(strings))):
            rows.append(blocks.packed_message(message, keys[message.target]))
        return blocks.table_of(rows)

    return run


# Results


def decoder(
    parts: int, name: str, kinds: tuple[Kind, ...], view: int, barred: int = 0
) -> Callable[[pa.Table], pa.Table]:
    """For `applyInArrow`: the tuples of a relation, with level, count and total where it has them."""

    def run(table: pa.Table) -> pa.Table:
        relation, symbols = _relation_and_symbols(table, parts, name)
        schema = rows_schema(kinds)
        if relation is None:
            return schema.empty_table()
        state = relation.state[: relation.size]
        rows = np.flatnonzero(((state & view) != 0) & ((state & barred) == 0))
        columns = []
        for column, kind in zip(relation.columns, kinds, strict=True):
            if kind == "symbol":
                columns.append(symbols.take(column[rows]).cast(pa.string()))
            else:
                columns.append(pa.array(to_values(column[rows], kind)))
        for what, default in (("level", 0), ("count", 1), ("total", 1)):
            numbers = getattr(relation, what)
            column = np.full(len(rows), default, np.int64) if numbers is None else numbers[rows].astype(np.int64)
            columns.append(pa.array(column))
        return pa.Table.from_arrays(columns, schema=schema)

    return run


def rows_schema(kinds: tuple[Kind, ...]) -> pa.Schema:
    fields = [
        pa.field(f"c{index}", pa.string() if kind == "symbol" else pa.int64()) for index, kind in enumerate(kinds)
    ]
    return pa.schema([*fields, ("level", pa.int64()), ("count", pa.int64()), ("total", pa.int64())])


def rows_ddl(kinds: tuple[Kind, ...]) -> str:
    columns = [f"c{index} {'string' if kind == 'symbol' else 'bigint'}" for index, kind in enumerate(kinds)]
    return ", ".join([*columns, "level bigint", "count bigint", "total bigint"])


def digester(parts: int, kinds_of: Mapping[str, tuple[str, tuple[Kind, ...]]]) -> Callable[[pa.Table], pa.Table]:
    """For `applyInArrow`: of each relation the sums of its tuples' hashes. `kinds_of`: local name -> name and kinds."""

    def run(table: pa.Table) -> pa.Table:
        relations, symbols = _relations_and_symbols(table, parts)
        lanes = symbols.lanes()
        names, firsts, seconds = [], [], []
        for local, relation in relations.items():
            if local in kinds_of:
                name, kinds = kinds_of[local]
                first, second = tuple_sums(relation, kinds, lanes)
                names.append(name)
                firsts.append(f"{first:016x}")
                seconds.append(f"{second:016x}")
        kind = pa.string()
        return pa.table({"name": pa.array(names, kind), "a": pa.array(firsts, kind), "b": pa.array(seconds, kind)})

    return run


def _relation_and_symbols(table: pa.Table, parts: int, name: str) -> tuple[Relation | None, Parts]:
    relations, symbols = _relations_and_symbols(table, parts)
    return relations.get(name), symbols


def _relations_and_symbols(table: pa.Table, parts: int) -> tuple[dict[str, Relation], Parts]:
    relations: dict[str, Relation] = {}
    strings: dict[int, list[tuple[int, Any]]] = {}
    for _, kind, name, payload, note in blocks.rows_of(table):
        if kind == blocks.RELATION:
            relations[name] = blocks.unpacked_relation(name, payload, note)
        elif kind == blocks.SYMBOLS:
            strings.setdefault(int(name), []).append((int(note), blocks.unpacked_strings(payload)))
    return relations, Parts(parts, in_order(strings))


__all__ = ["collector", "decoder", "digester", "encoder", "interner", "rows_ddl", "sorter", "stepper"]
