"""What is found in the files of a suite."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
sys.path.insert(0, str(Path(__file__).parent.parent.parent / "tests"))

from functions import Function, functions, parser
from in_memory import evaluate, findings

from pliant.analyses.findings import Finding
from pliant.engine import Evaluation

__all__ = ["Function", "evaluate", "found", "functions", "nulls", "on_the_way", "pairs", "parser", "read"]


def read(folder: Path, suffixes: tuple[str, ...]) -> dict[str, bytes]:
    """The sources below a folder by their paths in it."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.suffix in suffixes and path.is_file()
    }


def found(files: Mapping[str, bytes]) -> list[Finding]:
    """What is found in a program, whatever its confidence."""
    return findings(files)


def nulls(files: Mapping[str, bytes]) -> list[Finding]:
    """The null dereferences of a program."""
    return [finding for finding in found(files) if finding.rule.startswith("null.")]


def on_the_way(finding: Finding, function: Function) -> bool:
    """The finding fails in the function or its path leads through it: a caller that passes the null is at fault."""
    return function.holds(finding.file, finding.line) or any(
        function.holds(step.file, step.line) for step in finding.path
    )


def pairs(evaluation: Evaluation, relation: str, second: int = 1) -> list[tuple[str, str]]:
    """The first and another column of a relation, as texts."""
    texts = evaluation.strings(evaluation.rows(relation)[:, [0, second]].reshape(-1))
    return list(zip(texts[::2], texts[1::2], strict=True))
