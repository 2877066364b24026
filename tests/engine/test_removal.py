"""Why a tuple is gone: the input changes that are named are enough to remove it, and are among those that were made."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import Fact
from programs import batch, fresh

from pliant.engine import Evaluation, FactError, TooMuch

REACH = """
.decl edge(a: number, b: number)  .input edge
.decl closed(a: number)  .input closed
.decl reached(a: number)  .output reached
.decl blocked(a: number)
.decl path(a: number, b: number)  .output path
blocked(x) :- closed(x), edge(x, _).
reached(0).
reached(y) :- reached(x), edge(x, y), !blocked(y).
path(x, y) :- edge(x, y), !closed(y).
path(x, z) :- path(x, y), path(y, z).
"""
pairs = st.tuples(st.integers(0, 4), st.integers(0, 4))
Set = dict[str, set[Fact]]
facts = st.fixed_dictionaries({"edge": st.sets(pairs, max_size=12), "closed": st.sets(st.tuples(st.integers(0, 4)))})


@given(st.sets(pairs, max_size=16), st.sets(pairs, max_size=8))
def test_what_is_named_is_enough(edges: set[Fact], delete: set[Fact]) -> None:
    before = fresh(REACH, {"edge": edges})
    after = before.copy()
    after.update(delete=batch({"edge": delete}), strategy="update")
    for name, row in removed(before, after):
        removal = before.explain_removal(after, name, row)
        alone = before.copy()
        alone.update(delete=batch({"edge": {fact for _, fact in removal.deleted}}), strategy="update")
        assert not alone.contains(name, np.array([row]))[0]


COUNTS = """
.decl edge(a: number, b: number)  .input edge
.decl closed(a: number)  .input closed
.decl degree(a: number, n: number)  .output degree
.decl last(a: number, b: number)  .output last
.decl lonely(a: number)  .output lonely
.decl steps(a: number, n: number)  .output steps
degree(x, n) :- edge(x, _), n = count : { edge(x, y), !closed(y) }.
last(x, y) :- edge(x, _), y = max z : { edge(x, z) }.
lonely(x) :- edge(x, _), 0 = count : { edge(_, x) }.
steps(x, n) :- degree(x, _), n = sum y : { last(y, z), degree(z, _), z < x }.
"""


@pytest.mark.parametrize("text", [REACH, COUNTS], ids=["reach", "counts"])
@given(now=facts, insert=facts, delete=facts)
def test_what_is_named_was_changed(text: str, now: Set, insert: Set, delete: Set) -> None:
    before = fresh(text, now)
    after = before.copy()
    after.update(batch(insert), batch(delete), "update")
    for name, row in removed(before, after):
        removal = before.explain_removal(after, name, row)
        assert removal.deleted or removal.gained
        for relation, fact in removal.deleted:
            assert fact in now[relation] and fact in delete[relation] - insert[relation]
        for relation, fact in removal.gained:
            assert after.contains(relation, np.array([fact]))[0]
            assert not before.contains(relation, np.array([fact]))[0]


def removed(before: Evaluation, after: Evaluation) -> list[tuple[str, tuple[int, ...]]]:
    rows = [(name, tuple(row)) for name in before.program.outputs for row in before.rows(name).tolist()]
    return [(name, row) for name, row in rows if not after.contains(name, np.array([row]))[0]]


def test_tuples_that_only_held_each_other_up_lead_to_the_input() -> None:
    before = fresh(REACH, {"edge": {(0, 1), (1, 2), (2, 1), (3, 4)}})
    after = before.copy()
    after.update(delete=batch({"edge": {(0, 1), (3, 4)}}))
    removal = before.explain_removal(after, "reached", (2,))
    assert removal.deleted == [("edge", (0, 1))]
    assert removal.gained == []
    assert removal.tuples == 2


def test_a_tuple_that_is_barred_now_names_what_bars_it() -> None:
    before = fresh(REACH, {"edge": {(0, 1), (1, 2)}})
    after = before.copy()
    after.update(insert=batch({"closed": {(1,)}}))
    removal = before.explain_removal(after, "reached", (2,))
    assert (removal.deleted, removal.gained) == ([], [("blocked", (1,))])


def test_a_tuple_that_was_not_removed_is_refused() -> None:
    before = fresh(REACH, {"edge": {(0, 1)}})
    for row in ((1,), (4,)):
        with pytest.raises(FactError, match="was not removed"):
            before.explain_removal(before.copy(), "reached", row)


def test_more_derivations_than_are_allowed_are_refused() -> None:
    text = """
    .decl one(a: number)  .input one
    .decl on(a: number)  .input on
    .decl many(a: number)  .output many
    many(z) :- on(z), one(x), one(y), x != y.
    """
    before = fresh(text, {"one": {(number,) for number in range(50)}, "on": {(0,)}})
    after = before.copy()
    after.update(delete=batch({"on": {(0,)}}))
    with pytest.raises(TooMuch, match="a removed tuple of many take more than 1,000 joined rows"):
        before.explain_removal(after, "many", (0,), 1000)
    assert before.explain_removal(after, "many", (0,), 10_000).deleted == [("on", (0,))]
