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

from functools import cache

from tree_sitter import Node

from pliant.extractors.ir import Unit
from pliant.extractors.lowering.translated import without_failures
from pliant.extractors.python.scopes import ScopeBuilder
from pliant.extractors.python.translation import conditions, definitions, expressions, statements  # noqa: F401
from pliant.extractors.python.translation.functions import File


def translate(root: Node, size: int) -> Unit:
    """The unit of a module of `size` bytes, without what fails."""
    scopes = cache(ScopeBuilder)
    return without_failures(lambda left_out: File(root, scopes(root), left_out), size)
