"""The fact cache: facts of blobs by (blob id, language version), and the facts of many files put together.

A run appends one *pack* with all that it extracted. A pack is a header (JSON: which blobs, where, and a digest of each
batch) and Arrow record batches of some blobs each; it is written to a temporary name, flushed, renamed, and from then
on only read, memory-mapped. A batch is used after its digest and every index in it were checked, so a damaged or forged
pack is at worst ignored, and its blobs are extracted again. Digests say that a pack is whole; that it was not forged,
its seal says, where the cache has one.

Putting files together is done on columns: no Python runs for a single fact or symbol.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pliant.extractors.facts import OWN, Diagnostic, FileFacts, Suppression, escape_path, in_path
from pliant.extractors.schema import RELATIONS
from pliant.extractors.seal import Seal
from pliant.extractors.workers import Extractor, extract_all

_MAGIC = b"pliant facts 3\n"
_ALIGNMENT = 64
_BATCH_BLOBS = 64
_MAX_PACKS = 16  # of a language, before they are made into one
_MAX_PACK_BYTES = 256 << 20  # what is larger is not compacted again
_MAX_BYTES = 2 << 30  # of a language; the oldest packs go first
_PLACE_WIDTH = 5

Ints = npt.NDArray[np.int64]
Read = Callable[[list[str]], Iterator[tuple[str, bytes]]]
Key = tuple[str, str]  # language name, blob id


@dataclass(frozen=True, slots=True)
class Source:
    """A file of a commit: where it is, its blob, and the language that reads it."""

    path: str
    oid: str
    language: Extractor

    @property
    def key(self) -> Key:
        return self.language.name, self.oid


@dataclass(frozen=True, slots=True)
class Summary:
    """What is known of a blob without its facts."""

    library: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]
    lines: int
    unmodelled: Mapping[str, int]
    suppressions: tuple[Suppression, ...] = ()


class Location(NamedTuple):
    """Where an entity stands: lines from 1, columns from 0 in bytes."""

    file: str
    line: int
    column: int
    last_line: int
    last_column: int


@dataclass(slots=True)
class FactTable:
    """Facts of many files on one symbol table.

    symbols: may hold a symbol more than once. own: which of them belong to one file.
    rows: relation name -> (facts, arity) ids into `symbols`, or the numbers of a number column.
    """

    symbols: pa.Array
    own: npt.NDArray[np.bool_]
    rows: dict[str, Ints]

    @property
    def facts(self) -> int:
        return sum(len(rows) for rows in self.rows.values())


_INT_LIST = pa.list_(pa.field("item", pa.int32(), nullable=False))
_TEXT_LIST = pa.list_(pa.field("item", pa.string(), nullable=False))
_COLUMNS: tuple[tuple[str, pa.DataType], ...] = (
    ("symbols", _TEXT_LIST),
    *((f"rows/{name}", _INT_LIST) for name in RELATIONS),
    ("places", _INT_LIST),
    ("library", _TEXT_LIST),
    ("diagnostic_lines", _INT_LIST),
    ("diagnostic_messages", _TEXT_LIST),
    ("unmodelled", _TEXT_LIST),
    ("unmodelled_counts", _INT_LIST),
    ("lines", pa.int32()),
    ("suppression_lines", _INT_LIST),  # of the comment, and of the code that it covers
    ("suppression_rules", _TEXT_LIST),
    ("suppression_reasons", _TEXT_LIST),
)
_SCHEMA = pa.schema([pa.field(name, kind, nullable=False) for name, kind in _COLUMNS])
_SYMBOL_COLUMNS = {
    name: np.array([kind == "symbol" for _, kind in relation.columns]) for name, relation in RELATIONS.items()
}


BLOB_SCHEMA = _SCHEMA


def columns_of(blobs: Sequence[FileFacts]) -> pa.RecordBatch:
    """The facts of blobs as a batch of BLOB_SCHEMA, a row each."""
    batch = _batch(blobs)
    _check(batch)
    return batch


def version_of(language: Extractor) -> str:
    """A digest of all that the facts of a blob depend on besides the blob."""
    relations = [(name, relation.columns) for name, relation in sorted(RELATIONS.items())]
    text = json.dumps([_MAGIC.decode(), language.name, language.version, relations])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class FactCache:
    """The facts of blobs, kept in `folder`; with no folder, for the life of the process."""

    def __init__(
        self, folder: Path | None, say: Callable[[str], None] = lambda message: None, seal: Seal | None = None
    ):
        self._folder = folder
        self._say = say
        self._seal = seal
        self._stores: dict[str, _Store] = {}

    def ensure(
        self,
        sources: Iterable[Source],
        read: Read,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> int:
        """Has the facts of all `sources` at hand; says how many blobs were extracted for it."""
        missing: dict[Key, Extractor] = {}
        for source in sources:
            if source.key not in missing and not self._store(source.language).usable(source.oid):
                missing[source.key] = source.language
        if not missing:
            return 0
        by_oid: dict[str, list[Extractor]] = {}
        for (_, oid), language in missing.items():
            by_oid.setdefault(oid, []).append(language)
        contents = (
            ((language.name, oid), language, content) for oid, content in read(list(by_oid)) for language in by_oid[oid]
        )
        fresh: dict[str, list[tuple[str, FileFacts]]] = {}
        for done, ((name, oid), facts) in enumerate(extract_all(contents, len(missing)), 1):
            batch = fresh.setdefault(name, [])
            batch.append((oid, facts))
            if len(batch) == _BATCH_BLOBS:
                self._stores[name].add(batch)
                fresh[name] = []
            progress(done, len(missing))
        for name, batch in fresh.items():
            if batch:
                self._stores[name].add(batch)
        return len(missing)

    def missing(self, sources: Iterable[Source]) -> list[Source]:
        """Of each blob that is not at hand, one of its sources."""
        found = {source.key: source for source in sources if not self._store(source.language).usable(source.oid)}
        return list(found.values())

    def adopt(self, language: Extractor, oids: list[str], columns: pa.RecordBatch) -> None:
        """Has facts at hand that were extracted elsewhere: a row of BLOB_SCHEMA for each blob, checked here."""
        self._store(language).adopt(oids, columns)

    def has(self, source: Source) -> bool:
        """Whether the facts of a blob are here and sound."""
        return self._store(source.language).usable(source.oid)

    def flush(self) -> None:
        """Writes what was extracted since the last time; a cache that cannot be written is a message, not an error."""
        for store in self._stores.values():
            try:
                store.flush()
            except OSError as error:
                self._say(f"the fact cache in {self._folder} cannot be written: {error.strerror}")

    def summaries(self, sources: Sequence[Source]) -> list[Summary]:
        """The summaries of `sources`, which `ensure` has seen."""
        by_batch: dict[int, list[Summary]] = {}
        found = []
        for source in sources:
            batch, row = self._at(source)
            if id(batch) not in by_batch:
                by_batch[id(batch)] = _summaries(batch)
            found.append(by_batch[id(batch)][row])
        return found

    def places(self, source: Source) -> dict[str, Location]:
        """The places of a file by symbol, the path in front."""
        batch, row = self._at(source)
        symbols = batch["symbols"][row].as_py()
        places = batch["places"][row].values.to_numpy().reshape(-1, _PLACE_WIDTH).tolist()
        path = escape_path(source.path)
        return {in_path(symbols[symbol], path): Location(source.path, *place) for symbol, *place in places}

    def table(self, sources: Sequence[Source]) -> FactTable:
        """The facts of `sources`, which `ensure` has seen."""
        return self.table_by_source(sources)[0]

    def table_by_source(self, sources: Sequence[Source]) -> tuple[FactTable, dict[str, Ints]]:
        """The facts of `sources`, and for each row of a relation which of the sources has it."""
        rows_of: dict[int, tuple[pa.RecordBatch, list[int], list[int]]] = {}
        for number, source in enumerate(sources):
            batch, row = self._at(source)
            _, rows, numbers = rows_of.setdefault(id(batch), (batch, [], []))
            rows.append(row)
            numbers.append(number)
        parts, order = [], []
        for batch, rows, numbers in rows_of.values():
            whole = rows == list(range(batch.num_rows))
            parts.append(batch if whole else batch.take(pa.array(rows, pa.int32())))
            order += numbers
        columns = pa.Table.from_batches(parts, schema=_SCHEMA)
        table = _assemble(columns, [escape_path(sources[number].path) for number in order])
        numbers_of = np.array(order, np.int64)
        rows_in = {name: _lengths(columns[f"rows/{name}"].combine_chunks()) for name in table.rows}
        return table, {
            name: np.repeat(numbers_of, lengths // len(_SYMBOL_COLUMNS[name])) for name, lengths in rows_in.items()
        }

    def _at(self, source: Source) -> tuple[pa.RecordBatch, int]:
        return self._store(source.language).at(source.oid)

    def _store(self, language: Extractor) -> _Store:
        store = self._stores.get(language.name)
        if store is None:
            folder = self._folder / f"{language.name}-{version_of(language)}" if self._folder else None
            store = self._stores[language.name] = _Store(folder, language.name, self._say, self._seal)
        return store


def from_facts(facts: FileFacts) -> FactTable:
    """Facts of no blob (those of the commit as a whole) as a table; no symbol of them belongs to a file."""
    # A module's dotted name has the bytes of its file's name, which need not be UTF-8; no source can import such a one.
    symbols = [symbol.encode("utf-8", "backslashreplace").decode("utf-8") for symbol in facts.symbols]
    batch = _batch([replace(facts, symbols=symbols)])
    _check(batch)
    return _assemble(pa.Table.from_batches([batch]), [""])


def together(tables: Sequence[FactTable]) -> FactTable:
    """The facts of several tables as one; a fact of two tables is in it twice."""
    kind = pa.large_string() if any(pa.types.is_large_string(table.symbols.type) for table in tables) else pa.string()
    rows: dict[str, list[Ints]] = {}
    start = 0
    for table in tables:
        for name, part in table.rows.items():
            rows.setdefault(name, []).append(part + start * _SYMBOL_COLUMNS[name])
        start += len(table.symbols)
    return FactTable(
        pa.chunked_array([table.symbols.cast(kind) for table in tables], kind).combine_chunks(),
        np.concatenate([np.zeros(0, bool), *(table.own for table in tables)]),
        {name: np.concatenate(parts) for name, parts in rows.items()},
    )


def _assemble(columns: pa.Table, paths: list[str]) -> FactTable:
    symbols = columns["symbols"].combine_chunks()
    texts = symbols.flatten()
    counts = _lengths(symbols)
    first_symbol = np.concatenate(([0], np.cumsum(counts)))[:-1]
    own = pc.starts_with(texts, OWN).to_numpy(zero_copy_only=False)
    prefix_of = np.where(own, np.repeat(np.arange(1, len(paths) + 1), counts), 0)
    prefix_bytes = np.array([0, *(len(path.encode()) for path in paths)])
    # A string array holds 2 GiB; what may be more takes 64-bit offsets.
    kind = pa.string() if prefix_bytes[prefix_of].sum() + texts.nbytes < 2**31 - 1 else pa.large_string()
    prefixes = pa.array(["", *paths], kind).take(pa.array(prefix_of))
    joined = pc.binary_join_element_wise(prefixes, texts.cast(kind), pa.scalar("", kind))
    rows: dict[str, Ints] = {}
    for name, is_symbol in _SYMBOL_COLUMNS.items():
        column = columns[f"rows/{name}"].combine_chunks()
        if not len(column) or not len(flat := column.flatten().to_numpy()):
            continue
        table = flat.astype(np.int64).reshape(-1, len(is_symbol))
        offsets = np.repeat(first_symbol, _lengths(column) // len(is_symbol))
        for position in np.flatnonzero(is_symbol):
            table[:, position] += offsets
        rows[name] = table
    return FactTable(joined, own, rows)


def _lengths(column: pa.ListArray) -> Ints:
    lengths: Ints = np.diff(column.offsets.to_numpy().astype(np.int64))
    return lengths


def _summaries(batch: pa.RecordBatch) -> list[Summary]:
    names = ("library", "diagnostic_lines", "diagnostic_messages", "lines", "unmodelled", "unmodelled_counts")
    silenced = zip(*(batch[f"suppression_{name}"].to_pylist() for name in ("lines", "rules", "reasons")), strict=True)
    return [
        Summary(
            tuple(library),
            tuple(map(Diagnostic, remark_lines, remarks)),
            lines,
            dict(zip(constructs, counts, strict=True)),
            tuple(
                Suppression(line, covers, tuple(rules.split(",") if rules else ()), reason)
                for line, covers, rules, reason in zip(places[::2], places[1::2], of_rules, reasons, strict=True)
            ),
        )
        for (library, remark_lines, remarks, lines, constructs, counts), (places, of_rules, reasons) in zip(
            zip(*(batch[name].to_pylist() for name in names), strict=True), silenced, strict=True
        )
    ]


# Packs


class _Store:
    """The packs of one language, and what was extracted and is not in a pack yet."""

    def __init__(self, folder: Path | None, language: str, say: Callable[[str], None], seal: Seal | None = None):
        self._seal = seal
        self._folder = folder
        self._language = language
        self._say = say
        self._where: dict[str, tuple[_Batch, int]] = {}
        self._fresh: list[tuple[list[str], pa.RecordBatch]] = []
        self._packs: list[Path] = []
        if folder and folder.is_dir() and not folder.is_symlink():
            for path in sorted(folder.glob("*.facts")):
                self._open(path)

    def _open(self, path: Path) -> None:
        try:
            batches = _read_header(path, self._seal)
        except FileNotFoundError:
            return  # another process compacted it away
        except (OSError, ValueError, KeyError, TypeError, pa.ArrowException) as error:
            self._ignore(path, error)
            return
        self._packs.append(path)
        for batch in batches:
            self._where.update((oid, (batch, row)) for row, oid in enumerate(batch.oids))

    def _ignore(self, path: Path, error: Exception) -> None:
        self._say(f"ignored fact cache file {path.name}: {error}")
        with contextlib.suppress(OSError):  # then it will be ignored again
            path.unlink()

    def usable(self, oid: str) -> bool:
        """Whether the facts of a blob are here and sound."""
        found = self._where.get(oid)
        if found is None:
            return False
        batch, _ = found
        try:
            batch.load()
        except (ValueError, OSError, pa.ArrowException) as error:
            for other in batch.oids:
                if self._where.get(other, (None,))[0] is batch:
                    del self._where[other]
            if batch.path in self._packs:
                self._packs.remove(batch.path)
                self._ignore(batch.path, error)
            return False
        return True

    def at(self, oid: str) -> tuple[pa.RecordBatch, int]:
        batch, row = self._where[oid]
        return batch.load(), row

    def add(self, extracted: list[tuple[str, FileFacts]]) -> None:
        oids = [oid for oid, _ in extracted]
        self.adopt(oids, _batch([facts for _, facts in extracted]))

    def adopt(self, oids: list[str], columns: pa.RecordBatch) -> None:
        _check(columns)
        self._fresh.append((oids, columns))
        batch = _Batch.of(columns, oids)
        self._where.update((oid, (batch, row)) for row, oid in enumerate(oids))

    def flush(self) -> None:
        if not self._fresh or self._folder is None:
            return
        if self._folder.is_symlink():
            raise OSError(0, "the folder is a symbolic link")
        self._folder.mkdir(parents=True, exist_ok=True)
        self._packs.append(self._write(self._fresh))
        self._fresh = []
        if len(self._packs) > _MAX_PACKS:
            self._compact()
        self._bound()

    def _write(self, batches: list[tuple[list[str], pa.RecordBatch]]) -> Path:
        assert self._folder is not None
        name = secrets.token_hex(8)
        temporary, final = self._folder / f".{name}.tmp", self._folder / f"{name}.facts"
        try:
            with temporary.open("xb") as stream:
                _write_pack(stream.write, batches, self._seal, self._folder.name)
                stream.flush()
                os.fsync(stream.fileno())
            temporary.rename(final)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        return final

    def _compact(self) -> None:
        """Makes the small packs into one. Another process may do the same: then blobs are in two packs."""
        small = {path for path in self._packs if path.exists() and path.stat().st_size < _MAX_PACK_BYTES}
        oids: list[str] = []
        parts: list[pa.RecordBatch] = []
        seen: set[str] = set()
        for path in sorted(small):
            try:
                batches = _read_header(path, self._seal)
                for batch in batches:
                    columns = batch.load()
                    keep = [row for row, oid in enumerate(batch.oids) if oid not in seen]
                    seen.update(batch.oids)
                    if keep:
                        parts.append(columns.take(pa.array(keep, pa.int32())))
                        oids += [batch.oids[row] for row in keep]
            except FileNotFoundError:
                continue
            except (OSError, ValueError, KeyError, TypeError, pa.ArrowException) as error:
                self._ignore(path, error)
        merged = pa.Table.from_batches(parts, schema=_SCHEMA).combine_chunks().to_batches(max_chunksize=_BATCH_BLOBS)
        starts = np.cumsum([0, *(batch.num_rows for batch in merged)])
        ranges = zip(merged, starts, strict=False)
        written = self._write([(oids[start : start + batch.num_rows], batch) for batch, start in ranges])
        for path in small:
            path.unlink(missing_ok=True)
        self._packs = [written, *(path for path in self._packs if path not in small)]

    def _bound(self) -> None:
        there = sorted((path.stat().st_mtime, path.stat().st_size, path) for path in self._packs if path.exists())
        total = sum(size for _, size, _ in there)
        for _, size, path in there[:-1]:
            if total <= _MAX_BYTES:
                break
            path.unlink(missing_ok=True)
            total -= size


class _Batch:
    """Some blobs of a pack; `load` checks the digest and every index the first time."""

    def __init__(self, path: Path, oids: list[str], buffer: pa.Buffer | None, sha256: str):
        self.path = path
        self.oids = oids
        self._buffer = buffer
        self._sha256 = sha256
        self._columns: pa.RecordBatch | None = None

    @classmethod
    def of(cls, columns: pa.RecordBatch, oids: list[str]) -> _Batch:
        batch = cls(Path(), oids, None, "")
        batch._columns = columns
        return batch

    def load(self) -> pa.RecordBatch:
        if self._columns is None:
            assert self._buffer is not None
            if hashlib.sha256(self._buffer).hexdigest() != self._sha256:
                raise ValueError("its digest does not match")
            columns = pa.ipc.read_record_batch(self._buffer, _SCHEMA)
            if columns.num_rows != len(self.oids):
                raise ValueError("its header does not match")
            _check(columns)
            self._columns = columns
        return self._columns


def _write_pack(
    write: Callable[[Any], object],
    batches: list[tuple[list[str], pa.RecordBatch]],
    seal: Seal | None = None,
    version: str = "",
) -> None:
    buffers = [columns.serialize() for _, columns in batches]
    entries, offset = [], 0
    for (oids, _), buffer in zip(batches, buffers, strict=True):
        digest = hashlib.sha256(buffer).hexdigest()
        entries.append({"offset": offset, "length": buffer.size, "sha256": digest, "blobs": oids})
        offset += buffer.size + -buffer.size % _ALIGNMENT
    header = json.dumps(entries, separators=(",", ":")).encode()
    header += b"\n" + (seal.of("facts", version, header).encode() if seal else b"")
    start = _MAGIC + len(header).to_bytes(8, "little") + header
    write(start + bytes(-len(start) % _ALIGNMENT))
    for buffer in buffers:
        write(buffer)
        write(bytes(-buffer.size % _ALIGNMENT))


def _read_header(path: Path, seal: Seal | None = None) -> list[_Batch]:
    if path.is_symlink() or not path.is_file():
        raise ValueError("it is not a regular file")
    with pa.memory_map(str(path)) as file:
        size = file.size()
        if file.read(len(_MAGIC)) != _MAGIC:
            raise ValueError("it is not a fact pack of this format")
        header_bytes = int.from_bytes(file.read(8), "little")
        start = len(_MAGIC) + 8 + header_bytes
        if start > size:
            raise ValueError("it is cut short")
        body, _, mac = file.read(header_bytes).partition(b"\n")
        if seal is not None and not seal.fits(mac.decode("ascii", "replace"), "facts", path.parent.name, body):
            raise ValueError("its seal does not fit: it was written elsewhere")
        header = json.loads(body)
        start += -start % _ALIGNMENT
        batches = []
        for entry in header:
            offset, length, oids = start + int(entry["offset"]), int(entry["length"]), entry["blobs"]
            if entry["offset"] < 0 or length < 0 or offset + length > size:
                raise ValueError("it is cut short")
            if not all(isinstance(oid, str) for oid in oids):
                raise ValueError("a blob id is not a string")
            batches.append(_Batch(path, oids, file.read_at(length, offset) if length else None, str(entry["sha256"])))
            if not length:
                raise ValueError("a batch is empty")
    return batches


def _batch(blobs: Sequence[FileFacts]) -> pa.RecordBatch:
    def ints(values: Sequence[Any]) -> pa.ListArray:
        flat = np.concatenate([np.asarray(part, dtype=np.int32) for part in values])
        return pa.ListArray.from_arrays(_offsets(values), pa.array(flat, pa.int32()), type=_INT_LIST)

    def texts(values: Sequence[Sequence[str]]) -> pa.ListArray:
        flat = pa.array([text for part in values for text in part], pa.string())
        return pa.ListArray.from_arrays(_offsets(values), flat, type=_TEXT_LIST)

    for blob in blobs:
        if unknown := blob.rows.keys() - RELATIONS.keys():
            raise ValueError(f"facts of relations that the schema does not have: {', '.join(sorted(unknown))}")
    columns: dict[str, pa.Array] = {"symbols": texts([blob.symbols for blob in blobs])}
    for name in RELATIONS:
        columns[f"rows/{name}"] = ints([blob.rows.get(name, ()) for blob in blobs])
    columns["places"] = ints([blob.places for blob in blobs])
    columns["library"] = texts([blob.library for blob in blobs])
    columns["diagnostic_lines"] = ints([[item.line for item in blob.diagnostics] for blob in blobs])
    columns["diagnostic_messages"] = texts([[item.message for item in blob.diagnostics] for blob in blobs])
    columns["unmodelled"] = texts([list(blob.unmodelled) for blob in blobs])
    columns["unmodelled_counts"] = ints([list(blob.unmodelled.values()) for blob in blobs])
    silenced = [blob.suppressions for blob in blobs]
    columns["suppression_lines"] = ints([[n for item in items for n in (item.line, item.covers)] for items in silenced])
    columns["suppression_rules"] = texts([[",".join(item.rules) for item in items] for items in silenced])
    columns["suppression_reasons"] = texts([[item.reason for item in items] for items in silenced])
    columns["lines"] = pa.array([blob.lines for blob in blobs], pa.int32())
    return pa.RecordBatch.from_arrays([columns[name] for name in _SCHEMA.names], schema=_SCHEMA)


def _offsets(values: Sequence[Sequence[Any]]) -> pa.Array:
    return pa.array(np.cumsum([0, *map(len, values)]), pa.int32())


def _check(batch: pa.RecordBatch) -> None:
    """ValueError where a batch is not what `_batch` makes: what follows uses its numbers as indices."""
    batch.validate(full=True)
    for name, column in zip(_SCHEMA.names, batch.columns, strict=True):
        if column.null_count or (pa.types.is_list(column.type) and column.values.null_count):
            raise ValueError(f"a null in column {name}")
    symbols = _lengths(batch["symbols"])
    for name, is_symbol in _SYMBOL_COLUMNS.items():
        _check_indices(name, batch[f"rows/{name}"], is_symbol, symbols)
    _check_indices("places", batch["places"], np.arange(_PLACE_WIDTH) == 0, symbols)
    for other in ("suppression_rules", "suppression_reasons"):
        if not np.array_equal(_lengths(batch["suppression_lines"]), 2 * _lengths(batch[other])):
            raise ValueError(f"columns suppression_lines and {other} do not match")
    for one, other in (("diagnostic_lines", "diagnostic_messages"), ("unmodelled", "unmodelled_counts")):
        if not np.array_equal(_lengths(batch[one]), _lengths(batch[other])):
            raise ValueError(f"columns {one} and {other} do not match")


def _check_indices(name: str, column: pa.ListArray, is_symbol: npt.NDArray[np.bool_], symbols: Ints) -> None:
    flat = column.flatten().to_numpy()
    if not len(flat):
        return
    lengths = _lengths(column)
    if (lengths % len(is_symbol)).any():
        raise ValueError(f"a row of {name} is cut short")
    ids = flat.reshape(-1, len(is_symbol))[:, is_symbol]
    bounds = np.repeat(symbols, lengths // len(is_symbol))
    if ids.size and (ids.min() < 0 or (ids >= bounds[:, None]).any()):
        raise ValueError(f"a row of {name} names a symbol that is not there")
