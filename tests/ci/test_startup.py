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


@pytest.mark.parametrize("options", [[], ["--format", "json"], ["--format", "sarif"]])
def test_a_check_imports_neither_pandas_nor_spark_nor_gitpython(repo: Repo, options: list[str]) -> None:
    repo.commit({"a.py": "x = None\n"})
    repo.commit({"a.py": "x = None\nx.y\n"})
    arguments = ["check", str(repo.folder), "--base", "HEAD~1", *options]
    done = subprocess.run([sys.executable, "-c", PROGRAM, *arguments], capture_output=True, text=True, check=True)
    imported = set(done.stdout.splitlines()[-1].split())
    assert "pyarrow" in imported
    assert not imported & {"pandas", "pyspark", "git", "hypothesis"}
