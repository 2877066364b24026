"""What a C file is lowered with: variables, places in memory, macros that are being expanded, and exits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from tree_sitter import Node

from pliant.extractors.c.declarations import CType
from pliant.extractors.c.macros import Macro
from pliant.extractors.lowering.base import Tests
from pliant.extractors.lowering.ranges import Number, Range, single
from pliant.extractors.ssa import UNDEFINED, Block, Key, Value

MODULE = "|<module>"
LINKAGE = "C"  # the one module that all names with external linkage are members of
FREED = "$freed"  # the field under which it is followed that an object was freed
NONNULL = "$nonnull"  # the field under which it is followed that a value is not null
LARGEST = 2**31 - 2  # number that a result is followed as: facts hold 32 bits


@dataclass(slots=True, eq=False)
class Variable:
    """key: of its value while it is followed like a local. address: of its place, where it has one.
    cell: the symbol by which functions share it, empty for an automatic one. node: where it is declared."""

    name: str
    key: str
    type: CType
    address: Value | None = None
    cell: str = ""
    function: bool = False
    node: Node | None = None


@dataclass(slots=True)
class Place:
    """Where something is read from or written to: a variable, or `field` of the object that `base` points to; `path` is
    the field as it is followed in this function."""

    node: Node
    variable: Variable | None = None
    base: Value = UNDEFINED
    field: str = ""
    path: str = ""
    homes: tuple[Value, ...] = ()  # values besides the base that the path depends on


@dataclass(slots=True)
class Member:
    """`&pointer->field`: what is pointed to must be there if anyone is to use the address."""

    pointer: Value
    field: str
    node: Node
    keys: list[Key]


@dataclass(slots=True)
class Bound:
    """What a macro's parameter stands for: a node, read where the macro is used."""

    node: Node
    frame: Frame | None


@dataclass(slots=True)
class Frame:
    """A macro that is being expanded."""

    macro: Macro
    arguments: dict[str, Bound]
    at: Node
    number: int


@dataclass(slots=True)
class CallInfo:
    """A call that was lowered: its arguments with the variables that they are."""

    arguments: list[Value]
    keys: list[list[Key]]
    tests: dict[int, Tests] = field(default_factory=dict)


class Form(NamedTuple):
    """The sum of `terms`, values and how often each counts, and a constant."""

    terms: tuple[tuple[Value, int], ...]
    constant: Number


@dataclass(slots=True)
class Choice:
    """What a switch is about, the numbers that it may be, and those of its cases, None where one is not known."""

    form: Form
    range: Range
    labels: list[int | None]

    @property
    def exhausted(self) -> bool:
        """Whether it always leads to a case."""
        number = single(self.range)
        return number is not None and number in self.labels


@dataclass(slots=True)
class Way:
    """A way to a point where the function is left. given: the numbers that it may return then, None where any. came: of
    joins, from which of their predecessors it leads to them."""

    given: Range | None
    came: dict[Block, Block] = field(default_factory=dict)


@dataclass(slots=True)
class Exit:
    """A way out of the function. blocks: where it ends, and others that it leads through. paths: parameter, field,
    content. given: the numbers that it may return, None where any. null: the symbol of the null that it returns.
    call: of which it hands on the result, else UNDEFINED."""

    value: Value
    live: Value
    blocks: list[Block]
    paths: list[tuple[Value, str, Value]]
    given: Range | None = None
    null: str = ""
    call: Value = UNDEFINED


@dataclass(slots=True)
class Outcome:
    """How a function of the file may be left: what its parameters are then, by their number, what it returns, and the
    symbol of the null that this is. left: fields of parameters that are null then. sets: shared variables of the file
    that it has written, whatever way led there. stores:
    numbers that fields of a parameter hold then: a constant, or else the parameter that is one. kinds: the types of the
    parameters."""

    needs: dict[int, Range]
    given: Range | None
    null: str
    kinds: tuple[CType, ...] = ()
    left: frozenset[tuple[int, str]] = frozenset()
    sets: frozenset[str] = frozenset()
    stores: tuple[tuple[int, str, Number | None, int], ...] = ()
