"""A function is run on all ways at once to where the question is: its blocks, and how control goes between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pliant.analyses.witness.calls import Calls
from pliant.analyses.witness.graph import ENDED, LATER, Copy, Unrolled, unroll
from pliant.analyses.witness.instructions import DOES
from pliant.analyses.witness.run import MOST_BLOCKS, End
from pliant.analyses.witness.state import Cell, State
from pliant.analyses.witness.terms import Node
from pliant.extractors.ir.unit import Instruction


class Execution(Calls):
    """One run of a function."""

    def targets(self) -> list[int]:
        """The blocks to which the function is run."""
        if self._site:
            return [self.code.block_of[self._site]]
        if self.frame is not None and not self.frame.inner:
            return [self.code.block_of[number] for number, child in self._calls.items() if not child.inner]
        return [at for at, block in enumerate(self.function.blocks) if block.instructions[-1].op == "exit"]

    def execute(self, state: State, holds: Node, targets: Sequence[int]) -> None:
        """Run the function to blocks `targets`; `exits` says how it is left."""
        steps = self.terms.steps
        unrolled = unroll(self.function, self.code.shape(steps), targets, MOST_BLOCKS - self.run.blocks, steps)
        ends: dict[Copy, End] = {}
        self._more: dict[Copy, Node] = {}
        for copy in unrolled.order:
            ends[copy] = self._block(copy, unrolled, ends, state, holds)

    def _block(self, copy: Copy, unrolled: Unrolled, ends: Mapping[Copy, End], state: State, holds: Node) -> End:
        terms = self.terms
        block = self.function.blocks[copy[0]]
        ways = (self._way(ends[before], copy[0], raised) for before, raised in unrolled.before[copy])
        sources = [each for each in ways if each[0] is not terms.false]
        if not unrolled.before[copy]:
            sources = [(holds, state)]
        begin = terms.any_of(*(way for way, _ in sources))
        self.run.spend(0 if begin is terms.false else len(block.instructions))
        number = unrolled.round_of(copy)
        if number in (ENDED, LATER):  # whether more rounds come
            around = tuple(each for each in copy[1] if each[0] != copy[0])
            more = self._more.setdefault((copy[0], around), terms.open("more"))
            begin = terms.both(begin, more if number == LATER else terms.opposite(more))
        forgets = self._forgotten(unrolled.loops[copy[0]]) if number == LATER else None
        start = State(terms, sources, forgets)
        self.state, self.holds = State(terms, [(begin, start)]), begin
        self.written, self.forgotten = set(), []
        self.raises = terms.open("raises") if block.handler is not None else terms.false
        conditions: dict[int, Node] = {}
        for instruction in block.instructions:
            if self.holds is not terms.false:
                self._instruction(instruction, conditions)
        return End(self.holds, self.state, begin, start, conditions, self.raises, self.written, self.forgotten)

    def _way(self, end: End, target: int, raised: bool) -> tuple[Node, State]:
        terms = self.terms
        if not raised:
            condition = end.conditions.get(target, terms.false)
            return terms.both(end.holds, condition, terms.opposite(end.raises)), end.state
        written, forgotten = end.written, end.forgotten

        def forgets(cell: Cell) -> bool:
            terms.steps.spend(len(forgotten))
            return cell in written or any(each(cell) for each in forgotten)

        return terms.both(end.begin, end.raises), State(terms, [(end.begin, end.start)], forgets)

    def _instruction(self, instruction: Instruction, conditions: dict[int, Node]) -> None:
        self.number = instruction.number
        does = DOES.get(instruction.op)
        if instruction.op in ("call", "invoke"):
            self._of_call(instruction)
        elif does is not None:
            does(self, instruction)
        elif instruction.op in _ENDS:
            self._end(instruction, conditions)
        elif instruction.gives:
            self._gives(instruction, self.terms.not_null(instruction.op))

    def _end(self, instruction: Instruction, conditions: dict[int, Node]) -> None:
        def lead(target: int, holds: Node) -> None:
            conditions[target] = self.terms.any_of(conditions[target], holds) if target in conditions else holds

        operands = instruction.operands
        if instruction.op == "jump":
            lead(operands[0], self.terms.true)
        elif instruction.op == "branch":
            holds = self._predicate(operands[0])
            lead(operands[1], holds)
            lead(operands[2], self.terms.opposite(holds))
        elif instruction.op == "switch":
            value = self._value(operands[0])
            before: list[Node] = []
            for constant, target in operands[1]:
                equal = self.terms.is_equal(value, self.terms.constant(constant))
                lead(target, self.terms.both(equal, *map(self.terms.opposite, before)))
                before.append(equal)
            lead(operands[2], self.terms.both(*map(self.terms.opposite, before)))
        elif instruction.op == "choose":
            left = self.terms.true
            for _, target in operands[0][:-1]:
                chosen = self.terms.open("chosen")
                taken = self.function.blocks[target].instructions[0]
                if taken.op == "next":
                    self._ask(chosen, "item", taken.operands[0])
                lead(target, self.terms.both(left, chosen))
                left = self.terms.both(left, self.terms.opposite(chosen))
            lead(operands[0][-1][1], left)
        elif instruction.op == "exit":
            values = [self._value(each) for each in operands[0]]
            result = values[0] if len(values) == 1 else self._several(values) if values else self.terms.null
            ended = self.terms.both(self.holds, self.terms.opposite(self.raises))
            self.exits.append((ended, self.state, result))
        elif instruction.op == "raise" and instruction.number == self._site:
            self._needs(instruction, operands[0])


_ENDS = frozenset(("jump", "branch", "switch", "choose", "exit", "raise"))
