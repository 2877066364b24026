"""What parameters hold where a call begins: what is passed by position and by name, collected, left out."""

from __future__ import annotations

from collections.abc import Sequence

from pliant.analyses.witness.derived import Callees
from pliant.analyses.witness.kinds import EXACTLY
from pliant.analyses.witness.memory import Memory
from pliant.analyses.witness.programs import Code
from pliant.analyses.witness.state import CONTENT, State
from pliant.analyses.witness.terms import Node
from pliant.extractors.ir.unit import Formal, Instruction

Passed = Sequence[tuple[str, Node]]  # by name: empty for an argument by position, `*` and `**` for several


class _Arguments:
    """What a call passes, taken by one parameter after the other. items: of the tuples that are known. unclear: whether
    nobody knows how many come by position, or which by name."""

    def __init__(self, passed: Passed, items: dict[Node, Sequence[Node]]) -> None:
        self.positional: list[Node] = []
        self.named = {name: value for name, value in passed if name.strip("*")}
        self.unclear = False
        self.unclear_names = any(name == "**" for name, _ in passed)
        for name, value in passed:
            if name == "*" and value not in items:
                self.unclear = True
            if not self.unclear and name in ("", "*"):
                self.positional += items[value] if name else [value]


class Binding(Memory):
    """The methods that bind parameters."""

    def bound(self, state: State, holds: Node, receiver: Node | None, passed: Passed | None) -> State:
        """The state in which the function begins. receiver: what the method runs on; None where that is the first
        argument. passed: None where anything may be."""
        state = State(self.terms, [(holds, state)])
        arguments = _Arguments(passed, self.run.items) if passed is not None else None
        for formal in self.function.formals:
            if formal.kind == "receiver" and receiver is not None:
                value = receiver
            elif arguments is None:
                made = formal.kind == "receiver" or formal.kind in self.semantics.rest
                value = (self.terms.not_null if made else self.terms.given)(formal.variable)
            else:
                value = self._bound(formal, arguments, state)
            if arguments is None and self.semantics.virtual:
                self.terms.declare(value, self.run.kinds.of(self.code.path, formal.type))
            if formal.variable == self._formal:
                value = self._marked(value, holds)
            self._begin(state, formal.variable, value)
        return state

    def _bound(self, formal: Formal, arguments: _Arguments, state: State) -> Node:
        if formal.kind in ("rest", "names"):
            if formal.kind not in self.semantics.rest:
                return self.terms.some(formal.variable)
            if formal.kind == "names" and not arguments.unclear_names:
                return self._named(arguments, state)
            if formal.kind == "names" or arguments.unclear:
                return self.terms.not_null(formal.variable)
            collected, arguments.positional = arguments.positional, []
            return self._several(collected, state)
        by_position = formal.kind in ("one", "receiver")
        if by_position and arguments.positional:
            return arguments.positional.pop(0)
        if formal.variable in arguments.named:
            return arguments.named[formal.variable]
        if (by_position and arguments.unclear) or arguments.unclear_names or not formal.default:
            return self.terms.some(formal.variable)
        default = self.code.outline.defaults_of(self.code.function.name).get(formal.variable)
        return self.terms.some(formal.variable) if default is None else self.terms.constant(default)

    def _named(self, arguments: _Arguments, state: State) -> Node:
        """A new mapping of the arguments that are passed by names that no parameter has."""
        made = self.terms.new("names")
        taken = {each.variable for each in self.function.formals}
        held = {name: value for name, value in arguments.named.items() if name not in taken}
        self.run.names[made, self.terms.held(state.get(CONTENT), made)] = held
        return made

    def _receiver(self, instruction: Instruction, code: Code, base: Node, callees: Callees) -> Node | None:
        """What a call runs a function on, as in `bound`; the object that it gives, where that is made by it."""
        call = self.code.symbol_of(instruction)
        if self.run.derived.constructs(call, code.symbol):
            return self._made(callees)
        is_bound = self.run.derived.is_bound(call, code.symbol)
        if "class_method" in code.function.flags:
            return self.terms.not_null("class")
        if is_bound is False and instruction.op != "load":
            return None
        if is_bound is None or instruction.op == "call":
            return self.terms.some("receiver") if is_bound is None else self.terms.not_null("receiver")
        behind = self.code.supers.get(instruction.operands[0])
        return base if behind is None else self._value(behind)

    def _made(self, callees: Callees) -> Node:
        made = self.terms.new("object") if callees.makes == "new" else self.terms.not_null("object")
        if callees.makes == "new" and self.semantics.virtual:
            self.terms.declare(made, f"{EXACTLY}{callees.of}")
        return made
