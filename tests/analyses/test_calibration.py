"""What a history adds to the weights of the confidence: what tells fixed nulls from others, and nothing else."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pliant.analyses.calibration import Calibration, Lived, calibrate
from pliant.analyses.ranking import CalibrationError, Ranking, calibrated, ranking

USUAL = Ranking(0.1, -1.0, {"origin: a": 0.1, "origin: b": -0.1, "many": 0.0}, {})


def lived(of_a: int, of_b: int, fixed_of_a: int, fixed_of_b: int = 0) -> list[Lived]:
    some = [Lived({"origin: a": 1.0}, f"a{number}", number < fixed_of_a) for number in range(of_a)]
    return some + [Lived({"origin: b": 1.0}, f"b{number}", number < fixed_of_b) for number in range(of_b)]


def test_what_tells_the_fixed_ones_from_others_is_learnt() -> None:
    found = calibrate(USUAL, lived(20, 60, 18))
    assert found.says_anything
    assert found.weights["origin: a"] > 0 > found.weights["origin: b"]
    assert found.after > found.before
    assert (found.fixed, found.left) == (18, 62)


@pytest.mark.parametrize("some", [[], lived(9, 9, 0), lived(9, 0, 9)], ids=["none", "no fix", "all fixed"])
def test_without_both_kinds_nothing_is_learnt(some: list[Lived]) -> None:
    found = calibrate(USUAL, some)
    assert not found.says_anything
    assert (found.fixed, found.left) == (sum(each.fixed for each in some), sum(not each.fixed for each in some))


def test_chance_teaches_nothing() -> None:
    chance = random.Random(7)
    taught = 0
    for _ in range(20):
        some = [
            Lived({f"origin: {chance.choice('ab')}": 1.0, "many": chance.random()}, str(number), chance.random() < 0.3)
            for number in range(60)
        ]
        taught += calibrate(USUAL, some).says_anything
    assert taught <= 5


def test_findings_of_one_null_count_as_one() -> None:
    often = [Lived({"origin: b": 1.0}, "b0", fixed=False)] * 50
    found, once = calibrate(USUAL, lived(12, 12, 10) + often), calibrate(USUAL, lived(12, 12, 10))
    assert found.says_anything
    assert (found.bias, found.weights, found.left) == (once.bias, once.weights, 14)


def test_a_null_that_is_fixed_on_one_way_is_fixed() -> None:
    both = [Lived({"origin: a": 1.0}, "a0", fixed=False), Lived({"origin: a": 1.0}, "a0", fixed=True)]
    assert calibrate(USUAL, [*both, *lived(0, 5, 0)]).fixed == 1


_ROW = st.tuples(st.sampled_from("ab"), st.floats(0, 3), st.integers(0, 20), st.booleans())


@given(st.lists(_ROW, min_size=2, max_size=60))
def test_any_history_gives_probabilities(rows: list[tuple[str, float, int, bool]]) -> None:
    some = [Lived({f"origin: {kind}": 1.0, "many": many}, f"{null}", fixed) for kind, many, null, fixed in rows]
    found = calibrate(USUAL, some)
    assert found == calibrate(USUAL, list(some)), "the same again"
    after = Ranking(0.1, USUAL.bias + found.bias, {**USUAL.weights, **_sum(USUAL, found)}, {})
    assert all(0 < after.probability(each.features) < 1 for each in some)
    if found.says_anything:
        assert found.after > found.before


def _sum(usual: Ranking, found: Calibration) -> dict[str, float]:
    return {name: usual.weights.get(name, 0.0) + value for name, value in found.weights.items()}


def test_a_rare_fix_does_not_make_all_unlikely() -> None:
    """Two of a hundred were fixed, and of one kind: what is expected of the findings together stays."""
    some = lived(20, 80, 4)
    found = calibrate(USUAL, some)
    after = Ranking(0.1, USUAL.bias + found.bias, _sum(USUAL, found), {})
    before = sum(USUAL.probability(each.features) for each in some) / len(some)
    assert sum(after.probability(each.features) for each in some) / len(some) > before / 2


def test_a_calibration_is_added_to_the_usual_weights() -> None:
    found = calibrated('bias = 0.5\n[weights]\n"origin: literal" = 1\n"origin: new one" = -0.25\n')
    assert found.bias == pytest.approx(ranking().bias + 0.5)
    assert found.weights["origin: literal"] == pytest.approx(ranking().weights["origin: literal"] + 1)
    assert found.weights["origin: new one"] == -0.25
    assert found.weights["origin: call"] == ranking().weights["origin: call"]
    assert (found.shown, found.shares) == (ranking().shown, ranking().shares)
    assert calibrated("") == ranking()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("bias = ", "not valid TOML"),
        ("shown = 0.1", "expected `bias`, a number, and a table `weights`"),
        ("weights = 3", "expected `bias`, a number, and a table `weights`"),
        ("bias = 'much'", "bias: expected a number from -100 to 100, found 'much'"),
        ("bias = true", "bias: expected a number"),
        ("bias = nan", "bias: expected a number"),
        ("bias = 101", "bias: expected a number"),
        ("bias = -100.5", "bias: expected a number"),
        ("[weights]\n'origin: call' = inf", "origin: call: expected a number"),
        ("[weights]\n'orign: call' = 1", "there is no feature 'orign: call'"),
        ("[weights]\nbias = 1", "there is no feature 'bias'"),
    ],
)
def test_a_wrong_calibration_says_what_is_wrong(text: str, reason: str) -> None:
    with pytest.raises(CalibrationError, match=reason):
        calibrated(text)


def test_the_largest_numbers_are_taken() -> None:
    for sign in (100, -100):
        found = calibrated(f"bias = {sign}\n[weights]\n'origin: call' = {sign}\n'other origins' = {sign}")
        assert found.probability({"origin: call": 1.0, "other origins": 50.0}) == pytest.approx(float(sign > 0))
    assert calibrated("bias = 100").probability({}) > 0.99
    assert calibrated("bias = -100").probability({}) < 0.01
