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
        self._carried: dict[tuple[Block, Path], int] = {}  # how many of a block's calls a path was carried over

    def write(self, key: Key, value: Value, block: Block | None = None) -> None:
        block = self.block if block is None else block
        self._defs[block][key] = value
        self._log.append(key)
        if isinstance(key, tuple):
            if key[1][:1] != "$" and self._calls[block]:
                self._carried[(block, key)] = len(self._calls[block])
            fields = self.fields_of.get(key[0])
            if fields is None:
                fields = self.fields_of[key[0]] = {}
            fields[key[1]] = None

    def read(self, key: Key, block: Block | None = None) -> Value:
        """The value of a variable at the end of `block` (here, by default); UNDEFINED where it has none."""
        if block is None:
            block = self.block
        defs = self._defs[block]
        value = defs.get(key)
        if isinstance(key, str) or key[1][:1] == "$":  # calls change no knowledge
            if value is None:
                value = defs[key] = self._read_entry(key, block)
            return self.resolve(value) if value in self._forward else value
        if value is None:
            value = defs[key] = self._read_entry(key, block)
            if self._calls[block]:
                self._carried[(block, key)] = 0
        if value in self._forward:
            value = self.resolve(value)
        calls = self._calls[block]
        if calls and len(calls) > self._carried.get((block, key), 0):
            value = self._carry(key, value, block)
        return value

    def _read_entry(self, key: Key, block: Block) -> Value:
        """The value at the start of `block`."""
        # Straight-line predecessors are followed in a loop: a long function is a long chain of blocks.
        path = None if isinstance(key, str) else key
        changing = path is not None and path[1][:1] != "$"  # by calls
        ends = () if path is None else (self.homes[path[0]], self.entry)  # where what is known of a path begins
        kept, sealed, defs, preds, calls = self._kept, self._sealed, self._defs, self._preds, self._calls
        chain: list[Block] = []
        value: Value | None = None
        while value is None:
            if path is not None and block in ends:
                value = self._enter_path(path)
                break
            region = self._regions.get(block)
            if (
                region is not None
                and (region.quiet or not changing)
                and key not in (self._written(region) if region.written is None else region.written)
            ):
                before = region.block
            elif block in kept and key in kept[block] and preds[block]:
                before = preds[block][0]
            elif not sealed[block]:
                value = self._new_phi(key, block)
                self._incomplete.setdefault(block, {})[key] = defs[block][key] = value
                if path is not None and changing and calls[block]:
                    self._carried[(block, path)] = 0
                break
            elif len(preds[block]) == 1:
                before = preds[block][0]
            elif preds[block]:
                value = defs[block][key] = self._join(key, block)
                if path is not None and changing and calls[block]:
                    self._carried[(block, path)] = 0
                break
            else:
                value = self.entry_values.get(key, UNDEFINED) if block == self.entry else UNDEFINED
                break
            chain.append(block)
            block = before
            value = defs[block].get(key)
            if changing and (value is not None or calls[block]):
                value = self.read(key, block)
        if chain:
            self.spend(len(chain))
            for passed in chain:
                defs[passed].setdefault(key, value)
        return value

    def _join(self, key: Key, block: Block) -> Value:
        """The value at the start of a block that several lead to: a phi if it is not the same on all ways."""
        place = (block, key)
        if place in self._joining:  # a loop has led here again
            phi = self._joining[place] = self._joining[place] or self._new_phi(key, block)
            return phi
        self._joining[place] = UNDEFINED
        operands = [(pred, self.read(key, pred)) for pred in self._preds[block]]
        phi = self._joining.pop(place)
        if phi == UNDEFINED:
            forward = self._forward
            same = {self.resolve(operand) if operand in forward else operand for _, operand in operands}
            same.discard(UNDEFINED)
            if len(same) <= 1:
                return same.pop() if same else UNDEFINED
            phi = self._new_phi(key, block)
        self._take(phi, operands)
        return self._simplify(phi)

    def _new_phi(self, key: Key, block: Block) -> Value:
        number = len(self.names)
        self.names.append(None)
        self.roots.append(number)
        self.homes.append(block)
        self._operands[number] = []
        self._phi_keys[number] = key
        return number

    def _complete(self, key: Key, phi: Value, block: Block) -> Value:
        self._take(phi, [(pred, self.read(key, pred)) for pred in self._preds[block]])
        return self._simplify(phi)

    def _take(self, phi: Value, operands: list[tuple[Block, Value]]) -> None:
        self.spend(len(operands))
        self._operands[phi].extend(operands)
        for _, operand in operands:
            if operand in self._operands and operand != phi:
                self._users.setdefault(operand, []).append(phi)

    def _simplify(self, phi: Value) -> Value:
        """Replace a phi that joins only itself and one other value by that value."""
        todo = [phi]
        while todo:
            current = todo.pop()
            if current in self._forward:
                continue
            block = self.homes[current]
            if not self._sealed[block] or len(self._operands[current]) < len(self._preds[block]):
                continue
            same: set[Value] = set()
            self.spend(len(self._operands[current]))
            for _, operand in self._operands[current]:
                operand = self.resolve(operand)
                if operand not in (current, UNDEFINED):
                    same.add(operand)
            if len(same) > 1:
                continue
            self._forward[current] = same.pop() if same else UNDEFINED
            todo.extend(self._users.pop(current, []))
        return self.resolve(phi)

    def _enter_path(self, key: Path) -> Value:
        """What a path holds where its base comes from."""
        raise NotImplementedError

    def _carry(self, key: Path, value: Value, block: Block) -> Value:
        """The content of a path after the calls that were made since it was last known, in their order."""
        raise NotImplementedError
