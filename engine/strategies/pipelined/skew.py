"""Heavy values: those that so many rows of an input have in a column that one shard would join most of it alone.

What a value costs where a rule joins on it grows with the pairs of rows that have it, so a value is heavy by its part
of all pairs of rows that agree in the column: half of what each shard has if all have alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...backends.embedded.keys import Column, Mask

PART: Final = 0.5  # of a shard's share, from which on a value is heavy
LEAST: Final = 1 << 10  # rows that have it
_SAMPLE: Final = 1 << 18  # rows of a column that are looked at


@dataclass(frozen=True, slots=True)
class Share:
    """Of a column: the part of its rows that have a heavy value, and the largest part of the pairs of rows that agree
    in it that one value has."""

    rows: float
    pairs: float


@dataclass(frozen=True, slots=True)
class Skew:
    """`heavy`: values as they are stored, in order; of whatever column, since a value that is heavy where it need not
    be costs little. `shares`: of the columns of stored inputs that have any."""

    heavy: Column = field(default_factory=lambda: np.zeros(0, np.int32))
    shares: Mapping[tuple[str, int], Share] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Limits:
    """`part`, `least`: from which on a value is heavy. PART of a shard's share, and LEAST rows, if nothing else is
    said."""

    part: float = PART
    least: int = LEAST


def heavy_among(counts: NDArray[Any], size: int, shards: int, limits: Limits) -> tuple[Mask, Share]:
    """Which values of a column of `size` rows are heavy, from how many rows have each; values that few have may be
    missing."""
    pairs = counts.astype(np.float64) ** 2
    part = pairs / max(float(pairs.sum()), 1.0)
    heavy = (part * shards >= limits.part) & (counts >= limits.least)
    rows = float(counts[heavy].sum()) / max(size, 1)
    return heavy, Share(rows, float(part[heavy].max(initial=0.0)))


def skew_of(facts: Mapping[str, tuple[Sequence[Column], int]], shards: int, limits: Limits | None = None) -> Skew:
    """Of stored inputs: the columns of each, and how many rows there are. Of long columns a sample is looked at."""
    heavy: list[Column] = []
    shares: dict[tuple[str, int], Share] = {}
    limits = limits or Limits()
    if shards == 1:
        return Skew()
    for name, (columns, size) in facts.items():
        step = 1 + size // _SAMPLE
        for index, column in enumerate(columns if len(columns) > 1 else ()):  # rows of one column differ in it
            values, counts = np.unique(column[::step], return_counts=True)
            chosen, share = heavy_among(counts * step, size, shards, limits)
            if chosen.any():
                shares[name, index] = share
                heavy.append(values[chosen].astype(np.int32))
    return Skew(np.unique(np.concatenate(heavy)).astype(np.int32), shares) if heavy else Skew()


def as_json(skew: Skew) -> dict[str, Any]:
    shares = [[*column, share.rows, share.pairs] for column, share in sorted(skew.shares.items())]
    return {"heavy": skew.heavy.tolist(), "shares": shares}


def from_json(fields: Mapping[str, Any]) -> Skew:
    """Raises KeyError, ValueError, TypeError."""
    shares = {(str(name), int(at)): Share(float(rows), float(pairs)) for name, at, rows, pairs in fields["shares"]}
    return Skew(np.array(fields["heavy"], np.int32), shares)


__all__ = ["LEAST", "PART", "Limits", "Share", "Skew", "as_json", "from_json", "heavy_among", "skew_of"]
