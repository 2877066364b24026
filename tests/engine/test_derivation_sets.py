"""Pipelined semi-naive maintenance: cycles do not keep themselves, and sets that grow too large are handed over."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from programs import batch, examples, fresh, state
from test_maintenance import History, changed, check_state, histories

from pliant.engine import Evaluation, Program
from pliant.engine.strategies import derivation_sets

TEXT = """
.decl edge(a: symbol, b: symbol)  .input edge
.decl path(a: symbol, b: symbol)  .output path
path(x, y) :- edge(x, y).
path(x, z) :- path(x, y), edge(y, z).
"""
RING = {("a", "b"), ("b", "c"), ("c", "d"), ("d", "b")}


def told(evaluation: Evaluation, insert: set[tuple[str, str]], delete: set[tuple[str, str]]) -> tuple[str, str]:
    """Strategy and reason of an epoch."""
    difference = evaluation.update(batch({"edge": insert}), batch({"edge": delete}), "pipelined")
    [report] = difference.strata
    return report.strategy, report.reason


def test_what_a_cycle_keeps_up_goes_with_its_last_derivation_from_outside() -> None:
    evaluation = Evaluation.bootstrap(Program.parse({"program.dl": TEXT}), batch({"edge": RING}))
    assert told(evaluation, {("x", "y")}, set()) == ("pipelined", "derivation sets were made from nothing")
    assert told(evaluation, set(), {("a", "b")}) == ("pipelined", "asked for")
    assert not {row for row in state(evaluation)["path"] if row[0] == "a"}
    assert told(evaluation, {("a", "b")}, {("d", "b")}) == ("pipelined", "asked for")
    check_state(evaluation, state(fresh(TEXT, {"edge": (RING | {("x", "y")}) - {("d", "b")}})))


def test_sets_past_the_budget_are_handed_over_and_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluation = Evaluation.bootstrap(Program.parse({"program.dl": TEXT}), batch({"edge": RING}))
    monkeypatch.setattr(derivation_sets, "BUDGET", 5)
    assert told(evaluation, {("d", "e")}, set()) == (
        "update",
        "derivations that came or went, and their supports, were more than 5",
    )
    check_state(evaluation, state(fresh(TEXT, {"edge": RING | {("d", "e")}})))
    monkeypatch.setattr(derivation_sets, "BUDGET", 20_000)
    assert told(evaluation, set(), {("d", "e")}) == ("pipelined", "derivation sets were made from nothing")
    check_state(evaluation, state(fresh(TEXT, {"edge": RING})))


def test_sets_are_made_anew_after_another_strategy_and_in_a_copy() -> None:
    evaluation = Evaluation.bootstrap(Program.parse({"program.dl": TEXT}), batch({"edge": RING}))
    told(evaluation, {("d", "e")}, set())
    copied = evaluation.copy()
    evaluation.update(batch({"edge": {("e", "f")}}), None, "update")
    for each in (evaluation, copied):
        assert told(each, {("b", "a")}, {("d", "b")})[1] == "derivation sets were made from nothing"
    check_state(copied, state(fresh(TEXT, {"edge": (RING | {("d", "e"), ("b", "a")}) - {("d", "b")}})))


@settings(max_examples=examples(12))
@given(histories(), st.sampled_from([3, 30, 300]))
def test_any_budget_equals_bootstrap(history: History, budget: int) -> None:
    random, now, epochs = history
    evaluation = fresh(random.text, now)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(derivation_sets, "BUDGET", budget)
        for insert, delete in epochs:
            evaluation.update(batch(insert), batch(delete), "pipelined")
            now = changed(now, insert, delete)
            check_state(evaluation, state(fresh(random.text, now)))
