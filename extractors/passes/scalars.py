"""Fields and functions that give one number for good (true is 1), and branches that test them.

Whether nothing else writes a field, and which field or function a name means, only the whole program tells: here are
the facts, rules decide which side of such a branch can run.
"""

from __future__ import annotations

from pliant.extractors.ir.operands import Constant, Operand, Predicate
from pliant.extractors.passes.fixed_numbers import number_of
from pliant.extractors.passes.library_calls import LibraryCalls
from pliant.extractors.ssa import LIVE, Value

Test = tuple[Value, int, bool]  # what is read, a number, and whether the test succeeds where the two are equal


class Scalars(LibraryCalls):
    """Branches on numbers that are the same for good."""

    def scalar_test(self, predicate: Predicate) -> Test | None:
        """The test that a predicate is of such a number, if it is one."""
        operator, operands = predicate.operator, predicate.operands
        subject = operands[0]
        if operator == "not" and isinstance(subject, Predicate):
            found = self.scalar_test(subject)
            return (found[0], found[1], not found[2]) if found is not None else None
        if operator == "truth" and isinstance(subject, int):
            read = self._scalar(subject)
            return (read, 1, True) if read is not None else None
        other = operands[-1]
        if operator != "==" or not isinstance(subject, int | Constant) or not isinstance(other, int | Constant):
            return None
        for asked, against in ((subject, other), (other, subject)):
            number = number_of(against)
            if number is not None and isinstance(asked, int) and (read := self._scalar(asked)) is not None:
                return read, number, True
        return None

    def note_scalar(self, test: Test, before: Value, *, outcome: bool) -> None:
        """What follows runs only if a test can have this outcome. before: the control value of the branch."""
        read, number, equal = test
        reached = self.fn.value(self.writer.name(self.guards.place, "branch"))
        self.fn.emit("control_if", reached, before, read, number, "equal" if outcome == equal else "other")
        self.fn.write(LIVE, reached)

    def _scalar(self, operand: Value) -> Value | None:
        """What stands in facts for an operand that may be such a number."""
        value = self.value(operand)
        made = self.instructions[operand]
        if made.op == "load":
            owner = self._owner(made.operands[0])
            if (owner, made.operands[1]) in self.survey.scalars or self.op(made.operands[0]) == "import":
                return value
        elif made.op == "invoke" and not made.operands[2]:
            of_file = any(
                each.name in self.survey.one_number for each in self.meant(made.operands[0], made.operands[1], 0)
            )
            if of_file or self.op(made.operands[0]) == "import":
                return value
        return None

    def _owner(self, base: Operand) -> str:
        """The class of the file that an operand is, or is an instance of."""
        kind = self.type_of(base)
        return self.class_named(base) or (kind.name if kind.kind == "class" and not kind.module else "")
