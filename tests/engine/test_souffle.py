"""A few random programs against Soufflé, where it is installed; tests/souffle/random_programs.py runs thousands."""

from __future__ import annotations

import shutil

import pytest
from souffle.random_programs import Outcome, cases, compare

SOUFFLE = shutil.which("souffle")


@pytest.mark.skipif(SOUFFLE is None, reason="souffle is not on PATH")
def test_random_programs_derive_what_souffle_derives() -> None:
    assert SOUFFLE is not None
    outcome = Outcome()
    compare(cases(40, 3), SOUFFLE, outcome)
    assert outcome.compared == 40 and outcome.tuples > 200
    assert not outcome.differing and not outcome.refused
