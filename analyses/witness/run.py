"""One question's run: its bounds, what was used, and how blocks end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pliant.analyses.findings import Condition, Contradiction, Verdict
from pliant.analyses.witness.bounds import DEPTH, LOOKED_UP, MOST_OF_SUMMARIES, TooLarge
from pliant.analyses.witness.demands import Demands
from pliant.analyses.witness.derived import Callees, Derived
from pliant.analyses.witness.effects import Effects
from pliant.analyses.witness.kinds import Kinds
from pliant.analyses.witness.lending import Lending
from pliant.analyses.witness.outcomes import Outcome, Outcomes, Target
from pliant.analyses.witness.programs import Code, Programs
from pliant.analyses.witness.reads import Rests
from pliant.analyses.witness.repeats import Repeats
from pliant.analyses.witness.route import Concerned
from pliant.analyses.witness.solve import can_hold
from pliant.analyses.witness.state import Cell, Later, State
from pliant.analyses.witness.terms import Node, Terms
from pliant.extractors.ir.operands import Operand, Type

MOST_BLOCKS = 3_000  # that are run for a way, each copy of it counted
MOST_INSTRUCTIONS = 10_000


@dataclass(frozen=True, slots=True)
class Answer:
    """verdict and reason as of a `Witness`. why: under which conditions it fails, asked for where it is told. why_not:
    of each way that is refuted, the same. rests: what it rests on."""

    verdict: Verdict
    reason: str = ""
    why: Callable[[], tuple[Condition, ...]] = tuple
    why_not: tuple[Callable[[], Contradiction], ...] = ()
    rests: Rests = field(default_factory=Rests)


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


@dataclass(frozen=True, slots=True)
class Repeated:
    """A call that gives the same for the same. what: it runs; reads: the cells that this reads, in `state`. kept:
    whether it gives what its first call has given, which may write something; others write nothing where they come
    back."""

    what: str
    reads: frozenset[Cell]
    state: State
    arguments: Sequence[Node]
    kept: bool


@dataclass(slots=True)
class Rounds:
    """The later rounds of a loop: how they begin, and the ways by which the round before each of them ends."""

    later: Later
    ways: list[tuple[Node, State]]


@dataclass(slots=True)
class Run:
    """A question's execution. uses: the copies of the use that were run. marks: whether the null is marked where it is
    first. begun: conditions, of which one holds where that has been done. asked:
    what was asked on the way, in the functions of it. items: of tuples that the run has made. filled: what new objects
    get where they are made, with the condition; nothing, where nobody asks for more. repeated: calls that give the
    same for the same, by what they run, with what they gave and under which condition they came back. states: what
    they read, numbered. names: what mappings of arguments by name hold, by the mapping and what CONTENT holds for it.
    rounds: of the loops that were run. may_hold, concerned: as of `Routes`. coarse: whether only macros are run beside
    the way."""

    terms: Terms
    programs: Programs
    derived: Derived
    kinds: Kinds
    repeats: Repeats
    lending: Lending
    outcomes: Outcomes
    demands: Demands
    may_hold: frozenset[int]
    concerned: Callable[[], Concerned]
    uses: list[Use] = field(default_factory=list)
    marks: bool = False
    begun: list[Node] = field(default_factory=list)
    blocks: int = 0
    instructions: int = 0
    frames: int = 0
    asked: list[Asked] = field(default_factory=list)
    items: dict[Node, Sequence[Node]] = field(default_factory=dict)
    filled: dict[Node, list[tuple[Node, Node | None]]] = field(default_factory=dict)
    names: dict[tuple[Node, Node], Mapping[str, Node]] = field(default_factory=dict)
    repeated: dict[str, list[tuple[Repeated, Node, Callable[[], Node]]]] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)  # those that were not run, of what gives the same for the same
    states: dict[object, int] = field(default_factory=dict)
    has_shared: bool = False  # whether others may lead to a variable or a new object of what is run
    rounds: dict[object, Rounds] = field(default_factory=dict)
    asks_no_more: bool = False  # whether the null comes to a call on its way
    coarse: bool = False

    def callees(self, call: str) -> Callees:
        """What a call runs, by its symbol."""
        found = self.derived.callees(call)
        self.terms.steps.spend(1 + len(found.bodies))
        return found

    def outcomes_of(self, code: Code, target: Target, depth: int) -> Sequence[Outcome] | None:
        """What a call of a function may leave in a cell; None where that may be anything. depth: of calls in it."""
        if depth < 0:
            return None
        self.terms.steps.spend(LOOKED_UP)
        summary = self.outcomes.of(code, target, depth)
        if not self.terms.steps.once((code.symbol, target, depth), summary.steps, MOST_OF_SUMMARIES):
            return None
        return summary.outcomes

    def demanded(self, code: Code) -> frozenset[str]:
        """The parameters that are not null wherever a function comes back."""
        self.terms.steps.spend(LOOKED_UP)
        found = self.demands.of(code, DEPTH)
        if not self.terms.steps.once(code.symbol, found.steps, MOST_OF_SUMMARIES):
            return frozenset()
        return found.variables

    def named_number(self, code: Code, variable: str) -> int | None:
        """As of `Derived`."""
        self.terms.steps.spend(1)
        return self.derived.named_number(code, variable)

    def effects(self, function: str) -> Effects:
        """What a call of a function may write, with all that it runs."""
        self.terms.steps.spend(LOOKED_UP)
        return self.derived.effects(function)

    def is_it(self, value: Node) -> Node:
        """Whether a value is the null that is asked about."""
        return self.terms.is_marked(value) if self.marks else self.terms.is_null(value)

    def carried(self) -> list[Node]:
        """The conditions under which rounds of loops have left the null in variables that later ones ask for."""
        return [holds for rounds in self.rounds.values() for holds in rounds.later.carried.values()]

    def left_by_rounds(self) -> Node:
        """Whether a round leaves it there."""
        found: dict[tuple[object, Cell], Node] = {}
        while asked := [
            (key, cell)
            for key, rounds in self.rounds.items()
            for cell in rounds.later.carried
            if (key, cell) not in found
        ]:  # what a variable holds may depend on others
            for key, cell in asked:
                ways = self.rounds[key].ways
                left = [self.terms.both(holds, self.terms.is_marked(state.get(cell))) for holds, state in ways]
                found[key, cell] = self.terms.any_of(*left)
        return self.terms.any_of(*found.values())

    def can_hold(self, holds: Node) -> tuple[bool | None, bool]:
        """Whether a condition can hold, None where the solver cannot say within its bound; and whether that is so by
        what rounds of loops leave."""
        found = can_hold(self.terms, holds, self.carried)
        return (self._is_left_by_rounds(), True) if found == "excluded" else (found, False)

    def _is_left_by_rounds(self) -> bool:
        """Whether a variable may hold the null at the start of a later round of a loop. By induction it cannot, if no
        round that starts without the null in it ends with the null in it."""
        known = -1
        while known != len(self.carried()):  # what is asked may ask for more variables
            known = len(self.carried())
            if can_hold(self.terms, self.left_by_rounds(), self.carried) not in (False, "excluded"):
                return True
        return False

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
