"""The pairs of a dense run as bits, with ranks: where a whole tuple stands is found without a search.

The values of a pair name a block of 64 pairs, and blocks that have an entry a word: its bits are the entries, its rank
the number of entries before it. So a pair's place in the run is that rank and the ones before its bit (Jacobson 1989;
the leaves of Soufflé's brie are bits as well). It pays for relations that hold a good part of all pairs of their
values, of which many are looked up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from .keys import LOW, SHIFT, Indices, Words, places_of, starts_of

_BLOCKS_PER_ENTRY: Final = 6  # of 4 bytes each, at most
_SIX: Final = np.uint64(6)
_LAST: Final = np.uint64(63)
_ONE: Final = np.uint64(1)


def dense(runs: Sequence[Words]) -> bool:
    """Whether runs of packed pairs, if they were one, would hold so many of all pairs of their values that bits pay."""
    return _extent(runs)[1] <= _BLOCKS_PER_ENTRY * sum(map(len, runs))


def _extent(runs: Sequence[Words]) -> tuple[int, int]:
    """Blocks for each first value, and in all."""
    stride = (max(int((keys & LOW).max()) for keys in runs) >> 6) + 1
    return stride, (max(int(keys[-1] >> SHIFT) for keys in runs) + 1) * stride


class PairBits:
    """`words` of the blocks that have an entry, behind one without; `ranks`: entries before each. `numbers`: of each
    block which word it has, 0 if it has none; `stride` blocks for each first value, and an empty one past the end."""

    __slots__ = ("numbers", "ranks", "stride", "words")

    def __init__(self, keys: Words):
        """`keys`: the packed pairs of a run, ascending."""
        self.stride, length = _extent([keys])
        second = keys & LOW
        blocks = keys >> SHIFT
        blocks *= np.uint64(self.stride)
        blocks += second >> _SIX
        second &= _LAST
        ones = np.left_shift(_ONE, second, out=second)
        starts = starts_of(blocks[1:] != blocks[:-1])
        self.words, self.ranks = np.zeros(len(starts) + 1, np.uint64), np.zeros(len(starts) + 1, np.int32)
        self.words[1:] = np.bitwise_or.reduceat(ones, starts)
        self.ranks[1:] = starts
        self.numbers = np.zeros(length + 1, np.int32)
        self.numbers[blocks[starts].view(np.int64)] = np.arange(1, len(starts) + 1, dtype=np.int32)

    @property
    def nbytes(self) -> int:
        return self.words.nbytes + self.ranks.nbytes + self.numbers.nbytes

    def find(self, keys: Words) -> tuple[Indices, Indices]:
        """Which of the keys have an entry, and where in the run it is."""
        second = keys & LOW
        blocks = keys >> SHIFT
        blocks *= np.uint64(self.stride)
        blocks += second >> _SIX
        outside = places_of(second >= np.uint64(64 * self.stride))
        if len(outside):
            blocks[outside] = len(self.numbers)
        numbers = self.numbers.take(blocks.view(np.int64), mode="clip")  # what is past the end is in the empty block
        words = self.words.take(numbers)
        second &= _LAST
        ones = np.left_shift(_ONE, second, out=second)
        hit = places_of(words & ones)
        before = ones.take(hit)
        before -= _ONE
        before &= words.take(hit)
        return hit, self.ranks.take(numbers.take(hit)) + np.bitwise_count(before).astype(np.intp)


__all__ = ["PairBits", "dense"]
