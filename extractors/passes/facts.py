"""The passes, in their order, over the unit of a file."""

from __future__ import annotations

from pliant.extractors.ir import stored
from pliant.extractors.ir.semantics import Semantics
from pliant.extractors.ir.unit import Unit
from pliant.extractors.passes import construct, declarations
from pliant.extractors.passes.index import Index
from pliant.extractors.passes.outline import outline_of
from pliant.extractors.writer import FactWriter


def facts_of(
    unit: Unit, semantics: Semantics, writer: FactWriter, steps: int, fails: construct.Fails | None = None
) -> None:
    """Write the facts of a file, and its instructions beside them. steps: that the passes may take (`budget`). fails:
    told where what is outside of functions fails, and how: there are no facts of the file then."""
    indices = [Index(function) for function in unit.functions]
    if not unit.left_out:
        writer.facts.instructions = stored.packed(unit, outline_of(unit, indices))
    declarations.write(unit, indices, semantics, writer)
    construct.write(unit, indices, semantics, writer, steps, fails)


__all__ = ["facts_of"]
