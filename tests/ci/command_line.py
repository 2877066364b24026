"""The program as users run it, for tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from repos import Repo

PROGRAM = [sys.executable, "-P", "-m", "pliant.ci.cli"]


def run(
    *arguments: str | Path, cwd: Path | None = None, stdin: str | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, **environment},
        input=stdin or "",
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


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
