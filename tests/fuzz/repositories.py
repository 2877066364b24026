"""Random histories: a warm check says what a cold one says, Update equals Bootstrap, and a history says it, too."""

from __future__ import annotations

import atexit
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from fuzz import random_histories
from fuzz.campaign import Fuzzer
from fuzz.processes import Failed
from fuzz.random_histories import History
from fuzz.reduction import Fails, ddmin
from pliant.ci.check import check as run_check
from pliant.ci.check import verify
from pliant.ci.comparison import Request
from pliant.ci.history.plan import Range
from pliant.ci.history.run import Request as HistoryRequest
from pliant.ci.history.run import history
from pliant.ci.history.verify import compare
from pliant.ci.report import Report
from pliant.ci.reports.json import as_dict

PAIRS: Final = 6  # of commits, in a history
_HISTORIES, _COMMANDS = 5, 10  # one repository in so many is asked for its history, and checked by the program
_PASSING: Final = ("seconds", "start", "strata", "extracted_files")  # what may differ: the way to the result


@dataclass(frozen=True)
class Repository:
    """pairs: base and head, by the numbers of their commits. history, command: whether these are tried as well."""

    commits: History
    pairs: tuple[tuple[int, int], ...]
    history: bool = False
    command: bool = False


def fuzzer(language: str = "") -> Fuzzer[Repository]:
    return Fuzzer("repositories", _draw, check, _PASSES, _write, _read, _counts, seconds=120.0, hash_seeds=(1,))


def _draw(chance: random.Random) -> Repository:
    commits = random_histories.drawn(chance, chance.randint(4, 12))
    numbers = range(len(commits))
    pairs = tuple((chance.choice(numbers), chance.choice(numbers)) for _ in range(PAIRS))
    return Repository(commits, pairs, chance.randrange(_HISTORIES) == 0, chance.randrange(_COMMANDS) == 0)


def check(case: Repository) -> str:
    clean_environment()
    with tempfile.TemporaryDirectory(prefix="fuzz-repository-") as name:
        folder = Path(name)
        commits = random_histories.made(case.commits, folder / "repo")
        for number, (base, head) in enumerate(case.pairs):
            _warm_equals_cold(folder, commits[base], commits[head], number)
        if case.command and case.pairs:
            _commands_say_the_same(folder, commits[case.pairs[0][0]], commits[case.pairs[0][1]])
        if case.history:
            _history_says_the_same(folder, folder / "repo")
    return "checked"


def _warm_equals_cold(folder: Path, base: str, head: str, number: int) -> None:
    warm = Request(folder / "repo", base, head, folder / "state", unchanged=True)
    first = told(_run(warm))
    cold = told(_run(replace(warm, state=folder / f"cold{number}")))
    if first != cold:
        raise Failed("a warm check says what a cold one does", _differing(first, cold), _both(first, cold))
    verdict = verify(warm, _say)
    if not verdict.equal:
        raise Failed("Update equals Bootstrap", "verify: not equal", f"{verdict}")
    shutil.rmtree(folder / f"cold{number}")


def _run(request: Request) -> Report:
    report = run_check(request, _say)
    report.keep()
    return report


def _say(message: str) -> None:
    raise Failed("nothing is said of a sound state", message[:60], message)


def told(report: Report) -> dict[str, Any]:
    """What a report says, without how it came to say it."""
    return without_times(as_dict(report))


def without_times(report: dict[str, Any]) -> dict[str, Any]:
    summary = {key: value for key, value in report["summary"].items() if key not in _PASSING}
    return {**report, "summary": summary}


def _differing(one: dict[str, Any], other: dict[str, Any]) -> str:
    """Which parts of two reports are not the same."""
    parts = [key for key in one if key != "summary" and one[key] != other[key]]
    parts += [f"summary.{key}" for key in one["summary"] if one["summary"][key] != other["summary"].get(key)]
    return ", ".join(parts)


def _both(one: object, other: object) -> str:
    return f"{json.dumps(one, indent=1)}\n\n{json.dumps(other, indent=1)}"[:20_000]


def _commands_say_the_same(folder: Path, base: str, head: str) -> None:
    """The program, on the warm states, says what the library does on none."""
    expected = told(_run(Request(folder / "repo", base, head, folder / "alone", unchanged=True)))
    done = subprocess.run(
        [sys.executable, "-P", "-m", "pliant.ci.cli", "check", str(folder / "repo"), "--base", base, "--head", head,
         "--state-dir", str(folder / "state"), "--format", "json", "--all"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode not in (0, 1) or done.stderr:
        raise Failed("the program ends well", f"status {done.returncode}", done.stderr)
    found = without_times(json.loads(done.stdout))
    expected = json.loads(json.dumps(expected))
    if found != expected:
        raise Failed("the program says what the library does", _differing(found, expected), _both(found, expected))


def _history_says_the_same(folder: Path, repo: Path) -> None:
    history(HistoryRequest(repo, folder / "out", Range("main"), folder / "history-state"), _say)
    verdict = compare(repo, folder / "out", None, None, _say)
    if verdict.different:
        [first, *_] = verdict.different
        raise Failed("a history says what checks do", "other findings", _both(first.found, first.expected))


@cache
def clean_environment() -> None:
    """Once in a process: caches of its own, which end with it."""
    folder = Path(tempfile.mkdtemp(prefix="fuzz-home-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name in list(os.environ):
        if name.startswith(("GIT_", "PLIANT_", "GITHUB_", "CI")):
            del os.environ[name]
    os.environ.update(random_histories.environment(folder))


def _counts(case: Repository, answer: object) -> Mapping[str, int]:
    counts = {"repositories": 1, "pairs warm against cold": len(case.pairs), "commits": len(case.commits)}
    return {**counts, "histories": int(case.history), "runs of the program": int(case.command)}


# Smaller ones


def _fewer_pairs(case: Repository, fails: Fails[Repository]) -> Repository:
    for smaller in (replace(case, history=False), replace(case, command=False)):
        case = smaller if fails(smaller) else case
    pairs = ddmin(case.pairs, lambda some: fails(replace(case, pairs=tuple(some))))
    return replace(case, pairs=tuple(pairs))


def _fewer_commits(case: Repository, fails: Fails[Repository]) -> Repository:
    """Commits go from the end, and single ones whose children take their parents."""
    number = len(case.commits) - 1
    while number >= 0:
        smaller = _without(case, number)
        if smaller is not None and fails(smaller):
            case = smaller
        number -= 1
    return case


def _without(case: Repository, gone: int) -> Repository | None:
    if len(case.commits) < 2 or any(gone in pair for pair in case.pairs):
        return None

    def moved(number: int) -> tuple[int, ...]:
        if number == gone:
            return tuple(each for parent in case.commits[gone].parents for each in moved(parent))
        return (number - (number > gone),)

    commits = []
    for number, commit in enumerate(case.commits):
        if number != gone:
            parents = dict.fromkeys(each for parent in commit.parents for each in moved(parent))
            commits.append(replace(commit, parents=tuple(parents)))
    pairs = tuple((moved(base)[0], moved(head)[0]) for base, head in case.pairs)
    return replace(case, commits=tuple(commits), pairs=pairs)


def _fewer_files(case: Repository, fails: Fails[Repository]) -> Repository:
    commits = random_histories.fewer_files(case.commits, lambda some: fails(replace(case, commits=some)))
    return replace(case, commits=commits)


def _shorter_files(case: Repository, fails: Fails[Repository]) -> Repository:
    commits = random_histories.shorter_files(case.commits, lambda some: fails(replace(case, commits=some)))
    return replace(case, commits=commits)


_PASSES: Final = [_fewer_pairs, _fewer_commits, _fewer_files, _shorter_files]


def _write(case: Repository) -> tuple[bytes, str]:
    whole = {"commits": random_histories.as_json(case.commits), "pairs": case.pairs, "history": case.history}
    return json.dumps({**whole, "command": case.command}, indent=1).encode(), ".json"


def _read(content: bytes, suffix: str) -> Repository:
    read = json.loads(content)
    pairs = tuple((base, head) for base, head in read["pairs"])
    return Repository(random_histories.of_json(read["commits"]), pairs, read["history"], read["command"])
