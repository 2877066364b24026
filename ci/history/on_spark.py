"""A history on Spark: chunks of blobs, then windows, as rows of DataFrames through Arrow functions.

Every task reads git and the fact cache for itself and writes its results to the folder of the history, so all of these
have to be at the same path on every machine. What comes back is a line for each task.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from pliant.ci.errors import UserError
from pliant.ci.history import executors
from pliant.ci.history.chunks import Chunk
from pliant.ci.history.window import Task
from pliant.engine import EngineError
from pliant.engine.backends.spark.session import cores, described, spark_session

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_TASK: Final = "number int, task string"
_DONE: Final = "number int, count int, error string"


@contextlib.contextmanager
def on_spark(master: str | None, out: Path) -> Iterator[OnSpark]:
    """Runs tasks in the active session, else in one on `master`. Raises UserError where there is none to be had."""
    try:
        with spark_session(master) as spark:
            yield OnSpark(spark, out)
    except EngineError as error:
        raise UserError(str(error)) from None


class OnSpark:
    blobs_at_once = 200

    def __init__(self, spark: Any, out: Path):
        self._spark, self._out = spark, out

    def extract(self, chunks: Sequence[Chunk], told: Callable[[int], None]) -> int:
        extracted = done = 0
        for number, count in self._run("extracting blobs", [chunk.dump() for chunk in chunks], extract_rows):
            extracted, done = extracted + count, done + len(chunks[number].blobs)
            told(done)
        return extracted

    def windows(self, tasks: Sequence[Task]) -> Iterator[int]:
        dumped = [{"task": task.dump(), "out": str(self._out)} for task in tasks]
        for number, _ in self._run("evaluating windows", dumped, window_rows):
            yield tasks[number].window.index

    def _run(
        self,
        what: str,
        tasks: Sequence[dict[str, Any]],
        function: Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]],
    ) -> Iterator[tuple[int, int]]:
        """The numbers of tasks with their counts, as many at once as there are cores, so that progress can be told."""
        at_once = 2 * cores(self._spark)
        for start in range(0, len(tasks), at_once):
            part = tasks[start : start + at_once]
            rows = [(start + place, json.dumps(task)) for place, task in enumerate(part)]
            frame: DataFrame = self._spark.createDataFrame(rows, _TASK).repartitionByRange(len(rows), "number")
            with described(self._spark, what):
                done = frame.mapInArrow(function, _DONE).collect()
            failed = next((row["error"] for row in done if row["error"]), None)
            if failed:
                raise UserError(failed)
            yield from sorted((row["number"], row["count"]) for row in done)


def window_rows(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """For `mapInArrow`: evaluates windows, and says of each that its results are in the folder, or why not."""
    for number, task in _tasks(batches):
        yield _answer(number, 1, executors.attempt(task["task"], task["out"]))


def extract_rows(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """For `mapInArrow`: has the facts of blobs in the fact cache, read from git in one stream a task."""
    for number, task in _tasks(batches):
        try:
            count = Chunk.load(task).extract()
            yield _answer(number, count, "")
        except UserError as error:
            yield _answer(number, 0, str(error))


def _tasks(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[int, dict[str, Any]]]:
    for batch in batches:
        for number, task in zip(batch["number"].to_pylist(), batch["task"].to_pylist(), strict=True):
            yield number, json.loads(task)


def _answer(number: int, count: int, error: str) -> pa.RecordBatch:
    columns = [pa.array([number], pa.int32()), pa.array([count], pa.int32()), pa.array([error], pa.string())]
    return pa.RecordBatch.from_arrays(columns, names=["number", "count", "error"])


__all__ = ["OnSpark", "extract_rows", "on_spark", "window_rows"]
