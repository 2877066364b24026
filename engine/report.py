"""What an epoch did: for each stratum the strategy, why, and how much; and the differences it made."""

from __future__ import annotations

from collections.abc import Sequence
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
class RuleCost:
    """What the runs of a rule from one of its atoms cost. `driven`: rows that the runs started from. `joined`: rows
    that their joins put out, partial instantiations included. `seconds`: of the joins, not of what becomes of heads."""

    rule: str
    driver: str  # the relation of the atom, `head` for derivations of given tuples
    runs: int = 0
    driven: int = 0
    joined: int = 0
    instantiations: int = 0
    seconds: float = 0.0


def profile_text(profile: Sequence[RuleCost], most: int = 20) -> str:
    """The costliest first, one a line."""
    lines = ["  seconds     runs     driven      joined  instantiations  from"]
    lines.extend(
        f"{cost.seconds:9.3f} {cost.runs:8,} {cost.driven:10,} {cost.joined:11,} {cost.instantiations:15,}  "
        f"{cost.driver}: {' '.join(cost.rule.split())}"
        for cost in sorted(profile, key=lambda cost: -cost.seconds)[:most]
    )
    return "\n".join(lines)


@dataclass(slots=True)
class Difference:
    """What an update changed, in inputs and outputs: relation -> rows of ids and values, shape (n, arity)."""

    inserted: dict[str, Rows] = field(default_factory=dict)
    deleted: dict[str, Rows] = field(default_factory=dict)
    strata: list[StratumReport] = field(default_factory=list)
    input_changes: int = 0
    output_changes: int = 0
