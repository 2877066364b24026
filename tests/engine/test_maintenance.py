"""Random programs and updates: every strategy equals Bootstrap equals the oracle in every tuple, level and count.

The strategies are those of the registry: a new one is tested by being there.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random as Random_
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import Fact, evaluate
from programs import Random, batch, check_numbers, check_state, examples, facts, fresh, programs, state

from pliant.engine import Difference, Evaluation, Program
from pliant.engine.backends.embedded import execute, keys, walk
from pliant.engine.strategies.registry import STRATEGIES

Set = dict[str, set[Fact]]
History = tuple[Random, Set, list[tuple[Set, Set]]]


def changed(now: Set, insert: Set, delete: Set) -> Set:
    names = {*now, *insert, *delete}
    return {name: (now.get(name, set()) - delete.get(name, set())) | insert.get(name, set()) for name in names}


@st.composite
def histories(draw: st.DrawFn, of: st.SearchStrategy[Random] | None = None) -> History:
    random = draw(programs() if of is None else of)
    now = start = draw(facts(random, 8))
    epochs = []
    for _ in range(draw(st.integers(1, 4))):
        delete = draw(facts(random, 2))
        for name, rows in now.items():  # deletions that hit
            if rows and draw(st.booleans()):
                present = st.sampled_from(sorted(rows, key=repr))
                delete.setdefault(name, set()).update(draw(st.sets(present, max_size=4)))
        insert = draw(facts(random, 3))
        epochs.append((insert, delete))
        now = changed(now, insert, delete)
    return random, start, epochs


def saved_and_opened(evaluation: Evaluation) -> Evaluation:
    with TemporaryDirectory() as folder:
        evaluation.save(folder)
        return Evaluation.open(folder, evaluation.program)


Tuples = Mapping[str, set[tuple[int, ...]]]


def outputs(evaluation: Evaluation) -> Tuples:
    return {name: {tuple(row) for row in evaluation.rows(name).tolist()} for name in evaluation.program.outputs}


def check_difference(difference: Difference, before: Tuples, after: Tuples) -> None:
    """The difference is what tells the old relations from the new."""
    for name, new in after.items():
        old = before[name]
        assert {tuple(row) for row in difference.inserted[name].tolist()} == new - old
        assert {tuple(row) for row in difference.deleted[name].tolist()} == old - new


def check_history(history: History, data: st.DataObject) -> None:
    """A strategy of its own for every epoch; tables of few rows, of none or of all that are short go by one call."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(execute, "SHORT", data.draw(st.sampled_from([0, 2, walk.SHORT])))
        _check_history(history, data)


def _check_history(history: History, data: st.DataObject) -> None:
    random, now, epochs = history
    evaluation = fresh(random.text, now)
    assert state(evaluation) == evaluate(random.text, now)
    later: list[tuple[Difference, Tuples, Tuples]] = []  # that somebody asks for when other epochs have run
    for insert, delete in epochs:
        before = evaluation.copy()
        unchanged, old = state(before), outputs(before)
        strategy = data.draw(st.sampled_from(["update", *STRATEGIES]))
        switch = data.draw(st.sampled_from([0.0, 0.01, 0.1, 0.5, 1.0, 3.0]))
        difference = evaluation.update(batch(insert), batch(delete), strategy, switch)
        now = changed(now, insert, delete)
        expected = fresh(random.text, now)
        check_state(evaluation, state(expected))
        for relation in evaluation._relations.values():
            assert relation.dead == relation.size - np.count_nonzero(relation.state[: relation.size])
        assert state(before) == unchanged
        if data.draw(st.booleans()):
            check_difference(difference, old, outputs(evaluation))
        else:
            later.append((difference, old, outputs(evaluation)))
        if not evaluation.uncounted():
            check_numbers(evaluation)
            assert evaluation.digest() == expected.digest()
        if data.draw(st.booleans()):
            evaluation = saved_and_opened(evaluation)
            assert evaluation.digest() == expected.digest()
    check_state(evaluation, evaluate(random.text, now))
    for difference, old, new in later:
        check_difference(difference, old, new)


@given(histories(), st.data())
def test_strategies_in_turn_equal_bootstrap_and_oracle(history: History, data: st.DataObject) -> None:
    check_history(history, data)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_equals_bootstrap_and_oracle(strategy: str) -> None:
    @settings(max_examples=examples(15))
    @given(histories())
    def check(history: History) -> None:
        random, now, epochs = history
        evaluation = Evaluation.bootstrap(Program.parse({"program.dl": random.text}), batch(now), strategy)
        check_state(evaluation, evaluate(random.text, now))
        for insert, delete in epochs:
            evaluation.update(batch(insert), batch(delete), strategy)
            now = changed(now, insert, delete)
            check_state(evaluation, state(fresh(random.text, now)))
        check_state(evaluation, evaluate(random.text, now))
        evaluation.count()
        assert evaluation.digest() == fresh(random.text, now).digest()
        check_numbers(evaluation)

    check()


GRAPHS = """
.decl edge(a: symbol, b: symbol)  .input edge
.decl label(a: symbol, k: symbol, b: symbol)  .input label
.decl stop(a: symbol)  .input stop
.decl path(a: symbol, b: symbol)  .output path
.decl even(a: symbol, b: symbol)  .output even
.decl odd(a: symbol, b: symbol)  .output odd
.decl same(a: symbol, k: symbol, b: symbol)  .output same
.decl cut(a: symbol, b: symbol)  .output cut
path(x, y) :- edge(x, y).
path(x, z) :- path(x, y), path(y, z), !stop(y).
odd(x, y) :- edge(x, y).
odd(x, z) :- even(x, y), edge(y, z).
even(x, z) :- odd(x, y), odd(y, z), x != z.
same(x, k, y) :- label(z, k, x), label(z, k, y).
same(x, k, y) :- label(z, k, x), same(z, k, w), label(w, k, y).
cut(x, z) :- path(x, z), !even(x, z), !label(x, _, z).
cut(x, z) :- cut(x, y), edge(y, z), !odd(x, x).
"""
NODES = "abcdefgh"


@st.composite
def graphs(draw: st.DrawFn) -> Set:
    node = st.sampled_from(NODES)
    return {
        "edge": draw(st.sets(st.tuples(node, node), min_size=1, max_size=10)),
        "label": draw(st.sets(st.tuples(node, st.sampled_from("kl"), node), max_size=6)),
        "stop": draw(st.sets(st.tuples(node), max_size=2)),
    }


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_recursive_programs_over_random_graphs(strategy: str) -> None:
    @settings(max_examples=examples(15))
    @given(graphs(), st.lists(st.tuples(graphs(), st.randoms(use_true_random=False), st.booleans()), max_size=5))
    def check(now: Set, epochs: list[tuple[Set, Random_, bool]]) -> None:
        evaluation = Evaluation.bootstrap(Program.parse({"program.dl": GRAPHS}), batch(now), strategy)
        for other, random, few in epochs:
            insert, delete = ({name: set(random.sample(sorted(rows), len(rows) // (4 if few else 1)))
                               for name, rows in facts.items()} for facts in (other, now))  # fmt: skip
            evaluation.update(batch(insert), batch(delete), strategy)
            now = changed(now, insert, delete)
            check_state(evaluation, state(fresh(GRAPHS, now)))
        check_state(evaluation, evaluate(GRAPHS, now))
        evaluation.count()
        check_numbers(evaluation)

    check()


@pytest.mark.parametrize("bits", [0, 3])
def test_colliding_hashes_cost_time_and_no_answer(bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "mix", lambda words: (words & np.uint64((1 << bits) - 1)) << np.uint64(32))
    settings(max_examples=examples(25))(given(histories(), st.data())(check_history))()
