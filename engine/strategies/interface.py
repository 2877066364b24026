"""What a strategy is given, what it hands back, and what it may keep of a stratum between epochs."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from ..backends.embedded.execute import Executor
from ..backends.embedded.keys import Column
from ..backends.embedded.relation import Relation
from ..datalog.plan import CompiledRule, Plan
from ..datalog.program import Stratum
from .level_counts import LevelCounts

if TYPE_CHECKING:
    from .derivation_sets import DerivationSets


class Plans(Protocol):
    """What strategies ask of a program."""

    def plan(self, rule: CompiledRule, driver: int) -> Plan: ...


@dataclass(slots=True)
class Kept:
    """By stratum. `work`: what its last evaluation from nothing cost, in joined rows (backends/embedded/prices.py).
    `paid`: what elastic knows of what updates cost, and the changes that this was for.
    `level_counts`: of each relation the counts of all levels, if the strategy that touched the stratum last keeps them.
    `touched`: which strategy that was, since the evaluation was made or opened. `derivations`: derivation sets, if that
    strategy keeps them; they name rows of relations, so copies go without."""

    work: dict[int, int] = field(default_factory=dict)
    paid: dict[int, tuple[float, float]] = field(default_factory=dict)
    level_counts: dict[int, dict[str, LevelCounts]] = field(default_factory=dict)
    touched: dict[int, str] = field(default_factory=dict)
    derivations: dict[int, DerivationSets] = field(default_factory=dict)

    def copy(self) -> Kept:
        tables = {index: {name: table.copy() for name, table in of.items()} for index, of in self.level_counts.items()}
        return Kept(dict(self.work), dict(self.paid), tables, dict(self.touched))

    @property
    def nbytes(self) -> int:
        """Bytes of memory that counting's tables and the derivation sets of `pipelined` take."""
        tables = sum(table.nbytes for of in self.level_counts.values() for table in of.values())
        return tables + sum(sets.nbytes for sets in self.derivations.values())

    def renumber(self, index: int, name: str, kept: Column, size: int) -> None:
        """Of `size` rows of a relation only `kept` are left, in this order."""
        table = self.level_counts.get(index, {}).get(name)
        if table is not None:
            table.renumber(kept, size)


@dataclass(slots=True)
class Task:
    """A stratum to bring up to date with the changes that are marked in the rows of lower relations.

    `changes`: how many rows are so marked. `switch`: the switching parameter of elastic.
    """

    program: Plans
    stratum: Stratum
    relations: MutableMapping[str, Relation]
    executor: Executor
    kept: Kept
    changes: int = 0
    switch: float = 0.0

    @property
    def counted(self) -> bool:
        """Whether the counts of the stratum's tuples are known."""
        loaded = (self.relations.get(name) for name in self.stratum.relations)  # saved ones have counts
        return not any(relation is not None and relation.count is None for relation in loaded)


@dataclass(slots=True)
class Outcome:
    """What was done to a stratum. `work` counts the rows that joins put out, partial instantiations included.
    `strategy` is what was used in the end; "" stands for the one that was asked for."""

    instantiations: int
    work: int
    levels: int
    strategy: str = ""
    reason: str = "asked for"


@dataclass(frozen=True, slots=True)
class Strategy:
    """`start` fills a stratum whose relations are empty; `maintain` brings it from its old state to the new one, and
    marks what changed in the rows of its relations. `summary` is one sentence."""

    name: str
    summary: str
    start: Callable[[Task], Outcome]
    maintain: Callable[[Task], Outcome]


__all__ = ["Kept", "Outcome", "Plans", "Strategy", "Task"]
