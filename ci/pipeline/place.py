"""`pliant check` and `pliant facts` on Spark: executors extract blobs, and evaluate a commit from nothing.

What they find comes to this machine: the facts go into the fact cache, and the state of the base into the state
directory, where it is brought to the head and proofs are looked up. So the executors have to reach the repository, and
the state has to fit here; its evaluation need not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from pliant.ci.git import Repository
from pliant.ci.pipeline.extraction import BLOBS, extract_batches, extracted, packed_ddl, unpacked
from pliant.ci.snapshot import Snapshot
from pliant.engine import Batch, Evaluation, Program
from pliant.engine.backends.spark.cluster import one_line
from pliant.engine.backends.spark.convert import to_embedded
from pliant.engine.backends.spark.evaluation import SparkEvaluation
from pliant.engine.backends.spark.session import cores, described, spark_session
from pliant.extractors.blobs import FactCache, Read, Source
from pliant.extractors.languages import LANGUAGES

_WAVES = 4  # tasks for each core, so that one with large files keeps nobody waiting for long


class OnSpark:
    """In `spark`, for one repository, whatever its size. `told` hears of each round of an evaluation."""

    def __init__(self, spark: Any, repository: Repository, told: Callable[[str], None] = lambda text: None):
        self._spark, self._repository, self._told = spark, repository, told

    def of_commit(self, snapshot: Snapshot) -> OnSpark:
        return self

    def of_changes(self) -> OnSpark:
        return self

    def extract(self, cache: FactCache, sources: Iterable[Source], read: Read) -> int:
        missing = cache.missing(sources)
        if not missing:
            return 0
        stored = self._stored([source.oid for source in missing])
        frames = []
        if here := [source for source in missing if source.oid not in stored]:
            frames.append(extracted(self._spark.createDataFrame(_contents(here, read), BLOBS)))
        if there := [source for source in missing if source.oid in stored]:
            keys = [(source.oid, source.language.name) for source in there]
            tasks = min(len(keys), _WAVES * cores(self._spark))
            blobs = self._spark.createDataFrame(keys, "oid string, language string").repartition(tasks)
            frames.append(blobs.mapInArrow(_extract_stored(str(self._repository.git_dir)), packed_ddl()))
        with described(self._spark, "extraction"), one_line():
            for frame in frames:
                for batch in frame.toArrow().to_batches():
                    keys, columns = unpacked(batch)
                    for row, (language, oid) in enumerate(keys):
                        cache.adopt(LANGUAGES[language], [oid], columns.slice(row, 1))
        return len(missing)

    def bootstrap(self, program: Program, facts: Batch) -> Evaluation:
        evaluation = SparkEvaluation.bootstrap(
            self._spark, program, facts, progress=lambda each: self._told(each.text),
            sizes={name: len(rows) for name, rows in facts.rows.items()},
        )  # fmt: skip
        return to_embedded(evaluation)

    def _stored(self, oids: list[str]) -> set[str]:
        """Which blobs the repository has; those of changed files in a work tree are only on disk."""
        asked = "".join(f"{oid}\n" for oid in oids).encode("ascii")
        answers = self._repository.git("cat-file", "--batch-check", stdin=asked).decode("ascii").splitlines()
        return {answer.split()[0] for answer in answers if answer.split()[1:2] == ["blob"]}


def _contents(sources: list[Source], read: Read) -> list[tuple[str, str, bytes]]:
    contents = dict(read(sorted({source.oid for source in sources})))
    return [(source.oid, source.language.name, contents[source.oid]) for source in sources]


def _extract_stored(git_dir: str) -> Callable[[Any], Any]:
    """For `mapInArrow` over (oid, language): one reader of the repository a task, in large sequential reads."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with Repository.open(Path(git_dir)) as repository:

            def blobs() -> Iterator[pa.RecordBatch]:
                for batch in batches:
                    oids, languages = batch["oid"].to_pylist(), batch["language"].to_pylist()
                    for index, (oid, content) in enumerate(repository.read(oids)):
                        yield pa.record_batch(
                            {"oid": [oid], "language": [languages[index]], "content": pa.array([content], pa.binary())}
                        )

            yield from extract_batches(blobs())

    return run


@contextmanager
def place_on_spark(master: str | None, told: Callable[[str], None]) -> Iterator[Callable[[Repository], OnSpark]]:
    """What makes a place of a repository, as long as the session lasts."""
    told("starting Spark")
    with spark_session(master) as spark:
        yield lambda repository: OnSpark(spark, repository, told)


__all__ = ["OnSpark", "place_on_spark"]
