"""Short levels of a Bootstrap in one call: rows, levels and counts are those of levels one by one, in that order."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from oracle import Fact, Facts, evaluate
from programs import batch, examples, fresh, state
from test_cyclic import cyclic_programs
from test_maintenance import History, changed, histories

from pliant.engine import Evaluation
from pliant.engine.backends.embedded import ascent, kernels
from pliant.engine.backends.embedded.ascent import Ascended, ShortLevels
from pliant.engine.backends.embedded.relation import NUMBERS

pytestmark = pytest.mark.skipif(not kernels.COMPILED, reason="without a compiler, levels are asked for one by one")

ALIASES = """
.decl assign(a: symbol, b: symbol)  .input assign
.decl field(a: symbol, f: symbol, b: symbol)  .input field
.decl barred(a: symbol)  .input barred
.decl points(a: symbol, b: symbol)  .output points
.decl held(a: symbol, f: symbol, b: symbol)  .output held
points(a, b) :- assign(a, b), a != b, !barred(a).
points(a, c) :- points(a, b), points(b, c), !barred(c).
points(a, b) :- held(a, _, b), held(b, "f", a).
held(a, f, c), points(c, a) :- points(b, a), field(b, f, c).
held(a, f, a) :- held(a, f, b), points(b, a).
held(a, "f", b) :- held(b, "g", a), points(a, a).
"""
NAMES = st.sampled_from("abcdefgh")
FIELDS = st.sampled_from("fg")


class Seen:
    """Every ascent of the test: how many levels it took, and whether it was stopped by a long one."""

    def __init__(self) -> None:
        self.levels = self.stopped = self.again = 0

    def note(self, level: int, found: Ascended | None) -> None:
        if found is not None:
            self.levels += found.level - level + found.over
            self.stopped += not found.over
            self.again += any(len(np.unique(each.rows)) < len(each.rows) for each in found.fired.values())


@contextmanager
def ascents(seen: Seen, short: int = 512, most_met: int = 1 << 15, fewest: int = 0) -> Iterator[None]:
    """Ascents begin after `fewest` levels."""
    before = ShortLevels.ascend

    def ascend(levels: ShortLevels, level: int, noting: bool) -> Ascended | None:
        found = before(levels, level, noting)
        seen.note(level, found)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ShortLevels, "ascend", ascend)
        of = {"_FEWEST": fewest, "_ROWS": 1 << 30, "_WORK": 3, "SHORT": short, "LONG": most_met}
        for name, value in of.items():
            patch.setattr(ascent, name, value)
        yield


@contextmanager
def one_by_one() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ascent, "_FEWEST", 1 << 30)
        yield


def stored(evaluation: Evaluation) -> dict[str, list[list[int] | None]]:
    """All rows of every relation, in order, and their numbers."""
    found = {}
    for name, relation in evaluation._relations.items():
        numbers = [getattr(relation, each) for each in NUMBERS]
        found[name] = [
            *(column[: relation.size].tolist() for column in relation.columns),
            *(None if each is None else each[: relation.size].tolist() for each in numbers),
            [relation.size, relation.stable],
        ]
    return found


def told(evaluation: Evaluation) -> list[tuple[object, ...]]:
    return [(each.relations, each.instantiations, each.tuples, each.levels) for each in evaluation.reports]


def joined(evaluation: Evaluation) -> list[tuple[object, ...]]:
    """What each rule cost, but for seconds."""
    return sorted(
        (each.rule, each.driver, each.runs, each.driven, each.joined, each.instantiations)
        for each in evaluation.profile
    )


def tables(evaluation: Evaluation) -> object:
    return {
        (stratum, name): [part.tolist() for part in table.pairs()]
        for stratum, by_name in evaluation._kept.level_counts.items()
        for name, table in by_name.items()
    }


@pytest.mark.parametrize("cyclic", [False, True])
def test_bootstrap_gives_the_same_rows_in_the_same_order(cyclic: bool) -> None:
    seen = Seen()

    @settings(max_examples=examples(60), phases=[Phase.generate])
    @given(
        histories(cyclic_programs()) if cyclic else histories(),
        st.sampled_from([1, 2, 4, 512]),
        st.sampled_from([2, 8, 1 << 15]),
        st.integers(0, 2),
    )
    def run(history: History, short: int, most_met: int, fewest: int) -> None:
        random, now, epochs = history
        with one_by_one():
            expected = fresh(random.text, now)
        with ascents(seen, short, most_met, fewest):
            evaluation = fresh(random.text, now)
            assert stored(evaluation) == stored(expected)
            assert told(evaluation) == told(expected)
            for insert, delete in epochs:
                now = changed(now, insert, delete)
                evaluation.update(batch(insert), batch(delete), "counting")
                with one_by_one():
                    expected.update(batch(insert), batch(delete), "counting")
                assert tables(evaluation) == tables(expected)
            assert state(evaluation) == evaluate(random.text, now)

    run()
    assert seen.levels


def test_rules_of_every_shape() -> None:
    """Several heads and relations in a stratum, joins with it, constants, equal columns, negation and comparisons."""
    seen = Seen()

    @settings(max_examples=examples(150), phases=[Phase.generate])
    @given(
        st.sets(st.tuples(NAMES, NAMES), min_size=6, max_size=12),
        st.sets(st.tuples(NAMES, FIELDS, NAMES), min_size=3, max_size=12),
        st.sets(st.tuples(NAMES), max_size=2),
        st.sampled_from([4, 512]),
        st.sampled_from([12, 1 << 15]),
    )
    def run(assign: set[Fact], field: set[Fact], barred: set[Fact], short: int, most_met: int) -> None:
        facts: Facts = {"assign": assign, "field": field, "barred": barred}
        with one_by_one():
            expected = fresh(ALIASES, facts)
        with ascents(seen, short, most_met):
            evaluation = fresh(ALIASES, facts)
        assert stored(evaluation) == stored(expected)
        assert told(evaluation) == told(expected)
        assert joined(evaluation) == joined(expected)

    run()
    assert seen.levels > 50 and seen.stopped > 5


@pytest.mark.parametrize("keyed", ["next(b, c)", "next(b, c), !barred(b, c)", "far(a, b, c)"])
def test_a_long_chain_is_climbed_in_one_call(keyed: str) -> None:
    """By the first of two columns, by whole tuples, by a pair; in runs that are divided into parts."""
    text = f"""
.decl next(a: number, b: number)  .input next
.decl barred(a: number, b: number)  .input barred
.decl far(a: number, b: number, c: number)  .input far
.decl reached(a: number, b: number)  .output reached
reached(a, b) :- next(a, b), a < 2.
reached(a, c) :- reached(a, b), {keyed}.
"""
    seen = Seen()
    nodes = [(index * index) % 40_009 + index for index in range(3000)]  # in no even order
    nodes[:2] = 0, 1
    facts: Facts = {
        "next": {*pairwise(nodes), (7, nodes[20])},
        "barred": {(nodes[index + 1], nodes[index]) for index in range(2000)} | {(nodes[2900], nodes[2901])},
        "far": {(start, a, b) for start in range(2) for a, b in pairwise(nodes)},
    }
    with ascents(seen, fewest=8):
        evaluation = fresh(text, facts)
    assert seen.levels > 2000
    with one_by_one():
        assert stored(evaluation) == stored(fresh(text, facts))


@pytest.mark.parametrize("alike", [False, True])
def test_rows_of_a_level_are_in_order_though_their_hashes_are_alike(
    alike: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = """
.decl next(a: number, b: number)  .input next
.decl reached(a: number, b: number, c: number)  .output reached
reached(a, b, b) :- next(a, b).
reached(a, c, b) :- reached(a, b, _), next(b, c).
"""
    facts: Facts = {"next": {(index, (index * step + 7) % 40) for index in range(40) for step in (3, 5)}}
    with one_by_one():
        expected = stored(fresh(text, facts))
    if alike:
        monkeypatch.setattr(ascent, "half_of", lambda words: np.zeros(len(words), np.uint32))
    seen = Seen()
    with ascents(seen, fewest=1):
        assert stored(fresh(text, facts)) == expected
    assert seen.levels
