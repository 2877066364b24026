"""The benchmarks' commands, and facts for them."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


def run(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCHMARKS / script), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def write(folder: Path, **relations: str) -> None:
    folder.mkdir()
    for name, text in relations.items():
        (folder / f"{name}.facts.gz").write_bytes(gzip.compress(text.encode()))
