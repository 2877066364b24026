"""The analyses in order: their programs, and the relations that hold findings."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources

from pliant.engine import Program
from pliant.extractors import schema


@dataclass(frozen=True, slots=True)
class Analysis:
    """name: also of its file, `name.dl`. findings: relations (site, origin) whose rows are findings."""

    name: str
    findings: tuple[str, ...] = ()


ANALYSES: tuple[Analysis, ...] = (
    Analysis("points_to"),
    Analysis("null_flow", ("null_dereference",)),
    Analysis(
        "alias",
        (
            "mutable_default",
            "class_attribute_shared",
            "repeated_element",
            "exposed_internal",
            "shared_constant",
            "stored_argument",
        ),
    ),
)

FINDING_RELATIONS: tuple[str, ...] = tuple(relation for analysis in ANALYSES for relation in analysis.findings)


def sources() -> dict[str, str]:
    """The text of every program, by file name; the fact schema's declarations come first."""
    folder = resources.files(__package__)
    texts = {"schema.dl": schema.declarations()}
    for analysis in ANALYSES:
        texts[f"{analysis.name}.dl"] = folder.joinpath(f"{analysis.name}.dl").read_text(encoding="utf-8")
    return texts


@cache
def program() -> Program:
    """All analyses as one program."""
    return Program.parse(sources())
