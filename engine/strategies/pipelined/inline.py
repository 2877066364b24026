"""Shards one after another in this process: what tests and measurements of the strategies run without a cluster."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ...datalog.program import Program
from ...digest import combine, relation_digest
from ...facts import Batch, constant_words, encode
from ...symbols import SymbolTable
from ..elastic import DEFAULT_SWITCH
from .conductor import MANY_LEVELS, Conductor
from .localise import LocalProgram, localise
from .messages import Message
from .report import Report
from .routing import by_storage
from .shard import Shard
from .skew import Limits, skew_of
from .steps import Step

Encoded = Mapping[str, tuple[list[Any], int]]


class Inline:
    """A transport. `busiest`: processor seconds of the shard that worked longest in each step, summed."""

    def __init__(self, local: LocalProgram, symbols: SymbolTable, constants: Any):
        self.shards = [Shard(number, local, {}, constants, symbols.compare) for number in range(local.shards)]
        self.under_way: list[Message] = []
        self.busiest = 0.0

    @property
    def waiting(self) -> int:
        return len(self.under_way)

    def step(self, step: Step) -> list[Report]:
        came, self.under_way = self.under_way, []
        took = []
        for shard in self.shards:
            started = time.process_time()
            shard.finish(step.finish)
            shard.receive(*step.received, [message for message in came if message.target == shard.number])
            for phase, index, settings in step.begins:
                shard.begin(phase, index, settings)
            self.under_way.extend(shard.send())
            took.append(time.process_time() - started)
        self.busiest += max(took)
        reports = [shard.reported() for shard in self.shards]
        for report, seconds in zip(reports, took, strict=True):
            report.seconds = seconds
        return reports

    def remember(self, names: frozenset[str]) -> Callable[[bool], None]:
        copies = [{name: shard.named(name).copy() for name in names} for shard in self.shards]

        def end(back: bool) -> None:
            if back:
                self.under_way = []
                for shard, copy in zip(self.shards, copies, strict=True):
                    shard.bring_back(copy)

        return end


class InlineEvaluation:
    """An evaluation in shards. `transport` makes what takes the steps. `limits`: from which on a value is heavy."""

    def __init__(
        self,
        program: Program,
        batch: Batch,
        shards: int,
        ahead: bool = True,
        climb: int = MANY_LEVELS,
        transport: Callable[[LocalProgram, SymbolTable, Any], Inline] = Inline,
        limits: Limits | None = None,
    ):
        self.program, self.symbols = program, SymbolTable()
        facts = encode(program, batch, self.symbols)
        sizes = {name: size for name, (_, size) in facts.items()}
        self.local = localise(program, shards, sizes, skew_of(facts, shards, limits))
        self.transport = transport(self.local, self.symbols, constant_words(program, self.symbols))
        self.conductor = Conductor(self.local, self.transport, ahead, climb)
        self.transport.under_way = list(by_storage(self.local, facts, +1))
        self.conduct("bootstrap")

    def conduct(self, method: str, *arguments: Any) -> None:
        getattr(self.conductor, method)(*arguments)

    def update(self, insert: Batch, delete: Batch, strategy: str = "elastic", switch: float = DEFAULT_SWITCH) -> None:
        gone = encode(self.program, delete, self.symbols, intern=False)
        came = encode(self.program, insert, self.symbols)
        self.transport.under_way, self.transport.busiest = list(self.changes(gone, came)), 0.0
        given = sorted({*gone, *came})
        self.conduct("update", strategy, switch, given)

    def changes(self, gone: Encoded, came: Encoded) -> Iterator[Message]:
        """What goes before what comes: a fact in both ends present."""
        yield from by_storage(self.local, gone, -1)
        yield from by_storage(self.local, came, +1)

    def digest(self) -> str:
        sums: dict[str, tuple[int, int]] = {}
        for name, schema in self.program.stored.items():
            parts = [
                relation_digest(shard.relation(self.local.homes[name]), schema.kinds, self.symbols)
                for shard in self.transport.shards
            ]
            sums[name] = sum(part[0] for part in parts) % 2**64, sum(part[1] for part in parts) % 2**64
        return combine(self.program.hash, sums.items())


__all__ = ["Inline", "InlineEvaluation"]
