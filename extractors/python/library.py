"""What calls and attributes of the standard library and of typed packages give, as facts for a set of modules.

Comes in: names of modules that a repository mentions, and models. Goes out: facts whose symbols are fully qualified
names. The facts of a set are those of every unit (see library_stubs.py) that can be reached from its modules, so the
facts of a union are the union of the facts and a new import adds the facts of new modules. What a module's units are
depends on its stubs and the models alone; it is kept on disk and read back as data, never as code.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import re
import secrets
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pliant.extractors.facts import FileFacts
from pliant.extractors.schema import RELATIONS

from .dependencies import Dependencies
from .library_models import Models, load_models, stub_text

if TYPE_CHECKING:
    from .library_tell import Knowledge

VERSION = 6  # of what is told and of the stored form; any change of either changes it
ALWAYS = ("builtins",)
_SETS = 16  # sets of modules whose facts are kept together


def library_facts(modules: Iterable[str], *, models: Models | None = None, cache: Path | None = None) -> FileFacts:
    """Facts of the library as far as it can be reached from `modules` (dotted names; what no stub or model describes is
    ignored, and of `a.b.c` the longest prefix that is a module counts). `cache` is a folder for what was worked out."""
    return Library(models, cache).facts(modules)


def module_facts(
    module: str, *, models: Models | None = None, cache: Path | None = None
) -> tuple[FileFacts, list[str]]:
    """Everything told of one stub module, and the other modules that hold what its rows mention."""
    stored = Library(models, cache).stored(module)
    made = _Union()
    for unit in stored.units:
        made.add(stored, unit)
    return made.stored().facts(), [name for name in stored.modules() if name != module]


@dataclass(slots=True)
class _Stored:
    """The units of a module as they are kept: a symbol table, and per unit what it needs and its rows.

    A unit is [needs, rows]: needs are flattened (module, unit) pairs, rows map a relation to (columns, flattened rows),
    columns being "s" for a symbol and "n" for a number; everything but a number is an index into `symbols`.
    """

    symbols: list[str] = field(default_factory=list)
    units: dict[str, tuple[list[int], dict[str, tuple[str, list[int]]]]] = field(default_factory=dict)

    def needs(self, unit: str) -> Iterator[tuple[str, str]]:
        pairs = iter(self.units[unit][0])
        for module, name in zip(pairs, pairs, strict=True):
            yield self.symbols[module], self.symbols[name]

    def modules(self) -> list[str]:
        return sorted({self.symbols[module] for needs, _ in self.units.values() for module in needs[::2]})

    def facts(self) -> FileFacts:
        """The rows of the unit "" in relations that the schema has."""
        rows = {name: array("i", flat) for name, (_, flat) in self.units[""][1].items() if name in RELATIONS}
        return FileFacts(symbols=self.symbols, rows=rows)


class Library:
    """The library as one set of models and of installed packages describes it. Stubs are read when something is not in
    the cache."""

    def __init__(
        self, models: Models | None = None, cache: Path | None = None, dependencies: Dependencies | None = None
    ) -> None:
        self.models = load_models() if models is None else models
        self._cache = cache
        self._dependencies = dependencies
        self._stored: dict[str, _Stored] = {}

    @cached_property
    def version(self) -> str:
        """Changes with anything that the facts of a module depend on."""
        packages = self._dependencies
        of_packages = f"-{packages.folder}-{packages.version}-{sorted(packages.hidden)}" if packages else ""
        return f"{VERSION}-{_stubs_version()}-{self.models.digest()}{of_packages}"

    @cached_property
    def _knowledge(self) -> Knowledge:
        # Not at the top: typeshed_client is needed only for what the cache does not have.
        from .library_classes import Stubs  # noqa: PLC0415
        from .library_names import has_stubs  # noqa: PLC0415
        from .library_tell import Knowledge  # noqa: PLC0415

        installed = self._dependencies.modules if self._dependencies else {}
        extra = stub_text(self.models, lambda module: module in installed or has_stubs(module))
        return Knowledge(Stubs(extra, self._dependencies), self.models)

    @cached_property
    def modules(self) -> frozenset[str]:
        """The names of all modules that stubs or models describe."""
        kept = self._read("modules")
        if isinstance(kept, list) and all(isinstance(name, str) for name in kept):
            return frozenset(kept)
        found = self._knowledge.stubs.module_names()
        self._write("modules", found)
        return frozenset(found)

    def facts(self, modules: Iterable[str]) -> FileFacts:
        return self._set(modules).facts()

    def rows(self, modules: Iterable[str], relation: str) -> set[tuple[str | int, ...]]:
        """The rows of one relation, spelled out."""
        stored = self._set(modules)
        kinds, flat = stored.units[""][1].get(relation, ("s", []))
        columns = [
            flat[i :: len(kinds)] if kind == "n" else [stored.symbols[symbol] for symbol in flat[i :: len(kinds)]]
            for i, kind in enumerate(kinds)
        ]
        return set(zip(*columns, strict=True))

    def _set(self, modules: Iterable[str]) -> _Stored:
        roots = sorted(self._roots(modules))
        name = f"set-{hashlib.sha256(' '.join(roots).encode()).hexdigest()[:16]}"
        kept = _checked(self._read(name))
        if kept is None or "" not in kept.units:
            kept = self._reachable(roots)
            self._write(name, [kept.symbols, kept.units])
            self._forget_old_sets()
        return kept

    def _reachable(self, roots: list[str]) -> _Stored:
        """The rows of all units that can be reached from the namespaces of modules, as one unit named ""."""
        made = _Union()
        pending = [(module, module) for module in reversed(roots)]
        seen = set(pending)
        objects: set[str] = set()
        while pending:
            module, unit = pending.pop()
            stored = self.stored(module)
            if unit not in stored.units or unit in objects:
                continue
            if unit.endswith("()"):  # told alike by every module that mentions it
                objects.add(unit)
            made.add(stored, unit)
            for need in stored.needs(unit):
                if need not in seen:
                    seen.add(need)
                    pending.append(need)
        return made.stored()

    def _roots(self, modules: Iterable[str]) -> set[str]:
        found = set(ALWAYS)
        for name in modules:
            while name and name not in self.modules:
                name = name.rpartition(".")[0]
            if name:
                found.add(name)
        return found

    def stored(self, module: str) -> _Stored:
        """The units of a module, from memory, the cache or the stubs; empty for an unknown module."""
        if module not in self._stored:
            if module not in self.modules:
                return _Stored()
            stored = _checked(self._read(module))
            if stored is None:
                stored = self._extract(module)
                self._write(module, [stored.symbols, stored.units])
            self._stored[module] = stored
        return self._stored[module]

    def _extract(self, module: str) -> _Stored:
        from .library_stubs import module_units  # noqa: PLC0415

        index: dict[str, int] = {}

        def number(symbol: str) -> int:
            return index.setdefault(symbol, len(index))

        stored = _Stored()
        for name, unit in module_units(self._knowledge, module).items():
            rows: dict[str, tuple[str, list[int]]] = {}
            for relation, columns in unit.rows:
                kinds = "".join("n" if isinstance(column, int) else "s" for column in columns)
                flat = rows.setdefault(relation, (kinds, []))[1]
                flat += [column if isinstance(column, int) else number(column) for column in columns]
            stored.units[name] = ([number(part) for need in unit.needs for part in need], rows)
        stored.symbols = list(index)
        return stored

    # The cache: a file a module and one for each of the last sets of modules. A file is a line with the digest of the
    # rest, then JSON. What is damaged is made again.

    def _path(self, name: str) -> Path | None:
        if self._cache is None:
            return None
        version = hashlib.sha256(self.version.encode()).hexdigest()[:16]
        return self._cache / f"library-{version}" / f"{name}.json"

    def _read(self, name: str) -> Any:
        path = self._path(name)
        if path is None or not path.is_file():  # reading a named pipe would wait for a writer
            return None
        try:
            digest, _, text = path.read_bytes().partition(b"\n")
            return json.loads(text) if digest == _digest(text) else None
        except (OSError, ValueError, RecursionError):
            return None

    def _forget_old_sets(self) -> None:
        path = self._path("modules")
        if path is None:
            return
        with contextlib.suppress(OSError):
            for old in sorted(path.parent.glob("set-*.json"), key=lambda p: p.stat().st_mtime)[:-_SETS]:
                old.unlink()

    def _write(self, name: str, value: object) -> None:
        path = self._path(name)
        if path is None:
            return
        text = json.dumps(value, separators=(",", ":")).encode()
        temporary = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        with contextlib.suppress(OSError):  # a cache that cannot be written costs time and nothing else
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_bytes(_digest(text) + b"\n" + text)
            temporary.replace(path)


def _stubs_version() -> str:
    """The version of typeshed_client, read from its text: importing it, or asking importlib.metadata, takes longer than
    reading the facts does."""
    spec = importlib.util.find_spec("typeshed_client")
    text = Path(spec.origin).read_text(encoding="utf-8") if spec is not None and spec.origin else ""
    found = re.search(r'^__version__ = "([^"]+)"', text, re.MULTILINE)
    if found is not None:
        return found[1]
    from importlib.metadata import version  # noqa: PLC0415

    return version("typeshed_client")


def _digest(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest().encode()


def _checked(value: Any) -> _Stored | None:
    """What a cache file holds if it has the right form, else None."""
    try:
        symbols, units = value
        count = len(symbols)
        if not all(isinstance(symbol, str) for symbol in symbols):
            return None
        for needs, rows in units.values():
            if needs and not 0 <= min(needs) <= max(needs) < count:
                return None
            for relation, (kinds, flat) in rows.items():
                declared = RELATIONS.get(relation)
                if declared is not None and kinds != "".join(kind[0] for _, kind in declared.columns):
                    return None
                array("i", flat)  # numbers, and none that does not fit
                for position, kind in enumerate(kinds):
                    column = flat[position :: len(kinds)]
                    if kind == "s" and not 0 <= min(column) <= max(column) < count:
                        return None
                if len(flat) % len(kinds):
                    return None
        return _Stored(symbols, units)
    except (TypeError, ValueError, AttributeError, ArithmeticError):
        return None


class _Union:
    """Rows of many units over one symbol table, each row once."""

    def __init__(self) -> None:
        self._index: dict[str, int] = {}
        self._rows: dict[str, tuple[str, dict[tuple[int, ...], None]]] = {}

    def add(self, stored: _Stored, unit: str) -> None:
        symbols, index = stored.symbols, self._index
        for relation, (kinds, flat) in stored.units[unit][1].items():
            columns = [
                flat[position :: len(kinds)]
                if kind == "n"
                else [index.setdefault(symbols[i], len(index)) for i in flat[position :: len(kinds)]]
                for position, kind in enumerate(kinds)
            ]
            self._rows.setdefault(relation, (kinds, {}))[1].update(dict.fromkeys(zip(*columns, strict=True)))

    def stored(self) -> _Stored:
        rows = {name: (kinds, [i for row in rows for i in row]) for name, (kinds, rows) in self._rows.items()}
        return _Stored(list(self._index), {"": ([], rows)})
