"""Short tables through a plan by one call: what comes out is the same as a join at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from oracle import Fact, evaluate
from programs import OPERATORS, VALUES, batch, examples, fresh, state
from test_cyclic import cyclic_programs
from test_maintenance import History, changed, histories

from pliant.engine.backends.embedded import arrangement, choice, execute, kernels, walk
from pliant.engine.backends.embedded.execute import Executor, Instantiations

Edges = set[Fact]


class BothWays:
    """In the place of Executor.run: each plan is run a join at a time, and then as it would be; both give the same."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.compared = self.walked = self.moved = 0
        run, walked_before, short = Executor.run, kernels.walk, walk.SHORT

        def run_both(executor: Executor, *arguments: Any, **named: Any) -> Iterator[Instantiations]:
            ways = []
            for most in (0, short):
                executor.budget, before = float("inf"), executor.instantiations
                with pytest.MonkeyPatch.context() as inner:
                    inner.setattr(execute, "SHORT", most)
                    ways.append(list(run(executor, *arguments, **named)))
                assert executor.instantiations - before == sum(found.size for found in ways[-1])
            at_a_time, found = map(entries, ways)
            assert found == at_a_time
            self.compared += 1
            yield from ways[-1]

        def counted(*arguments: Any) -> Any:
            walked = walked_before(*arguments)
            self.walked += walked is not None and walked.size > 0
            self.moved += walked is not None and walked.size > 0 and walked.former is not None
            return walked

        patch.setattr(Executor, "run", run_both)
        patch.setattr(kernels, "walk", counted)


def entries(parts: list[Instantiations]) -> Counter[tuple[int, ...]]:
    found: Counter[tuple[int, ...]] = Counter()
    for part in parts:
        assert all(column.dtype == np.int32 for column in part.heads)
        levels = [column.tolist() for column in (part.levels, part.former) if column is not None]
        found.update(zip(*(column.tolist() for column in part.heads), *levels, [0] * part.size, strict=True))
    return found


def run_history(history: History) -> None:
    random, now, epochs = history
    evaluation = fresh(random.text, now)
    for insert, delete in epochs:
        evaluation.update(batch(insert), batch(delete), "update")
        now = changed(now, insert, delete)
        assert evaluation.digest() == fresh(random.text, now).digest()


@pytest.mark.parametrize("few", [2, choice.FEW])
@pytest.mark.parametrize("cyclic", [False, True])
def test_the_same_instantiations_as_a_join_at_a_time(few: int, cyclic: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """`few`: with so few rows, other joins are weighed in the middle of a plan."""
    ways = BothWays(monkeypatch)
    monkeypatch.setattr(choice, "FEW", few)
    monkeypatch.setattr(choice, "TRAP", few)
    monkeypatch.setattr(arrangement, "_WORTH_STARTS", 2)
    monkeypatch.setattr(arrangement, "_STARTS_PER_PROBE", 1 << 20)
    of = histories(cyclic_programs()) if cyclic else histories()
    settings(max_examples=examples(20), phases=[Phase.generate])(given(of)(run_history))()
    assert ways.compared > 100
    assert not kernels.COMPILED or ways.walked


REACHABLE = """
.decl edge(x: number, y: number)  .input edge
.decl start(x: number)  .input start
.decl path(x: number, y: number)  .output path
.decl reached(x: number)  .output reached
path(x, y) :- edge(x, y).
path(x, z) :- path(x, y), path(y, z).
reached(x) :- start(x).
reached(y) :- reached(x), edge(x, y), path(y, y).
reached(y) :- reached(x), path(x, y), start(y).
"""
NODES = st.integers(0, 9)
EDGES: st.SearchStrategy[set[Fact]] = st.sets(st.tuples(NODES, NODES), max_size=16)


def test_what_moves_to_another_level_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Edges that come and go between nodes of a chain make paths shorter and longer."""
    ways = BothWays(monkeypatch)

    @settings(max_examples=examples(60), phases=[Phase.generate])
    @given(EDGES, st.lists(st.tuples(EDGES, EDGES), max_size=3), st.sets(NODES.map(lambda node: (node,)), max_size=3))
    def run(extra: Edges, changes: list[tuple[Edges, Edges]], starts: set[Fact]) -> None:
        facts: dict[str, set[Fact]] = {"edge": {*extra, *((node, node + 1) for node in range(9))}, "start": starts}
        evaluation = fresh(REACHABLE, facts)
        for insert, delete in changes:
            evaluation.update(batch({"edge": insert}), batch({"edge": delete}), "update")
            facts["edge"] = (facts["edge"] - delete) | insert
            assert evaluation.digest() == fresh(REACHABLE, facts).digest()

    run()
    assert ways.moved or not kernels.COMPILED


@pytest.mark.parametrize("kind", ["number", "unsigned"])
@pytest.mark.parametrize("operator", OPERATORS)
def test_numbers_are_compared_with_their_signs(kind: str, operator: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ways = BothWays(monkeypatch)
    values = VALUES[kind]
    text = "\n".join(
        [
            f".decl pair(x: {kind}, y: {kind})  .input pair",
            f".decl like(x: {kind}, y: {kind})  .output like",
            f".decl some(x: {kind}, n: number)  .output some",
            f"like(x, y) :- pair(x, y), x {operator} y.",
            *(f"some(x, {2 * index}) :- pair(x, _), x {operator} {value}." for index, value in enumerate(values)),
            *(f"some(x, {2 * index + 1}) :- pair(x, _), {value} {operator} x." for index, value in enumerate(values)),
        ]
    )
    facts = {"pair": {(x, y) for x in values for y in values}}
    assert state(fresh(text, facts)) == evaluate(text, facts)
    assert ways.walked or not kernels.COMPILED
