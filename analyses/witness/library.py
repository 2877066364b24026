"""What calls of the library do of which the language says something: they fail for null, or ask a question."""

from __future__ import annotations

from collections.abc import Sequence

from pliant.analyses.witness.binding import Binding
from pliant.analyses.witness.state import CONTENT, ELEMENTS
from pliant.analyses.witness.terms import Node
from pliant.extractors.ir.operands import Argument, Constant, Operand
from pliant.extractors.ir.unit import Instruction


class Library(Binding):
    """Functions of the library are known by their names there."""

    def _asks(self, function: str, arguments: Sequence[Argument]) -> Node | None:
        """What a function gives that only asks something of its argument; None of another one."""
        terms, semantics = self.terms, self.semantics
        if not arguments or any(each.name for each in arguments):
            return None
        operand = arguments[0].value
        if function in semantics.checks:
            return terms.boolean(terms.both(terms.opposite(terms.is_null(self._value(operand))), terms.open("asked")))
        if function not in (semantics.any_of, semantics.all_of) or len(arguments) != 1:
            return None
        wanted = function == semantics.any_of
        found = self._counted(operand, wanted=wanted)
        if found is None:
            return None
        if self._has_more(operand):
            found.append(terms.open("more"))
        some = terms.any_of(*found)
        return terms.boolean(some if wanted else terms.opposite(some))

    def _counted(self, operand: Operand, *, wanted: bool) -> list[Node] | None:
        """For each element of what is made just for a call, whether it counts as `wanted`."""
        if not isinstance(operand, int):
            return None
        made = self.code.instruction(operand)
        if made.op not in ("tuple", "allocate"):
            return None
        if made.op == "allocate" and made.operands[0].name not in ("Generator", "list", "set"):
            return None
        elements = [(self.terms.true, self._value(each)) for each in made.operands[-1]]
        filled = self.run.filled.get(self._value(operand), ())
        return [self._counts(holds, value, wanted=wanted) for holds, value in (*elements, *filled)]

    def _counts(self, holds: Node, value: Node | None, *, wanted: bool) -> Node:
        if value is None:  # it was asked for no more elements, since there was one
            return holds
        is_true = self.terms.is_true(value)
        return self.terms.both(holds, is_true if wanted else self.terms.opposite(is_true))

    def _has_more(self, operand: Operand) -> bool:
        """Whether a container may have elements that no run shows: those of other rounds of a loop."""
        shape = self.code.shape(self.terms.steps)
        place = self.code.block_of
        own = set(shape.around.get(place[int(operand)], ()))  # type: ignore[arg-type]
        fills = (each for each in self.code.index.of("fill") if each.operands[0] == operand)
        loops = {header for each in fills for header in shape.around.get(place[each.number], ())} - own
        return not loops <= shape.counted.items.keys()

    def _survives_library(self, function: str, arguments: Sequence[Argument]) -> None:
        """A function of the library that fails for null has come back."""
        positional = [each.value for each in arguments if not each.name]
        semantics = self.semantics
        if function in semantics.never_return or function in self.run.derived.ends:
            self.holds = self.terms.false
        needs = semantics.arguments.get(function, ()) if semantics.pointers else ()
        for position in (*semantics.fails.get(function, ()), *needs):
            if position < len(positional) and not any(each.name == "*" for each in arguments[: position + 1]):
                self._survives(function, arguments, positional[position])
        for each in self.run.derived.required(function, arguments):
            self._survives(function, arguments, each.value)

    def _survives(self, function: str, arguments: Sequence[Argument], operand: Operand) -> None:
        survives = self.terms.survives(self.holds, self._value(operand))
        none = self.terms.both(self.holds, self._touches_none(function, arguments))
        self.holds = self.terms.any_of(none, survives)

    def _touches_none(self, function: str, arguments: Sequence[Argument]) -> Node:
        """Whether a function of the library is told to read and write nothing, and so does not fail for null."""
        position = self.semantics.memory.touches_none.get(function, -1)
        if not 0 <= position < len(arguments) or any(each.name for each in arguments[: position + 1]):
            return self.terms.false
        return self.terms.is_zero(self._value(arguments[position].value))

    def _looks_up(self, instruction: Instruction, function: str, base: Node, arguments: Sequence[Argument]) -> bool:
        """Run a method that gives what a mapping has for a key, and its second argument, or null, for one that it has
        not; says whether it is one. That null is not one that the mapping holds."""
        if function not in self.semantics.lookups or not 0 < len(arguments) < 3 or any(each.name for each in arguments):
            return False
        terms, passed = self.terms, [self._value(each.value) for each in arguments]
        there = terms.is_key(passed[0], base, terms.held(self.state.get(CONTENT), base))
        missing = passed[1] if len(passed) == 2 else terms.null
        element = terms.held(terms.held(self.state.get(ELEMENTS), base), passed[0])
        if instruction.number == self._origin:
            element = terms.not_null("element")
        self._gives(instruction, terms.either(there, self._read(instruction, element), missing))
        return True

    def _of_names(self, instruction: Instruction, base: Node, arguments: Sequence[Argument]) -> bool:
        """Run a method that looks a name up among the arguments that are passed by name; says whether it is one."""
        if instruction.op != "invoke" or instruction.operands[1] not in _LOOKS_UP or not 0 < len(arguments) < 3:
            return False
        names, key = self._names(base), arguments[0].value
        if (
            names is None
            or not isinstance(key, Constant)
            or key.kind != "string"
            or any(each.name for each in arguments)
        ):
            return False
        found = names.get(str(key.content))
        if found is None and len(arguments) < 2 and instruction.operands[1] != "get":
            return False
        removes = instruction.operands[1] == "pop" and found is not None
        value = found or (self._value(arguments[1].value) if len(arguments) == 2 else self.terms.null)
        if removes:  # of what it holds then, all is known, too
            self._changes(base)
            left = {name: each for name, each in names.items() if name != key.content}
            self.run.names[base, self.terms.held(self.state.get(CONTENT), base)] = left
        self._gives(instruction, value)
        return True


_LOOKS_UP = frozenset(("get", "pop"))  # methods of a mapping
