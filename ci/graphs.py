"""The pointer and null flow graphs of a commit, as the CSPA and CSDA programs read them.

CSPA is the pointer analysis of Zheng and Rugina ("Demand-Driven Alias Analysis for C", POPL 2008): nodes are
expressions. `assign(a, b)`: the value of `a` flows to `b`; `dereference(p, q)`: `q` is `*p`. Fields are not told apart.
CSDA follows null: `nullEdge(n, b)`: the null `n` flows to `b`; `arc(a, b)`: null flows from `a` to `b`, also by calls
and returns. `nodes.facts` has the name of each number.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from pliant.ci.errors import UserError, reason, visible
from pliant.engine import Evaluation

_ESCAPES = str.maketrans({"\t": "\\t", "\n": "\\n", "\r": "\\r"})


def write_graphs(evaluation: Evaluation, out: Path) -> dict[str, int]:
    """Writes `assign`, `dereference`, `nullEdge`, `arc` and `nodes` to `<name>.facts`; the number of rows of each."""
    size = len(evaluation.symbols)  # the node `*p` has the number of p, plus this
    graphs = {**_pointer_graph(evaluation, size), **_null_graph(evaluation)}
    used = np.unique(np.concatenate([rows.reshape(-1) for rows in graphs.values()]))
    texts = [text.translate(_ESCAPES) for text in evaluation.strings(used % size)]
    counts = {name: len(rows) for name, rows in graphs.items()}
    counts["nodes"] = len(used)
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, rows in graphs.items():
            pairs = np.searchsorted(used, rows).tolist()
            _write(out / f"{name}.facts", (f"{a}\t{b}\n" for a, b in pairs))
        stars = (used >= size).tolist()
        named = zip(stars, texts, strict=True)
        _write(out / "nodes.facts", (f"{i}\t{'*' * star}{text}\n" for i, (star, text) in enumerate(named)))
    except OSError as error:
        raise UserError(f"facts cannot be written to {visible(str(out))}: {reason(error)}") from None
    return counts


def _write(path: Path, lines: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        stream.writelines(lines)


def _rows(evaluation: Evaluation, relation: str, *columns: int) -> np.ndarray:
    rows: np.ndarray = evaluation.rows(relation)[:, columns].astype(np.int64)
    return rows


def _pairs(*parts: np.ndarray) -> np.ndarray:
    """Distinct pairs, in order."""
    return np.unique(np.concatenate(parts), axis=0)


def _pointer_graph(evaluation: Evaluation, size: int) -> dict[str, np.ndarray]:
    flow = _pairs(_rows(evaluation, "object_flow", 1, 0), _rows(evaluation, "flow", 1, 0))
    loads = np.concatenate([_rows(evaluation, "load", 1, 0), _rows(evaluation, "subscript", 1, 0)])
    stores = _rows(evaluation, "store", 0, 2)
    read, written = loads + np.array([size, 0]), stores[:, ::-1] + np.array([0, size])
    bases = np.unique(np.concatenate([loads[:, 0], stores[:, 0]]))
    return {
        "assign": _pairs(flow, read, written),
        "dereference": np.column_stack([bases, bases + size]),
    }


def _null_graph(evaluation: Evaluation) -> dict[str, np.ndarray]:
    returned: dict[int, list[int]] = {}
    for function, value in _rows(evaluation, "returns", 0, 1).tolist():
        returned.setdefault(function, []).append(value)
    results = [
        (value, call)
        for call, function in _rows(evaluation, "calls", 0, 1).tolist()
        for value in returned.get(function, ())
    ]
    arcs = _pairs(
        _rows(evaluation, "flow", 1, 0), _rows(evaluation, "passes", 1, 2), np.array(results, np.int64).reshape(-1, 2)
    )
    up = _rows(evaluation, "up", 0, 1)
    makers = np.unique(up[up[:, 0] == up[:, 1], 0])
    return {"nullEdge": arcs[np.isin(arcs[:, 0], makers)], "arc": arcs}
