"""What names mean: variables and functions, and the arguments of macros that are being expanded."""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Node

from pliant.extractors.c.declarations import CType
from pliant.extractors.c.macros import Macro
from pliant.extractors.c.translation.kinds import is_whole
from pliant.extractors.ir.unit import Span

_DEPTH = 12  # macros in macros


class Local:
    """A variable of a function, or one of the file that the function uses. whole: it holds the address of a structure
    or an array, which is there as long as the variable."""

    __slots__ = ("kind", "variable", "whole")

    def __init__(self, variable: str, kind: CType) -> None:
        self.variable = variable
        self.kind = kind
        self.whole = is_whole(kind)


@dataclass(slots=True)
class Global:
    """A variable or a function of the file. here: whether the file defines it. declarator, node: of a function, what
    its parameters are read from."""

    kind: CType
    here: bool
    declarator: Node | None = None
    node: Node | None = None


class Frame:
    """A macro that is being expanded. arguments: what its parameters stand for, and the frame where that is read; at:
    the place in the file; around: the frame in which the macro is used."""

    __slots__ = ("arguments", "around", "at", "depth", "macro")

    def __init__(
        self, macro: Macro, arguments: dict[str, tuple[Node, Frame | None]], at: Span, around: Frame | None
    ) -> None:
        self.macro = macro
        self.arguments = arguments
        self.at = at
        self.around = around
        self.depth: int = around.depth + 1 if around is not None else 0

    def expands(self, macro: Macro) -> bool:
        """Whether a macro is being expanded already, or cannot be, since too many are."""
        if self.depth > _DEPTH:
            return True
        frame: Frame | None = self
        while frame is not None:
            if frame.macro is macro:
                return True
            frame = frame.around
        return False
