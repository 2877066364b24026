"""What the history of a repository says of the weights of the confidence: which of its nulls were fixed, and which ones
its authors live with.

A null that is gone counts as true if its function tests something for null that it did not test before; one that is
still there counts as false. The latter may be true all the same, so how many are true is not learnt: the fixed ones
weigh as many as the weights before expect ("Logistic Regression in Rare Events Data", King and Zeng, 2001, section
4.2), and only what tells them from the others is. Fitted by logistic regression is what is added to the weights, with a
normal prior around 0. How narrow it is, or that nothing is added, is chosen by what is foretold of nulls that were left
out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pliant.analyses.ranking import Features, Ranking

Numbers: TypeAlias = NDArray[np.float64]

_DEVIATIONS = (0.1, 0.3, 1.0)  # standard deviations of the prior that are tried
_FOLDS = 10
_ROUNDS = 50  # of Newton's method, which takes about five


@dataclass(frozen=True, slots=True)
class Lived:
    """A finding of an old commit. null: where its null comes from; fixed: whether the authors took it away."""

    features: Features
    null: str
    fixed: bool


@dataclass(frozen=True, slots=True)
class Calibration:
    """bias, weights: what is added to those of a ranking; none where the history does not foretell better than before.
    fixed, left: how many nulls were fixed, and how many are still there. before, after: the mean natural
    logarithm of the probability that was given to what happened to nulls which were left out, at most 0."""

    bias: float = 0.0
    weights: Features = field(default_factory=dict)
    fixed: int = 0
    left: int = 0
    before: float = 0.0
    after: float = 0.0

    @property
    def says_anything(self) -> bool:
        return bool(self.bias or self.weights)


def calibrate(ranking: Ranking, lived: Sequence[Lived]) -> Calibration:
    """What to add to a ranking for a repository with these findings."""
    nulls = sorted({each.null for each in lived})
    is_fixed = {each.null: each.fixed for each in sorted(lived, key=lambda each: each.fixed)}  # one way is enough
    fixed = sum(is_fixed.values())
    left = len(nulls) - fixed
    if not fixed or not left:
        return Calibration(fixed=fixed, left=left)
    names = sorted({name for each in lived for name in each.features})
    given = np.array([[each.features.get(name, 0.0) for name in names] for each in lived])
    data = _Data(
        np.column_stack([np.ones(len(lived)), given]),
        np.array([is_fixed[each.null] for each in lived], float),
        np.array([ranking.odds(each.features) for each in lived]),
        _shares(lived),
    )
    data = data.weighted()
    fold = {null: number % _FOLDS for number, null in enumerate(nulls)}
    folds = np.array([fold[each.null] for each in lived])
    before = data.foretold(np.zeros(len(names) + 1))
    found = {deviation: _left_out(data, folds, deviation) for deviation in _DEVIATIONS}
    best = max(found, key=lambda deviation: (found[deviation], -deviation))
    if found[best] <= before:
        return Calibration(0.0, {}, fixed, left, before, found[best])
    bias, *added = data.fitted(best).round(2).tolist()
    weights = {name: value for name, value in zip(names, added, strict=True) if value}
    return Calibration(bias, weights, fixed, left, before, found[best])


@dataclass(frozen=True, slots=True)
class _Data:
    """columns: a 1, and the features, a row for each finding. true: 0 or 1. odds: by the ranking. weights: how much
    each counts; findings of one null count as one."""

    columns: Numbers
    true: Numbers
    odds: Numbers
    weights: Numbers

    def weighted(self) -> _Data:
        """The same, where the fixed ones weigh as many as are expected to be true, and nothing weighs more than 1."""
        expected = (self.weights * _probability(self.odds)).sum() / self.weights.sum()
        there = (self.weights * self.true).sum() / self.weights.sum()
        of_true, of_false = expected / there, (1 - expected) / (1 - there)
        most = max(of_true, of_false)
        return self._with(self.weights * (self.true * of_true + (1 - self.true) * of_false) / most)

    def only(self, kept: NDArray[np.bool_]) -> _Data:
        return _Data(self.columns[kept], self.true[kept], self.odds[kept], self.weights[kept])

    def fitted(self, deviation: float) -> Numbers:
        """What is added to the bias and to the weights. The prior of the bias is as wide."""
        added = np.zeros(self.columns.shape[1])
        precision = np.full(len(added), deviation**-2.0)
        for _ in range(_ROUNDS):
            probability = _probability(self.odds + self.columns @ added)
            slope = self.columns.T @ (self.weights * (self.true - probability)) - precision * added
            curve = (self.columns.T * (self.weights * probability * (1 - probability))) @ self.columns
            step = np.linalg.solve(curve + np.diag(precision), slope)
            added = added + step
            if np.abs(step).max() < 1e-6:
                break
        return added

    def foretold(self, added: Numbers) -> float:
        """The mean logarithm of the probability of what happened."""
        odds = self.odds + self.columns @ added
        said = np.where(self.true > 0, -np.logaddexp(0, -odds), -np.logaddexp(0, odds))
        return float((self.weights * said).sum() / self.weights.sum())

    def _with(self, weights: Numbers) -> _Data:
        return _Data(self.columns, self.true, self.odds, weights)


def _left_out(data: _Data, folds: NDArray[np.int64], deviation: float) -> float:
    """What is foretold of each part of the nulls by the others."""
    total = 0.0
    for fold in sorted(set(folds.tolist())):
        there = data.only(folds == fold)
        total += there.foretold(data.only(folds != fold).fitted(deviation)) * float(there.weights.sum())
    return total / float(data.weights.sum())


def _shares(lived: Sequence[Lived]) -> Numbers:
    uses: dict[str, int] = {}
    for each in lived:
        uses[each.null] = uses.get(each.null, 0) + 1
    return np.array([1 / uses[each.null] for each in lived])


def _probability(odds: Numbers) -> Numbers:
    return np.exp(-np.logaddexp(0, -odds))
