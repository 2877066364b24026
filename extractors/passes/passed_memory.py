"""What calls get: parts of one object, and sizes that no object has."""

from __future__ import annotations

from collections.abc import Sequence

from pliant.extractors.ir.operands import Constant, Operand
from pliant.extractors.ir.unit import Instruction
from pliant.extractors.lowering.ranges import Number
from pliant.extractors.passes.file_outcomes import FileOutcomes
from pliant.extractors.passes.sums import Sum, added
from pliant.extractors.passes.variables import NEVER_NULL
from pliant.extractors.ssa import UNDEFINED, Value

_MODULUS = 2**64  # of a size
_Part = tuple[Value, tuple[str, ...], list[Operand]]


class PassedMemory(FileOutcomes):
    """The calls of the function under construction."""

    def calling(self, instruction: Instruction, call: Value, passed: list[Value]) -> None:
        super().calling(instruction, call, passed)
        operands = [each.value for each in instruction.operands[1]]
        name = self.library_name(instruction)
        known = self.semantics.memory
        if name in known.sizes:
            self._request(name, call, operands)
        if name not in known.names or name in known.apart:
            self._same_objects(call, operands, passed)

    # Arguments that are parts of one object.

    def _same_objects(self, call: Value, operands: Sequence[Operand], values: Sequence[Value]) -> None:
        """Note pairs of arguments that point into one object, unless the source shows that the parts are apart."""
        fn = self.fn
        by_object: dict[Value, int] = {}
        for position, (operand, value) in enumerate(zip(operands, values, strict=True)):
            if isinstance(operand, Constant) or value in (UNDEFINED, fn.opaque):
                continue
            target = self.object_of(value)
            if not fn.names[target] and target in fn.nonnull and not fn.is_phi(target):
                continue  # a number, or one that nothing is known of
            if self.type_of(operand).kind in NEVER_NULL:
                continue
            first = by_object.setdefault(target, position)
            if first == position or target in self.guards.literal_null:
                continue
            if not self._are_apart(operands[first], operand, operands[-1]):
                fn.emit("same_object", call, first, position)

    def _are_apart(self, one: Operand, other: Operand, length: Operand) -> bool:
        """Whether two parts of one object do not overlap: they are as far apart as they are long, they are elements, or
        different members."""
        a, b = self._part_of(one), self._part_of(other)
        if a[0] != b[0] or a == b:
            return False
        if a[1] != b[1]:  # members of one structure
            return bool(a[1]) and bool(b[1])
        elements = self._is_element(one) and self._is_element(other)
        if elements and self.op(length) == "arithmetic" and self.instructions[length].operands[0] == "sizeof":  # type: ignore[index]
            return True
        far = [self._far(each[2]) for each in (a, b)]
        size = self.sum_of(length)
        if far[0] is None or far[1] is None or size is None:
            return False
        between = added(far[0], far[1], -1)
        if between is None:
            return False
        sizes = (size, Sum(tuple((value, -factor) for value, factor in size.terms), -size.constant, size.asked))
        if any(between[:2] == each[:2] for each in sizes):
            return True
        return elements and not size.terms

    def _is_element(self, operand: Operand) -> bool:
        return self.op(operand) in ("offset", "interior")

    def _part_of(self, operand: Operand) -> _Part:
        """A pointer as the pointer to an object, the members that lead from there, and by how much it is moved."""
        members: list[str] = []
        moved: list[Operand] = []
        while not isinstance(operand, Constant) and self.op(operand) in ("interior", "offset", "convert"):
            made = self.instructions[operand]
            if made.op == "interior":
                members.append(made.operands[1])
            elif made.op == "offset":
                moved.append(made.operands[1])
            operand = made.operands[0]
        if not isinstance(operand, Constant) and self.op(operand) == "load":
            base, field = self.instructions[operand].operands
            return self.fn.root(self.value(base)), (*members, field), moved
        return self.fn.root(self.value(operand)), tuple(members), moved

    def _far(self, moved: Sequence[Operand]) -> Sum | None:
        total: Sum | None = Sum((), 0, asked=False)
        for each in moved:
            by = self.sum_of(each)
            total = added(total, by, 1) if by is not None and total is not None else None
        return total

    # Allocations.

    def _request(self, name: str, call: Value, operands: Sequence[Operand]) -> None:
        """Note a call of an allocating function that asks for more than any object has."""
        positions = self.semantics.memory.sizes[name]
        if max(positions) >= len(operands):
            return
        least: Number = 1
        for position in positions:
            least = _product(least, self._least(operands[position]))
        if least > self.semantics.memory.largest:
            self.fn.emit("excessive", call)

    def _least(self, operand: Operand) -> Number:
        """The least that an operand can be as a size, where a number below 0 is a large one. Products do not wrap."""
        if not isinstance(operand, Constant) and self.op(operand) == "arithmetic":
            operator, operands = self.instructions[operand].operands
            if operator == "*" and len(operands) == 2:
                return _product(*map(self._least, operands))
        known = self.sum_of(operand)
        if known is None:
            return 0
        bounds = self.spread(known)
        low, high = bounds[0][0], bounds[-1][1]
        return low if low >= 0 else max(low + _MODULUS, 0) if high < 0 else 0


def _product(a: Number, b: Number) -> Number:
    return a * b if a and b else 0  # also of no number and infinity
