"""Typed packages of a folder of installed ones: which modules they have, and what changes when they do.

A package is typed as https://typing.python.org/en/latest/spec/distributing.html has it: it has stubs (`.pyi`), or a
stub package `NAME-stubs` beside it, or a `py.typed` in a folder around the module. Sources without that mark say
nothing. Files are read, never imported.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from pliant.extractors.model_files import ModelError, ModelFile

_STUBS = "-stubs"
_MARK = "py.typed"
_ENDINGS = (".pyi", ".py")  # in the order in which they win


@dataclass(frozen=True)
class Dependencies:
    """folder: `site-packages` of an environment. version: changes with what is installed there. hidden: names at its
    top that the analysed repository defines itself."""

    folder: Path
    version: str
    hidden: frozenset[str] = frozenset()

    def without(self, names: Iterable[str]) -> Dependencies:
        """The same, where a repository has modules with these names of its own."""
        there = {entry.name.removesuffix(".pyi").removesuffix(_STUBS) for entry in _entries(self.folder)}
        return replace(self, hidden=frozenset(there.intersection(names)))

    @cached_property
    def modules(self) -> dict[str, Path]:
        """Dotted name of each typed module -> the file that tells its types. Stub packages come first, then stubs."""
        found: dict[str, Path] = {}
        for entry in sorted(_entries(self.folder), key=lambda entry: (not entry.name.endswith(_STUBS), entry.name)):
            name = entry.name.removesuffix(".pyi") if entry.is_file() else entry.name.removesuffix(_STUBS)
            if not name.isidentifier() or name in self.hidden:
                continue
            if entry.is_dir():
                for module, path in _inside(name, Path(entry.path), entry.name.endswith(_STUBS)):
                    found.setdefault(module, path)
            elif entry.name.endswith(".pyi"):
                found.setdefault(name, Path(entry.path))
        return found


def installed(folder: Path) -> ModelFile:
    """What the packages in `folder` say of themselves, as a model. Raises ModelError where it holds no packages."""
    try:
        version = _version(folder)
    except OSError as error:
        raise ModelError(f"{folder}: the folder of packages cannot be read: {error.strerror}") from error
    if version is None:
        raise ModelError(
            f"{folder}: expected a folder of installed packages, with *.dist-info; name site-packages itself"
        )
    return ModelFile(str(folder), "python", f"# packages: {version}\n", folder)


def of_models(models: Iterable[ModelFile]) -> Dependencies | None:
    """The packages among models of a user's own; the last ones, if there are several."""
    found = [model for model in models if model.folder is not None]
    return Dependencies(found[-1].folder, found[-1].text) if found and found[-1].folder is not None else None


def _version(folder: Path) -> str | None:
    """Changes when a package is installed, removed or replaced; None where nothing is installed. What an installer
    recorded stands for what it installed; other packages by the sizes and times of their files."""
    made = hashlib.sha256()
    recorded: set[str] = set()
    others = []
    entries = sorted(_entries(folder), key=lambda entry: entry.name)
    for entry in entries:
        if entry.name.endswith(".dist-info"):
            record = _content(Path(entry.path, "RECORD"))
            recorded.update(line.partition(b"/")[0].decode(errors="replace") for line in record.splitlines())
            made.update(os.fsencode(entry.name) + b"\0" + hashlib.sha256(record).digest())
        elif entry.name.removesuffix(_STUBS).isidentifier() or entry.name.endswith(".pyi"):
            others.append(entry)
    for entry in others:
        if entry.name not in recorded and not entry.name.startswith("__"):
            for path, status in _files(entry):
                made.update(os.fsencode(f"{path}\0{status.st_size}\0{status.st_mtime_ns}\n"))
    return made.hexdigest() if any(entry.name.endswith((".dist-info", _STUBS)) for entry in entries) else None


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return list(entries)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes() if path.is_file() else b""  # reading a named pipe would wait for a writer
    except OSError:
        return b""


def _files(entry: os.DirEntry[str]) -> Iterator[tuple[str, os.stat_result]]:
    if entry.is_file():
        yield entry.name, entry.stat()
        return
    for folder, folders, names in os.walk(entry.path):
        folders.sort()
        for name in sorted(names):
            path = Path(folder, name)
            if name.endswith(_ENDINGS) or name == _MARK:
                yield str(path), path.lstat()


def _inside(top: str, folder: Path, stubs: bool) -> Iterator[tuple[str, Path]]:
    """The typed modules of a package: of each, stubs before sources."""
    pending = [(top, folder, stubs)]
    while pending:
        package, here, typed = pending.pop()
        try:
            entries = sorted(_entries(here), key=lambda entry: (not entry.name.endswith(".pyi"), entry.name))
        except OSError:
            continue
        typed = typed or any(entry.name == _MARK for entry in entries)
        for entry in entries:
            stem, ending = Path(entry.name).stem, Path(entry.name).suffix
            if entry.is_dir(follow_symlinks=False):  # a folder that leads elsewhere, perhaps around itself
                if entry.name.isidentifier():
                    pending.append((f"{package}.{entry.name}", Path(entry.path), typed))
            elif ending in _ENDINGS and stem.isidentifier() and (typed or ending == ".pyi") and entry.is_file():
                yield package if stem == "__init__" else f"{package}.{stem}", Path(entry.path)
