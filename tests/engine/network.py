"""Shards in one process, with a network between them that does its worst: messages come in any order, in any batch,
late, and more than once. Without chance each shard is made again before each step from what would be sent of it."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pyarrow as pa
from oracle import State

from pliant.engine import Batch, Program
from pliant.engine.backends.embedded.relation import NEW, Relation
from pliant.engine.backends.spark import blocks
from pliant.engine.facts import to_values
from pliant.engine.strategies.pipelined.conductor import SMALL_LEVELS
from pliant.engine.strategies.pipelined.copies import ALL, EACH
from pliant.engine.strategies.pipelined.inline import Inline, InlineEvaluation
from pliant.engine.strategies.pipelined.localise import LocalProgram
from pliant.engine.strategies.pipelined.messages import LAST, Message
from pliant.engine.strategies.pipelined.report import Report
from pliant.engine.strategies.pipelined.routing import by_storage
from pliant.engine.strategies.pipelined.shard import Shard
from pliant.engine.strategies.pipelined.skew import Limits
from pliant.engine.strategies.pipelined.steps import Step
from pliant.engine.symbols import SymbolTable


class Network(Inline):
    """A transport. A step delivers some of what is under way, to some shards, until nothing is."""

    random: Random | None = None

    def step(self, step: Step) -> list[Report]:
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
        reports = [shard.reported() for shard in self.shards]
        reports[0].asks |= any(message.kind not in LAST for message in self.under_way)  # also what is late
        return reports

    def _made_again(self, shard: Shard) -> Shard:
        """The shard as another process has it that was sent the relations with any rows."""
        assert not shard.pending and not shard.losses and not shard.deaths and not shard.risen
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


class Sharded(InlineEvaluation):
    """An evaluation in shards over such a network."""

    def __init__(
        self,
        program: Program,
        batch: Batch,
        shards: int,
        random: Random | None = None,
        ahead: bool = True,
        climb: int = SMALL_LEVELS,
        kind: type[Network] = Network,
        limits: Limits | None = None,
    ):
        def network(local: LocalProgram, symbols: SymbolTable, constants: np.ndarray) -> Inline:
            made = kind(local, symbols, constants)
            made.random = random
            return made

        super().__init__(program, batch, shards, ahead, climb, network, limits)

    def changes(self, gone, came):  # type: ignore[no-untyped-def]
        """A fact that comes and goes stays: what is inserted is not deleted, in whatever order."""
        return [*by_storage(self.local, came, +1), *self._without(gone, came)]

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
            for shard in self.transport.shards:
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
            parts = [set(self.tuples(shard.relation(copy), kinds)[0]) for shard in self.transport.shards]
            if copy.key == ALL:
                assert all(part == whole.keys() for part in parts), copy
            elif copy.heavy == EACH:
                assert set().union(*parts) == whole.keys()
                often = Counter(each for part in parts for each in part)
                assert set(often.values()) <= {1, len(parts)}, copy
            else:
                assert set().union(*parts) == whole.keys() and sum(map(len, parts)) == len(whole), copy

    def totals(self) -> dict[str, dict[tuple[str | int, ...], int]]:
        found: dict[str, dict[tuple[str | int, ...], int]] = {}
        for name in self.program.stored:
            for shard in self.transport.shards:
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
