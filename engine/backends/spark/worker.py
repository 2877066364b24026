"""What runs in Spark's Python workers: a step of a shard, and the steps that turn strings into ids and back.

Functions here get the rows of one shard and give rows (`blocks`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import Any

import numpy as np
import pyarrow as pa

from ...datalog.syntax import Kind
from ...digest import tuple_sums
from ...facts import to_values
from ...strategies.pipelined.messages import in_turn as messages_in_turn
from ...strategies.pipelined.steps import Step
from ..embedded.relation import Relation
from . import blocks
from .blocks import Row
from .encoding import Chunk, encoded, in_turn, strings_of
from .shards import Work, in_order, local_program, opened, relation_rows
from .spread import spread_keys
from .symbols import Parts, split


def stepper(work: Work, step: Step) -> Callable[[pa.Table], pa.Table]:
    """For `applyInArrow`: hand a shard its messages, begin its phases, and give what it wrote and sends."""

    def run(table: pa.Table) -> pa.Table:
        started = perf_counter()
        keys = spread_keys(work.local.shards)
        key = table.column(0)[0].as_py()
        here = opened(work, keys.index(key), blocks.rows_of(table))
        shard, messages = here.shard, sorted(here.messages, key=messages_in_turn)
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


def speller(keys: list[int]) -> Callable[[Any], Any]:
    """For `mapInArrow` over chunks of facts that come: their distinct strings, for the parts that they belong to."""

    def run(batches: Any) -> Any:
        for batch in batches:
            for _, _, _, payload, _ in blocks.rows_of(batch):
                found = split(strings_of(payload), len(keys)).items()
                yield from blocks.batches_of(
                    (keys[part], blocks.STRINGS, str(part), blocks.packed_strings(some), "") for part, some in found
                )

    return run


def interner(parts: int, firsts: Mapping[int, Sequence[str]]) -> Callable[[pa.Table], pa.Table]:
    """For `applyInArrow`: the strings of a part that are new, as one more block. `firsts`: those that parts begin
    with."""

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
        rows: list[Row] = []
        new = [symbols.intern(number, pa.array(list(firsts[number]), pa.large_string()))] if number in firsts else []
        if fresh:
            new.append(symbols.intern(number, in_turn(pa.chunked_array(fresh, pa.large_string()).unique())))
        block = pa.concat_arrays(new) if new else pa.array([], pa.large_string())
        if len(block):
            rows.append((key, blocks.SYMBOLS, str(number), blocks.packed_strings(block), str(start)))
        rows.append((key, blocks.REPORT, str(number), b"", str(len(block))))
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
        symbols = Parts(local.shards, in_order(strings))
        rows: list[Row] = [(key, blocks.SHARD, str(number), b"", "")]
        for message in encoded(local, number, chunks, lambda some, _: symbols.ids(some)):
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


__all__ = ["decoder", "digester", "encoder", "interner", "rows_ddl", "speller", "stepper"]
