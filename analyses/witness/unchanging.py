"""Calls of libraries of which it is known what they give: functions that always give the same, and what maps hold."""

from __future__ import annotations

from collections.abc import Sequence

from pliant.analyses.witness.library import Library
from pliant.analyses.witness.state import CONTENT, ELEMENTS
from pliant.analyses.witness.terms import Node
from pliant.extractors.ir.operands import Argument, Constant, Operand
from pliant.extractors.ir.unit import Instruction

_NONE = Constant("integer", 0)
_PLAIN = frozenset(("number", "boolean", "string"))


class Unchanging(Library):
    """The methods that these calls need."""

    def _known(self, instruction: Instruction, base: Node, arguments: Sequence[Argument]) -> bool:
        """Give what a call of a library gives, where that is known and nothing changes but what is said here."""
        if any(each.name for each in arguments):
            return False
        name = self._pure_name(instruction)
        if name and all(self._never_changes(each.value) for each in arguments):
            self._gives(
                instruction, self._pure(instruction, name, base, [self._value(each.value) for each in arguments])
            )
            return True
        passed = [each.value for each in arguments]
        return instruction.op == "invoke" and (
            self._of_container(instruction, base, passed) or self._told(instruction, base, passed)
        )

    def _told(self, instruction: Instruction, base: Node, arguments: Sequence[Operand]) -> bool:
        """Give what a method gives, or tells of another one, that changes nothing: of the two, what is not null for the
        same arguments where the result is true."""
        tells, name = self.semantics.library.tells, instruction.operands[1]
        asks = name if name in tells else next((each for each, told in tells.items() if name in told), "")
        if not asks or not self.semantics.pure.calls.issuperset((asks, *tells[asks])):
            return False
        content = self.terms.held(self.state.get(CONTENT), base)
        gives = self.terms.applied(tells[asks][0], [base, *map(self._value, arguments), content])
        if name == asks:
            gives = self.terms.boolean(self.terms.opposite(self.terms.is_null(gives)))
        self._gives(instruction, gives)
        return True

    def _pure(self, instruction: Instruction, name: str, base: Node, passed: Sequence[Node]) -> Node:
        """What a function gives that always gives the same."""
        terms, library = self.terms, self.semantics.library
        method = name.rpartition(".")[2]
        if instruction.op == "invoke" and method in library.equal and len(passed) == 1:
            return terms.boolean(terms.both(terms.opposite(terms.is_null(passed[0])), terms.is_equal(base, passed[0])))
        return terms.pure(name, [base, *passed] if instruction.op == "invoke" else passed)

    def _pure_name(self, instruction: Instruction) -> str:
        """The full name of what is called, if it always gives the same; else empty."""
        of, operand = self.semantics.pure.of, instruction.operands[0]
        if not of:
            return ""
        if instruction.op == "call":
            full = (each.rpartition(".") for each in self.run.kinds.imported(self.code, operand))
            return next((f"{owner}.{name}" for owner, _, name in full if name in of.get(owner, ())), "")
        owners = self.run.kinds.of_library(self.code, operand)
        return next(
            (f"{each}.{instruction.operands[1]}" for each in owners if instruction.operands[1] in of.get(each, ())), ""
        )

    def _never_changes(self, operand: Operand) -> bool:
        """Whether an argument is declared to be something that cannot change."""
        if isinstance(operand, Constant):
            return True
        _, kind = self.run.kinds.type_of(self.code, operand)
        return kind.kind in _PLAIN or not self.semantics.pure.of.keys().isdisjoint(
            self.run.kinds.of_library(self.code, operand)
        )

    # Containers.

    def _of_container(self, instruction: Instruction, base: Node, arguments: Sequence[Operand]) -> bool:
        containers, library = self.semantics.containers_of, self.semantics.library
        kind = self.run.kinds.container(self.code, instruction.operands[0])
        if containers is None or not kind:
            return False
        name, passed = instruction.operands[1], [self._value(each) for each in arguments]
        terms = self.terms
        if name in library.keyed.values() and name == library.keyed.get("put") and len(passed) == 2:
            self._changes(base)
            unknown = terms.some("element")
            self._put_at(base, passed[0], terms.either(terms.is_null(passed[1]), unknown, passed[1]))
            self._gives(instruction, terms.some(name))
            return True
        removes = name == library.keyed.get("remove") and len(passed) == 1 and kind in self.semantics.pure.maps
        if name not in containers.looks and not removes:
            return False
        element = terms.held(terms.held(self.state.get(ELEMENTS), base), passed[0]) if len(passed) == 1 else None
        if element is not None and name in library.reads:
            if removes:
                self._changes(base)
                self._put_at(base, passed[0], terms.null)
            elif kind in containers.lists and _was_there(element) and not self._is_asked_about(instruction):
                self.holds = terms.both(self.holds, terms.opposite(terms.is_null(element)))
            self._gives(instruction, element)
        elif element is not None and not set(library.reads).isdisjoint(library.tells.get(name, ())):
            there = terms.both(terms.opposite(terms.is_null(passed[0])), terms.opposite(terms.is_null(element)))
            self._gives(instruction, terms.boolean(there))
        else:
            content = terms.held(self.state.get(CONTENT), base)
            size = terms.applied(containers.size, [base, content])
            none = terms.constant(_NONE)
            if name == containers.empty and not passed:
                self._gives(instruction, terms.boolean(terms.is_less(size, none, or_equal=True)))
            elif name == containers.size and not passed:
                self.holds = terms.both(self.holds, terms.is_less(none, size, or_equal=True))
                self._gives(instruction, size)
            else:
                self._gives(instruction, terms.applied(name, [base, *passed, content]))
        return True

    def _is_asked_about(self, instruction: Instruction) -> bool:
        """Whether the null that is asked about may come out of an instruction."""
        return instruction.number == self._origin or self._may_hold(instruction)


def _was_there(element: Node) -> bool:
    """Whether an element is one that a container has held since before the run."""
    return element.op == "held" and element.first.op == "held" and element.first.first.op == "table before"
