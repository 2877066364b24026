"""Where facts come from: DataFrames, one that has many inputs together, files of text, or a batch of this process. All
of a source is one frame for Spark, whatever the number of inputs: a plan for each takes longer than their facts do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from ...datalog.program import Program
from ...datalog.syntax import Kind
from ...errors import FactError
from ...facts import Batch
from ...symbols import as_strings
from . import blocks
from .cluster import united
from .gathering import CHUNK_ROWS, Gatherer, Gathering
from .reading import FactFiles, reader
from .session import cores
from .survey import Survey


@dataclass(frozen=True, slots=True)
class Together:
    """Facts of inputs in one DataFrame: `relation`, and the cells c0, c1, ... in text, null past those of a relation.
    Relations that are no inputs are passed over."""

    frame: Any


Given = Mapping[str, Any] | Batch | Together | FactFiles


@dataclass(slots=True)
class Gathered:
    """`chunks`: a frame of them. `survey`: what they are; None: nobody asked. `kept`: by Spark. `named`: some may have
    symbols."""

    chunks: Any
    survey: Survey | None
    kept: bool
    named: bool

    def facts(self) -> Any:
        return self.chunks.where(f"kind = '{blocks.FACTS}'")

    def release(self) -> None:
        if self.kept:
            self.chunks.unpersist()


def gathered(
    spark: Any, program: Program, given: Given, sign: int, *, survey: bool, sums: bool = False, keep: bool = False
) -> Gathered | None:
    """Facts that come (+1) or go (-1); None if there are none. `survey`: look at what they are, which reads them. They
    are kept by Spark where they are read more than once. Raises FactError."""
    gathering = Gathering(program.inputs, sign, survey and sign > 0, sums)
    names = _names(program, given)
    if not names:
        return None
    named = any("symbol" in program.inputs[name] for name in names)
    if isinstance(given, Batch):
        rows = list(_of_batch(given, gathering))
        seen = Survey.of((name, note) for _, kind, name, _, note in rows if kind == blocks.SURVEY)
        facts = [row for row in rows if row[1] == blocks.FACTS]
        if not facts:
            return None
        return Gathered(spark.createDataFrame(blocks.table_of(facts), blocks.DDL), seen, False, named)
    if isinstance(given, FactFiles):
        pieces = given.pieces(cores(spark))
        frame = spark.range(0, len(pieces), 1, len(pieces)).mapInArrow(reader(gathering, pieces), blocks.DDL)
    elif isinstance(given, Together):
        places = {name: list(range(1, 1 + len(kinds))) for name, kinds in program.inputs.items()}
        frame = given.frame.mapInArrow(_sorter(gathering, [], places), blocks.DDL)
    else:
        whole, places = _one_frame(program, given)
        # A task for each core: however little one does, it takes 50 ms.
        frame = whole.coalesce(cores(spark)).mapInArrow(_sorter(gathering, list(given), places), blocks.DDL)
    if not (survey or sums or keep):
        return Gathered(frame, None, False, named)
    frame = frame.persist()
    if not (survey or sums):
        return Gathered(frame, None, True, named)
    notes = frame.where(f"kind = '{blocks.SURVEY}'").select("name", "note").collect()
    return Gathered(frame, Survey.of((row["name"], row["note"]) for row in notes), True, named)


def _names(program: Program, given: Given) -> list[str]:
    """The inputs that facts may be of. Raises FactError for what is no input."""
    if isinstance(given, Together):
        return list(program.inputs)
    names = list(given.names if isinstance(given, FactFiles) else given.rows if isinstance(given, Batch) else given)
    for name in names:
        if name not in program.inputs:
            what = "is not an input of the program" if name in program.schemas else "is not declared"
            raise FactError(f"facts are given for {name}, which {what}")
    return names


def names_of(program: Program, given: Given) -> list[str]:
    """The stored inputs that facts may be of."""
    return sorted({program.input_storage[name] for name in _names(program, given)})


def frames_of(spark: Any, program: Program, batch: Batch) -> dict[str, Any]:
    """A batch, which is of a size that this process holds, as a DataFrame for each input."""
    symbols = as_strings(batch.symbols)
    found = {}
    for name, rows in batch.rows.items():
        kinds = program.inputs[name]
        columns = {
            f"c{index}": column.cast(pa.string()) if kind == "symbol" else column
            for index, (column, kind) in enumerate(zip(_columns(symbols, rows, kinds), kinds, strict=True))
        }
        if len(rows):
            table = pa.table(columns or {"c0": pa.array(np.zeros(len(rows), np.int64))})
            found[name] = spark.createDataFrame(table)
    return found


def _columns(symbols: Any, rows: Any, kinds: Sequence[Kind]) -> list[Any]:
    return [
        symbols.take(pa.array(rows[:, index])) if kind == "symbol" else pa.array(rows[:, index], pa.int64())
        for index, kind in enumerate(kinds)
    ]


def _of_batch(batch: Batch, gathering: Gathering) -> Iterator[blocks.Row]:
    gatherer, symbols = Gatherer(gathering), as_strings(batch.symbols)
    for name, rows in batch.rows.items():
        for start in range(0, len(rows), CHUNK_ROWS):
            some = rows[start : start + CHUNK_ROWS]
            yield from gatherer.add(name, _columns(symbols, some, gathering.kinds[name]), len(some))
    yield from gatherer.end()


def _one_frame(program: Program, frames: Mapping[str, Any]) -> tuple[Any, dict[str, list[int]]]:
    """Many frames as one: the number of the input, then columns of strings and of integers, null past those of an
    input; and the places of its columns among them."""
    kinds_of = {name: program.inputs[name] for name in frames}
    strings = max(sum(kind == "symbol" for kind in kinds) for kinds in kinds_of.values())
    numbers = max(sum(kind != "symbol" for kind in kinds) for kinds in kinds_of.values())
    parts: list[Any] = []
    places: dict[str, list[int]] = {}
    for number, (name, frame) in enumerate(frames.items()):
        kinds = kinds_of[name]
        if len(frame.columns) != max(len(kinds), 1):
            raise FactError(f"facts of {name} have {len(frame.columns)} columns; {len(kinds)} are expected")
        cells = ["CAST(NULL AS STRING)"] * strings + ["CAST(NULL AS BIGINT)"] * numbers
        at, places[name] = {True: 0, False: strings}, []
        for column, kind in zip(frame.columns, kinds, strict=False):
            symbol = kind == "symbol"
            quoted = column.replace("`", "``")
            cells[at[symbol]] = f"CAST(`{quoted}` AS {'STRING' if symbol else 'BIGINT'})"
            places[name].append(1 + at[symbol])
            at[symbol] += 1
        parts.append(frame.selectExpr(f"{number} AS relation", *(f"{cell} AS x{i}" for i, cell in enumerate(cells))))
    return united(parts), places


def _sorter(gathering: Gathering, names: list[str], places: Mapping[str, list[int]]) -> Callable[[Any], Any]:
    """For `mapInArrow` over facts of many inputs: the name of the input, or its place in `names`, then cells."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        gatherer = Gatherer(gathering)
        for batch in batches:
            for name, some in _sorted(batch, names):
                if name in places:
                    columns = [some.column(place) for place in places[name]]
                    yield from blocks.batches_of(gatherer.add(name, columns, some.num_rows))
        yield from blocks.batches_of(gatherer.end())

    return run


def _sorted(batch: pa.RecordBatch, names: list[str]) -> Iterator[tuple[str, pa.RecordBatch]]:
    """The rows of each input, in their order."""
    if not batch.num_rows:
        return
    column = batch.column(0)
    if not names:
        encoded = column.dictionary_encode()
        names, column = encoded.dictionary.to_pylist(), encoded.indices
    codes = column.to_numpy()
    if codes[0] == codes[-1] and (codes == codes[0]).all():
        yield names[codes[0]], batch
        return
    order = np.argsort(codes, kind="stable")
    ordered = batch.take(pa.array(order))
    ends = np.cumsum(np.bincount(codes, minlength=len(names)))
    for name, end, start in zip(names, ends, [0, *ends[:-1]], strict=True):
        if end > start:
            yield name, ordered.slice(start, end - start)


__all__ = ["FactFiles", "Gathered", "Given", "Together", "frames_of", "gathered", "names_of"]
