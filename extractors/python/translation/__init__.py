"""Python to the intermediate representation: syntax alone.

    functions      the file and its functions, and which variable a name means
    expressions    values
    conditions     branches
    targets        what assignments, loops and patterns bind
    statements     control flow, exceptions, imports
    definitions    functions and classes

In goes a tree, out goes a `Unit`.
"""

from __future__ import annotations

from tree_sitter import Node

from pliant.extractors.ir import Unit
from pliant.extractors.python.translation import conditions, definitions, expressions, statements  # noqa: F401
from pliant.extractors.python.translation.functions import File


def translate(root: Node) -> Unit:
    """The unit of a module."""
    return File(root).translate()
