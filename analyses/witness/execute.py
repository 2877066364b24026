"""What instructions do, as terms: a function is run on all ways at once to where the question is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pliant.analyses.witness.derived import Callees, Derived, Effects
from pliant.analyses.witness.graph import Copy, TooLarge, Unrolled, unroll
from pliant.analyses.witness.programs import Code, Programs, owner_of
from pliant.analyses.witness.route import Frame
from pliant.analyses.witness.state import Cell, State
from pliant.analyses.witness.terms import Node, Terms
from pliant.extractors.ir.operands import Argument, Constant, Operand, Predicate, Type
from pliant.extractors.ir.unit import Formal, Instruction
from pliant.extractors.passes.names import formal_symbol

MOST_BLOCKS = 3_000  # that are run for a question, each copy of it counted
MOST_INSTRUCTIONS = 10_000
SMALL = 80  # instructions of a function that is run where it is called, beside the proof
DEPTH = 3  # of such calls

_ELEMENTS: Cell = ("elements",)
_CONTENT: Cell = ("field", "")  # changes with what an object holds, by object
_WORLD: Cell = ("world",)  # changes with anything


@dataclass(slots=True)
class _End:
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


@dataclass(slots=True)
class Use:
    """The use ran: under which condition, and with which value."""

    holds: Node
    value: Node


@dataclass(slots=True)
class Run:
    """A question's execution. uses: the copies of the use that were run. marks: whether the null is marked where it is
    first. read: the functions that were read."""

    terms: Terms
    programs: Programs
    derived: Derived
    uses: list[Use] = field(default_factory=list)
    marks: bool = False
    blocks: int = 0
    instructions: int = 0
    frames: int = 0
    read: dict[str, Code] = field(default_factory=dict)

    def spend(self, instructions: int) -> None:
        self.blocks += 1
        self.instructions += instructions
        if self.blocks > MOST_BLOCKS:
            raise TooLarge(f"the functions on the way have more than {MOST_BLOCKS:,} blocks")
        if self.instructions > MOST_INSTRUCTIONS:
            raise TooLarge(f"the functions on the way have more than {MOST_INSTRUCTIONS:,} instructions")


class _Beside:
    """A call that is run when something is asked of it: what it gives, what it has written, whether it comes back."""

    def __init__(self, inner: Execution, state: State, holds: Node) -> None:
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
        if self._exits is None and not self._inner.refuses:
            return self._holds
        return self._inner.terms.any_of(*(holds for holds, _, _ in self.exits))


class Execution:
    """One run of a function. frame: on the proof; None for one beside it."""

    def __init__(self, run: Run, code: Code, frame: Frame | None, depth: int = 0) -> None:
        self.run, self.code, self.frame, self.depth = run, code, frame, depth
        self.terms, self.semantics, self.function = run.terms, code.semantics, code.function
        run.frames += 1
        self.id = run.frames
        run.read[code.symbol] = code
        self.exits: list[tuple[Node, State, Node]] = []
        self._calls: dict[int, Frame] = {}
        self._site = 0
        self._used: Operand | None = None
        self._origin = 0
        self._formal = ""
        if frame is not None:
            self._follow(frame)

    def _follow(self, frame: Frame) -> None:
        for symbol, child in frame.calls.items():
            number = self.code.number_of(symbol)
            if not number:
                raise TooLarge("a call on the way has no place in the function")
            self._calls[number] = child
        if frame.site:
            self._site, self._used = self.code.use_of(frame.site)
            if not self._site:
                raise TooLarge("the use has no place in the function")
        if frame.origin:
            of_origin = [each.variable for each in self.function.formals if self._is_formal(frame.origin, each)]
            self._formal = of_origin[0] if of_origin else ""
            self._origin = self.code.number_of(frame.origin)
            self.run.marks |= self.is_marked

    @property
    def is_marked(self) -> bool:
        """Whether the null is marked in this function."""
        return bool(self._formal or self._origin)

    def _is_formal(self, symbol: str, formal: Formal) -> bool:
        return symbol.endswith(formal_symbol(self.function.name, formal.variable))

    @property
    def refuses(self) -> bool:
        """Whether the function may raise an exception of its own."""
        return any(block.instructions[-1].op == "raise" for block in self.function.blocks)

    # The run.

    def execute(self, state: State, holds: Node, targets: Sequence[int]) -> None:
        """Run the function to blocks `targets`; `exits` says how it is left."""
        unrolled = unroll(self.function, targets, MOST_BLOCKS - self.run.blocks)
        ends: dict[Copy, _End] = {}
        for copy in unrolled.order:
            ends[copy] = self._block(copy, unrolled, ends, state, holds)

    def _block(self, copy: Copy, unrolled: Unrolled, ends: Mapping[Copy, _End], state: State, holds: Node) -> _End:
        terms = self.terms
        block = self.function.blocks[copy[0]]
        self.run.spend(len(block.instructions))
        sources = [self._way(ends[before], copy[0], raised) for before, raised in unrolled.before[copy]]
        if not unrolled.before[copy]:
            sources = [(holds, state)]
        begin = terms.any_of(*(way for way, _ in sources))
        forgets = self._forgotten(unrolled.loops[copy[0]]) if unrolled.later_round(copy) else None
        start = State(terms, sources, forgets)
        self.state, self.holds = State(terms, [(begin, start)]), begin
        self.written: set[Cell] = set()
        self.forgotten: list[Callable[[Cell], bool]] = []
        self.raises = terms.open("raises") if block.handler is not None else terms.false
        conditions: dict[int, Node] = {}
        for instruction in block.instructions:
            if self.holds is not terms.false:
                self._instruction(instruction, conditions)
        return _End(self.holds, self.state, begin, start, conditions, self.raises, self.written, self.forgotten)

    def _way(self, end: _End, target: int, raised: bool) -> tuple[Node, State]:
        terms = self.terms
        if not raised:
            condition = end.conditions.get(target, terms.false)
            return terms.both(end.holds, condition, terms.opposite(end.raises)), end.state
        written, forgotten = end.written, end.forgotten

        def forgets(cell: Cell) -> bool:
            return cell in written or any(each(cell) for each in forgotten)

        return terms.both(end.begin, end.raises), State(terms, [(end.begin, end.start)], forgets)

    def _forgotten(self, loop: set[int]) -> Callable[[Cell], bool]:
        """What the rounds of a loop may have changed."""
        variables: set[object] = set()
        fields: set[str] | None = set()
        elements = code = False
        for number in loop:
            for each in self.function.blocks[number].instructions:
                if each.op == "set":
                    variables.add(each.operands[0])
                elif each.op == "store" and fields is not None:
                    fields.add(each.operands[1])
                elif each.op in ("put", "fill"):
                    elements = True
                elif each.op in ("call", "invoke", "decorate", "yield", "await", "enter", "leave", "next"):
                    effects = self._effects(each)
                    elements = True
                    code |= effects.code
                    fields = None if fields is None or effects.fields is None else fields | effects.fields
        names = {self._cell(str(each)) for each in variables}
        return lambda cell: cell in names or _changed(cell, fields, elements, code)

    def _effects(self, instruction: Instruction) -> Effects:
        if instruction.op == "next":
            return Effects(frozenset(), False)
        if instruction.op == "yield":
            return Effects(None, True)
        callees = self.run.derived.callees(self.code.symbol_of(instruction))
        fields: frozenset[str] | None = frozenset()
        for body in callees.bodies:
            effects = self.run.derived.effects(body)
            fields = None if fields is None or effects.fields is None else fields | effects.fields
        return Effects(fields, True)

    # Cells.

    def _cell(self, variable: str) -> Cell:
        known = self.function.variables.get(variable)
        if known is None or known.home == "local":
            return "variable", self.id, variable
        if known.home == "import":
            return "shared", known.owner, "", variable, True
        owner = owner_of(self.function, variable)
        return "shared", self.code.path, owner, variable, (owner, variable) in self.code.rebound

    def _set(self, cell: Cell, value: Node) -> None:
        self.state.set(cell, value)
        self.written.add(cell)

    def _value(self, operand: Operand) -> Node:
        if isinstance(operand, Constant):
            return self.terms.constant(operand)
        return self.state.get(("value", self.id, operand))

    def _gives(self, instruction: Instruction, value: Node) -> None:
        if instruction.number == self._origin:
            value = self.terms.marked(value)
        self.state.set(("value", self.id, instruction.number), value)

    def _saw(self, value: Node) -> None:
        self.run.uses.append(Use(self.holds, value))

    def _needs(self, instruction: Instruction, operand: Operand) -> Node:
        """An operand that must not be null; the question, where this is the use."""
        value = self._value(operand)
        if instruction.number == self._site and self._used is None:
            self._saw(value)
        self.holds = self.terms.survives(self.holds, value)
        return value

    # Instructions.

    def _instruction(self, instruction: Instruction, conditions: dict[int, Node]) -> None:
        does = _DOES.get(instruction.op)
        if does is not None:
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

    def _several(self, values: Sequence[Node]) -> Node:
        result = self.terms.new("tuple")
        for number, value in enumerate(values):
            cell: Cell = ("items", number)
            self._set(cell, self.terms.stored(self.state.get(cell), result, value))
        return result

    def _predicate(self, predicate: Predicate) -> Node:
        terms = self.terms
        match predicate.operator:
            case "and" | "or" | "not":
                parts = [self._predicate(each) for each in predicate.operands if isinstance(each, Predicate)]
                if predicate.operator == "not":
                    return terms.opposite(parts[0])
                return terms.both(*parts) if predicate.operator == "and" else terms.any_of(*parts)
            case "is":
                operand, kind = predicate.operands
                assert isinstance(kind, Type) and not isinstance(operand, Type | Predicate)
                return terms.is_of(self._value(operand), kind)
        values = [self._value(each) for each in predicate.operands if not isinstance(each, Type | Predicate)]
        match predicate.operator:
            case "always" | "truth":
                return terms.is_true(values[0])
            case "null":
                return terms.is_null(values[0])
            case "==":
                return terms.is_equal(*values)
            case "in":
                return terms.is_in(values[0], values[1], terms.held(self.state.get(_CONTENT), values[1]))
        return terms.is_less(*values, or_equal=predicate.operator == "<=")

    def _const(self, instruction: Instruction) -> None:
        self._gives(instruction, self.terms.constant(instruction.operands[0]))

    def _nothing(self, instruction: Instruction) -> None:
        self._gives(instruction, self.terms.null)

    def _zero(self, instruction: Instruction) -> None:
        kind = instruction.operands[0].kind
        value = self.terms.null if kind in self.semantics.zero_is_null else self.terms.not_null("zero")
        if kind in _ZEROS:
            value = self.terms.constant(_ZEROS[kind])
        self._gives(instruction, value)

    def _get(self, instruction: Instruction) -> None:
        name = instruction.operands[0]
        self._gives(instruction, self.state.get(self._cell(name)))

    def _set_variable(self, instruction: Instruction) -> None:
        self._set(self._cell(instruction.operands[0]), self._value(instruction.operands[1]))

    def _load(self, instruction: Instruction) -> None:
        operand, name = instruction.operands
        base = self._value(operand)
        if name not in self.semantics.of_null and "load" in self.semantics.needs:
            base = self._needs(instruction, operand)
        if instruction.number in self._calls:
            self._call(instruction, base, [], "load")
            return
        self._gives(instruction, self.terms.held(self.state.get(("field", name)), base))

    def _store(self, instruction: Instruction) -> None:
        operand, name, value = instruction.operands
        base = self._needs(instruction, operand)
        cell = ("field", name)
        self._set(cell, self.terms.stored(self.state.get(cell), base, self._value(value)))
        self._set(_WORLD, self.terms.some("world"))

    def _element(self, instruction: Instruction) -> None:
        operand, key = instruction.operands
        base = self._needs(instruction, operand) if "element" in self.semantics.needs else self._value(operand)
        self._gives(instruction, self.terms.held(self.terms.held(self.state.get(_ELEMENTS), base), self._value(key)))

    def _put(self, instruction: Instruction) -> None:
        operand, key, value = instruction.operands
        base = self._needs(instruction, operand) if instruction.op == "put" else self._value(operand)
        elements = self.state.get(_ELEMENTS)
        row = self.terms.stored(self.terms.held(elements, base), self._value(key), self._value(value))
        self._set(_ELEMENTS, self.terms.stored(elements, base, row))
        self._changes(base)

    def _changes(self, base: Node) -> None:
        """What an object holds is another from here on."""
        self._set(_CONTENT, self.terms.stored(self.state.get(_CONTENT), base, self.terms.some("content")))
        self._set(_WORLD, self.terms.some("world"))

    def _item(self, instruction: Instruction) -> None:
        operand, number = instruction.operands
        self._gives(instruction, self.terms.held(self.state.get(("items", number.content)), self._value(operand)))

    def _next(self, instruction: Instruction) -> None:
        self._needs(instruction, instruction.operands[0]) if "next" in self.semantics.needs else None
        self._gives(instruction, self.terms.other("next"))

    def _slice(self, instruction: Instruction) -> None:
        if "slice" in self.semantics.needs:
            self._needs(instruction, instruction.operands[0])
        self._gives(instruction, self.terms.other("slice"))

    def _allocate(self, instruction: Instruction) -> None:
        new = self.terms.new("new")
        for number, operand in enumerate(instruction.operands[1]):
            key = self.terms.constant(Constant("integer", number))
            elements = self.state.get(_ELEMENTS)
            row = self.terms.stored(self.terms.held(elements, new), key, self._value(operand))
            self._set(_ELEMENTS, self.terms.stored(elements, new, row))
        self._gives(instruction, new)

    def _tuple(self, instruction: Instruction) -> None:
        self._gives(instruction, self._several([self._value(each) for each in instruction.operands[0]]))

    def _convert(self, instruction: Instruction) -> None:
        operand, _, how = instruction.operands
        if how == "boxed":
            self._gives(instruction, self.terms.not_null("boxed"))
            return
        self._gives(instruction, self._value(operand))

    def _arithmetic(self, instruction: Instruction) -> None:
        operator, operands = instruction.operands
        values = [self._value(each) for each in operands]
        for operand in operands[: self.semantics.arithmetic.get(operator, 0)]:
            self._needs(instruction, operand)
        self._gives(instruction, self.terms.arithmetic(operator, values))

    def _test(self, instruction: Instruction) -> None:
        self._gives(instruction, self.terms.boolean(self._predicate(instruction.operands[0])))

    def _require(self, instruction: Instruction) -> None:
        self._needs(instruction, instruction.operands[0])

    def _compare(self, instruction: Instruction) -> None:
        _, left, right = instruction.operands
        first, second = self._value(left), self._value(right)
        if instruction.number == self._site:
            for value in (first, second):
                self._saw(value)
        for value, other in ((first, right), (second, left)):
            if isinstance(other, Constant):  # of objects, the class may have a method that takes null
                self.holds = self.terms.survives(self.holds, value)

    def _some(self, instruction: Instruction) -> None:
        """A value of which nothing is known."""
        if instruction.number in self._calls:
            self._call(instruction, self.terms.null, [], "load")
            return
        for operand in instruction.uses():
            if instruction.op in self.semantics.needs:
                self._needs(instruction, operand)
        self._gives(instruction, self.terms.some(instruction.op))

    def _yields(self, instruction: Instruction) -> None:
        self._forget(None, elements=True)

    def _of_call(self, instruction: Instruction) -> None:
        operand, arguments = instruction.operands[0], instruction.operands[-1]
        need = instruction.op in self.semantics.needs
        named = instruction.op == "invoke" and instruction.operands[1] in self.semantics.of_null
        base = self._needs(instruction, operand) if need and not named else self._value(operand)
        if instruction.number == self._site and self._used is not None:
            self._saw(self._value(self._used))
        elif instruction.number == self._site and not need:
            self._needs(instruction, operand)
        self._call(instruction, base, arguments, instruction.op)

    # Calls.

    def _call(self, instruction: Instruction, base: Node, arguments: Sequence[Argument], op: str) -> None:
        child = self._calls.get(instruction.number)
        passed = [(each.name, self._value(each.value)) for each in arguments]
        receiver = base if op != "call" else None
        if child is not None:
            self._enter(instruction, child, receiver, passed)
            return
        callees = self.run.derived.callees(self.code.symbol_of(instruction))
        if len(callees.bodies) == 1 and callees.known and self.depth < DEPTH:
            code = self.run.programs.code(callees.bodies[0])
            if code is not None and code.size <= SMALL and code.has_body and code.function.flags.isdisjoint(_LATER):
                self._beside(instruction, code, receiver, passed)
                return
        self._skip(instruction, base, [value for _, value in passed], callees)

    def _enter(
        self, instruction: Instruction, child: Frame, receiver: Node | None, passed: Sequence[tuple[str, Node]]
    ) -> None:
        """Run a call that is on the proof."""
        code = self.run.programs.code(child.function)
        if code is None:
            raise TooLarge("a function on the way cannot be read")
        inner = Execution(self.run, code, child, self.depth)
        if child.inner and child.origin and not inner.is_marked:
            # It is declared to give null, or does so in a way that is not modelled.
            self._skip(
                instruction, receiver or self.terms.null, [value for _, value in passed], Callees([], False, False)
            )
            cell = ("value", self.id, instruction.number)
            self.state.set(cell, self.terms.marked(self.state.get(cell)))
            self.run.marks = True
            return
        state = inner.bound(self.state, self.holds, receiver, passed)
        inner.execute(state, self.holds, inner.targets())
        if not child.inner or not inner.exits:  # the use is behind it, and not here
            self.holds = self.terms.false
            return
        self.holds = self.terms.any_of(*(holds for holds, _, _ in inner.exits))
        self.state = State(self.terms, [(holds, each) for holds, each, _ in inner.exits])
        self.forgotten.append(lambda cell: cell[0] in ("field", "elements", "shared", "world"))
        self._gives(instruction, self.terms.joined([(holds, value) for holds, _, value in inner.exits]))

    def _beside(
        self, instruction: Instruction, code: Code, receiver: Node | None, passed: Sequence[tuple[str, Node]]
    ) -> None:
        """Run a small function that is not on the proof, as far as it is asked about."""
        inner = Execution(self.run, code, None, self.depth + 1)
        before = State(self.terms, [(self.holds, self.state)])
        call = _Beside(inner, inner.bound(before, self.holds, receiver, passed), self.holds)
        effects = self.run.derived.effects(code.symbol)

        def instead(cell: Cell) -> Node | None:
            return call.left(cell) if cell[0] == "items" or _changed(cell, effects.fields, True, True) else None

        self.forgotten.append(lambda cell: _changed(cell, effects.fields, True, True))
        self.state = State(self.terms, [(self.holds, before)], instead=instead)
        self.holds = self.terms.returns(self.holds, call.returns)
        self._gives(instruction, self.terms.pending(call.result))

    def targets(self) -> list[int]:
        """The blocks to which the function is run."""
        of_instruction = {
            each.number: at for at, block in enumerate(self.function.blocks) for each in block.instructions
        }
        if self._site:
            return [of_instruction[self._site]]
        if self.frame is not None and not self.frame.inner:
            return [of_instruction[number] for number, child in self._calls.items() if not child.inner]
        return [at for at, block in enumerate(self.function.blocks) if block.instructions[-1].op == "exit"]

    def bound(
        self, state: State, holds: Node, receiver: Node | None, arguments: Sequence[tuple[str, Node]] | None
    ) -> State:
        """The state in which the function begins. arguments: by name, empty for one by position; None where anything
        may be passed."""
        state = State(self.terms, [(holds, state)])
        positional = [value for name, value in arguments or () if not name]
        named = {name: value for name, value in arguments or () if name}
        unclear = "*" in named or "**" in named
        for formal in self.function.formals:
            value = self.terms.given(formal.variable)
            if formal.kind in ("rest", "names"):
                value = self.terms.not_null(formal.variable)
                positional = [] if formal.kind == "rest" else positional
            elif formal.kind == "receiver" and receiver is not None:
                value = receiver
            elif formal.kind == "receiver" and arguments is None:
                value = self.terms.not_null(formal.variable)
            elif formal.variable in named:
                value = named[formal.variable]
            elif formal.kind in ("one", "receiver") and positional and not unclear:
                value = positional.pop(0)
            elif arguments is not None:
                value = self.terms.some(formal.variable)
            if formal.variable == self._formal:
                value = self.terms.marked(value)
            state.set(self._cell(formal.variable), value)
        return state

    def _skip(self, instruction: Instruction, base: Node, passed: Sequence[Node], callees: Callees) -> None:
        """A call that is not run: it gives anything, and changes what it may change."""
        effects = self._effects(instruction)
        name = self.code.texts.what(instruction, "")
        if callees.reads:
            content = self.terms.held(self.state.get(_CONTENT), base)
            self._gives(instruction, self.terms.applied(name, [base, *passed, content]))
            return
        self._forget(effects.fields, elements=bool(callees.bodies))
        if not callees.bodies and name.rstrip("()").rpartition(".")[2] not in _QUIET:
            for changed in [*([base] if instruction.op == "invoke" else []), *passed]:
                self._changes(changed)
                row = self.terms.table("row")
                self._set(_ELEMENTS, self.terms.stored(self.state.get(_ELEMENTS), changed, row))
        comes_back = any(self.terms.is_marked(value) is not self.terms.false for value in (base, *passed))
        self._gives(instruction, self.terms.some(name) if comes_back else self.terms.other(name))

    def _forget(self, fields: frozenset[str] | None, *, elements: bool) -> None:
        """Any function may have run that writes `fields`, and elements of containers."""

        def forgets(cell: Cell) -> bool:
            return _changed(cell, fields, elements, True)

        self.forgotten.append(forgets)
        self.state = State(self.terms, [(self.holds, self.state)], forgets)


def _changed(cell: Cell, fields: set[str] | frozenset[str] | None, elements: bool, code: bool) -> bool:
    kind = cell[0]
    if kind == "field":
        return fields is None or cell[1] in fields or (elements and cell == _CONTENT)
    if kind == "elements":
        return elements
    return (kind == "shared" and code and bool(cell[4])) or kind == "world"


_QUIET = frozenset(("isinstance", "len", "print", "repr", "str", "int", "float", "bool", "hasattr", "getattr", "type"))
_LATER = frozenset(("generator", "asynchronous"))
_ENDS = frozenset(("jump", "branch", "switch", "choose", "exit", "raise"))
_ZEROS = {
    "number": Constant("integer", 0),
    "boolean": Constant("boolean", False),
    "string": Constant("string", ""),
}
_DOES: dict[str, Callable[[Execution, Instruction], None]] = {
    "const": Execution._const,
    "get": Execution._get,
    "nothing": Execution._nothing,
    "zero": Execution._zero,
    "copy": Execution._some,
    "load": Execution._load,
    "element": Execution._element,
    "slice": Execution._slice,
    "item": Execution._item,
    "next": Execution._next,
    "allocate": Execution._allocate,
    "tuple": Execution._tuple,
    "convert": Execution._convert,
    "arithmetic": Execution._arithmetic,
    "test": Execution._test,
    "call": Execution._of_call,
    "invoke": Execution._of_call,
    "set": Execution._set_variable,
    "store": Execution._store,
    "put": Execution._put,
    "fill": Execution._put,
    "require": Execution._require,
    "compare": Execution._compare,
    "await": Execution._some,
    "enter": Execution._some,
    "leave": Execution._some,
    "yield": Execution._yields,
}
