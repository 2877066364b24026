"""What is installed is what the repository has."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
TOP = ("analyses", "ci", "engine", "extractors")


def test_every_folder_with_modules_is_a_package_that_is_installed() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    folders = {path.parent.relative_to(ROOT) for top in TOP for path in (ROOT / top).rglob("*.py")}
    assert listed == sorted("pliant." + ".".join(folder.parts) for folder in folders)
