"""`pliant check` and `pliant facts` on Spark: blobs, files and facts are rows, and executors evaluate whole commits.

What comes to this machine is a line for each file, the difference of two commits' facts, and the state of the base: it
goes into the state directory, where it is brought to the head and proofs are looked up. So the executors have to reach
the repository, and the state has to fit here; the facts and the evaluation need not.
"""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from pliant.ci.errors import UserError
from pliant.ci.fact_diff import FactDiff
from pliant.ci.git import Repository
from pliant.ci.pipeline import facts
from pliant.ci.pipeline.extraction import BLOBS, SUMMARY, extract_batches, extracted, packed_ddl, summaries_of
from pliant.ci.snapshot import Snapshot
from pliant.ci.steps import Told
from pliant.engine import EngineError, Evaluation, Program
from pliant.engine.backends.spark.cluster import one_line
from pliant.engine.backends.spark.convert import to_embedded
from pliant.engine.backends.spark.evaluation import SparkEvaluation
from pliant.engine.backends.spark.session import cores, described, is_connect, spark_session
from pliant.engine.backends.spark.sources import Together
from pliant.extractors.blobs import Read, Source, Summary
from pliant.extractors.tables import FactTable
from pliant.extractors.workers import Content

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_WAVES = 4  # tasks for each core, so that one with large files keeps nobody waiting for long


class OnSpark:
    """In `spark`, for one repository, whatever its size. `told` hears of each round of an evaluation. `folder`: where
    Parquet goes that is of use for as long as this object is; with none, Spark keeps what would be there."""

    def __init__(
        self,
        spark: Any,
        repository: Repository,
        told: Callable[[str], None] = lambda text: None,
        folder: str | None = None,
    ):
        self._spark, self._repository, self._told, self._folder = spark, repository, told, folder
        self._packed: list[DataFrame] = []
        self._summaries: dict[tuple[str, str], Summary] = {}

    def of_commit(self, snapshot: Snapshot) -> OnSpark:
        return self

    def of_changes(self) -> OnSpark:
        return self

    def extract(self, sources: Iterable[Source], read: Read, told: Told) -> int:
        missing = list({source.key: source for source in sources if source.key not in self._summaries}.values())
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
                kept = self._kept(frame)
                for batch in kept.select(*SUMMARY).toArrow().to_batches():
                    self._summaries.update(summaries_of(batch))
                    told(len(self._summaries), len(self._summaries))
                self._packed.append(kept)
        return len(missing)

    def summaries(self, sources: Sequence[Source]) -> list[Summary]:
        return [self._summaries[source.key] for source in sources]

    def table(self, sources: Sequence[Source]) -> DataFrame:
        rows = [(source.path, source.oid, source.language.name) for source in sources]
        if not rows or not self._packed:
            return self._nothing()
        files = self._spark.createDataFrame(rows, facts.FILES)
        return facts.facts_of(reduce(lambda one, other: one.unionByName(other), self._packed), files)

    def context(self, given: FactTable) -> DataFrame:
        if not given.rows:
            return self._nothing()
        made: DataFrame = self._spark.createDataFrame(pa.Table.from_batches(facts.rows_of(given)), facts.FACTS)
        return made

    def _nothing(self) -> DataFrame:
        made: DataFrame = self._spark.createDataFrame([], facts.FACTS)
        return made

    def difference(self, old: Sequence[DataFrame], new: Sequence[DataFrame]) -> FactDiff:
        with described(self._spark, "difference of facts"), one_line():
            return facts.fact_diff(facts.difference(old, new, cores(self._spark)).toArrow())

    def collected(self, tables: Sequence[DataFrame]) -> FactTable:
        with described(self._spark, "facts"), one_line():
            return facts.table_of(reduce(lambda one, other: one.unionByName(other), tables).toArrow())

    def bootstrap(self, program: Program, tables: Sequence[DataFrame]) -> Evaluation:
        whole = reduce(lambda one, other: one.unionByName(other), tables)
        together = Together(whole.select("relation", *facts.CELLS).repartition(cores(self._spark), "c0"))
        evaluation = SparkEvaluation.bootstrap(
            self._spark, program, together, progress=lambda each: self._told(each.text)
        )
        return to_embedded(evaluation)

    def _kept(self, frame: DataFrame) -> DataFrame:
        """Computed once: as Parquet, else by Spark."""
        if self._folder is None:
            return frame.persist()
        path = f"{self._folder}/{secrets.token_hex(8)}"
        frame.write.parquet(path)
        found: DataFrame = self._spark.read.schema(frame.schema).parquet(path)
        return found

    def _stored(self, oids: list[str]) -> set[str]:
        """Which blobs the repository has; those of changed files in a work tree are only on disk."""
        asked = "".join(f"{oid}\n" for oid in oids).encode("ascii")
        answers = self._repository.git("cat-file", "--batch-check", stdin=asked).decode("ascii").splitlines()
        return {answer.split()[0] for answer in answers if answer.split()[1:2] == ["blob"]}


def _contents(sources: list[Source], read: Read) -> list[tuple[str, str, Content]]:
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
    """What makes a place of a repository, as long as the session lasts.

    Raises UserError where there is no Spark to be had, or it fails.
    """
    told("starting Spark")
    try:
        with spark_session(master) as spark, _folder(spark) as folder:
            yield lambda repository: OnSpark(spark, repository, told, folder)
    except EngineError as error:
        raise UserError(str(error)) from None


@contextmanager
def _folder(spark: Any) -> Iterator[str | None]:
    """A temporary folder that all executors reach, where that is known of one."""
    if is_connect(spark) or not spark.sparkContext.master.startswith("local"):
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="pliant-spark-") as folder:
        yield Path(folder).as_uri()


__all__ = ["OnSpark", "place_on_spark"]
