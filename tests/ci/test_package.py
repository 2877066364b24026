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

TOP = Path(__file__).parents[2]


def test_every_folder_of_code_is_a_package() -> None:
    listed = tomllib.loads((TOP / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    folders = {
        "pliant." + ".".join(path.parent.relative_to(TOP).parts)
        for folder in ("extractors", "analyses", "engine", "ci")
        for path in (TOP / folder).rglob("__init__.py")
    }
    assert set(listed) == folders


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
