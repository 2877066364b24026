"""`pliant doctor`: what a check needs and what there is, with a fix for each thing that is wrong."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module, metadata
from pathlib import Path
from typing import Literal

from pliant.ci.errors import UserError, visible, visible_path
from pliant.ci.git import Repository
from pliant.ci.git_process import run
from pliant.ci.wording import counted
from pliant.extractors.languages import LANGUAGES

Verdict = Literal["ok", "note", "wrong"]
_GIT = (2, 30)
_FREE = 1 << 30
_GRAMMARS = {name: f"tree_sitter_{name}" for name in LANGUAGES}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. `fix` is what to do where it is not ok."""

    name: str
    verdict: Verdict
    found: str
    fix: str = ""


def examine(folder: Path, state: Path | None) -> Iterator[Finding]:
    """Everything, in order; a look that fails is a finding like others."""
    looks: list[tuple[str, Callable[[], Finding]]] = [
        ("python", _python),
        ("git", _git),
        ("repository", lambda: _repository(folder)),
        ("base", lambda: _base(folder)),
        ("settings", lambda: _settings(folder)),
        ("cores", _cores),
        *((f"grammar of {language}", _grammar(language)) for language in _GRAMMARS),
        ("arrow", lambda: _package("arrow", "pyarrow")),
        ("state directory", lambda: _state(folder, state)),
        ("key of the state", _key),
        ("java", _java),
        ("spark", lambda: _package("spark", "pyspark", lacking="note")),
    ]
    for name, look in looks:
        try:
            yield look()
        except UserError as error:
            yield Finding(name, "wrong", str(error))
        except Exception as error:
            yield Finding(name, "wrong", f"{type(error).__name__}: {visible(str(error))}", "install pliant anew")


def _python() -> Finding:
    return Finding("python", "ok", f"{sys.version.split()[0]} at {visible_path(sys.executable)}")


def _git() -> Finding:
    text = run(["--version"], Path("/")).stdout.decode("utf-8", "replace").strip()
    match = re.search(r"(\d+)\.(\d+)", text)
    if match is None or (int(match[1]), int(match[2])) < _GIT:
        return Finding("git", "wrong", text, f"install git {_GIT[0]}.{_GIT[1]} or newer")
    return Finding("git", "ok", text)


def _repository(folder: Path) -> Finding:
    with Repository.open(folder) as repository:
        what = [
            repository.hash_name,
            *(["bare"] if repository.bare else []),
            *(["shallow"] if repository.shallow else []),
        ]
        found = f"{visible_path(str(repository.folder))} ({', '.join(what)})"
        if repository.shallow:
            fix = "a merge base may be out of reach: 'git fetch --unshallow origin', or check --deepen"
            return Finding("repository", "note", found, fix)
        return Finding("repository", "ok", found)


def _base(folder: Path) -> Finding:
    from pliant.ci.sides import resolve

    with Repository.open(folder) as repository:
        sides, notes = resolve(repository, None, "HEAD")
    found = f"{visible(sides.base.name)}, merge base {sides.base_commit[:12]}"
    return Finding("base", "note" if notes else "ok", found, "; ".join(notes))


def _settings(folder: Path) -> Finding:
    from pliant.ci.config_source import configured

    with Repository.open(folder) as repository:
        config, notes = configured(repository, None, "HEAD", None)
    origins = sorted({origin for origin in config.origins.values() if origin != "default"})
    return Finding("settings", "note" if notes else "ok", ", ".join(origins) or "the defaults", "; ".join(notes))


def _cores() -> Finding:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return Finding("cores", "ok", f"{cores}, all used where many files are read")


def _grammar(language: str) -> Callable[[], Finding]:
    def look() -> Finding:
        from tree_sitter import Language, Parser

        module = _GRAMMARS[language]
        parser = Parser(Language(import_module(module).language()))
        parser.parse(b"x = 1;\n")
        versions = f"{metadata.version(module.replace('_', '-'))} under tree-sitter {metadata.version('tree-sitter')}"
        return Finding(f"grammar of {language}", "ok", versions)

    return look


def _package(name: str, distribution: str, lacking: Verdict = "wrong") -> Finding:
    """lacking: what it is where it is not installed."""
    try:
        return Finding(name, "ok", f"{distribution} {metadata.version(distribution)}")
    except metadata.PackageNotFoundError:
        return Finding(name, lacking, f"{distribution} is not installed", f"pip install {distribution}")


def _state(folder: Path, state: Path | None) -> Finding:
    from pliant.ci.inventory import Inventory, shown_size
    from pliant.ci.state import state_folder

    with Repository.open(folder) as repository:
        where = state_folder(repository, state)
    there = where
    while not there.exists():
        there = there.parent
    if not os.access(there, os.W_OK | os.X_OK):
        return Finding("state directory", "wrong", f"{visible_path(str(there))} is not writable", "use --state-dir")
    kept = Inventory.of(where / "commits")
    free = shutil.disk_usage(there).free
    states = f"{counted(len(kept.states), 'state')}, {shown_size(kept.size)}"
    found = f"{visible_path(str(where))}: {states}; {shown_size(free)} free"
    if free < _FREE:
        return Finding("state directory", "note", found, "free some, or 'pliant state gc --max-size 500M'")
    return Finding("state directory", "ok", found)


def _key() -> Finding:
    from pliant.extractors.seal import VARIABLE, NoKey, shared_or_own

    try:
        shared_or_own()
    except NoKey as error:
        return Finding("key of the state", "wrong", str(error), "without a key, nothing is kept between runs")
    return Finding("key of the state", "ok", VARIABLE if os.environ.get(VARIABLE) else "this machine's own")


def _java() -> Finding:
    from pliant.engine.spark_java import MINIMUM, JavaError, java_home

    try:
        return Finding("java", "ok", f"{visible_path(str(java_home()))} (only Spark needs it)")
    except JavaError as error:
        return Finding("java", "note", str(error), f"only Spark needs it: install Java {MINIMUM} or newer")
