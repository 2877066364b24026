"""Static single assignment, built while a function is lowered.

The construction is that of Braun et al., "Simple and Efficient Construction of Static Single Assignment Form" (CC
2013): a block knows the values of the variables it defines, a read walks to the predecessors and places phis where
they disagree. On top of it stand

* regions: a join of branches knows where they began, and what they do not write is looked for there;
* guards: a branch on `x is None` gives `x` a new value on either side, so that rules without flow sensitivity see it;
* roots: a guard's root is the value it guards, so that a test can be recognised when it is repeated;
* paths: `base.field` is a variable of its own, keyed by the root of `base`; calls in between are written down as facts
  (`carry`) because only the call graph knows what they change;
* control: the variable `LIVE` is redefined by calls that may not return, so that what follows them can be cut off.

Lowering calls `emit` with value numbers; facts are written by `finish`, when trivial phis have been removed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pliant.extractors.schema import RELATIONS
from pliant.extractors.writer import FactWriter, Span

Value = int
Block = int
Path = tuple[Value, str]  # root of the base, field
Key = str | Path
UNDEFINED: Value = 0
LIVE = "$live"
_NOTHING = -1

_NUMBER_COLUMNS = {
    name: tuple(position for position, (_, kind) in enumerate(relation.columns) if kind != "symbol")
    for name, relation in RELATIONS.items()
}
_TOLD_APART = re.compile(r"#[^.\[]*")  # what tells keys of one name apart


@dataclass(frozen=True, slots=True)
class Here:
    """A place in a function: a block, and how much had been written when it was lowered."""

    block: Block
    mark: int


@dataclass(slots=True)
class _Region:
    """What was lowered since `block`: writes number `begin` to `end`; which keys they write, once that was asked."""

    block: Block
    begin: int
    end: int
    written: frozenset[Key] | None = None


class Function:
    """A function body (or module body) under construction.

    symbol: the function's own symbol, `|qualname`. Keys are variable names made unique by the language's scopes.
    tracked: names of the fields that the file writes; only their paths are followed.
    cleared: names of the fields that the file sets to null; only their paths cross calls.
    """

    def __init__(self, writer: FactWriter, symbol: str, tracked: frozenset[str], cleared: frozenset[str]) -> None:
        self.writer = writer
        self.symbol = symbol
        self.tracked = tracked
        self.cleared = cleared
        self.names: list[str | None] = [""]
        self.spans: dict[Value, Span] = {}
        self.roots: list[Value] = [UNDEFINED]
        self.homes: list[Block] = [-1]
        self.nonnull: set[Value] = set()
        self.formals: dict[Value, None] = {}
        self.fields_of: dict[Value, dict[str, None]] = {}  # root -> fields whose path was written or read
        self.fixed: dict[str, Value] = {}  # values that stand for a symbol of their own, such as a cell
        self.entry_values: dict[Key, Value] = {}  # what a key holds when the function is entered
        self.tests: dict[Value, tuple[list[Refinement], list[Refinement]]] = {}
        self._preds: list[list[Block]] = []
        self._defs: list[dict[Key, Value]] = []
        self._sealed: list[bool] = []
        self._kept: dict[Block, frozenset[str]] = {}  # header of a loop -> variables that the loop does not write
        self._log: list[Key] = []  # all that was written, in order
        self._entries: list[tuple[int, int]] = []  # where in the log control comes in from elsewhere, and from where
        self._regions: dict[Block, _Region] = {}  # a block that only its region leads to
        self._joining: dict[tuple[Block, Key], Value] = {}  # what is being read at joins -> the phi, if there is one
        self._incomplete: dict[Block, dict[Key, Value]] = {}
        self._operands: dict[Value, list[tuple[Block, Value]]] = {}
        self._phi_keys: dict[Value, Key] = {}
        self._users: dict[Value, list[Value]] = {}
        self._forward: dict[Value, Value] = {}
        self._calls: list[list[Value]] = []
        self._call_arguments: dict[Value, dict[Value, Value]] = {}  # call -> root of argument -> argument
        self._carried: dict[tuple[Block, Path], int] = {}
        self._ops: list[tuple[str, tuple[int | str, ...]]] = []
        self._definitions: dict[Value, list[tuple[str, tuple[int | str, ...]]]] = {}
        self.constants: dict[Value, object] = {}  # values that stand for a constant that is not null
        self.private: set[Value] = set()  # addresses of places that only calls which get them can change
        self.carried: dict[Value, Value] = {}  # contents of paths after calls, by the last of the calls
        self.carried_from: dict[Value, tuple[Value, list[Value]]] = {}  # what they were before, and all the calls
        self.block = self.new_block()
        self.entry = self.block
        self.seal(self.block)
        self.write(LIVE, self.fixed_value(symbol))
        self.opaque = self.unnamed()
        self.unknown = self.value("")  # the content of a path of which nothing is known
        self.homes[self.unknown] = -1

    # Blocks.

    def new_block(self, *preds: Block) -> Block:
        """A block that is not sealed: predecessors can still be added."""
        self._preds.append(list(preds))
        self._defs.append({})
        self._sealed.append(False)
        self._calls.append([])
        return len(self._preds) - 1

    def keep(self, header: Block, names: frozenset[str]) -> None:
        """Say that the loop of `header`, whose one predecessor so far is what is before it, does not write `names`."""
        self._kept[header] = names

    def here(self) -> Here:
        """Where a region begins."""
        return Here(self.block, len(self._log))

    def joins(self, block: Block, since: Here) -> None:
        """Say that nothing leads to `block`, all of whose predecessors are known, but what was lowered `since`: of what
        was not written since then, it has what was there."""
        for place, source in reversed(self._entries):
            if place < since.mark:
                break
            if source < since.mark:
                return
        if self._preds[block]:
            self._regions[block] = _Region(since.block, since.mark, len(self._log))

    def written_before(self, block: Block) -> frozenset[Key]:
        """The keys that were written in the region that a join ends; none where it ends none."""
        region = self._regions.get(block)
        return frozenset() if region is None else self._written(region)

    def enter(self, source: Here | None = None) -> None:
        """Note that control comes in from elsewhere: from `source`, or from anywhere."""
        self._entries.append((len(self._log), source.mark if source is not None else -1))

    def start(self, block: Block) -> None:
        """Seal `block` and go on in it."""
        self.seal(block)
        self.block = block

    def edge(self, source: Block, target: Block) -> None:
        if self._sealed[target]:
            raise AssertionError("an edge into a sealed block")
        if source not in self._preds[target]:
            self._preds[target].append(source)

    def sealed(self, block: Block) -> bool:
        """Whether all predecessors of a block are known."""
        return self._sealed[block]

    def jump(self, target: Block) -> None:
        """End the current block with an edge to `target` and go on where nothing leads."""
        if self.reachable():
            self.edge(self.block, target)
        self.stop()

    def stop(self) -> None:
        """What is lowered next is not reached."""
        self.start(self.new_block())

    def reachable(self, block: Block | None = None) -> bool:
        block = self.block if block is None else block
        return block == self.entry or bool(self._preds[block]) or not self._sealed[block]

    def split(self) -> Block:
        """Begin a new block after the current one; returns the one that ended."""
        ended = self.block
        self.start(self.new_block(ended) if self.reachable() else self.new_block())
        return ended

    def seal(self, block: Block) -> None:
        if self._sealed[block]:
            return
        self._sealed[block] = True
        for key, phi in self._incomplete.pop(block, {}).items():
            self._complete(key, phi, block)

    # Values.

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
        value = self.value("")
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
        if value in self._forward:
            value = self.resolve(value)
        if value not in self._operands and self.roots[value] == value:
            return value
        return self._root(value, 4)

    def _root(self, value: Value, depth: int) -> Value:
        value = self.resolve(value)
        operands = self._operands.get(value)
        if operands is None:
            root = self.roots[value]
            return root if root == value or not depth else self._root(root, depth - 1)
        if not depth or not operands:
            return value
        found = UNDEFINED
        for _, operand in operands:
            if operand != value:
                root = self._root(operand, depth - 1)
                if root == UNDEFINED or root != (found or root):
                    return value
                found = root
        return found or value

    def resolve(self, value: Value) -> Value:
        forward = self._forward
        while value in forward:
            value = forward[value]
        return value

    # Variables.

    def write(self, key: Key, value: Value, block: Block | None = None) -> None:
        block = self.block if block is None else block
        self._defs[block][key] = value
        self._log.append(key)
        if isinstance(key, tuple):
            if key[1][:1] != "$":
                self._carried[(block, key)] = len(self._calls[block])
            self.fields_of.setdefault(key[0], {})[key[1]] = None

    def read(self, key: Key, block: Block | None = None) -> Value:
        """The value of a variable at the end of `block` (here, by default); UNDEFINED where it has none."""
        block = self.block if block is None else block
        value = self._defs[block].get(key)
        if isinstance(key, str) or key[1][:1] == "$":  # calls change no knowledge
            if value is None:
                value = self._defs[block][key] = self._read_entry(key, block)
            return self.resolve(value) if value in self._forward else value
        if value is None:
            value = self._defs[block][key] = self._read_entry(key, block)
            self._carried[(block, key)] = 0
        if value in self._forward:
            value = self.resolve(value)
        if len(self._calls[block]) > self._carried.get((block, key), 0):
            value = self._carry(key, value, block)
        return value

    def _read_entry(self, key: Key, block: Block) -> Value:
        """The value at the start of `block`."""
        # Straight-line predecessors are followed in a loop: a long function is a long chain of blocks.
        chain: list[Block] = []
        value: Value | None = None
        home = self.homes[key[0]] if isinstance(key, tuple) else None
        changing = key if isinstance(key, tuple) and key[1][:1] != "$" else None
        while value is None:
            region = self._regions.get(block)
            if isinstance(key, tuple) and block in (home, self.entry):
                value = self._enter_path(key)
            elif region is not None and changing is None and key not in self._written(region):
                chain.append(block)
                block = region.block
                value = self._defs[block].get(key)
            elif block in self._kept and key in self._kept[block] and self._preds[block]:
                chain.append(block)
                block = self._preds[block][0]
                value = self._defs[block].get(key)
            elif not self._sealed[block]:
                value = self._new_phi(key, block)
                self._incomplete.setdefault(block, {})[key] = self._defs[block][key] = value
                if changing is not None:
                    self._carried[(block, changing)] = 0
            elif not self._preds[block]:
                value = self.entry_values.get(key, UNDEFINED) if block == self.entry else UNDEFINED
            elif len(self._preds[block]) == 1:
                chain.append(block)
                block = self._preds[block][0]
                value = self._defs[block].get(key)
                if changing is not None and (value is not None or self._calls[block]):
                    value = self.read(key, block)
            else:
                value = self._join(key, block)
                self._defs[block][key] = value
                if changing is not None:
                    self._carried[(block, changing)] = 0
        for passed in chain:
            self._defs[passed].setdefault(key, value)
            if changing is not None:
                self._carried.setdefault((passed, changing), 0)
        return value

    def _written(self, region: _Region) -> frozenset[Key]:
        if region.written is None:
            region.written = frozenset(self._log[region.begin : region.end])
        return region.written

    def _join(self, key: Key, block: Block) -> Value:
        """The value at the start of a block that several lead to: a phi if it is not the same on all ways."""
        if (block, key) in self._joining:  # a loop has led here again
            phi = self._joining[(block, key)] = self._joining[(block, key)] or self._new_phi(key, block)
            return phi
        self._joining[(block, key)] = UNDEFINED
        operands = [(pred, self.read(key, pred)) for pred in self._preds[block]]
        phi = self._joining.pop((block, key))
        if phi == UNDEFINED:
            same = {self.resolve(operand) for _, operand in operands} - {UNDEFINED}
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
            for _, operand in self._operands[current]:
                operand = self.resolve(operand)
                if operand not in (current, UNDEFINED):
                    same.add(operand)
            if len(same) > 1:
                continue
            self._forward[current] = same.pop() if same else UNDEFINED
            todo.extend(self._users.pop(current, []))
        return self.resolve(phi)

    def operand(self, value: Value, block: Block) -> Value:
        """What the phi `value` takes from predecessor `block`; UNDEFINED if it is no such phi."""
        for pred, operand in self._operands.get(self.resolve(value), ()):
            if pred == block:
                return self.resolve(operand)
        return UNDEFINED

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
                todo.extend(operand for _, operand in self._operands.get(current, ()))
                if current not in self.nonnull:
                    todo.append(self.roots[current])  # what is carried over calls, guarded
        return False

    def sources(self, value: Value) -> list[tuple[Block, Value]] | None:
        """Of a phi whose block is sealed, what it takes from which predecessor; None if it is no such phi."""
        value = self.resolve(value)
        operands = self._operands.get(value)
        if operands is None or len(operands) < len(self._preds[self.homes[value]]):
            return None
        return [(pred, self.resolve(operand)) for pred, operand in operands]

    def operands(self, value: Value) -> list[Value] | None:
        """What a phi joins; None if `value` is no phi."""
        operands = self._operands.get(self.resolve(value))
        return [self.resolve(operand) for _, operand in operands] if operands is not None else None

    # Paths.

    def path(self, base: Value, field: str) -> Path | None:
        """The key of `base.field`; None where there is no base."""
        root = self.root(base)
        return (root, field) if root not in (UNDEFINED, self.opaque) else None

    def content(self, path: Path, block: Block | None = None) -> Value:
        """What is known of the content of a path at the end of `block` (here, by default); UNDEFINED if nothing is."""
        root, field = path
        if field not in self.tracked and field not in self.fields_of.get(root, ()):
            return UNDEFINED
        value = self.read(path, block)
        return UNDEFINED if value == self.unknown else value

    def _enter_path(self, key: Path) -> Value:
        root, field = key
        if root not in self.formals or field not in self.cleared:
            return self.unknown
        value = self.entry_values.get(key)
        if value is None:
            value = self.value(f"{self.symbol}|{field} of {self.what(root)} at entry|1", root=UNDEFINED)
            self.homes[value] = self.entry
            self.carried[value] = UNDEFINED
            self.entry_values[key] = value
            self.fields_of.setdefault(root, {})[field] = None
            self.define(value, "path_formal", self.symbol, root, field, value)
        return value

    def key_name(self, key: Key) -> str:
        """What names say of a variable or a path: nothing that the rest of the function changes."""
        if isinstance(key, str):
            return key.partition("#")[0]
        field = _TOLD_APART.sub("", key[1]) if "#" in key[1] else key[1]
        return f"{field} of {self.what(key[0])}"

    def is_entry(self, value: Value) -> bool:
        """Whether the value is what a path held when the function was entered."""
        return self.carried.get(value) == UNDEFINED

    def what(self, value: Value) -> str:
        """What a value's name says it is, without its function and ordinal."""
        name = self.names[value]
        return name.rsplit("|", 2)[1] if name and name.count("|") >= 2 else "value"

    def _carry(self, key: Path, value: Value, block: Block) -> Value:
        """The content of a path after the calls that were made since it was last known, in their order."""
        root, field = key
        pending: list[Value] = []
        private = root in self.private
        for call in self._calls[block][self._carried.get((block, key), 0) :]:
            if not private or root in self._call_arguments[call]:
                pending.append(call)
            if field in self.cleared and root in self._call_arguments[call]:
                value = self._across(key, value, pending, block)
                self.define(value, "path_result", call, self._call_arguments[call][root], field, value)
                pending = []
        if pending and field in self.tracked and value != self.unknown and value not in self.nonnull:
            value = self._across(key, value, pending, block)
        self._defs[block][key] = value
        self._carried[(block, key)] = len(self._calls[block])
        return value

    def _across(self, key: Path, value: Value, calls: list[Value], block: Block) -> Value:
        carried = self.value(self.writer.name(self.symbol[1:], f"{self.key_name(key)} after calls"))
        self.homes[carried] = block
        self.carried[carried] = calls[-1]
        self.carried_from[carried] = (value, list(calls))
        if value != self.unknown and value not in self.nonnull:
            self.roots[carried] = self.root(value)  # where it has changed, no null is known of it
            self.define(carried, "carry", carried, value, key[1])
            for call in calls:
                self.define(carried, "carry_across", carried, call)
        return carried

    def called(self, call: Value, arguments: Iterable[Value]) -> None:
        """Note that `call` happens here with these arguments, the receiver included."""
        by_root: dict[Value, Value] = {}
        for argument in arguments:
            root = self.root(argument)
            by_root.setdefault(root, argument)
            for field in self.fields_of.get(root, ()):
                value = self.content((root, field))
                if value != UNDEFINED and field in self.cleared and value not in self.nonnull:
                    self.emit("path_actual", call, argument, field, value)
        self._calls[self.block].append(call)
        self._call_arguments[call] = by_root

    def leave(self) -> None:
        """Note that control leaves the function here."""
        if not self.reachable():
            return
        live = self.read(LIVE)
        self.emit("ends", self.symbol, live)
        for formal in self.formals:
            for field in self.fields_of.get(formal, ()):
                value = self.content((formal, field))
                if value != UNDEFINED and value not in self.nonnull and field in self.cleared:
                    self.emit("path_exit", self.symbol, formal, field, value, live)

    def _is_constant(self, value: Value) -> bool:
        """Whether nothing but constants of the source come together in a phi: then no fact is to mention it."""
        seen: set[Value] = set()
        todo = [value]
        while todo:
            current = self.resolve(todo.pop())
            if current in seen or current in self.constants or current == self.opaque:
                continue
            if current not in self._operands:
                return False
            seen.add(current)
            todo.extend(operand for _, operand in self._operands[current])
        return True

    # Facts.

    def emit(self, relation: str, *entries: int | str) -> None:
        """Note a fact: value numbers and symbols in symbol columns, numbers in number columns."""
        self._ops.append((relation, entries))

    def define(self, value: Value, relation: str, *entries: int | str) -> None:
        """Note a fact that says what `value` is: written if another fact mentions the value."""
        self._definitions.setdefault(value, []).append((relation, entries))

    def finish(self) -> None:
        """Write the facts of this function."""
        writer = self.writer
        intern = writer.symbol
        symbols: dict[Value, int] = {}  # value as it was emitted -> symbol; NOTHING if nothing is known of it
        used: list[Value] = []
        defined = self._definitions

        def symbol(value: Value) -> int:
            resolved = self.resolve(value)
            number = symbols.get(resolved)
            if number is None:
                name = self.names[resolved]
                if name is None and self._is_constant(resolved):
                    name = ""
                if name is None:
                    what = self.key_name(self._phi_keys[resolved])
                    name = self.names[resolved] = writer.name(self.symbol[1:], f"{what} joined")
                    used.append(resolved)
                if resolved == UNDEFINED or not name:
                    number = _NOTHING
                else:
                    number = intern(name)
                    if resolved in self.spans:
                        writer.place(number, self.spans[resolved])
                    if resolved in defined:
                        used.append(resolved)
                symbols[resolved] = number
            symbols[value] = number
            return number

        def write(relation: str, entries: tuple[int | str, ...]) -> None:
            numbers = _NUMBER_COLUMNS[relation]
            row: list[int] = []
            for position, entry in enumerate(entries):
                if isinstance(entry, str):
                    row.append(intern(entry))
                elif position in numbers:
                    row.append(entry)
                else:
                    number = symbols.get(entry)
                    if number is None:
                        number = symbol(entry)
                    if number == _NOTHING:
                        return
                    row.append(number)
            writer.row(relation, *row)

        for relation, entries in self._ops:
            if relation == "dereference" and self.resolve(int(entries[1])) in self.nonnull:
                continue  # what was a phi when this was lowered
            write(relation, entries)
        # Values that something uses, and what they use in turn.
        while used:
            value = used.pop()
            for relation, entries in defined.get(value, ()):
                write(relation, entries)
            if value not in self._phi_keys:
                continue
            phi = value
            control = self._phi_keys[phi] == LIVE
            for pred, operand in self._operands[phi]:
                if self.resolve(operand) == phi or symbol(operand) == _NOTHING:
                    continue
                if control:
                    writer.row("control", symbol(phi), symbol(operand))
                else:
                    writer.row("phi", symbol(phi), symbol(operand), symbol(self.read(LIVE, pred)))


Refinement = tuple[Key, Value, bool]  # variable, the root it was tested as, whether it is then not null
