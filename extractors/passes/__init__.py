"""Units of the intermediate representation to facts, for all languages alike.

    declarations    what a file declares: modules, classes, functions
    index           the instructions of a function by number and by operation, for all passes
    outline         what the functions of a file say of each other, for who reads one of them without the others
    survey          what is known of a file before its functions are constructed
    construct       the functions, one after the other, and what fails; construction: static single assignment with
                    guard nodes, block by block
    guards          what predicates show; questions: what is remembered of their answers; handlers: what is caught
    numbers         what constants, arithmetic and comparisons say of numbers; decisions: branches that this decides
    scalars         branches on fields and functions that give one number for good (fixed_numbers)
    steps           what instructions do, on top of exits (ways out), calls, objects, uses (of null), variables
    resources       which calls get what a call has opened, and on which ways out it is lost
    emission        the table that says which instruction gives which facts

`facts_of` runs them; a language calls it with its unit and its `Semantics`.
"""

from __future__ import annotations

from pliant.extractors.ir import stored
from pliant.extractors.ir.semantics import Semantics
from pliant.extractors.ir.unit import Unit
from pliant.extractors.passes import construct, declarations
from pliant.extractors.passes.index import Index
from pliant.extractors.passes.outline import outline_of
from pliant.extractors.writer import FactWriter


def facts_of(
    unit: Unit, semantics: Semantics, writer: FactWriter, size: int = 0, fails: construct.Fails | None = None
) -> None:
    """Write the facts of a file, and its instructions beside them. size: its bytes; it is lowered as far as they have
    steps (`budget`). fails: told where what is outside of functions fails, and how: there are no facts of the file
    then."""
    indices = [Index(function) for function in unit.functions]
    if not unit.left_out:
        writer.facts.instructions = stored.packed(unit, outline_of(unit, indices))
    declarations.write(unit, indices, semantics, writer)
    construct.write(unit, indices, semantics, writer, size, fails)


__all__ = ["facts_of"]
