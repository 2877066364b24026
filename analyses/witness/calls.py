"""What calls do: those on the way are entered, small ones beside it are run where they are asked about, others may
change what the rules say that they change."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from pliant.analyses.witness.binding import Binding, Passed
from pliant.analyses.witness.bounds import TooLarge
from pliant.analyses.witness.cells import CONTENT, ELEMENTS, changed
from pliant.analyses.witness.derived import Callees
from pliant.analyses.witness.programs import Code
from pliant.analyses.witness.route import Frame
from pliant.analyses.witness.state import Cell, State
from pliant.analyses.witness.terms import Node
from pliant.extractors.ir.operands import Argument
from pliant.extractors.ir.unit import Instruction

SMALL = 80  # instructions of a function that is run where it is called, beside the way
DEPTH = 3  # of such calls


class Beside:
    """A call that is run when something is asked of it: what it gives, what it has written, whether it comes back."""

    def __init__(self, inner: Calls, state: State, holds: Node) -> None:
        self._inner, self._state, self._holds = inner, state, holds
        self._exits: list[tuple[Node, State, Node]] | None = None

    @property
    def exits(self) -> list[tuple[Node, State, Node]]:
        if self._exits is None:
            self._exits = []
            self._inner.execute(self._state, self._holds, self._inner.targets())
            self._exits = self._inner.exits
        return self._exits

    def result(self) -> Node:
        terms = self._inner.terms
        return terms.joined([(holds, value) for holds, _, value in self.exits]) if self.exits else terms.null

    def left(self, cell: Cell) -> Node:
        ways = [(holds, state.get(cell)) for holds, state, _ in self.exits]
        return self._inner.terms.joined(ways) if ways else self._state.get(cell)

    def returns(self) -> Node:
        """Under which condition the call comes back: run for that only where it may refuse to."""
        if self._exits is None and not self._inner.code.raises:
            return self._holds
        return self._inner.terms.any_of(*(holds for holds, _, _ in self.exits))


class Calls(Binding):
    """The methods that calls need."""

    def targets(self) -> list[int]:
        """The blocks to which the function is run."""
        raise NotImplementedError

    def execute(self, state: State, holds: Node, targets: Sequence[int]) -> None:
        """Run the function to blocks `targets`; `exits` says how it is left."""
        raise NotImplementedError

    def _of_call(self, instruction: Instruction) -> None:
        operand, arguments = instruction.operands[0], instruction.operands[-1]
        need = instruction.op in self.semantics.needs
        named = instruction.op == "invoke" and instruction.operands[1] in self.semantics.of_null
        base = self._needs(instruction, operand) if need and not named else self._value(operand)
        if instruction.number == self._site and self._used is not None:
            self._saw(self._value(self._used))
        elif instruction.number == self._site and not need:
            self._needs(instruction, operand)
        self._call(instruction, base, arguments)

    def _enters(self, instruction: Instruction, base: Node) -> bool:
        if instruction.number not in self._calls and not self.run.derived.is_computed(self.code.symbol_of(instruction)):
            return False
        self._call(instruction, base, [])
        return True

    def _call(self, instruction: Instruction, base: Node, arguments: Sequence[Argument]) -> None:
        if self.holds is self.terms.false:
            return
        child = self._calls.get(instruction.number)
        passed = [(each.name, self._value(each.value)) for each in arguments]
        callees = self.run.callees(self.code.symbol_of(instruction))
        if child is not None and self._enter(instruction, child, base, passed, callees):
            return
        if len(callees.bodies) == 1 and callees.known and self.depth < DEPTH:
            code = self.run.programs.code(callees.bodies[0])
            if code is not None and code.size <= SMALL and code.is_plain:
                self._beside(instruction, code, base, passed, callees)
                return
        self._skip(instruction, base, [value for _, value in passed], callees)

    def _enter(self, instruction: Instruction, child: Frame, base: Node, passed: Passed, callees: Callees) -> bool:
        """Run a call that is on the proof. Says whether that is all that it does: where the use is below one of several
        calls, what another one of them does comes behind this one."""
        code = self.run.programs.code(child.function)
        if code is None:
            raise TooLarge("a function on the way cannot be read")
        inner = type(self)(self.run, code, child, self.depth)
        if child.inner and inner.code.has_deferred:
            raise TooLarge("a function on the way has calls that run where it is left")
        if child.inner and child.origin and not inner.is_marked:
            # It is declared to give null, or does so in a way that is not modelled.
            self._skip(instruction, base, [value for _, value in passed], Callees([], False, False))
            cell = ("value", self.id, instruction.number)
            gives = self.state.get(cell)
            self._ask(self.terms.is_null(gives), "null", instruction.number)
            self.state.set(cell, self.terms.marked(gives))
            self.run.marks = True
            return True
        receiver = self._receiver(instruction, code, base, callees)
        if code.is_decorated:  # a decorator may pass something else
            anything = self.terms.some("passed")
            receiver, passed = anything, [("*", anything), ("**", anything)]
        before = self.state
        if "kept" in code.function.flags:  # it may have run before
            before = State(self.terms, [(self.holds, before)], lambda cell: changed(cell, None, True, True))
        state = inner.bound(before, self.holds, receiver, passed)
        inner.execute(state, self.holds, inner.targets())
        if not child.inner and sum(not each.inner for each in self._calls.values()) > 1:
            return False
        if not child.inner or not inner.exits:  # the use is behind it, and not here
            self.holds = self.terms.false
            return True
        self.holds = self.terms.any_of(*(holds for holds, _, _ in inner.exits))
        self.state = State(self.terms, [(holds, each) for holds, each, _ in inner.exits])
        self.forgotten.append(lambda cell: cell[0] in ("field", "elements", "shared", "world"))
        result = self.terms.joined([(holds, value) for holds, _, value in inner.exits])
        made = receiver if callees.makes else None
        self._gives(instruction, result if made is None else made)
        return True

    def _beside(self, instruction: Instruction, code: Code, base: Node, passed: Passed, callees: Callees) -> None:
        """Run a small function that is not on the proof, as far as it is asked about."""
        inner = type(self)(self.run, code, None, self.depth + 1)
        receiver = self._receiver(instruction, code, base, callees)
        before = State(self.terms, [(self.holds, self.state)])
        call = Beside(inner, inner.bound(before, self.holds, receiver, passed), self.holds)
        effects = self.run.effects(code.symbol)

        def instead(cell: Cell) -> Node | None:
            return call.left(cell) if cell[0] == "items" or changed(cell, effects.fields, True, True) else None

        self.forgotten.append(lambda cell: changed(cell, effects.fields, True, True))
        self.state = State(self.terms, [(self.holds, before)], instead=instead)
        self.holds = self.terms.returns(self.holds, call.returns)
        made = receiver if callees.makes else None
        self._gives(instruction, self.terms.pending(call.result) if made is None else made)

    def _skip(self, instruction: Instruction, base: Node, passed: Sequence[Node], callees: Callees) -> None:
        """A call that is not run: it gives anything, and changes what it may change."""
        effects = self._effects(instruction)
        name = self.code.texts.what(instruction, "")
        if callees.reads:
            content = self.terms.held(self.state.get(CONTENT), base)
            self._gives(instruction, self.terms.applied(name, [base, *passed, content]))
            return
        self._forget(effects.fields, elements=bool(callees.bodies) or effects.fields is None)
        if not callees.bodies:
            for changed in [*([base] if instruction.op == "invoke" else []), *passed]:
                self._changes(changed)
                row = self.terms.table("row")
                self._change(ELEMENTS, partial(self.terms.stored, base=changed, value=row))
        if callees.makes:
            self._gives(instruction, self._made(callees))
            return
        comes_back = self.terms.any_of(*(self.terms.is_marked(value) for value in (base, *passed)))
        self._gives(instruction, self.terms.either(comes_back, self.terms.some(name), self.terms.other(name)))
