"""What a run of a function reads and writes: variables, values, fields and elements, and what may have changed them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from pliant.analyses.witness.bounds import LOOKED_UP, TooLarge
from pliant.analyses.witness.effects import ANYTHING, Effects
from pliant.analyses.witness.programs import Code
from pliant.analyses.witness.route import Frame
from pliant.analyses.witness.run import Asked, Run, Use
from pliant.analyses.witness.state import CONTENT, Cell, State
from pliant.analyses.witness.terms import Node
from pliant.extractors.ir.operands import Argument, Constant, Operand, Type
from pliant.extractors.ir.outline import owner_of
from pliant.extractors.ir.unit import MODULE, Formal, Instruction
from pliant.extractors.passes.names import formal_symbol

_TOLD_APART = frozenset(("class", "pointer", "number", "boolean", "string"))
_RUNS = frozenset(("call", "invoke", "decorate", "yield", "await", "enter", "leave", "next"))  # may run other code


class Cells:
    """A run of a function. frame: on the way of the null; None for one beside it. depth: of calls beside it."""

    state: State
    holds: Node  # under which condition control comes to the instruction
    raises: Node  # that an exception ends the block
    written: set[Cell]  # in the block
    forgotten: list[Callable[[Cell], bool]]  # in the block
    number: int  # the instruction
    in_loop = False  # whether it may run again

    def __init__(self, run: Run, code: Code, frame: Frame | None, depth: int = 0) -> None:
        self.run, self.code, self.frame, self.depth = run, code, frame, depth
        self.terms, self.semantics, self.function = run.terms, code.semantics, code.function
        run.frames += 1
        self.id = run.frames
        self.to_yield = False  # whether it is run to where it yields first
        self.exits: list[tuple[Node, State, Node]] = []  # how it is left: condition, state and result
        self._calls: dict[int, Frame] = {}
        self._site = 0
        self._used: Operand | None = None
        self._origin = 0
        self._formal = ""
        self._addresses: dict[str, Node] = {}  # of variables
        self._received: frozenset[object] = frozenset()  # the objects that arguments lead to
        if frame is not None:
            self._follow(frame)

    def _argument(self, call: int, which: int | str) -> Argument:
        """An argument of a call, by its position or its name."""
        arguments: Sequence[Argument] = self.code.instruction(call).operands[-1]
        if isinstance(which, int):
            return arguments[which]
        return next(each for each in arguments if each.name == which)

    def _follow(self, frame: Frame) -> None:
        for symbol, child in frame.calls.items():
            number = self.code.number_of(symbol) or self.code.made_at(symbol)
            if not number:
                raise TooLarge("a call on the way has no place in the function")
            self._calls[number] = child
        if frame.site:
            self._site, self._used = self.code.use_of(frame.site)
            if frame.argument is not None and (number := self.code.number_of(frame.site)):
                self._site, self._used = number, self._argument(number, frame.argument).value
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

    # Cells.

    def _cell(self, variable: str) -> Cell:
        known = self.function.variables.get(variable)
        if known is None or known.home == "local":
            return "variable", self.id, variable
        if known.home == "import":
            return "shared", known.owner, "", variable, True
        owner = owner_of(self.function, variable)
        return "shared", self.code.path, owner, variable, (owner, variable) in self.code.outline.rebound

    def _set(self, cell: Cell, value: Node) -> None:
        self.state.set(cell, value)
        self.written.add(cell)

    def _change(self, cell: Cell, changed: Callable[[Node], Node]) -> None:
        """Set a cell to what `changed` makes of what it holds."""
        self.state.change(cell, changed)
        self.written.add(cell)

    def _value(self, operand: Operand) -> Node:
        if isinstance(operand, Constant):
            return self.terms.constant(operand)
        return self.state.get(("value", self.id, operand))

    def _gives(self, instruction: Instruction, value: Node) -> None:
        if instruction.number == self._origin:
            self._ask(self.terms.is_null(value), "null", instruction.number)
            value = self._marked(value, self.holds)
        self.state.set(("value", self.id, instruction.number), value)

    def _may_hold(self, instruction: Instruction) -> bool:
        """Whether what an instruction gives may be the null that is asked about, as far as the rules say."""
        self.terms.steps.spend(LOOKED_UP)
        entry = self.run.derived.entry(self.code.symbol_of(instruction))
        return entry < 0 or entry in self.run.may_hold

    def _read(self, instruction: Instruction, value: Node) -> Node:
        """What is read of a field or an element."""
        if value.op in ("held", "pending"):
            self.terms.read(value, marked=self._may_hold(instruction))
        return value

    def _marked(self, value: Node, holds: Node) -> Node:
        """A value that is known again where it is null, from here on."""
        self.run.begun.append(self.terms.both(holds, self.terms.is_null(value)))
        return self.terms.marked(value, holds)

    def _ask(self, holds: Node, question: str, *operands: Operand | Type) -> Node:
        """Note what a function on the way asks."""
        if self.frame is not None:
            self.run.asked.append(Asked(holds, self.code, question, operands, self.number))
        return holds

    def _saw(self, value: Node, unless: Node | None = None) -> None:
        holds = self.holds if unless is None else self.terms.both(self.holds, self.terms.opposite(unless))
        self.run.uses.append(Use(holds, value))

    def _needs(self, instruction: Instruction, operand: Operand) -> Node:
        """An operand that must not be null; the question, where this is the use."""
        value = self._value(operand)
        if instruction.number == self._site and self._used is None:
            self._saw(value)
        self.holds = self.terms.survives(self.holds, value)
        return value

    def _several(self, values: Sequence[Node], state: State | None = None) -> Node:
        """A new tuple, made in `state` if that is another one than where the run is."""
        result = self.terms.new("tuple")
        self.run.items[result] = tuple(values)
        for number, value in enumerate(values):
            cell: Cell = ("items", number)
            at = self.state if state is None else state
            at.change(cell, partial(self.terms.stored, base=result, value=value))
            if state is None:
                self.written.add(cell)
        return result

    def _names(self, base: Node) -> Mapping[str, Node] | None:
        """What a mapping of arguments by name holds here; None for other values, and where it may have changed."""
        if base.op != "new":
            return None
        return self.run.names.get((base, self.terms.held(self.state.get(CONTENT), base)))

    # Kinds.

    def _is_of(self, value: Node, kind: Type) -> Node:
        """Whether a value is of a type that a test names. Two tests of a class that a variable holds ask the same if it
        holds the same; each test of a type that is computed asks anew."""
        terms, first = self.terms, kind.name.partition(".")[0]
        variable = self.function.variables.get(first) if self.semantics.builtins else None  # a class is a value
        if variable is not None and (variable.home != "module" or (MODULE, first) in self.code.outline.rebound):
            if first != kind.name:
                return terms.open("is")
            return terms.is_true(terms.applied("is", [value, self.state.get(self._cell(first))]))
        known = self._kind(kind)
        return terms.is_of(value, known) if known else terms.open("is")

    def _kind(self, kind: Type) -> str:
        """What a test of a type asks for; empty of one that is not told apart from others."""
        known = self.run.kinds.of(self.code.path, kind) if self.semantics.virtual else ""
        if known or kind.kind not in _TOLD_APART:
            return known if self.run.kinds.is_one(known) else ""
        if kind.kind == "pointer":
            target = self._kind(kind.of[0])
            return f"pointer {target}" if target else ""
        of = [self._kind(each) for each in kind.of]
        if not all(of):
            return ""
        module = kind.module
        if kind.kind == "class" and module in ("", ".") and not self._is_builtin(kind.name):
            module = self.code.path if not module else f"{self.code.path.rpartition('/')[0]}/"
        return f"{kind.kind} {module} {kind.name}{of or ''}"

    def _is_builtin(self, name: str) -> bool:
        """Whether a class is one of those that have a name in each file, unless the file has another one."""
        if name in self.function.variables:
            return False
        self.terms.steps.spend(LOOKED_UP)
        return self.run.derived.is_present(f"{self.semantics.builtins}.{name}")

    def _declare(self, value: Node, operand: Operand) -> None:
        """Note what a value is declared to be."""
        if self.semantics.virtual:
            self.terms.declare(value, self.run.kinds.kind_of(self.code, operand))

    # What may have changed.

    def _forgotten(self, loop: set[int]) -> Callable[[Cell], bool]:
        """What the rounds of a loop may have changed."""
        variables: set[object] = set()
        fields: set[str] | None = set()
        elements = code = False
        for number in loop:
            self.terms.steps.spend(len(self.function.blocks[number].instructions))
            for each in self.function.blocks[number].instructions:
                if each.op == "set":
                    variables.add(each.operands[0])
                elif each.op == "store" and fields is not None:
                    fields.add(each.operands[1])
                elif each.op in ("put", "fill", "delete"):
                    elements = True
                elif each.op in _RUNS:
                    effects = self._effects(each)
                    elements = True
                    code |= effects.code
                    fields = None if fields is None or effects.fields is None else fields | effects.fields
        names = {self._cell(str(each)) for each in variables}
        return lambda cell: cell in names or changed(cell, fields, elements=elements, code=code)

    def _effects(self, instruction: Instruction) -> Effects:
        """What an instruction may write by running other code."""
        if instruction.op in ("enter", "leave", "next"):
            return Effects(frozenset(), code=False)
        symbol = self.code.symbol_of(instruction)
        if instruction.op in ("yield", "await") or not symbol:
            return ANYTHING
        callees = self.run.callees(symbol)
        effects = ANYTHING if callees.anything and not self._is_quiet(instruction) else Effects(frozenset(), code=True)
        for body in callees.bodies:
            effects |= self._effects_of(body)
        return effects

    def _effects_of(self, function: str) -> Effects:
        effects = self.run.effects(function)
        if self.semantics.pointers and self.run.repeats.reads_of([self.run.programs.code(function)]) is not None:
            return Effects(frozenset(), code=False)  # without exceptions, it has come back
        return effects if self.semantics.virtual else replace(effects, elements=True)

    def _is_quiet(self, instruction: Instruction) -> bool:
        """Whether a method is called on what is declared to be a container, a string or the like: no code is run."""
        base = instruction.operands[0]
        containers = self.semantics.containers_of
        if (
            instruction.op != "invoke"
            or containers is None
            or instruction.operands[1] in self.semantics.library.at_once
        ):
            return False
        kind = self.run.kinds.type_of(self.code, base)[1]
        if kind.kind == "class" and kind.name in containers.quiet:
            return True
        pure = self.semantics.pure
        return any(each in pure.quiet or each in pure.of for each in self.run.kinds.of_library(self.code, base))

    def _forget(self, fields: frozenset[str] | None, *, elements: bool) -> None:
        """Any function may have run that writes `fields`, and elements of containers."""

        def forgets(cell: Cell) -> bool:
            return changed(cell, fields, elements=elements, code=True)

        self.forgotten.append(forgets)
        self.state = State(self.terms, [(self.holds, self.state)], forgets)


def changed(cell: Cell, fields: set[str] | frozenset[str] | None, *, elements: bool, code: bool) -> bool:
    """Whether a cell may hold something else where `fields` (None for any), elements, or variables that functions share
    (`code`) may have been written."""
    kind = cell[0]
    if kind in ("field", "kept"):
        return fields is None or cell[1] in fields or (elements and cell == CONTENT)
    if kind == "elements":
        return elements
    return kind == "shared" and code and bool(cell[4])
