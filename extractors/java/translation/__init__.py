"""Java to the intermediate representation: syntax alone.

    frames         what names may mean: variables, classes and their members
    written        types, modifiers and annotations as they are written
    classes        what the classes of a file declare, read before any code
    file           the file: imports, and its functions one after the other
    body           a function under translation
    members        classes, their fields, methods and constructors; formals: parameters
    trees          parts of expressions
    types_of       types of expressions, as far as the file tells, and what is unboxed
    conditions     branches; patterns: what they bind
    literals, names, operators, places, arrays, calls, creation    values
    statements, switches, exceptions                               control flow

In goes a tree, out goes a `Unit`.
"""

from __future__ import annotations

from functools import partial

from tree_sitter import Node

from pliant.extractors.ir import Unit
from pliant.extractors.java.translation import (  # noqa: F401
    arrays,
    calls,
    creation,
    exceptions,
    literals,
    names,
    operators,
    places,
    statements,
    switches,
)
from pliant.extractors.java.translation.file import File
from pliant.extractors.lowering.translated import without_failures


def translate(root: Node, size: int) -> Unit:
    """The unit of a file of `size` bytes, without what fails."""
    return without_failures(partial(File, root), size)
