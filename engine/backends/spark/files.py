"""Fact files as DataFrames, and DataFrames as text: executors read, parse and write lines, the driver none of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...datalog.program import Program
from ...datalog.syntax import Kind
from ...errors import FactError
from ...fact_files import parse_text, read_facts
from .evaluation import SparkEvaluation, frames_of

_GZIP = b"\x1f\x8b"


def read_fact_frames(spark: Any, program: Program, files: Iterable[tuple[str, Path, str]]) -> dict[str, Any]:
    """Input -> DataFrame, from (relation, file, delimiter). All executors have to reach the files. What is wrong with a
    line is told when it is read; `exact_mistake` finds the line."""
    found: dict[str, Any] = {}
    for name, path, delimiter in files:
        kinds = program.inputs[name]
        try:
            with path.open("rb") as file:
                zipped = file.read(2) == _GZIP
        except FileNotFoundError:
            raise FactError(
                f"the fact file {path} is not there; make an empty one if there are no such facts"
            ) from None
        except OSError as error:
            raise FactError(f"the fact file {path} cannot be read: {error}") from None
        if zipped and path.suffix != ".gz":  # Spark goes by the name
            frame = frames_of(spark, program, read_facts(program, [(name, path, delimiter)])).get(name)
            if frame is None:
                continue
        else:
            lines = spark.read.option("lineSep", "\n").text(path.absolute().as_uri())
            frame = lines.mapInArrow(parser(path, delimiter, kinds), columns_ddl(kinds))
        found[name] = frame if name not in found else found[name].unionByName(frame)
    return found


def columns_ddl(kinds: Sequence[Kind]) -> str:
    columns = [f"c{index} {'string' if kind == 'symbol' else 'bigint'}" for index, kind in enumerate(kinds)]
    return ", ".join(columns or ["c0 bigint"])


def parser(path: Path, delimiter: str, kinds: tuple[Kind, ...]) -> Callable[[Any], Any]:
    """For `mapInArrow` over lines."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            if not batch.num_rows:
                continue
            columns, size = parse_text(path, _joined(batch.column(0)), delimiter, kinds)
            arrays = [
                column.cast(pa.string()) if kind == "symbol" else pa.array(np.asarray(column, np.int64))
                for column, kind in zip(columns, kinds, strict=True)
            ]
            arrays = arrays or [pa.array(np.zeros(size, np.int64))]
            yield pa.RecordBatch.from_arrays(arrays, names=[f"c{index}" for index in range(len(arrays))])

    return run


def _joined(lines: Any) -> bytes:
    """Lines as the text that they were."""
    kind = pa.large_string()
    ended = pc.binary_join_element_wise(lines.cast(kind), pa.scalar("\n", kind), pa.scalar("", kind))
    offsets = np.frombuffer(ended.buffers()[1], np.int64, len(ended) + 1, ended.offset * 8)
    text: bytes = ended.buffers()[2][int(offsets[0]) : int(offsets[-1])].to_pybytes()
    return text


def uri_of(path: str) -> str:
    """A folder of this machine, or what is a URI already, as a URI; unquoted, since Hadoop takes paths as they are."""
    return path if re.match(r"[A-Za-z][A-Za-z0-9+.-]+:", path) else f"file://{Path(path).absolute()}"


def exact_mistake(program: Program, files: Iterable[tuple[str, Path, str]]) -> None:
    """Raise the FactError that names the line, if a file has a mistake."""
    for each in files:
        read_facts(program, [each])


def text_of(evaluation: SparkEvaluation, name: str, delimiter: str, changed: str = "") -> Iterator[bytes]:
    """The text of a relation as `fact_files.write_rows` gives it, in pieces that come one after another."""
    kinds = evaluation.program.stored[name].kinds
    frame = evaluation.ordered(name, changed=changed)
    if not kinds:
        yield b"()\n" * frame.count()
        return
    for row in frame.mapInArrow(_writer(delimiter), "text binary").toLocalIterator():
        yield bytes(row["text"])


def _writer(delimiter: str) -> Callable[[Any], Any]:
    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            if batch.num_rows:
                kind = pa.large_string()
                columns = [column.cast(kind) for column in batch.columns]
                lines = pc.binary_join_element_wise(*columns, pa.scalar(delimiter, kind))
                yield pa.RecordBatch.from_arrays([pa.array([_joined(lines)], pa.binary())], names=["text"])

    return run


__all__ = ["exact_mistake", "read_fact_frames", "text_of", "uri_of"]
