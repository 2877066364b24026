"""How likely a finding is true: a logistic model over its features, whose weights are in `ranking.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from math import exp
from typing import TypeAlias

from pliant.analyses.findings import Confidence
from pliant.extractors import toml

Features: TypeAlias = Mapping[str, float]  # by name, as in analyses/features.py

HIGH, MEDIUM = 0.8, 0.5
"""The least probabilities of what is called `high` and `medium`."""
_MOST_ADDED = 100  # to the log odds, where 10 is as good as sure


class CalibrationError(ValueError):
    """What is wrong with a calibration, as the end of a line."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """bias: the log odds of a finding without features. weights: what each feature adds to them for each unit. shown:
    the least probability of a null dereference that a report shows by default. shares: of findings that have no
    features, how many were true, by the first part of the rule's name."""

    shown: float
    bias: float
    weights: Features
    shares: Mapping[str, float]

    def odds(self, features: Features) -> float:
        """The logarithm of the odds of a finding being true."""
        return self.bias + sum(self.weights.get(name, 0.0) * value for name, value in features.items())

    def probability(self, features: Features) -> float:
        """Of a finding being true, between 0 and 1."""
        odds = self.odds(features)
        return 1 / (1 + exp(-odds)) if odds > 0 else exp(odds) / (1 + exp(odds))  # neither has an exponential too large

    def share(self, rule: str) -> float | None:
        """How many findings of such rules were true, of those that were read; None where none was."""
        return self.shares.get(rule.partition(".")[0])

    def reasons(self, features: Features, most: int = 6) -> list[tuple[str, float]]:
        """The features that say most, with what they add to the log odds; the strongest first."""
        said = [(name, self.weights.get(name, 0.0) * value) for name, value in features.items()]
        return sorted((each for each in said if each[1]), key=lambda each: -abs(each[1]))[:most]


@cache
def ranking() -> Ranking:
    data = tomllib.loads(files("pliant.analyses").joinpath("ranking.toml").read_text(encoding="utf-8"))
    return Ranking(data["shown"], data["bias"], data["weights"], data["shares"])


def calibrated(text: str) -> Ranking:
    """The ranking with what a calibration of a repository adds to it (calibration.py). Raises CalibrationError."""
    usual = ranking()
    try:
        table = toml.loads(text)
    except toml.TomlError as error:
        raise CalibrationError(str(error)) from None
    weights = table.pop("weights", {})
    bias = table.pop("bias", 0.0)
    if table or not isinstance(weights, dict):
        raise CalibrationError("expected `bias`, a number, and a table `weights`, as `pliant calibrate` writes them")
    for name in weights:
        if name not in usual.weights and not name.startswith("origin: "):
            raise CalibrationError(f"there is no feature {name!r}; analyses/ranking.toml has the names")
    for name, value in (("bias", bias), *weights.items()):
        if not isinstance(value, int | float) or isinstance(value, bool) or not -_MOST_ADDED <= value <= _MOST_ADDED:
            raise CalibrationError(f"{name}: expected a number from -{_MOST_ADDED} to {_MOST_ADDED}, found {value!r}")
    added = {name: usual.weights.get(name, 0.0) + value for name, value in weights.items()}
    return replace(usual, bias=usual.bias + bias, weights={**usual.weights, **added})


def confidence_of(probability: float | None) -> Confidence:
    """`medium` where nothing is known of the finding."""
    if probability is None:
        return "medium"
    return "high" if probability >= HIGH else "medium" if probability >= MEDIUM else "low"
