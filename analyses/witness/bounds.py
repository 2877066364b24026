"""What a question may cost, counted, so that each machine gives the same answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

MOST_STEPS = 300_000  # of a question; a step is two or three microseconds
MOST_ALONE = 50_000  # of those, for the ends of ways by themselves, which any caller may pass null
MOST_OF_A_ROUND = 30_000  # of those, for one round of a loop
MOST_COARSE = 50_000  # of those, for a way on which no other function is run, before they are
MOST_BEFORE = 100_000  # of those, for whether the null comes to a call on its way
MOST_OF_CALLERS = 100_000  # of those, for asking callers
MOST_OF_SUMMARIES = 100_000  # of those, for what calls that are not run may leave, and need
LEVELS = 4  # of callers that are asked
DEPTH = 3  # of calls in calls that are run beside the way
READING_DEPTH = 4  # of those that only read
MOST_BODIES = 4  # functions of which a call runs one, beside the way
LOOKED_UP = 10  # for what the rules say of something


class TooLarge(Exception):
    """A bound was met: the text is the end of a sentence."""


class Steps:
    """The steps that a question has left. A step is a node that is asked for, a state that is looked into, or something
    else that may come more often than instructions are run."""

    __slots__ = ("_once", "left", "most")

    def __init__(self, most: int = MOST_STEPS) -> None:
        self.left = self.most = most
        self._once: dict[object, int] = {}

    def once(self, what: object, steps: int, most: int) -> bool:
        """Spend steps for something that is found once and kept; says whether it may be used: with all others, it takes
        no more than `most`."""
        if what not in self._once:
            if sum(self._once.values()) + steps > most:
                return False
            self._once[what] = steps
            self.spend(steps)
        return True

    def spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise TooLarge(f"it takes more than {self.most:,} steps")

    @contextmanager
    def at_most(self, steps: int) -> Iterator[None]:
        """Spend no more than so many of those that are left."""
        kept = max(self.left - steps, 0)
        self.left -= kept
        try:
            yield
        finally:
            self.left += kept
