"""What Go's files need of the commit as a whole: which import path names which folder, and the library's models."""

from __future__ import annotations

import hashlib
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any

from pliant.extractors.facts import OWN, escape_path
from pliant.extractors.go.constraints import OTHER_SYSTEM
from pliant.extractors.languages import Summary
from pliant.extractors.model_files import ModelFile
from pliant.extractors.writer import FactWriter

MODELS = Path(__file__).parent.parent / "models" / "go.toml"
_ARITIES = range(6)  # numbers of arguments that a member without one is known for

Parts = tuple[str, ...]


@cache
def version() -> str:
    return f"1-{hashlib.sha256(MODELS.read_bytes()).hexdigest()[:16]}"


@cache
def models() -> dict[str, dict[str, Any]]:
    """Package or type -> its model."""
    return tomllib.loads(MODELS.read_text(encoding="utf-8"))


def context_facts(writer: FactWriter, summaries: Mapping[str, Summary], models: tuple[ModelFile, ...] = ()) -> None:
    mentioned = {path for summary in summaries.values() for path in summary.library} - {OTHER_SYSTEM}
    folders: dict[str, list[str]] = {}
    for path, summary in summaries.items():
        if not path.endswith("_test.go") and OTHER_SYSTEM not in summary.library:  # else nothing imports it
            folders.setdefault(path.rpartition("/")[0], []).append(path)
    for import_path, folder in sorted(imported_folders(mentioned, folders).items()):
        module = writer.symbol(import_path)
        for path in folders[folder]:
            writer.row("module", writer.symbol(f"{escape_path(path)}{OWN}"), module)
    _library(writer)


def imported_folders(mentioned: Iterable[str], folders: Iterable[str]) -> dict[str, str]:
    """Import path -> the folder that it names.

    A module is a root folder and the import path of that: the rest of an import path is the path of a folder below the
    root. Which modules there are is not known, so those that explain most import paths come first; where two explain as
    many and mean different things, neither counts.
    """
    standard = set(models()["packages"]["standard"])
    paths = {tuple(path.split("/")) for path in mentioned if path.partition("/")[0] not in standard}
    places = {tuple(folder.split("/")) if folder else (): folder for folder in folders}
    ending: dict[str, list[Parts]] = {}
    for place in sorted(places):
        ending.setdefault(place[-1] if place else "", []).append(place)
    modules: dict[
        tuple[Parts, Parts], list[tuple[Parts, Parts]]
    ] = {}  # module -> the paths and folders that it explains
    for path in sorted(paths):
        for place in ending.get(path[-1], ()):
            same = sum(
                1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(path[::-1], place[::-1], strict=False))
            )
            module = (path[: len(path) - same], place[: len(place) - same])
            modules.setdefault(module, []).append((path, place))
    for module, pairs in modules.items():
        if module[0] in paths and module[1] in places:
            pairs.append(module)
    claims = [(path, place, len(pairs)) for pairs in modules.values() for path, place in pairs]
    most: Counter[tuple[str, Parts]] = Counter()
    for path, place, count in claims:
        most["path", path] = max(most["path", path], count)
        most["place", place] = max(most["place", place], count)
    best = [claim[:2] for claim in claims if most["path", claim[0]] == most["place", claim[1]] == claim[2]]
    times = Counter([*(("path", path) for path, _ in best), *(("place", place) for _, place in best)])
    return {"/".join(path): places[place] for path, place in best if times["path", path] == times["place", place] == 1}


def _library(writer: FactWriter) -> None:
    """The facts of the library."""

    def row(relation: str, *entries: str | int) -> None:
        writer.row(relation, *(writer.symbol(entry) if isinstance(entry, str) else entry for entry in entries))

    for owner, model in models().items():
        if owner == "packages":
            continue
        package, _, name = owner.rpartition("/")[2].partition(".")
        package = owner[: len(owner) - len(name) - 1] if name else owner
        if name:
            row("lib_member", package, name, owner)
            row("lib_class", owner)
            row("lib_object", owner, f"{owner}()")
            row("lib_instance", f"{owner}()", owner)
        known: set[str] = set()
        for key in ("nullable", "noreturn", "present", "returns"):
            for member in model.get(key, ()):
                plain, _, count = member.partition("/")
                entity = f"{owner}.{plain}"
                if plain not in known:
                    known.add(plain)
                    row("lib_member", owner, plain, entity)
                    row("lib_function", entity)
                if key == "nullable":
                    for arguments in [int(count)] if count else _ARITIES:
                        row("lib_nullable", entity, arguments)
                elif key != "returns":
                    row(f"lib_{key}", entity)
                else:
                    row("lib_returns", entity, f"{model[key][member]}()")
