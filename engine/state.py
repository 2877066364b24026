"""A saved evaluation: Arrow files that are mapped into memory, and a manifest that says what they hold.

`save` writes data files under fresh names, flushes them, and then replaces the manifest by renaming: a crash at any
point leaves the old state or the new one. Nothing in the files can run code. `open_state` checks the manifest's own
digest, the format, the program and the sizes of the files; each array's digest and the range of every index in it are
checked when its relation is first used. Whatever does not fit is a StateError, and the caller rebuilds. Offsets into
the Arrow files are kept in the manifest, so that opening parses no more than the manifest.

Arrays are mapped copy-on-write: an update writes to private pages of the columns it touches, never to the file.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import mmap
import os
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NoReturn

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from .backends.embedded.arrangement import Arrangement, Run
from .backends.embedded.relation import NEW, SETTLED, Relation
from .datalog.program import Program
from .datalog.syntax import Kind
from .errors import StateError
from .symbols import SymbolTable

FORMAT: Final = 3
MANIFEST: Final = "manifest.json"
_FILES: Final = ("symbols", "relations")
_TYPES: Final[dict[str, np.dtype[Any]]] = {
    "i4": np.dtype("<i4"),
    "i8": np.dtype("<i8"),
    "u8": np.dtype("<u8"),
    "u1": np.dtype("u1"),
}
_SEAL: Final = ', "sha256": "'
_TRIES: Final = 3  # readings of a manifest whose files another process replaces meanwhile

Arrays = dict[str, NDArray[Any]]


def save(
    directory: Path,
    program: Program,
    symbols: SymbolTable,
    relations: Iterable[Relation],
    lookups: Iterable[tuple[str, tuple[int, ...]]],
    work: Mapping[int, int],
) -> None:
    """Write a state to `directory`, in place of the one that may be there. `lookups`: what arrangements are for."""
    directory.mkdir(parents=True, exist_ok=True)
    token = secrets.token_hex(8)
    lookups = list(lookups)
    entries: dict[str, Any] = {}
    arrays: Arrays = {}
    for relation in relations:
        entries[relation.name] = _describe(relation, [key for name, key in lookups if name == relation.name], arrays)
    texts, index = symbols.whole()
    names = {kind: f"{kind}-{token}.arrow" for kind in _FILES}
    placed = {
        "symbols": _write_symbols(directory / names["symbols"], texts, index),
        "relations": _write_arrays(directory / names["relations"], arrays),
    }
    manifest = {
        "format": FORMAT,
        "program": program.hash,
        "files": {kind: {"name": names[kind], "size": (directory / names[kind]).stat().st_size} for kind in _FILES},
        "symbols": {"count": len(texts), "arrays": placed["symbols"]},
        "relations": {
            name: {**entry, "arrays": {key: placed["relations"][f"{name}/{key}"] for key in entry.pop("arrays")}}
            for name, entry in entries.items()
        },
        "bootstrap_work": {str(stratum): rows for stratum, rows in work.items()},
    }
    body = json.dumps(manifest)[:-1]
    sealed = f"{body}{_SEAL}{hashlib.sha256(body.encode()).hexdigest()}" + '"}'
    temporary = directory / f"{MANIFEST}.{token}.tmp"
    with temporary.open("wb") as file:
        file.write(sealed.encode())
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(directory / MANIFEST)
    _flush_directory(directory)
    _remove_others(directory, {*names.values(), MANIFEST})


def _describe(relation: Relation, keys: list[tuple[int, ...]], arrays: Arrays) -> dict[str, Any]:
    """Put the relation's arrays, without tombstones and with room to grow, into `arrays`; its manifest entry."""
    size = relation.size
    alive = None if relation.uniform else (relation.state[:size] & NEW) != 0
    kept = size if alive is None else int(np.count_nonzero(alive))
    room = kept // 8 + 64
    named: Arrays = {}

    def put(name: str, array: NDArray[Any]) -> None:
        values = array[:size] if alive is None else array[:size][alive]
        named[name] = np.concatenate([values, np.zeros(room, array.dtype)])

    for index, column in enumerate(relation.columns):
        put(f"column{index}", column)
    if relation.level is not None and relation.count is not None:
        put("level", relation.level)
        put("count", relation.count)
    if relation.total is not None:
        put("total", relation.total)
    named["state"] = np.concatenate([np.full(kept, SETTLED, np.uint8), np.zeros(room, np.uint8)])
    relation.arrangement(tuple(range(relation.arity)))
    for key in keys:
        relation.arrangement(key)
    renumbered = None if alive is None else (np.cumsum(alive) - 1).astype(np.int32)
    arrangements = []
    for columns, arrangement in relation.arrangements.items():
        run = arrangement.merged(relation)
        if alive is not None and renumbered is not None:
            there = alive[run.rows]
            run = Run(run.keys[there], renumbered[run.rows[there]])
        name = "-".join(map(str, columns))
        named[f"keys{name}"], named[f"rows{name}"] = run.keys, run.rows
        arrangements.append(list(columns))
    arrays.update((f"{relation.name}/{name}", array) for name, array in named.items())
    fanouts = {"-".join(map(str, key)): value for key, (_, value) in relation.fanouts.items()}
    return {
        "size": kept,
        "levelled": relation.level is not None,
        "arrangements": arrangements,
        "fanouts": fanouts,
        "arrays": list(named),
    }


def _write_arrays(path: Path, arrays: Arrays) -> dict[str, Any]:
    """One record batch of one row: a list column for each array, since arrays differ in length."""
    columns = [
        pa.LargeListArray.from_arrays(pa.array([0, len(array)], pa.int64()), pa.array(array))
        for array in arrays.values()
    ]
    batch = pa.record_batch(columns, names=list(arrays)) if columns else pa.record_batch({"empty": [0]})
    _write_batch(path, batch)
    buffer = pa.memory_map(str(path)).read_buffer()
    written = pa.ipc.open_file(buffer).get_batch(0)
    placed = {}
    for index, (name, array) in enumerate(arrays.items()):
        data = written.column(index).values.buffers()[1]
        offset = data.address - buffer.address if data is not None and len(array) else 0
        placed[name] = _entry(array, offset)
    return placed


def _write_symbols(path: Path, texts: Any, index: Run) -> dict[str, Any]:
    """The strings in order of their ids, beside them the hash index."""
    batch = pa.record_batch([texts, pa.array(index.keys), pa.array(index.rows)], names=["text", "hash", "id"])
    _write_batch(path, batch)
    buffer = pa.memory_map(str(path)).read_buffer()
    written = pa.ipc.open_file(buffer).get_batch(0)
    text, keys, rows = (written.column(position) for position in range(3))
    offsets, data = text.buffers()[1:]
    parts = {
        "offsets": (np.frombuffer(offsets, np.int64, len(text) + 1) if len(text) else np.zeros(0, np.int64), offsets),
        "bytes": (np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8), data),
        "hash": (keys.to_numpy(), keys.buffers()[1]),
        "id": (rows.to_numpy(), rows.buffers()[1]),
    }
    return {
        name: _entry(array, place.address - buffer.address if place is not None and len(array) else 0)
        for name, (array, place) in parts.items()
    }


def _entry(array: NDArray[Any], offset: int) -> list[Any]:
    code = array.dtype.str.lstrip("<|")
    return [code, offset, len(array), hashlib.sha256(np.ascontiguousarray(array).data).hexdigest()]


def _write_batch(path: Path, batch: Any) -> None:
    with path.open("wb") as file:
        with pa.ipc.new_file(file, batch.schema) as writer:
            writer.write_batch(batch)
        file.flush()
        os.fsync(file.fileno())


def _flush_directory(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove_others(directory: Path, kept: set[str]) -> None:
    """Files of earlier states and of saves that were cut short; processes that have them mapped keep them."""
    for path in directory.iterdir():
        ours = path.name.startswith((*(f"{kind}-" for kind in _FILES), f"{MANIFEST}."))
        if ours and path.name not in kept:
            path.unlink(missing_ok=True)


class SavedState:
    """An opened directory: hands out relations as they are asked for."""

    def __init__(self, directory: Path, program: Program):
        self.directory, self.program = directory, program
        for attempt in range(_TRIES):
            self.manifest = _read_manifest(directory, program)
            try:
                self._descriptors = {kind: self._open_file(kind) for kind in _FILES}
                break
            except FileNotFoundError as error:
                if attempt == _TRIES - 1:
                    raise StateError(f"the state in {directory} lacks its file {error.filename}") from None
            except OSError as error:
                self.reject(str(error))
        try:
            self._maps = {kind: _map(descriptor) for kind, descriptor in self._descriptors.items()}
        except (OSError, ValueError) as error:
            self.reject(str(error))
        self.symbol_count = _natural(_get(self.manifest, "symbols", dict, directory), "count", directory)

    def again(self) -> SavedState:
        """The same files with private pages of their own."""
        other = object.__new__(SavedState)
        other.directory, other.program, other.manifest = self.directory, self.program, self.manifest
        other.symbol_count = self.symbol_count
        other._descriptors = {kind: os.dup(descriptor) for kind, descriptor in self._descriptors.items()}
        other._maps = {kind: _map(descriptor) for kind, descriptor in other._descriptors.items()}
        return other

    def __del__(self) -> None:
        for descriptor in getattr(self, "_descriptors", {}).values():
            with contextlib.suppress(OSError):
                os.close(descriptor)

    def bootstrap_work(self) -> dict[int, int]:
        work = _get(self.manifest, "bootstrap_work", dict, self.directory)
        try:
            return {int(stratum): int(rows) for stratum, rows in work.items()}
        except (TypeError, ValueError):
            self.reject("the manifest's bootstrap work is malformed")

    def symbols(self) -> SymbolTable:
        entry = _get(self.manifest, "symbols", dict, self.directory)
        count = self.symbol_count
        codes = {"offsets": "i8", "bytes": "u1", "hash": "u8", "id": "i4"}
        offsets, data, keys, ids = (self._array("symbols", "symbols", entry, name, codes[name]) for name in codes)
        if not count:
            return SymbolTable()
        if not (len(offsets) == count + 1 and len(keys) == len(ids) == count):
            self.reject("the symbol table's parts differ in length")
        if offsets[0] < 0 or offsets[-1] > len(data) or (np.diff(offsets) < 0).any():
            self.reject("the symbol table points outside its text")
        self._check_range(ids, 0, count, "the symbol index")
        texts = pa.LargeStringArray.from_buffers(count, pa.py_buffer(offsets), pa.py_buffer(data))
        try:
            texts.validate(full=True)
        except pa.ArrowInvalid as error:
            self.reject(f"the symbol table is not valid text ({error})")
        return SymbolTable([texts], [Run(keys, ids)])

    def relation(self, name: str) -> Relation:
        """Load a relation: check its arrays and map them."""
        entry = _get(_get(self.manifest, "relations", dict, self.directory), name, dict, self.directory)
        size = _natural(entry, "size", self.directory)
        schema = self.program.stored[name]
        relation = Relation(name, schema.arity, levelled=_get(entry, "levelled", bool, self.directory))
        relation.columns = [
            self._array("relations", name, entry, f"column{index}", "i4", size) for index in range(schema.arity)
        ]
        for column, kind in zip(relation.columns, schema.kinds, strict=True):
            self._check_kind(column[:size], kind, name)
        relation.state = self._array("relations", name, entry, "state", "u1", size)
        if size and not (relation.state[:size] == SETTLED).all():
            self.reject(f"{name} was saved in the middle of an update")
        arrays: list[NDArray[Any]] = [*relation.columns, relation.state]
        if relation.level is not None:
            relation.level = self._array("relations", name, entry, "level", "i4", size)
            relation.count = self._array("relations", name, entry, "count", "i4", size)
            self._check_range(relation.level[:size], 0, 2**31, f"a level of {name}")
            self._check_range(relation.count[:size], 1, 2**31, f"a count of {name}")
            relation.total = self._array("relations", name, entry, "total", "i4", size)
            self._check_range(relation.total[:size], 1, 2**31, f"a total of {name}")
            arrays += [relation.level, relation.count, relation.total]
        if len({len(array) for array in arrays}) > 1:
            self.reject(f"the columns of {name} differ in length")
        relation.size = relation.stable = size
        for columns in _get(entry, "arrangements", list, self.directory):
            self._load_arrangement(relation, entry, columns)
        return relation

    def fanout(self, name: str, key: tuple[int, ...]) -> float | None:
        """What was estimated of a relation when it was saved; no more than a hint."""
        entry = _get(_get(self.manifest, "relations", dict, self.directory), name, dict, self.directory)
        found = _get(entry, "fanouts", dict, self.directory).get("-".join(map(str, key)))
        return float(found) if isinstance(found, (int, float)) else None

    def _load_arrangement(self, relation: Relation, entry: dict[str, Any], columns: Any) -> None:
        known = isinstance(columns, list) and all(
            isinstance(each, int) and 0 <= each < relation.arity for each in columns
        )
        if not known or len(set(columns)) != len(columns):
            self.reject(f"an arrangement of {relation.name} has columns {columns}")
        name = "-".join(map(str, columns))
        keys = self._array("relations", relation.name, entry, f"keys{name}", "u8")
        rows = self._array("relations", relation.name, entry, f"rows{name}", "i4")
        if not len(keys) == len(rows) == relation.size:
            self.reject(f"an arrangement of {relation.name} does not hold all of its rows")
        self._check_range(rows, 0, relation.size, f"an arrangement of {relation.name}")
        runs = [Run(keys, rows)] if relation.size else []
        relation.arrangements[tuple(columns)] = Arrangement(tuple(columns), runs, relation.size)

    def _check_kind(self, column: NDArray[Any], kind: Kind, name: str) -> None:
        if kind == "symbol":
            self._check_range(column, 0, self.symbol_count, f"a symbol of {name}")

    def _check_range(self, array: NDArray[Any], low: int, high: int, what: str) -> None:
        if len(array) and not (low <= int(array.min()) and int(array.max()) < high):
            self.reject(f"{what} is out of range")

    def _array(
        self, file: str, owner: str, entry: dict[str, Any], name: str, code: str, least: int = 0
    ) -> NDArray[Any]:
        """A mapped array, after its place, type and digest have been checked."""
        found = _get(_get(entry, "arrays", dict, self.directory), name, list, self.directory)
        dtype = _TYPES[code]
        match found:
            case [str(stored), int(offset), int(length), str(digest)] if (
                stored == code and offset >= 0 and length >= least
            ):
                pass
            case _:
                self.reject(f"the manifest's entry for {owner}/{name} is malformed")
        if not length:
            return np.zeros(0, np.dtype(dtype))
        end = offset + length * dtype.itemsize
        if end > len(self._maps[file]) or offset % dtype.itemsize:
            self.reject(f"{owner}/{name} lies outside its file")
        array: NDArray[Any] = np.frombuffer(self._maps[file], dtype, length, offset)
        if hashlib.sha256(array.data).hexdigest() != digest:
            self.reject(f"{owner}/{name} does not have the digest that was saved with it")
        return array

    def _open_file(self, kind: str) -> int:
        entry = _get(_get(self.manifest, "files", dict, self.directory), kind, dict, self.directory)
        name, size = _get(entry, "name", str, self.directory), _natural(entry, "size", self.directory)
        if Path(name).name != name or not name.startswith(f"{kind}-"):
            self.reject(f"the manifest names {name!r} as a file of the state")
        descriptor = os.open(self.directory / name, os.O_RDONLY)
        found = os.fstat(descriptor).st_size
        if found != size:
            os.close(descriptor)
            self.reject(f"{name} has {found} bytes where {size} were saved")
        return descriptor

    def reject(self, what: str) -> NoReturn:
        raise StateError(f"the state in {self.directory} cannot be used: {what}")


class LazyRelations(dict[str, Relation]):
    """Relations by name; one that was not used yet is loaded from the saved state."""

    def __init__(self, saved: SavedState | None = None, loaded: Mapping[str, Relation] = {}):
        super().__init__(loaded)
        self.saved = saved

    def __missing__(self, name: str) -> Relation:
        if self.saved is None:
            raise KeyError(name)
        relation = self[name] = self.saved.relation(name)
        return relation

    def fanout(self, name: str, key: tuple[int, ...]) -> float | None:
        """Of a relation that is not loaded, if it is known."""
        return None if self.saved is None else self.saved.fanout(name, key)

    def copy(self) -> LazyRelations:
        copies = {name: relation.copy() for name, relation in self.items()}
        return LazyRelations(None if self.saved is None else self.saved.again(), copies)


def _map(descriptor: int) -> mmap.mmap:
    return mmap.mmap(descriptor, 0, access=mmap.ACCESS_COPY)


def _read_manifest(directory: Path, program: Program) -> dict[str, Any]:
    def reject(what: str) -> NoReturn:
        raise StateError(f"the state in {directory} cannot be used: {what}")

    try:
        text = (directory / MANIFEST).read_bytes()
    except FileNotFoundError:
        raise StateError(f"there is no state in {directory}") from None
    except OSError as error:
        reject(str(error))
    body, _, seal = text.rpartition(_SEAL.encode())
    if not body or seal != hashlib.sha256(body).hexdigest().encode() + b'"}':
        reject("its manifest is damaged")
    try:
        manifest = json.loads(text)
    except (ValueError, RecursionError):
        reject("its manifest is not JSON")
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        reject(f"its format is not {FORMAT}, the one of this version")
    if manifest.get("program") != program.hash:
        reject("it belongs to another program")
    return manifest


def _get(entry: dict[str, Any], key: str, expected: type, directory: Path) -> Any:
    value = entry.get(key)
    if not isinstance(value, expected):
        raise StateError(f"the state in {directory} cannot be used: its manifest has no proper {key!r}")
    return value


def _natural(entry: dict[str, Any], key: str, directory: Path) -> int:
    value = _get(entry, key, int, directory)
    if not 0 <= value < 2**31:
        raise StateError(f"the state in {directory} cannot be used: its manifest has no proper {key!r}")
    return int(value)
