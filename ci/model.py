"""Model files from the sources of a library: `pliant model`."""

from __future__ import annotations

import errno
import hashlib
import json
import zipfile
import zlib
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from pliant.ci.errors import UserError, read_bounded, reason, visible_path
from pliant.extractors.java.contracts import derive
from pliant.extractors.java.library_models import FROM_SOURCES, Tables

_MOST = 10_000_000  # bytes of a file
Reader = Callable[[str], bytes]


def write_model(sources: Path, out: Path, skip: Callable[[str, str], None]) -> Tables:
    """Write the model of a library, and return its tables. sources: a folder, or an archive. out: NAME.java.toml; or
    NAME.json, for the library that comes with Pliant. skip: told of files that are left out, and why. Raises
    UserError."""
    if not out.name.endswith((".java.toml", ".json")):
        raise UserError(f"--out {visible_path(str(out))}: expected NAME.java.toml, such as guava.java.toml")
    with ExitStack() as stack:
        paths, read = _files(sources, stack)
        tables = derive(paths, read, skip)
    if not tables:
        raise UserError(
            f"{visible_path(str(sources))}: no class found; expected a folder or an archive of Java sources"
        )
    try:
        text = (_json if out.suffix == ".json" else _toml)(_said(sources), tables)
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{visible_path(str(out))} cannot be written: {reason(error)}") from None
    return tables


def _files(sources: Path, stack: ExitStack) -> tuple[list[str], Reader]:
    """The paths of the sources, in their order, and what reads one; that raises OSError."""
    try:
        if sources.is_dir():
            found = [path for path in sources.rglob("*.java") if path.is_file() and not path.is_symlink()]
            return sorted(path.relative_to(sources).as_posix() for path in found), lambda path: _in(sources, path)
        archive = stack.enter_context(zipfile.ZipFile(sources))
    except OSError as error:
        raise UserError(f"{visible_path(str(sources))} cannot be read: {reason(error)}") from None
    except zipfile.BadZipFile:
        raise UserError(f"{visible_path(str(sources))} is no folder, and no zip or jar archive") from None
    return sorted(archive.namelist()), lambda path: _archived(archive, path)


def _in(folder: Path, path: str) -> bytes:
    return read_bounded(folder / path, _MOST)


def _archived(archive: zipfile.ZipFile, path: str) -> bytes:
    try:
        with archive.open(path) as stream:
            content = stream.read(_MOST + 1)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError) as error:
        raise OSError(errno.EIO, f"it cannot be unpacked: {error}") from None
    if len(content) > _MOST:
        raise OSError(errno.EFBIG, f"it is larger than {_MOST:,} bytes")
    return content


def _said(sources: Path) -> str:
    """The name of the sources; of an archive, with its digest."""
    if sources.is_dir():
        return sources.resolve().name
    with sources.open("rb") as stream:
        return f"{sources.name} {hashlib.file_digest(stream, 'sha256').hexdigest()}"


def _toml(name: str, tables: Tables) -> str:
    lines = [f"# What the sources in {json.dumps(name)} say, by `pliant model`.", f"{FROM_SOURCES} = true"]
    for class_, table in tables.items():
        lines += ["", f"[{json.dumps(class_)}]", *(f"{key} = {_value(value)}" for key, value in table.items())]
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    """As TOML: names, lists of them, tables of them, or of lists of numbers."""
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{json.dumps(key)} = {_value(each)}' for key, each in value.items())} }}"
    return json.dumps(value)


def _json(name: str, tables: Tables) -> str:
    lines = [f"{json.dumps(class_)}: {json.dumps(table, separators=(',', ':'))}" for class_, table in tables.items()]
    return f'{{"sources": {json.dumps(name)}, "classes": {{\n' + ",\n".join(lines) + "\n}}\n"
