"""Evaluations from Spark to this process and back. What is brought here has to fit here; nothing else of the backend
does that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from ...datalog.program import Program
from ...evaluation import Evaluation
from ...strategies.pipelined.conductor import Conductor
from ...strategies.pipelined.copies import Copy
from ...strategies.pipelined.localise import LocalProgram, localise
from ...strategies.pipelined.skew import skew_of
from ...symbols import SymbolTable
from ..embedded.relation import NEW, SETTLED, Relation
from . import blocks
from .cluster import Cluster, one_line
from .evaluation import SparkEvaluation, shards_for
from .session import described
from .storage import Frames, InSpark
from .symbols import Parts, constants_of, orders_symbols, part_of


def to_embedded(evaluation: SparkEvaluation) -> Evaluation:
    """The same state in this process: same tuples, levels, counts and digest."""
    cluster, program = evaluation.cluster, evaluation.program
    evaluation.finish()
    with described(cluster.spark, "to this process"), one_line():
        symbols, ids = _symbols(cluster)
        relations: dict[str, Relation] = {}
        inputs = set(program.input_storage.values())
        homes = {copy.name: name for name, copy in cluster.program.homes.items()}
        for name, schema in program.stored.items():
            relations[name] = Relation(name, schema.arity, levelled=name not in inputs)
        for local, part in _parts(cluster, homes):
            name = homes[local]
            rows = part.rows_in(NEW)
            columns = [
                ids[column[rows]] if kind == "symbol" else column[rows]
                for column, kind in zip(part.columns, program.stored[name].kinds, strict=True)
            ]
            levels = np.zeros(len(rows), np.int32) if part.level is None else part.level[rows]
            counts, totals = (
                np.ones(len(rows), np.int64) if each is None else each[rows] for each in (part.count, part.total)
            )
            relations[name].append(columns, len(rows), levels, counts, SETTLED, totals)
    for relation in relations.values():
        relation.settle()
    return Evaluation(program, symbols, relations, dict(evaluation.work))


def _symbols(cluster: Cluster) -> tuple[SymbolTable, Any]:
    """All strings, and the id that each id of the parts becomes."""
    parts = cluster.program.shards
    by_part: dict[int, dict[int, Any]] = {}
    for frame in cluster.symbols:
        for row in frame.select("name", "payload", "note").toLocalIterator():
            strings = blocks.unpacked_strings(pa.py_buffer(bytes(row["payload"])))
            by_part.setdefault(int(row["name"]), {})[int(row["note"])] = strings
    table = SymbolTable()
    in_order = {part: [some[start] for start in sorted(some)] for part, some in by_part.items()}
    most = max((sum(map(len, some)) for some in in_order.values()), default=0)
    ids = np.full(most * parts, -1, np.int32)
    for part, some in sorted(in_order.items()):
        start = 0
        for strings in some:
            ids[start * parts + part : (start + len(strings)) * parts : parts] = table.intern(strings)
            start += len(strings)
    return table, ids


def _parts(cluster: Cluster, names: Mapping[str, str]) -> Iterator[tuple[str, Relation]]:
    """The relations of all shards, one after another."""
    for frame in cluster.relations(names):
        for row in frame.select("name", "payload", "note").toLocalIterator():
            payload = pa.py_buffer(bytes(row["payload"]))
            yield row["name"], blocks.unpacked_relation(row["name"], payload, row["note"])


def to_spark(
    spark: Any, evaluation: Evaluation, *, shards: int | None = None, frames: Frames | None = None
) -> SparkEvaluation:
    """An evaluation of this process in shards."""
    evaluation.count()
    program = evaluation.program
    sizes = {name: evaluation.size(name) for name in program.stored}
    parts = shards or shards_for(spark, sum(sizes[name] for name in program.input_storage.values()))
    firsts, constants, _ = constants_of(program, parts)
    table = Parts(parts, {part: [pa.array(some, pa.large_string())] for part, some in firsts.items()})
    strings = evaluation.arrow_strings(np.arange(len(evaluation.symbols)))
    of = part_of(strings, parts) if len(strings) else np.zeros(0, np.int64)
    for part in range(parts):
        table.intern(part, strings.take(pa.array(np.flatnonzero(of == part))))
    ids = table.ids(strings) if len(strings) else np.zeros(0, np.int32)
    skew = skew_of({name: _stored(program, evaluation, name, ids) for name in program.input_storage.values()}, parts)
    local = localise(program, parts, sizes, skew)
    frames = frames or InSpark()
    cluster = Cluster(spark, local, constants, frames, orders_symbols(program))
    rows: list[blocks.Row] = []
    for part, mine in enumerate(table.tables):
        if len(mine):
            text = blocks.packed_strings(mine.take(np.arange(len(mine))))
            rows.append((cluster.keys[part], blocks.SYMBOLS, str(part), text, "0"))
    with one_line():
        if rows:
            cluster.symbols.append(spark.createDataFrame(blocks.table_of(rows), blocks.DDL))
        levelled = {copy.name for each in local.strata for some in each.copies.values() for copy in some}
        rows = []
        for copy in sorted(set(local.copies())):
            for number, relation in _shards_of(local, evaluation, copy, ids, copy.name in levelled):
                rows.append((cluster.keys[number], blocks.RELATION, copy.name, *blocks.packed_relation(relation)))
        cluster.adopt(spark.createDataFrame(blocks.table_of(rows), blocks.DDL), {copy.name for copy in local.copies()})
    cluster.planned, cluster.skew = sizes, skew
    conductor = Conductor(local, cluster, climb=cluster.climb)
    conductor.sizes = sizes
    conductor.work = evaluation.bootstrap_work
    return SparkEvaluation(cluster, conductor, frames)


def _stored(program: Program, evaluation: Evaluation, name: str, ids: Any) -> tuple[list[Any], int]:
    """The tuples of a relation, with the ids of the parts."""
    given, kinds = evaluation.relation(name), program.stored[name].kinds
    rows = given.rows_in(NEW)
    columns = [
        ids[column[rows]] if kind == "symbol" else column[rows]
        for column, kind in zip(given.columns, kinds, strict=True)
    ]
    return columns, len(rows)


def _shards_of(
    local: LocalProgram, evaluation: Evaluation, copy: Copy, ids: Any, levelled: bool
) -> Iterator[tuple[int, Relation]]:
    """A copy's relation in each shard."""
    given = evaluation.relation(copy.relation)
    rows = given.rows_in(NEW)
    columns, size = _stored(local.program, evaluation, copy.relation, ids)
    for number, places in local.targets(copy, columns, size):
        chosen = rows[places]
        made = Relation(copy.name, given.arity, levelled, levelled and copy == local.homes[copy.relation])
        levels, counts, totals = (
            default if each is None else each[chosen]
            for each, default in ((given.level, 0), (given.count, 1), (given.total, 1))
        )
        made.append([column[places] for column in columns], len(chosen), levels, counts, SETTLED, totals)
        yield number, made


__all__ = ["to_embedded", "to_spark"]
