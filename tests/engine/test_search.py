"""Keys that are looked up in several runs, by bits and by bisection, in order and out of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pliant.engine.backends.embedded import search
from pliant.engine.backends.embedded.arrangement import Run
from pliant.engine.backends.embedded.pair_bits import PairBits
from pliant.engine.backends.embedded.search import locate

KEYS = st.integers(0, 40).flatmap(lambda first: st.integers(0, 70).map(lambda second: first << 32 | second))
STORED = st.dictionaries(KEYS, st.tuples(st.integers(0, 3), st.integers(0, 1000)), max_size=80)


@pytest.mark.parametrize("threads", [1, 3])
@given(stored=STORED, asked=st.lists(KEYS, max_size=60), sorting=st.booleans(), bits=st.sets(st.integers(0, 3)))
def test_the_row_of_each_key_is_found_in_whichever_run_it_is(
    threads: int, stored: dict[int, tuple[int, int]], asked: list[int], sorting: bool, bits: set[int]
) -> None:
    runs = []
    for each in range(4):
        keys = np.array(sorted(key for key, (run, _) in stored.items() if run == each), np.uint64)
        rows = np.array([stored[key][1] for key in keys.tolist()], np.int32)
        runs.append(Run(keys, rows, bits=PairBits(keys) if each in bits and len(keys) else None))
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_FEW_BITS", "_WORTH_SORTING", "_LARGE"):
            patch.setattr(search, name, 1 if sorting else 1000)
        found = locate(runs, np.array(asked + list(stored), np.uint64), threads)
    assert found.tolist() == [stored[key][1] if key in stored else -1 for key in [*asked, *stored]]
