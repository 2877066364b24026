"""An evaluation on Spark: as `pliant.engine.Evaluation`, with facts and relations as DataFrames."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Final

import pyarrow as pa

from ...datalog.program import Program
from ...datalog.syntax import Kind
from ...digest import combine
from ...errors import EngineError, FactError
from ...facts import Batch
from ...report import StratumReport
from ...strategies.elastic import DEFAULT_SWITCH
from ...strategies.pipelined.conductor import STRATEGIES, Conductor
from ...strategies.pipelined.localise import localise
from ...strategies.pipelined.skew import Limits, as_json
from ...strategies.pipelined.steps import Round
from ...symbols import as_strings
from ..embedded.relation import NEW, OLD
from . import blocks
from .cluster import Cluster, one_line, united
from .rounds import SECONDS
from .session import cores, described
from .storage import Frames, InFiles, InSpark
from .survey import Survey, of_batch, of_frames, skew_from, symbols_among
from .symbols import constants_of, orders_symbols
from .worker import collector, decoder, digester, interner, rows_ddl, sorter

_FACTS_A_SHARD: Final = 25_000
_FACTS_A_TASK: Final = 100_000
Progress = Callable[[Round], None]


@dataclass(slots=True)
class Epoch:
    """What an epoch did. `rounds`: what was exchanged in each. `jobs`: of Spark, over the shards. `apart`: why each
    round was a job; empty: a job was many."""

    seconds: float = 0.0
    input_changes: int = 0
    output_changes: int = 0
    strata: list[StratumReport] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)
    jobs: int = 0
    apart: str = ""

    @property
    def exchanges(self) -> int:
        """Rounds that sent something to another shard."""
        return sum(each.sent_rows > 0 for each in self.rounds)


@dataclass(frozen=True)
class Together:
    """Facts of inputs in one DataFrame: `relation`, and the cells c0, c1, ... in text, null past those of a relation.
    They are read in one pass. `sizes`: of each input that is wanted about how many facts there are."""

    frame: Any
    sizes: Mapping[str, int]

    def __iter__(self) -> Iterator[str]:
        return iter(self.sizes)

    def __len__(self) -> int:
        return len(self.sizes)


Given = Mapping[str, Any] | Together


class SparkEvaluation:
    """A program's relations over facts that are DataFrames. Make one with `SparkEvaluation.bootstrap`."""

    def __init__(self, cluster: Cluster, conductor: Conductor, frames: Frames):
        self.cluster, self._conductor, self._frames = cluster, conductor, frames
        self.program: Program = cluster.program.program
        self.epoch = Epoch()
        self._broken = False
        self._chunks: Any = None  # facts that come, while they are read

    @classmethod
    def bootstrap(
        cls,
        spark: Any,
        program: Program,
        facts: Given | Batch,
        *,
        shards: int | None = None,
        ahead: bool = True,
        climb: int | None = None,
        frames: Frames | None = None,
        progress: Progress | None = None,
        survey: Survey | None = None,
        limits: Limits | None = None,
        checkpoint: str | None = None,
        pause: float = SECONDS,
    ) -> SparkEvaluation:
        """Evaluate from scratch. `facts`: input -> a DataFrame with the relation's columns in order, strings and
        integers; duplicates are one fact. `shards`: as many as cores by default, fewer for few facts. `survey`: how
        many facts each input has and which values are frequent, where that is known; it is made where it is not.
        `limits`: from which on a frequent value is split. `checkpoint`: a URI that all executors reach. Each job is
        kept there, and where a run of the same program over the same facts was cut short this one goes on. `pause`:
        after how many seconds a job of many rounds ends and another goes on. `ahead`, `climb`: see `Conductor`. Raises
        FactError, SparkError."""
        started = perf_counter()
        given = facts if isinstance(facts, Together) else frames_of(spark, program, facts)
        with described(spark, "survey"), one_line():
            if isinstance(facts, Together):
                survey = Survey(dict(facts.sizes))
            elif isinstance(facts, Batch):
                survey = survey or of_batch(program, facts)
            elif survey is None:
                survey = of_frames(program, facts)
            sums = sums_of(given) if checkpoint else {}
        parts = shards or shards_for(spark, sum(survey.sizes.values()))
        planned = {program.input_storage[name]: size for name, size in survey.sizes.items()}
        heavy = survey.heavy(parts, limits)
        firsts, constants, ids = constants_of(program, parts, symbols_among(program, heavy))
        skew = skew_from(program, heavy, ids)
        local = localise(program, parts, planned, skew)
        frames = frames or (InFiles(spark, checkpoint) if checkpoint else InSpark())
        cluster = Cluster(spark, local, constants, frames, orders_symbols(program))
        climb = cluster.climb if climb is None else climb
        key = (program.hash, parts, ahead, climb, sorted(planned.items()), as_json(skew), sorted(sums.items()))
        frames.epoch(_key(*key))
        cluster.planned, cluster.skew, cluster.seconds = planned, skew, pause
        evaluation = cls(cluster, Conductor(local, cluster, ahead, climb, progress), frames)
        evaluation._load(given, {}, firsts)
        evaluation._conduct("bootstrap", (), None)
        evaluation._end(started, first=True)
        return evaluation

    def update(
        self,
        insert: Mapping[str, Any] | Batch | None = None,
        delete: Mapping[str, Any] | Batch | None = None,
        strategy: str = "elastic",
        switch: float = DEFAULT_SWITCH,
    ) -> Epoch:
        """Take facts in and out and bring every relation up to date. As `Evaluation.update`: deleting an absent fact
        and inserting a present one do nothing; a fact in both ends present. Raises EngineError."""
        if self._broken:
            raise EngineError("an earlier update of this evaluation failed; evaluate again")
        if strategy not in STRATEGIES:
            raise EngineError(f"the Spark engine has no strategy {strategy!r}; expected one of {', '.join(STRATEGIES)}")
        started = perf_counter()
        spark = self.cluster.spark
        came, gone = (frames_of(spark, self.program, each or {}) for each in (insert, delete))
        if isinstance(self._frames, InFiles):
            with described(spark, "sizes"), one_line():
                sums = [sorted(sums_of(each).items()) for each in (came, gone)]
            self._frames.epoch(_key(self._frames.key, strategy, switch, sums))
        self._broken = True
        self._load(came, gone)
        changed = sorted({self.program.input_storage[name] for name in (*came, *gone)})
        self._conduct("update", (strategy, switch, changed), changed)
        self._end(started)
        self._broken = False
        return self.epoch

    def rows(self, name: str, *, changed: str = "") -> Any:
        """The tuples of a stored relation as a DataFrame: columns c0, c1, ... (strings and integers), level, count,
        total. `changed`: those that the last update `inserted` or `deleted` alone."""
        if name not in self.program.stored:
            known = name in self.program.schemas
            raise FactError(f"relation {name} is not {'evaluated: no output depends on it' if known else 'declared'}")
        copy = self.cluster.program.homes[name]
        kinds = self.program.stored[name].kinds
        view, barred = {"": (NEW, 0), "inserted": (NEW, OLD), "deleted": (OLD, NEW)}[changed]
        parts = [self.cluster.shards(), *self.cluster.relations([copy.name]), *self._strings(kinds)]
        made = decoder(self.cluster.program.shards, copy.name, kinds, view, barred)
        return self.cluster.grouped(parts).applyInArrow(made, rows_ddl(kinds))

    def ordered(self, name: str, *, changed: str = "") -> Any:
        """The tuples of a relation in ascending order, symbols by their bytes."""
        frame = self.rows(name, changed=changed)
        columns = [f"c{index}" for index in range(len(self.program.stored[name].kinds))]
        return frame.select(*columns).orderBy(*columns) if columns else frame.select("level")

    @property
    def shards(self) -> int:
        return self.cluster.program.shards

    def size(self, name: str) -> int:
        return self._conductor.sizes.get(name, 0)

    def relation_digests(self) -> dict[str, tuple[int, int]]:
        """Of each stored relation the two sums that its digest is made of."""
        kinds: dict[str, tuple[str, tuple[Kind, ...]]] = {
            self.cluster.program.homes[name].name: (name, schema.kinds) for name, schema in self.program.stored.items()
        }
        parts = [self.cluster.shards(), *self.cluster.relations(kinds), *self._strings(("symbol",))]
        made = digester(self.cluster.program.shards, kinds)
        with described(self.cluster.spark, "digest"), one_line():
            rows = self.cluster.grouped(parts).applyInArrow(made, "name string, a string, b string").collect()
        found = dict.fromkeys(self.program.stored, (0, 0))
        for row in rows:
            sums = (int(row["a"], 16), int(row["b"], 16))
            found[row["name"]] = tuple(
                (one + other) % 2**64 for one, other in zip(found[row["name"]], sums, strict=True)
            )  # type: ignore[assignment]
        return found

    def digest(self) -> str:
        """As that of an embedded evaluation of the same program over the same facts."""
        return combine(self.program.hash, self.relation_digests().items())

    def _strings(self, kinds: tuple[Kind, ...]) -> list[Any]:
        return [self.cluster.everywhere()] if "symbol" in kinds else []

    def _load(self, came: Given, gone: Given, firsts: Mapping[int, list[str]] | None = None) -> None:
        """Hand in facts. Strings that are new get their ids first, and before them `firsts`."""
        cluster = self.cluster
        parts, named = [], False
        for sign, given in ((-1, gone), (1, came)):
            if not given:
                continue
            chunks = self._collected(given, sign)
            if sign > 0 and any("symbol" in self.program.inputs[name] for name in given):
                chunks = self._chunks = chunks.persist()
                self._intern([chunks.filter(chunks.kind == blocks.STRINGS)], firsts or {})
                firsts = None
            parts.append(chunks.filter(chunks.kind == blocks.FACTS))
            named |= any("symbol" in self.program.inputs[name] for name in given)
        if firsts:
            self._intern([], firsts)
        if parts:
            cluster.hand_in(parts, named)

    def _collected(self, given: Given, sign: int) -> Any:
        keys = self.cluster.keys
        if isinstance(given, Together):
            kinds = {name: self.program.inputs[name] for name in given}
            return given.frame.mapInArrow(sorter(keys, sign, kinds), blocks.DDL)
        parts = []
        for name, frame in given.items():
            known = self.cluster.planned.get(self.program.input_storage[name], 0)
            if known:  # of fewer facts a task takes longer to start than to run
                frame = frame.coalesce(-(-known // _FACTS_A_TASK))
            parts.append(frame.mapInArrow(collector(keys, sign, name, self.program.inputs[name]), blocks.DDL))
        return united(parts)

    def _intern(self, given: list[Any], firsts: Mapping[int, list[str]]) -> None:
        cluster = self.cluster
        pieces = [cluster.shards(), *cluster.symbols, *given]
        cluster.take_symbols(cluster.grouped(pieces).applyInArrow(interner(cluster.program.shards, firsts), blocks.DDL))

    @property
    def work(self) -> dict[int, int]:
        """Of each stratum, by index, what its last evaluation from nothing cost, in joined rows."""
        return dict(self._conductor.work)

    def finish(self) -> None:
        """The views before and after the last update become one: what it changed cannot be asked for any more."""
        if self._conductor.unfinished:
            self._conduct("finish", (), ())

    def _conduct(self, method: str, arguments: tuple[Any, ...], given: Collection[str] | None) -> None:
        self.cluster.open(self._conductor, method, arguments, given)
        getattr(self._conductor, method)(*arguments)

    def forget_checkpoint(self) -> None:
        """Remove what was kept to go on from; the evaluation is of no use afterwards."""
        if isinstance(self._frames, InFiles):
            self._broken = True
            self._frames.remove()

    def _end(self, started: float, first: bool = False) -> None:
        conductor, outputs, inputs = self._conductor, self.program.outputs, set(self.program.input_storage.values())
        self._frames.end_epoch(self.cluster.used)
        if self._chunks is not None:
            self._chunks.unpersist()
            self._chunks = None
        changes = conductor.changes
        if first:
            changes = {name: (size, 0) for name, size in conductor.sizes.items()}
        self.epoch = Epoch(
            perf_counter() - started,
            sum(sum(changes.get(name, (0, 0))) for name in inputs),
            sum(sum(changes.get(name, (0, 0))) for name in outputs),
            list(conductor.reports),
            list(conductor.rounds),
            self.cluster.jobs,
            self.cluster.apart,
        )


def sums_of(given: Given) -> dict[str, tuple[int, int]]:
    """Of each input how many facts it is given, and a sum of their hashes, in one job."""
    if isinstance(given, Together):
        raise EngineError("internal error: facts that are together have no sums")
    parts = []
    for name, frame in given.items():
        columns = ", ".join(f"`{column}`" for column in frame.columns)
        hashes = f"CAST(coalesce(sum(CAST(xxhash64({columns}) AS DECIMAL(38, 0))), 0) AS STRING) AS hashes"
        parts.append(frame.selectExpr(f"'{name}' AS name", "count(1) AS size", hashes))
    if not parts:
        return {}
    rows = united(parts).collect()
    return {row["name"]: (row["size"], int(row["hashes"])) for row in rows}


def _key(*what: Any) -> str:
    return hashlib.sha256(repr(what).encode()).hexdigest()[:32]


def shards_for(spark: Any, facts: int) -> int:
    """As many shards as cores, or fewer for few facts: then an exchange costs more than the joins."""
    return max(1, min(max(2, cores(spark)), facts // _FACTS_A_SHARD))


def frames_of(spark: Any, program: Program, facts: Mapping[str, Any] | Batch) -> dict[str, Any]:
    """Facts as DataFrames; a batch, which is of a size that this process holds, is handed over as Arrow tables."""
    if not isinstance(facts, Batch):
        found = dict(facts)
    else:
        found = {name: spark.createDataFrame(table) for name, table in _tables(program, facts) if table.num_rows}
    for name, frame in found.items():
        kinds = program.inputs.get(name)
        if kinds is None:
            what = "is not an input of the program" if name in program.schemas else "is not declared"
            raise FactError(f"facts are given for {name}, which {what}")
        if len(frame.columns) != max(len(kinds), 1):
            raise FactError(f"facts of {name} have {len(frame.columns)} columns; {len(kinds)} are expected")
    return found


def _tables(program: Program, batch: Batch) -> Iterator[tuple[str, Any]]:
    symbols = as_strings(batch.symbols)
    for name, rows in batch.rows.items():
        kinds = program.inputs.get(name, ())
        columns = {
            f"c{index}": symbols.take(pa.array(rows[:, index])).cast(pa.string())
            if kind == "symbol"
            else pa.array(rows[:, index], pa.int64())
            for index, kind in enumerate(kinds)
        }
        yield name, pa.table(columns or {"c0": pa.array([0] * len(rows), pa.int64())})


__all__ = ["Epoch", "SparkEvaluation", "Together", "frames_of"]
