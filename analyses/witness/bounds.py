"""What a question may cost, counted, so that each machine gives the same answer."""

from __future__ import annotations

MOST_STEPS = 1_000_000  # of a question; a step is a microsecond or two
LOOKED_UP = 10  # for what the rules say of something


class TooLarge(Exception):
    """A bound was met: the text is the end of a sentence."""


class Steps:
    """The steps that a question has left. A step is a node that is asked for, a state that is looked into, or something
    else that may come more often than instructions are run."""

    __slots__ = ("left", "most")

    def __init__(self, most: int = MOST_STEPS) -> None:
        self.left = self.most = most

    def spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise TooLarge(f"it takes more than {self.most:,} steps")
