"""Fact files as Soufflé reads and writes them: one tuple a line, columns apart by a delimiter, nothing quoted.

Files are parsed and made by Arrow, whole columns at a time. A file that Arrow's reader does not take as it is (a
delimiter of several characters, a value that needs a closer look) is read line by line, which also finds the line of a
mistake.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pyarrow import csv

from .datalog.program import Program
from .datalog.syntax import RANGES, Kind, integer
from .errors import FactError
from .evaluation import Evaluation
from .facts import Batch, Rows

_GZIP: Final = b"\x1f\x8b"
_BLOCK: Final = 1 << 22  # bytes that Arrow parses at a time
_LINES: Final = 1 << 20  # rows that are made into text at a time
_SHOWN: Final = 60  # characters of a field in a message
_NUMBER: Final = re.compile(r"\s*[+-]?[0-9]+")
_LAST_RETURN: Final = re.compile(rb"(?<=[^\n])\r\Z")  # of a last line that is not empty
_UNSIGNED: Final = re.compile(r"\s*\+?[0-9]+|0x[0-9a-fA-F]+|0b[01]+")

Table = Any  # a pyarrow.Table


def read_facts(program: Program, files: Iterable[tuple[str, Path, str]]) -> Batch:
    """The facts of input relations, from (relation, file, delimiter). A gzipped file is read as what it holds.

    Raises FactError that names file, line and column.
    """
    symbols: list[Any] = []
    known = 0
    rows: dict[str, list[Rows]] = {}
    for name, path, delimiter in files:
        kinds = program.inputs[name]
        columns, size = _read(path, delimiter, kinds)
        table = np.zeros((size, len(kinds)), np.int64)
        for index, (column, kind) in enumerate(zip(columns, kinds, strict=True)):
            if kind != "symbol":
                table[:, index] = column
                continue
            encoded = column.dictionary_encode()
            table[:, index] = encoded.indices.to_numpy()
            table[:, index] += known
            symbols.append(encoded.dictionary)
            known += len(encoded.dictionary)
        rows.setdefault(name, []).append(table)
    together = {name: np.concatenate(tables) for name, tables in rows.items()}
    return Batch(pa.concat_arrays(symbols) if symbols else [], together)


def _read(path: Path, delimiter: str, kinds: Sequence[Kind]) -> tuple[list[Any], int]:
    return parse_text(path, _bytes(path), delimiter, kinds)


def parse_text(path: Path, data: bytes, delimiter: str, kinds: Sequence[Kind]) -> tuple[list[Any], int]:
    """Columns (Arrow strings, or numpy integers) and the number of rows of a file's text; `path` is for messages."""
    if not data:
        empty = [pa.array([], pa.large_string()) if kind == "symbol" else np.zeros(0, np.int64) for kind in kinds]
        return empty, 0
    if b"\r" in data:
        data = _LAST_RETURN.sub(b"", data.replace(b"\r\n", b"\n"))
    empty_lines = len(kinds) > 1 and (data.startswith(b"\n") or b"\n\n" in data)  # Arrow fills them up
    simple = kinds and len(delimiter.encode()) == 1 and b"\r" not in data and not empty_lines
    if simple and not _has_hexadecimal(data, delimiter, kinds):
        table = _parse(data, delimiter, kinds)
        if table is not None:
            columns = [
                table.column(index).combine_chunks() if kind == "symbol" else table.column(index).to_numpy()
                for index, kind in enumerate(kinds)
            ]
            if all(kind == "symbol" or _in_range(column, kind) for column, kind in zip(columns, kinds, strict=True)):
                return columns, table.num_rows
    return _read_lines(path, data, delimiter, kinds)


def _bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            zipped = file.read(2) == _GZIP
        return gzip.decompress(path.read_bytes()) if zipped else path.read_bytes()
    except FileNotFoundError:
        raise FactError(f"the fact file {path} is not there; make an empty one if there are no such facts") from None
    except (OSError, EOFError) as error:
        raise FactError(f"the fact file {path} cannot be read: {error}") from None


def _has_hexadecimal(data: bytes, delimiter: str, kinds: Sequence[Kind]) -> bool:
    """Whether a column of numbers has one in hexadecimal digits: Arrow takes it, also where it is none of ours."""
    if b"0x" not in data and b"0X" not in data:
        return False
    table = _parse(data, delimiter, ["symbol"] * len(kinds))
    return table is None or any(
        pc.any(pc.match_substring_regex(table.column(index), "0[xX]"), min_count=0).as_py()
        for index, kind in enumerate(kinds)
        if kind != "symbol"
    )


def _parse(data: bytes, delimiter: str, kinds: Sequence[Kind]) -> Table | None:
    names = [str(index) for index in range(len(kinds))]
    types = {name: pa.large_string() if kind == "symbol" else pa.int64()
             for name, kind in zip(names, kinds, strict=True)}  # fmt: skip
    try:
        return csv.read_csv(
            pa.BufferReader(data),
            csv.ReadOptions(column_names=names, block_size=_BLOCK),
            csv.ParseOptions(delimiter=delimiter, quote_char=False, double_quote=False, ignore_empty_lines=False),
            csv.ConvertOptions(column_types=types, null_values=[], strings_can_be_null=False),
        )
    except pa.ArrowInvalid:
        return None


def _in_range(column: NDArray[Any], kind: Kind) -> bool:
    low, high = RANGES[kind]
    return column.dtype.kind == "i" and (not len(column) or (low <= int(column.min()) and int(column.max()) < high))


def _read_lines(path: Path, data: bytes, delimiter: str, kinds: Sequence[Kind]) -> tuple[list[Any], int]:
    try:
        lines = data.decode().split("\n")
    except UnicodeDecodeError as error:
        place = data.count(b"\n", 0, error.start) + 1
        raise FactError(f"{path}:{place}: the text is not UTF-8 (byte {data[error.start]:#04x})") from None
    if not lines[-1]:
        lines.pop()
    columns: list[list[Any]] = [[] for _ in kinds]
    for number, line in enumerate(lines, 1):
        fields = line.removesuffix("\r").split(delimiter)
        if len(fields) != max(len(kinds), 1):
            raise FactError(f"{path}:{number}: {_fields(len(fields))} where {len(kinds)} are expected, "
                            f"apart by {delimiter!r}")  # fmt: skip
        for index, kind in enumerate(kinds):
            field = fields[index]
            if kind == "symbol":
                columns[index].append(field)
                continue
            value = _value(field, kind)
            if value is None:
                shown = field if len(field) <= _SHOWN else f"{field[:_SHOWN]}..."
                raise FactError(f"{path}:{number}: field {index + 1} is {shown!r}; a {kind} of 32 bits is expected")
            columns[index].append(value)
    made = [
        pa.array(column, pa.large_string()) if kind == "symbol" else np.array(column, np.int64)
        for column, kind in zip(columns, kinds, strict=True)
    ]
    return made, len(lines)


def _fields(count: int) -> str:
    return "1 field" if count == 1 else f"{count} fields"


def _value(field: str, kind: Kind) -> int | None:
    pattern = _NUMBER if kind == "number" else _UNSIGNED
    if not pattern.fullmatch(field):
        return None
    value = integer(field.strip())
    low, high = RANGES[kind]
    return value if value is not None and low <= value < high else None


def write_rows(evaluation: Evaluation, name: str, rows: Rows, delimiter: str) -> Iterable[pa.Buffer]:
    """The text of rows of a relation, in pieces. Rows are in ascending order, symbols by their bytes, so that
    the same tuples give the same text."""
    if not evaluation.program.stored[name].kinds:
        if len(rows):
            yield pa.py_buffer(b"()\n")
        return
    keys, texts, by_rows = _ranked(evaluation, name, rows)
    for start in range(0, len(rows), _LINES):
        some = by_rows[start : start + _LINES]
        columns = [
            texts[index].take(pa.array(key[some])) if index in texts else pa.array(key[some]).cast(pa.large_string())
            for index, key in enumerate(keys)
        ]
        end = pa.scalar("\n", pa.large_string())
        joined = pc.binary_join_element_wise(*columns, pa.scalar(delimiter, pa.large_string()))
        lines = pc.binary_join_element_wise(joined, end, pa.scalar("", pa.large_string()))
        offsets = np.frombuffer(lines.buffers()[1], np.int64, len(lines) + 1, lines.offset * 8)
        yield lines.buffers()[2][int(offsets[0]) : int(offsets[-1])]


def ascending(evaluation: Evaluation, name: str, rows: Rows) -> tuple[Rows, list[Any]]:
    """Rows of a relation in the order of `write_rows`, and their columns as Arrow arrays of strings and integers."""
    if not evaluation.program.stored[name].kinds:
        return rows, []
    keys, texts, by_rows = _ranked(evaluation, name, rows)
    columns = [
        texts[index].take(pa.array(key[by_rows])) if index in texts else pa.array(key[by_rows])
        for index, key in enumerate(keys)
    ]
    return rows[by_rows], columns


def _ranked(evaluation: Evaluation, name: str, rows: Rows) -> tuple[list[NDArray[Any]], dict[int, Any], NDArray[Any]]:
    """For each column what it is sorted by: numbers, or ranks in the sorted strings; those strings, by column; and the
    ascending order of the rows."""
    texts: dict[int, Any] = {}
    keys: list[NDArray[Any]] = []
    for index, kind in enumerate(evaluation.program.stored[name].kinds):
        if kind != "symbol":
            keys.append(rows[:, index])
            continue
        used, places = np.unique(rows[:, index], return_inverse=True)
        strings = evaluation.arrow_strings(used)
        order = pc.sort_indices(strings).to_numpy()
        ranks = np.empty(len(used), np.int64)
        ranks[order] = np.arange(len(used))
        keys.append(ranks[places])
        texts[index] = strings.take(pa.array(order))
    return keys, texts, np.lexsort(keys[::-1])
