"""Strings to 32-bit ids and back, in bulk.

Ids are given in order of first appearance and never taken back, so a table may be shared by evaluations that have
parted. The index from string to id is sorted runs of 64-bit hashes, as in an arrangement: opening a table builds
nothing, and a candidate is verified by comparing strings.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from .backends.embedded.arrangement import Run, merge_runs
from .backends.embedded.keys import Column, Mask, Words, mix
from .backends.embedded.search import find
from .errors import FactError

_SEEDS: Final = (0x243F6A8885A308D3, 0x13198A2E03707344)  # one for each lane
_STEPS: Final = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F))
_LONG = 512  # bytes; a longer string is hashed on its own
_CHUNK = 1 << 15  # strings hashed at a time, so that the words in flight stay in cache


class SymbolTable:
    """`texts`: the strings in order of their ids, in chunks; `runs`: the index by hash."""

    def __init__(self, texts: Sequence[Any] = (), runs: Sequence[Run] = ()):
        self._chunks: list[Any] = list(texts)
        self._starts: list[int] = [0]
        for chunk in self._chunks:
            self._starts.append(self._starts[-1] + len(chunk))
        self._runs = list(runs)
        self._lanes: tuple[Words, Words] = (np.zeros(0, np.uint64), np.zeros(0, np.uint64))

    def __len__(self) -> int:
        return self._starts[-1]

    @property
    def nbytes(self) -> int:
        """Bytes of the strings and their index."""
        index = sum(run.keys.nbytes + run.rows.nbytes for run in self._runs)
        return index + sum(int(chunk.nbytes) for chunk in self._chunks)

    def intern(self, strings: Any) -> Column:
        """The id of each string, new ones added. Accepts a list of str or any Arrow string array."""
        array = as_strings(strings)
        encoded = array.dictionary_encode()
        values = encoded.dictionary
        result: Column = self.intern_distinct(values, hash_strings(values)[0])[encoded.indices.to_numpy()]
        return result

    def intern_distinct(self, values: Any, hashes: Words) -> Column:
        """As `intern`, of strings that all differ (as_strings), with the first of their hashes."""
        ids = self.find(values, hashes)
        new = np.flatnonzero(ids < 0)
        if len(new):
            start = len(self)
            if start + len(new) >= 2**31:
                raise FactError(f"more than {2**31 - 1} different symbols")
            ids[new] = np.arange(start, start + len(new), dtype=np.int32)
            self._add(values if len(new) == len(values) else values.take(pa.array(new)), hashes[new])
        return ids

    def ids(self, strings: Any) -> Column:
        """The id of each string, -1 for one that was never interned."""
        array = as_strings(strings)
        return self.find(array, hash_strings(array)[0])

    def take(self, ids: NDArray[Any]) -> Any:
        """The strings of `ids`, as an Arrow array."""
        if not len(self._chunks):
            return pa.array([], pa.large_string())
        if len(self._chunks) == 1:
            return self._chunks[0].take(pa.array(ids))
        which = np.searchsorted(self._starts, ids, side="right") - 1
        order = np.argsort(which, kind="stable")
        parts = []
        for index, chunk in enumerate(self._chunks):
            mine = np.asarray(ids)[order[which[order] == index]]
            if len(mine):
                parts.append(chunk.take(pa.array(mine - self._starts[index])))
        back = np.empty(len(order), np.int64)
        back[order] = np.arange(len(order))
        return pa.concat_arrays(parts).take(pa.array(back)) if parts else pa.array([], pa.large_string())

    def compare(self, operator: str, left: Column, right: Column) -> Mask:
        """Comparison by the strings' bytes, as Soufflé does it."""
        function = {"<": pc.less, "<=": pc.less_equal, ">": pc.greater, ">=": pc.greater_equal}[operator]
        result: Mask = function(self.take(left), self.take(right)).to_numpy(zero_copy_only=False)
        return result

    def lanes(self, ids: Column) -> tuple[Words, Words]:
        """Two 64-bit hashes of each id's string: the same in every table."""
        return hash_strings(self.take(ids))

    def all_lanes(self) -> tuple[Words, Words]:
        """The two hashes of every string, by id; kept for the next call."""
        known = len(self._lanes[0])
        if known < len(self):
            fresh = [
                hash_strings(chunk.slice(max(known - start, 0)))
                for chunk, start in zip(self._chunks, self._starts[:-1], strict=True)
                if start + len(chunk) > known
            ]
            first = np.concatenate([self._lanes[0], *(lanes[0] for lanes in fresh)])
            self._lanes = (first, np.concatenate([self._lanes[1], *(lanes[1] for lanes in fresh)]))
        return self._lanes

    def whole(self) -> tuple[Any, Run]:
        """All strings in one array and the index in one run, to be saved."""
        self._merge_runs(all_of_them=True)
        if len(self._chunks) > 1:
            self._chunks = [pa.concat_arrays(self._chunks)]
            self._starts = [0, len(self._chunks[0])]
        texts = self._chunks[0] if self._chunks else pa.array([], pa.large_string())
        return texts, self._runs[0] if self._runs else Run(np.zeros(0, np.uint64), np.zeros(0, np.int32))

    def find(self, values: Any, hashes: Words) -> Column:
        """As `ids`, of strings with the first of their hashes."""
        ids = np.full(len(values), -1, np.int32)
        for hits in find(self._runs, hashes, prefix=False):
            candidates = hits.run.rows[hits.positions]
            same = pc.equal(values.take(pa.array(hits.probes)), self.take(candidates)).to_numpy(zero_copy_only=False)
            ids[hits.probes[same]] = candidates[same]
        return ids

    def _add(self, values: Any, hashes: Words) -> None:
        order = np.argsort(hashes)
        self._runs.append(Run(hashes[order], (order + len(self)).astype(np.int32)))
        self._merge_runs()
        self._chunks.append(values)
        self._starts.append(self._starts[-1] + len(values))
        while len(self._chunks) > 2 and len(self._chunks[-2]) < 3 * len(self._chunks[-1]):
            last = self._chunks.pop()
            self._chunks[-1] = pa.concat_arrays([self._chunks[-1], last])
            self._starts[-2:] = [self._starts[-1]]

    def _merge_runs(self, all_of_them: bool = False) -> None:
        while len(self._runs) > 1 and (all_of_them or len(self._runs[-2].keys) < 3 * len(self._runs[-1].keys)):
            last = self._runs.pop()
            self._runs[-1] = merge_runs(self._runs[-1], last)


def as_strings(strings: Any) -> Any:
    """A large_string array without nulls."""
    if isinstance(strings, pa.ChunkedArray):
        strings = strings.combine_chunks()
    array = strings if isinstance(strings, pa.Array) else pa.array(strings, pa.large_string())
    if array.type != pa.large_string():
        array = array.cast(pa.large_string())
    if array.null_count:
        raise FactError("a symbol is null")
    return array


def hash_strings(array: Any) -> tuple[Words, Words]:
    """Two lanes of 64 bits of each string, from its bytes and length alone: eight bytes of every string at a time."""
    size = len(array)
    first, second = np.empty(size, np.uint64), np.empty(size, np.uint64)
    if not size:
        return first, second
    buffers = array.buffers()
    offsets = np.frombuffer(buffers[1], np.int64, size + 1, array.offset * 8)
    base = int(offsets[0])
    used = int(offsets[-1]) - base
    data = np.zeros(used + 8, np.uint8)
    if used:
        data[:used] = np.frombuffer(buffers[2], np.uint8, used, base)
    words = np.ndarray((used + 1,), "<u8", data, strides=(1,))  # the eight bytes from each place on
    for start in range(0, size, _CHUNK):
        stop = min(start + _CHUNK, size)
        places = offsets[start:stop] - base
        lengths = offsets[start + 1 : stop + 1] - offsets[start:stop]
        lanes = _hash_chunk(data, words, places, lengths)
        first[start:stop], second[start:stop] = lanes
    return first, second


def _hash_chunk(
    data: NDArray[np.uint8], words: NDArray[Any], places: NDArray[np.int64], lengths: NDArray[np.int64]
) -> tuple[Words, Words]:
    lanes = [mix(lengths.astype(np.uint64) + np.uint64(seed)) for seed in _SEEDS]
    for index in np.flatnonzero(lengths > _LONG):
        text = data[places[index] : places[index] + lengths[index]]
        lanes[0][index], lanes[1][index] = np.frombuffer(blake2b(text.tobytes(), digest_size=16).digest(), "<u8")
    active = np.flatnonzero((lengths > 0) & (lengths <= _LONG))
    left, places = lengths[active], places[active]
    while len(active):
        word = words[places].astype(np.uint64)
        partial = np.flatnonzero(left < 8)
        word[partial] &= (np.uint64(1) << (left[partial] * 8).astype(np.uint64)) - np.uint64(1)
        for lane, step in zip(lanes, _STEPS, strict=True):
            lane[active] = mix((lane[active] * step) ^ word)
        more = left > 8
        active, left, places = active[more], left[more] - 8, places[more] + 8
    return lanes[0], lanes[1]
