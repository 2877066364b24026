"""Arrays in an Arrow file: one record batch of one row, a list column for each array, since arrays differ in length.

Places in the file are kept in the manifest, so that opening parses no more than the manifest. An array is mapped
copy-on-write: whoever writes to it writes to private pages, never to the file.
"""

from __future__ import annotations

import hashlib
import mmap
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from .files import Descriptor, Sink
from .manifest import Entry, Refused

Arrays = dict[str, NDArray[Any]]
Placed = dict[str, list[Any]]  # name -> [type, offset in bytes, length, SHA-256]

_TYPES: Final[dict[str, np.dtype[Any]]] = {
    code: np.dtype(f"<{code}") for code in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")
}
# Bytes from which an array has a column and a digest of its own. Most have a few rows: thousands of columns cost more
# than what is in them. What shares a column is checked together when the first of it is read.
_OWN_COLUMN: Final = 4096
TEXT: Final = "text"  # the one column of strings; its parts are text.offsets and text.bytes


def write_arrays(
    folder: Descriptor, name: str, arrays: Mapping[str, NDArray[Any]], texts: Any
) -> tuple[Placed, Placed, int]:
    """Write arrays and the symbols' strings (an Arrow array) to a new file: where each is, and the file's size.

    Small arrays of a type share a column. The places of these columns come second; what is in one has no digest.
    """
    packed = _by_type({key: array for key, array in arrays.items() if array.nbytes < _OWN_COLUMN})
    columns = {**{key: array for key, array in arrays.items() if array.nbytes >= _OWN_COLUMN}, **packed}
    values = {TEXT: texts, **{key: pa.array(array) for key, array in columns.items()}}
    lists = [pa.LargeListArray.from_arrays(pa.array([0, len(each)], pa.int64()), each) for each in values.values()]
    batch = pa.record_batch(lists, names=list(values))
    with Sink(folder, name) as sink:
        with pa.ipc.new_file(sink, batch.schema) as writer:
            writer.write_batch(batch)
        sink.finish()
    written = Descriptor.of_file(folder, name)
    with mmap.mmap(written.number, 0, access=mmap.ACCESS_READ) as mapped:
        strings, places = _places(pa.py_buffer(mapped), columns, len(texts))
    ends = {code: places[code][1] for code in packed}
    placed: Placed = {}
    for key, array in arrays.items():
        if key in places:
            placed[key] = places[key]
            continue
        code = code_of(array.dtype)
        placed[key] = [code, ends[code], len(array)]
        ends[code] += array.nbytes
    return {**strings, **placed}, {code: places[code] for code in packed}, written.size


def _by_type(arrays: Mapping[str, NDArray[Any]]) -> Arrays:
    grouped: dict[str, list[NDArray[Any]]] = {}
    for array in arrays.values():
        grouped.setdefault(code_of(array.dtype), []).append(array)
    return {code: np.concatenate(group) for code, group in grouped.items()}


def code_of(dtype: np.dtype[Any]) -> str:
    """What the manifest calls a type."""
    return dtype.str.lstrip("<|")


def _places(buffer: Any, arrays: Mapping[str, NDArray[Any]], texts: int) -> tuple[Placed, Placed]:
    batch = pa.ipc.open_file(buffer).get_batch(0)

    def place(array: NDArray[Any], data: Any) -> list[Any]:
        offset = data.address - buffer.address if data is not None and len(array) else 0
        return [code_of(array.dtype), offset, len(array), hashlib.sha256(np.ascontiguousarray(array).data).hexdigest()]

    placed = {
        name: place(array, batch.column(index).values.buffers()[1])
        for index, (name, array) in enumerate(arrays.items(), 1)
    }
    _, offsets, data = batch.column(0).values.buffers()
    starts = np.frombuffer(offsets, np.int64, texts + 1) if texts else np.zeros(0, np.int64)
    text = np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)
    return {f"{TEXT}.offsets": place(starts, offsets), f"{TEXT}.bytes": place(text, data)}, placed


class DataFile:
    """The private mapping of a layer's data file. `packed`: columns that hold the arrays without a digest of their own.
    `verified`: places whose digest was checked, in any mapping of the file."""

    def __init__(self, descriptor: Descriptor, packed: Entry, verified: set[tuple[int, int]]):
        self.descriptor, self.packed, self.verified = descriptor, packed, verified
        self._map = mmap.mmap(descriptor.number, 0, access=mmap.ACCESS_COPY)

    def again(self) -> DataFile:
        """Another mapping, as yet unwritten."""
        return DataFile(self.descriptor, self.packed, self.verified)

    def array(
        self, owner: str, arrays: Entry, name: str, codes: tuple[str, ...], most: int, least: int = 0
    ) -> NDArray[Any]:
        """A mapped array, after its place, type, length (`least` to `most`) and digest have been checked."""
        digest: str | None
        match arrays.fields.get(name):
            case [str(code), int(offset), int(length), str(digest)]:
                pass
            case [str(code), int(offset), int(length)]:
                digest = None
            case _:
                raise Refused(f"the manifest's entry for {owner}/{name} is malformed")
        if code not in codes or offset < 0 or not least <= length <= most:
            raise Refused(f"the manifest's entry for {owner}/{name} is malformed")
        dtype = _TYPES[code]
        if not length:
            return np.zeros(0, dtype)
        end = offset + length * dtype.itemsize
        if end > self.descriptor.size or offset % dtype.itemsize:
            raise Refused(f"{owner}/{name} lies outside its file")
        if digest is None:
            column = self.array("packed", self.packed, code, codes, self.descriptor.size)
            start = self.packed.get(code, list)[1]
            if offset < start or end > start + column.nbytes:
                raise Refused(f"{owner}/{name} lies outside its column")
        array: NDArray[Any] = np.frombuffer(self._map, dtype, length, offset)
        if digest is not None and (offset, length) not in self.verified:
            if hashlib.sha256(array.data).hexdigest() != digest:
                raise Refused(f"{owner}/{name} does not have the digest that was saved with it")
            self.verified.add((offset, length))
        return array
