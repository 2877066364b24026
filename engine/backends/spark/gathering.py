"""Facts of any source as chunks, and what is to be known of them before a program is localised: in one pass.

A chunk is a row (`blocks`): some facts of an input, with the strings that they were found with. Its key is a number
that says nothing of shards, since how many there will be is known when the facts are counted. What a task has seen of
an input is a row as well: how many facts, which values are frequent in a column, a sum over the facts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import pyarrow as pa

from ...datalog.syntax import Kind
from ...errors import FactError
from ...symbols import as_strings, hash_strings
from ..embedded.keys import Words, mix
from . import blocks
from .blocks import Row

CHUNK_ROWS: Final = 100_000  # the more, the fewer strings are in several chunks
_TARGETS: Final = 1 << 20
_TOP: Final = 64  # values of a column that a task tells of
_LOOKED: Final = 1 << 13  # numbers of a chunk that are looked at, about
_ODD: Final = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True)
class Gathering:
    """`kinds`: of the columns of inputs. `sign`: facts come (+1) or go (-1). `values`: whether frequent values are
    looked for; `sums`: whether facts are summed."""

    kinds: Mapping[str, tuple[Kind, ...]]
    sign: int = 1
    values: bool = False
    sums: bool = False


@dataclass(slots=True)
class _Seen:
    """Of an input. `frequent`: of columns, values as text, with about how many facts have each."""

    size: int = 0
    sum: int = 0
    frequent: dict[int, dict[str, int]] = field(default_factory=dict)


class Gatherer:
    """What one task is given of any inputs, piece by piece."""

    def __init__(self, gathering: Gathering):
        self._gathering = gathering
        self._waiting: dict[str, list[list[Any]]] = {}
        self._sizes: dict[str, int] = {}
        self._seen: dict[str, _Seen] = {}
        self._chunks = 0

    def add(self, name: str, columns: Sequence[Any], size: int) -> Iterator[Row]:
        """Facts of an input: a column of strings or integers for each of its own. Raises FactError."""
        kinds = self._gathering.kinds[name]
        self._waiting.setdefault(name, []).append(
            [_typed(name, column, kind) for column, kind in zip(columns, kinds, strict=True)]
        )
        self._sizes[name] = self._sizes.get(name, 0) + size
        if self._sizes[name] >= CHUNK_ROWS:
            yield self._chunk(name)

    def end(self) -> Iterator[Row]:
        """What is left, and what was seen."""
        for name in list(self._waiting):
            if self._sizes[name]:
                yield self._chunk(name)
        for name, seen in self._seen.items():
            told = {"size": seen.size, "sum": str(seen.sum), "frequent": seen.frequent}
            yield 0, blocks.SURVEY, name, b"", json.dumps(told)

    def _chunk(self, name: str) -> Row:
        pieces, size = self._waiting.pop(name), self._sizes.pop(name)
        kinds = self._gathering.kinds[name]
        columns = [pa.concat_arrays(some) for some in zip(*pieces, strict=True)]
        columns = [
            column.dictionary_encode() if kind == "symbol" else column
            for column, kind in zip(columns, kinds, strict=True)
        ]
        seen = self._seen.setdefault(name, _Seen())
        seen.size += size
        if self._gathering.values and len(columns) > 1:
            for at, column in enumerate(columns):
                _count(seen.frequent.setdefault(at, {}), column)
        if self._gathering.sums:
            seen.sum = (seen.sum + _sum(name, columns, size)) % 2**64
        target = (_hash_of(name, columns) + self._chunks) % _TARGETS
        self._chunks += 1
        return target, blocks.FACTS, name, _written(columns, size), str(self._gathering.sign)


def _typed(name: str, column: Any, kind: Kind) -> Any:
    if column.null_count:
        raise FactError(f"a fact of {name} has no value in a column")
    return as_strings(column) if kind == "symbol" else column.cast(pa.int64())


def _count(into: dict[str, int], column: Any) -> None:
    """Add about how many facts of a chunk have each of its most frequent values, twice at least."""
    if pa.types.is_dictionary(column.type):
        counts = np.bincount(column.indices.to_numpy(), minlength=len(column.dictionary))
        most = _most(counts)
        values = column.dictionary.take(pa.array(most)).to_pylist()
    else:
        step = max(len(column) // _LOOKED, 1)
        found, counts = np.unique(column.to_numpy()[::step], return_counts=True)
        most = _most(counts)
        counts = counts * step
        values = [str(value) for value in found[most].tolist()]
    for value, count in zip(values, counts[most].tolist(), strict=True):
        into[value] = into.get(value, 0) + count
    if len(into) > 8 * _TOP:
        for value in sorted(into, key=lambda value: (into[value], value))[:-_TOP]:
            del into[value]


def _most(counts: Any) -> Any:
    most = np.argpartition(counts, -_TOP)[-_TOP:] if len(counts) > _TOP else np.arange(len(counts))
    return most[counts[most] > 1]


def _sum(name: str, columns: Sequence[Any], size: int) -> int:
    """Over the facts of a chunk, whatever their order."""
    words: Words = np.full(size, hash_strings(pa.array([name], pa.large_string()))[0][0])
    for column in columns:
        if pa.types.is_dictionary(column.type):
            mine = hash_strings(column.dictionary)[0][column.indices.to_numpy()]
        else:
            mine = column.to_numpy().view(np.uint64)
        words = mix((words * _ODD) ^ mine)
    return int(words.sum())


def _hash_of(name: str, columns: Sequence[Any]) -> int:
    """Of its first fact: chunks go to shards without a pattern, and again to the same one if they are made again."""
    first = str([name, *(column[0].as_py() for column in columns)])
    return int(hash_strings(pa.array([first], pa.large_string()))[0][0]) % _TARGETS


def _written(columns: list[Any], size: int) -> Any:
    if not columns:
        columns = [pa.array(np.zeros(size, np.int8))]
    return blocks.written(pa.RecordBatch.from_arrays(columns, names=[str(index) for index in range(len(columns))]))


__all__ = ["CHUNK_ROWS", "Gatherer", "Gathering"]
