"""What an epoch did: for each stratum the strategy, why, and how much; and the differences it made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from .datalog.plan import CompiledRule
from .facts import Rows


@dataclass(frozen=True, slots=True)
class StratumReport:
    """`instantiations`: rule instantiations met. `levels`: levels at which something happened. `seconds`: without
    those that comparing takes, where a stratum was evaluated from nothing and somebody asks what changed."""

    relations: tuple[str, ...]
    strategy: str
    reason: str
    instantiations: int
    count_tuples: Callable[[], int]
    levels: int
    seconds: float

    @property
    def tuples(self) -> int:
        """Tuples of the stratum that changed; all, after a Bootstrap from nothing."""
        return self.count_tuples()

    def told(self) -> dict[str, object]:
        """All of it, to be written as JSON."""
        names = ("relations", "strategy", "reason", "instantiations", "tuples", "levels", "seconds")
        return {name: getattr(self, name) for name in names}


@dataclass(slots=True)
class RuleCost:
    """What the runs of a rule from one of its atoms cost. `driven`: rows that the runs started from. `joined`: rows
    that their joins put out, partial instantiations included. `seconds`: of the joins, not of what becomes of heads."""

    of: CompiledRule
    driver: str  # the relation of the atom, `head` for derivations of given tuples
    runs: int = 0
    driven: int = 0
    joined: int = 0
    instantiations: int = 0
    seconds: float = 0.0

    @property
    def rule(self) -> str:
        """Its text."""
        source = self.of.source
        return source.text if source is not None else f"{self.of.head} from {self.of.body[0].relation}"


def profile_text(profile: Sequence[RuleCost], most: int = 20) -> str:
    """The costliest first, one a line."""
    lines = ["  seconds     runs     driven      joined  instantiations  from"]
    lines.extend(
        f"{cost.seconds:9.3f} {cost.runs:8,} {cost.driven:10,} {cost.joined:11,} {cost.instantiations:15,}  "
        f"{cost.driver}: {' '.join(cost.rule.split())}"
        for cost in sorted(profile, key=lambda cost: -cost.seconds)[:most]
    )
    return "\n".join(lines)


class Changed(Mapping[str, Rows]):
    """Relation -> rows of ids and values, shape (n, arity), each put together when it is first asked for."""

    def __init__(self, made: Mapping[str, Callable[[], Rows]] | None = None):
        self._made = dict(made or {})
        self._rows: dict[str, Rows] = {}

    def __getitem__(self, name: str) -> Rows:
        rows = self._rows.get(name)
        if rows is None:
            rows = self._rows[name] = self._made[name]()
            self._made[name] = lambda: np.zeros((0, 0), np.int64)  # lets go of what the rows were made from
        return rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)


@dataclass(slots=True)
class Difference:
    """What an update changed, in inputs and outputs."""

    inserted: Mapping[str, Rows] = field(default_factory=Changed)
    deleted: Mapping[str, Rows] = field(default_factory=Changed)
    strata: list[StratumReport] = field(default_factory=list)
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()

    @property
    def input_changes(self) -> int:
        return sum(len(self.inserted[name]) + len(self.deleted[name]) for name in self.inputs)

    @property
    def output_changes(self) -> int:
        return sum(len(self.inserted[name]) + len(self.deleted[name]) for name in self.outputs)
