"""What is to be known of facts before a program is localised: how many there are, and which values are frequent.

Both are found in one pass over the facts. Of a long file every eighth batch of lines is looked at for values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...datalog.program import Program
from ...datalog.syntax import Kind
from ...facts import Batch, to_words
from ...strategies.pipelined.skew import Limits, Share, Skew, heavy_among
from ...symbols import as_strings
from .cluster import united

_TOP: Final = 64  # values of a column that a task tells of
_FIRST, _EVERY = 4, 8  # batches that are looked at
_SAMPLE: Final = 1 << 18
_SIZE: Final = -1  # in place of a column: how many rows there are
_DDL: Final = "name string, at int, value string, rows bigint"

Column = tuple[str, int]  # an input, and the column


@dataclass(slots=True)
class Survey:
    """`sizes`: of inputs. `frequent`: of their columns, values as text, with about how many rows have each."""

    sizes: dict[str, int] = field(default_factory=dict)
    frequent: dict[Column, dict[str, int]] = field(default_factory=dict)

    def heavy(self, shards: int, limits: Limits | None = None) -> dict[Column, tuple[Share, list[str]]]:
        """Of columns with heavy values what part they are, and these."""
        found = {}
        for (name, at), counts in sorted(self.frequent.items()) if shards > 1 else ():
            values = np.array(list(counts.values()), np.int64)
            chosen, share = heavy_among(values, self.sizes[name], shards, limits or Limits())
            if chosen.any():
                found[name, at] = share, [value for value, heavy in zip(counts, chosen, strict=True) if heavy]
        return found


def skew_from(program: Program, heavy: Mapping[Column, tuple[Share, list[str]]], ids: Mapping[str, int]) -> Skew:
    """With values as they are stored. `ids`: of the symbols among them."""
    words: list[int] = []
    for (name, at), (_, values) in heavy.items():
        symbol = program.inputs[name][at] == "symbol"
        words += [ids[value] if symbol else int(value) for value in values]
    stored = np.unique(to_words(np.array(words, np.int64)))
    return Skew(stored, {(program.input_storage[name], at): share for (name, at), (share, _) in heavy.items()})


def symbols_among(program: Program, heavy: Mapping[Column, tuple[Share, list[str]]]) -> list[str]:
    values = [some for (name, at), (_, some) in heavy.items() if program.inputs[name][at] == "symbol"]
    return sorted({value for some in values for value in some})


def of_batch(program: Program, batch: Batch) -> Survey:
    """Of facts that this process holds."""
    found = Survey({name: len(rows) for name, rows in batch.rows.items()})
    symbols = as_strings(batch.symbols)
    for name, rows in batch.rows.items():
        kinds = program.inputs.get(name, ())
        step = 1 + len(rows) // _SAMPLE
        for at, kind in enumerate(kinds if len(kinds) > 1 and len(rows) else ()):
            values, counts = np.unique(rows[::step, at], return_counts=True)
            most = np.argsort(counts, kind="stable")[-_TOP:]
            texts = symbols.take(pa.array(values[most])).to_pylist() if kind == "symbol" else map(str, values[most])
            found.frequent[name, at] = dict(zip(texts, (counts[most] * step).tolist(), strict=True))
    return found


def of_frames(program: Program, frames: Mapping[str, Any]) -> Survey:
    """Of DataFrames, in one job."""
    parts = [frame.mapInArrow(_surveyor(name, program.inputs[name]), _DDL) for name, frame in frames.items()]
    found = Survey(dict.fromkeys(frames, 0))
    for row in united(parts).collect() if parts else ():
        name, at, value, rows = row
        if at == _SIZE:
            found.sizes[name] += rows
            continue
        counts = found.frequent.setdefault((name, at), {})
        counts[value] = counts.get(value, 0) + rows
    return found


def _surveyor(name: str, kinds: tuple[Kind, ...]) -> Callable[[Any], Iterator[pa.RecordBatch]]:
    """For `mapInArrow` over the facts of an input."""

    def run(batches: Any) -> Iterator[pa.RecordBatch]:
        size, sample = 0, []
        for turn, batch in enumerate(batches):
            size += batch.num_rows
            if len(kinds) > 1 and batch.num_rows and (turn < _FIRST or not turn % _EVERY):
                sample.append(batch)
        rows: list[tuple[int, str, int]] = [(_SIZE, "", size)]
        looked = sum(batch.num_rows for batch in sample)
        for at in range(len(kinds) if sample else 0):
            counted = pa.chunked_array([batch.column(at) for batch in sample]).value_counts()
            most = pc.select_k_unstable(
                counted.field("counts"), k=min(_TOP, len(counted)), sort_keys=[("", "descending")]
            )
            top = counted.take(most)
            counts = top.field("counts").to_numpy() * size // looked
            texts = top.field("values").cast(pa.string()).to_pylist()
            rows += [(at, text, count) for text, count in zip(texts, counts.tolist(), strict=True) if count > 1]
        ats, texts, counts = zip(*rows, strict=True)
        yield pa.RecordBatch.from_arrays(
            [pa.array([name] * len(rows)), pa.array(ats, pa.int32()), pa.array(texts), pa.array(counts, pa.int64())],
            names=["name", "at", "value", "rows"],
        )

    return run


__all__ = ["Survey", "of_batch", "of_frames", "skew_from", "symbols_among"]
