"""What a program tests, as evidence that it may be null.

A test of an attribute is no null: what one side of a comparison has for its tests alone, and the other would have if it
knew of them, neither comes nor goes. But where one side tests a parameter, or what it reads by an access path, and the
other uses it untested in the same function, the test is what came or went.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pliant.engine import Batch, Evaluation
from pliant.engine.facts import Rows

_ATTRIBUTES = ("doubted", "doubtful", "feared", "feared_result")
TESTS = {"asks_parameter": ("formal", 2), "asks_path": ("uses_path", 1)}  # and which column has what a side can test


def as_if_known(evaluation: Evaluation, other: Evaluation) -> Evaluation | None:
    """A copy of a state with the evidence of attributes that another one has besides (`assumed` in heap_null.dl); None
    if there is none. Both share one symbol table."""
    return _with(evaluation, {name: _missing(evaluation, other, name) for name in _ATTRIBUTES})


def as_if_tested(evaluation: Evaluation, other: Evaluation) -> Evaluation | None:
    """The same with the tests that another one has of parameters and access paths that both have."""
    rows = {name: _missing(evaluation, other, name) for name in TESTS}
    for name, (relation, column) in TESTS.items():
        if len(missing := rows[name]):
            rows[name] = missing[np.isin(missing[:, 1], evaluation.rows(relation)[:, column])]
    return _with(evaluation, rows)


def _missing(evaluation: Evaluation, other: Evaluation, relation: str) -> Rows:
    """The rows that only the other state has."""
    rows = other.rows(relation)
    return rows[~evaluation.contains(relation, rows)] if len(rows) else rows


def _with(evaluation: Evaluation, assumed: Mapping[str, Rows]) -> Evaluation | None:
    symbols: list[str] = []
    for relation, rows in assumed.items():
        names = np.array(evaluation.strings(rows.reshape(-1)), object).reshape(-1, 2)
        for one, two in names.tolist():
            symbols += (relation, one, two)
    if not symbols:
        return None
    known = {symbol: number for number, symbol in enumerate(dict.fromkeys(symbols))}
    rows = np.array([known[symbol] for symbol in symbols], np.int64).reshape(-1, 3)
    copy = evaluation.copy()
    copy.update(insert=Batch(symbols=list(known), rows={"assumed": rows}), strategy="update")
    return copy
