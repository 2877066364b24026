"""Relations as text: executors make the lines, the driver none of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .evaluation import SparkEvaluation


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


__all__ = ["text_of", "uri_of"]
