"""A function is run on all ways at once to where the question is: its blocks, and how control goes between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pliant.analyses.witness.calls import Calls
from pliant.analyses.witness.counters import first_values
from pliant.analyses.witness.graph import ENDED, FIRST, LAST, LATER, Copy, Unrolled, item_of, loop_around, unroll
from pliant.analyses.witness.instructions import DOES
from pliant.analyses.witness.memory import POINTER_DOES
from pliant.analyses.witness.run import MOST_BLOCKS, End, Rounds
from pliant.analyses.witness.state import AnyRound, Cell, Later, State
from pliant.analyses.witness.terms import Node
from pliant.extractors.ir.operands import Constant
from pliant.extractors.ir.unit import Instruction


class Execution(Calls):
    """One run of a function."""

    def targets(self) -> list[int]:
        """The blocks to which the function is run."""
        if self.to_yield:
            return sorted({self.code.block_of[each.number] for each in self.code.index.of("yield")})
        if self._site:
            return [self.code.block_of[self._site]]
        if self.frame is not None and not self.frame.inner:
            return [self.code.block_of[number] for number, child in self._calls.items() if not child.inner]
        return [at for at, block in enumerate(self.function.blocks) if block.instructions[-1].op == "exit"]

    def execute(self, state: State, holds: Node, targets: Sequence[int], begin: int = 0) -> None:
        """Run the function to blocks `targets`; `exits` says how it is left. begin: the block with which it begins."""
        steps = self.terms.steps
        self._shape = self.code.shape(steps)
        unrolled = unroll(self.function, self._shape, targets, MOST_BLOCKS - self.run.blocks, steps, begin)
        ends: dict[Copy, End] = {}
        self._more: dict[Copy, Node] = {}
        self._leads = {self.code.block_of[each] for each in (self._origin, *self._calls) if each}
        for copy in unrolled.order:
            ends[copy] = self._block(copy, unrolled, ends, state, holds)

    def loop(self) -> int | None:
        """The header of the innermost loop in whose rounds all is that leads from the null to the use; None where there
        is none."""
        steps = self.terms.steps
        if not self._site or not (self._origin or (self.frame is not None and self.frame.has_origin)):
            return None
        numbers = [self._site, *self._calls, *([self._origin] if self._origin else [])]
        return loop_around(self.code.shape(steps), [self.code.block_of[each] for each in numbers])

    def round(self, header: int) -> State:
        """A state in which any round of a loop begins: of what the function sets, and of all else that may change,
        nothing is known, but for numbers that count from a constant on."""
        shape = self.code.shape(self.terms.steps)
        loop = shape.loops[header]
        counters = self.code.counters(header, loop)
        entries = [each for each in shape.before[header] if each not in loop]
        first = first_values(self.function, entries, counters)
        before = self.bound(State(self.terms, []), self.terms.true, None, None)
        for name, constant in first.items():
            before.set(self._cell(name), self.terms.constant(constant))
        unchanged = {self._cell(name) for name in self.code.unchanged}
        counting = {self._cell(name): counters[name] for name in first}
        return AnyRound(self.terms, [(self.terms.true, before)], lambda cell: cell not in unchanged, counting)

    def _block(self, copy: Copy, unrolled: Unrolled, ends: Mapping[Copy, End], state: State, holds: Node) -> End:
        terms = self.terms
        block, self.in_loop = self.function.blocks[copy[0]], bool(copy[1])
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
        if number == LATER and not self._leads.isdisjoint(unrolled.loops[copy[0]]):
            self.run.begun.append(begin)  # a round before may have marked the null
        self._copy = copy
        start = self._begins(copy, number, sources, unrolled.loops)
        self.state, self.holds = State(terms, [(begin, start)]), begin
        self.written, self.forgotten = set(), []
        self.raises = terms.open("raises") if block.handler is not None else terms.false
        conditions: dict[int, Node] = {}
        for instruction in block.instructions:
            if self.holds is not terms.false:
                self._instruction(instruction, conditions)
        return End(self.holds, self.state, begin, start, conditions, self.raises, self.written, self.forgotten)

    def _begins(
        self, copy: Copy, number: int, sources: list[tuple[Node, State]], loops: Mapping[int, set[int]]
    ) -> State:
        """The state in which a copy of a block begins."""
        key = (self.id, copy[0], tuple(each for each in copy[1] if each[0] != copy[0]))
        if number == LATER:
            loop = loops[copy[0]]
            counters = {self._cell(name): sign for name, sign in self.code.counters(copy[0], loop).items()}
            later = Later(self.terms, sources, self._forgotten(loop), counters)
            if self.semantics.pointers:
                later.changed = self._kept_by(loop)
            self.run.rounds[key] = Rounds(later, list(sources))
            return later
        if number == LAST and key in self.run.rounds:
            self.run.rounds[key].ways += sources
        return State(self.terms, sources)

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
        does = POINTER_DOES.get(instruction.op) if self.semantics.pointers else None
        does = does or DOES.get(instruction.op)
        if instruction.op == "next" and self._copy[0] in self._shape.counted.items:
            item = item_of(self._copy, self._copy[0])
            self._gives(instruction, self._value(self._shape.counted.items[self._copy[0]][item]))
        elif instruction.op in ("call", "invoke"):
            self._of_call(instruction)
        elif instruction.op == "enter" and instruction.number in self._calls:
            self._manages(instruction)
        elif instruction.op == "yield" and self.to_yield:
            ended = self.terms.both(self.holds, self.terms.opposite(self.raises))
            self.exits.append((ended, self.state, self._value(instruction.operands[0])))
            self.holds = self.terms.false
        elif instruction.op == "closure" and instruction.number in self._calls:
            self._later(instruction)
        elif does is not None:
            does(self, instruction)
        elif instruction.op in _ENDS:
            self._end(instruction, conditions)
        elif instruction.gives:
            if instruction.op in self.semantics.needs:
                self._needs(instruction, instruction.operands[0])
            function = instruction.op == "closure" and self.semantics.virtual
            self._gives(instruction, self._a_function() if function else self.terms.not_null(instruction.op))

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
        elif instruction.op == "choose" and self._copy[0] in self._shape.counted.ends:  # where it goes, the round says
            self._ends_round(operands[0], lead)
        elif instruction.op == "choose":
            left = self.terms.true
            for _, target in operands[0][:-1]:
                chosen = self.terms.open("chosen")
                taken = self.function.blocks[target].instructions[0]
                if taken.op == "next":
                    if dict(self._copy[1]).get(self._copy[0], FIRST) == FIRST:
                        empty = self.terms.is_empty(self._value(taken.operands[0]))
                        chosen = self.terms.both(chosen, self.terms.opposite(empty))
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

    def _ends_round(self, targets: Sequence[tuple[Constant, int]], lead: Callable[[int, Node], None]) -> None:
        """A round for one item of a loop ends: whether there are more is known, but not whether anybody asks for them
        where the items are those of a generator."""
        header = self._shape.counted.ends[self._copy[0]]
        made = self._shape.counted.lazy.get(header)
        if made is not None and item_of(self._copy, header) + 1 < len(self._shape.counted.items[header]):
            more = self.terms.open("more")
            ended = self.terms.both(self.holds, self.terms.opposite(more))
            self.run.filled.setdefault(self._value(made), []).append((ended, None))
            lead(next(target for _, target in targets if target != header), self.terms.opposite(more))
            lead(header, more)
            return
        for _, target in targets:
            lead(target, self.terms.true)


_ENDS = frozenset(("jump", "branch", "switch", "choose", "exit", "raise"))
