"""Makes functions: a language hands instructions to a `Builder`, in the order in which they are evaluated.

What is added goes to the current block. A block that has ended is followed by one that nothing leads to, so that a
language need not ask whether control comes here; `finish` leaves out what is not reached, and numbers blocks and
instructions in reverse postorder, so that the text of a function depends on nothing but what it does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from pliant.extractors import budget
from pliant.extractors.ir.graph import leads_to, reverse_postorder
from pliant.extractors.ir.instructions import INSTRUCTIONS, OPERANDS
from pliant.extractors.ir.operands import ANY, NULL, Argument, Constant, Operand, Predicate, Type, Value
from pliant.extractors.ir.unit import Block, Function, Instruction, Span, Variable

Place = int  # the number of a block that is being made


class Builder:
    """The function under construction. around: of the function that it stands in; variables of the two have different
    names. apart: its steps are its own, since it is made when that one is done."""

    def __init__(self, function: Function, around: Builder | None = None, *, apart: bool = False) -> None:
        self.function = function
        self._blocks: list[Block] = []
        self._handler: Place | None = None
        self._entered: set[Place] = set()
        self._names: dict[str, int] = around._names if around is not None else {}
        self._number = 0
        self._taken: list[int] = around._taken if around is not None and not apart else [0]  # steps
        self._taken[0] += budget.SHORTEST_STEPS
        self.most_steps = budget.FUNCTION_STEPS
        self.within = ""  # the definition that instructions belong to, if it is not the function
        self.current: Place = self.block()
        self._instructions = self._blocks[self.current].instructions
        self._spans = function.spans
        self._entered.add(self.current)
        self._nowhere = self.block()  # what is not reached is there

    # Variables.

    def variable(self, name: str, kind: Type = ANY, home: str = "local", owner: str = "") -> str:
        """Declare a variable; a second one of its name is called `name#2`."""
        count = self._names.get(name, 0) + 1
        self._names[name] = count
        unique = name if count == 1 else f"{name}#{count}"
        self.function.variables[unique] = Variable(unique, kind, home, owner)  # type: ignore[arg-type]
        return unique

    def share(self, name: str) -> None:
        """Say that a function inside this one uses a variable of it."""
        self.function.variables[name] = replace(self.function.variables[name], home="shared")

    def capture(self, name: str, kind: Type, owner: str) -> None:
        """Use a variable of a function around this one, which has to `share` it."""
        self.function.variables.setdefault(name, Variable(name, kind, "captured", owner))

    # Instructions.

    @property
    def steps(self) -> int:
        """Those that the function has taken, with those inside it."""
        return self._taken[0]

    def spend(self, steps: int) -> None:
        """Count steps (`budget`) of the function, with those inside it. Raises TooMuch past those that it may take,
        which counts no further."""
        taken = self._taken
        taken[0] += steps
        if taken[0] > self.most_steps:
            taken[0] = self.most_steps + 1
            raise budget.TooMuch(f"it takes more than {self.most_steps:,} steps")

    def give(self, op: str, *operands: Any, span: Span | None = None) -> Value:
        """Add an instruction that gives a value."""
        return self._add(op, operands, span)

    def _add(self, op: str, operands: tuple[Any, ...], span: Span | None) -> Value:
        self._number = number = self._number + 1
        taken = self._taken
        taken[0] = steps = taken[0] + budget.NODE_STEPS
        if steps > self.most_steps:
            self.spend(0)
        self._instructions.append(Instruction(number, op, operands))
        if span is not None:
            self._spans[number] = span
        if self.within:
            self.function.within[number] = self.within
        return number

    def do(self, op: str, *operands: Any, span: Span | None = None) -> None:
        """Add an instruction that gives no value; one that ends its block is followed by an unreached block."""
        self._add(op, operands, span)
        if op in _ENDING:
            self.start(self._nowhere)

    def null(self, span: Span | None = None) -> Value:
        return self._add("const", (NULL,), span)

    def get(self, variable: str, span: Span | None = None) -> Value:
        return self._add("get", (variable,), span)

    def set(self, variable: str, value: Operand, span: Span | None = None) -> None:
        self._add("set", (variable, value), span)

    def call(self, callee: Operand, arguments: Sequence[Argument], span: Span | None = None) -> Value:
        return self._add("call", (callee, tuple(arguments)), span)

    def invoke(self, base: Operand, name: str, arguments: Sequence[Argument], span: Span | None = None) -> Value:
        return self._add("invoke", (base, name, tuple(arguments)), span)

    # Control.

    def block(self) -> Place:
        """A new block; control is still in the current one."""
        self._blocks.append(Block(handler=self._handler))
        return len(self._blocks) - 1

    def start(self, block: Place) -> None:
        """Go on in a block."""
        started = self._blocks[block]
        started.handler = self._handler
        self._instructions = started.instructions
        self.current = block

    @property
    def reachable(self) -> bool:
        """Whether something leads to the current block."""
        return self.current in self._entered

    def jump(self, target: Place) -> None:
        self._enter(target)
        self.do("jump", target)

    def branch(self, predicate: Predicate, yes: Place, no: Place, span: Span | None = None) -> None:
        self._enter(yes, no)
        self.do("branch", predicate, yes, no, span=span)

    def switch(self, value: Operand, cases: Sequence[tuple[Constant, Place]], other: Place) -> None:
        self._enter(*(target for _, target in cases), other)
        self.do("switch", value, tuple(cases), other)

    def choose(self, targets: Sequence[Place]) -> None:
        """Control goes to any of the blocks."""
        self._enter(*targets)
        self.do("choose", tuple((Constant("integer", number), target) for number, target in enumerate(targets)))

    def _enter(self, *targets: Place) -> None:
        if self.reachable:
            self._entered.update(targets)

    @contextmanager
    def handled(self, handler: Place) -> Iterator[None]:
        """What is added in between is in blocks whose exceptions go to `handler`."""
        outer, self._handler = self._handler, handler
        body = self.block()
        if self.reachable:
            self._entered.add(handler)
        self.jump(body)
        self.start(body)
        try:
            yield
        finally:
            self._handler = outer
            after = self.block()
            self.jump(after)
            self.start(after)

    # Choices between values.

    def chosen(self, what: str, kind: Type, arms: Sequence[tuple[Place, Callable[[], Operand]]]) -> Value:
        """The value that one of several arms gives; each is added from its block on. what: names the variable that
        holds it."""
        variable = self.variable(what, kind)
        end = self.block()
        for block, arm in arms:
            self.start(block)
            value = arm()
            self.set(variable, value)
            self.jump(end)
        self.start(end)
        return self.get(variable)

    def both(
        self, conjunction: bool, left: Callable[[Place, Place], None], right: Callable[[Place, Place], None],
        yes: Place, no: Place,
    ) -> None:  # fmt: skip
        """`left and right` (or `left or right`) as a branch: the right side is evaluated only where the left one does
        not decide. Each side is a function that adds a branch to the two blocks that it gets."""
        middle = self.block()
        if conjunction:
            left(middle, no)
        else:
            left(yes, middle)
        self.start(middle)
        right(yes, no)

    # The end.

    def finish(self) -> Function:
        """The function, in its canonical numbering."""
        self.do("exit", ())  # where control reaches the end
        for block in self._blocks:
            if not block.instructions or block.instructions[-1].op not in _ENDING:
                block.instructions.append(Instruction(self._following(), "exit", ((),)))
        self._without_jumps()
        handlers = [block.handler for block in self._blocks]
        for block in self._blocks:
            if block.handler is not None and not _may_raise(block):
                block.handler = None
        order = self._merged(handlers)
        function = self.function
        function.blocks = [self._blocks[number] for number in order]
        self._renumber({old: new for new, old in enumerate(order)})
        return function

    def _renumber(self, places: dict[Place, int]) -> None:
        """Number the instructions of the function, and its blocks by `places`, in their order."""
        function = self.function
        old = [each.number for block in function.blocks for each in block.instructions]
        numbers: _Numbers = dict(zip(old, range(1, len(old) + 1), strict=True))
        moved = old != list(range(1, len(old) + 1))
        for block in function.blocks:
            if block.handler is not None:
                block.handler = places[block.handler]
            for each in block.instructions if moved else block.instructions[-1:]:
                each.number = numbers[each.number]
                numbered = _NUMBERED[each.op]
                if numbered is not None:
                    operands = list(each.operands)
                    for position in numbered[0]:
                        operand = operands[position]
                        if operand.__class__ is int:
                            operands[position] = numbers[operand]
                    for position, renumbered in numbered[1]:
                        operands[position] = renumbered(operands[position], numbers, places)
                    each.operands = tuple(operands)
        if not moved and len(old) == self._number:
            return
        if function.within:
            function.within = {numbers[number]: name for number, name in function.within.items() if number in numbers}
        function.spans = {numbers[number]: span for number, span in function.spans.items() if number in numbers}

    def _without_jumps(self) -> None:
        """Lead control past blocks that do nothing but jump."""
        blocks = self._blocks
        past: dict[Place, Place] = {
            number: block.instructions[0].operands[0]
            for number, block in enumerate(blocks)
            if block.instructions[0].op == "jump" and number
        }
        for number in list(past):
            chain = {number: None}
            while (target := past[next(reversed(chain))]) in past and target not in chain:
                chain[target] = None
            past.update(dict.fromkeys(chain, target))
        if not past:
            return
        for number, block in enumerate(blocks):
            last = block.instructions[-1]
            found = OPERANDS[last.op].targets
            if found and number != self._nowhere:
                operands = list(last.operands)
                for position, several in found:
                    operand = operands[position]
                    operands[position] = (
                        tuple((constant, past.get(target, target)) for constant, target in operand)
                        if several
                        else past.get(operand, operand)
                    )
                last.operands = tuple(operands)
            if block.handler is not None:
                block.handler = past.get(block.handler, block.handler)

    def _merged(self, handlers: list[Place | None]) -> list[Place]:
        """Make one of blocks that follow each other in any case; returns those that are reached and left, in their
        order. handlers: where they stand, whether one of their instructions raises an exception or not."""
        blocks = self._blocks
        entered = [0] * len(blocks)  # how often
        entered[0] = 2

        def targets(number: Place) -> list[Place]:
            found = leads_to(blocks[number])
            for target in found:
                entered[target] += 1
            return found

        order = reverse_postorder(targets)
        gone: set[Place] = set()
        for number in order:
            if number in gone:
                continue
            block = blocks[number]
            while block.instructions[-1].op == "jump":
                target = block.instructions[-1].operands[0]
                if entered[target] > 1 or handlers[target] != handlers[number] or target == number:
                    break
                gone.add(target)
                block.instructions[-1:] = blocks[target].instructions
                if block.handler is None:
                    block.handler = blocks[target].handler
        return [number for number in order if number not in gone]

    def _following(self) -> int:
        self._number += 1
        return self._number


_ENDING = frozenset(name for name, opcode in INSTRUCTIONS.items() if opcode.ends)
_QUIET = frozenset(
    ("const", "get", "set", "zero", "copy", "tuple", "item", "closure", "class", "test", "jump", "branch", "exit")
)


def _may_raise(block: Block) -> bool:
    return any(instruction.op not in _QUIET for instruction in block.instructions)


# What an operand of a kind is when instructions and blocks have other numbers.

_Numbers = dict[Value, Value]
_Places = dict[Place, int]


def _value(operand: Operand, numbers: _Numbers, _: _Places) -> Operand:
    return operand if isinstance(operand, Constant) else numbers[operand]


def _values(operand: tuple[Operand, ...], numbers: _Numbers, _: _Places) -> tuple[Operand, ...]:
    return tuple([each if isinstance(each, Constant) else numbers[each] for each in operand])


def _arguments(operand: tuple[Argument, ...], numbers: _Numbers, places: _Places) -> tuple[Argument, ...]:
    return tuple([Argument(_value(value, numbers, places), name) for value, name in operand])


def _predicate(tree: Predicate, numbers: _Numbers, places: _Places) -> Predicate:
    return Predicate(
        tree.operator,
        tuple(
            numbers[part]
            if isinstance(part, int)
            else _predicate(part, numbers, places)
            if isinstance(part, Predicate)
            else part
            for part in tree.operands
        ),
    )


def _block(operand: Place, _: _Numbers, places: _Places) -> Place:
    return places[operand]


def _cases(
    operand: tuple[tuple[Constant, Place], ...], _: _Numbers, places: _Places
) -> tuple[tuple[Constant, Place], ...]:
    return tuple((constant, places[target]) for constant, target in operand)


_Renumbering = Callable[[Any, _Numbers, _Places], Any]
_RENUMBERED: dict[str, _Renumbering] = {
    "values": _values,
    "arguments": _arguments,
    "predicate": _predicate,
    "block": _block,
    "cases": _cases,
}


def _numbered(name: str) -> tuple[tuple[int, ...], tuple[tuple[int, _Renumbering], ...]] | None:
    """The positions of the operands of an instruction that are single values, and those of others that have numbers in
    them, with what gives them other numbers; None where there are none."""
    numbered = OPERANDS[name].numbered
    values = tuple(position for position, kind in numbered if kind == "value")
    others = tuple((position, _RENUMBERED[kind]) for position, kind in numbered if kind != "value")
    return (values, others) if numbered else None


_NUMBERED = {name: _numbered(name) for name in OPERANDS}
