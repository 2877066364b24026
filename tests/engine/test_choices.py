"""Join orders: whatever is chosen, the state is the same; and what is chosen is worth choosing."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from programs import examples, fresh
from test_maintenance import check_history, histories

from pliant.engine import Batch, Evaluation, Program, profile_text
from pliant.engine.backends.embedded import choice, execute, relation
from pliant.engine.backends.embedded.prices import BOOTSTRAP
from pliant.engine.backends.embedded.relation import SETTLED, Relation

ATTRIBUTES = """
.decl access(v: number, base: number, name: number)  .input access
.decl points_to(v: number, o: number)  .input points_to
.decl field(o: number, name: number, x: number)  .input field
.decl member(v: number, x: number)  .output member
member(v, x) :- access(v, base, name), points_to(base, o), field(o, name, x).
"""


@pytest.mark.parametrize("few", [0, 3])
def test_joins_that_are_weighed_for_every_row_give_the_same_state(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "FEW", few)
    monkeypatch.setattr(choice, "TRAP", few)
    monkeypatch.setattr(execute, "_SAMPLE", 2)
    monkeypatch.setattr(relation, "_PLACES", np.array([0.1, 0.6, 0.9]))
    settings(max_examples=examples(20), phases=[Phase.generate])(given(histories(), st.data())(check_history))()


@pytest.mark.parametrize("first", [0, 1])
def test_any_order_of_joins_gives_the_same_state(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    turns = itertools.count(first)

    def fanout(self: choice.Choices, lookup: object, of: object) -> float:
        return float(next(turns) * 7919 % 5)

    monkeypatch.setattr(choice.Choices, "fanout", fanout)
    settings(max_examples=examples(20), phases=[Phase.generate])(given(histories(), st.data())(check_history))()


def test_fanouts_are_estimated_well_enough() -> None:
    random = np.random.default_rng(1)
    for size in (10, 1000, 50_000):
        columns = [random.integers(0, most, size).astype(np.int32) for most in (4, size // 5, 100 * size)]
        table = Relation("r", 3, levelled=False)
        table.append(columns, size, 0, 1, SETTLED)
        for key in ((0,), (1,), (0, 1), (2,), (0, 1, 2)):
            _, counts = np.unique(np.stack([columns[column] for column in key]), axis=1, return_counts=True)
            exact = float((counts**2).sum() / size)
            assert exact / 2 <= table.fanout(key) <= 2 * exact + size / 10_000
        assert table.fanout(()) == size
    assert Relation("r", 2, levelled=False).fanout((0,)) == 0


def test_of_a_cyclic_body_each_row_takes_the_smallest_proposer() -> None:
    """Half of the fields have a name that everything uses and an object of one value, the others the reverse."""
    many = 400
    rows = np.arange(many)
    field = np.concatenate([np.stack([rows, 0 * rows, rows], 1), np.stack([0 * rows + many, rows + 1, rows], 1)])
    points_to = np.concatenate([np.stack([rows, rows], 1), np.stack([rows + many, 0 * rows + many], 1)])
    access = np.concatenate([np.stack([rows, rows + 2 * many, 0 * rows], 1), np.stack([rows, rows, rows + 1], 1)])
    facts = {"access": access, "points_to": points_to, "field": np.zeros((0, 3), np.int64)}
    evaluation = Evaluation.bootstrap(Program.parse({"p.dl": ATTRIBUTES}), Batch([], facts))
    evaluation.update(insert=Batch([], {"field": field}), strategy="update")
    by_driver = {cost.driver: cost for cost in evaluation.profile}
    assert by_driver["field"].driven == 2 * many
    assert by_driver["field"].joined < 10 * many, profile_text(evaluation.profile)


def test_the_profile_says_what_each_rule_cost(tmp_path: Path) -> None:
    evaluation = fresh(
        ".decl e(a: symbol, b: symbol)  .input e\n.decl p(a: symbol, b: symbol)  .output p\n"
        "p(x, y) :- e(x, y).\np(x, z) :- p(x, y), e(y, z).",
        {"e": {("a", "b"), ("b", "c"), ("c", "d")}},
    )
    fired = {(cost.driver, cost.instantiations) for cost in evaluation.profile}
    assert fired == {("e", 3), ("p", 3)}
    done = evaluation.work
    assert (done.rows, done.runs) == tuple(
        sum(getattr(cost, of) for cost in evaluation.profile) for of in ("joined", "runs")
    )
    assert done.keys > 0 and done.cost(BOOTSTRAP) == sum(evaluation.bootstrap_work.values())
    assert "p: p(x, z) :- p(x, y), e(y, z)." in profile_text(evaluation.profile)
    evaluation.update()
    assert evaluation.profile == []


@pytest.mark.parametrize("size", [choice.LARGE - 1, choice.LARGE])
def test_what_maintenance_looks_up_of_large_relations_is_named(size: int) -> None:
    program = Program.parse({"attributes.dl": ATTRIBUTES})
    rows = np.arange(size)
    evaluation = Evaluation.bootstrap(program, Batch(rows={"points_to": np.stack([rows, rows], axis=1)}))
    named = evaluation.choices.lookups(program)
    assert (("points_to", (0, 1)) in named) == (size == choice.LARGE)
    assert "field" not in {relation for relation, _ in named}
