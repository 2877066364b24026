"""C to the intermediate representation: syntax alone.

    kinds          types as the file declares them, and as types of the representation
    names          what a name may mean; scope: what it means in a function, macros that are being expanded
    body           a function under translation
    file           the file: what it declares, and its functions one after the other; variables: what it holds at first
    functions      their parameters, what declarations promise
    literals, places, operators, conditions, calls, initializers    values
    statements, loops, switches, declarations                       control flow, and what blocks declare

In goes a tree, out goes a `Unit`. A structure or an array is known by its address: a variable of such a type holds the
address of its object, and `&x`, `*p` and a member that is one compute no other value.
"""

from __future__ import annotations

from pliant.extractors.c.repair import Parsed
from pliant.extractors.c.translation import (  # noqa: F401
    calls,
    conditions,
    declarations,
    initializers,
    literals,
    loops,
    operators,
    places,
    statements,
    switches,
)
from pliant.extractors.c.translation.file import File
from pliant.extractors.ir import Unit
from pliant.extractors.lowering.parsing import Parser


def translate(parsed: Parsed, parser: Parser) -> Unit:
    """The unit of a file. parser: reads the bodies of its macros."""
    return File(parsed, parser).translate()
