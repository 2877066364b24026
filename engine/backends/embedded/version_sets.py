"""Sets of up to 64 versions as 64-bit words: rows with equal columns put together, and sets united by place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from .keys import EXACT_WIDTH, Column, Indices, Mask, Words, order_of, pack, pack_bits, starts_of, unpack, unpack_bits

MOST_VERSIONS: Final = 64


def everywhere(count: int) -> np.uint64:
    """The set of `count` versions."""
    return np.uint64((1 << count) - 1)


def has(sets: Words, version: int) -> Mask:
    """Which of the sets have a version."""
    held: Mask = (sets & np.uint64(1 << version)) != 0
    return held


def unite(into: Words, places: Indices, sets: Words) -> None:
    """`into[p] |= s` for each of the places with its set; a place may come several times."""
    if not len(places):
        return
    if (places[1:] < places[:-1]).any():
        order = np.argsort(places, kind="stable")
        places, sets = places[order], sets[order]
    starts = starts_of(places[1:] != places[:-1])
    into[places[starts]] |= np.bitwise_or.reduceat(sets, starts)


def consolidate_sets(columns: Sequence[Column], size: int, sets: Words) -> tuple[list[Column], Words]:
    """Distinct rows, each with all versions of the rows that equal it."""
    width = len(columns)
    if size == 0:
        return [column[:0] for column in columns], sets[:0]
    exact = width <= EXACT_WIDTH
    packed = None if exact else pack_bits([(columns, size)])
    if exact or packed is not None:
        words = pack(columns, size) if packed is None else packed[0][0]
        order = order_of(words)
        words = words[order]
        starts = starts_of(words[1:] != words[:-1])
        found = unpack(words[starts], width) if packed is None else unpack_bits(words[starts], packed[1])
    else:
        order = np.lexsort(list(reversed(columns)))
        differs = np.zeros(size - 1, np.bool_)
        for column in columns:
            ordered = column[order]
            differs |= ordered[1:] != ordered[:-1]
        starts = starts_of(differs)
        found = [column[order[starts]] for column in columns]
    return found, np.bitwise_or.reduceat(sets[order], starts)


__all__ = ["MOST_VERSIONS", "consolidate_sets", "everywhere", "has", "unite"]
