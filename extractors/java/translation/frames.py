"""What names mean where code stands: blocks with their variables, classes with their members, the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from tree_sitter import Node

from pliant.extractors.ir.operands import Type

if TYPE_CHECKING:
    from pliant.extractors.ir.builder import Builder

THIS = "this"


class Local(NamedTuple):
    """A variable of the function that `owner` makes, under its name there."""

    variable: str
    type: Type
    owner: Builder


@dataclass(slots=True, eq=False)
class Frame:
    """A block, or the body of a class, and what is around it. parameters: type parameters."""

    outer: Frame | None = None
    class_: Declared | None = None
    parameters: frozenset[str] = frozenset()
    names: dict[str, Local] = field(default_factory=dict)
    classes: dict[str, Declared] = field(default_factory=dict)

    def around(self) -> Iterator[Frame]:
        """This one and those around it."""
        frame: Frame | None = self
        while frame is not None:
            yield frame
            frame = frame.outer

    def enclosing(self) -> Iterator[Declared]:
        """The classes around, the innermost first."""
        for frame in self.around():
            if frame.class_ is not None:
                yield frame.class_


@dataclass(slots=True)
class Field:
    """A field, a record's component or an enum's constant. node: of its name; words: its modifiers."""

    name: str
    type: Node | None
    dimensions: int
    node: Node
    value: Node | None
    words: frozenset[str]
    nullness: frozenset[bool]

    @property
    def static(self) -> bool:
        return "static" in self.words


@dataclass(slots=True)
class Parameter:
    """nullness: as in `written.nullness`."""

    name: str
    type: Node | None
    dimensions: int
    node: Node
    nullness: frozenset[bool]
    rest: bool


@dataclass(slots=True)
class Method:
    """symbol: of its function. node: None where the language provides it."""

    symbol: str
    name: str
    node: Node | None
    place: Node
    parameters: list[Parameter]
    type: Node | None = None
    words: frozenset[str] = frozenset()
    nullness: frozenset[bool] = frozenset()

    @property
    def static(self) -> bool:
        return "static" in self.words

    def takes(self, count: int) -> bool:
        """Whether it can be called with so many arguments."""
        many = bool(self.parameters) and self.parameters[-1].rest
        return count >= len(self.parameters) - 1 if many else count == len(self.parameters)


@dataclass(slots=True, eq=False)
class Declared:
    """A class of the file. kind: class, interface, enum or record. frame: that of its members. static: whether its
    instances have none of the class around it. holder: the variable that holds it, of a local class. code: initialisers
    of fields and blocks, in their order, each with whether it is static. arity: of the constructor that an anonymous
    class has. initialiser: the function that runs those of instances."""

    type: Type
    simple: str
    kind: str
    node: Node
    frame: Frame
    outer: Declared | None
    static: bool
    holder: Local | None = None
    arity: int = 0
    bases: list[Node] = field(default_factory=list)
    superclass: Node | None = None
    initialiser: str = ""
    fields: dict[str, Field] = field(default_factory=dict)
    methods: dict[str, list[Method]] = field(default_factory=dict)
    constructors: list[Method] = field(default_factory=list)
    inner: dict[str, Declared] = field(default_factory=dict)
    code: list[tuple[bool, Field | Node]] = field(default_factory=list)

    @property
    def place(self) -> Node:
        """Where its name stands."""
        return self.node.child_by_field_name("name") or self.node

    def found(self, name: str, count: int) -> list[Method]:
        """The methods of a name that take so many arguments; all of the name if none does."""
        methods = self.methods.get(name, [])
        return [method for method in methods if method.takes(count)] or methods
