"""What calls do: those on the way are entered, small ones beside it are run where they are asked about, others may
change what the rules say that they change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from pliant.analyses.witness.binding import Passed
from pliant.analyses.witness.bounds import DEPTH, LOOKED_UP, MOST_BEFORE, MOST_BODIES, READING_DEPTH, TooLarge
from pliant.analyses.witness.cells import changed
from pliant.analyses.witness.derived import Callees
from pliant.analyses.witness.effects import Effects
from pliant.analyses.witness.kinds import is_virtual
from pliant.analyses.witness.programs import Code
from pliant.analyses.witness.route import Frame
from pliant.analyses.witness.run import Repeated
from pliant.analyses.witness.state import CONTENT, ELEMENTS, Cell, State
from pliant.analyses.witness.terms import Node
from pliant.analyses.witness.unchanging import Unchanging
from pliant.extractors.facts import escape_path, in_path
from pliant.extractors.ir.operands import Argument, Constant
from pliant.extractors.ir.unit import Instruction
from pliant.extractors.passes.names import formal_symbol

SMALL = 80  # instructions of a function that is run where it is called, beside the way
_SINGLE = frozenset(("one", "receiver"))  # kinds of parameters
_MOST_CANDIDATES = 16  # functions of a call that are told apart


class Beside:
    """A call that is run when something is asked of it: what it gives, what it has written, whether it comes back.
    passed: what it gets."""

    def __init__(self, inner: Calls, state: State, holds: Node, passed: Sequence[Node]) -> None:
        self._inner, self._state, self._holds, self._passed = inner, state, holds, passed
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

    def cell(self, variable: str) -> Cell:
        """That of a variable of what is run."""
        return self._inner._cell(variable)

    def returns(self) -> Node:
        """Under which condition the call comes back: run for that only where it may refuse to, or fail for the null
        that is asked about."""
        if self._exits is None and not self._may_refuse() and not self._is_concerned():
            return self._holds
        return self._inner.terms.any_of(*(holds for holds, _, _ in self.exits))

    def _may_refuse(self) -> bool:
        code = self._inner.code
        return code.raises or not code.mentioned.isdisjoint(self._inner.run.derived.names_of_ends)

    def _is_concerned(self) -> bool:
        """Whether it may come to the null that is asked about."""
        terms, run, code = self._inner.terms, self._inner.run, self._inner.code
        concerned = run.concerned()
        if code.symbol in concerned.functions or not concerned.fields.isdisjoint(code.loads):
            return True
        marked = (terms.is_marked(each) for each in self._passed) if run.marks else ()
        return any(
            terms.may_be_marked(each.first) if each.op == "marked?" else each is not terms.false for each in marked
        )


class Calls(Unchanging):
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
            library = self._callees(instruction, arguments, base).library
            self._saw(self._value(self._used), unless=self._touches_none(library, arguments))
        elif instruction.number == self._site and not need:
            self._needs(instruction, operand)
        self._call(instruction, base, arguments)
        self._empties(instruction, base)
        self._tell_failures(instruction, arguments)

    def _enters(self, instruction: Instruction, base: Node) -> bool:
        if instruction.number not in self._calls and not self.run.derived.is_computed(self.code.symbol_of(instruction)):
            return False
        self._call(instruction, base, [])
        return True

    def _call(self, instruction: Instruction, base: Node, arguments: Sequence[Argument]) -> None:
        if self.holds is self.terms.false:
            return
        child = self._calls.get(instruction.number)
        passed = self._passed(arguments)
        callees = self._callees(instruction, arguments, base)
        if child is not None and child.function in self._refused(instruction, callees):
            if not self.in_loop:
                self.holds = self.terms.false
                return
            child = None  # in another round, it may be that of another object
        if child is None and not callees.bodies and not callees.makes and self._known(instruction, base, arguments):
            return
        if child is None and (
            self._of_names(instruction, base, arguments)
            or self._looks_up(instruction, callees.library, base, arguments)
        ):
            return
        repeated = self._repeated(callees, base, passed)
        writes = repeated is None or repeated.kept
        if child is not None and self._enter(instruction, child, base, passed, callees, writes=writes):
            if repeated is not None:
                came = self.holds
                self._repeat(instruction, repeated, lambda: came, entered=True)
            return
        deepest = DEPTH if repeated is None else READING_DEPTH
        codes = [self.run.programs.code(each) for each in callees.bodies] if self.depth < deepest else []
        small = [code for code in codes if code is not None and self._is_small(code) and self._is_plain(code, base)]
        if callees.known and 0 < len(small) == len(callees.bodies) <= MOST_BODIES:
            ways = self._beside(instruction, small, base, passed, callees, writes=writes)
            if repeated is not None:
                self._repeat(instruction, repeated, partial(self._any_returns, ways), entered=False)
            return
        asked = self._asks(callees.library, arguments)
        if self._only_reads(instruction, callees.library, [value for _, value in passed]):
            pass
        elif asked is None:
            self._skip(instruction, base, [value for _, value in passed], callees, repeated)
            self._survives_checks(instruction, base, passed, callees)
        else:
            self._gives(instruction, asked)
        self._survives_library(callees.library, arguments)

    def _survives_checks(self, instruction: Instruction, base: Node, passed: Passed, callees: Callees) -> None:
        """Functions on the way call some that are not run. These have come back: what all of them demand not to be null
        is not null. Asked of what may be the null alone."""
        if self.depth or not callees.known or not 0 < len(callees.bodies) <= MOST_BODIES:
            return
        if all(self.run.is_it(value) is self.terms.false for value in (base, *(value for _, value in passed))):
            return
        shown: list[list[Node]] = []
        for body in callees.bodies:
            code = self.run.programs.code(body)
            variables = self.run.demanded(code) if code is not None else ()
            if not variables or code is None:
                return
            inner = type(self)(self.run, code, None, self.depth + 1)
            bound = inner.bound(self.state, self.holds, self._receiver(instruction, code, base, callees), passed)
            shown.append([bound.get(inner._cell(each)) for each in variables])
        for value in shown[0]:
            if all(value in each for each in shown):
                self.holds = self.terms.survives(self.holds, value)

    def _empties(self, instruction: Instruction, base: Node) -> None:
        """What a method gives of something empty is empty, too."""
        if instruction.op != "invoke" or instruction.number == self._origin or self.holds is self.terms.false:
            return
        empty = self.terms.is_empty(base) if self.code.is_empty_if_base_is(instruction) else self.terms.false
        if empty is not self.terms.false:
            made, cell = self.terms.new("empty"), ("value", self.id, instruction.number)
            self.terms.empty.add(made)
            self.state.set(cell, self.terms.either(empty, made, self.state.get(cell)))

    def _any_returns(self, ways: Sequence[Beside]) -> Node:
        return self.terms.any_of(*(each.returns() for each in ways))

    def _is_small(self, code: Code) -> bool:
        return code.size <= SMALL and (code.is_macro or not self.run.coarse)

    def _is_plain(self, code: Code, base: Node) -> bool:
        """Whether a call on an object does what the instructions of a function do, and nothing else."""
        return code.is_plain or (self.semantics.virtual and code.is_plain_if_run and self.terms.is_new(base))

    def _passed(self, arguments: Sequence[Argument]) -> Passed:
        """What a call passes; the arguments of a mapping that is passed on, if all are known."""
        passed: list[tuple[str, Node]] = []
        for each in arguments:
            value = self._value(each.value)
            names = self._names(value) if each.name == "**" else None
            passed += [(each.name, value)] if names is None else names.items()
        return passed

    def _callees(self, instruction: Instruction, arguments: Sequence[Argument], base: Node) -> Callees:
        """What a call may run, by what its arguments and its receiver are declared to be."""
        callees = self.run.callees(self.code.symbol_of(instruction))
        if not self.semantics.virtual or not 0 < len(callees.bodies) <= _MOST_CANDIDATES:
            return callees
        kinds, programs = self.run.kinds, self.run.programs
        bodies = kinds.fitting(self.code, [each.value for each in arguments], callees.bodies)
        if callees.makes:  # of the constructors of a class, one runs
            return replace(callees, bodies=bodies or callees.bodies)
        known = callees.known
        if is_virtual(self.code, instruction):
            # What has no body is not run; of what overrides a method, all is known, however much it is.
            bodies = [each for each in bodies if not programs.is_abstract(each)]
            bodies = [each for each in bodies if self._dispatched(base, each) is not self.terms.false]
            known = kinds.are_all(self.code, instruction, callees)
        return replace(callees, bodies=bodies, known=known and bool(bodies))

    def _repeated(self, callees: Callees, base: Node, passed: Passed) -> Repeated | None:
        """Of a call that gives the same for the same, what that is."""
        if not callees.known or callees.makes or not callees.bodies:
            return None
        known = [self.run.programs.code(each) for each in callees.bodies]
        reads = self.run.repeats.reads_of(known)
        if reads is None:
            return None
        codes = [code for code in known if code is not None]
        before = self.state
        self.state = State(self.terms, [(self.holds, before)])
        names = ",".join(name for name, _ in passed)
        is_static = len(codes) == 1 and "static" in codes[0].function.flags
        on = [] if is_static or self.semantics.pointers else [base]
        arguments = [*on, *(value for _, value in passed)]
        kept = any("kept" in code.function.flags for code in codes)
        return Repeated(f"{' '.join(callees.bodies)} {names}", reads, before, arguments, kept)

    def _repeat(self, instruction: Instruction, repeated: Repeated, returns: Callable[[], Node], entered: bool) -> None:
        """A call has been run that gives the same for the same: so it does, as those do that were run before. What was
        not entered is run for that once there is another one."""
        if self.depth:  # it is run when something is asked of it, which those may depend on that come later
            return
        terms, holds = self.terms, self.holds
        gave = (repeated, self.state.get(("value", self.id, instruction.number)), returns)
        known = self.run.repeated.setdefault(repeated.what, [])
        known.append(gave)
        runs = tuple(known)
        if holds is terms.false or (len(runs) == 1 and not entered):
            return

        def alike() -> Node:
            if len(runs) == 1 and not repeated.kept and repeated.what not in self.run.answered:
                return holds
            conditions = []
            for each, value, came in runs:
                same = terms.applied(*self._same(each))
                agree = []
                for ask in (terms.is_null, terms.is_true):
                    one, other = ask(same), ask(value)
                    neither = terms.both(terms.opposite(one), terms.opposite(other))
                    agree.append(terms.any_of(terms.both(one, other), neither))
                conditions.append(terms.any_of(terms.opposite(came()), terms.both(*agree)))
            return terms.both(holds, *conditions)

        self.holds = terms.returns(holds, alike)

    def _same(self, repeated: Repeated) -> tuple[str, Sequence[Node]]:
        """What each call gives that runs the same on the same: a name, applied to values."""
        cells = tuple(repeated.state.get(cell) for cell in sorted(repeated.reads, key=str))
        states = self.run.states
        number = states.setdefault((repeated.what, cells), len(states))
        return f"{repeated.what} {number}", repeated.arguments

    def _refused(self, instruction: Instruction, callees: Callees) -> Sequence[str]:
        """Of what the rules have of a call, what it does not run."""
        bodies = self.run.callees(self.code.symbol_of(instruction)).bodies
        return [each for each in bodies if each not in callees.bodies and self.run.programs.code(each) is not None]

    def _dispatched(self, base: Node, function: str) -> Node:
        """Whether a virtual call on an object runs a function."""
        kinds = self.run.kinds
        kind = kinds.runs(function)
        return self.terms.is_of(base, kind) if kinds.has(kind) else self.terms.true

    def _enter(
        self, instruction: Instruction, child: Frame, base: Node, passed: Passed, callees: Callees, *, writes: bool
    ) -> bool:
        """Run a call that is on the proof. Says whether that is all that it does: where the use is below one of several
        calls, what another one of them does comes behind this one. writes: whether it may write anything where it comes
        back."""
        code = self.run.programs.code(child.function)
        if code is None:
            raise TooLarge("a function on the way cannot be read")
        inner = type(self)(self.run, code, child, self.depth)
        rebound = code.outline.rebound
        if child.inner and inner.code.has_deferred and any(owner == code.function.name for owner, _ in rebound):
            raise TooLarge("calls that run where a function on the way is left may give other results")
        if child.inner and child.origin and not inner.is_marked:
            self._gives_null(instruction, inner, base, passed, callees)
            return True
        receiver = self._receiver(instruction, code, base, callees)
        if code.is_decorated or child.again:  # a decorator may pass something else
            receiver, passed = self._anything()
        before = self.state
        if "kept" in code.function.flags:  # it may have run before
            before = State(
                self.terms, [(self.holds, before)], lambda cell: changed(cell, None, elements=True, code=True)
            )
        virtual = self.semantics.virtual and callees.bodies and not callees.makes and is_virtual(self.code, instruction)
        if virtual and not self.in_loop:
            self.holds = self.terms.both(self.holds, self._dispatched(base, child.function))
        state = inner.bound(before, self.holds, receiver, passed)
        several = sum(not each.inner for each in self._calls.values()) > 1
        if not child.inner and not self._comes(inner, state, child.formal):
            self.holds = self.holds if several else self.terms.false
            return not several
        holds = self._without_others(inner, state, self.code.symbol_of(instruction)) if child.inner else self.holds
        inner.execute(state, holds, inner.targets())
        if not child.inner and several:
            return False
        if child.inner and inner.code.has_deferred:
            inner.exits = self._left(inner.exits)
        if not child.inner:  # the use is behind it, and not here
            self.holds = self.terms.false
            return True
        self._came_back(instruction, inner, receiver if callees.makes else None, None if writes else before)
        self._set_by_macro(instruction, code, lambda formal: self.state.get(inner._cell(formal)))
        return True

    def _comes(self, inner: Calls, state: State, symbol: str) -> bool:
        """Whether the null may come to a parameter of a function on its way, where it comes from before; asked for the
        first such call. At the use it is asked anyway: this saves running what cannot matter."""
        run, formals = self.run, [each for each in inner.function.formals if inner._is_formal(symbol, each)]
        if run.asks_no_more or not run.begun or not symbol or not formals or formals[0].kind not in _SINGLE:
            return True
        run.asks_no_more = True
        try:
            with self.terms.steps.at_most(MOST_BEFORE):
                comes = run.is_it(state.get(inner._cell(formals[0].variable)))
                return run.can_hold(self.terms.both(self.holds, comes))[0] is not False
        except TooLarge:
            return True

    def _set_by_macro(self, call: Instruction, code: Code | None, left: Callable[[str], Node]) -> None:
        """The use of a macro may set the variables that are its arguments. code: the macro, where it is run; left: what
        its parameters hold in the end."""
        if not self.semantics.pointers or not (self.code.may_expand(call) if code is None else code.is_macro):
            return
        for position, argument in enumerate(call.operands[-1]):
            made = None if isinstance(argument.value, Constant) else self.code.instruction(argument.value)
            if made is None or made.op != "get":
                continue
            name = made.operands[0]
            if code is None:
                value = self.terms.either(self.terms.open("left"), self._value(made.number), self.terms.other(name))
            elif position < len(formals := code.function.formals) and formals[position].variable in code.sets:
                value = left(formals[position].variable)
            else:
                continue
            self._set_variable_to(name, value)

    def _gives_null(self, instruction: Instruction, inner: Calls, base: Node, passed: Passed, callees: Callees) -> None:
        """A call gives the null that its function is declared to give, or gives in a way that is not modelled. A small
        function that is all that the call runs gives it where its result is null. If that never is: what is declared
        counts if the function has no null of its own for which it is declared so."""
        terms, code = self.terms, inner.code
        before, holds = self.state, self.holds
        cell = ("value", self.id, instruction.number)
        is_run = [*callees.bodies] == [code.symbol] and code.size <= SMALL and code.is_plain
        if is_run:
            receiver = self._receiver(instruction, code, base, callees)
            inner.execute(inner.bound(before, holds, receiver, passed), holds, inner.targets())
            self._came_back(instruction, inner, None)
            is_run = bool(inner.exits) and (code.has_null or terms.is_null(self.state.get(cell)) is not terms.false)
        if not is_run:
            self.state, self.holds = before, holds
            self._skip(instruction, base, [value for _, value in passed], Callees([], False, False))
        gives = self.state.get(cell)
        self._ask(terms.is_null(gives), "null", instruction.number)
        self.state.set(cell, self._marked(gives, self.holds))
        self.run.marks = True

    def _came_back(
        self, instruction: Instruction, inner: Calls, made: Node | None, before: State | None = None
    ) -> None:
        """Go on behind what a call, or the like, has run. made: the object that it gives rather than the result.
        before: the state before it, where it has written nothing."""
        if not inner.exits:
            self.holds = self.terms.false
            return
        self.holds = self.terms.any_of(*(holds for holds, _, _ in inner.exits))
        left = State(self.terms, [(holds, each) for holds, each, _ in inner.exits])
        self.state = left
        if before is not None:  # but for the tuples that it has made

            def instead(cell: Cell) -> Node | None:
                return left.get(cell) if cell[0] == "items" else None

            self.state = State(self.terms, [(self.holds, before)], instead=instead)
        self.forgotten.append(lambda cell: cell[0] in ("field", "kept", "elements", "shared"))
        result = self.terms.joined([(holds, value) for holds, _, value in inner.exits])
        self._gives(instruction, result if made is None else made)

    def _without_others(self, inner: Calls, state: State, call: str) -> Node:
        """Under which condition a call gives the null: it is passed no other one than what something shows."""
        terms, code = self.terms, inner.code
        asked = {each.holds for each in self.run.asked if each.code is self.code and each.question == "null"}
        terms.steps.spend(len(self.run.asked))
        holds = self.holds
        for formal in code.function.formals:
            symbol = in_path(formal_symbol(code.function.name, formal.variable), escape_path(code.path))
            is_null = terms.is_null(state.get(inner._cell(formal.variable)))
            if formal.kind == "one" and is_null not in asked and not self.semantics.pointers:
                may_be, seen = self.run.derived.may_be_null(call, symbol, lambda _: not self._is_inner)
                terms.steps.spend(LOOKED_UP * (1 + seen))
                holds = holds if may_be else terms.both(holds, terms.opposite(is_null))
        return holds

    @property
    def _is_inner(self) -> bool:
        return self.frame is not None and self.frame.inner

    def _left(self, exits: Sequence[tuple[Node, State, Node]]) -> list[tuple[Node, State, Node]]:
        """How a function is left in which calls are deferred: they may change what others see, and end a panic."""

        def forgets(cell: Cell) -> bool:
            return changed(cell, None, elements=True, code=True)

        terms = self.terms
        recovered = terms.both(self.holds, terms.open("recovered"))
        ways = [*exits, (recovered, self.state, terms.other("recovered"))]
        return [(holds, State(terms, [(holds, state)], forgets), result) for holds, state, result in ways]

    def _manages(self, instruction: Instruction) -> None:
        """A context manager is entered: its method runs, or, where it is a generator, that to where it yields."""
        child = self._calls[instruction.number]
        code = self.run.programs.code(child.function)
        if code is not None and "generator" not in code.function.flags:
            inner = type(self)(self.run, code, child, self.depth)
            on, nothing = self._anything() if code.is_decorated else (self._value(instruction.operands[0]), [])
            inner.execute(inner.bound(self.state, self.holds, on, nothing), self.holds, inner.targets())
            self._came_back(instruction, inner, None)
            self._marks_result(instruction, child, inner)
            return
        call = self.code.instruction(instruction.operands[0]) if isinstance(instruction.operands[0], int) else None
        if code is None or call is None or call.op not in ("call", "invoke"):
            raise TooLarge("a context manager on the way cannot be read")
        base, arguments = self._value(call.operands[0]), call.operands[-1]
        inner = type(self)(self.run, code, child, self.depth)
        inner.to_yield = True
        receiver, passed = (
            self._receiver(call, code, base, self._callees(call, arguments, base)),
            self._passed(arguments),
        )
        if code.is_changed:
            receiver, passed = self._anything()
        inner.execute(inner.bound(self.state, self.holds, receiver, passed), self.holds, inner.targets())
        self._came_back(instruction, inner, None)
        self._marks_result(instruction, child, inner)

    def _marks_result(self, instruction: Instruction, child: Frame, inner: Calls) -> None:
        """What a context manager gives may be the null where the place is not known that the null has in it."""
        if child.origin and not inner.is_marked and self.holds is not self.terms.false:
            cell = ("value", self.id, instruction.number)
            self.state.set(cell, self._marked(self.state.get(cell), self.holds))

    def _anything(self) -> tuple[Node, Passed]:
        """What a function is run on, and passed, of which nobody knows."""
        anything = self.terms.some("passed")
        return anything, [("*", anything), ("**", anything)]

    def _later(self, instruction: Instruction) -> None:
        """A function is made that the null comes to: it runs at any time after, with anything."""
        child = self._calls[instruction.number]
        code = self.run.programs.code(child.function)
        if code is None:
            raise TooLarge("a function on the way cannot be read")
        again = {self._cell(name) for name in self.code.set_after(instruction.number)}

        def forgets(cell: Cell) -> bool:
            return cell in again or changed(cell, None, elements=True, code=True)

        before = State(self.terms, [(self.holds, self.state)], forgets)
        inner = type(self)(self.run, code, child, self.depth)
        inner.execute(inner.bound(before, self.holds, None, None), self.holds, inner.targets())
        if sum(not each.inner for each in self._calls.values()) == 1:
            self.holds = self.terms.false

    def _beside(
        self,
        instruction: Instruction,
        codes: Sequence[Code],
        base: Node,
        passed: Passed,
        callees: Callees,
        *,
        writes: bool,
    ) -> list[Beside]:
        """Run small functions that are not on the proof, as far as it is asked about them; the object says which.
        writes: whether they may write anything where they come back."""
        terms = self.terms
        before = State(terms, [(self.holds, self.state)])
        ways: list[tuple[Node, Beside]] = []
        left = terms.true
        effects = Effects(frozenset(), code=True)
        for code in codes:
            inner = type(self)(self.run, code, None, self.depth + 1)
            receiver = self._receiver(instruction, code, base, callees)
            is_run = left
            if code is not codes[-1]:
                virtual = is_virtual(self.code, instruction)
                chosen = self._dispatched(base, code.symbol) if virtual else terms.open("which")
                is_run = terms.both(left, chosen)
            left = terms.both(left, terms.opposite(is_run))
            holds = terms.both(self.holds, is_run)
            values = [*([] if receiver is None else [receiver]), *(value for _, value in passed)]
            ways.append((is_run, Beside(inner, inner.bound(before, holds, receiver, passed), holds, values)))
            effects |= self._effects_of(code.symbol)
        if writes and self.semantics.pointers:
            effects |= self._effects(instruction)  # what gets an address from them may write there

        def instead(cell: Cell) -> Node | None:
            is_written = writes and changed(cell, effects.fields, elements=effects.elements, code=True)
            if cell[0] != "items" and not is_written:
                return None
            return terms.joined([(is_run, call.left(cell)) for is_run, call in ways])

        self.forgotten.append(lambda cell: changed(cell, effects.fields, elements=effects.elements, code=True))
        self.state = State(terms, [(self.holds, before)], instead=instead)
        self.holds = terms.returns(self.holds, lambda: terms.any_of(*(call.returns() for _, call in ways)))
        if callees.makes and receiver is not None:
            self._gives(instruction, receiver)
        else:
            self._gives(instruction, terms.pending(lambda: terms.joined([(way, call.result()) for way, call in ways])))
        if len(ways) == 1:
            (_, call), terms = ways[0], self.terms
            self._set_by_macro(
                instruction, codes[0], lambda formal: terms.pending(lambda: call.left(call.cell(formal)))
            )
        return [call for _, call in ways]

    def _skip(
        self,
        instruction: Instruction,
        base: Node,
        passed: Sequence[Node],
        callees: Callees,
        repeated: Repeated | None = None,
    ) -> None:
        """A call that is not run: it gives anything, and changes what it may change."""
        effects = self._effects(instruction)
        name = self.code.texts.what(instruction, "")
        if callees.reads:
            content = self.terms.held(self.state.get(CONTENT), base)
            self._gives(instruction, self.terms.applied(name, [base, *passed, content]))
            return
        before = self.state
        if self.semantics.pointers:
            self._call_in_memory(instruction, instruction.operands[-1], passed)
        else:
            self._forget(effects.fields, elements=effects.elements)
        if repeated is not None and not repeated.kept:  # but where it does not come back
            self.state = State(self.terms, [(self.holds, before)])
        if self.semantics.pointers:
            self._set_by_macro(instruction, None, self.terms.other)
        if self.semantics.pointers:
            pass
        elif not callees.bodies and name.strip(".()") not in self.semantics.pure.calls:
            for changed in [*([base] if instruction.op == "invoke" else []), *passed]:
                self._changes(changed)
                row = self.terms.table("row")
                self._change(ELEMENTS, partial(self.terms.stored, base=changed, value=row))
        if callees.makes:
            self._gives(instruction, self._made(callees))
            return
        if callees.present:
            self._gives(instruction, self.terms.not_null(name))
            return
        value = self.terms.other(name)
        if repeated is not None:
            same = repeated
            self.run.answered.add(repeated.what)
            value = self.terms.pending(lambda: self.terms.answered(*self._same(same)))
        self._declare(value, instruction.number)
        if self._may_hold(instruction):
            some = self.terms.some(name)
            self._declare(some, instruction.number)
            comes_back = self.terms.any_of(*(self.terms.is_marked(each) for each in (base, *passed)))
            value = self.terms.either(comes_back, some, value)
        for kind in self.code.tested if instruction.op == "invoke" and self.semantics.members else ():
            self.terms.steps.spend(LOOKED_UP)
            if self.run.derived.is_present(f"{self.semantics.builtins}.{kind.name}.{instruction.operands[1]}"):
                value = self.terms.either(self.terms.is_of(base, self._kind(kind)), self.terms.not_null(name), value)
        self._gives(instruction, value)
        if self.semantics.pointers and repeated is None:
            self._tell_outcomes(instruction, callees, passed, before)
