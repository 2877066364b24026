"""Keys that Spark's hash partitioning sends to partitions of their own: shard i is the group of key i in partition i.

Spark places a row by the 32-bit Murmur3 hash of its key (Appleby), seed 42, modulo the number of partitions. With keys
0, 1, 2, ... some partitions would get two shards and others none.
"""

from __future__ import annotations

_MASK = 0xFFFFFFFF


def spread_keys(shards: int) -> list[int]:
    """A key for each shard: the smallest number whose rows go to the partition of the shard's own number."""
    found: dict[int, int] = {}
    candidate = 0
    while len(found) < shards:
        found.setdefault(partition_of(candidate, shards), candidate)
        candidate += 1
    return [found[shard] for shard in range(shards)]


def partition_of(key: int, partitions: int) -> int:
    hashed = _murmur3(key)
    signed = hashed - (1 << 32) if hashed >> 31 else hashed
    return signed % partitions


def _murmur3(value: int) -> int:
    word = value * 0xCC9E2D51 & _MASK
    word = (word << 15 | word >> 17) & _MASK
    word = word * 0x1B873593 & _MASK
    state = 42 ^ word
    state = (state << 13 | state >> 19) & _MASK
    state = (state * 5 + 0xE6546B64) & _MASK
    state ^= 4
    state ^= state >> 16
    state = state * 0x85EBCA6B & _MASK
    state ^= state >> 13
    state = state * 0xC2B2AE35 & _MASK
    return state ^ state >> 16
