"""Which of two values is less, where pointers and numbers without a sign are compared (C)."""

from __future__ import annotations

from collections.abc import Sequence

from pliant.analyses.witness.declared import declared
from pliant.analyses.witness.instructions import Instructions
from pliant.analyses.witness.terms import Node
from pliant.extractors.ir.operands import Constant, Operand, Type
from pliant.extractors.lowering.ranges import NATURAL

_SUMS = frozenset("+-*/")
_UNKNOWN = frozenset(("some", "other", "given", "held", "applied", "answered", "either"))


class Order(Instructions):
    """Null is the least pointer, and 0 the least number without a sign."""

    def _less(self, operands: Sequence[Operand], values: Sequence[Node], *, or_equal: bool) -> Node:
        terms, holds = self.terms, super()._less(operands, values, or_equal=or_equal)
        if not self.semantics.pointers:
            return holds
        if any(declared(self.code, each).kind in ("pointer", "array") for each in operands):
            is_first_null, is_second_null = map(terms.is_null, values)
            if or_equal:
                return terms.any_of(is_first_null, terms.both(terms.opposite(is_second_null), holds))
            return terms.both(terms.opposite(is_second_null), terms.any_of(is_first_null, holds))
        for operand, value in zip(operands, values, strict=True):
            self._note_sign(operand, value)
        if self._has_no_sign(operands[1]) and self._loses_its_sign(operands[0]):
            return terms.both(holds, terms.is_less(terms.zero, values[1], or_equal=or_equal))
        return holds

    def _note_sign(self, operand: Operand, value: Node) -> None:
        """What is read where only a number without a sign can be is not negative: what is stored there is converted."""
        if (
            value.op in _UNKNOWN
            and not isinstance(operand, Constant)
            and self._is_natural(declared(self.code, operand))
        ):
            self.terms.natural.add(value)

    def _is_natural(self, kind: Type) -> bool:
        return kind.kind == "number" and self.semantics.limits.get(kind.name) == NATURAL

    def _loses_its_sign(self, operand: Operand) -> bool:
        """Whether a number is compared as one without a sign, where the other one has none."""
        return isinstance(operand, Constant) or declared(self.code, operand).name == "int" or self._has_no_sign(operand)

    def _has_no_sign(self, operand: Operand, depth: int = 8) -> bool:
        """Whether a number is of a type without a sign, or computed of such a one."""
        if isinstance(operand, Constant) or not depth:
            return False
        if (kind := declared(self.code, operand)).kind == "number":
            return self._is_natural(kind)
        instruction = self.code.instruction(operand)
        if instruction.op != "arithmetic" or instruction.operands[0] not in _SUMS:
            return False
        return any(self._has_no_sign(each, depth - 1) for each in instruction.operands[1])
