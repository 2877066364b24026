"""Aggregates are kept up to date at a cost by what changed, over many epochs, and through a saved state."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from oracle import evaluate
from programs import batch, check_state, fresh, state
from test_maintenance import Set, changed

from pliant.engine import Batch, Evaluation, Program
from pliant.engine.strategies.registry import STRATEGIES

GROUPED = """
.decl e(x: number, y: number)  .input e
.decl big(u: unsigned)  .input big
.decl off(x: number)  .input off
.decl size(x: number, n: number)  .output size
.decl low(x: number, y: number)  .output low
.decl high(x: number, y: number)  .output high
.decl all(n: number)  .output all
.decl total(u: unsigned)  .output total
.decl widest(u: unsigned)  .output widest
.decl alone(x: number)  .output alone
.decl near(x: number, n: number)  .output near
size(x, n) :- e(x, _), n = count : { e(x, y), !off(y) }.
low(x, y) :- e(x, _), y = min z : { e(x, z) }.
high(x, y) :- e(x, _), y = max z : { e(x, z), !off(x) }.
all(n) :- n = sum y : { e(_, y) }.
total(u) :- u = sum v : { big(v) }.
widest(u) :- u = max v : { big(v) }.
alone(x) :- size(x, 1), 0 = count : { low(_, x) }.
near(x, n) :- low(x, y), high(x, z), n = sum w : { e(_, w), w > y, w < z }.
"""
SMALL: Set = {
    "e": {(0, 5), (0, 2**31 - 1), (1, -3), (1, -(2**31)), (2, 2)},
    "big": {(2**32 - 1,), (2**31,), (3,)},
    "off": {(5,)},
}


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_many_epochs(strategy: str) -> None:
    random = np.random.default_rng(7)
    now = SMALL
    evaluation = Evaluation.bootstrap(Program.parse({"program.dl": GROUPED}), batch(now), strategy)
    for epoch in range(60):
        insert: Set = {"e": {tuple(row) for row in random.integers(-4, 5, (epoch % 4, 2)).tolist()}}
        insert["big"] = {(value,) for value in random.integers(0, 2**32, epoch % 3).tolist()}
        delete: Set = {name: set(sorted(rows)[epoch % 5 :: 5]) for name, rows in now.items()} if epoch % 2 else {}
        if epoch % 7 == 0:
            insert["off"] = {(epoch % 4,)}
        if epoch % 30 == 29:  # groups and whole relations go
            delete = now
        evaluation.update(batch(insert), batch(delete), strategy)
        now = changed(now, insert, delete)
        if epoch % 10 == 9:
            check_state(evaluation, state(fresh(GROUPED, now)))
    check_state(evaluation, evaluate(GROUPED, now))


def test_an_update_costs_by_the_rows_that_changed() -> None:
    random = np.random.default_rng(1)
    rows = np.unique(random.integers(0, 2000, (60_000, 2)), axis=0)
    program = Program.parse({"program.dl": GROUPED}, outputs=["low", "all"])
    evaluation = Evaluation.bootstrap(program, Batch([], {"e": rows}))
    lowest = rows[rows[:, 0] == 77][:1]  # sorted: the one with the smallest y
    others = len(rows[rows[:, 0] == 77]) - 1
    for insert, delete, most in ((None, lowest, 1 + others), (lowest, None, 1), (None, rows[50:51], 1)):
        difference = evaluation.update(
            None if insert is None else Batch([], {"e": insert}), None if delete is None else Batch([], {"e": delete})
        )
        work = {report.relations[0]: report.instantiations for report in difference.strata}
        assert 0 < max(work[name] for name in work if name.startswith("@min")) <= most
        assert max(work[name] for name in work if name.startswith("@sum")) == 1
        assert {report.strategy for report in difference.strata if "@" in report.relations[0]} == {"aggregate"}


def test_an_empty_sum_of_unsigned_values_is_compared_as_unsigned() -> None:
    text = """
    .decl e(x: number, u: unsigned)  .input e
    .decl small(x: number)  .output small
    .decl large(x: number)  .output large
    small(x) :- e(x, _), sum v : { e(x, v), v < 2 } < 4294967295.
    large(x) :- e(x, _), 2147483648 < sum v : { e(x, v), v > 7 }, n = sum v : { e(x, v), v < 2 }, n < 4294967295.
    """
    facts: Set = {"e": {(1, 1), (2, 7), (3, 2**32 - 1)}}
    assert state(fresh(text, facts)) == evaluate(text, facts)
    assert set(state(fresh(text, facts))["small"]) == {(1,), (2,), (3,)}


def test_a_value_that_stays_changes_nothing_above() -> None:
    evaluation = fresh(GROUPED, SMALL)
    difference = evaluation.update(insert=batch({"big": {(7,)}, "e": {(0, 6)}}), delete=batch({"e": {(0, 5)}}))
    told = {report.relations[0]: report.strategy for report in difference.strata}
    assert told["widest"] == "none" and told["total"] == "update"


def test_a_saved_state_goes_on(tmp_path: Path) -> None:
    evaluation = fresh(GROUPED, SMALL)
    evaluation.save(tmp_path)
    opened = Evaluation.open(tmp_path, evaluation.program)
    assert opened.digest() == evaluation.digest()
    opened.update(insert=batch({"e": {(0, -9), (8, 8)}}), delete=batch({"e": {(1, -3), (1, -(2**31))}}))
    opened.save(tmp_path)
    again = Evaluation.open(tmp_path, evaluation.program)
    now = changed(SMALL, {"e": {(0, -9), (8, 8)}}, {"e": {(1, -3), (1, -(2**31))}})
    assert state(again) == evaluate(GROUPED, now) and again.digest() == fresh(GROUPED, now).digest()
    again.update(delete=batch({"big": {(2**32 - 1,)}}))
    assert state(again)["widest"].keys() == {(2**31,)}
