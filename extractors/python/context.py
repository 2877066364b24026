"""What Python's files need of the commit as a whole: which file is which module, and the library's models."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from functools import cache

from pliant.extractors.facts import OWN, FileFacts, escape_path
from pliant.extractors.languages import ContextPart, Summary
from pliant.extractors.model_files import ModelFile
from pliant.extractors.python.dependencies import Dependencies, of_models
from pliant.extractors.python.library import VERSION, Library
from pliant.extractors.python.library_models import builtin_digest, load_models
from pliant.extractors.repository import own_cache
from pliant.extractors.schema import RELATIONS
from pliant.extractors.writer import FactWriter

_INIT = "__init__"
# Objects without attributes that the rules could use, and the relations that would spread them.
_DULL = frozenset(("builtins.bool()", "builtins.int()", "builtins.float()", "builtins.complex()"))
_GIVING = frozenset(("lib_returns", "lib_value", "lib_item", "lib_iteration"))


def version() -> str:
    return f"2.{VERSION}.{builtin_digest()}"


def context_facts(writer: FactWriter, summaries: Mapping[str, Summary], models: tuple[ModelFile, ...] = ()) -> None:
    """Write the facts that depend on the set of files; `summaries` is by path, `models` are a user's own."""
    for _, write in context_parts(summaries, models):
        write(writer)


def context_parts(summaries: Mapping[str, Summary], models: tuple[ModelFile, ...] = ()) -> list[ContextPart]:
    """The same in two: the files' modules, and the library, which is the same for most commits of a repository."""
    relative = tuple(
        (path, tuple(name for name in summary.library if name.startswith("^"))) for path, summary in summaries.items()
    )
    mentioned = {name for summary in summaries.values() for name in summary.library if not name.startswith("^")}
    packages = of_models(models)
    if packages is not None:
        packages = packages.without(name for names in module_names(summaries).values() for name in names)
    return [
        (("modules", frozenset(relative)), lambda writer: _module_facts(writer, summaries)),
        (
            ("library", frozenset(mentioned), models, packages),
            lambda writer: _add(writer, _library(models, packages).facts(sorted(mentioned))),
        ),
    ]


@cache
def _library(models: tuple[ModelFile, ...], packages: Dependencies | None) -> Library:
    """The library's models, kept in the user's cache: without files of a user's own, the same for every repository."""
    folder = own_cache()
    return Library(load_models(files=models), folder / "library" if folder else None, packages)


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
    """`module` rows: the dotted names by which each file can be imported."""
    names = module_names(summaries)
    by_place = {path.removesuffix("i").removesuffix(".py"): path for path in names}
    for path, dotted_names in names.items():
        file = writer.symbol(f"{escape_path(path)}{OWN}")
        for dotted in dotted_names:
            writer.row("module", file, writer.symbol(dotted))
    for path in names:
        for mention in summaries[path].library:
            if mention.startswith("^"):
                target = _relative(path, mention, by_place)
                if target is not None:
                    file = writer.symbol(f"{escape_path(target)}{OWN}")
                    writer.row("module", file, writer.symbol(f"{escape_path(path)}{OWN}{mention}"))


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
