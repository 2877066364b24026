"""A function under translation: its instructions so far, its scopes, and where jumps lead."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tree_sitter import Node

from pliant.extractors.go.names import Global, Local, Meaning, Named, Package
from pliant.extractors.go.types import NULLABLE, struct_of
from pliant.extractors.ir.builder import Builder, Place
from pliant.extractors.ir.flow import Flow
from pliant.extractors.ir.operands import ANY, OTHER, Constant, Operand, Type
from pliant.extractors.ir.unit import Function, Span
from pliant.extractors.lowering.source import span, text

if TYPE_CHECKING:
    from pliant.extractors.go.file import File

Typed = tuple[Operand, Type]
_FRESH = frozenset(("composite_literal", "call_expression"))  # what gives a struct that nothing else holds


class Body:
    """around: the function that a literal stands in. results: the types of what it gives; named: the variables of its
    named results."""

    def __init__(self, file: File, function: Function, around: Body | None = None) -> None:
        self.file = file
        self.around = around
        self.function = function
        self.name = function.name
        self.build: Builder = Builder(function, around.build if around is not None else None)
        self.scopes: list[dict[str, Meaning]] = list(around.scopes) if around is not None else []
        self.build.spend(len(self.scopes))
        self.results: tuple[Type, ...] = ()
        self.named: list[str] = []
        self.defers = False
        self.flow = Flow(self.build)
        self.labels: dict[str, Place] = {}
        self.placed: set[str] = set()  # the labels that were met
        self.label = ""  # of the statement that comes next
        self.next_case: Place | None = None  # where `fallthrough` leads
        self.literals = 0
        self._globals: dict[tuple[str, str], str] = {}

    # Names.

    @contextmanager
    def scope(self) -> Iterator[None]:
        """A block with names of its own."""
        self.scopes.append({})
        try:
            yield
        finally:
            self.scopes.pop()

    def meaning(self, name: str) -> Meaning:
        self.build.spend(len(self.scopes) >> 2)
        for scope in reversed(self.scopes):
            found = scope.get(name)
            if found is not None:
                return found
        return self.file.meaning(name)

    def declare(self, name: str, kind: Type, value: Operand | None = None, at: Node | None = None) -> str:
        """A new variable in the innermost scope; `_` is none."""
        variable = self.build.variable(name, kind)
        self.scopes[-1][name] = Local(variable, kind, self.name)
        if value is not None:
            self.build.set(variable, value, span(at) if at is not None else None)
        return variable

    def take_label(self) -> frozenset[str]:
        """The label of the statement that begins here."""
        label, self.label = self.label, ""
        return frozenset((label,)) if label else frozenset()

    def held(self, what: str, node: Node | None, typed: Typed) -> str:
        """The variable that holds the value of an expression, so that a test of it is seen where it is used again: one
        that the source does not have, if it is no variable itself."""
        if node is not None and node.type == "identifier":
            meaning = self.meaning(text(node))
            if isinstance(meaning, Local):
                return self.variable(meaning)
        variable = self.build.variable(what, typed[1])
        self.build.set(variable, typed[0])
        return variable

    def variable(self, meaning: Local | Global) -> str:
        """The variable of this function that stands for a name."""
        if isinstance(meaning, Local):
            if meaning.owner != self.name and meaning.variable not in self.function.variables:
                self.build.capture(meaning.variable, meaning.type, meaning.owner)
                holder = self.around
                while holder is not None and holder.name != meaning.owner:
                    holder = holder.around
                if holder is not None:
                    holder.build.share(meaning.variable)
            return meaning.variable
        return self._outside(
            meaning.name, "module" if meaning.here else "import", "" if meaning.here else ".", meaning.type
        )

    def member(self, path: str, name: str) -> str:
        """The variable that stands for what an imported package calls `name`."""
        return self._outside(name, "import", path, ANY)

    def _outside(self, name: str, home: str, owner: str, kind: Type) -> str:
        known = self._globals.get((owner, name))
        if known is None:
            known = self._globals[owner, name] = self.build.variable(name, kind, home, owner)
        return known

    # Types.

    def type_named(self, name: str) -> Type:
        meaning = self.meaning(name)
        return meaning.type if isinstance(meaning, Named) else self.file.foreign(name, meaning)

    def package_path(self, name: str) -> str | None:
        meaning = self.meaning(name)
        return meaning.path if isinstance(meaning, Package) else None

    def anonymous(self, node: Node) -> Type:
        return self.file.struct(node, f"{self.name}.struct", "", lambda: struct_of(node, self))

    # Values.

    def zero(self, kind: Type, at: Span | None = None) -> Operand:
        """What a variable of a type holds at first."""
        shape = self.file.shape(kind)
        if shape in ("struct", "unknown", "fixed"):
            return self.new(kind, (), at)
        if shape in ("any", "number", "string", "boolean"):
            return self.build.give("zero", kind) if shape != "any" else OTHER
        return self.build.give("zero", self.file.underlying(kind), span=at)

    def new(self, kind: Type, given: tuple[str, ...], at: Span | None) -> Operand:
        """A new object, whose fields but the given ones are zero."""
        made = self.build.give("allocate", kind, (), span=at)
        struct = self.file.struct_of(kind)
        for name, of in struct.fields.items() if struct is not None else ():
            if name not in given and self.file.shape(of) in NULLABLE:
                self.build.do("store", made, name, self.build.give("zero", self.file.underlying(of), span=at), span=at)
        return made

    def holding(self, value: Operand, kind: Type, node: Node) -> Operand:
        """The address of a new variable with a value; a struct is its own."""
        if self.file.shape(kind) in ("struct", "fixed"):
            return self.build.give("copy", value)
        made = self.build.give("allocate", kind, (), span=span(node))
        self.build.do("store", made, "*", value, span=span(node))
        return made

    def fit(self, value: Operand, kind: Type, wanted: Type, at: Node | None = None) -> Operand:
        """A value as it is passed or assigned: a pointer or a struct in an interface is no nil any more, a struct is
        copied."""
        shape = self.file.shape(kind)
        if shape == "struct":
            return value if at is not None and at.type in _FRESH else self.build.give("copy", value)
        if shape in ("pointer", "map", "function", "channel", "slice") and self.file.shape(wanted) == "interface":
            how = "boxed" if shape == "pointer" else "asserted"  # what is nil as another one is often meant
            return self.build.give("convert", value, wanted, how, span=span(at) if at is not None else None)
        return value

    def item(self, base: Operand, number: int, at: Span | None = None) -> Operand:
        """One of several values."""
        return self.build.give("item", base, Constant("integer", number), span=at)

    def unmodelled(self, construct: str) -> Typed:
        self.file.unmodelled[construct] = self.file.unmodelled.get(construct, 0) + 1
        return OTHER, ANY
