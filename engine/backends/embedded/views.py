"""Which rows of a relation count where an atom ranges over it."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from .keys import Mask
from .relation import DELTA, KEPT, NEW, OLD, STATES


class View(NamedTuple):
    """Which rows of a literal's relation count: whether the newest level of a Bootstrap does, and which states do."""

    recent: bool
    states: Mask


def _states(wanted: int, barred: int = 0) -> Mask:
    return np.array([bool(state & wanted) and not state & barred for state in range(STATES)])


BEFORE: Final = View(True, _states(OLD))
BETWEEN: Final = View(True, _states(KEPT))
AFTER: Final = View(True, _states(NEW))
AFTER_BUT_DELTA: Final = View(True, _states(NEW, barred=DELTA))
BEFORE_OR_AFTER: Final = View(True, _states(OLD | NEW))
STABLE: Final = View(False, _states(NEW))
ALL: Final = View(True, np.ones(STATES, np.bool_))

__all__ = ["AFTER", "AFTER_BUT_DELTA", "ALL", "BEFORE", "BEFORE_OR_AFTER", "BETWEEN", "STABLE", "View"]
