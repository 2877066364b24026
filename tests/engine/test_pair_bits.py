"""Bits in place of a search for whole pairs: the same rows are found, and states are the same."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from programs import examples
from test_maintenance import check_history, histories

from pliant.engine.backends.embedded import arrangement, pair_bits, search
from pliant.engine.backends.embedded.arrangement import Run
from pliant.engine.backends.embedded.kernels import in_numpy
from pliant.engine.backends.embedded.keys import pack
from pliant.engine.backends.embedded.pair_bits import PairBits, dense
from pliant.engine.backends.embedded.relation import SETTLED, Relation
from pliant.engine.backends.embedded.search import locate

VALUES = st.one_of(st.integers(0, 200), st.sampled_from([-(2**31), -1, 63, 64, 127, 128, 2**31 - 1]))
PAIRS = st.lists(st.tuples(st.integers(0, 130), st.integers(0, 200)), min_size=1, max_size=300, unique=True)


def packed(pairs: list[tuple[int, int]]) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    columns = np.array(pairs, np.int64).reshape(-1, 2).astype(np.int32)
    return pack(list(columns.T), len(pairs))


@pytest.mark.parametrize("part", [65, 1 << 16])
@given(pairs=PAIRS, others=st.lists(st.tuples(VALUES, VALUES), max_size=100))
def test_bits_say_where_each_pair_stands(
    part: int, pairs: list[tuple[int, int]], others: list[tuple[int, int]]
) -> None:
    keys = np.sort(packed(pairs))
    asked = pairs + others
    rows = np.arange(1000, 1000 + len(keys), dtype=np.int32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pair_bits, "_PART", part)
        found = PairBits(keys).rows(packed(asked), rows)
    row_of = dict(zip(keys.tolist(), rows.tolist(), strict=True))
    assert found.tolist() == [row_of.get(key, -1) for key in packed(asked).tolist()]


def test_bits_are_for_relations_that_hold_a_good_part_of_all_pairs() -> None:
    full = np.sort(packed([(first, second) for first in range(40) for second in range(64)]))
    assert dense([full])
    assert dense([full[::2], full[1::2]])
    assert not dense([full[:1], packed([(3_000_000, 3)])])
    assert not dense([packed([(-1, 1)])])


def small(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Bits are made at once and used for one key; what is given says of how many entries they were."""
    made: list[int] = []

    class Counted(PairBits):
        def __init__(self, keys: np.ndarray[tuple[int], np.dtype[np.uint64]]):
            super().__init__(keys)
            made.append(len(keys))

    monkeypatch.setattr(arrangement, "_WORTH_BITS", 1)
    monkeypatch.setattr(arrangement, "_BITS_PER_KEY", 1 << 20)
    monkeypatch.setattr(in_numpy, "_FEW_BITS", 1)
    monkeypatch.setattr(arrangement, "PairBits", Counted)
    return made


@pytest.mark.parametrize("threads", [1, 3])
def test_rows_are_found_by_bits_and_by_search_together(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLIANT_THREADS", str(threads))
    monkeypatch.setattr(search, "_WORTH_SEARCHING", 16)
    random = np.random.default_rng(threads)
    stored = np.unique(packed(random.integers(0, 60, (900, 2)).tolist()))
    asked = packed(random.integers(0, 70, (500, 2)).tolist())
    runs = [Run(stored[start::3].copy(), np.arange(start, len(stored), 3, dtype=np.int32)) for start in range(3)]
    by_search = locate(runs, asked).tolist()
    runs[1].bits = PairBits(runs[1].keys)
    assert locate(runs, asked).tolist() == by_search
    assert sum(row >= 0 for row in by_search) > 50


def test_runs_are_made_one_when_they_get_bits_and_later_rows_are_found_beside_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = small(monkeypatch)
    monkeypatch.setattr(arrangement, "_TINY", 1)
    monkeypatch.setattr(arrangement, "_CALL_COST", 0)
    random = np.random.default_rng(3)
    pairs = random.permutation(np.unique(random.integers(0, 50, (1200, 2), np.int32), axis=0))
    relation = Relation("r", 2, levelled=False)
    for part in np.split(pairs, [600, 760, 800]):
        relation.append(list(part.T), len(part), 0, 1, SETTLED)
        relation.settle()
        relation.locate(list(part.T), len(part))
    whole = relation.whole()
    assert len(whole.runs) > 1
    whole.improve()
    assert not made  # nothing was looked up
    whole.note_located(10)
    whole.improve()
    assert made == [relation.size]
    assert len(whole.runs) == 1
    whole.note_located(10)
    whole.improve()
    assert made == [relation.size]  # they are there
    assert whole.nbytes > len(pairs) * 12
    more = np.array([[70, 1], [3, 70]], np.int32)
    relation.append(list(more.T), 2, 0, 1, SETTLED)
    relation.settle()
    asked = np.concatenate([pairs[::-1], more, [[71, 71]]]).astype(np.int32)
    found = relation.locate(list(asked.T), len(asked))
    assert found.tolist() == [*range(len(pairs) - 1, -1, -1), len(pairs), len(pairs) + 1, -1]


def test_too_few_pairs_are_not_looked_at_again_before_there_are_twice_as_many(monkeypatch: pytest.MonkeyPatch) -> None:
    made = small(monkeypatch)
    relation = Relation("r", 2, levelled=False)
    sparse = np.arange(0, 1_000_000, 10_000, dtype=np.int32)
    relation.append([sparse, sparse], len(sparse), 0, 1, SETTLED)
    relation.settle()
    relation.locate([sparse, sparse], len(sparse))
    relation.whole().note_located(1000)
    relation.whole().improve()
    monkeypatch.setattr(arrangement, "dense", lambda runs: pytest.fail("it was looked at"))
    relation.whole().note_located(1000)
    relation.whole().improve()
    assert not made


def test_states_are_the_same_with_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    made = small(monkeypatch)
    settings(max_examples=examples(20), phases=[Phase.generate])(given(histories(), st.data())(check_history))()
    assert made
