"""Shards that go through steps together: each has the conductor, and they tell each other what they did.

All shards hear the reports of all, so the conductor of each decides the same. They *pause* together after a while, at a
step before which nothing has to be remembered; who goes on later, with the shards as they were then, first hands its
conductor the reports of the steps that were done.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol

from .messages import Message, in_turn
from .report import Report
from .shard import Shard
from .steps import Step


class Paused(Exception):
    """The shards stop here, and are to go on with the step that was about to begin."""


@dataclass(slots=True)
class Told:
    """What a shard tells the others of a step. `outgoing`: how many messages it sends, to itself as well. `late`: it
    would rather pause before the next step."""

    report: Report
    outgoing: int
    late: bool = False


Past = Sequence[Sequence[Told]]  # of each step, in order, what each shard told


class Meeting(Protocol):
    def meet(self, told: Told, messages: Sequence[Message]) -> tuple[list[Told], list[Message]]:
        """Tell all other shards of a step, and send them messages; what each told, in order, this one included, and the
        messages of others for this one."""


class Replay:
    """A transport for steps that were done: their reports, one step after the other."""

    def __init__(self, past: Past, waiting: int):
        self.past, self.waiting = deque(past), waiting

    def next(self) -> list[Report]:
        told = self.past.popleft()
        self.waiting = sum(each.outgoing for each in told)
        return [each.report for each in told]


class Member:
    """The transport of one shard. `inbox`: messages for it that are under way. `waiting`: before the steps of `past`.
    `late`: whether it is time to pause."""

    def __init__(
        self,
        shard: Shard,
        meeting: Meeting,
        inbox: Iterable[Message],
        past: Past,
        waiting: int,
        late: Callable[[], bool],
    ):
        self.shard, self.inbox, self.done, self.wrote = shard, list(inbox), list[Told](), set[str]()
        self._meeting, self._replay, self._is_late = meeting, Replay(past, waiting), late
        self._remembering = self._pause = False
        self._began = perf_counter()

    @property
    def waiting(self) -> int:
        return self._replay.waiting

    def step(self, step: Step) -> list[Report]:
        if self._replay.past:
            return self._replay.next()
        if self._pause and not self._remembering:
            raise Paused
        shard = self.shard
        came, self.inbox = sorted(self.inbox, key=in_turn), []
        self.wrote |= step.writes(shard.program)
        shard.seen.clear()  # nothing comes twice, and shards that were made again number from 1
        shard.finish(step.finish)
        shard.receive(*step.received, came)
        for phase, index, settings in step.begins:
            shard.begin(phase, index, settings)
        sent = shard.send()
        report = shard.reported()
        report.held_rows = sum(relation.size for relation in shard.relations.values())
        now = perf_counter()
        report.seconds, self._began = now - self._began, now
        mine = Told(report, len(sent), self._is_late())
        told, others = self._meeting.meet(mine, [each for each in sent if each.target != shard.number])
        self.done.append(mine)
        self.inbox = [each for each in sent if each.target == shard.number] + others
        self._pause = any(each.late for each in told)
        self._replay.past.append(told)
        return self._replay.next()

    def remember(self, names: frozenset[str]) -> Callable[[bool], None]:
        live = not self._replay.past  # else it is over before the first step that is to be done
        copies = {name: self.shard.named(name).copy() for name in names} if live else {}
        self._remembering = live

        def end(back: bool) -> None:
            self._remembering = False
            if back:
                self._replay.waiting = 0
            if back and live:
                self.inbox = []
                self.shard.bring_back(copies)

        return end


__all__ = ["Meeting", "Member", "Past", "Paused", "Replay", "Told"]
