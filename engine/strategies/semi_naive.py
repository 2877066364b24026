"""Semi-naive recomputation: Bootstrap without counts, as most engines do it.

Tuples and levels are those of Bootstrap. How many instantiations derive a tuple is unknown afterwards, and whoever asks
is told so. Strategies that need counts bootstrap such a stratum the next time something below it changes.
"""

from __future__ import annotations

from typing import Final

from ..backends.embedded.relation import Relation
from . import recompute
from .interface import Outcome, Strategy, Task

NO_COUNTS: Final = "its counts are not known, since semi_naive was the last to evaluate it"


def start(task: Task) -> Outcome:
    for name in task.stratum.relations:
        task.relations[name] = Relation(name, task.relations[name].arity, levelled=True, counted=False)
    return recompute.start(task)


def maintain(task: Task) -> Outcome:
    outcome = recompute.recompute(task, counted=False)
    outcome.strategy = SEMI_NAIVE.name
    return outcome


SEMI_NAIVE = Strategy("semi_naive", "As bootstrap, but without counting derivations.", start, maintain)

__all__ = ["NO_COUNTS", "SEMI_NAIVE"]
