"""The program as users run it, for tests."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from repos import Repo

PROGRAM = [sys.executable, "-P", "-m", "pliant.ci.cli"]
_SECONDS = 120
MARK = "PLIANT_TEST_MARK"  # in the environment of all processes of a test that looks for them
_READ_AT_START = ("PYTHON", "LC_", "LANG", "PLIANT_KERNELS", "PLIANT_THREADS")  # by Python, or when a module is loaded


def run(
    *arguments: str | Path, cwd: Path | None = None, stdin: str | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Runs the program in a process of its own, on Linux in one that has loaded it already."""
    words = [*map(str, arguments)]
    wanted = {**os.environ, **environment}
    if sys.platform == "linux" and not any(name.startswith(_READ_AT_START) for name in environment):
        return _warm().run(words, cwd or Path.cwd(), stdin or "", wanted)
    return subprocess.run(
        [*PROGRAM, *words],
        cwd=cwd, env=wanted, input=stdin or "", capture_output=True, text=True, check=False, timeout=_SECONDS,
    )  # fmt: skip


class _Warm:
    """The process of `warm_program.py`. It ends when this one does."""

    def __init__(self) -> None:
        self._requests, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, "-P", Path(__file__).with_name("warm_program.py"), str(theirs.fileno())]
            # One thread: a fork takes no other along. It is no process of the test that is the first to need it.
            alone = {"OPENBLAS_NUM_THREADS": "1", "ARROW_DEFAULT_MEMORY_POOL": "system"}
            ours = {name: value for name, value in os.environ.items() if name != MARK}
            self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()], env={**ours, **alone})

    def run(
        self, arguments: list[str], folder: Path, stdin: str, environment: dict[str, str]
    ) -> subprocess.CompletedProcess[str]:
        request = {"arguments": arguments, "folder": str(folder), "environment": environment}
        with contextlib.ExitStack() as stack:
            asked, given, out, err = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(4))
            asked.write(json.dumps(request).encode())
            given.write(stdin.encode())
            for file in (asked, given):
                file.seek(0)
            read, write = os.pipe()
            said = stack.enter_context(os.fdopen(read, "rb"))
            socket.send_fds(self._requests, [b"!"], [asked.fileno(), given.fileno(), out.fileno(), err.fileno(), write])
            os.close(write)
            process = int(said.readline())
            if not select.select([said], [], [], _SECONDS)[0]:
                os.kill(process, signal.SIGKILL)
                raise subprocess.TimeoutExpired(arguments, _SECONDS)
            status = int(said.readline())
            texts = []
            for file in (out, err):
                file.seek(0)
                texts.append(file.read().decode(errors="strict").replace("\r\n", "\n"))
            return subprocess.CompletedProcess(arguments, status, *texts)


_warm = cache(_Warm)


def refused(*arguments: str | Path, cwd: Path | None = None, **environment: str) -> str:
    """The one line that says why."""
    done = run(*arguments, cwd=cwd, **environment)
    assert done.returncode == 2, done
    assert done.stdout == ""
    [line] = done.stderr.splitlines()
    assert line.startswith("pliant: ") and line.isprintable()
    return line


def checked(repo: Repo, *options: str | Path) -> dict[str, Any]:
    """The report of a check as JSON."""
    done = run("check", repo.folder, "--format", "json", *options)
    assert done.returncode in (0, 1), done.stderr
    assert done.stderr == ""
    report = json.loads(done.stdout)
    assert isinstance(report, dict)
    return report
