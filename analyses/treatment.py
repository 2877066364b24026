"""How the findings of a file are graded: what a configuration says of files, as the analyses ask it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pliant.analyses.ranking import Ranking, ranking
from pliant.extractors import languages


def _shown(path: str) -> float:
    return ranking().shown


@dataclass(frozen=True, slots=True)
class Treatment:
    """is_test: whether a path is test code. least: the probability below which a finding of a path is unlikely.
    ranking: how likely findings are."""

    is_test: Callable[[str], bool] = languages.is_test
    least: Callable[[str], float] = _shown
    ranking: Ranking = field(default_factory=ranking)


AS_USUAL = Treatment()
