"""The folder that a history is written to, so that a run may end at any point and the next one goes on.

    plan.json              what the history is of; another history in the same folder is refused
    windows/000012/        the results of a window: written under a temporary name, flushed, renamed, never changed
        manifest.json      digests of the other files, and the window's numbers; its own digest, and whose it is
        edges.parquet  changes.parquet  listing.parquet
    commits.parquet  changes.parquet  findings.parquet  windows.parquet  report.html      of all windows together

A window is either there, whole and with matching digests, or it is evaluated again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from pliant.analyses.findings import Finding
from pliant.ci.errors import UserError, reason, visible, visible_path
from pliant.ci.history import tables
from pliant.ci.history.window import Edge, Result
from pliant.ci.reports.remarks import together
from pliant.engine.state import files
from pliant.engine.state.files import Descriptor

_FORMAT: Final = "pliant-history/5"
_LONGEST_LINE: Final = 200  # characters of a source line that a table has
_ABOUT: Final = ("format", "history", "window")
_FILES: Final = {"edges": tables.EDGES, "changes": tables.CHANGES, "listing": tables.LISTING}
_LIMIT: Final = 1 << 28  # bytes of a JSON file


@dataclass(frozen=True, slots=True)
class Stored:
    """A window's results as they were written."""

    edges: pa.Table
    changes: pa.Table
    listing: pa.Table
    numbers: dict[str, Any]


class Store:
    def __init__(self, folder: Path):
        self.folder = folder
        self._lock: Descriptor | None = None

    def begin(self, key: str, title: str) -> None:
        """Takes the folder for the history `key`, which `title` describes. Raises UserError where it holds another
        one or something else, or where another process writes it."""
        where = visible_path(str(self.folder))
        with self._writing():
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock = Descriptor.of_folder(self.folder)
            if files.try_lock(self._lock) is False:
                raise UserError(f"another process writes the history in {where}: wait for it, or give another --out")
            known = self._plan()
            if known is None:
                if any(path.suffix != ".tmp" for path in self.folder.iterdir()):
                    raise UserError(
                        f"{where} is not empty and holds no history: give an empty or a new folder as --out"
                    )
                self._write("plan.json", json.dumps({"format": _FORMAT, "key": key, "title": title}).encode())
            elif known.get("key") != key or known.get("format") != _FORMAT:
                raise UserError(
                    f"{where} holds another history ({visible(str(known.get('title')))}), or one by another version of "
                    "Pliant: give another folder as --out, or remove it"
                )
            (self.folder / "windows").mkdir(exist_ok=True)
            for left in (*self.folder.glob(".*.tmp"), *(self.folder / "windows").glob(".*.tmp")):
                _remove(left)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            where = visible_path(str(self.folder))
            raise UserError(f"the history cannot be written to {where}: {reason(error)}") from None

    def _plan(self) -> dict[str, Any] | None:
        try:
            found = json.loads(Descriptor.of_file(Descriptor.of_folder(self.folder), "plan.json").read(_LIMIT))
        except FileNotFoundError:
            return None
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def put(self, index: int, result: Result) -> None:
        """Keeps a window's results; those that are there already stay."""
        parent = self.folder / "windows"
        temporary = parent / f".{secrets.token_hex(8)}.tmp"
        temporary.mkdir(mode=0o700)
        try:
            content = {
                "edges": tables.table(tables.EDGES, [_edge_row(edge) for edge in result.edges]),
                "changes": tables.table(tables.CHANGES, list(_change_rows(result.edges))),
                "listing": tables.table(tables.LISTING, list(_listing_rows(result))),
            }
            digests = {}
            for name, table in content.items():
                path = temporary / f"{name}.parquet"
                tables.write(path, table)
                _flush(path)
                digests[name] = hashlib.sha256(path.read_bytes()).hexdigest()
            manifest = {**self._about(index), "digests": digests, "numbers": result.numbers}
            folder = Descriptor.of_folder(temporary)
            files.write(folder, "manifest.json", json.dumps({**manifest, "digest": _digest(manifest)}).encode())
            files.flush(folder)
            with contextlib.suppress(FileExistsError, OSError):
                temporary.rename(self._window(index))
            if not self._window(index).is_dir():
                raise UserError(f"a window's results cannot be kept in {visible_path(str(parent))}")
            files.flush(Descriptor.of_folder(parent))
        finally:
            shutil.rmtree(temporary, ignore_errors=True)

    def has(self, index: int) -> bool:
        """Whether a window's results are there and sound; what is not sound is removed."""
        if not self._window(index).exists():
            return False
        try:
            self._manifest(index)
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            _remove(self._window(index))
            return False
        return True

    def get(self, index: int) -> Stored:
        """A window's results, which `has` has found."""
        numbers = self._manifest(index)
        found = {name: tables.read(self._window(index) / f"{name}.parquet", schema) for name, schema in _FILES.items()}
        return Stored(**found, numbers=numbers)

    def numbers(self, index: int) -> dict[str, Any]:
        return self._manifest(index, check=False)

    def _manifest(self, index: int, *, check: bool = True) -> dict[str, Any]:
        folder = Descriptor.of_folder(self._window(index))
        manifest = json.loads(Descriptor.of_file(folder, "manifest.json").read(_LIMIT))
        digest = manifest.pop("digest")
        about = {name: manifest[name] for name in _ABOUT}
        if digest != _digest(manifest) or about != self._about(index) or set(manifest["digests"]) != set(_FILES):
            raise ValueError("its manifest does not match")
        for name, digest in manifest["digests"].items() if check else ():
            content = Descriptor.of_file(folder, f"{name}.parquet").read(1 << 34)
            if hashlib.sha256(content).hexdigest() != digest:
                raise ValueError(f"{name} does not match its digest")
        numbers: dict[str, Any] = manifest["numbers"]
        return numbers

    def _about(self, index: int) -> dict[str, Any]:
        """Which window of which history: one that stands in the place of another is none."""
        return dict(zip(_ABOUT, (_FORMAT, (self._plan() or {}).get("key"), index), strict=True))

    def write_table(self, name: str, content: pa.Table) -> None:
        """Replaces a table of the whole history."""
        temporary = self.folder / f".{secrets.token_hex(8)}.tmp"
        with self._writing():
            tables.write(temporary, content)
            _flush(temporary)
            temporary.rename(self.folder / name)

    def _write(self, name: str, content: bytes) -> None:
        temporary = f".{secrets.token_hex(8)}.tmp"
        folder = Descriptor.of_folder(self.folder)
        files.write(folder, temporary, content, 0o666)  # as the tables have it: results are for others to read
        files.replace(folder, temporary, name)
        files.flush(folder)

    def write_text(self, name: str, content: str) -> None:
        with self._writing():
            self._write(name, content.encode("utf-8"))

    def _window(self, index: int) -> Path:
        return self.folder / "windows" / f"{index:06d}"


def finding_row(finding: Finding) -> dict[str, Any]:
    """What every table says of a finding."""
    return {
        "rule": finding.rule,
        "fingerprint": finding.fingerprint,
        "file": visible_path(finding.file),
        "line": finding.line,
        "start_column": finding.column,
        "function": visible_path(finding.function),
        "message": visible_path(finding.message),
        "severity": finding.severity,
        "confidence": finding.confidence,
        "probability": finding.probability,
        "unlikely": finding.unlikely,
        "suppressed": None if finding.suppressed is None else finding.suppressed.by,
    }


def change_row(
    finding: Finding, commit: str, parent: str, line: Callable[[Finding, str, int], str | None]
) -> dict[str, Any]:
    """A new, fixed or unknown finding of an edge. line: a source line that it names."""
    path = [
        {
            "file": visible_path(step.file),
            "line": step.line,
            "start_column": step.column,
            "function": visible_path(step.function),
            "note": visible_path(step.note),
            "source": visible((line(finding, step.file, step.line) or "").strip()[:_LONGEST_LINE]),
        }
        for step in finding.path
    ]
    cause = [{"file": visible_path(place.file), "line": place.line} for place in finding.cause]
    unread = [
        {name: visible_path(value) if isinstance(value, str) else value for name, value in asdict(each).items()}
        for each in finding.unread
    ]
    row = {"position": 0, "commit": commit, "parent": parent, "status": finding.status, "finding": 0}
    row["fails_when"] = visible_path(finding.fails_when)
    removed = [{"file": visible_path(each.file), "line": each.line} for each in finding.removed]
    said = {"path": path, "cause": cause, "removed": removed, "unread": unread}
    return {**row, **finding_row(finding), **said}


def _digest(manifest: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()


def _edge_row(edge: Edge) -> Mapping[str, Any]:
    names = (
        "commit",
        "parent",
        "files",
        "facts_inserted",
        "facts_deleted",
        "derived_inserted",
        "derived_deleted",
        "tuples",
    )
    regained = [{"file": visible_path(file), "what": visible_path(what)} for file, what in edge.regained]
    left_out = [
        {"file": visible_path(told.file), "line": told.line, "message": visible_path(told.message)}
        for told in together(edge.left_out)
    ]
    kept = {name: getattr(edge, name) for name in names}
    return {**kept, "compared": edge.findings is not None, "regained": regained, "left_out": left_out}


def _change_rows(edges: Iterable[Edge]) -> Iterator[Mapping[str, Any]]:
    for edge in edges:
        for finding in edge.findings or ():
            if finding.status != "unchanged":
                yield change_row(finding, edge.commit, edge.parent, edge.line)


def _listing_rows(result: Result) -> Iterator[Mapping[str, Any]]:
    for commit, findings in result.listings.items():
        for finding in findings:
            yield {"commit": commit, "parent": None, **finding_row(finding)}
    for edge in result.edges:
        for finding in edge.findings or ():
            if finding.status == "unchanged":
                yield {"commit": edge.commit, "parent": edge.parent, **finding_row(finding)}


def _flush(path: Path) -> None:
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _remove(path: Path) -> None:
    if path.is_symlink() or not path.is_dir():
        path.unlink(missing_ok=True)
    else:
        shutil.rmtree(path, ignore_errors=True)


__all__ = ["Store", "Stored", "change_row", "finding_row"]
