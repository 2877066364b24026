"""Which rows of a relation count where an atom ranges over it."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .keys import Mask
from .relation import DELTA, KEPT, NEW, OLD


class View(NamedTuple):
    """Which rows of a literal's relation count: whether the newest level of a Bootstrap does, and those whose state has
    a bit of `wanted` (any state if that is None) and none of `barred`, where `wanted` is one bit."""

    recent: bool
    wanted: int | None
    barred: int = 0

    def admits(self, states: NDArray[np.uint8]) -> Mask:
        if self.wanted is None:
            return np.ones(len(states), np.bool_)
        admitted: Mask
        if self.barred:
            admitted = (states & (self.wanted | self.barred)) == self.wanted
        else:
            admitted = (states & self.wanted) != 0
        return admitted


BEFORE: Final = View(True, OLD)
BETWEEN: Final = View(True, KEPT)
AFTER: Final = View(True, NEW)
AFTER_BUT_DELTA: Final = View(True, NEW, barred=DELTA)
BEFORE_OR_AFTER: Final = View(True, OLD | NEW)
STABLE: Final = View(False, NEW)
ALL: Final = View(True, None)

__all__ = ["AFTER", "AFTER_BUT_DELTA", "ALL", "BEFORE", "BEFORE_OR_AFTER", "BETWEEN", "STABLE", "View"]
