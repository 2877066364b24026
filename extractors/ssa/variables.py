"""Variables: what a read gives where control is, and the phis that it takes."""

from __future__ import annotations

from pliant.extractors.ssa.blocks import UNDEFINED, Block, Key, Path, Value
from pliant.extractors.ssa.values import Values
from pliant.extractors.writer import FactWriter


class Variables(Values):
    """What variables and paths hold at the end of each block. Keys of variables are names that the language's scopes
    make unique."""

    __slots__ = ("_carried", "_joining", "_phi_keys", "_users", "entry_values", "fields_of")

    def __init__(self, writer: FactWriter, symbol: str) -> None:
        super().__init__(writer, symbol)
        self.fields_of: dict[Value, dict[str, None]] = {}  # root -> fields whose path was written or read
        self.entry_values: dict[Key, Value] = {}  # what a key holds when the function is entered
        self._joining: dict[tuple[Block, Key], Value] = {}  # what is being read at joins -> the phi, if there is one
        self._phi_keys: dict[Value, Key] = {}
        self._users: dict[Value, list[Value]] = {}
        self._carried: dict[tuple[Block, Key], int] = {}  # how many of a block's calls a path was carried over

    def write(self, key: Key, value: Value, block: Block | None = None) -> None:
        if block is None:
            block = self.block
        self._defs[block][key] = value
        self._log.append(key)
        if isinstance(key, tuple):
            root, field = key
            if (calls := self._calls[block]) and field[:1] != "$":
                self._carried[block, key] = len(calls)
            fields = self.fields_of.get(root)
            if fields is None:
                self.fields_of[root] = {field: None}
            else:
                fields[field] = None

    def read(self, key: Key, block: Block | None = None) -> Value:
        """The value of a variable at the end of `block` (here, by default); UNDEFINED where it has none."""
        if block is None:
            block = self.block
        calls = self._calls[block]
        value = self._defs[block].get(key)
        if value is None:
            value = self._defs[block][key] = self._read_entry(key, block)
            if calls:  # around a loop it may have been carried
                self._carried[block, key] = 0
        if value in self.forward:
            value = self.resolve(value)
        if (
            calls
            and isinstance(key, tuple)
            and key[1][:1] != "$"  # they change no knowledge
            and len(calls) > self._carried.get((block, key), 0)
        ):
            value = self._carry(key, value, block)
        return value

    def _read_entry(self, key: Key, block: Block) -> Value:
        """The value of a variable at the start of `block`; noted for the blocks that are gone through before it."""
        # Straight-line predecessors are followed in a loop: a long function is a long chain of blocks.
        defs, before_of, calls = self._defs, self._before, self._calls
        begins: tuple[Block, ...] = ()  # where what is known of a path begins
        changing = False  # whether calls change it
        if isinstance(key, tuple):
            begins, changing = (self.homes[key[0]], self.entry), key[1][:1] != "$"
        chain: list[Block] = []
        value: Value | None = None
        while value is None:
            if block in begins:
                value = self._enter_path(key)  # type: ignore[arg-type]
                break
            before = before_of[block]
            if before < 0 and (before := self._passing(key, block, changing)) < 0:
                value = self._begins(key, block)
                self._carried[block, key] = 0
                break
            chain.append(block)
            block = before
            value = defs[block].get(key)
            if changing and (value is not None or calls[block]):
                value = self.read(key, block)
        if chain:
            self.steps += len(chain) + 1 >> 1
            if self.steps > self.most_steps:
                self.spend(0)
            for passed in chain[1:]:
                defs[passed].setdefault(key, value)
        return value

    def _passing(self, key: Key, block: Block, changing: bool) -> Block:
        """A block before a join, or before the header of a loop, from which a key has the same value; -1 where there is
        none. changing: calls change it."""
        region = self._regions.get(block)
        if region is not None:
            if (region.quiet or not changing) and key not in (
                self._written(region) if region.written is None else region.written
            ):
                return region.block
            if self._sealed[block] and len(self._preds[block]) == 1:
                return self._preds[block][0]
        kept = self._kept.get(block)  # of a loop that does not write it
        return self._preds[block][0] if kept is not None and key in kept and self._preds[block] else -1

    def _begins(self, key: Key, block: Block) -> Value:
        """The value at the start of a block to which not just one other block leads."""
        defs = self._defs[block]
        if not self._sealed[block]:
            value = defs[key] = self._new_phi(key, block)
            self._incomplete.setdefault(block, {})[key] = value
        elif self._preds[block]:
            value = defs[key] = self._join(key, block)
        else:
            value = self.entry_values.get(key, UNDEFINED) if block == self.entry else UNDEFINED
        return value

    def _join(self, key: Key, block: Block) -> Value:
        """The value at the start of a block that several lead to: a phi if it is not the same on all ways."""
        place = (block, key)
        if place in self._joining:  # a loop has led here again
            phi = self._joining[place] = self._joining[place] or self._new_phi(key, block)
            return phi
        self._joining[place] = UNDEFINED
        preds = self._preds[block]
        operands = [self.read(key, pred) for pred in preds]
        phi = self._joining.pop(place)
        if phi != UNDEFINED:
            self._take(phi, operands)
            return self._simplify(phi)
        same = set(operands)
        if not self.forward.keys().isdisjoint(same):
            same = set(map(self.resolve, same))
        same.discard(UNDEFINED)
        if len(same) <= 1:
            return same.pop() if same else UNDEFINED
        phi = self._new_phi(key, block)
        self._take(phi, operands)
        return phi

    def _new_phi(self, key: Key, block: Block) -> Value:
        number = len(self.names)
        self.names.append(None)
        self.roots.append(number)
        self.homes.append(block)
        self._operands[number] = []
        self._phi_keys[number] = key
        return number

    def _complete(self, key: Key, phi: Value, block: Block) -> Value:
        self._take(phi, [self.read(key, pred) for pred in self._preds[block]])
        return self._simplify(phi)

    def _take(self, phi: Value, operands: list[Value]) -> None:
        """operands: of a phi, in the order of the predecessors of its block."""
        self.spend(len(operands))
        self._phi_roots.clear()
        phis, users = self._operands, self._users
        phis[phi] += zip(self._preds[self.homes[phi]], operands, strict=True)
        for operand in operands:
            if operand in phis and operand != phi:
                known = users.get(operand)
                if known is None:
                    users[operand] = [phi]
                else:
                    known.append(phi)

    def _simplify(self, phi: Value) -> Value:
        """Replace a phi that joins only itself and one other value by that value."""
        todo = [phi]
        while todo:
            current = todo.pop()
            if current in self.forward:
                continue
            block = self.homes[current]
            if not self._sealed[block] or len(self._operands[current]) < len(self._preds[block]):
                continue
            operands, forward = self._operands[current], self.forward
            self.spend(len(operands))
            same = {self.resolve(operand) if operand in forward else operand for _, operand in operands}
            same -= {current, UNDEFINED}
            if len(same) > 1:
                continue
            self.forward[current] = same.pop() if same else UNDEFINED
            self._phi_roots.clear()
            todo.extend(self._users.pop(current, []))
        return self.resolve(phi)

    def _enter_path(self, key: Path) -> Value:
        """What a path holds where its base comes from."""
        raise NotImplementedError

    def _carry(self, key: Path, value: Value, block: Block) -> Value:
        """The content of a path after the calls that were made since it was last known, in their order."""
        raise NotImplementedError
