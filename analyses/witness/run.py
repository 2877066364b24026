"""One question's run: its bounds, what was read and used, and how blocks end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pliant.analyses.witness.bounds import LOOKED_UP, TooLarge
from pliant.analyses.witness.derived import Callees, Derived, Effects
from pliant.analyses.witness.programs import Code, Programs
from pliant.analyses.witness.state import Cell, State
from pliant.analyses.witness.terms import Node, Terms
from pliant.extractors.ir.operands import Operand, Type

MOST_BLOCKS = 3_000  # that are run for a way, each copy of it counted
MOST_INSTRUCTIONS = 10_000


@dataclass(slots=True)
class Use:
    """The use ran: under which condition, and with which value."""

    holds: Node
    value: Node


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that a run has asked, and under which condition it is answered with yes. question: the operator of a
    predicate, or `item`, whether something has another item. number: the instruction that asks it, or that gives the
    null."""

    holds: Node
    code: Code
    question: str
    operands: Sequence[Operand | Type]
    number: int


@dataclass(slots=True)
class Run:
    """A question's execution. uses: the copies of the use that were run. marks: whether the null is marked where it is
    first. read: the functions that were read. asked: what was asked on the way, in the functions of it. items: of
    tuples that the run has made."""

    terms: Terms
    programs: Programs
    derived: Derived
    uses: list[Use] = field(default_factory=list)
    marks: bool = False
    blocks: int = 0
    instructions: int = 0
    frames: int = 0
    read: dict[str, Code] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    items: dict[Node, Sequence[Node]] = field(default_factory=dict)
    _effects: dict[str, Effects] = field(default_factory=dict)

    def callees(self, call: str) -> Callees:
        """What a call runs, by its symbol."""
        found = self.derived.callees(call)
        self.terms.steps.spend(1 + len(found.bodies))
        return found

    def effects(self, function: str) -> Effects:
        """What a call of a function may write, with all that it runs."""
        if function not in self._effects:
            self._effects[function], followed = self.derived.effects(function)
            self.terms.steps.spend(LOOKED_UP * followed)
        return self._effects[function]

    def spend(self, instructions: int) -> None:
        self.blocks += 1
        self.instructions += instructions
        if self.blocks > MOST_BLOCKS:
            raise TooLarge(f"the functions on the way have more than {MOST_BLOCKS:,} blocks")
        if self.instructions > MOST_INSTRUCTIONS:
            raise TooLarge(f"the functions on the way have more than {MOST_INSTRUCTIONS:,} instructions")


@dataclass(slots=True)
class End:
    """How a copy of a block ends: under which condition control comes there, with which state; and how it began.
    conditions: by the block that follows. raises: that an exception ends it before."""

    holds: Node
    state: State
    begin: Node
    start: State
    conditions: dict[int, Node]
    raises: Node
    written: set[Cell]
    forgotten: list[Callable[[Cell], bool]]
