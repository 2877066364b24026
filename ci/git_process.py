"""How git is run: with everything switched off by which a repository's configuration could start a program."""

from __future__ import annotations

import contextlib
import os
import resource
import select
import selectors
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from pliant.ci.errors import UserError, visible_path

SILENCE_SECONDS = 300  # without a byte from a git command: it hangs; nothing else depends on it
MOST_BYTES = 1 << 28  # of one command's output: the names of some millions of files
MOST_MEMORY = 1 << 32  # of one command, where the system bounds it
_CHUNK = 1 << 18
_NO_PROGRAMS = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "diff.external=",
    "protocol.allow=never",
    "gc.auto=0",
    "core.alternateRefsCommand=true",
)
# What repeats what objects and packs say is not read: where it is damaged or made up, it would say something else.
_NO_SHORTCUTS = ("core.commitGraph=false", "core.multiPackIndex=false")
_SETTINGS = [part for setting in (*_NO_PROGRAMS, *_NO_SHORTCUTS) for part in ("-c", setting)]
OPTIONS = ["git", "--no-pager", "--literal-pathspecs", *_SETTINGS]

# A hook or an alias sets these for its own repository; ours is the one that was asked for. The object directories stay:
# a receive hook's new commits are only there.
_FOREIGN = {
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_PREFIX",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_GRAFT_FILE",
    "GIT_SHALLOW_FILE",
    "GIT_EXTERNAL_DIFF",
    "GIT_DIFF_OPTS",
    "GIT_CEILING_DIRECTORIES",
    "GIT_LITERAL_PATHSPECS",
    "GIT_GLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
}


def environment(*, fetching: bool = False) -> dict[str, str]:
    """The environment of every git command; `fetching`: of one that may use a network."""
    kept = {name: value for name, value in os.environ.items() if name not in _FOREIGN and "TRACE" not in name}
    ours = {
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_GRAFT_FILE": "/dev/null/none",  # commits have the parents that they say, or none where a clone is shallow
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ATTR_NOSYSTEM": "1",
        "LC_ALL": "C",
    }
    return kept | ours | ({} if fetching else {"GIT_ALLOW_PROTOCOL": ""})


def start(arguments: Sequence[str], folder: Path) -> subprocess.Popen[bytes]:
    """A git command that is talked to; what it says on standard error is not heard."""
    return _popen(arguments, folder, subprocess.DEVNULL)


def run(
    arguments: Sequence[str], folder: Path, stdin: bytes = b"", most: int = MOST_BYTES, *, fetching: bool = False
) -> subprocess.CompletedProcess[bytes]:
    """A git command from beginning to end. Raises UserError for one that says nothing at all for too long, or more than
    `most` bytes."""
    with _popen(arguments, folder, subprocess.PIPE, fetching=fetching) as process:
        try:
            out, err = _talk(process, stdin, most)
            status = process.wait(SILENCE_SECONDS)
        except (TimeoutError, subprocess.TimeoutExpired):
            end(process)
            raise silent(arguments, folder) from None
        except _TooMuch:
            end(process)
            raise _too_large(arguments, folder, f"says more than {most >> 20} MiB") from None
        except BaseException:
            end(process)
            raise
    if status and b"out of memory" in err.lower():
        raise _too_large(arguments, folder, f"needs more than {MOST_MEMORY >> 20} MiB of memory")
    return subprocess.CompletedProcess(process.args, status, out, err)


def _popen(arguments: Sequence[str], folder: Path, stderr: int, *, fetching: bool = False) -> subprocess.Popen[bytes]:
    pipe, variables = subprocess.PIPE, environment(fetching=fetching)
    try:
        process = subprocess.Popen(
            [*OPTIONS, *arguments], cwd=folder, stdin=pipe, stdout=pipe, stderr=stderr, env=variables
        )
        if sys.platform == "linux":
            with contextlib.suppress(OSError):  # it has ended already, or has a lower bound
                resource.prlimit(process.pid, resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
        return process
    except FileNotFoundError:
        if folder.is_dir():
            raise UserError("git was not found on the PATH: install git 2.30 or newer") from None
        raise UserError(f"there is no folder {visible_path(str(folder))}") from None
    except NotADirectoryError:
        raise UserError(f"{visible_path(str(folder))} is not a folder: give the folder of a git repository") from None
    except OSError as error:  # no right to it, or too long a name
        raise UserError(f"{visible_path(str(folder))} cannot be entered: {error.strerror}") from None


class _TooMuch(Exception):
    pass


def _talk(process: subprocess.Popen[bytes], stdin: bytes, most: int) -> tuple[bytes, bytes]:
    """Gives git its input and takes its outputs, whichever it is ready for. Raises TimeoutError and _TooMuch."""
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    outputs = {process.stdout.fileno(): bytearray(), process.stderr.fileno(): bytearray()}
    left = memoryview(stdin)
    os.set_blocking(process.stdin.fileno(), False)
    with selectors.DefaultSelector() as waiting:
        waiting.register(process.stdin, selectors.EVENT_WRITE)
        for number in outputs:
            waiting.register(number, selectors.EVENT_READ)
        while waiting.get_map():
            ready = waiting.select(SILENCE_SECONDS)
            if not ready:
                raise TimeoutError
            for key, _ in ready:
                if key.fileobj is process.stdin:
                    try:
                        left = left[os.write(key.fd, left) if left else 0 :]
                    except BrokenPipeError:
                        left = left[:0]
                    if not left:
                        waiting.unregister(process.stdin)
                        process.stdin.close()
                elif chunk := os.read(key.fd, _CHUNK):
                    outputs[key.fd] += chunk
                    if len(outputs[key.fd]) > most:
                        raise _TooMuch
                else:
                    waiting.unregister(key.fd)
    out, err = outputs.values()
    return bytes(out), bytes(err)


def answers(pipe: IO[bytes]) -> bool:
    """Whether there is something to read, or the end, before the deadline."""
    waiting = select.poll()
    waiting.register(pipe, select.POLLIN)
    return bool(waiting.poll(SILENCE_SECONDS * 1000))


def end(process: subprocess.Popen[bytes]) -> None:
    """Ends a git command that is not needed any more; nothing that it does here writes anything."""
    process.kill()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    process.wait()


def silent(arguments: Sequence[str], folder: Path) -> UserError:
    return UserError(
        f"{_named(arguments)} has said nothing for {SILENCE_SECONDS // 60} minutes in {visible_path(str(folder))} and "
        "was ended: it may wait for a pipe or a drive that does not answer; try 'git fsck'"
    )


def _too_large(arguments: Sequence[str], folder: Path, why: str) -> UserError:
    return UserError(
        f"{_named(arguments)} in {visible_path(str(folder))} {why}, as for a tree that holds itself many times over: "
        "compare revisions that do not have it"
    )


def _named(arguments: Sequence[str]) -> str:
    return f"git {next((each for each in arguments if not each.startswith('-')), '')}"


def decode(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")


def encode(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")


def complaint(stderr: bytes) -> str:
    """The line of git's standard error that says most, for a reader."""
    lines = [line for line in decode(stderr).splitlines() if line.strip()]
    fatal = [line for line in lines if line.startswith("fatal: ")]
    text = (fatal or lines or ["no reason given"])[-1].removeprefix("fatal: ").removeprefix("error: ")
    return visible_path(text)
