"""Fact files read where Spark runs: a task is given pieces of files, of any relations, and reads and parses these
itself. The driver reads no line.
"""

from __future__ import annotations

import gzip
import heapq
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

import pyarrow as pa

from ...datalog.program import Program
from ...errors import FactError
from ...fact_files import parse_text, read_facts
from . import blocks
from .gathering import Gatherer, Gathering

_GZIP: Final = b"\x1f\x8b"
_PIECE: Final = 1 << 24  # bytes of a file that one task reads, if there are more
_TASK: Final = 1 << 28  # bytes that a task reads at most, about
_BLOCK: Final = 1 << 23  # bytes that are parsed at a time


@dataclass(frozen=True, slots=True)
class Piece:
    """The lines of a file that begin at these bytes. A zipped file is one piece."""

    relation: str
    path: Path
    delimiter: str
    start: int
    stop: int
    zipped: bool


@dataclass(frozen=True, slots=True)
class FactFiles:
    """(relation, file, delimiter). All executors have to reach the files. What is wrong with a line is told when it is
    read; `exact_mistake` finds the line."""

    files: tuple[tuple[str, Path, str], ...]

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys(name for name, _, _ in self.files))

    def __len__(self) -> int:
        return len(self.files)

    def pieces(self, tasks: int) -> list[list[Piece]]:
        """All that is to be read, for about so many tasks. Raises FactError."""
        found = sorted(
            (piece for file in self.files for piece in _pieces(*file)), key=lambda each: each.start - each.stop
        )
        whole = sum(each.stop - each.start for each in found)
        tasks = max(1, min(len(found), max(tasks, -(-whole // _TASK))))
        given: list[list[Piece]] = [[] for _ in range(tasks)]
        least = [(0, number) for number in range(tasks)]
        for piece in found:  # the largest first, to who has least
            size, number = heapq.heappop(least)
            given[number].append(piece)
            heapq.heappush(least, (size + piece.stop - piece.start, number))
        return given


def _pieces(relation: str, path: Path, delimiter: str) -> Iterator[Piece]:
    try:
        with path.open("rb") as file:
            zipped = file.read(2) == _GZIP
        size = path.stat().st_size
    except FileNotFoundError:
        raise FactError(f"the fact file {path} is not there; make an empty one if there are no such facts") from None
    except OSError as error:
        raise FactError(f"the fact file {path} cannot be read: {error}") from None
    path = path.absolute()
    step = size if zipped else _PIECE
    for start in range(0, size, max(step, 1)):
        yield Piece(relation, path, delimiter, start, min(start + step, size), zipped)


def reader(gathering: Gathering, given: list[list[Piece]]) -> Callable[[Any], Any]:
    """For `mapInArrow` over the numbers of tasks."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        gatherer = Gatherer(gathering)
        for batch in batches:
            for number in batch.column(0).to_pylist():
                for piece in given[number]:
                    kinds = gathering.kinds[piece.relation]
                    for text in texts(piece):
                        columns, size = parse_text(piece.path, text, piece.delimiter, kinds)
                        arrays = [column if kind == "symbol" else pa.array(column)
                                  for column, kind in zip(columns, kinds, strict=True)]  # fmt: skip
                        yield from blocks.batches_of(gatherer.add(piece.relation, arrays, size))
        yield from blocks.batches_of(gatherer.end())

    return run


def texts(piece: Piece, block: int = _BLOCK) -> Iterator[bytes]:
    """The lines of a piece, many at a time."""
    try:
        if piece.zipped:
            with gzip.open(piece.path, "rb") as zipped:
                yield from _lines(zipped, None, block)
            return
        with piece.path.open("rb") as file:
            if piece.start:  # a line that began before is another's
                file.seek(piece.start - 1)
                file.readline()
            yield from _lines(file, piece.stop, block)
    except (OSError, EOFError) as error:
        raise FactError(f"the fact file {piece.path} cannot be read: {error}") from None


def _lines(file: BinaryIO | gzip.GzipFile, stop: int | None, block: int) -> Iterator[bytes]:
    while stop is None or file.tell() < stop:
        text = file.read(block if stop is None else min(block, stop - file.tell()))
        if not text:
            return
        yield text if text.endswith(b"\n") else text + file.readline()


def exact_mistake(program: Program, files: Iterable[tuple[str, Path, str]]) -> None:
    """Raise the FactError that names the line, if a file has a mistake."""
    for each in files:
        read_facts(program, [each])


__all__ = ["FactFiles", "Piece", "exact_mistake", "reader", "texts"]
