"""The program in a process that has loaded it already, which forks for each command: `command_line.run` talks to it.

To start Python and to import the program takes longer than to check a small repository. What this process has loaded is
there for each command. What one command leaves in memory is not there for the next.

    warm_program.py SOCKET

SOCKET is the number of an open socket. Each message has five files: the request (JSON: `arguments`, `folder`,
`environment`), standard input, output and error, and where the number of the process is written to, and then its exit
status.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NoReturn

import typer

from pliant.ci import cli
from pliant.ci.check import check
from pliant.ci.commands.app import app
from pliant.ci.comparison import Request

_GIT = ("git", "-c", "user.name=t", "-c", "user.email=t@localhost", "-c", "commit.gpgsign=false")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        _warm(Path(folder))
    gc.freeze()  # else a collection copies every page
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(fileno=int(sys.argv[1])) as requests:
        while True:
            message, files, _, _ = socket.recv_fds(requests, 1, 5)
            if not message:
                return
            if os.fork() == 0:
                requests.close()
                _serve(*files)
            for each in files:
                os.close(each)


def _warm(folder: Path) -> None:
    """Has everything loaded that a check needs, by one whose result nobody reads."""
    for text in ("def f():\n    return None\n", "def f():\n    return None\n\n\nf().g\n"):
        (folder / "a.py").write_text(text)
        for command in (("init", "--quiet"), ("add", "."), ("commit", "--quiet", "--message", "a")):
            subprocess.run([*_GIT, "-C", str(folder), *command], check=True)
    commands = typer.main.get_group(app).commands
    assert all(commands.values())  # each is loaded
    check(Request(folder, "HEAD~", state=folder / "state"), lambda message: None)


def _serve(request: int, *files: int) -> NoReturn:
    """Runs a command in a process of its own, and says how that ended."""
    *streams, status = files
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    program = os.fork()
    if program == 0:
        os.close(status)
        _run(request, streams)
    with contextlib.suppress(BrokenPipeError):
        os.write(status, b"%d\n" % program)
        _, ended = os.waitpid(program, 0)
        os.write(status, b"%d\n" % os.waitstatus_to_exitcode(ended))
    os._exit(0)


def _run(request: int, streams: list[int]) -> NoReturn:
    with open(request, encoding="utf-8", errors="surrogateescape") as file:
        asked = json.load(file)
    for number, each in enumerate(streams):
        os.dup2(each, number)
        os.close(each)
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    sys.argv = ["pliant", *asked["arguments"]]
    cli.main()


if __name__ == "__main__":
    main()
