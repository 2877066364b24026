"""A relation's arrangements, its room to grow, and its newest view as a relation of its own."""

import numpy as np
import pytest

from pliant.engine.backends.embedded.relation import NEW, OLD, SETTLED, Relation


def made(size: int, arity: int) -> Relation:
    draw = np.random.default_rng(size)
    rows = np.unique(draw.integers(0, 40, (size, arity), np.int32), axis=0)
    relation = Relation("r", arity, levelled=True)
    for part in np.array_split(draw.permutation(rows), 5):
        relation.append(list(part.T), len(part), 1, 1, SETTLED)
    relation.settle()
    return relation


def found(relation: Relation, key: tuple[int, ...]) -> set[tuple[int, int]]:
    """(i, row) of the first hundred rows' keys."""
    values = [relation.columns[column][:100] for column in key]
    probes, rows = relation.rows_with(key, values, 100, NEW)
    return set(zip(probes.tolist(), rows.tolist(), strict=True))


@pytest.mark.parametrize("single", [0, 1])
def test_a_pair_takes_the_place_of_one_of_its_columns(single: int) -> None:
    relation = made(2000, 3)
    before = found(relation, (single,))
    assert list(relation.arrangements) == [(single,)]
    pairs = found(relation, (0, 1))
    assert list(relation.arrangements) == [(single, 1 - single)]
    assert found(relation, (single,)) == before
    assert pairs == {(i, row) for i, row in before if (i, row) in found(relation, (1 - single,))}


def test_unused_room_is_given_back_and_rows_are_kept() -> None:
    relation = made(30_000, 3)
    rows = np.stack([column[: relation.size] for column in relation.columns]).copy()
    unused = len(relation.state) - relation.size
    relation.trim()
    assert len(relation.state) - relation.size < unused / 2
    relation.append(
        [np.full(5000, 99, np.int32), np.arange(5000, dtype=np.int32), np.zeros(5000, np.int32)], 5000, 2, 1, 7
    )
    assert (np.stack([column[: rows.shape[1]] for column in relation.columns]) == rows).all()
    assert relation.levels_of(np.array([0, relation.size - 1])).tolist() == [1, 2]


def test_a_bare_relation_has_the_same_tuples_in_the_same_views_and_no_index() -> None:
    relation = Relation("r", 2, levelled=True)
    relation.append([np.arange(30, dtype=np.int32), np.arange(30, dtype=np.int32)], 30, 1, 1, SETTLED)
    relation.settle()
    relation.locate([np.array([3], np.int32), np.array([3], np.int32)], 1)
    relation.set_state(np.arange(10, dtype=np.int32), OLD)
    bare = relation.bare()
    assert bare.rows_in(NEW).tolist() == relation.rows_in(NEW).tolist() == list(range(10, 30))
    assert bare.columns[0] is relation.columns[0] and not bare.arrangements and relation.arrangements
    assert bare.nbytes < relation.nbytes


def test_what_somebody_looks_at_is_not_made_shorter() -> None:
    relation = made(30_000, 3)
    column = relation.columns[1][: relation.size]
    values = column.copy()
    relation.trim()
    relation.append(
        [np.full(5000, 99, np.int32), np.arange(5000, dtype=np.int32), np.zeros(5000, np.int32)], 5000, 2, 1, 7
    )
    assert (column == values).all()
    assert (relation.columns[1][: len(values)] == values).all()


def test_the_newest_view_needs_no_states() -> None:
    relation = made(500, 2)
    relation.set_state(np.arange(10, dtype=np.int32), NEW)
    whole = relation.now(affordable=0)
    assert whole.uniform
    assert whole.size == relation.size
    relation.set_state(np.arange(10, 30, dtype=np.int32), OLD)
    assert relation.now(affordable=0) is relation
    copied = relation.now(affordable=1000)
    assert copied.uniform
    assert set(zip(*(column[: copied.size].tolist() for column in copied.columns), strict=True)) == set(
        zip(*(column[relation.rows_in(NEW)].tolist() for column in relation.columns), strict=True)
    )
