"""Facts as they come in: strings and rows of indices, checked against the program and turned into columns of ids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from .backends.embedded.keys import Column, consolidate
from .datalog.program import Program
from .datalog.syntax import RANGES, Kind
from .errors import FactError
from .symbols import SymbolTable

Rows = NDArray[np.int64]


@dataclass(slots=True)
class Batch:
    """Facts of some input relations. `rows[relation]` has shape (n, arity): a symbol column indexes into `symbols`,
    a number column holds values. Duplicates are one fact."""

    symbols: Sequence[str] | Any = field(default_factory=list)
    rows: Mapping[str, NDArray[Any]] = field(default_factory=dict)

    @classmethod
    def from_tuples(cls, facts: Mapping[str, Sequence[tuple[str | int, ...]]]) -> Batch:
        """For tests and small inputs: facts as Python tuples."""
        places: dict[str, int] = {}
        rows = {
            name: np.array(
                [[places.setdefault(v, len(places)) if isinstance(v, str) else v for v in fact] for fact in some],
                np.int64,
            ).reshape(len(some), -1)
            for name, some in facts.items()
            if some
        }
        return cls(list(places), rows)


def encode(
    program: Program, batch: Batch, symbols: SymbolTable, intern: bool = True
) -> dict[str, tuple[list[Column], int]]:
    """Storage name -> distinct rows as columns of ids and values, and how many. Raises FactError.

    Without `intern` the symbol table stays as it is, and rows with a string that it lacks are left out.
    """
    encoded = {}
    for name, columns, size in encode_rows(program, batch, symbols, intern):
        distinct, counts = consolidate(columns, size)
        encoded[program.input_storage[name]] = (distinct, len(counts))
    return encoded


def encode_rows(
    program: Program, batch: Batch, symbols: SymbolTable, intern: bool = True
) -> Iterator[tuple[str, list[Column], int]]:
    """As `encode`, by the relation's own name, with duplicates and in the order given."""
    ids: Column | None = None
    for name, rows in batch.rows.items():
        kinds = program.inputs.get(name)
        if kinds is None:
            what = "is not an input of the program" if name in program.schemas else "is not declared"
            raise FactError(f"facts are given for {name}, which {what}")
        rows = np.asarray(rows)
        if rows.size == 0 and rows.ndim != 2:
            rows = rows.reshape(0, len(kinds))
        if rows.ndim != 2 or rows.shape[1] != len(kinds):
            raise FactError(f"facts of {name} have shape {rows.shape}; (n, {len(kinds)}) is expected")
        if rows.dtype.kind not in "iu" and rows.size:
            raise FactError(f"facts of {name} are of type {rows.dtype}; integers are expected")
        if ids is None and "symbol" in kinds:
            ids = symbols.intern(batch.symbols) if intern else symbols.ids(batch.symbols)
        columns = [_column(name, rows[:, index], kind, ids) for index, kind in enumerate(kinds)]
        if not intern and "symbol" in kinds:
            known = np.ones(len(rows), np.bool_)
            for column, kind in zip(columns, kinds, strict=True):
                if kind == "symbol":
                    known &= column >= 0
            columns = [column[known] for column in columns]
            rows = rows[known]
        yield name, columns, len(rows)


def _column(name: str, values: NDArray[Any], kind: Kind, ids: Column | None) -> Column:
    low, high = (0, 0 if ids is None else len(ids)) if kind == "symbol" else RANGES[kind]
    if len(values) and not (low <= int(values.min()) and int(values.max()) < high):
        what = "an index outside the batch's symbols" if kind == "symbol" else f"a value that is no {kind} of 32 bits"
        raise FactError(f"facts of {name} hold {what}")
    if kind == "symbol":
        return np.zeros(0, np.int32) if ids is None else ids[values]
    return to_words(values)


def to_words(values: NDArray[Any]) -> Column:
    """Ids, numbers or unsigned values as 32-bit words."""
    return values.astype(np.int64).astype(np.uint32).view(np.int32)


def to_values(column: Column, kind: Kind) -> Rows:
    """A stored column as ids or values."""
    return (column.view(np.uint32) if kind == "unsigned" else column).astype(np.int64)


def to_rows(columns: Sequence[Column], kinds: Sequence[Kind], size: int) -> Rows:
    out = np.empty((size, len(kinds)), np.int64)
    for index, (column, kind) in enumerate(zip(columns, kinds, strict=True)):
        out[:, index] = to_values(column, kind)
    return out


def constant_words(program: Program, symbols: SymbolTable) -> Column:
    """The program's constants as stored words."""
    texts = [str(value) for kind, value in program.constants if kind == "symbol"]
    ids = iter(symbols.intern(pa.array(texts, pa.large_string())).tolist() if texts else [])
    words = [next(ids) if kind == "symbol" else int(value) for kind, value in program.constants]
    return to_words(np.array(words, np.int64))
