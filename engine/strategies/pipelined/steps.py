"""Steps of an evaluation in shards, and who runs them.

A *step* hands every shard the messages that are under way for it, lets it begin the phases that are due, and takes what
it sends.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from .localise import LocalProgram
from .report import Report, Settings

Begin = tuple[str, int, Settings]


@dataclass(slots=True)
class Step:
    """`received`: the stratum and settings of the phase whose messages are under way. `finish`: before all else the
    views before and after the last epoch become one, in these relations. `text`: what it is, for people. `names`: local
    names of all relations that shards may read or write."""

    received: tuple[int, Settings]
    begins: list[Begin]
    finish: frozenset[str]
    names: frozenset[str]
    text: str

    def writes(self, program: LocalProgram) -> frozenset[str]:
        """The copies of relations that this step may change: those of its strata, and of inputs while they are read."""
        index, _ = self.received
        strata = {of for _, of, _ in self.begins if of >= 0} | ({index} if index >= 0 else set())
        found = set(self.finish)
        for each in strata:
            stratum = program.strata[each]
            for some in (*stratum.copies.values(), *stratum.later.values()):
                found.update(copy.name for copy in some)
        if index < 0 or any(of < 0 for _, of, _ in self.begins):
            found.update(copy.name for some in program.inputs.values() for copy in some)
        return frozenset(found & self.names)


class Transport(Protocol):
    """Runs a step in all shards, and keeps shards and messages from step to step."""

    def step(self, step: Step) -> list[Report]:
        """A report of each shard, in order; the seconds that the step took are the most that one of them tells."""

    @property
    def waiting(self) -> int:
        """Messages that are under way."""

    def remember(self, names: frozenset[str]) -> Callable[[bool], None]:
        """Remember relations as they are now. What it gives is to be called once: with True they are brought back, and
        the messages under way are dropped; with False they are forgotten."""


@dataclass(slots=True)
class Round:
    """One step: how long it took, and what its shards did. `skew`: the most work of a shard by the mean."""

    text: str
    seconds: float
    work: int
    sent_rows: int
    sent_bytes: int
    skew: float


__all__ = ["Begin", "Round", "Step", "Transport"]
