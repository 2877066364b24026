"""What changed in a relation since a layer, and how a layer's relation is brought up to date by it.

A delta names rows by their numbers in the layer below: those that died, came back, or have another level, count or
total, and after them the rows that are new. It is found by comparing with the layer, so it does not matter how the
evaluation came to be: a relation whose rows have other numbers by now is matched by its tuples.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..backends.embedded.keys import Column
from ..backends.embedded.relation import NEW, SETTLED, Number, Relation
from ..backends.embedded.widths import narrowed
from ..symbols import SymbolTable, hash_strings
from .arrays import Arrays
from .whole import numbers_of


def difference(relation: Relation, base: Relation) -> tuple[dict[str, Any], Arrays] | None:
    """The entry and the arrays that bring `base` to `relation`; None if they are equal."""
    size = base.size
    ours = numbers_of(relation)
    if _same_numbers(relation, base):
        alive = relation.state[:size] & NEW != 0
        numbers = {name: values[:size] for name, values in ours.items()}
        added = (np.flatnonzero(relation.state[size : relation.size] & NEW) + size).astype(np.int32)
    else:
        rows, added = _matched(relation, base)
        alive = rows >= 0
        numbers = {name: _taken(values, rows) for name, values in ours.items()}
    changed = alive != (base.state[:size] != 0)
    for name, values in numbers.items():
        changed |= alive & (values != getattr(base, name)[:size])
    places = np.flatnonzero(changed).astype(np.int32)
    if not len(places) and not len(added):
        return None
    living = alive[places]
    arrays: Arrays = {"rows": places, "state": np.where(living, SETTLED, 0).astype(np.uint8)}
    for index, column in enumerate(relation.columns):
        arrays[f"column{index}"] = column[added]
    for name, values in numbers.items():
        arrays[name] = narrowed(np.concatenate([np.where(living, values[places], 0), ours[name][added]]))
    return {"before": size, "added": len(added)}, arrays


def _same_numbers(relation: Relation, base: Relation) -> bool:
    return relation.size >= base.size and all(
        np.array_equal(ours[: base.size], theirs[: base.size])
        for ours, theirs in zip(relation.columns, base.columns, strict=True)
    )


def _matched(relation: Relation, base: Relation) -> tuple[Column, Column]:
    """For each row of `base` the living row of `relation` with its tuple, or -1; and the living rows beside them."""
    living = relation.rows_in(NEW)
    rows = np.full(base.size, -1, np.int32)
    there = base.locate([column[living] for column in relation.columns], len(living))
    rows[there[there >= 0]] = living[there >= 0]
    return rows, living[there < 0]


def _taken(values: NDArray[Any], rows: Column) -> NDArray[Any]:
    """The values of rows, 0 for -1."""
    taken = np.zeros(len(rows), values.dtype)
    there = rows >= 0
    taken[there] = values[rows[there]]
    return taken


def apply(
    relation: Relation,
    rows: Column,
    state: NDArray[np.uint8],
    columns: Sequence[Column],
    added: int,
    numbers: Mapping[Number, NDArray[Any]],
) -> None:
    """Brings a layer's relation up to date with checked arrays."""
    start = relation.append(columns, added, 0, 1, SETTLED)
    if len(rows):
        relation.set_state(rows, 0)
        relation.state[rows] = state
        relation.known = 0  # rows that were there before die here, or come back
    for name, values in numbers.items():
        relation.put(name, rows, values[: len(rows)])
        relation.put(name, slice(start, start + added), values[len(rows) :])
    relation.settle()
    relation.finish_update()


def new_symbols(symbols: SymbolTable, before: int) -> tuple[Any, Arrays]:
    """The strings that were added since the table had `before`, and their index by hash."""
    texts = symbols.take(np.arange(before, len(symbols)))
    hashes = hash_strings(texts)[0]
    order = np.argsort(hashes)
    return texts, {"hash": hashes[order], "id": (order + before).astype(np.int32)}
