"""The files of the fact cache, of two kinds: facts, and the instructions beside them.

A run appends one *pack* of each kind with all that it extracted. A pack is a header (JSON: which blobs, where, and a
digest of each batch) and Arrow record batches of some blobs each; it is written to a temporary name, flushed, renamed,
and from then on only read, memory-mapped. A batch is used after its digest and every index in it were checked, so a
damaged or forged pack is at worst ignored, and its blobs are extracted again. Digests say that a pack is whole; that it
was not forged, its seal says, where the cache has one.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import pyarrow as pa

from pliant.extractors.columns import BLOB_SCHEMA, INSTRUCTIONS_SCHEMA, check, check_instructions
from pliant.extractors.seal import Seal

MAGIC = b"pliant facts 6\n"
BATCH_BLOBS = 64
_TEMPORARY = ".*.tmp"
_ALIGNMENT = 64
_MAX_PACKS = 16  # of a language and a kind, before they are made into one
_MAX_PACK_BYTES = 256 << 20  # what is larger is not compacted again
_MAX_BYTES = 2 << 30  # of a language and a kind; the oldest packs go first

# What the reading of a file that is none of ours may raise.
_DAMAGE = (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
DAMAGE = (*_DAMAGE, pa.ArrowException)


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """What is in packs, a row for each blob. name: the suffix of their files; magic: how these begin; check: ValueError
    for rows that are not sound."""

    name: str
    magic: bytes
    schema: pa.Schema
    check: Callable[[pa.RecordBatch], None]


FACTS = Kind("facts", MAGIC, BLOB_SCHEMA, check)
INSTRUCTIONS = Kind("instructions", b"pliant instructions 2\n", INSTRUCTIONS_SCHEMA, check_instructions)


class Store:
    """The packs of one language and kind, and what was extracted and is not in a pack yet."""

    def __init__(self, folder: Path | None, kind: Kind, say: Callable[[str], None], seal: Seal | None = None):
        self._seal = seal
        self._folder = folder
        self._kind = kind
        self._say = say
        self._where: dict[str, tuple[Batch, int]] = {}
        self._fresh: list[tuple[list[str], pa.RecordBatch]] = []
        self._packs: list[Path] = []
        if folder and folder.is_dir() and not folder.is_symlink():
            for path in folder.glob(_TEMPORARY):
                _remove_leftover(path)
            for path in sorted(folder.glob(f"*.{kind.name}")):
                self._open(path)

    def _open(self, path: Path) -> None:
        try:
            batches = read_header(path, self._seal, self._kind)
        except FileNotFoundError:
            return  # another process compacted it away
        except DAMAGE as error:
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
        """Whether there is something of a blob here, and sound."""
        found = self._where.get(oid)
        if found is None:
            return False
        batch, _ = found
        try:
            batch.load()
        except DAMAGE as error:
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

    def adopt(self, oids: list[str], columns: pa.RecordBatch) -> None:
        self._kind.check(columns)
        self._fresh.append((oids, columns))
        batch = Batch.of(self._kind, columns, oids)
        self._where.update((oid, (batch, row)) for row, oid in enumerate(oids))

    def hold(self, oid: str, columns: pa.RecordBatch) -> None:
        """As `adopt`, for the life of the process alone."""
        self._kind.check(columns)
        self._where[oid] = (Batch.of(self._kind, columns, [oid]), 0)

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
        final = self._folder / f"{secrets.token_hex(8)}.{self._kind.name}"
        with _temporary(self._folder) as (stream, path):
            write_pack(stream.write, batches, self._seal, self._folder.name, self._kind)
            stream.flush()
            os.fsync(stream.fileno())
            path.rename(final)
        return final

    def _compact(self) -> None:
        """Makes the small packs into one. Another process may do the same: then blobs are in two packs."""
        small = {path for path in self._packs if path.exists() and path.stat().st_size < _MAX_PACK_BYTES}
        oids: list[str] = []
        parts: list[pa.RecordBatch] = []
        seen: set[str] = set()
        for path in sorted(small):
            try:
                batches = read_header(path, self._seal, self._kind)
                for batch in batches:
                    columns = batch.load()
                    keep = [row for row, oid in enumerate(batch.oids) if oid not in seen]
                    seen.update(batch.oids)
                    if keep:
                        parts.append(columns.take(pa.array(keep, pa.int32())))
                        oids += [batch.oids[row] for row in keep]
            except FileNotFoundError:
                continue
            except DAMAGE as error:
                self._ignore(path, error)
        merged = (
            pa.Table.from_batches(parts, schema=self._kind.schema)
            .combine_chunks()
            .to_batches(max_chunksize=BATCH_BLOBS)
        )
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


@contextlib.contextmanager
def _temporary(folder: Path) -> Iterator[tuple[IO[bytes], Path]]:
    """A new file that is locked while it is written; it is gone afterwards, unless it was renamed."""
    while True:
        path = folder / f".{secrets.token_hex(8)}.tmp"
        with path.open("xb") as stream:
            if _lock(stream) is False or not os.fstat(stream.fileno()).st_nlink:
                continue  # another process took it for a leftover before it was locked
            try:
                yield stream, path
            finally:
                path.unlink(missing_ok=True)
            return


def _lock(stream: IO[bytes]) -> bool | None:
    """Takes a file's advisory lock until it is closed; False if another holds it, None where there are no locks."""
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def _remove_leftover(path: Path) -> None:
    """Removes what a process that was cut short left. Who still writes it holds its lock."""
    with contextlib.suppress(OSError), path.open("rb") as stream:
        if _lock(stream):
            path.unlink()


class Batch:
    """Some blobs of a pack; `load` checks the digest and every index the first time."""

    def __init__(self, path: Path, kind: Kind, oids: list[str], buffer: pa.Buffer | None, sha256: str):
        self.path = path
        self._kind = kind
        self.oids = oids
        self._buffer = buffer
        self._sha256 = sha256
        self._columns: pa.RecordBatch | None = None

    @classmethod
    def of(cls, kind: Kind, columns: pa.RecordBatch, oids: list[str]) -> Batch:
        batch = cls(Path(), kind, oids, None, "")
        batch._columns = columns
        return batch

    def load(self) -> pa.RecordBatch:
        if self._columns is None:
            assert self._buffer is not None
            if hashlib.sha256(self._buffer).hexdigest() != self._sha256:
                raise ValueError("its digest does not match")
            columns = pa.ipc.read_record_batch(self._buffer, self._kind.schema)
            if columns.num_rows != len(self.oids):
                raise ValueError("its header does not match")
            self._kind.check(columns)
            self._columns = columns
        return self._columns


def write_pack(
    write: Callable[[Any], object],
    batches: list[tuple[list[str], pa.RecordBatch]],
    seal: Seal | None = None,
    version: str = "",
    kind: Kind = FACTS,
) -> None:
    buffers = [columns.serialize() for _, columns in batches]
    entries, offset = [], 0
    for (oids, _), buffer in zip(batches, buffers, strict=True):
        digest = hashlib.sha256(buffer).hexdigest()
        entries.append({"offset": offset, "length": buffer.size, "sha256": digest, "blobs": oids})
        offset += buffer.size + -buffer.size % _ALIGNMENT
    header = json.dumps(entries, separators=(",", ":")).encode()
    header += b"\n" + (seal.of(kind.name, version, header).encode() if seal else b"")
    start = kind.magic + len(header).to_bytes(8, "little") + header
    write(start + bytes(-len(start) % _ALIGNMENT))
    for buffer in buffers:
        write(buffer)
        write(bytes(-buffer.size % _ALIGNMENT))


def read_header(path: Path, seal: Seal | None = None, kind: Kind = FACTS) -> list[Batch]:
    if path.is_symlink() or not path.is_file():
        raise ValueError("it is not a regular file")
    with pa.memory_map(str(path)) as file:
        size = file.size()
        if file.read(len(kind.magic)) != kind.magic:
            raise ValueError(f"it is no pack of {kind.name} of this format")
        header_bytes = int.from_bytes(file.read(8), "little")
        start = len(kind.magic) + 8 + header_bytes
        if start > size:
            raise ValueError("it is cut short")
        body, _, mac = file.read(header_bytes).partition(b"\n")
        if seal is not None and not seal.fits(mac.decode("ascii", "replace"), kind.name, path.parent.name, body):
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
            buffer = file.read_at(length, offset) if length else None
            batches.append(Batch(path, kind, oids, buffer, str(entry["sha256"])))
            if not length:
                raise ValueError("a batch is empty")
    return batches
