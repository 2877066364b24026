"""Values: numbers by which lowering speaks of them, what each is at run time, and the facts that mention them."""

from __future__ import annotations

from collections.abc import Mapping

from pliant.extractors.ssa.blocks import UNDEFINED, Block, Blocks, Key, Value
from pliant.extractors.writer import FactWriter, Span

LIVE = "$live"
Refinement = tuple[Key, Value, bool]  # variable, the root it was tested as, whether it is then not null


class Values(Blocks):
    """The values of a function under construction; `names` and the other lists are indexed by value."""

    __slots__ = (
        "_definitions",
        "_operands",
        "_ops",
        "_phi_roots",
        "classes",
        "constants",
        "fixed",
        "forward",
        "homes",
        "names",
        "nonnull",
        "qualname",
        "roots",
        "spans",
        "symbol",
        "tests",
        "writer",
    )

    def __init__(self, writer: FactWriter, symbol: str) -> None:
        super().__init__()
        self.writer = writer
        self.symbol = symbol
        self.qualname = symbol[1:]
        self.names: list[str | None] = [""]
        self.spans: dict[Value, Span] = {}
        self.roots: list[Value] = [UNDEFINED]
        self.homes: list[Block] = [-1]
        self.nonnull: set[Value] = set()
        self.classes: dict[Value, Value] = {}  # values of a declared class, and what holds that: tests keep it
        self.constants: dict[Value, object] = {}  # values that stand for a constant that is not null
        self.fixed: dict[str, Value] = {}  # values that stand for a symbol of their own, such as a cell
        self.tests: dict[Value, tuple[list[Refinement], list[Refinement]]] = {}
        self._operands: dict[Value, list[tuple[Block, Value]]] = {}
        self.forward: dict[Value, Value] = {}  # what has been replaced -> by what: `resolve` follows it
        self._phi_roots: dict[Value, Value] = {}  # until a phi changes
        self._ops: list[tuple[str, tuple[int | str, ...]]] = []
        self._definitions: dict[Value, list[tuple[str, tuple[int | str, ...]]]] = {}

    def value(self, name: str, span: Span | None = None, root: Value = UNDEFINED) -> Value:
        number = len(self.names)
        self.names.append(name)
        self.roots.append(root or number)
        self.homes.append(self.block)
        if span is not None:
            self.spans[number] = span
        return number

    def unnamed(self) -> Value:
        """A value that is not null and of which nothing else is known: no fact mentions it."""
        value = len(self.names)
        self.names.append("")
        self.roots.append(value)
        self.homes.append(self.block)
        self.nonnull.add(value)
        return value

    def fixed_value(self, symbol: str) -> Value:
        """The value that stands for a symbol made elsewhere."""
        number = self.fixed.get(symbol)
        if number is None:
            number = self.fixed[symbol] = self.value(symbol)
            self.homes[number] = 0
        return number

    def root(self, value: Value) -> Value:
        """The value that `value` is at run time, seen through guards and through phis of guards."""
        if value in self.forward:
            value = self.resolve(value)
        if value not in self._operands:
            root = self.roots[value]
            if root == value or (self.roots[root] == root and root not in self._operands and root not in self.forward):
                return root
            return self._root(root, 3, {})
        found = self._phi_roots.get(value)
        if found is None:
            found = self._phi_roots[value] = self._root(value, 4, {})
        return found

    def _root(self, value: Value, depth: int, known: dict[tuple[Value, int], Value]) -> Value:
        """known: the roots of phis on the way."""
        while True:
            if value in self.forward:
                value = self.resolve(value)
            operands = self._operands.get(value)
            if operands is not None:
                break
            root = self.roots[value]
            if root == value or not depth:
                return root
            value, depth = root, depth - 1
        if not depth or not operands:
            return value
        found = known.get((value, depth))
        if found is None:
            found = known[value, depth] = self._joined_root(value, operands, depth - 1, known)
        return found

    def _joined_root(
        self, phi: Value, operands: list[tuple[Block, Value]], depth: int, known: dict[tuple[Value, int], Value]
    ) -> Value:
        found, taken = UNDEFINED, 0
        for taken, (_, operand) in enumerate(operands, 1):  # noqa: B007 - how many of them were looked at
            if operand != phi:
                root = self._root(operand, depth, known)
                if root == UNDEFINED or root != (found or root):
                    found = UNDEFINED
                    break
                found = root
        self.steps += taken
        if self.steps > self.most_steps:
            self.spend(0)
        return found or phi

    def resolve(self, value: Value) -> Value:
        forward = self.forward
        while value in forward:
            value = forward[value]
        return value

    def operand(self, value: Value, block: Block) -> Value:
        """What the phi `value` takes from predecessor `block`; UNDEFINED if it is no such phi."""
        operands = self._operands.get(self.resolve(value), ())
        self.spend(len(operands))
        for pred, operand in operands:
            if pred == block:
                return self.resolve(operand)
        return UNDEFINED

    def by_way(self, value: Value, came: Mapping[Block, Block]) -> Value:
        """What `value` is if control came to joins from those of their predecessors."""
        value, left = self.resolve(value), dict(came)
        while self.is_phi(value) and (pred := left.pop(self.homes[value], None)) is not None:
            value = self.operand(value, pred)
        return value

    def may_be(self, value: Value, wanted: Value) -> bool:
        """Whether `value` is `wanted`, or a phi that some way of the function leads to it."""
        seen: set[Value] = set()
        todo = [value]
        while todo:
            current = self.resolve(todo.pop())
            if current == wanted:
                return True
            if current not in seen:
                seen.add(current)
                operands = self._operands.get(current, ())
                self.spend(1 + len(operands))
                todo.extend(operand for _, operand in operands)
                if current not in self.nonnull:
                    todo.append(self.roots[current])  # what is carried over calls, guarded
        return False

    def is_phi(self, value: Value) -> bool:
        """Whether a value is a phi whose block is sealed."""
        if value in self.forward:
            value = self.resolve(value)
        operands = self._operands.get(value)
        return operands is not None and len(operands) >= len(self._preds[self.homes[value]])

    def is_joined(self, value: Value) -> bool:
        """Whether a value is a phi, perhaps of a block that is not sealed."""
        return self.resolve(value) in self._operands

    def sources(self, value: Value) -> list[tuple[Block, Value]] | None:
        """Of a phi whose block is sealed, what it takes from which predecessor; None if it is no such phi."""
        forward = self.forward
        if value in forward:
            value = self.resolve(value)
        operands = self._operands.get(value)
        if operands is None or len(operands) < len(self._preds[self.homes[value]]):
            return None
        self.spend(len(operands))
        return [(pred, self.resolve(operand) if operand in forward else operand) for pred, operand in operands]

    def operands(self, value: Value) -> list[Value] | None:
        """What a phi joins; None if `value` is no phi."""
        forward = self.forward
        if value in forward:
            value = self.resolve(value)
        operands = self._operands.get(value)
        if operands is None:
            return None
        if steps := len(operands) >> 3:
            self.spend(steps)
        return [self.resolve(operand) if operand in forward else operand for _, operand in operands]

    # Facts.

    def emit(self, relation: str, *entries: int | str) -> None:
        """Note a fact: value numbers and symbols in symbol columns, numbers in number columns."""
        self._ops.append((relation, entries))

    def note(self, relation: str, entries: tuple[int | str, ...]) -> None:
        """The same of entries that are a tuple already."""
        self._ops.append((relation, entries))

    def define(self, value: Value, relation: str, *entries: int | str) -> None:
        """Note a fact that says what `value` is: written if another fact mentions the value."""
        known = self._definitions.get(value)
        if known is None:
            self._definitions[value] = [(relation, entries)]
        else:
            known.append((relation, entries))
