"""The inner loops of joins and updates as calls of numpy. `compiled` has the same functions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from ..keys import (
    LOW,
    SHIFT,
    Column,
    Counts,
    Indices,
    Keys,
    consolidate,
    distinct,
    key_words,
    lengths,
    low_column,
    order_of,
    pack_bits,
    places_of,
    starts_of,
    unpack_bits,
)
from ..widths import Numbers, highest_of, most
from .interface import (
    Derived,
    Divided,
    Entries,
    Joined,
    Leg,
    Levels,
    Outlook,
    Seen,
    Sieve,
    Tally,
    Tier,
    TooNarrow,
    Walked,
    Wanted,
    Way,
)

if TYPE_CHECKING:
    from ..arrangement import Run

_MANY_KEYS = 2000  # from here on it pays to look for those that have an entry first
_WORTH_SORTING = 256  # keys to look up in a run that is not small
_STRETCH = 64  # keys in order, on average, that are as good as all in order
_LARGE = 1 << 12  # entries of a run that is not small
_FEW_BITS = 256  # keys; fewer are found faster by bisection
_FORMERLY: Final = np.uint8(1)  # OLD of a row's state
_KEPT: Final = np.uint8(2)  # KEPT
_PRESENT: Final = np.uint8(4)  # NEW


def find_rows(runs: Sequence[Run], keys: Keys) -> Column:
    """The row of each key, of which each has at most one entry in all runs; or -1."""
    # What was found in one run is not looked up in the next, if that is a good part. Bits need no order.
    if len(keys) >= _FEW_BITS:
        runs = sorted(runs, key=lambda run: run.bits is None)
    rows = np.full(len(keys), -1, np.int32)
    places: Indices | None = None  # where those that are left are among the keys, unless they are all, in order
    left, ordered = keys, False
    for run in runs:
        if not len(run.keys):
            continue
        if run.bits is not None and len(left) >= _FEW_BITS:
            found = run.bits.rows(left, run.rows)
            hit = places_of(found >= 0)
            if len(hit) < len(left):
                found = found.take(hit)
        else:
            order = None if ordered else _search_order(run.keys, left)
            if order is not None:
                left, places, ordered = left.take(order), order if places is None else places.take(order), True
            at = run.keys.searchsorted(left)
            hit = places_of(run.keys.take(at, mode="clip") == left)
            if not len(hit):
                continue
            found = run.rows.take(at if len(hit) == len(left) else at.take(hit))
        if len(hit) == len(left):
            rows[slice(None) if places is None else places] = found
            break
        rows[hit if places is None else places.take(hit)] = found
        if 4 * len(hit) > len(left):
            missing = np.ones(len(left), np.bool_)
            missing[hit] = False
            rest = places_of(missing)
            left, places = left.take(rest), rest if places is None else places.take(rest)
    return rows


def find_ranges(keys: Keys, starts: Column | None, asked: Keys, prefix: bool) -> tuple[Indices, Indices, int]:
    """Where the entries of each key asked for start among `keys`, which are in order, how many they are, and in all.

    `prefix`: those whose first column, of two, is that. `starts`: where each value of the first column starts. What is
    asked for may be a column of values where the keys are words of 64 bits.
    """
    asked = asked.astype(keys.dtype, copy=False)
    if starts is not None:
        values = np.minimum(asked, np.uint64(len(starts) - 1)).view(np.int64)
        low = starts[values].astype(np.intp)
        counts = starts[np.minimum(values + 1, len(starts) - 1)].astype(np.intp)
        counts -= low
        return low, counts, int(counts.sum())
    low_keys = asked << SHIFT if prefix else asked
    order = _search_order(keys, low_keys)
    if order is None:
        low, counts = _bounds(keys, low_keys, prefix)
    else:
        low, counts = np.empty(len(asked), np.intp), np.empty(len(asked), np.intp)
        low[order], counts[order] = _bounds(keys, low_keys[order], prefix)
    return low, counts, int(counts.sum())


def _bounds(keys: Keys, low_keys: Keys, prefix: bool) -> tuple[Indices, Indices]:
    low = keys.searchsorted(low_keys, side="left")
    if prefix or len(low_keys) < _MANY_KEYS:
        counts = keys.searchsorted(low_keys | LOW if prefix else low_keys, side="right")
        counts -= low
        return low, counts
    counts = np.zeros(len(low_keys), np.intp)  # most keys of a join have no entry
    if len(keys):
        hit = places_of(keys[np.minimum(low, len(keys) - 1)] == low_keys)
        counts[hit] = keys.searchsorted(low_keys[hit], side="right") - low[hit]
    return low, counts


def _search_order(keys: Keys, asked: Keys) -> Indices | None:
    """For keys out of order, their order: to search a run in order, if it is not small, takes a half to a seventh of
    the time of searching it at random, sorting included."""
    if len(asked) < _WORTH_SORTING or len(keys) < _LARGE:
        return None
    descents = int(np.count_nonzero(asked[1:] < asked[:-1]))
    return order_of(asked) if descents * _STRETCH > len(asked) else None


def expand(low: Indices, counts: Indices) -> tuple[Indices, Indices]:
    """(i, low[i] + j) for every j < counts[i]."""
    hit = places_of(counts)
    if len(hit) < len(counts):
        low, counts = low[hit], counts[hit]
    if not len(hit):
        return hit, low
    ends = counts.cumsum()
    total = int(ends[-1])
    if total == len(hit):
        return hit, low
    places = hit.repeat(counts)
    starts = low - ends
    starts += counts
    positions = starts.repeat(counts)
    positions += np.arange(total)
    return places, positions


def join(
    entries: Sequence[Entries],
    wanted: Wanted,
    carried: Sequence[Column],
    fetched: Sequence[Column],
    checks: Sequence[tuple[Column, Column]],
    seen: Seen | None,
    levels: Levels | None,
) -> Joined:
    """The entries whose rows are `seen` (None: all), with columns of their keys (`carried`) and rows (`fetched`).

    `checks`: a column of the rows and one of the keys, which are equal.
    """
    rows = wanted.rows or bool(fetched) or (levels is not None and levels.of_rows is not None)
    parts = [_of_run(each, rows, wanted.seconds, checks, seen) for each in entries]
    places = _concatenated([part[0] for part in parts])
    of_entries = _concatenated([part[1] for part in parts if part[1] is not None]) if rows else None
    pairs = _concatenated([part[2] for part in parts if part[2] is not None]) if wanted.seconds else None
    now, former = None, None
    if levels is not None:
        now = levels.of_keys.take(places)
        former = None if levels.former is None else levels.former.take(places)
        if levels.of_rows is not None and of_entries is not None:
            others = levels.of_rows.take(of_entries).astype(np.int32)
            now = np.maximum(now, others)
            if former is not None:
                if levels.moving is not None:
                    moving = levels.moving.take(of_entries) - np.int32(1)
                    others = np.where(moving < 0, others, moving)
                former = np.maximum(former, others)
                kept = places_of((now != former) | (now < levels.ceiling))
                if len(kept) < len(places):
                    places, of_entries, now, former = (
                        places.take(kept), of_entries.take(kept), now.take(kept), former.take(kept),
                    )  # fmt: skip
                    pairs = None if pairs is None else pairs.take(kept)
    return Joined(
        len(places),
        places,
        of_entries,
        pairs,
        [column.take(places) for column in carried],
        [] if of_entries is None else [column.take(of_entries) for column in fetched],
        now,
        former,
    )


def _of_run(
    entries: Entries, rows: bool, seconds: bool, checks: Sequence[tuple[Column, Column]], seen: Seen | None
) -> tuple[Indices, Column | None, Column | None]:
    places, positions = expand(entries.low, entries.counts)
    found = entries.rows.take(positions) if rows or checks or seen is not None else None
    kept: Indices | None = None
    if seen is not None and found is not None:
        states = seen.state.take(found)
        both = np.uint8(seen.wanted | seen.barred)
        kept = places_of((states & both) == seen.wanted if seen.barred else (states & np.uint8(seen.wanted)) != 0)
    elif checks:
        kept = np.arange(len(places))
    if kept is not None and found is not None:
        for of_rows, of_keys in checks:
            kept = kept[of_rows.take(found[kept]) == of_keys.take(places[kept])]
        if len(kept) < len(places):
            places, found, positions = places.take(kept), found.take(kept), positions.take(kept)
    pairs = None
    if seconds:
        assert entries.keys is not None
        pairs = low_column(entries.keys.take(positions))
    return places, found, pairs


def _concatenated(parts: Sequence[Any]) -> Any:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


class Ascent:
    """Relations of a stratum, and what is derived in them level by level, from `level` on, by nothing but `ways`.

    `short`: rows of a level that it is for, and `most_met`: entries that a rule may meet in one. `noting`: whether to
    note instantiations of what was there. A relation may have `most_columns`, a rule `most_variables`, and an
    arrangement `most_runs`. numpy has no ascents, and allows none: it takes as long for a short level as for many rows.
    """

    most_columns: Final = -1
    most_runs: Final = 0
    most_variables: Final = 0
    level: int

    def __init__(
        self,
        tiers: Sequence[Tier],
        ways: Sequence[Way],
        constants: Column,
        level: int,
        short: int,
        most_met: int,
        noting: bool,
    ) -> None:
        raise NotImplementedError

    def go(self, most_work: int) -> Literal["over", "long", "more"]:
        """Go on until a level has nothing new, one is not short (it is left as it was), or so much work is done.
        `level` is the next level then, or the one that has nothing new."""
        raise NotImplementedError

    def tallies(self) -> list[Tally]:
        """Of each way."""
        raise NotImplementedError

    def derived(self, tier: int) -> Derived:
        """What was derived in a relation so far."""
        raise NotImplementedError


def walk(
    legs: Iterable[Leg | Sieve | None],
    constants: Column,
    columns: list[Column | None],
    size: int,
    levels: Column | None,
    former: Column | None,
    ceiling: int,
) -> Walked | None:
    """Take a table of `size` rows, with a column for each variable, through joins one after the other, as long as any
    row is left; the next leg is asked for only then. `levels`, `former` and `ceiling`: as for `join`; where there are
    former levels, only rows that had another one are put out. None where this is not the way to do it: always, for
    numpy, or where a leg is None or not for such tables. Then nothing has been done."""
    return None


def take(numbers: Numbers, rows: Column) -> Column:
    """Numbers of rows, to compute with in 32 bits."""
    return numbers.take(rows).astype(np.int32, copy=False)


def pack(parts: Sequence[Sequence[Any]], size: int, lifted: int = 0) -> tuple[Keys, list[int], list[int]] | None:
    """The rows of all parts, which have the same columns, as words of 32 or 64 bits in the same order; how many bits
    each column takes, and what was taken off its values. None where they do not fit a word.

    The values of the first columns, so many as are `lifted`, are one more than those that are given; None is 0.
    """
    columns = []
    for index in range(len(parts[0])):
        lift = np.uint32(index < lifted)
        given = [
            np.zeros(len(part[-1]), np.uint32) if part[index] is None else part[index].view(np.uint32) + lift
            for part in parts
        ]
        columns.append(_concatenated(given))
    lowest = [column.min() for column in columns]
    shifted = [(column - least).view(np.int32) for column, least in zip(columns, lowest, strict=True)]
    packed = pack_bits([(shifted, size)])
    if packed is None:
        return None
    [words], widths = packed
    return words, widths, [int(least) for least in lowest]


def count_packed(words: Keys, widths: list[int], offsets: list[int], key: int = 0) -> tuple[list[NDArray[Any]], Counts]:
    """The distinct rows of words that `pack` made, at least one, in order; and how often each is there. The words are
    put in order as well: to sort them is many times faster than to find their order.

    The last columns, one or two, so many as belong to the `key`, are given as one of the words that these are packed
    into for an arrangement."""
    words.sort()
    starts = starts_of(words[1:] != words[:-1])
    found: list[NDArray[Any]] = list(unpack_bits(words[starts], widths))
    for column, least in zip(found, offsets, strict=True):
        np.add(column.view(np.uint32), np.uint32(least), out=column.view(np.uint32))
    if key:
        found[-key:] = [key_words(found[-key:], len(starts))]
    return found, lengths(starts, len(words))


def merge(keys: Keys, rows: Column, other_keys: Keys, other_rows: Column, into_keys: Keys, into_rows: Column) -> None:
    """Two runs of keys, each in order, and the rows of each, as one. Of equal keys those of the first come first."""
    places = keys.searchsorted(other_keys, side="right")
    places += np.arange(len(other_keys))
    rest = np.ones(len(into_keys), np.bool_)
    rest[places] = False
    for merged, old, new in ((into_keys, keys, other_keys), (into_rows, rows, other_rows)):
        merged[places] = new
        merged[rest] = old


def sum_by_row(changes: Sequence[tuple[Column, Counts, int]], died: Column | None) -> tuple[Column, Counts]:
    """Of rows, counts and times the distinct rows, in any order, with the sum of their counts, which is not 0. Changes
    from before the time at which their row last died do not count."""
    rows, counts = _concatenated([each[0] for each in changes]), _concatenated([each[1] for each in changes])
    if died is not None:
        times = np.array([each[2] for each in changes]).repeat([len(each[0]) for each in changes])
        lasting = places_of(died.take(rows) <= times)
        if len(lasting) < len(rows):
            rows, counts = rows.take(lasting), counts.take(lasting)
    [rows], sums = consolidate([rows], len(rows), counts)
    return rows, sums


def _add(numbers: Numbers, rows: Column, change: Counts) -> bool:
    """Add changes to numbers of rows, which may repeat; or nothing, if a sum is more than they can hold."""
    [rows], change = consolidate([rows], len(rows), change)
    sums = numbers.take(rows) + change
    fits = highest_of(sums) <= most(numbers)
    if fits:
        numbers[rows] = sums
    return fits


def _add_known(above: Numbers, rows: Column, change: Counts) -> bool:
    known = places_of(above.take(rows))
    return _add(above, rows[known], change[known])


def put(numbers: Numbers, rows: Column, values: Counts, most: int) -> bool:
    """Give rows their numbers. False if one is more than `most`; then they hold anything."""
    fits = highest_of(values) <= most
    if fits:
        numbers[rows] = values
    return fits


def fill(numbers: Numbers, rows: Column, value: int) -> None:
    """Give rows the same number, which they can hold."""
    numbers[rows] = value


def mark(state: Numbers, rows: Column, kept: int, added: int) -> None:
    """Leave rows those bits of their states that are `kept`, and add others."""
    state[rows] = state.take(rows) & np.uint8(kept) | np.uint8(added)


def settle(state: Numbers, parts: Sequence[Column]) -> tuple[Column, Column]:
    """Rows that were in the view before an update alone, and those that are in the one after it alone, of rows that may
    repeat. They get the state that says so and nothing else; those that are in both are settled."""
    rows = distinct(_concatenated(parts))
    states = state.take(rows)
    before, now = (states & _FORMERLY) != 0, (states & _PRESENT) != 0
    lost, gained = rows[before & ~now], rows[now & ~before]
    state[rows[before & now]] = _FORMERLY | _KEPT | _PRESENT
    state[lost], state[gained] = _FORMERLY, _PRESENT
    return lost, gained


def note(
    rows: Column,
    levels: Column,
    counts: Counts,
    state: Numbers,
    level: Numbers,
    moving: Column | None,
    total: Numbers | None,
    above: Numbers | None,
) -> list[tuple[int, Column, Counts]] | TooNarrow:
    """Changes of how many instantiations derive rows, which may repeat, at levels: added to `total`, where it is given,
    and to what is known in `above`, of rows that are present one level below. Which of them wait, by level, lowest
    first: those of rows that are absent, or present at these levels or above.

    `moving`: 1 + the level at which a moving row is taken to be, 0 of the others.
    """
    present = level.take(rows).astype(np.int32)
    taken = present
    if moving is not None:
        before = moving.take(rows) - np.int32(1)
        taken = np.where(before < 0, present, before)
    waits = ((state.take(rows) & _PRESENT) == 0) | (taken >= levels)
    if total is not None and not _add(total, rows, counts):
        return "total"
    if above is not None:
        next_up = places_of(~waits & (levels - present == 1))
        if not _add_known(above, rows[next_up], counts[next_up]):
            if total is not None:
                _add(total, rows, -counts)
            return "above"
    waiting = places_of(waits)
    if not len(waiting):
        return []
    order = waiting[np.argsort(levels[waiting], kind="stable")]
    rows, levels, counts = rows[order], levels[order], counts[order]
    starts = starts_of(levels[1:] != levels[:-1]).tolist()
    return [(int(levels[start]), rows[start:end], counts[start:end]) for start, end in pairwise([*starts, len(rows)])]


def divide(
    rows: Column, sums: Counts, state: Numbers, level: Numbers, count: Numbers, above: Numbers | None, visited: int
) -> Divided | TooNarrow:
    """What the sums of the changes of distinct rows at the level that is visited do to them. They are added to `count`
    of those that are present at it, and to what is known in `above` of those that are one level below."""
    present = (state.take(rows) & _PRESENT) != 0
    levels = level.take(rows)
    at = places_of(present & (levels == visited))
    here, left = rows[at], count[rows[at]] + sums[at]
    if highest_of(left) > most(count):
        return "count"
    if above is not None:
        below = places_of(present & (levels == visited - 1))
        if not _add_known(above, rows[below], sums[below]):
            return "above"
    count[here] = left
    gaining = sums > 0
    lowered, arriving = places_of(gaining & present & (levels > visited)), places_of(gaining & ~present)
    return Divided(
        here[left == 0], rows[lowered], sums[lowered], rows[arriving], sums[arriving], bool((left < 0).any())
    )  # fmt: skip


def enter(
    rows: Column,
    counts: Counts,
    state: Numbers,
    level: Numbers,
    count: Numbers,
    above: Numbers | None,
    at: int,
    known: int,
) -> bool:
    """Rows come in at a level, with their counts there and `known` in `above`. False, and nothing is done, if a count
    is more than can be held."""
    if highest_of(counts) > most(count):
        return False
    level[rows], count[rows] = at, counts
    if above is not None:
        above[rows] = known
    state[rows] |= _PRESENT
    return True


def lower(
    rows: Column, counts: Counts, level: Numbers, count: Numbers, above: Numbers | None, moving: Column, at: int
) -> Column | TooNarrow:
    """Rows come down to a level, with their counts there: the levels that they had, which `moving` tells from now on.
    Those that were one level above have in `above` what fires there now: more may be waiting."""
    former = level.take(rows).astype(np.int32)
    if highest_of(counts) > most(count):
        return "count"
    if above is not None:
        known = np.where(former == at + 1, count[rows].astype(np.int64), 0) + 1
        if highest_of(known) > most(above):
            return "above"
        above[rows] = known
    level[rows], count[rows], moving[rows] = at, counts, former + np.int32(1)
    return former


def outlook(rows: Column, total: Numbers, above: Numbers | None) -> Outlook:
    """What becomes of rows that are dead at a level, and still derived at others."""
    derived = rows[places_of(total.take(rows))]
    known = np.zeros(len(derived), np.int64) if above is None else above.take(derived).astype(np.int64)
    raised = places_of(known > 1)
    return Outlook(derived[raised], known[raised] - 1, derived[known == 1], derived[known == 0])


__all__ = [
    "count_packed",
    "divide",
    "enter",
    "expand",
    "fill",
    "find_ranges",
    "find_rows",
    "join",
    "lower",
    "mark",
    "merge",
    "note",
    "outlook",
    "pack",
    "put",
    "settle",
    "sum_by_row",
    "take",
]
