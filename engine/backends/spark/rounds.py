"""Many steps in one job: what each task of a barrier stage does.

A task reads the rows of its shard once, and strings of facts get ids (`encoding`). Then all go through steps together
(`together`), each with the conductor, and send each other messages over their own connections (`mesh`); when the epoch
is done, or after some seconds, each gives the relations that were written, the strings that are new, the messages that
it has not taken in, and what it told of every step. A job has no effect but these rows, so Spark may run it again.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from time import perf_counter
from typing import Any, Final

import numpy as np
import pyarrow as pa

from ...strategies.pipelined.conductor import Conductor
from ...strategies.pipelined.messages import Message
from ...strategies.pipelined.report import Report
from ...strategies.pipelined.together import Member, Past, Paused, Told
from ..embedded.keys import Column, Mask
from . import blocks
from .encoding import Asking, encoded
from .mesh import Mesh, meet
from .shards import Opened, Work, opened, relation_rows
from .spread import spread_keys

ROUNDS: Final = "rounds"  # the name of a report that is of many steps
SECONDS: Final = 5.0  # after which the shards pause: a job is what is told of, and kept in a checkpoint, as a whole
_OPENINGS: Final = 4  # times as long as the rows of shards took to read is worth handing them on and reading them again
_ROWS_A_SECOND: Final = 1 << 20  # and so many held rows: to hand them on and sort them again takes 50 ms or more


@dataclass(slots=True)
class Epoch:
    """What the steps are of: `method` of a conductor as it was before the epoch. `past`: the steps of earlier jobs.
    `waiting`: before these. `secret`: of the tasks of a job. `named`: strings are to have ids first; `firsts`: those
    that parts begin with. `ordering`: all shards have all strings."""

    conductor: Conductor
    method: str
    arguments: tuple[Any, ...]
    past: Past
    waiting: int
    secret: bytes
    seconds: float
    named: bool = False
    firsts: Mapping[int, Sequence[str]] = field(default_factory=dict)
    ordering: bool = False


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
            began = perf_counter()
            here = opened(work, number, (row for batch in batches for row in blocks.rows_of(batch)))
            shard, messages = here.shard, here.messages
            talk = _Talk(number, shards, mesh)
            fresh: tuple[int, Any] = (0, ())
            if not epoch.past:
                facts, fresh = _facts(epoch, here, talk)
                messages += talk.swap(facts)
            started = perf_counter()

            def late() -> bool:
                held = sum(relation.size for relation in shard.relations.values())
                enough = max(epoch.seconds, _OPENINGS * (started - began), held / _ROWS_A_SECOND)
                return not epoch.seconds or perf_counter() - started > enough

            member = Member(shard, talk, messages, epoch.past, epoch.waiting, late)
            conductor = epoch.conductor
            conductor.program, conductor.transport = work.local, member
            with contextlib.suppress(Paused):
                getattr(conductor, epoch.method)(*epoch.arguments)
        finally:
            mesh.close()
        key = spread_keys(shards)[number]
        if len(fresh[1]):
            block = key, blocks.SYMBOLS, str(number), blocks.packed_strings(fresh[1]), str(fresh[0])
            yield from blocks.batches_of([block])
        for row in relation_rows(work, shard, key, member.wrote):
            yield from blocks.batches_of([row])
        rest = [blocks.packed_message(message, key) for message in member.inbox]
        rest.append((key, blocks.REPORT, ROUNDS, b"", _note(number, member, len(fresh[1]))))
        yield from blocks.table_of(rest).to_batches()

    return run


def _facts(epoch: Epoch, here: Opened, talk: _Talk) -> tuple[list[Message], tuple[int, Any]]:
    """The facts that a shard was given as messages to all; the strings of its part that are new, and the number of the
    first of them."""
    number, chunks, here.chunks = here.shard.number, here.chunks, []
    local = here.shard.program
    if not epoch.named:
        return list(encoded(local, number, chunks, _nameless)), (0, ())
    asking = Asking(
        number, local.shards, here.blocks.get(number, []), epoch.firsts.get(number, []), talk.mesh.swap
    )  # fmt: skip
    facts = list(encoded(local, number, chunks, asking))
    fresh = asking.fresh()
    if epoch.ordering:
        for part, block in talk.told_all(fresh[1]).items():
            here.symbols.add(part, block)
    return facts, fresh


class _Talk:
    """A meeting over connections: a shard tells each other one its report and its messages in one piece."""

    def __init__(self, number: int, shards: int, mesh: Mesh):
        self._number, self._shards, self.mesh = number, shards, mesh

    def swap(self, messages: Sequence[Message]) -> list[Message]:
        """What all have for this shard, this one included."""
        by_place: tuple[list[Message], list[Message]] = ([], [])
        for message in messages:
            by_place[message.target == self._number].append(message)
        _, came = self.meet(Told(Report(self._number), 0), by_place[0])
        return by_place[1] + came

    def told_all(self, strings: Any) -> dict[int, Any]:
        """Strings of all shards, for those of this one."""
        batch = blocks.packed_strings(strings)
        found = self.mesh.swap({peer: [batch] for peer in self.mesh.peers})
        others = {peer: blocks.unpacked_strings(pa.py_buffer(each)) for peer, each in found.items()}
        return {self._number: strings, **others}

    def meet(self, told: Told, messages: Sequence[Message]) -> tuple[list[Told], list[Message]]:
        head = (self._number, blocks.REPORT, str(told.outgoing), b"", json.dumps([told.late, asdict(told.report)]))
        by_target: dict[int, list[blocks.Row]] = {peer: [head] for peer in self.mesh.peers}
        for message in messages:
            by_target[message.target].append(blocks.packed_message(message, message.target, compressed=False))
        outgoing = {peer: [blocks.stream_of(rows)] for peer, rows in by_target.items()}
        found, all_told, came = self.mesh.swap(outgoing), {self._number: told}, []
        for peer in sorted(found):
            for _, kind, name, payload, note in blocks.streamed(found[peer]):
                if kind == blocks.REPORT:
                    late, report = json.loads(note)
                    all_told[peer] = Told(blocks.report_from(report), int(name), late)
                else:
                    came.append(blocks.unpacked_message(payload, note))
        return [all_told[peer] for peer in range(self._shards)], came


def _nameless(strings: Any, _: Mask) -> Column:
    """The ids of no strings."""
    return np.zeros(len(strings), np.int32)


def _note(number: int, member: Member, symbols: int) -> str:
    steps = [(each.outgoing, asdict(each.report)) for each in member.done]
    return json.dumps({"shard": number, "wrote": sorted(member.wrote), "symbols": symbols, "steps": steps})


def past_of(notes: Sequence[str]) -> tuple[set[str], int, list[list[Told]]]:
    """What a job wrote, how many strings it gave ids, and what its shards told of every step. Raises ValueError where
    they differ in its number."""
    found = sorted((json.loads(note) for note in notes), key=lambda each: int(each["shard"]))
    told = [[Told(blocks.report_from(report), outgoing) for outgoing, report in each["steps"]] for each in found]
    return (
        set(found[0]["wrote"]),
        sum(each["symbols"] for each in found),
        [list(step) for step in zip(*told, strict=True)],
    )


__all__ = ["ROUNDS", "SECONDS", "Epoch", "past_of", "rounds"]
