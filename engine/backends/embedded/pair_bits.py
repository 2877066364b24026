"""The pairs of a dense run as bits, with ranks: where a whole tuple stands is found without a search.

The values of a pair name a block of 64 pairs, and blocks that have an entry a word: its bits are the entries, its rank
the number of entries before it. So a pair's place in the run is that rank and the ones before its bit (Jacobson 1989;
the leaves of Soufflé's brie are bits as well). It pays for relations that hold a good part of all pairs of their
values, of which many are looked up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from .keys import LOW, SHIFT, Column, Words, places_of, starts_of

_BLOCKS_PER_ENTRY: Final = 6  # of 4 bytes each, at most
_PART: Final = 1 << 16  # pairs, more than are in a block
_NOWHERE: Final = np.uint64(1 << 62)
_SIX: Final = np.uint64(6)
_LAST: Final = np.uint64(63)
_ONE: Final = np.uint64(1)


def dense(runs: Sequence[Words]) -> bool:
    """Whether runs of packed pairs, if they were one, would hold so many of all pairs of their values that bits pay."""
    return _extent(runs)[1] <= _BLOCKS_PER_ENTRY * sum(map(len, runs))


def _extent(runs: Sequence[Words]) -> tuple[int, int]:
    """Blocks for each first value, and in all."""
    stride = (max(int((part & LOW).max()) for keys in runs for part in _parts(keys)) >> 6) + 1
    return stride, (max(int(keys[-1] >> SHIFT) for keys in runs) + 1) * stride


def _parts(keys: Words) -> Iterator[Words]:
    """In order, each small enough for the cache: to touch new memory takes longer than what is done with it."""
    return (keys[start : start + _PART] for start in range(0, len(keys), _PART))


class PairBits:
    """`words` of the blocks that have an entry, behind one without; `ranks`: entries before each. `numbers`: of each
    block which word it has, 0 if it has none; `stride` blocks for each first value, and an empty one past the end."""

    __slots__ = ("numbers", "ranks", "stride", "words")

    def __init__(self, keys: Words):
        """`keys`: the packed pairs of a run, ascending."""
        self.stride, length = _extent([keys])
        numbers, words, ranks, at = [], [np.zeros(1, np.uint64)], [np.zeros(1, np.int32)], 0
        while at < len(keys):
            part = keys[at : at + _PART]
            blocks, ones = self._bits_of(part)
            starts, end = starts_of(blocks[1:] != blocks[:-1]), len(part)
            if at + end < len(keys):  # the last block may go on
                starts, end = starts[:-1], int(starts[-1])
            words.append(np.bitwise_or.reduceat(ones[:end], starts))
            ranks.append((starts + at).astype(np.int32))
            numbers.append(blocks[starts].view(np.int64))
            at += end
        self.words, self.ranks = np.concatenate(words), np.concatenate(ranks)
        self.numbers = np.zeros(length + 1, np.int32)
        self.numbers[np.concatenate(numbers)] = np.arange(1, len(self.words), dtype=np.int32)

    def _bits_of(self, keys: Words) -> tuple[Words, Words]:
        """The block of each pair, which may be one that is not there, and its bit."""
        second = keys & LOW
        blocks = keys >> SHIFT
        blocks *= np.uint64(self.stride)
        blocks += second >> _SIX
        outside = places_of(second >= np.uint64(64 * self.stride))
        if len(outside):
            blocks[outside] = _NOWHERE
        second &= _LAST
        return blocks, np.left_shift(_ONE, second, out=second)

    @property
    def nbytes(self) -> int:
        return self.words.nbytes + self.ranks.nbytes + self.numbers.nbytes

    def rows(self, keys: Words, rows: Column) -> Column:
        """The row of each key, where `rows` are those of the run's entries; -1 of a key without entry."""
        blocks, ones = self._bits_of(keys)
        numbers = self.numbers.take(blocks.view(np.int64), mode="clip")  # what is past the end is in the empty block
        words = self.words.take(numbers)
        positions = self.ranks.take(numbers)
        absent = (words & ones) == 0
        ones -= _ONE
        ones &= words
        positions += np.bitwise_count(ones)
        found = rows.take(positions, mode="clip")  # one past the end is that of an absent pair
        np.copyto(found, -1, where=absent)
        return found


__all__ = ["PairBits", "dense"]
