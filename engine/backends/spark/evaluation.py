"""An evaluation on Spark: as `pliant.engine.Evaluation`, with facts and relations as DataFrames."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Final

from ...datalog.program import Program
from ...datalog.syntax import Kind
from ...digest import combine
from ...errors import EngineError, FactError
from ...report import StratumReport
from ...strategies.elastic import DEFAULT_SWITCH
from ...strategies.pipelined.conductor import STRATEGIES, Conductor
from ...strategies.pipelined.localise import localise
from ...strategies.pipelined.skew import Limits, as_json
from ...strategies.pipelined.steps import Round
from ..embedded.relation import NEW, OLD
from .cluster import Cluster, one_line
from .rounds import SECONDS
from .session import cores, described, why_no_barrier
from .sources import Gathered, Given, gathered, names_of
from .storage import Frames, InFiles, InSpark
from .survey import Survey, skew_from, symbols_among
from .symbols import constants_of, orders_symbols
from .worker import decoder, digester, rows_ddl

_FACTS_A_SHARD: Final = 25_000
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


@dataclass(frozen=True, slots=True)
class Tuning:
    """What costs more or less, and changes no result. `limits`: from which on a frequent value is split. `pause`: after
    how many seconds a job of many rounds ends and another goes on. `ahead`, `climb`: see `Conductor`."""

    limits: Limits | None = None
    pause: float = SECONDS
    ahead: bool = True
    climb: int | None = None


class SparkEvaluation:
    """A program's relations over facts that are DataFrames. Make one with `SparkEvaluation.bootstrap`."""

    def __init__(self, cluster: Cluster, conductor: Conductor, frames: Frames):
        self.cluster, self._conductor, self._frames = cluster, conductor, frames
        self.program: Program = cluster.program.program
        self.epoch = Epoch()
        self._broken = False

    @classmethod
    def bootstrap(
        cls,
        spark: Any,
        program: Program,
        facts: Given,
        *,
        shards: int | None = None,
        frames: Frames | None = None,
        progress: Progress | None = None,
        checkpoint: str | None = None,
        tuning: Tuning = Tuning(),
    ) -> SparkEvaluation:
        """Evaluate from scratch. `facts`: input -> a DataFrame with the relation's columns in order, strings and
        integers; or another source (`sources`); duplicates are one fact. `shards`: as many as cores by default, fewer
        for few facts. `checkpoint`: a URI that all executors reach. Each job is kept there, and where a run of the same
        program over the same facts was cut short this one goes on. Raises FactError, SparkError."""
        started = perf_counter()
        several = shards != 1  # nothing that depends on what facts there are is decided for one
        with described(spark, "facts"), one_line():
            keep = bool(why_no_barrier(spark, shards or 1))
            came = gathered(spark, program, facts, +1, survey=several, sums=checkpoint is not None, keep=keep)
        survey = Survey() if came is None or came.survey is None else came.survey
        parts = shards or shards_for(spark, sum(survey.sizes.values()))
        planned = {program.input_storage[name]: size for name, size in survey.sizes.items()}
        heavy = survey.heavy(parts, tuning.limits)
        firsts, constants, ids = constants_of(program, parts, symbols_among(program, heavy))
        skew = skew_from(program, heavy, ids)
        local = localise(program, parts, planned, skew)
        frames = frames or (InFiles(spark, checkpoint) if checkpoint else InSpark())
        cluster = Cluster(spark, local, constants, frames, orders_symbols(program))
        ahead, climb = tuning.ahead, cluster.climb if tuning.climb is None else tuning.climb
        sums = sorted(survey.sums.items())
        frames.epoch(_key(program.hash, parts, ahead, climb, sorted(planned.items()), as_json(skew), sums))
        cluster.planned, cluster.skew, cluster.seconds = planned, skew, tuning.pause
        evaluation = cls(cluster, Conductor(local, cluster, ahead, climb, progress=progress), frames)
        evaluation._conduct("bootstrap", (), None, [came], firsts)
        evaluation._end(started, first=True)
        return evaluation

    def update(
        self,
        insert: Given | None = None,
        delete: Given | None = None,
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
        spark, frames = self.cluster.spark, self._frames
        checkpoint = isinstance(frames, InFiles)
        with described(spark, "facts"), one_line():
            given = [
                gathered(
                    spark, self.program, each or {}, sign, survey=False, sums=checkpoint, keep=bool(self.cluster.apart)
                )
                for sign, each in ((-1, delete), (1, insert))
            ]
        if isinstance(frames, InFiles):
            sums = [sorted(each.survey.sums.items()) if each and each.survey else [] for each in given]
            frames.epoch(_key(frames.key, strategy, switch, sums))
        self._broken = True
        changed = sorted({name for each in (insert, delete) if each for name in names_of(self.program, each)})
        self._conduct("update", (strategy, switch, changed), changed, given)
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

    @property
    def work(self) -> dict[int, int]:
        """Of each stratum, by index, what its last evaluation from nothing cost, in joined rows."""
        return dict(self._conductor.work)

    def finish(self) -> None:
        """The views before and after the last update become one: what it changed cannot be asked for any more."""
        if self._conductor.unfinished:
            self._conduct("finish", (), ())

    def _conduct(
        self,
        method: str,
        arguments: tuple[Any, ...],
        inputs: Collection[str] | None,
        given: Sequence[Gathered | None] = (),
        firsts: Mapping[int, Sequence[str]] | None = None,
    ) -> None:
        """An epoch of the conductor, with the facts that it is given."""
        there = [each for each in given if each is not None]
        named = any(each.named for each in there)
        self.cluster.hand_in([each.facts() for each in there], named, firsts or {})
        self.cluster.open(self._conductor, method, arguments, inputs)
        try:
            getattr(self._conductor, method)(*arguments)
            self.cluster.end_epoch()
        finally:
            for each in there:
                each.release()

    def forget_checkpoint(self) -> None:
        """Remove what was kept to go on from; the evaluation is of no use afterwards."""
        if isinstance(self._frames, InFiles):
            self._broken = True
            self._frames.remove()

    def _end(self, started: float, first: bool = False) -> None:
        conductor, outputs, inputs = self._conductor, self.program.outputs, set(self.program.input_storage.values())
        self._frames.end_epoch(self.cluster.used)
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


def _key(*what: Any) -> str:
    return hashlib.sha256(repr(what).encode()).hexdigest()[:32]


def shards_for(spark: Any, facts: int) -> int:
    """As many shards as cores, or fewer for few facts: then an exchange costs more than the joins."""
    return max(1, min(max(2, cores(spark)), facts // _FACTS_A_SHARD))


__all__ = ["Epoch", "SparkEvaluation", "shards_for"]
