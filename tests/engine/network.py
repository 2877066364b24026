"""Shards in one process, with a network between them that does its worst: messages come in any order, in any batch,
late, and more than once. Without chance each shard is made again before each step from what would be sent of it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import pyarrow as pa
from oracle import State

from pliant.engine import Batch, Program
from pliant.engine.backends.embedded.relation import NEW, Relation
from pliant.engine.backends.spark import blocks
from pliant.engine.facts import constant_words, encode, to_values
from pliant.engine.strategies.pipelined.conductor import Conductor, Step, by_storage
from pliant.engine.strategies.pipelined.localise import LocalProgram, localise
from pliant.engine.strategies.pipelined.messages import Message
from pliant.engine.strategies.pipelined.report import Report
from pliant.engine.strategies.pipelined.shard import Shard
from pliant.engine.symbols import SymbolTable


class Network:
    """A transport. A step delivers some of what is under way, to some shards, until nothing is."""

    def __init__(self, local: LocalProgram, symbols: SymbolTable, constants: np.ndarray, random: Random | None):
        self.shards = [Shard(n, local, {}, constants, symbols.compare) for n in range(local.shards)]
        self.random = random
        self.under_way: list[Message] = []
        self.exchanges = 0

    @property
    def waiting(self) -> int:
        return len(self.under_way)

    def step(self, step: Step) -> list[Report]:
        self.exchanges += bool(self.under_way)
        index, settings = step.received
        for shard in self.shards:
            shard.finish(step.finish)
        if self.random is None:
            self.shards = [self._made_again(shard) for shard in self.shards]
            self._deliver(index, settings, self.under_way)
        else:
            while self.under_way and (step.begins or step.finish or self.random.random() < 0.8):
                many = self.random.randint(1, len(self.under_way))
                batch = self.random.sample(self.under_way, many)
                again = [message for message in batch if self.random.random() < 0.2]
                left = {id(message) for message in batch} - {id(message) for message in again}
                self.under_way = [message for message in self.under_way if id(message) not in left]
                self._deliver(index, settings, batch, keep=True)
        for phase, of, begun in step.begins:
            for shard in self.shards:
                shard.begin(phase, of, begun)
        self._collect()
        return [shard.reported() for shard in self.shards]

    def _made_again(self, shard: Shard) -> Shard:
        """The shard as another process has it that was sent the relations with any rows."""
        assert not shard.pending and not shard.losses and not shard.deaths
        relations = {
            name: blocks.unpacked_relation(name, pa.py_buffer(payload), note)
            for name, relation in shard.relations.items()
            if relation.size
            for payload, note in [blocks.packed_relation(relation)]
        }
        executor = shard.executor
        made = Shard(shard.number, shard.program, relations, executor.constants, executor.compare_symbols)
        made.tables = {
            name: blocks.unpacked_counts(pa.py_buffer(blocks.packed_counts(table)))
            for name, table in shard.tables.items()
        }
        return made

    def _deliver(self, index: int, settings, batch: list[Message], keep: bool = False) -> None:  # type: ignore[no-untyped-def]
        batch = list(batch)
        if not keep:
            self.under_way = []
        for shard in self.shards:
            shard.receive(index, settings, [message for message in batch if message.target == shard.number])
        self._collect()

    def _collect(self) -> None:
        for shard in self.shards:
            self.under_way.extend(shard.send())

    def remember(self, names: frozenset[str]) -> Callable[[], None]:
        copies = [{name: shard.named(name).copy() for name in names} for shard in self.shards]

        def bring_back() -> None:
            self.under_way = []
            for shard, copy in zip(self.shards, copies, strict=True):
                shard.relations.update(copy)
                shard.pending, shard.losses, shard.deaths = {}, [], {}
                list(shard.out.messages())

        return bring_back


class Sharded:
    """An evaluation in shards."""

    def __init__(self, program: Program, batch: Batch, shards: int, random: Random | None = None, ahead: bool = True):
        self.program, self.symbols = program, SymbolTable()
        facts = encode(program, batch, self.symbols)
        sizes = {name: size for name, (_, size) in facts.items()}
        self.local = localise(program, shards, sizes)
        self.network = Network(self.local, self.symbols, constant_words(program, self.symbols), random)
        self.conductor = Conductor(self.local, self.network, ahead)
        self.network.under_way = list(by_storage(self.local, facts, +1))
        self.conductor.bootstrap()

    def update(self, insert: Batch, delete: Batch, strategy: str, switch: float = 0.2) -> None:
        gone = encode(self.program, delete, self.symbols, intern=False)
        came = encode(self.program, insert, self.symbols)
        # A fact that comes and goes stays: what is inserted is not deleted.
        messages = [*by_storage(self.local, came, +1), *self._without(gone, came)]
        self.network.under_way = messages
        self.conductor.update(strategy, switch)

    def _without(self, gone, came):  # type: ignore[no-untyped-def]
        kept = {}
        for name, (columns, _) in gone.items():
            stays = set(zip(*came[name][0], strict=True)) if name in came and came[name][0] else set()
            if not columns:
                if name not in came or not came[name][1]:
                    kept[name] = gone[name]
                continue
            mask = np.array([row not in stays for row in zip(*columns, strict=True)], np.bool_)
            kept[name] = [column[mask] for column in columns], int(mask.sum())
        return by_storage(self.local, kept, -1)

    def state(self) -> State:
        """Level and count of every tuple of every declared relation, from its home; all copies have to agree."""
        found: State = {}
        for name in self.program.stored:
            kinds = self.program.stored[name].kinds
            whole: dict[tuple[str | int, ...], tuple[int, int]] = {}
            for shard in self.network.shards:
                relation = shard.relation(self.local.homes[name])
                tuples, levels, counts = self.tuples(relation, kinds)
                part = dict(zip(tuples, zip(levels, counts, strict=True), strict=True))
                assert len(part) == len(tuples) and not part.keys() & whole.keys()
                whole.update(part)
            self.check_copies(name, whole)
            found[name] = whole
        return found

    def check_copies(self, name: str, whole: dict[tuple[str | int, ...], tuple[int, int]]) -> None:
        kinds = self.program.stored[name].kinds
        for copy in {each for each in self.local.copies() if each.relation == name}:
            parts = [set(self.tuples(shard.relation(copy), kinds)[0]) for shard in self.network.shards]
            if copy.key == -1:
                assert all(part == whole.keys() for part in parts), copy
            else:
                assert set().union(*parts) == whole.keys() and sum(map(len, parts)) == len(whole), copy

    def totals(self) -> dict[str, dict[tuple[str | int, ...], int]]:
        found: dict[str, dict[tuple[str | int, ...], int]] = {}
        for name in self.program.stored:
            for shard in self.network.shards:
                relation = shard.relation(self.local.homes[name])
                if relation.total is not None:
                    tuples, _, _ = self.tuples(relation, self.program.stored[name].kinds)
                    totals = relation.total[relation.rows_in(NEW)].tolist()
                    found.setdefault(name, {}).update(zip(tuples, totals, strict=True))
        return {name: of_name for name, of_name in found.items() if of_name}

    def tuples(self, relation: Relation, kinds):  # type: ignore[no-untyped-def]
        rows = relation.rows_in(NEW)
        columns = []
        for column, kind in zip(relation.columns, kinds, strict=True):
            values = to_values(column[rows], kind)
            columns.append(self.symbols.take(values).to_pylist() if kind == "symbol" else values.tolist())
        tuples = list(zip(*columns, strict=True)) if columns else [()] * len(rows)
        levels = [0] * len(rows) if relation.level is None else relation.level[rows].tolist()
        counts = [1] * len(rows) if relation.count is None else relation.count[rows].tolist()
        return tuples, levels, counts
