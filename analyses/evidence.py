"""What a program asks of its attributes, as evidence that they may be null. A test is no null: what one side of a
comparison has for its tests alone, and the other would have if it knew of them, neither comes nor goes."""

from __future__ import annotations

import numpy as np

from pliant.engine import Batch, Evaluation
from pliant.engine.facts import Rows

_ASSUMED = ("doubted", "doubtful", "feared", "feared_result")


def as_if_known(evaluation: Evaluation, other: Evaluation) -> Evaluation | None:
    """A copy of a state with the evidence that another one has besides (`assumed` in heap_null.dl); None if there is
    none. Both share one symbol table."""
    symbols: list[str] = []
    for relation in _ASSUMED:
        rows = _missing(evaluation, other.rows(relation), relation)
        names = np.array(other.strings(rows.reshape(-1)), object).reshape(-1, 2)
        for whose, name in names.tolist():
            symbols += (relation, whose, name)
    if not symbols:
        return None
    known = {symbol: number for number, symbol in enumerate(dict.fromkeys(symbols))}
    rows = np.array([known[symbol] for symbol in symbols], np.int64).reshape(-1, 3)
    copy = evaluation.copy()
    copy.update(insert=Batch(symbols=list(known), rows={"assumed": rows}), strategy="update")
    return copy


def _missing(evaluation: Evaluation, rows: Rows, relation: str) -> Rows:
    """Rows that a state does not have."""
    return rows[~evaluation.contains(relation, rows)] if len(rows) else rows
