"""What an epoch did: for each stratum the strategy, why, and how much; and the differences it made."""

from __future__ import annotations

from dataclasses import dataclass, field

from .facts import Rows


@dataclass(frozen=True, slots=True)
class StratumReport:
    """`instantiations`: rule instantiations met. `tuples`: tuples of the stratum that changed (all, after a Bootstrap
    from nothing). `levels`: levels at which something happened."""

    relations: tuple[str, ...]
    strategy: str
    reason: str
    instantiations: int
    tuples: int
    levels: int
    seconds: float


@dataclass(slots=True)
class Difference:
    """What an update changed, in inputs and outputs: relation -> rows of ids and values, shape (n, arity)."""

    inserted: dict[str, Rows] = field(default_factory=dict)
    deleted: dict[str, Rows] = field(default_factory=dict)
    strata: list[StratumReport] = field(default_factory=list)
    input_changes: int = 0
    output_changes: int = 0
