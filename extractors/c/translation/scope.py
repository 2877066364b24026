"""Names in a function under translation: variables of blocks and of the file, macros that are being expanded, types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tree_sitter import Node

from pliant.extractors.budget import NODE_STEPS
from pliant.extractors.c.declarations import UNKNOWN, CType, described
from pliant.extractors.c.linkage import LINKAGE
from pliant.extractors.c.macros import Macro
from pliant.extractors.c.translation.names import Frame, Local
from pliant.extractors.ir.builder import Builder
from pliant.extractors.ir.operands import Operand
from pliant.extractors.ir.unit import Function, Span
from pliant.extractors.lowering.source import elements, text
from pliant.extractors.writer import LONGEST_NAME, shortened

if TYPE_CHECKING:
    from pliant.extractors.c.translation.file import File


class Scope:
    """names: what names of the blocks around mean. frame: the macro whose body is being translated."""

    def __init__(self, file: File, function: Function) -> None:
        self.file = file
        self.kinds = file.kinds
        self.function = function
        self.builder: Builder = Builder(function)
        self.names: dict[str, Local] = {}
        self._frame: Frame | None = None
        self.lengths: dict[str, int] = {}  # of arrays that are variables
        self.asked_by = ""  # what asks a condition that is translated, if that is no `if`
        self._hidden: list[dict[str, Local | None]] = []  # what names of each block mean outside of it
        self._outside: dict[str, Local] = {}
        self._externals: dict[str, Local] = {}

    @property
    def frame(self) -> Frame | None:
        return self._frame

    @frame.setter
    def frame(self, frame: Frame | None) -> None:
        self._frame = frame
        macro = frame is not None and "macro" not in self.function.flags
        self.builder.within = frame.macro.name if frame is not None and macro else self.asked_by

    def at(self, node: Node) -> Span:
        """The place of a node; of what a macro does, that of its use."""
        if self._frame is not None:
            return self._frame.at
        start, end = node.start_point, node.end_point
        return start[0] + 1, start[1], end[0] + 1, end[1]

    def open(self) -> None:
        self._hidden.append({})

    def close(self) -> None:
        names = self.names
        for name, local in self._hidden.pop().items():
            if local is None:
                del names[name]
            else:
                names[name] = local

    def declare(self, name: str, kind: CType, local: Local | None = None) -> Local:
        """A new variable of the innermost block."""
        if local is None:
            local = Local(self.builder.variable(name or "_", self.kinds.type(kind)), kind)
        if name and self._hidden:
            self._hidden[-1].setdefault(name, self.names.get(name))
        if name:
            self.names[name] = local
        return local

    def meaning(self, name: str) -> Local | None:
        """The variable or function that a name means here; None of a macro, an enumerator, or what is of elsewhere."""
        local = self.names.get(name) or self._outside.get(name)
        if local is None:
            known = self.file.globals.get(name)
            if known is not None:
                local = self.module_variable(name, known.kind, known.here)
                self._outside[name] = local
        return local

    def module_variable(self, name: str, kind: CType, here: bool) -> Local:
        home, owner = ("module", "") if here else ("import", LINKAGE)
        made = self.kinds.type(kind)
        if made.kind == "array" and name in self.file.tables:
            made = replace(made, name="const")
        if len(name) > LONGEST_NAME:
            name = shortened(name)
        return Local(self.builder.variable(name, made, home, owner), kind)

    def external(self, name: str, kind: CType = UNKNOWN) -> Local:
        """What a name means that the file does not declare."""
        known = self._externals.get(name)
        if known is None:
            known = self._externals[name] = self.module_variable(name, self.file.kind_of(name, kind), here=False)
            if name not in self.file.macros:  # else it may be expanded elsewhere
                self._outside[name] = known
        return known

    def value_of(self, name: str) -> Operand:
        """What a variable or a function holds, by its name."""
        return self.builder.get((self.meaning(name) or self.external(name)).variable)

    # Macros.

    def expanded(self, node: Node) -> Node | None:
        """The expression that a name or a call stands for, by an argument or the body of a macro: it is to be read in
        `frame`, which this sets."""
        kind = node.type
        if kind == "identifier":
            name = text(node)
            frame = self.frame
            if frame is not None and name in frame.arguments:
                self.builder.spend(NODE_STEPS)
                bound, self.frame = frame.arguments[name]
                return bound
            macro = self.file.macros.get(name)
            if macro is None or macro.parameters is not None or macro.constant or self.meaning(name) is not None:
                return None
            return self.opened(macro, (), node) if self.reads(macro) == "expression" else None
        if kind == "call_expression" and (function := node.children[0]).type == "identifier":
            macro = self.called_macro(self.renamed(text(function)))
            if macro is not None and self.reads(macro) == "expression":
                return self.opened(macro, elements(node.child_by_field_name("arguments")), node)
        return None

    def called_macro(self, name: str) -> Macro | None:
        """The macro of this file that a call of a name expands."""
        macro = self.file.macros.get(name)
        return macro if macro is not None and macro.parameters is not None and self.meaning(name) is None else None

    def statement_macro(self, name: str) -> Macro | None:
        """The macro of this file that a name alone expands, where it stands as a statement and is one."""
        if self.frame is not None and name in self.frame.arguments:
            return None
        macro = self.file.macros.get(self.renamed(name))
        if macro is None or macro.parameters is not None or self.meaning(name) is not None:
            return None
        return macro if self.reads(macro) == "statement" else None

    def renamed(self, name: str) -> str:
        """What a name means by macros that are names: `#define release free`; by a parameter of the macro around."""
        frame = self.frame
        while frame is not None and name in frame.arguments and frame.arguments[name][0].type == "identifier":
            bound, frame = frame.arguments[name]
            name = text(bound)
        macros = self.file.macros
        if name not in macros:
            return name
        seen = {name}
        while (macro := macros.get(name)) is not None and name not in self.file.varied:
            following = macro.body if macro.parameters is None else ""
            if not following.isidentifier() or following in seen or self.meaning(name) is not None:
                break
            seen.add(following)
            name = following
        return name

    def reads(self, macro: Macro) -> str:
        """What the body of a macro is: an expression, a statement, or none that can be expanded here."""
        if self.frame is not None and self.frame.expands(macro):
            return "none"
        macro.read(self.file.parser)
        return macro.form or "none"

    def listed(self, node: Node) -> Node | None:
        """The initialiser in braces that a macro stands for: it is to be read in `frame`, which this sets."""
        called = node.type == "call_expression"
        if not called and node.type != "identifier":
            return None
        function = node.children[0] if called else node
        name = text(function) if function.type == "identifier" else ""
        macro = self.called_macro(self.renamed(name)) if called else self.file.macros.get(name)
        if macro is None or (not called and macro.parameters is not None):
            return None
        if self.frame is not None and self.frame.expands(macro):
            return None
        found = macro.initializer(self.file.parser)
        if found is not None:
            self.opened(macro, elements(node.child_by_field_name("arguments")) if called else (), node)
        return found

    def opened(self, macro: Macro, arguments: Sequence[Node], node: Node) -> Node:
        """The body of a macro, which is read in `frame` from here on."""
        self.builder.spend(NODE_STEPS + len(arguments))
        bound = {
            name: (argument, self.frame) for name, argument in zip(macro.parameters or (), arguments, strict=False)
        }
        self.frame = Frame(macro, bound, self.at(node), self.frame)
        return macro.root or node

    # Types.

    def described(self, node: Node | None) -> CType:
        """The type that a type descriptor says."""
        if node is None:
            return UNKNOWN
        kind = described(node)
        return self.resolved(kind)

    def resolved(self, kind: CType) -> CType:
        """A type that is written here: `typeof (x)`, a parameter of a macro."""
        frame, base = self.frame, kind.base
        if frame is not None and base in frame.arguments:
            bound, frame = frame.arguments[base]
            base = " ".join(text(bound).split())
            kind = CType(base, kind.levels)
        if "typeof" in base:
            local = self.meaning(base.partition("(")[2].rstrip(") ").strip())
            known = local.kind if local is not None else UNKNOWN
            return CType(known.base, (*kind.levels, *known.levels))
        return self.kinds.resolve(kind)
