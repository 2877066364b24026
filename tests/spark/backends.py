"""The places where the suite of strategies runs: the embedded engine, shards in this process, and Spark."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from network import Sharded
from programs import Facts, batch, check_state, rebuilt, state, totals
from test_maintenance import Set, changed

from pliant.engine import Batch, Evaluation, Program
from pliant.engine.backends.spark.evaluation import SparkEvaluation
from pliant.engine.strategies.pipelined.conductor import STRATEGIES as IN_SHARDS
from pliant.engine.strategies.registry import STRATEGIES

IN_TURN: Final = "in turn"


@dataclass(frozen=True)
class Case:
    """A program, facts, and what every epoch inserts and deletes."""

    name: str
    text: str
    start: Set
    epochs: tuple[tuple[Set, Set], ...]


def merged(cases: Sequence[Case]) -> Case:
    """Programs side by side as one, with names of their own: on Spark epochs of many cost what those of one do."""
    parts = [_renamed(case, f"p{number}_") for number, case in enumerate(cases)]
    most = max(len(part.epochs) for part in parts)
    epochs = []
    for index in range(most):
        there = [part.epochs[index] for part in parts if index < len(part.epochs)]
        insert, delete = ({name: rows for one in there for name, rows in one[way].items()} for way in (0, 1))
        epochs.append((insert, delete))
    start = {name: rows for part in parts for name, rows in part.start.items()}
    return Case("all", "\n".join(part.text for part in parts), start, tuple(epochs))


def _renamed(case: Case, prefix: str) -> Case:
    names = re.findall(r"\.decl\s+(\w+)", case.text)
    pattern = re.compile(rf'"[^"]*"|\b(?:{"|".join(names)})\b')
    return replace(
        case,
        text=pattern.sub(lambda match: match[0] if match[0][0] == '"' else prefix + match[0], case.text),
        start=_prefixed(case.start, prefix),
        epochs=tuple((_prefixed(insert, prefix), _prefixed(delete, prefix)) for insert, delete in case.epochs),
    )


def _prefixed(facts: Set, prefix: str) -> Set:
    return {prefix + name: rows for name, rows in facts.items()}


class Place(Protocol):
    """An evaluation somewhere. `check`: it is what `expected` is."""

    def update(self, insert: Batch, delete: Batch, strategy: str) -> Any: ...
    def check(self, expected: Evaluation) -> None: ...


class Embedded:
    strategies = tuple(STRATEGIES)

    def __init__(self, program: Program, facts: Facts, strategy: str):
        self.evaluation = Evaluation.bootstrap(program, batch(facts), "bootstrap" if strategy == IN_TURN else strategy)

    def update(self, insert: Batch, delete: Batch, strategy: str) -> None:
        self.evaluation.update(insert, delete, strategy)

    def check(self, expected: Evaluation) -> None:
        check_state(self.evaluation, state(expected))
        if not self.evaluation.uncounted():
            assert self.evaluation.digest() == expected.digest()
            assert totals(self.evaluation) == totals(rebuilt(self.evaluation))


class Shards:
    """Two in this process, and between steps each goes through what Spark would keep of it."""

    strategies = IN_SHARDS

    def __init__(self, program: Program, facts: Facts, strategy: str):
        self.found = Sharded(program, batch(facts), 2)

    def update(self, insert: Batch, delete: Batch, strategy: str) -> None:
        self.found.update(insert, delete, strategy)

    def check(self, expected: Evaluation) -> None:
        whole = self.found.state()
        assert {name: whole[name] for name in expected.program.schemas} == state(expected)
        assert self.found.digest() == expected.digest()


class OnSpark:
    strategies = IN_SHARDS

    def __init__(self, spark: Any, shards: int, program: Program, facts: Facts):
        self.found = SparkEvaluation.bootstrap(spark, program, batch(facts), shards=shards)

    def update(self, insert: Batch, delete: Batch, strategy: str) -> None:
        self.found.update(insert, delete, strategy)

    def check(self, expected: Evaluation) -> None:
        assert self.found.digest() == expected.digest()


def follow(place: Place, program: Program, case: Case, strategy: str, first: int = 0) -> None:
    """All epochs of a case, each compared with an evaluation from nothing. `first`: where strategies in turn begin."""
    now = case.start
    place.check(Evaluation.bootstrap(program, batch(now)))
    for number, (insert, delete) in enumerate(case.epochs):
        turn = IN_SHARDS[(first + number) % len(IN_SHARDS)] if strategy == IN_TURN else strategy
        place.update(batch(insert), batch(delete), turn)
        now = changed(now, insert, delete)
        place.check(Evaluation.bootstrap(program, batch(now)))


__all__ = ["IN_TURN", "Case", "Embedded", "OnSpark", "Place", "Shards", "follow", "merged"]
