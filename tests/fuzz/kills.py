"""Runs that are killed at random times: the next one gives the result of a clean one, and no process is left."""

from __future__ import annotations

import json
import os
import random
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

from fuzz import clean_runs
from fuzz.campaign import Fuzzer
from fuzz.processes import Failed
from fuzz.reduction import Fails, ddmin

_SIGNALS: Final = ("SIGKILL",) * 5 + ("SIGTERM",) * 3 + ("SIGINT", "SIGHUP")
_MARK: Final = "PLIANT_FUZZ_MARK"  # an environment variable that tells the processes of a run from others
_SECONDS_TO_END: Final = 20.0  # that what a killed run has started gets


@dataclass(frozen=True)
class Kill:
    """at: when, as a share of the seconds that a clean run takes."""

    signal: str
    at: float


@dataclass(frozen=True)
class Case:
    """Runs of one command on the same state, each killed."""

    command: str
    kills: tuple[Kill, ...]


def fuzzer(language: str = "") -> Fuzzer[Case]:
    return Fuzzer("kills", _draw, check, [_fewer], _write, _read, _counts, seconds=60.0, hash_seeds=(1,))


def _draw(chance: random.Random) -> Case:
    kills = tuple(
        Kill(chance.choice(_SIGNALS), round(chance.random(), 3)) for _ in range(chance.choice([1, 1, 1, 2, 3]))
    )
    return Case(chance.choice(clean_runs.COMMANDS), kills)


def check(case: Case) -> int:
    """How many of the runs were still there to be killed."""
    expected = clean_runs.clean(case.command)
    with tempfile.TemporaryDirectory(prefix="fuzz-kills-") as name:
        folder = Path(name)
        killed = sum(_killed(case.command, folder, kill) for kill in case.kills)
        found = _whole(case.command, folder)
        if found != expected:
            raise Failed("the run after a kill gives the result of a clean one", case.command)
        left = [path.name for path in (folder / "state").rglob(".*.tmp")]
        if left:
            raise Failed("nothing of a killed run is left", case.command, str(left))
    return killed


def _start(command: str, folder: Path, mark: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "pliant.ci.cli", *clean_runs.arguments(command, folder)],
        env={**os.environ, _MARK: mark}, start_new_session=True, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


@cache
def _seconds(command: str) -> float:
    """That a clean run takes."""
    with tempfile.TemporaryDirectory(prefix="fuzz-kills-") as name:
        started = time.monotonic()
        _whole(command, Path(name))
        return time.monotonic() - started


def _killed(command: str, folder: Path, kill: Kill) -> bool:
    mark = secrets.token_hex(8)
    seconds = kill.at * _seconds(command)
    process = _start(command, folder, mark)
    try:
        process.communicate(timeout=seconds)
        return False
    except subprocess.TimeoutExpired:
        process.send_signal(signal.Signals[kill.signal])
    try:
        _, said = process.communicate(timeout=_SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise Failed("a signal ends the program", f"{kill.signal} of {command}") from None
    if "Traceback" in said or "internal error" in said or len(said.splitlines()) > 1:
        raise Failed("a signal ends the program in one line", f"{kill.signal} of {command}", said)
    end = time.monotonic() + _SECONDS_TO_END
    while left := _marked(mark):
        if time.monotonic() > end:
            raise Failed("no process outlives the program", f"{kill.signal} of {command}", "\n".join(left))
        time.sleep(0.05)
    return True


def _marked(mark: str) -> list[str]:
    """The command lines of the processes of a run."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if f"{_MARK}={mark}".encode() in (folder / "environ").read_bytes():
                found.append((folder / "cmdline").read_text().replace("\0", " "))
        except OSError:
            continue
    return found


def _whole(command: str, folder: Path) -> object:
    process = _start(command, folder, "")
    out, said = process.communicate()
    if process.returncode not in (0, 1) or (command == "check" and said):
        raise Failed("the run after a kill ends well", f"status {process.returncode} of {command}", said)
    return clean_runs.report_of(out) if command == "check" else clean_runs.tables(folder)


def _counts(case: Case, answer: object) -> Mapping[str, int]:
    assert isinstance(answer, int)
    return {f"kills over {case.command}": answer, "runs that had ended": len(case.kills) - answer, "cases": 1}


def _fewer(case: Case, fails: Fails[Case]) -> Case:
    return replace(case, kills=tuple(ddmin(case.kills, lambda some: fails(replace(case, kills=tuple(some))))))


def _write(case: Case) -> tuple[bytes, str]:
    return json.dumps(asdict(case), indent=1).encode(), ".json"


def _read(content: bytes, suffix: str) -> Case:
    read = json.loads(content)
    return Case(read["command"], tuple(Kill(**each) for each in read["kills"]))
