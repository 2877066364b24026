"""One suite of the strategies for all places: the shapes that are hard for maintenance, and random histories.

Embedded and in shards of this process each case runs under each strategy. On Spark all cases are one program, whose
epochs take the strategies in turn, in two shards; with PLIANT_TEST_SPARK=all each strategy goes through all epochs.
PLIANT_TEST_SPARK_MASTER names another master than local[2], such as local-cluster[2,1,1024].
"""

from __future__ import annotations

import os
from typing import Any

import pytest
from backends import IN_TURN, Case, Embedded, OnSpark, Shards, follow, merged
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from programs import batch, examples
from test_maintenance import GRAPHS, History, histories
from test_update import CLOSURE, NEGATION, POINTS_TO, numbers

from pliant.engine import EngineError, Program
from pliant.engine.strategies.pipelined.conductor import STRATEGIES

WHOLE = os.environ.get("PLIANT_TEST_SPARK") == "all"
_CLIQUE = 14
_ROOTED = {"node": {(name,) for name in "abcde"}, "edge": {("a", "b"), ("b", "c"), ("c", "b"), ("c", "d")}}
_POINTING = {
    "alloc": {("a", "o1"), ("s", "o2")},
    "assign": {("b", "a"), ("c", "b"), ("b", "c"), ("d", "c"), ("c", "d")},
    "store": {("s", "f", "d")},
    "load": {("e", "s", "f"), ("d", "s", "f")},
}
CASES = [
    Case("a chain loses its root, its middle and its end", CLOSURE, numbers({(i, i + 1) for i in range(60)}), (
        ({}, numbers({(30, 31)})),
        (numbers({(30, 31), (10, 50)}), {}),
        ({}, numbers({(0, 1), (59, 60)})),
        (numbers({(0, 1)}), numbers({(10, 50)})),
    )),
    Case("a clique keeps what it derives otherwise", CLOSURE,
         numbers({(a, b) for a in range(_CLIQUE) for b in range(_CLIQUE)}), (
        ({}, numbers({(0, 1), (1, 0), (3, 3)})),
        ({}, numbers({(0, b) for b in range(_CLIQUE)})),
        (numbers({(0, 1), (1, 0)}), {}),
        ({}, numbers({(a, b) for a in range(_CLIQUE) for b in range(a)})),
    )),
    Case("the root of everything goes and comes back", NEGATION, _ROOTED, (
        ({}, {"edge": {("a", "b")}}),
        ({"edge": {("a", "b")}}, {}),
        ({}, _ROOTED),
        (_ROOTED, {}),
    )),
    Case("a cycle that a deletion cuts off dies", POINTS_TO, _POINTING, (
        ({}, {"assign": {("b", "a")}}),
        ({"assign": {("b", "a")}}, {}),
    )),
    Case("a negated relation that loses one of two rows still bars", NEGATION,
         {"node": {("x",), ("y",)}, "edge": {("x", "y"), ("x", "x")}}, (
        ({}, {"edge": {("x", "y")}}),
        ({"edge": {("y", "y")}}, {"edge": {("x", "x")}}),
        ({"edge": {("x", "z"), ("x", "y")}}, {"edge": {("y", "y")}}),
    )),
    Case("a fact in both ends stays, absent and present ones change nothing", CLOSURE, {}, (
        (numbers({(1, 2), (2, 3)}), numbers({(2, 3)})),
        (numbers({(1, 2)}), numbers({(7, 8)})),
        ({}, numbers({(1, 2), (2, 3)})),
        ({}, {}),
    )),
    Case("recursion that joins itself, negation of it", GRAPHS, {
        "edge": {("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("e", "f")},
        "label": {("a", "k", "b"), ("a", "k", "c"), ("b", "l", "d"), ("c", "k", "e")},
        "stop": {("d",)},
    }, (
        ({"edge": {("d", "e"), ("f", "a")}, "stop": {("b",)}}, {"stop": {("d",)}}),
        ({"label": {("d", "k", "a")}}, {"edge": {("b", "c"), ("e", "f")}}),
        ({"edge": {("b", "c")}}, {"label": {("a", "k", "b")}, "stop": {("b",)}}),
    )),
]  # fmt: skip


PROGRAMS = {text: Program.parse({"program.dl": text}) for text in {case.text for case in CASES}}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.parametrize("strategy", [*Embedded.strategies, IN_TURN])
@pytest.mark.parametrize("place", [Embedded, Shards])
def test_hard_shapes(place: type[Embedded] | type[Shards], strategy: str, case: Case) -> None:
    program = PROGRAMS[case.text]
    if strategy not in (*place.strategies, IN_TURN):
        with pytest.raises(EngineError, match=f"has no strategy '{strategy}'"):
            place(program, {}, strategy).update(batch({}), batch({}), strategy)
        return
    follow(place(program, case.start, strategy), program, case, strategy)


@pytest.mark.parametrize("strategy", STRATEGIES if WHOLE else [IN_TURN])
def test_hard_shapes_on_spark(strategy: str, spark: Any) -> None:
    case = merged(CASES)
    program = Program.parse({"program.dl": case.text})
    follow(OnSpark(spark, 2, program, case.start), program, case, strategy)


def test_random_histories_on_spark(spark: Any) -> None:
    phases = [Phase.explicit, Phase.reuse, Phase.generate]  # making an example smaller would take hours

    @settings(max_examples=examples(10 if WHOLE else 1), suppress_health_check=list(HealthCheck), phases=phases)
    @given(st.lists(histories(), min_size=3, max_size=3), st.integers(0, len(STRATEGIES) - 1))
    def check(some: list[History], first: int) -> None:
        case = merged([Case("", random.text, now, tuple(epochs)) for random, now, epochs in some])
        program = Program.parse({"program.dl": case.text})
        follow(OnSpark(spark, 2, program, case.start), program, case, IN_TURN, first)

    check()
