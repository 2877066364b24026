"""What an update keeps of changes above a tuple's level: a tuple that dies is not asked for what is known."""

from __future__ import annotations

import numpy as np
from programs import fresh, state
from test_update import Set, step

REACHED = """
.decl start(a: number)  .input start
.decl edge(a: number, b: number)  .input edge
.decl reached(a: number)  .output reached
reached(x) :- start(x).
reached(y) :- reached(x), edge(x, y).
"""
BOTH = """
.decl start(a: number)  .input start
.decl join(a: number, b: number, c: number)  .input join
.decl made(a: number)  .output made
made(x) :- start(x).
made(z) :- made(x), made(y), join(x, y, z).
"""


def test_a_chain_that_moves_by_a_level_is_not_asked_for_its_derivations() -> None:
    chain = {(index, index + 1) for index in range(1, 50)}
    evaluation = fresh(REACHED, now := {"start": {(0,)}, "edge": {(0, 1), (0, 100), (100, 1), *chain}})
    step(REACHED, evaluation, now, {}, {"edge": {(0, 1)}})
    asked = [cost for cost in evaluation.profile if cost.driver == "head"]
    assert sum(cost.driven for cost in asked) <= 2  # of 51 tuples that moved, the first alone


def test_tuples_that_derive_only_each_other_do_not_rise_for_ever() -> None:
    """Both are derived with what moves up a level when they lose their own derivation: that is all they have."""
    joins = {(0, 0, 1), (1, 1, 2), (0, 2, 10), (0, 2, 11), (0, 0, 50), (50, 50, 51), (51, 51, 52), (52, 52, 2)}
    joins |= {(2, 11, 10), (2, 10, 11)}
    now: Set = {"start": {(0,)}, "join": joins}
    evaluation = fresh(BOTH, now)
    now = step(BOTH, evaluation, now, {}, {"join": {(1, 1, 2)}})
    now = step(BOTH, evaluation, now, {}, {"join": {(0, 2, 10), (0, 2, 11)}})
    assert not {(10,), (11,)} & state(evaluation)["made"].keys()


def test_random_joins_of_a_relation_with_itself_come_and_go() -> None:
    random = np.random.default_rng(8)
    for _ in range(60):
        every = {tuple(each) for each in random.integers(0, 9, (24, 3)).tolist()}
        now: Set = {"start": {(0,), (1,)}, "join": every}
        evaluation = fresh(BOTH, now)
        for _ in range(4):
            some = {each for each in sorted(now["join"]) if random.random() < 0.15}
            back = {each for each in sorted(every - now["join"]) if random.random() < 0.5}
            now = step(BOTH, evaluation, now, {"join": back}, {"join": some})
