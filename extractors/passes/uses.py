"""What fails for null: the facts of instructions, and of their uses of values that must not be null."""

from __future__ import annotations

from collections.abc import Sequence

from pliant.extractors.ir.operands import Constant, Operand
from pliant.extractors.ir.unit import Instruction
from pliant.extractors.lowering.correlation import unguarded
from pliant.extractors.passes import emission
from pliant.extractors.passes.decisions import Decisions
from pliant.extractors.passes.handlers import NOTHING_CAUGHT, Caught
from pliant.extractors.passes.names import site_of
from pliant.extractors.ssa import UNDEFINED, Block, Key, Value

_WAYS = 32  # to a join that are told apart
Given = dict[str, Value | str | list[Value]]


class Uses(Decisions):
    """caught: what is caught of exceptions that are raised in the current block."""

    caught: Caught

    def prepare(self) -> None:
        super().prepare()
        self._used = (
            self.index.used() if self.index.has("call", "invoke", "defer") or not self.semantics.objects else set()
        )
        self.caught = NOTHING_CAUGHT
        self.reads: dict[Value, Instruction] = {}  # what is read from fields, and where
        self.elements: dict[Value, Instruction] = {}  # elements of what is indexed, iterated over or taken apart
        self._items: dict[Operand, list[tuple[int, Key, Value]]] = {}  # of several results -> number, variable, value
        self._item_of: dict[Value, tuple[Operand, int]] = {}

    def give(self, instruction: Instruction, key: str, **given: Value | str | list[Value]) -> Value:
        """The value of an instruction, with the facts that the table has for `key`."""
        value = self.named(instruction, self.texts.what(instruction, self.semantics.null))
        self.values[instruction.number] = given["result"] = value
        self._emit(instruction, key, given)
        return value

    def emit(self, instruction: Instruction, key: str, **given: Value | str | list[Value]) -> None:
        """Write the facts that the table has for `key`; `given`: what names stand for besides operands."""
        self._emit(instruction, key, given)

    def _emit(self, instruction: Instruction, key: str, given: Given) -> None:
        plan, operands = emission.plan(key, instruction.op), instruction.operands
        for name, position in plan.values:
            if name not in given:
                given[name] = self.value(operands[position])
        for name, position in plan.texts:
            if name not in given:
                given[name] = operands[position]
        for name, position in plan.numbers:
            if name not in given:
                given[name] = int(operands[position].content)
        if plan.function:
            given["function"] = self.symbol
        if plan.live and "live" not in given:
            given["live"] = self.live()
        if plan.constants:
            given.update(plan.constants)
        note = self.fn.note
        for relation, pick in plan.facts:
            note(relation, pick(given))
        for relation, pick, name, position in plan.repeated:
            several = given.get(name)
            if not isinstance(several, list):
                several = [self.value(each) for each in operands[position]]
            for number, value in enumerate(several):
                note(relation, pick({**given, name: value, "number": number}))

    # Uses.

    def use(self, operand: Operand, instruction: Instruction, kind: str, what: str = "") -> Value:
        """Note that an instruction fails if an operand is null, and that it is not null afterwards. Returns the site;
        UNDEFINED where it does not fail, or where that is caught."""
        fn = self.fn
        value = self.value(operand)
        if value == UNDEFINED or value in fn.nonnull or not fn.reachable():
            return UNDEFINED
        site = self._site(operand, value, instruction, kind, what)
        root = fn.root(value)
        self.guards.using = True
        self.guards.refine([(key, root, True) for key in self.keys(operand)])
        self.guards.using = False
        return site

    def _site(self, operand: Operand, value: Value, instruction: Instruction, kind: str, what: str) -> Value:
        fn = self.fn
        errors = self.semantics.errors
        if errors and errors.get(kind, errors.get("")) in self.caught.names:
            return UNDEFINED
        site = self.named(instruction, what or site_of(instruction, self.semantics))
        fn.emit("dereference", site, value, kind, self.live())
        for number, key, sibling in self._beside(fn.root(value)):
            current = fn.content(key) if isinstance(key, tuple) else fn.read(key)
            if current in fn.nonnull and fn.root(current) == fn.root(sibling):
                fn.emit("beside", site, value, number)
        if self.caught.everything:
            fn.emit("handled", site)
        if self.caught.ignored:
            fn.emit("ignored", site)
        known = fn.resolve(value)
        if known in self.reads or known in self.results or known in self.shared_cells:
            fn.emit("trusts", self.symbol, value)
            self.note_structure(known)
        if path := self.path_of(operand, unguarded(self.guards, value)):
            fn.emit("uses_path", self.symbol, path, value)
        return site

    def path_of(self, operand: Operand, read: Value) -> str:
        """The access path by which an operand is read, or the local variable, if it has its value from several places;
        nothing for a parameter. read: its value, as it is before any test."""
        made = self.reads.get(read) or self.results.get(read) or self.elements.get(read)
        if made is not None:
            return self.texts.path(made.number)
        if isinstance(operand, Constant) or read in self.fn.formals or self.op(operand) != "get":
            return ""
        variable = self.function.variables[self.instructions[operand].operands[0]]
        own = variable.home == "local" and read not in self.shared_cells
        return self.texts.path(operand) if own or variable.home == "module" else ""

    def note_structure(self, read: Value) -> None:
        """Note of what structure the field is one from which a value was read."""

    def compared(self, instruction: Instruction, operand: Operand, other: Operand, method: str) -> None:
        """An operand is compared with another one, which may have a `method` that takes null."""
        fn = self.fn
        value, against = self.value(operand), fn.resolve(self.value(other))
        what = instruction.operands[0]
        if isinstance(other, Constant) or fn.names[against] == "" or self.is_null(operand):
            self.use(operand, instruction, "operator", what)
            return
        if value == UNDEFINED or value in fn.nonnull or not fn.reachable():
            return
        site = self._site(operand, value, instruction, "operator", what)
        if site == UNDEFINED:
            return
        fn.emit("compares", site, against, method)
        for key in self.keys(operand):
            current = fn.resolve(fn.read(key))
            if current in (UNDEFINED, fn.unknown) or current in fn.nonnull or fn.root(current) != fn.root(value):
                continue
            name = self.writer.name(self.guards.place, f"{fn.key_name(key)} compared")
            after = fn.value(name, root=fn.root(current))
            fn.define(after, "assign_object", after, current)
            fn.define(after, "passes_where", after, current, site)
            self.guards.guard_of[after] = current
            fn.write(key, after)

    # Several results.

    def _beside(self, root: Value) -> list[tuple[int, Key, Value]]:
        """Of an item of several results, the other items: number, variable and value."""
        base, own = self._item_of.get(root, (0, -1))
        return [each for each in self._items.get(base, ()) if each[0] != own]

    def note_item(self, key: Key, value: Value) -> None:
        """Note that a variable or a path holds an item of several results, if it does."""
        if value in self._item_of:
            base, number = self._item_of[value]
            self._items.setdefault(base, []).append((number, key, value))

    def all_of(self, operands: Sequence[Operand]) -> Value:
        """The several results of which the operands are all items, in their order; UNDEFINED where there are none."""
        found = [self._item_of.get(self.fn.root(self.value(each)), (0, -1)) for each in operands]
        base = found[0][0]
        whole = [(base, number) for number in range(len(operands))]
        return self.value(base) if base and found == whole else UNDEFINED

    def settle(self, operand: Operand, outcome: str) -> None:
        """A test has shown an operand to be `null`, `true` or `false`: other results of the same call are what they are
        then. Where an operand is joined of results of several calls, so are the others."""
        fn = self.fn
        ways = self._ways(fn.root(self.value(operand)))
        items = [self._item_of.get(root) for _, root in ways]
        for number, key in {each[:2]: None for _, root in ways for each in self._beside(root)}:
            current = fn.content(key) if isinstance(key, tuple) else fn.read(key)
            if current == UNDEFINED or current in fn.nonnull or current in self.guards.known_null:
                continue
            beside = self._ways(fn.root(current))
            if [way for way, _ in beside] != [way for way, _ in ways] or any(
                item is not None and self._item_of.get(root) != (item[0], number)
                for item, (_, root) in zip(items, beside, strict=True)
            ):
                continue
            name = self.writer.name(self.guards.place, f"{fn.key_name(key)} settled")
            settled = fn.value(name, fn.spans.get(fn.root(current)), fn.root(current))
            fn.define(settled, "assign_object", settled, current)
            for (_, asked), item, (_, other) in zip(ways, items, beside, strict=True):
                if item is not None:
                    fn.define(settled, "item_where", settled, self.value(item[0]), number, item[1], outcome)
                elif fn.constants.get(asked) not in (True, False) or fn.constants[asked] == (outcome == "true"):
                    fn.define(settled, "assign_null", settled, other)
            fn.write(key, settled)

    def _ways(self, value: Value) -> list[tuple[tuple[Block, ...], Value]]:
        """What joins lead to a value, each by the way that it comes; what has gone around a loop is left out."""
        found: list[tuple[tuple[Block, ...], Value]] = []
        todo: list[tuple[tuple[Block, ...], Value, frozenset[Value]]] = [((), value, frozenset())]
        while todo:
            way, current, around = todo.pop()
            sources = self.fn.sources(current) if current not in self._item_of and len(found) < _WAYS else None
            if sources is None:
                found.append((way, current))
                continue
            for block, each in sources:
                root = self.fn.root(each)
                if root != current and root not in around:
                    todo.append(((*way, block), root, around | {current}))
        return found
