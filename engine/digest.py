"""A digest of a state: the same for the same tuples, levels and counts, whatever the ids, the order and the history.

Each tuple is hashed from its strings and numbers, its level and its count, in two independent lanes of 64 bits; a
relation's digest is the sum of its tuples' hashes, which no order can change.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from .backends.embedded.keys import Column, Words, mix
from .backends.embedded.relation import NEW, Relation
from .datalog.syntax import Kind
from .symbols import SymbolTable

_LANES: Final = (
    (np.uint64(0x9FB21C651E98DF25), np.uint64(0xD6E8FEB86659FD93)),
    (np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(0xA0761D6478BD642F)),
)
_CHUNK: Final = 1 << 15  # tuples hashed at a time, so that the words in flight stay in cache


def tuple_hashes(columns: Sequence[Column], kinds: Sequence[Kind], size: int, lane: int, symbols: Words) -> Words:
    """One lane of each tuple's hash; `symbols` has that lane of every symbol, by id."""
    seed, step = _LANES[lane]
    words = np.full(size, seed + np.uint64(len(kinds)), np.uint64)
    for column, kind in zip(columns, kinds, strict=True):
        words *= step
        words ^= symbols[column] if kind == "symbol" else mix(column.view(np.uint32) + seed)
        words = mix(words)
    return words


def relation_digest(relation: Relation, kinds: Sequence[Kind], symbols: SymbolTable) -> tuple[int, int]:
    """The two sums, modulo 2**64, over the tuples that are present."""
    return tuple_sums(relation, kinds, symbols.all_lanes()) if relation.size else (0, 0)


def tuple_sums(relation: Relation, kinds: Sequence[Kind], lanes: tuple[Words, Words]) -> tuple[int, int]:
    """The same; `lanes` has both hashes of every symbol, by id. Sums of parts of a relation add up."""
    rows = None if relation.uniform else relation.rows_in(NEW)
    size = relation.size if rows is None else len(rows)
    sums = [0, 0]
    for start in range(0, size, _CHUNK):
        part = slice(start, min(start + _CHUNK, size))
        chosen = part if rows is None else rows[part]
        columns = [column[chosen] for column in relation.columns]
        count = part.stop - part.start
        for lane, (seed, step) in enumerate(_LANES):
            words = tuple_hashes(columns, kinds, count, lane, lanes[lane])
            if relation.level is not None and relation.count is not None:
                words *= step
                words ^= mix((relation.level[chosen].astype(np.uint64) << np.uint64(32)) + seed)
                words = mix(words)
                words += relation.count[chosen].astype(np.uint64) * step
                words = mix(words)
            sums[lane] += int(words.sum(dtype=np.uint64))
    return sums[0] % 2**64, sums[1] % 2**64


def combine(program_hash: str, parts: Iterable[tuple[str, tuple[int, int]]]) -> str:
    """The digest of a whole state: of the program's meaning and of every stored relation by name."""
    digest = hashlib.blake2b(program_hash.encode(), digest_size=16)
    for name, (first, second) in sorted(parts):
        digest.update(f"\n{name} {first:016x}{second:016x}".encode())
    return digest.hexdigest()
