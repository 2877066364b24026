"""States on any path that Spark reaches: Parquet that holds the shards as they are, and manifests that name them.

    PATH/data-<id>    the rows of a state: relations of shards, symbols (`blocks`)
    PATH/manifests    a row for each state that was written whole, sealed as an embedded state's manifest is

Data is written under a name of its own before its manifest is added, so a run that is cut short leaves the states
before it as they were. The newest manifest whose data has the digests that it names is opened. Nothing is removed: a
path's older data may go once nobody opens it any more.
"""

from __future__ import annotations

import secrets
from typing import Any, Final

from ...datalog.program import Program
from ...digest import combine
from ...errors import EngineError, StateError
from ...state.manifest import FORMAT, Refused, seal, unseal
from ...strategies.pipelined.conductor import Conductor
from ...strategies.pipelined.localise import localise
from ...strategies.pipelined.skew import as_json, from_json
from . import blocks
from .cluster import Cluster, one_line, united
from .evaluation import SparkEvaluation
from .session import described
from .storage import Frames, InSpark
from .symbols import constants_of, orders_symbols

BACKEND: Final = "spark-3"
_MANIFESTS: Final = "number bigint, content string"


def save(evaluation: SparkEvaluation, path: str, about: str = "") -> str:
    """Write a state; its digest. `about`: what it is the state of. Raises SparkError."""
    evaluation.finish()
    cluster, program = evaluation.cluster, evaluation.program
    sums = evaluation.relation_digests()
    digest = combine(program.hash, sums.items())
    name = f"data-{secrets.token_hex(8)}"
    rows = [*cluster.relations(cluster.versions), *cluster.symbols]
    content, _ = seal(
        {
            "format": FORMAT,
            "backend": BACKEND,
            "program": program.hash,
            "shards": cluster.program.shards,
            "planned": cluster.planned,
            "skew": as_json(cluster.skew),
            "digest": digest,
            "about": about,
            "sizes": {each: evaluation.size(each) for each in program.stored},
            "work": {str(index): work for index, work in evaluation.work.items()},
            "data": name,
        }
    )
    with described(cluster.spark, "save"), one_line():
        united(rows).write.parquet(f"{path}/{name}")
        number = 1 + max((each for each, _ in _manifests(cluster.spark, path)), default=0)
        added = cluster.spark.createDataFrame([(number, content.decode())], _MANIFESTS)
        added.coalesce(1).write.mode("append").parquet(f"{path}/manifests")
    return digest


def load(
    spark: Any, program: Program, path: str, *, about: str | None = None, frames: Frames | None = None
) -> SparkEvaluation:
    """The newest state of a path that is one of `program` (and of what `about` says) and whole. Raises StateError if
    there is none."""
    reasons = []
    for _, content in sorted(_manifests(spark, path), reverse=True):
        try:
            return _load(spark, program, path, content, about, frames or InSpark())
        except (Refused, EngineError, KeyError, ValueError, TypeError) as error:
            reasons.append(str(error))
    raise StateError(f"there is no state to open in {path}: {reasons[0] if reasons else 'no manifest is there'}")


def _load(spark: Any, program: Program, path: str, content: str, about: str | None, frames: Frames) -> SparkEvaluation:
    fields, _ = unseal(content.encode())
    if fields.get("backend", str) != BACKEND:
        raise StateError(f"it is of {fields.get('backend', str)!r}; {BACKEND!r} is expected")
    if fields.get("program", str) != program.hash:
        raise StateError("it is of another program")
    if about is not None and fields.get("about", str) != about:
        raise StateError(f"it is of {fields.get('about', str)!r}; {about!r} is expected")
    data = fields.get("data", str)
    if not data.startswith("data-") or not data.removeprefix("data-").isalnum():
        raise StateError("its manifest names no data")
    planned, sizes = fields.get("planned", dict), fields.get("sizes", dict)
    shards = fields.natural("shards")
    skew = from_json(fields.get("skew", dict))
    local = localise(program, shards, {str(name): int(size) for name, size in planned.items()}, skew)
    cluster = Cluster(spark, local, constants_of(program, shards)[1], frames, orders_symbols(program))
    cluster.planned, cluster.skew = planned, skew
    with one_line():
        frame = spark.read.schema(blocks.DDL).parquet(f"{path}/{data}")
        cluster.adopt(frame, {copy.name for copy in local.copies()})
        cluster.add_symbols(cluster.number)
    conductor = Conductor(local, cluster, climb=cluster.climb)
    conductor.sizes = {str(name): int(size) for name, size in sizes.items()}
    conductor.work = {int(index): int(work) for index, work in fields.get("work", dict).items()}
    evaluation = SparkEvaluation(cluster, conductor, frames)
    if evaluation.digest() != fields.get("digest", str):
        raise StateError("its digest does not match")
    return evaluation


def _manifests(spark: Any, path: str) -> list[tuple[int, str]]:
    """A row for each state that was written."""
    try:
        rows = spark.read.schema(_MANIFESTS).parquet(f"{path}/manifests").collect()
    except Exception as error:
        if "PATH_NOT_FOUND" in str(error):
            return []
        raise
    return [(row["number"], row["content"]) for row in rows]


__all__ = ["BACKEND", "load", "save"]
