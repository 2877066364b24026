"""Copies of a relation: which shards have a tuple.

Most copies are by the hash of one column, the *key*. A value that a good part of a relation's rows have in the key is
*heavy*: the shard of its hash would have to join all of them alone. So a rule may have the rows of heavy values of one
of its atoms spread over all shards, by the hash of the whole row, and those of its other atoms in every shard: a row
that is spread meets all that it joins where it is, and each instantiation is still met in one shard.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...backends.embedded.keys import Column, Indices, Mask, Words, mix

ALL: Final = -1  # as a key: in every shard
ONE: Final = -2  # in the first shard alone
SPREAD: Final = "spread"
EACH: Final = "each"
_FEW: Final = 16  # shards for which looking at all tuples once each is cheaper than putting them in order
_ODD: Final = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True, order=True)
class Copy:
    """A relation's tuples by where they live. `key`: a column, ALL or ONE. `heavy`: those whose key is heavy are as all
    others (empty), SPREAD by the whole tuple, or in EACH shard."""

    relation: str
    key: int
    heavy: str = ""

    @property
    def name(self) -> str:
        key = {ALL: "all", ONE: "one"}.get(self.key, self.key)
        return f"{self.relation}#{key}{'/' if self.heavy else ''}{self.heavy}"

    @property
    def once(self) -> bool:
        """Whether each tuple is in one shard."""
        return self.key != ALL and self.heavy != EACH

    def targets(
        self, columns: Sequence[Column], size: int, shards: int, heavy: Column
    ) -> Iterator[tuple[int, slice | Column]]:
        """Which of some tuples each shard is to have. `heavy`: values, in order."""
        if not size:
            return
        if self.key == ALL:
            yield from ((target, slice(None)) for target in range(shards))
            return
        if self.key < 0 or shards == 1:
            yield 0, slice(None)
            return
        of = shard_of(columns[self.key], shards)
        there = is_heavy(columns[self.key], heavy).nonzero()[0] if self.heavy and len(heavy) else ()
        if not len(there):
            yield from parted(of, shards)
        elif self.heavy == SPREAD:
            of[there] = _shard_of_row([column[there] for column in columns], shards)
            yield from parted(of, shards)
        else:
            of[there] = -1
            for target in range(shards):
                places = ((of == target) | (of < 0)).nonzero()[0]
                yield target, places.astype(np.int32)


def shard_of(column: Column, shards: int) -> Indices:
    return (_mixed(column) % np.uint64(shards)).astype(np.intp)


def is_heavy(column: Column, heavy: Column) -> Mask:
    found: Mask = heavy[np.minimum(np.searchsorted(heavy, column), len(heavy) - 1)] == column
    return found


def parted(shards_of: Indices, shards: int) -> Iterator[tuple[int, slice | Column]]:
    if shards <= _FEW:
        for target in range(shards):
            places = np.flatnonzero(shards_of == target)
            if len(places):
                yield target, slice(None) if len(places) == len(shards_of) else places.astype(np.int32)
        return
    order = np.argsort(shards_of, kind="stable")
    ends = np.searchsorted(shards_of[order], np.arange(shards + 1))
    for target in range(shards):
        if ends[target] < ends[target + 1]:
            yield target, order[ends[target] : ends[target + 1]].astype(np.int32)


def _mixed(column: Column) -> Words:
    return mix(column.view(np.uint32).astype(np.uint64) + _ODD)


def _shard_of_row(columns: Sequence[Column], shards: int) -> Indices:
    words = np.zeros(len(columns[0]), np.uint64)
    for column in columns:
        words = mix(words ^ _mixed(column))
    return (words % np.uint64(shards)).astype(np.intp)


__all__ = ["ALL", "EACH", "ONE", "SPREAD", "Copy", "is_heavy", "parted", "shard_of"]
