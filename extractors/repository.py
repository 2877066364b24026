"""Facts of a commit as a whole: which file is which module, and the library's models that its files need."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Protocol

from pliant.extractors.facts import OWN, FileFacts, escape_path
from pliant.extractors.python.library import VERSION as LIBRARY_VERSION
from pliant.extractors.python.library import Library
from pliant.extractors.schema import RELATIONS
from pliant.extractors.writer import FactWriter

VERSION = f"1.{LIBRARY_VERSION}"
_INIT = "__init__"
_TEST_FOLDERS = frozenset(("test", "tests", "testing", "testsuite"))
# Objects without attributes that the rules could use, and the relations that would spread them.
_DULL = frozenset(("builtins.bool()", "builtins.int()", "builtins.float()", "builtins.complex()"))
_GIVING = frozenset(("lib_returns", "lib_value", "lib_item", "lib_iteration"))


class Summary(Protocol):
    """What is known of a file without its facts: the modules that it mentions."""

    @property
    def library(self) -> tuple[str, ...]: ...


def context_facts(summaries: Mapping[str, Summary]) -> FileFacts:
    """Facts that depend on the set of files; `summaries` is by path."""
    writer = FactWriter()
    _module_facts(writer, summaries)
    mentioned = {name for summary in summaries.values() for name in summary.library if not name.startswith("^")}
    if summaries:
        _add(writer, _library().facts(sorted(mentioned)))
    return writer.finish()


def user_cache() -> Path:
    """Where what does not depend on a repository is kept; a relative $XDG_CACHE_HOME is none."""
    configured = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(configured) if configured.startswith("/") else Path.home() / ".cache") / "pliant"


@cache
def _library() -> Library:
    """The library's models, kept in the user's cache: they are the same for every repository."""
    return Library(cache=user_cache() / "library")


def _add(writer: FactWriter, facts: FileFacts) -> None:
    ids = [writer.symbol(symbol) for symbol in facts.symbols]
    dull = {ids[index] for index, symbol in enumerate(facts.symbols) if symbol in _DULL}
    for name, rows in facts.rows.items():
        kinds = [kind == "symbol" for _, kind in RELATIONS[name].columns]
        arity = len(kinds)
        columns = [
            [ids[entry] for entry in rows[position::arity]] if symbol else rows[position::arity]
            for position, symbol in enumerate(kinds)
        ]
        for row in zip(*columns, strict=True):
            if row[-1] not in dull or name not in _GIVING:
                writer.row(name, *row)
    instances = facts.rows.get("lib_instance")
    for o, c in zip(instances[::2], instances[1::2], strict=True) if instances else ():
        if facts.symbols[o] == f"{facts.symbols[c]}()":
            writer.row("lib_object", ids[c], ids[o])


# Modules.


def _module_facts(writer: FactWriter, summaries: Mapping[str, Summary]) -> None:
    """`module` rows: the dotted names by which each Python file can be imported."""
    names = module_names(path for path in summaries if path.endswith((".py", ".pyi")))
    by_place = {path.removesuffix("i").removesuffix(".py"): path for path in names}
    for path, dotted_names in names.items():
        file = writer.symbol(f"{escape_path(path)}{OWN}")
        for dotted in dotted_names:
            writer.row("module", file, writer.symbol(dotted))
        if is_test(path):
            writer.row("test_file", file)
    for path in names:
        for mention in summaries[path].library:
            if mention.startswith("^"):
                target = _relative(path, mention, by_place)
                if target is not None:
                    file = writer.symbol(f"{escape_path(target)}{OWN}")
                    writer.row("module", file, writer.symbol(f"{escape_path(path)}{OWN}{mention}"))


def is_test(path: str) -> bool:
    """Whether a file is test code, by the usual names."""
    folders, _, name = path.rpartition("/")
    return bool(_TEST_FOLDERS & set(folders.split("/"))) or name.startswith("test_") or name == "conftest.py"


def module_names(paths: Iterable[str]) -> dict[str, list[str]]:
    """The dotted names of each file: from the root of the repository, and from every folder above it that is not a
    package. A file in such a folder does not hide a module of the standard library."""
    known = list(paths)
    packages = {path.rpartition("/")[0] for path in known if path.rpartition("/")[2].startswith(f"{_INIT}.py")}
    found: dict[str, list[str]] = {}
    for path in known:
        parts = path.removesuffix("i").removesuffix(".py").split("/")
        if parts[-1] == _INIT:
            parts.pop()
        names = []
        for start in range(len(parts)):
            root = "/".join(parts[:start])
            if start and (root in packages or (start + 1 == len(parts) and parts[-1] in sys.stdlib_module_names)):
                continue
            if start and parts[start] in sys.stdlib_module_names:
                continue
            names.append(".".join(parts[start:]))
        found[path] = names
    return found


def _relative(path: str, mention: str, by_place: Mapping[str, str]) -> str | None:
    """The file that a relative import, `^level name`, means."""
    level, _, name = mention[1:].partition(" ")
    folders = path.split("/")[:-1]
    climb = int(level) - 1
    if climb > len(folders):
        return None
    place = "/".join([*folders[: len(folders) - climb], *(name.split(".") if name else [])])
    return by_place.get(place) or by_place.get(f"{place}/{_INIT}" if place else _INIT)
