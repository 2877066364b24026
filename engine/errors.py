"""The errors of the engine: one small hierarchy, shown to users without a traceback."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


class EngineError(Exception):
    """What the engine could not do, and why."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One mistake in a program: where it is, what it is, and the line that holds it (`line`, `column` from 1)."""

    message: str
    source: str
    line: int
    column: int
    text: str

    def __str__(self) -> str:
        head = f"{self.source}:{self.line}:{self.column}: {self.message}"
        if not self.text.strip():
            return head
        shown = self.text.replace("\t", " ")
        return f"{head}\n    {shown}\n    {' ' * (self.column - 1)}^"


class DatalogError(EngineError):
    """The program is outside the language; every mistake that was found is in `diagnostics`."""

    def __init__(self, diagnostics: Sequence[Diagnostic]):
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(str(diagnostic) for diagnostic in self.diagnostics))


class FactError(EngineError):
    """The facts do not fit the program: an unknown relation, a wrong arity, a value that is out of range."""


class StateError(EngineError):
    """A saved state is missing, damaged, foreign or of another program; it can only be rebuilt."""


class TooMuch(EngineError):
    """What was asked for takes more work than was allowed."""


class TooLarge(EngineError):
    """An evaluation would take more rows than its program's bound allows. Of the relation that has most rows, `about`
    counts what stands in the first column of symbols, over a sample of its rows."""

    def __init__(self, most: int, facts: int, relation: str, size: int, about: Mapping[str, int]):
        self.most, self.facts, self.relation, self.size, self.about = most, facts, relation, size, about
        super().__init__(
            f"an evaluation of {facts:,} facts may join {most:,} rows, and needs more; {relation} has most, {size:,}"
        )
