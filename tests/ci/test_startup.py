"""What a check does not import: start-up is most of a warm check."""

from __future__ import annotations

import subprocess
import sys

import pytest
from repos import Repo

PROGRAM = """
import sys
from pliant.ci.commands.app import app
try:
    app(sys.argv[1:])
except SystemExit:
    pass
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""
OF_COMMANDS = (
    PROGRAM.rpartition("print(")[0]
    + """
print(*(name.rpartition(".")[2] for name in sys.modules if name.startswith("pliant.ci.commands.")))
"""
)


@pytest.mark.parametrize("options", [[], ["--format", "json"], ["--format", "sarif"]])
def test_a_check_imports_neither_pandas_nor_spark_nor_gitpython(repo: Repo, options: list[str]) -> None:
    repo.commit({"a.py": "x = None\n"})
    repo.commit({"a.py": "x = None\nx.y\n"})
    arguments = ["check", str(repo.folder), "--base", "HEAD~1", *options]
    done = subprocess.run([sys.executable, "-c", PROGRAM, *arguments], capture_output=True, text=True, check=True)
    imported = set(done.stdout.splitlines()[-1].split())
    assert "pyarrow" in imported
    assert not imported & {"pandas", "pyspark", "git", "hypothesis"}


def test_a_check_imports_a_solver_for_candidates_alone(repo: Repo) -> None:
    """Also where files have changed of which the base has findings that this does not concern."""
    finding = "def find(x):\n    if x:\n        return None\n    return x\n\n\ndef use():\n    return find(1).name\n"
    repo.commit({"a.py": "import os\n", "b.py": finding})
    repo.commit({"a.py": "import os\n\n\ndef f(x):\n    return x if os.sep else 1\n"})
    repo.commit({"a.py": "import os\n\n\ndef f(x):\n    return x if os.sep else 2\n", "c.py": finding})

    def imported(base: str, head: str) -> set[str]:
        arguments = ["check", str(repo.folder), "--base", base, "--head", head]
        done = subprocess.run([sys.executable, "-c", PROGRAM, *arguments], capture_output=True, text=True, check=True)
        return set(done.stdout.splitlines()[-1].split())

    for _ in ("cold", "warm"):
        assert "z3" not in imported("HEAD~2", "HEAD~1")
    assert "z3" in imported("HEAD~1", "HEAD")


@pytest.mark.parametrize(("arguments", "loaded"), [(["--version"], set()), (["state", "ls", "--help"], {"state"})])
def test_a_command_loads_no_other(arguments: list[str], loaded: set[str]) -> None:
    done = subprocess.run([sys.executable, "-c", OF_COMMANDS, *arguments], capture_output=True, text=True, check=True)
    assert set(done.stdout.splitlines()[-1].split()) == {"app", "options", *loaded}
