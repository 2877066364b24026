"""Many steps in one job: what each task of a barrier stage does.

A task reads the rows of its shard once. Then all go through steps together (`together`), each with the conductor, and
send each other messages over their own connections (`mesh`); when the epoch is done, or after some seconds, each gives
the relations that were written, the messages that it has not taken in, and what it told of every step. A job has no
effect but these rows, so Spark may run it again.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any, Final

from ...strategies.pipelined.conductor import Conductor
from ...strategies.pipelined.messages import Message
from ...strategies.pipelined.report import Report
from ...strategies.pipelined.together import Member, Past, Paused, Told
from . import blocks
from .mesh import Mesh, meet
from .shards import Work, opened, relation_rows
from .spread import spread_keys

ROUNDS: Final = "rounds"  # the name of a report that is of many steps
SECONDS: Final = 5.0  # after which the shards pause: a job is what is told of, and kept in a checkpoint, as a whole


@dataclass(slots=True)
class Epoch:
    """What the steps are of: `method` of a conductor as it was before the epoch. `past`: the steps of earlier jobs.
    `waiting`: before these. `secret`: of the tasks of a job."""

    conductor: Conductor
    method: str
    arguments: tuple[Any, ...]
    past: Past
    waiting: int
    secret: bytes
    seconds: float


def rounds(work: Work, epoch: Epoch) -> Callable[[Any], Any]:
    """For `mapInArrow` with a barrier over the rows of shards, each in the partition of its number."""

    def run(batches: Any) -> Iterator[Any]:
        shards = work.local.shards
        number, mesh = 0, Mesh(0, {})
        if shards > 1:
            from pyspark import BarrierTaskContext  # noqa: PLC0415 - there is none but in a task

            context = BarrierTaskContext.get()
            number, mesh = context.partitionId(), meet(context, epoch.secret)
        try:
            shard, messages, facts = opened(work, number, (row for batch in batches for row in blocks.rows_of(batch)))
            talk = _Talk(number, shards, mesh)
            if not epoch.past:
                messages += talk.swap(facts)
            started = perf_counter()
            member = Member(
                shard, talk, messages, epoch.past, epoch.waiting,
                lambda: perf_counter() - started > epoch.seconds,
            )  # fmt: skip
            conductor = epoch.conductor
            conductor.program, conductor.transport = work.local, member
            with contextlib.suppress(Paused):
                getattr(conductor, epoch.method)(*epoch.arguments)
        finally:
            mesh.close()
        key = spread_keys(shards)[number]
        for row in relation_rows(work, shard, key, member.wrote):
            yield from blocks.table_of([row]).to_batches()
        rest = [blocks.packed_message(message, key) for message in member.inbox]
        rest.append((key, blocks.REPORT, ROUNDS, b"", _note(number, member)))
        yield from blocks.table_of(rest).to_batches()

    return run


class _Talk:
    """A meeting over connections: a shard tells each other one its report and its messages in one piece."""

    def __init__(self, number: int, shards: int, mesh: Mesh):
        self._number, self._shards, self._mesh = number, shards, mesh

    def swap(self, messages: Sequence[Message]) -> list[Message]:
        """What all have for this shard, this one included."""
        by_place: tuple[list[Message], list[Message]] = ([], [])
        for message in messages:
            by_place[message.target == self._number].append(message)
        _, came = self.meet(Told(Report(self._number), 0), by_place[0])
        return by_place[1] + came

    def meet(self, told: Told, messages: Sequence[Message]) -> tuple[list[Told], list[Message]]:
        head = (self._number, blocks.REPORT, str(told.outgoing), b"", json.dumps([told.late, asdict(told.report)]))
        by_target: dict[int, list[blocks.Row]] = {peer: [head] for peer in self._mesh.peers}
        for message in messages:
            by_target[message.target].append(blocks.packed_message(message, message.target, compressed=False))
        outgoing = {peer: [blocks.stream_of(rows)] for peer, rows in by_target.items()}
        found, all_told, came = self._mesh.swap(outgoing), {self._number: told}, []
        for peer in sorted(found):
            for _, kind, name, payload, note in blocks.streamed(found[peer]):
                if kind == blocks.REPORT:
                    late, report = json.loads(note)
                    all_told[peer] = Told(blocks.report_from(report), int(name), late)
                else:
                    came.append(blocks.unpacked_message(payload, note))
        return [all_told[peer] for peer in range(self._shards)], came


def _note(number: int, member: Member) -> str:
    steps = [(each.outgoing, asdict(each.report)) for each in member.done]
    return json.dumps({"shard": number, "wrote": sorted(member.wrote), "steps": steps})


def past_of(notes: Sequence[str]) -> tuple[set[str], list[list[Told]]]:
    """What a job wrote, and what its shards told of every step. Raises ValueError where they differ in its number."""
    found = sorted((json.loads(note) for note in notes), key=lambda each: int(each["shard"]))
    told = [[Told(blocks.report_from(report), outgoing) for outgoing, report in each["steps"]] for each in found]
    return set(found[0]["wrote"]), [list(step) for step in zip(*told, strict=True)]


__all__ = ["ROUNDS", "SECONDS", "Epoch", "past_of", "rounds"]
