"""The inner loops, in numpy and compiled, against plain Python."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from programs import by_numpy, examples
from test_maintenance import check_history, histories

from pliant.engine.backends.embedded import kernels
from pliant.engine.backends.embedded.arrangement import Run
from pliant.engine.backends.embedded.kernels import Entries, Levels, Seen, Wanted, in_numpy
from pliant.engine.backends.embedded.keys import key_words
from pliant.engine.backends.embedded.pair_bits import PairBits
from pliant.engine.backends.embedded.relation import NEW, OLD, SETTLED
from pliant.engine.backends.embedded.widths import WIDTHS

WAYS = [in_numpy]
if kernels.COMPILED:
    from pliant.engine.backends.embedded.kernels import compiled

    WAYS.append(compiled)
    if compiled.has_avx2():
        with suppress(ImportError):
            from pliant.engine.backends.embedded.kernels import compiled_avx2

            WAYS.append(compiled_avx2)
both = pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__.rpartition(".")[2])

VALUES = st.one_of(st.integers(0, 12), st.sampled_from([63, 64, 2**31 - 1, 2**31, 2**32 - 1]))
PAIRS = st.tuples(VALUES, VALUES).map(lambda pair: pair[0] << 32 | pair[1])
COUNTS = st.integers(-3, 3)
TABLES = st.lists(st.tuples(VALUES, VALUES, st.integers(0, 3)), min_size=1, max_size=20)
CHANGES = st.lists(st.tuples(st.integers(0, 9), COUNTS), max_size=12)
ROWS = 40  # of the relation
PRESENT = 4


def column(values: Any) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array(values, np.int64).astype(np.int32)


def counts_of(values: Any) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(values, np.int64)


@both
@given(
    stored=st.dictionaries(PAIRS, st.tuples(st.integers(0, 3), st.integers(0, 1000)), max_size=80),
    others=st.lists(PAIRS, max_size=40),
    bits=st.sets(st.integers(0, 3)),
    plenty=st.booleans(),
)
def test_a_key_has_the_row_of_its_entry_in_whichever_run_it_is(
    way: ModuleType, stored: dict[int, tuple[int, int]], others: list[int], bits: set[int], plenty: bool
) -> None:
    runs = []
    for each in range(4):
        keys = np.array(sorted(key for key, (run, _) in stored.items() if run == each), np.uint64)
        rows = column([stored[key][1] for key in keys.tolist()])
        small = len(keys) and int(keys[-1]) < 100 << 32 and not any(key & 0xFFFFFFFF > 100 for key in keys.tolist())
        runs.append(Run(keys, rows, bits=PairBits(keys) if each in bits and small else None))
    asked = [*others, *stored]
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_FEW_BITS", "_WORTH_SORTING", "_LARGE"):
            patch.setattr(in_numpy, name, 1 if plenty else 1000)
        found = way.find_rows(runs, np.array(asked, np.uint64))
    assert found.tolist() == [stored[key][1] if key in stored else -1 for key in asked]
    assert found.dtype == np.int32


@both
@given(keys=st.lists(VALUES, max_size=60), asked=st.lists(VALUES, max_size=60), plenty=st.booleans())
def test_hashes_are_found_with_all_of_their_entries(
    way: ModuleType, keys: list[int], asked: list[int], plenty: bool
) -> None:
    run = Run(np.array(sorted(set(keys)), np.uint32), np.arange(len(set(keys)), dtype=np.int32))
    hashes = np.array(asked, np.uint32)
    row_of = {key: row for row, key in enumerate(sorted(set(keys)))}
    assert way.find_rows([run], hashes).tolist() == [row_of.get(key, -1) for key in asked]
    ordered = sorted(keys)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_WORTH_SORTING", "_LARGE", "_MANY_KEYS"):
            patch.setattr(in_numpy, name, 1 if plenty else 1000)
        low, counts, total = way.find_ranges(np.array(ordered, np.uint32), None, hashes, False)
    assert counts.tolist() == [ordered.count(key) for key in asked]
    assert total == sum(counts.tolist())
    assert all(ordered.index(key) == at for key, at in zip(asked, low.tolist(), strict=True) if key in row_of)


@both
@given(
    pairs=st.lists(PAIRS, max_size=60), asked=st.lists(VALUES, max_size=60), starts=st.booleans(), plenty=st.booleans()
)
def test_a_value_has_the_entries_that_begin_with_it(
    way: ModuleType, pairs: list[int], asked: list[int], starts: bool, plenty: bool
) -> None:
    if starts:
        pairs = [pair for pair in pairs if pair >> 32 < 100]
    ordered = sorted(pairs)
    firsts = [pair >> 32 for pair in ordered]
    of_values = None
    if starts and ordered:
        of_values = column([sum(first < value for first in firsts) for value in range(firsts[-1] + 2)])
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_WORTH_SORTING", "_LARGE"):
            patch.setattr(in_numpy, name, 1 if plenty else 1000)
        words = np.array(ordered, np.uint64)
        low, counts, total = way.find_ranges(words, of_values, np.array(asked, np.uint64), True)
        of_column = way.find_ranges(words, of_values, np.array(asked, np.uint32), True)
    assert [each.tolist() for each in of_column[:2]] == [low.tolist(), counts.tolist()] and of_column[2] == total
    assert counts.tolist() == [firsts.count(value) for value in asked]
    assert total == sum(counts.tolist())
    assert all(firsts.index(value) == at for value, at in zip(asked, low.tolist(), strict=True) if value in firsts)


@st.composite
def joins(draw: st.DrawFn) -> dict[str, Any]:
    """Arguments of a join, and some that have nothing to do. Half are what updates ask for most."""
    usual = draw(st.booleans())
    numbers = np.random.default_rng(draw(st.integers(0, 1 << 16)))
    keys = draw(st.integers(0, 8))
    entries = []
    for _ in range(draw(st.integers(1, 3))):
        size = draw(st.integers(1, 12))
        low = numbers.integers(0, size, keys)
        counts = np.array([int(numbers.integers(0, size - each + 1)) for each in low.tolist()], np.int64)
        words = numbers.integers(0, 1 << 63, size).astype(np.uint64) * np.uint64(2)
        entries.append(Entries(words, column(numbers.integers(0, ROWS, size)), low.astype(np.int64), counts))
    of_rows = [numbers.integers(0, 2, ROWS).astype(np.int32) for _ in range(2)]
    of_keys = [numbers.integers(0, 2, keys).astype(np.int32) for _ in range(3)]
    levels = None
    if usual or draw(st.booleans()):
        width = WIDTHS[0] if usual else draw(st.sampled_from(WIDTHS))
        moves = not usual and draw(st.booleans())
        levels = Levels(
            numbers.integers(0, 5, keys).astype(np.int32),
            numbers.integers(0, 5, keys).astype(np.int32) if moves else None,
            numbers.integers(0, 5, ROWS).astype(width) if usual or draw(st.booleans()) else None,
            numbers.integers(0, 3, ROWS).astype(np.int32) if moves and draw(st.booleans()) else None,
            draw(st.integers(0, 4)) if moves else 0,
        )
    seen = None
    if usual or draw(st.booleans()):
        seen = Seen(numbers.integers(0, 16, ROWS).astype(np.uint8), *draw(st.sampled_from([(4, 0), (4, 8), (5, 0)])))
    return {
        "entries": entries,
        "wanted": Wanted(
            keys=not usual and draw(st.booleans()),
            rows=not usual and draw(st.booleans()),
            seconds=usual or draw(st.booleans()),
        ),
        "carried": of_keys[: draw(st.integers(0, 2))],
        "fetched": of_rows[: 0 if usual else draw(st.integers(0, 2))],
        "checks": [(of_rows[0], of_keys[2])] if not usual and draw(st.booleans()) else [],
        "seen": seen,
        "levels": levels,
    }


def joined(arguments: dict[str, Any]) -> list[tuple[Any, ...]]:
    """What each entry of a join has."""
    found = []
    seen, levels = arguments["seen"], arguments["levels"]
    for words, rows, low, counts in arguments["entries"]:
        for key in range(len(low)):
            for entry in range(low[key], low[key] + counts[key]):
                row = int(rows[entry])
                state = 0 if seen is None else int(seen.state[row])
                if seen is not None and (not state & seen.wanted or state & seen.barred):
                    continue
                if any(of_rows[row] != of_keys[key] for of_rows, of_keys in arguments["checks"]):
                    continue
                now = former = None
                if levels is not None:
                    now = int(levels.of_keys[key])
                    former = None if levels.former is None else int(levels.former[key])
                    if levels.of_rows is not None:
                        own = int(levels.of_rows[row])
                        now = max(now, own)
                        if former is not None:
                            moving = 0 if levels.moving is None else int(levels.moving[row])
                            former = max(former, moving - 1 if moving else own)
                            if former == now and now >= levels.ceiling:
                                continue
                found.append(
                    (
                        key, row, int(words[entry]) & 0xFFFFFFFF, now, former,
                        *(int(each[key]) for each in arguments["carried"]),
                        *(int(each[row]) for each in arguments["fetched"]),
                    )
                )  # fmt: skip
    return found


@both
@given(arguments=joins())
def test_a_join_gives_the_entries_that_are_seen(way: ModuleType, arguments: dict[str, Any]) -> None:
    result = way.join(**arguments)
    expected = joined(arguments)
    assert result.size == len(expected)
    assert result.keys is None or result.keys.tolist() == [each[0] for each in expected]
    for array, place in ((result.rows, 1), (result.seconds, 2), (result.levels, 3), (result.former, 4)):
        if array is not None:
            assert array.dtype == np.int32
            assert [each % (1 << 32) for each in array.tolist()] == [each[place] for each in expected]
    assert (result.keys is not None) >= arguments["wanted"].keys
    assert (result.rows is not None) >= arguments["wanted"].rows
    assert (result.seconds is not None) == arguments["wanted"].seconds
    assert (result.levels is not None) == (arguments["levels"] is not None)
    others = [*result.carried, *result.fetched]
    assert [each.tolist() for each in others] == [[each[5 + n] for each in expected] for n in range(len(others))]
    assert len(result.carried) == len(arguments["carried"]) and len(result.fetched) == len(arguments["fetched"])


@both
@given(
    tables=st.lists(TABLES, min_size=1, max_size=3),
    width=st.integers(1, 3),
)
def test_rows_are_grouped_in_order_and_counted(
    way: ModuleType, tables: list[list[tuple[int, int, int]]], width: int
) -> None:
    parts = [[column(each) for each in list(zip(*table, strict=True))[:width]] for table in tables]
    rows = [each[:width] for table in tables for each in table]
    packed = way.pack(parts, len(rows))
    bits = [(max(each) - min(each)).bit_length() for each in zip(*rows, strict=True)]
    assert (packed is None) == (sum(bits) > 64)
    if packed is None:
        return
    words, widths, offsets = packed
    assert widths == bits
    columns, counts = way.count_packed(words[::-1].copy(), widths, offsets)
    expected = sorted(Counter(rows).items())
    unsigned = [found.view(np.uint32).tolist() for found in columns]
    assert list(zip(*unsigned, strict=True)) == [row for row, _ in expected]
    assert counts.tolist() == [count for _, count in expected]
    for key in range(1, min(width, 2) + 1):
        *others, words_of_keys = way.count_packed(words.copy(), widths, offsets, key)[0]
        assert [each.tolist() for each in others] == [each.tolist() for each in columns[:-key]]
        assert words_of_keys.tolist() == key_words(columns[-key:], len(expected)).tolist()


@both
@given(tables=st.lists(st.tuples(TABLES, st.booleans()), min_size=1, max_size=3), lifted=st.integers(0, 2))
def test_levels_are_lifted_where_there_are_any(
    way: ModuleType, tables: list[tuple[list[tuple[int, int, int]], bool]], lifted: int
) -> None:
    parts: list[list[Any]] = []
    rows: list[tuple[int, ...]] = []
    for table, of_input in tables:
        levels, former, heads = ([each[place] % 1000 for each in table] for place in (2, 1, 0))
        of_input = of_input and lifted > 0
        parts.append([None if of_input else column(levels), column(former), column(heads)])
        lifts = [*[0 if of_input else 1, 1][:lifted], 0, 0, 0]
        values = [[0] * len(table) if of_input else levels, former, heads]
        rows += zip(*([each + lift for each in some] for some, lift in zip(values, lifts, strict=False)), strict=True)
    packed = way.pack(parts, len(rows), lifted)
    assert packed is not None
    columns, counts = way.count_packed(*packed)
    expected = sorted(Counter(rows).items())
    assert list(zip(*(each.tolist() for each in columns), strict=True)) == [row for row, _ in expected]
    assert counts.tolist() == [count for _, count in expected]


@both
@given(
    changes=st.lists(st.tuples(CHANGES, st.integers(0, 5)), min_size=1),
    died=st.none() | st.lists(st.integers(0, 5), min_size=10, max_size=10),
)
def test_changes_since_the_last_death_are_summed(
    way: ModuleType, changes: list[tuple[list[tuple[int, int]], int]], died: list[int] | None
) -> None:
    given_changes = [
        (column([row for row, _ in each]), counts_of([count for _, count in each]), time) for each, time in changes
    ]
    rows, sums = way.sum_by_row(given_changes, None if died is None else column(died))
    expected: Counter[int] = Counter()
    for each, time in changes:
        for row, count in each:
            if died is None or died[row] <= time:
                expected[row] += count
    found = dict(zip(rows.tolist(), sums.tolist(), strict=True))
    assert len(found) == len(rows)
    assert found == {row: count for row, count in expected.items() if count}


@both
@pytest.mark.parametrize("width", WIDTHS, ids=str)
def test_numbers_that_do_not_fit_are_told(way: ModuleType, width: Any) -> None:
    most = int(np.iinfo(width).max)
    numbers = np.arange(6).astype(width)
    assert way.put(numbers, column([4, 1]), counts_of([0, most]), most)
    assert numbers.tolist() == [0, most, 2, 3, 0, 5]
    assert way.put(numbers, column([]), counts_of([]), most)
    assert way.take(numbers, column([5, 0, 2, 2])).tolist() == [5, 0, 2, 2]
    assert way.take(numbers, column([3])).dtype == np.int32
    if most < 1 << 40:
        assert not way.put(numbers, column([1, 2]), counts_of([3, most + 1]), most)


@both
@pytest.mark.parametrize("width", WIDTHS, ids=str)
def test_rows_are_filled_with_one_number(way: ModuleType, width: Any) -> None:
    numbers = np.arange(6).astype(width)
    way.fill(numbers, column([4, 1, 4]), int(np.iinfo(width).max))
    way.fill(numbers, column([0]), 9)
    way.fill(numbers, column([]), 3)
    assert numbers.tolist() == [9, int(np.iinfo(width).max), 2, 3, int(np.iinfo(width).max), 5]


@both
@given(
    states=st.lists(st.integers(0, 15), min_size=1, max_size=12),
    touched=st.lists(st.lists(st.integers(0, 11), max_size=8), min_size=1, max_size=3),
)
def test_rows_that_an_update_touched_are_settled(way: ModuleType, states: list[int], touched: list[list[int]]) -> None:
    parts = [column([row for row in part if row < len(states)]) for part in touched]
    after = np.array(states, np.uint8)
    lost, gained = way.settle(after, parts)
    rows = sorted({row for part in parts for row in part.tolist()})
    assert lost.tolist() == [row for row in rows if states[row] & OLD and not states[row] & NEW]
    assert gained.tolist() == [row for row in rows if states[row] & NEW and not states[row] & OLD]
    marks = {0: lambda state: state, OLD: lambda _: OLD, NEW: lambda _: NEW, OLD | NEW: lambda _: SETTLED}
    expected = [marks[state & (OLD | NEW)](state) if row in rows else state for row, state in enumerate(states)]
    assert after.tolist() == expected


@both
@given(
    keys=st.lists(PAIRS, max_size=120),
    others=st.lists(PAIRS, max_size=40),
    narrow=st.booleans(),
)
def test_runs_are_merged_in_order_and_those_of_the_first_come_first(
    way: ModuleType, keys: list[int], others: list[int], narrow: bool
) -> None:
    kind = np.uint32 if narrow else np.uint64
    first, second = (np.sort(np.array(each, np.uint64).astype(kind)) for each in (keys, others))
    into = np.zeros(len(keys) + len(others), kind), column([0] * (len(keys) + len(others)))
    way.merge(first, column(range(len(keys))), second, column(range(1000, 1000 + len(others))), *into)
    expected = sorted([*zip(first.tolist(), range(len(keys)), strict=True),
                       *zip(second.tolist(), range(1000, 1000 + len(others)), strict=True)])  # fmt: skip
    assert list(zip(into[0].tolist(), into[1].tolist(), strict=True)) == expected


@both
def test_states_are_marked_in_place(way: ModuleType) -> None:
    state = np.array([7, 15, 4, 0], np.uint8)
    way.mark(state, column([0, 1, 3]), 0xFF & ~4, 8)
    assert state.tolist() == [11, 11, 4, 8]


@st.composite
def relations(draw: st.DrawFn) -> tuple[Any, ...]:
    numbers = np.random.default_rng(draw(st.integers(0, 1 << 16)))
    state = numbers.integers(0, 16, ROWS).astype(np.uint8)
    level = numbers.integers(0, 6, ROWS).astype(draw(st.sampled_from(WIDTHS)))
    rows = column(draw(st.lists(st.integers(0, ROWS - 1), max_size=30)))
    return numbers, state, level, rows


@both
@given(relation=relations(), moves=st.booleans(), narrow=st.booleans(), sign=st.sampled_from([-1, 1]))
def test_changes_are_noted_and_wait_at_the_level_of_their_row_and_below(
    way: ModuleType, relation: tuple[Any, ...], moves: bool, narrow: bool, sign: int
) -> None:
    numbers, state, level, rows = relation
    levels, counts = numbers.integers(0, 7, len(rows)).astype(np.int32), sign * numbers.integers(1, 9, len(rows))
    moving = numbers.integers(0, 4, ROWS).astype(np.int32) if moves else None
    total, above = (
        numbers.integers(300, 400, ROWS).astype(np.int32) * numbers.integers(0, 2, ROWS, dtype=np.int32)
        for _ in range(2)
    )
    if narrow:
        total, above = (numbers.integers(240, 256, ROWS).astype(np.uint8) for _ in range(2))
    waiting: dict[int, list[tuple[int, int]]] = {}
    totals, next_up = total.astype(np.int64), above.astype(np.int64)
    for row, at, count in zip(rows.tolist(), levels.tolist(), counts.tolist(), strict=True):
        own = int(level[row])
        taken = own if moving is None or not moving[row] else int(moving[row]) - 1
        totals[row] += count
        if not state[row] & PRESENT or taken >= at:
            waiting.setdefault(at, []).append((row, count))
        elif at - own == 1 and above[row]:
            next_up[row] += count
    before = total.copy(), above.copy()
    found = way.note(rows, levels, counts, state, level, moving, total, above)
    most = int(np.iinfo(total.dtype).max)
    if (totals > most).any():
        expected = "total"
    elif (next_up > most).any():
        expected = "above"
    else:
        expected = sorted(waiting.items())
        before = totals, next_up
        found = [(at, list(zip(of.tolist(), changes.tolist(), strict=True))) for at, of, changes in found]
    assert found == expected
    assert [total.tolist(), above.tolist()] == [each.astype(total.dtype).tolist() for each in before]
    uncounted = total.copy()
    again = way.note(rows, levels, counts, state, level, moving, None, None)
    assert [at for at, _, _ in again] == sorted(waiting)
    assert total.tolist() == uncounted.tolist()


@both
@given(relation=relations(), visited=st.integers(0, 5), least=st.sampled_from([1, 250]), kept=st.booleans())
def test_changed_rows_are_divided_by_what_happens_to_them(
    way: ModuleType, relation: tuple[Any, ...], visited: int, least: int, kept: bool
) -> None:
    numbers, state, level, rows = relation
    rows = np.unique(rows)
    sums = numbers.integers(-3, 4, len(rows))
    count, above = (numbers.integers(least, least + 5, ROWS).astype(np.uint8) for _ in range(2))
    above[::3] = 0
    at = {row: int(level[row]) if state[row] & PRESENT else None for row in rows.tolist()}
    sum_of = dict(zip(rows.tolist(), sums.tolist(), strict=True))
    here = {row: int(count[row]) + sum_of[row] for row in at if at[row] == visited}
    below = {row: int(above[row]) + sum_of[row] for row in at if at[row] == visited - 1 and above[row] and kept}
    before = count.copy(), above.copy()
    found = way.divide(rows, sums, state, level, count, above if kept else None, visited)
    if isinstance(found, str):
        numbers_of = {"count": here, "above": below}
        assert max(numbers_of[found].values()) > 255
        assert [count.tolist(), above.tolist()] == [each.tolist() for each in before]
        return
    assert max([*here.values(), *below.values()], default=0) <= 255
    for array, old, changed in ((count, before[0], here), (above, before[1], below)):
        assert array.tolist() == [changed.get(row, number) % 256 for row, number in enumerate(old.tolist())]
    assert found.dead.tolist() == [row for row in here if here[row] == 0]
    assert found.owing == any(left < 0 for left in here.values())
    for these, their_sums, expected in (
        (found.lowered, found.lowered_sums, [row for row in at if (at[row] or 0) > visited and sum_of[row] > 0]),
        (found.arrivals, found.arrival_sums, [row for row in at if at[row] is None and sum_of[row] > 0]),
    ):
        assert these.tolist() == expected
        assert their_sums.tolist() == [sum_of[row] for row in expected]


@both
@given(relation=relations(), at=st.integers(0, 255), kept=st.booleans(), wide=st.booleans())
def test_rows_come_in_with_their_numbers(
    way: ModuleType, relation: tuple[Any, ...], at: int, kept: bool, wide: bool
) -> None:
    numbers, state, level, rows = relation
    rows = np.unique(rows)
    counts, count, above = numbers.integers(0, 257 if wide else 256, len(rows)), *np.full((2, ROWS), 7, np.uint8)
    before = [each.tolist() for each in (state, level, count, above)]
    done = way.enter(rows, counts, state, level, count, above if kept else None, at, 1)
    assert done == all(each <= 255 for each in counts.tolist())
    if done:
        for row, number in zip(rows.tolist(), counts.tolist(), strict=True):
            new = before[0][row] | PRESENT, at, number, 1 if kept else 7
            for each, value in zip(before, new, strict=True):
                each[row] = value
    assert [each.tolist() for each in (state, level, count, above)] == before


@both
@given(relation=relations(), at=st.integers(0, 5), kept=st.booleans(), most=st.sampled_from([9, 256]))
def test_rows_come_down_and_what_fires_one_level_up_is_known(
    way: ModuleType, relation: tuple[Any, ...], at: int, kept: bool, most: int
) -> None:
    numbers, _, level, rows = relation
    rows = np.unique(rows)
    count = numbers.integers(most - 9, most, ROWS).astype(np.uint8)
    counts, above, moving = numbers.integers(1, most + 1, len(rows)), np.full(ROWS, 7, np.uint8), column([0] * ROWS)
    levels, old = level.tolist(), count.tolist()
    expected = [each.tolist() for each in (level, count, above, moving)]
    found = way.lower(rows, counts, level, count, above if kept else None, moving, at)
    if isinstance(found, str):
        known = [old[row] + 1 for row in rows if levels[row] == at + 1]
        assert max({"count": counts.tolist(), "above": known}[found]) > 255
    else:
        assert found.tolist() == [levels[row] for row in rows]
        for row, number in zip(rows.tolist(), counts.tolist(), strict=True):
            known = 1 + (old[row] if levels[row] == at + 1 else 0)
            for each, value in zip(expected, (at, number, known if kept else 7, levels[row] + 1), strict=True):
                each[row] = value
    assert [each.tolist() for each in (level, count, above, moving)] == expected


@both
@given(relation=relations(), kept=st.booleans())
def test_what_becomes_of_the_dead_is_told_where_it_is_known(
    way: ModuleType, relation: tuple[Any, ...], kept: bool
) -> None:
    numbers, _, _, rows = relation
    total, above = (numbers.integers(0, 3, ROWS).astype(np.uint8) for _ in range(2))
    found = way.outlook(rows, total, above if kept else None)
    derived = [(row, int(above[row]) if kept else 0) for row in rows.tolist() if total[row]]
    raised = [(row, known - 1) for row, known in derived if known > 1]
    assert list(zip(found.raised.tolist(), found.counts.tolist(), strict=True)) == raised
    assert found.fallen.tolist() == [row for row, known in derived if known == 1]
    assert found.unknown.tolist() == [row for row, known in derived if not known]


def test_the_environment_chooses_numpy() -> None:
    script = "from pliant.engine.backends.embedded import kernels; print(kernels.COMPILED, kernels.join.__module__)"
    command, environment = [sys.executable, "-P", "-c", script], os.environ | {"PLIANT_KERNELS": "numpy"}
    chosen = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    assert chosen.stdout.split() == [b"False", in_numpy.__name__.encode()]


def test_states_are_the_same_by_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    by_numpy(monkeypatch)
    settings(max_examples=examples(20), phases=[Phase.generate])(given(histories(), st.data())(check_history))()
