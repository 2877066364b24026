"""A repository with a past, the commands that are run on it, and what they give when nothing happens to them."""

from __future__ import annotations

import atexit
import json
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import pyarrow.parquet as pq
from histories import with_a_past

from fuzz import originals
from fuzz.repositories import clean_environment, told, without_times
from pliant.analyses import registry
from pliant.ci.check import check
from pliant.ci.comparison import Request
from pliant.ci.history.plan import Range
from pliant.ci.history.run import Request as HistoryRequest
from pliant.ci.history.run import history
from pliant.extractors.python import context

COMMANDS: Final = ("check", "history")
_TABLES: Final = ("commits", "changes", "findings")
_MORE_FILES: Final = 40  # so many that they are extracted by worker processes


@cache
def repository() -> Path:
    """Made once in a process."""
    clean_environment()
    folder = Path(tempfile.mkdtemp(prefix="fuzz-past-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    of_git = {"NAME": "T", "EMAIL": "t@example.org", "DATE": "2024-01-01T00:00:00Z"}
    identity = {f"GIT_{who}_{key}": value for who in ("AUTHOR", "COMMITTER") for key, value in of_git.items()}
    with patch.dict("os.environ", identity):
        repo = with_a_past(folder / "repo")
        sources = [source for source in originals.files("c") if len(source) < 3000][:_MORE_FILES]
        repo.commit({f"more/{number}.c": source for number, source in enumerate(sources)}, "more files")
        repo.commit({"app/last.py": "def last(users=None):\n    return users.name\n"}, "the last one")
    return folder / "repo"


def arguments(command: str, folder: Path) -> list[str]:
    """Of the program: states and output are kept in `folder`."""
    state = ["--state-dir", str(folder / "state")]
    if command == "check":
        return ["check", str(repository()), "--base", "start", "--head", "main", "--format", "json", "--all", *state]
    return ["history", "main", str(repository()), "--out", str(folder / "out"), "--jobs", "2", *state]


def here(command: str, folder: Path, said: list[str]) -> Any:
    """Run a command by the library, and its result; `said` gets its messages."""
    if command == "check":
        report = check(Request(repository(), "start", "main", folder / "state", unchanged=True), said.append)
        report.keep()
        return json.loads(json.dumps(told(report)))
    history(HistoryRequest(repository(), folder / "out", Range("main"), folder / "state", versions=5), said.append)
    return tables(folder)


def tables(folder: Path) -> Any:
    """The result of a history: what its tables hold, without how it came by it."""
    found = {name: pq.read_table(folder / "out" / f"{name}.parquet") for name in _TABLES}
    found["commits"] = found["commits"].drop_columns(["window_number", "strategy"])
    return {name: table.to_pylist() for name, table in found.items()}


def report_of(output: str) -> Any:
    """The result of a check by the program."""
    return without_times(json.loads(output))


@cache
def clean(command: str) -> Any:
    """What a command gives on no state."""
    with tempfile.TemporaryDirectory(prefix="fuzz-clean-") as name:
        said: list[str] = []
        result = here(command, Path(name), said)
        assert not said, said
        return result


@cache
def warm(command: str) -> Path:
    """A folder with what a command has kept, to be copied."""
    folder = Path(tempfile.mkdtemp(prefix="fuzz-warm-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    here(command, folder, [])
    return folder


def forget_in_memory() -> None:
    """What another process does not know either."""
    registry.program.cache_clear()
    context._library.cache_clear()
