"""How git is run: with everything switched off by which a repository's configuration could start a program."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from pliant.ci.errors import UserError, visible_path

_NO_PROGRAMS = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "diff.external=",
    "protocol.allow=never",
    "gc.auto=0",
)
OPTIONS = ["git", "--no-pager", "--literal-pathspecs", *(part for setting in _NO_PROGRAMS for part in ("-c", setting))]

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


def environment() -> dict[str, str]:
    """The environment of every git command."""
    kept = {name: value for name, value in os.environ.items() if name not in _FOREIGN and "TRACE" not in name}
    return kept | {
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ATTR_NOSYSTEM": "1",
        "LC_ALL": "C",
    }


def run(arguments: Sequence[str], folder: Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(
            [*OPTIONS, *arguments], cwd=folder, input=stdin, capture_output=True, check=False, env=environment()
        )
    except FileNotFoundError:
        if folder.is_dir():
            raise UserError("git was not found on the PATH: install git 2.30 or newer") from None
        raise UserError(f"there is no folder {visible_path(str(folder))}") from None
    except NotADirectoryError:
        raise UserError(f"{visible_path(str(folder))} is not a folder: give the folder of a git repository") from None
    except PermissionError as error:
        raise UserError(f"{visible_path(str(folder))} cannot be entered: {error.strerror}") from None


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
