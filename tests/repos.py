"""A git repository in a folder, made by git itself."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PLIANT_"))}


class Repo:
    """A git repository in a folder, with the few commands that tests need."""

    def __init__(self, folder: Path):
        self.folder = folder

    def git(self, *arguments: str, stdin: bytes | None = None) -> str:
        done = subprocess.run(
            ["git", "-C", str(self.folder), *arguments], input=stdin, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode(errors="replace")
        return done.stdout.decode("utf-8", "surrogateescape").strip()

    def write(self, files: Mapping[str, str | bytes | None]) -> None:
        """Files of the work tree; None removes one."""
        for name, content in files.items():
            path = self.folder / name
            if content is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)

    def commit(self, files: Mapping[str, str | bytes | None] | None = None, message: str = "change") -> str:
        self.write(files or {})
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")


MakeRepo = Callable[..., Repo]
