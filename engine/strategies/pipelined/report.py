"""How a shard is to work, and what it tells of a step."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Settings:
    """`ahead`: whether a shard goes on with what it derives itself before it sends. `fresh`: the stratum's relations
    are empty. `level`: the level in turn of a stratum that climbs, or the one that it had climbed to; -1 elsewhere.
    `overdelete`: whatever loses an instantiation is dead, as in delete-and-rederive. `strategy`, `switch`, `work`: for
    closed strata, and what the stratum's last evaluation from nothing cost a shard."""

    ahead: bool = True
    fresh: bool = True
    overdelete: bool = False
    strategy: str = "bootstrap"
    switch: float = 0.0
    work: int = 0
    level: int = -1


@dataclass(slots=True)
class Report:
    """What a shard did in a step. `died`: tuples that lost their level. `rose`:
    new tuples at the level in turn. `asks`: what it sends may be answered.
    `changes`: relation -> (inserted, deleted, size), at homes, when it is published. `strata`: index -> (work,
    instantiations, levels), of which the whole is made. `chosen`: of closed strata, index -> (strategy, reason)."""

    shard: int = 0
    work: int = 0
    instantiations: int = 0
    arrived: int = 0
    levels: int = 0
    died: int = 0
    rose: int = 0
    asks: bool = False
    sent_rows: int = 0
    sent_bytes: int = 0
    received_rows: int = 0
    held_rows: int = 0
    seconds: float = 0.0
    chosen: dict[str, tuple[str, str]] = field(default_factory=dict)
    strata: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    changes: dict[str, tuple[int, int, int]] = field(default_factory=dict)


__all__ = ["Report", "Settings"]
