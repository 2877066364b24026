"""The engine on Spark ends in the digests of the embedded engine, after evaluation and after every kind of update."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pliant.engine import Batch, EngineError, Evaluation, FactError, Program
from pliant.engine.backends.spark.cluster import one_line
from pliant.engine.backends.spark.convert import to_embedded, to_spark
from pliant.engine.backends.spark.evaluation import SparkEvaluation, Tuning
from pliant.engine.backends.spark.session import SparkError
from pliant.engine.backends.spark.sources import frames_of
from pliant.engine.backends.spark.spread import partition_of, spread_keys
from pliant.engine.backends.spark.state import load, save
from pliant.engine.backends.spark.storage import InFiles
from pliant.engine.strategies.pipelined.skew import Limits
from pliant.engine.strategies.pipelined.steps import Round

TEXT = """
.decl edge(a: symbol, b: symbol)  .input edge
.decl weight(a: symbol, n: number)  .input weight
.decl on()  .input on
.decl path(a: symbol, b: symbol)  .output path
.decl back(a: symbol, b: symbol)  .output back
.decl heavy(a: symbol, n: number)  .output heavy
.decl first(a: symbol)  .output first
path(x, y) :- edge(x, y).
path(x, z) :- path(x, y), path(y, z).
back(x, y) :- path(y, x), !edge(x, y), on().
heavy(x, n) :- edge(x, _), n = sum m : { edge(x, y), weight(y, m) }.
first(x) :- edge(x, _), !path(_, x), x < "n4".
first("n9").
"""
PATHS = """
.decl edge(a: symbol, b: symbol)  .input edge
.decl path(a: symbol, b: symbol)  .output path
path(x, y) :- edge(x, y).
path(x, z) :- path(x, y), path(y, z).
"""
Facts = dict[str, set[tuple[str | int, ...]]]
START: Facts = {
    "edge": {(f"n{a}", f"n{b}") for a, b in ((0, 1), (1, 2), (2, 3), (3, 1), (3, 4), (5, 4), (4, 6))},
    "weight": {(f"n{a}", a - 3) for a in range(7)},
    "on": {()},
}
EPOCHS: list[tuple[str, Facts, Facts]] = [
    ("update", {"edge": {("n6", "n7"), ("n3", "n1")}}, {"edge": {("n3", "n1"), ("n1", "n2"), ("n8", "n8")}}),
    ("counting", {"edge": {("n1", "n2")}, "weight": {("new", 7)}}, {"weight": {("n1", -2)}, "on": {()}}),
    ("counting", {"edge": {("n4", "n0")}}, {"edge": {("n2", "n3")}}),  # by the tables that the one before it made
]


def test_keys_are_spread_over_the_partitions_that_spark_chooses(spark: Any) -> None:
    for shards in (2, 5):
        keys = spread_keys(shards)
        assert [partition_of(key, shards) for key in keys] == list(range(shards))
        frame = spark.createDataFrame([(key,) for key in keys], "key int").repartition(shards, "key")
        placed = frame.selectExpr("key", "spark_partition_id() AS at").collect()
        assert {row["key"]: row["at"] for row in placed} == {key: at for at, key in enumerate(keys)}


def batch(facts: Facts) -> Batch:
    return Batch.from_tuples({name: sorted(rows) for name, rows in facts.items()})


def test_digests_and_changes_are_those_of_the_embedded_engine(spark: Any) -> None:
    program = Program.parse({"program.dl": TEXT})
    embedded = Evaluation.bootstrap(program, batch(START))
    ours = SparkEvaluation.bootstrap(spark, program, batch(START), shards=2)
    assert ours.digest() == embedded.digest()
    assert {name: ours.size(name) for name in program.stored} == {n: embedded.size(n) for n in program.stored}
    for strategy, insert, delete in EPOCHS:
        epoch = ours.update(batch(insert), batch(delete), strategy)
        difference = embedded.update(batch(insert), batch(delete))
        assert ours.digest() == embedded.digest(), strategy
        assert epoch.output_changes == difference.output_changes
        assert epoch.input_changes == difference.input_changes
        assert len(epoch.strata) == len(program.strata)
        for name in ("path", "heavy"):
            for way, expected in (("inserted", difference.inserted[name]), ("deleted", difference.deleted[name])):
                rows = [tuple(row)[:2] for row in ours.rows(name, changed=way).collect()]
                assert set(rows) == {(embedded.strings([row[0]])[0], _value(embedded, name, row)) for row in expected}
    here = to_embedded(ours)
    assert here.digest() == embedded.digest()
    here.update(batch(START))  # totals are right as well
    there = to_spark(spark, embedded, shards=1)
    assert there.digest() == embedded.digest()
    there.update(batch(START))
    assert there.digest() == here.digest() == Evaluation.bootstrap(program, batch(facts_after())).digest()
    ordered = [tuple(row) for row in ours.ordered("path").collect()]
    assert ordered == sorted(ordered) and len(ordered) == embedded.size("path")


def test_shards_that_cannot_all_run_at_once_take_a_job_for_each_round(spark: Any) -> None:
    program, start = Program.parse({"program.dl": PATHS}), {"edge": START["edge"]}
    _, insert, delete = EPOCHS[2]
    embedded = Evaluation.bootstrap(program, batch(start))
    embedded.update(batch(insert), batch(delete))
    jobs = {}
    for shards in (2, 3):
        ours = SparkEvaluation.bootstrap(spark, program, batch(start), shards=shards)
        epoch = ours.update(batch(insert), batch(delete), "update")
        assert ours.digest() == embedded.digest()
        assert len(epoch.rounds) > 3
        jobs[shards] = epoch.jobs, epoch.apart
    assert jobs == {2: (1, ""), 3: (len(epoch.rounds), "3 shards are more than the 2 tasks that run at once")}


class Killed(Exception):
    """The driver goes."""


def test_a_run_goes_on_where_an_earlier_one_was_cut_short(spark: Any, tmp_path: Path) -> None:
    program = Program.parse({"program.dl": PATHS})
    where, start = (tmp_path / "kept").as_uri(), {"edge": START["edge"]}
    strategy, insert, delete = EPOCHS[0]
    done: list[str] = []
    last = ""

    def progress(each: Round) -> None:
        done.append(each.text)
        if each.text == last:
            raise Killed

    def run() -> str:
        done.clear()
        ours = SparkEvaluation.bootstrap(
            spark,
            program,
            batch(start),
            shards=2,
            checkpoint=where,
            progress=progress,
            frames=frames,
            tuning=Tuning(pause=0.0),
        )
        ours.update(batch(insert), batch(delete), strategy)
        return ours.digest()

    expected = Evaluation.bootstrap(program, batch(start))
    expected.update(batch(insert), batch(delete))
    frames, last = InFiles(spark, where), "path: lose (round 2)"
    with pytest.raises(Killed):
        run()
    assert frames.found == 0
    before, frames, last = len(done), InFiles(spark, where), ""
    assert run() == expected.digest()
    assert before < frames.found + 1 < len(done)  # symbols are kept as well, and the round that was cut short
    frames.remove()
    assert not list((tmp_path / "kept").iterdir())


def facts_after() -> Facts:
    """What there is after all epochs, and once more the facts of the start."""
    now = {name: set(rows) for name, rows in START.items()}
    for _, insert, delete in [*EPOCHS, ("", START, {})]:
        now = {name: (rows - delete.get(name, set())) | insert.get(name, set()) for name, rows in now.items()}
    return now


def _value(embedded: Evaluation, name: str, row: Any) -> str | int:
    return int(row[1]) if name == "heavy" else embedded.strings([row[1]])[0]


def test_what_is_not_there_is_refused_in_a_line(spark: Any) -> None:
    program = Program.parse({"program.dl": TEXT})
    with pytest.raises(FactError, match="facts are given for path, which is not an input"):
        SparkEvaluation.bootstrap(spark, program, {"path": spark.range(1)})
    with pytest.raises(FactError, match="facts of edge have 1 columns; 2 are expected"):
        SparkEvaluation.bootstrap(spark, program, {"edge": spark.range(1)})
    ours = SparkEvaluation.bootstrap(spark, program, {})
    assert ours.size("path") == 0
    with pytest.raises(EngineError, match="the Spark engine has no strategy 'pipelined'; expected one of"):
        ours.update(strategy="pipelined")
    with pytest.raises(FactError, match="relation none is not declared"):
        ours.rows("none")


def test_an_error_in_a_worker_is_told_as_what_it_said(spark: Any) -> None:
    failing = spark.range(1).mapInArrow(lambda batches: [batches[0]], "a int")
    with pytest.raises(SparkError, match=r"^a worker of Spark failed: TypeError: .* not subscriptable$"), one_line():
        failing.collect()


SHOPS = """
.decl likes(who: symbol, what: symbol)  .input likes
.decl sells(who: symbol, what: symbol, price: number)  .input sells
.decl wants(who: symbol, what: symbol)
.decl has(who: symbol, what: symbol)
.decl shop(who: symbol, where: symbol)  .output shop
wants(x, k) :- likes(x, k), x != "x3".
has(x, k) :- sells(x, k, n), n != 3.
shop(x, y) :- wants(x, k), has(y, k).
"""


def test_heavy_values_are_found_in_facts_and_split(spark: Any, tmp_path: Path) -> None:
    program = Program.parse({"program.dl": SHOPS})
    facts: Facts = {
        "likes": {(f"x{number}", f"k{number}" if number % 3 else "tea") for number in range(40)},
        "sells": {(f"y{number}", f"k{number}" if number % 3 else "tea", number % 5) for number in range(40)},
    }
    limits = Limits(least=8)
    for given in (batch(facts), frames_of(spark, program, batch(facts))):
        ours = SparkEvaluation.bootstrap(spark, program, given, shards=2, tuning=Tuning(limits=limits))
        assert (len(ours.cluster.program.heavy), len(ours.cluster.program.spread)) == (1, 1)
        assert ours.digest() == Evaluation.bootstrap(program, batch(facts)).digest()
    save(ours, tmp_path.as_uri())
    again = load(spark, program, tmp_path.as_uri())
    change: Facts = {"likes": {("x0", "tea")}, "sells": {("y6", "tea", 1)}}
    alone = Evaluation.bootstrap(program, batch(facts))
    for insert, delete in (({}, change), (change, {})):
        alone.update(insert=batch(insert), delete=batch(delete), strategy="update")
        again.update(batch(insert), batch(delete), "update")
        assert again.digest() == alone.digest()
    assert to_embedded(again).digest() == alone.digest()
