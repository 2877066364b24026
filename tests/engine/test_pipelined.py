"""Evaluation in shards, whatever the network does: equal to the oracle and to Bootstrap, counts included."""

from __future__ import annotations

from itertools import pairwise
from random import Random as Random_

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from network import Sharded
from oracle import evaluate
from programs import Random, batch, examples, facts, fresh, programs, state
from test_maintenance import GRAPHS, History, Set, changed, graphs, histories

from pliant.engine import Evaluation, Program
from pliant.engine.backends.embedded.relation import NEW
from pliant.engine.strategies.pipelined.conductor import SMALL_LEVELS, STRATEGIES, Conductor
from pliant.engine.strategies.pipelined.localise import LocalStratum
from pliant.engine.strategies.pipelined.report import Settings
from pliant.engine.strategies.pipelined.skew import Limits

NETWORKS = st.tuples(
    st.integers(1, 4),
    st.one_of(st.none(), st.randoms(use_true_random=False)),
    st.booleans(),
    st.sampled_from([SMALL_LEVELS, 1, 0]),
    st.sampled_from([None, Limits(0.0, 1)]),
)
Setting = tuple[int, Random_ | None, bool, int, Limits | None]


def sharded(text: str, now: Set, setting: Setting) -> Sharded:
    shards, random, ahead, climb, limits = setting
    program = Program.parse({"program.dl": text})
    return Sharded(program, batch(now), shards, random, ahead, climb, limits=limits)


def check(found: Sharded, expected: Evaluation) -> None:
    whole = found.state()
    assert {name: whole[name] for name in expected.program.schemas} == state(expected)
    assert found.totals() == totals_of(expected)


def totals_of(expected: Evaluation) -> dict[str, dict[tuple[str | int, ...], int]]:
    """How many instantiations derive each tuple, in Python values; projections and the like, too."""
    found: dict[str, dict[tuple[str | int, ...], int]] = {}
    for name, schema in expected.program.stored.items():
        relation = expected._relations[name]
        if relation.total is not None and expected.size(name):
            rows = expected.rows(name)
            columns = [
                expected.strings(rows[:, index]) if kind == "symbol" else rows[:, index].tolist()
                for index, kind in enumerate(schema.kinds)
            ]
            tuples = list(zip(*columns, strict=True)) if columns else [()] * len(rows)
            totals = relation.total[relation.rows_in(NEW)].tolist()
            found[name] = dict(zip(tuples, totals, strict=True))
    return found


@settings(max_examples=examples(40))
@given(programs(), st.data(), NETWORKS)
def test_random_programs_in_shards_equal_the_oracle(random: Random, data: st.DataObject, setting: Setting) -> None:
    now = data.draw(facts(random, 8))
    found = sharded(random.text, now, setting)
    check(found, fresh(random.text, now))
    whole = found.state()
    assert {name: whole[name] for name in random.kinds} == evaluate(random.text, now)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_random_updates_in_shards_equal_bootstrap(strategy: str) -> None:
    @settings(max_examples=examples(12))
    @given(histories(), NETWORKS, st.sampled_from([0.0, 0.001, 0.2]))
    def run(history: History, setting: Setting, switch: float) -> None:
        random, now, epochs = history
        found = sharded(random.text, now, setting)
        for insert, delete in epochs:
            found.update(batch(insert), batch(delete), strategy, switch)
            now = changed(now, insert, delete)
            check(found, fresh(random.text, now))

    run()


HOPS = """
.decl edge(a: symbol, b: symbol)  .input edge
.decl hop(a: symbol, b: symbol)  .output hop
.decl far(a: symbol, b: symbol)  .output far
hop(x, y) :- edge(y, x).
far(x, z) :- hop(x, y), hop(y, z).
far(x, z) :- far(x, y), far(y, z).
"""


def test_an_update_that_is_dropped_takes_nothing_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a lower stratum has sent to copies that only this one uses is there for what comes instead."""
    attempt, dropped = Conductor._try, []

    def broke(self: Conductor, stratum: LocalStratum, settings: Settings, budget: float | None) -> bool:
        dropped.append(attempt(self, stratum, settings, None if budget is None else 0.0))
        return dropped[-1]

    monkeypatch.setattr(Conductor, "_try", broke)
    nodes = "abcdefgh"
    now = {"edge": set(pairwise(nodes))}
    insert, delete = {"edge": {("h", "a"), ("c", "a")}}, {"edge": {("a", "b"), ("e", "f")}}
    for climb in (SMALL_LEVELS, 0):
        found = sharded(HOPS, now, (2, None, True, climb, None))
        assert any(stratum.later["hop"] for stratum in found.local.strata if "hop" in stratum.relations)
        found.update(batch(insert), batch(delete), "elastic", 3.0)
        check(found, fresh(HOPS, changed(now, insert, delete)))
    assert dropped == [True, True]


CLOSURE = """
.decl edge(a: symbol, b: symbol)  .input edge
.decl path(a: symbol, b: symbol)  .output path
path(x, y) :- edge(x, y).
path(x, z) :- path(x, y), path(y, z).
"""


@pytest.mark.parametrize("climb", [SMALL_LEVELS, 0])
def test_what_moves_and_is_derived_elsewhere_is_counted_by_tables_too(climb: int) -> None:
    now = {"edge": {("a", "b"), ("b", "c"), ("c", "b"), ("e", "a")}}
    found = sharded(CLOSURE, now, (2, None, True, climb, None))
    for edge in (("a", "b"), ("z", "z"), ("e", "b")):  # it is there; the next has tables made; the last moves tuples
        now = changed(now, {"edge": {edge}}, {})
        found.update(batch({"edge": {edge}}), batch({}), "counting")
        check(found, fresh(CLOSURE, now))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_recursion_over_random_graphs_in_shards(strategy: str) -> None:
    @settings(max_examples=examples(8))
    @given(
        graphs(), st.lists(st.tuples(graphs(), st.randoms(use_true_random=False), st.booleans()), max_size=4), NETWORKS
    )
    def run(now: Set, epochs: list[tuple[Set, Random_, bool]], setting: Setting) -> None:
        found = sharded(GRAPHS, now, setting)
        check(found, fresh(GRAPHS, now))
        for other, random, few in epochs:
            insert, delete = ({name: set(random.sample(sorted(rows), len(rows) // (4 if few else 1)))
                               for name, rows in facts.items()} for facts in (other, now))  # fmt: skip
            found.update(batch(insert), batch(delete), strategy)
            now = changed(now, insert, delete)
            check(found, fresh(GRAPHS, now))

    run()


SKEWED = """
.decl likes(who: symbol, what: symbol)  .input likes
.decl sells(who: symbol, what: symbol)  .input sells
.decl closed(who: symbol)  .input closed
.decl wants(who: symbol, what: symbol)
.decl has(who: symbol, what: symbol)
.decl shop(who: symbol, where: symbol)  .output shop
wants(x, k) :- likes(x, k), !closed(x).
has(x, k) :- sells(x, k), !closed(x).
shop(x, y) :- wants(x, k), has(y, k).
"""


@pytest.mark.parametrize("limits", [Limits(least=8), Limits(least=10**6)])
def test_rows_that_share_a_heavy_key_are_joined_in_all_shards(limits: Limits) -> None:
    shards = 4
    now: Set = {
        "likes": {(f"x{number}", "tea" if number % 2 else f"k{number}") for number in range(100)},
        "sells": {(f"y{number}", "tea" if number % 2 else f"k{number}") for number in range(100)},
        "closed": {("y1",)},
    }
    found = sharded(SKEWED, now, (shards, None, True, SMALL_LEVELS, limits))
    check(found, fresh(SKEWED, now))
    split = limits.least < 100
    assert len(found.local.spread) == split
    assert [len(found.local.heavy)] == [split]
    joined = max(found.conductor.rounds, key=lambda each: each.work)
    assert (joined.skew < 1.5) if split else (joined.skew > 0.9 * shards)
    insert, delete = (
        {"sells": {("new", "tea")}, "likes": {("new", "tea")}},
        {"likes": {("x1", "tea"), ("x4", "k4")}, "closed": {("y1",)}},
    )
    for strategy in STRATEGIES:
        found.update(batch(insert), batch(delete), strategy)
        now = changed(now, insert, delete)
        check(found, fresh(SKEWED, now))
        insert, delete = delete, insert


def test_a_death_that_is_told_late_is_waited_for() -> None:
    text = ".decl e(x: symbol)\n.decl d(n: number)\n.input e\n.output d\n"
    text += 'd(1) :- e(_), e("b").\n'
    for seed in range(31):
        now: Set = {"e": {("",), ("a",), ("b",), ("c",)}}
        found = sharded(text, now, (4, Random_(seed), False, 8, None))
        found.update(batch({}), batch({"e": {("",)}}), "dred", 0.0)
        check(found, fresh(text, {"e": {("a",), ("b",), ("c",)}}))
