"""Rows to 64-bit words that sort and compare like the rows, and the one place where rows are consolidated.

Up to two columns of 32 bits pack exactly. Wider rows are hashed, and whoever uses such words compares the columns as
well: a collision costs time and never an answer. Arrangements keep half of a hash, which takes half the memory and
makes few more collisions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .parallel import in_ranges

Words = NDArray[np.uint64]
Keys = NDArray[Any]  # words of up to two columns, or hashes of 32 bits of more
Column = NDArray[np.int32]
Indices = NDArray[np.intp]
Mask = NDArray[np.bool_]
Counts = NDArray[np.int64]

EXACT_WIDTH = 2
_WORTH_PACKING = 1 << 10  # words to put in order
_WORTH_A_THREAD = 1 << 15  # words to sort and look up
_BLOCK = 1 << 14  # words that fit the cache
SHIFT = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)
_ODD = np.uint64(0x9E3779B97F4A7C15)


def places_of(array: NDArray[Any]) -> Indices:
    """Where an array is true or not zero: what np.flatnonzero gives, without its overhead."""
    return array.nonzero()[0]


def mix(words: Words) -> Words:
    """The finalizer of splitmix64 (Steele, Lea, Flood 2014): each bit of the result depends on all of the word."""
    out = words ^ (words >> np.uint64(30))
    out *= np.uint64(0xBF58476D1CE4E5B9)
    out ^= out >> np.uint64(27)
    out *= np.uint64(0x94D049BB133111EB)
    out ^= out >> np.uint64(31)
    return out


def pack(columns: Sequence[Column], size: int) -> Words:
    """One word a row; `size` rows (columns may be empty)."""
    width = len(columns)
    if width == 0:
        return np.zeros(size, np.uint64)
    words = columns[0].view(np.uint32).astype(np.uint64)
    if width == 1:
        return words
    words <<= SHIFT
    words |= columns[1].view(np.uint32)
    if width == EXACT_WIDTH:
        return words
    words = mix(words)
    for index in range(2, width, 2):
        words *= _ODD
        words ^= pack(columns[index : index + 2], size)
        words = mix(words)
    return words


def key_words(columns: Sequence[Column], size: int) -> Keys:
    """What an arrangement by these columns is sorted by."""
    words = pack(columns, size)
    return words if len(columns) <= EXACT_WIDTH else half_of(words)


def half_of(hashes: Words) -> Keys:
    """The upper half, which is in order where the whole is."""
    return (hashes >> SHIFT).astype(np.uint32)


def unpack(words: Words, width: int) -> list[Column]:
    """The columns of exactly packed words."""
    if width == 0:
        return []
    if width == 1:
        return [words.astype(np.uint32).view(np.int32)]
    return [high_column(words), low_column(words)]


def high_column(words: Words) -> Column:
    return (words >> SHIFT).astype(np.uint32).view(np.int32)


def low_column(words: Words) -> Column:
    return words.astype(np.uint32).view(np.int32)


def prefix_bounds(words: Words) -> tuple[Words, Words]:
    """First and last pair of columns whose first column is the given one-column word."""
    low = words << SHIFT
    return low, low | LOW


def is_sorted(words: Words) -> bool:
    return len(words) < 2 or bool((words[1:] >= words[:-1]).all())


def consolidate(
    columns: Sequence[Column], size: int, weights: NDArray[np.int64] | None = None
) -> tuple[list[Column], NDArray[np.int64]]:
    """Distinct rows in the order of their words, with the sum of their weights (each 1 if not given); zeros dropped."""
    found, sums, _ = consolidate_words(columns, size, weights)
    return found, sums


def consolidate_words(
    columns: Sequence[Column], size: int, weights: NDArray[np.int64] | None = None
) -> tuple[list[Column], NDArray[np.int64], Words | None]:
    """What `consolidate` gives, and the words of the rows; None where the rows are not in their order, since two of
    them share a hash."""
    width = len(columns)
    words = pack(columns, size)
    if size == 0:
        return [column[:0] for column in columns], np.zeros(0, np.int64), words
    if width <= EXACT_WIDTH and weights is None:
        words.sort()
        starts = starts_of(words[1:] != words[:-1])
        words = words[starts]
        return unpack(words, width), lengths(starts, size), words
    order = order_of(words)
    words = words[order]
    ordered = [column[order] for column in columns]
    changes = words[1:] != words[:-1]
    in_order = True
    if width > EXACT_WIDTH and not changes.all():
        differs = np.zeros(size - 1, np.bool_)
        for column in ordered:
            differs |= column[1:] != column[:-1]
        if (differs & ~changes).any():  # two rows share a hash: order by the rows themselves
            by_last_key: list[NDArray[Any]] = [*reversed(columns), pack(columns, size)]
            order = np.lexsort(by_last_key)
            ordered = [column[order] for column in columns]
            differs[:] = False
            for column in ordered:
                differs |= column[1:] != column[:-1]
            in_order = False
        changes = differs
    starts = starts_of(changes)
    if weights is None:
        sums = lengths(starts, size)
    else:
        sums = np.add.reduceat(weights[order], starts)
        kept = sums != 0
        if not kept.all():
            starts, sums = starts[kept], sums[kept]
    if len(starts) == size:
        return ordered, sums, words if in_order else None
    return [column[starts] for column in ordered], sums, words[starts] if in_order else None


def lengths(starts: Indices, size: int) -> NDArray[np.int64]:
    """How long the parts are that start at `starts`, the last of them ending at `size`."""
    found = np.empty(len(starts), np.int64)
    np.subtract(starts[1:], starts[:-1], out=found[:-1])
    found[-1] = size - starts[-1]
    return found


def count_words(
    parts: Sequence[tuple[Sequence[Column], int]], locate: Callable[[Words], Column] | None
) -> tuple[Words, NDArray[np.int64], Column | None]:
    """Distinct rows of up to two columns as words in order, how often each is there in all parts, and what `locate`
    says of them. Each part has columns and a size.

    Values that need few bits are sorted as 32-bit words. Many are cut by value, and each thread takes a range of them.
    """
    size = sum(each for _, each in parts)
    width = len(parts[0][0])
    shift = 0
    if width == 2:
        shift = max(_bits(columns[1]) for columns, each in parts if each)
    narrow = width > 0 and max(_bits(columns[0]) for columns, each in parts if each) + shift <= 32
    words = np.zeros(size, np.uint32 if narrow else np.uint64)
    at = 0
    for columns, each in parts:
        into = words[at : at + each]
        at += each
        if width == 1:
            into[:] = columns[0].view(np.uint32)
        elif narrow:
            np.left_shift(columns[0].view(np.uint32), np.uint32(shift), out=into)
            np.bitwise_or(into, columns[1].view(np.uint32), out=into)
        elif width:
            into[:] = columns[0].view(np.uint32)
            np.left_shift(into, SHIFT, out=into)
            np.bitwise_or(into, columns[1].view(np.uint32), out=into)

    def counted(mine: NDArray[Any]) -> tuple[Words, NDArray[np.int64], Column | None]:
        mine.sort()
        starts = starts_of(mine[1:] != mine[:-1])
        counts = lengths(starts, len(mine))
        found = mine[starts].astype(np.uint64, copy=False)
        if narrow and width == 2:
            found = (found >> np.uint64(shift)) << SHIFT | (found & np.uint64((1 << shift) - 1))
        return found, counts, None if locate is None else locate(found)

    found = in_ranges(words, _WORTH_A_THREAD, counted)
    if len(found) == 1:
        return found[0]
    rows = [each[2] for each in found if each[2] is not None]
    return (
        np.concatenate([each[0] for each in found]),
        np.concatenate([each[1] for each in found]),
        np.concatenate(rows) if rows else None,
    )


def merge_counts(parts: Sequence[tuple[Words, Counts]]) -> tuple[Words, Counts]:
    """Distinct words in order, and the sum of what each part counts of them."""
    words = np.concatenate([part[0] for part in parts])
    order = order_of(words)
    words = words[order]
    starts = starts_of(words[1:] != words[:-1])
    return words[starts], np.add.reduceat(np.concatenate([part[1] for part in parts])[order], starts)


def order_of(words: Words) -> Indices:
    """Where the words are that come first, second, ... in order. Their place goes into the low bits: sorting words is
    several times faster than finding their order. Where they need those bits themselves, the others nearly always tell
    them apart."""
    size = len(words)
    if size < _WORTH_PACKING:
        return np.argsort(words)
    place_bits = (size - 1).bit_length()
    low = words.astype(np.uint32)
    low_bits = int(low.max()).bit_length()
    high_bits = int(words.max()).bit_length() - 32
    if high_bits <= 0:
        packed = low.astype(np.uint64)
    elif high_bits + low_bits + place_bits <= 64:
        packed = words >> SHIFT
        packed <<= np.uint64(low_bits)
        packed |= low
    else:
        order = _placed(words & ~np.uint64((1 << place_bits) - 1), place_bits)
        return order if is_sorted(words[order]) else np.argsort(words)
    packed <<= np.uint64(place_bits)
    return _placed(packed, place_bits)


def _placed(words: Words, place_bits: int) -> Indices:
    """The order of words, whose low bits are free for their places; they are used up. Each thread sorts a range."""
    words |= np.arange(len(words), dtype=np.uint64)

    def ordered(mine: Words) -> Indices:
        mine.sort()
        mine &= np.uint64((1 << place_bits) - 1)
        return mine.view(np.int64)

    found = in_ranges(words, _WORTH_A_THREAD, ordered)
    return found[0] if len(found) == 1 else np.concatenate(found)


def in_order(columns: Sequence[Column], size: int, first: int) -> tuple[Words, Column]:
    """The rows of one or two columns as words in order, and the number of each, counted from `first`.

    As `order_of`, but in place: much of the time that this takes for many rows is that of memory touched for the first
    time.
    """
    widths = [_bits(column) for column in columns] if size else [0] * len(columns)
    place_bits = max(size - 1, 0).bit_length()
    if size < _WORTH_PACKING or sum(widths) + place_bits > 64:
        words = pack(columns, size)
        order = order_of(words)
        return words[order], (order + first).astype(np.int32)
    words = columns[0].view(np.uint32).astype(np.uint64)
    for column, width in zip(columns[1:], widths[1:], strict=True):
        words <<= np.uint64(width)
        words |= column.view(np.uint32)
    places = np.arange(size, dtype=np.uint32)
    words <<= np.uint64(place_bits)
    words |= places
    words.sort()
    np.bitwise_and(words, np.uint64((1 << place_bits) - 1), out=places, casting="unsafe")
    places += np.uint32(first)
    words >>= np.uint64(place_bits)
    if len(columns) == EXACT_WIDTH:
        low_bits = np.uint64((1 << widths[1]) - 1)
        for start in range(0, size, _BLOCK):
            block = words[start : start + _BLOCK]
            low = block & low_bits
            block >>= np.uint64(widths[1])
            block <<= SHIFT
            block |= low
    return words, places.view(np.int32)


def _bits(column: Column) -> int:
    """How many bits the largest value needs."""
    return int(column.view(np.uint32).max()).bit_length()


def distinct(column: Column) -> Column:
    """The values of a column, ascending."""
    ordered = np.sort(column)
    return ordered[starts_of(ordered[1:] != ordered[:-1])] if len(ordered) else ordered


def pack_bits(tables: Sequence[tuple[Sequence[Column], int]]) -> tuple[list[Keys], list[int]] | None:
    """The rows of tables of the same columns as words, each value in as many bits as the largest of its column needs,
    and these widths; None where they do not fit 64 bits. Words of 32 are used where they fit those: they are sorted in
    half of the time. Equal rows have equal words, in whichever table they are."""
    together = list(zip(*(columns for columns, size in tables if size), strict=True))
    widths = [max(_bits(column) for column in of_tables) for of_tables in together]
    if sum(widths) > 64:
        return None
    kind = np.uint32 if sum(widths) <= 32 else np.uint64
    packed: list[Keys] = []
    for columns, size in tables:
        words: Keys = columns[0].view(np.uint32).astype(kind) if size and columns else np.zeros(size, kind)
        for column, width in zip(columns[1:], widths[1:], strict=False):
            words <<= kind(width)
            words |= column.view(np.uint32)
        packed.append(words)
    return packed, widths


def unpack_bits(words: Keys, widths: Sequence[int]) -> list[Column]:
    """The columns of words that `pack_bits` made."""
    kind = words.dtype.type
    found: list[Column] = []
    for width in reversed(widths):
        found.append((words & kind((1 << width) - 1)).astype(np.uint32, copy=False).view(np.int32))
        words = words >> kind(width)
    return found[::-1]


def starts_of(changes: Mask) -> Indices:
    """Where the parts start of which the last ends where there is a change: the first at 0."""
    starts = np.empty(int(np.count_nonzero(changes)) + 1, np.intp)
    starts[0] = 0
    np.add(places_of(changes), 1, out=starts[1:])
    return starts
