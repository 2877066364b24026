"""How the findings of a file are graded: what a configuration says of files, as the analyses ask it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pliant.analyses.ranking import ranking
from pliant.extractors import languages


def _shown(path: str) -> float:
    return ranking().shown


@dataclass(frozen=True, slots=True)
class Treatment:
    """is_test: whether a path is test code. least: the probability below which a finding of a path is unlikely."""

    is_test: Callable[[str], bool] = languages.is_test
    least: Callable[[str], float] = _shown


AS_USUAL = Treatment()
