"""What each instruction does to the function under construction: its facts, its use of what must not be null, its
writes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pliant.extractors.ir.instructions import INSTRUCTIONS
from pliant.extractors.ir.operands import Argument, Constant, Operand
from pliant.extractors.ir.unit import Instruction
from pliant.extractors.passes import emission
from pliant.extractors.passes.guards import SHOWN
from pliant.extractors.passes.names import class_symbol
from pliant.extractors.passes.variables import Variables
from pliant.extractors.ssa import LIVE, UNDEFINED, Block, Key, Value

_WAYS = 32  # to a join that are told apart
Given = dict[str, Value | str | list[Value]]


class Steps(Variables):
    """One method for each instruction that does more than write the facts of the table."""

    def prepare(self) -> None:
        self._used = {
            operand
            for each in self.instructions.values()
            for operand in each.uses()
            if not isinstance(operand, Constant)
        }
        self._written_fields: set[str] = set()
        self._items: dict[Operand, list[tuple[int, Key, Value]]] = {}  # of several results -> number, variable, value
        self._item_of: dict[Value, tuple[Operand, int]] = {}

    def step(self, instruction: Instruction) -> None:
        handler = _HANDLERS.get(instruction.op)
        if handler is not None:
            handler(self, instruction)
            return
        if (kind := self.semantics.needs.get(instruction.op)) is not None:
            self.use(instruction.operands[0], instruction, kind)
        self.give(instruction, instruction.op)

    def give(self, instruction: Instruction, key: str, **given: Value | str | list[Value]) -> Value:
        """The value of an instruction, with the facts that the table has for `key`."""
        value = self.named(instruction, self.texts.what(instruction, self.semantics.null))
        self.values[instruction.number] = value
        self.emit(instruction, key, result=value, **given)
        return value

    def emit(self, instruction: Instruction, key: str, **given: Value | str | list[Value]) -> None:
        """Write the facts that the table has for `key`; `given`: what names stand for besides operands."""
        operands = dict(
            zip((name for name, _ in INSTRUCTIONS[instruction.op].operands), instruction.operands, strict=True)
        )

        def named(name: str) -> int | str:
            found = given.get(name)
            if found is not None:
                assert not isinstance(found, list)
                return found
            if name == "function":
                return self.symbol
            if name == "live":
                return self.live()
            operand = operands[name]
            if name == "number":
                return int(operand.content)
            return operand if isinstance(operand, str) else self.value(operand)

        def several(name: str) -> list[Value]:
            found = given.get(name)
            return found if isinstance(found, list) else [self.value(each) for each in operands[name]]

        for relation, entries in emission.facts(key, named, several):
            self.fn.emit(relation, *entries)

    # Uses.

    def use(self, operand: Operand, instruction: Instruction, kind: str) -> Value:
        """Note that an instruction fails if an operand is null, and that it is not null afterwards. Returns the site;
        UNDEFINED where it does not fail."""
        fn = self.fn
        value = self.value(operand)
        if value == UNDEFINED or value in fn.nonnull or not fn.reachable():
            return UNDEFINED
        site = self.named(instruction, _site(instruction))
        fn.emit("dereference", site, value, kind, self.live())
        root = fn.root(value)
        for number, key, sibling in self._beside(root):
            current = fn.content(key) if isinstance(key, tuple) else fn.read(key)
            if current in fn.nonnull and fn.root(current) == fn.root(sibling):
                fn.emit("beside", site, value, number)
        self.guards.refine([(key, root, True) for key in self.keys(operand)])
        return site

    def _beside(self, root: Value) -> list[tuple[int, Key, Value]]:
        """Of an item of several results, the other items: number, variable and value."""
        base, own = self._item_of.get(root, (0, -1))
        return [each for each in self._items.get(base, ()) if each[0] != own]

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
            name = self.writer.name(self.function.name, f"{fn.key_name(key)} settled")
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

    # Instructions.

    def const(self, instruction: Instruction) -> None:
        [constant] = instruction.operands
        if constant.kind != "null":
            self.values[instruction.number] = self.value(constant)
            return
        value = self.named(instruction, self.texts.what(instruction, self.semantics.null))
        self.fn.emit("null", value, "literal")
        self.guards.known_null.add(value)
        self.values[instruction.number] = value

    def zero(self, instruction: Instruction) -> None:
        [kind] = instruction.operands
        if kind.kind not in self.semantics.zero_is_null:
            self.values[instruction.number] = self.fn.unnamed()
            return
        value = self.named(instruction, self.texts.what(instruction, self.semantics.null))
        self.fn.emit("null", value, "zero")
        self.guards.known_null.add(value)
        self.values[instruction.number] = value

    def get(self, instruction: Instruction) -> None:
        self.values[instruction.number] = self.read(instruction.operands[0], instruction)

    def set_(self, instruction: Instruction) -> None:
        name, operand = instruction.operands
        value = self.value(operand)
        self.write(name, value)
        self._note_item(self.key(name), value)

    def _note_item(self, key: Key, value: Value) -> None:
        """Note that a variable or a path holds an item of several results, if it does."""
        if value in self._item_of:
            base, number = self._item_of[value]
            self._items.setdefault(base, []).append((number, key, value))

    def load(self, instruction: Instruction) -> None:
        base, field = instruction.operands
        if (kind := self.semantics.needs.get("load")) is not None:
            self.use(base, instruction, "pointer" if field == "*" else kind)
        value = self.give(instruction, "load")
        self._follow(instruction, value, field)

    def element(self, instruction: Instruction) -> None:
        base, _ = instruction.operands
        if (kind := self.semantics.needs.get("element")) is not None:
            self.use(base, instruction, kind)
        value = self.give(instruction, "element")
        self._follow(instruction, value, "")

    def _follow(self, instruction: Instruction, value: Value, field: str) -> None:
        """Tell what was just read what is known of the path that it is."""
        fn = self.fn
        for path in self.keys(instruction.number):
            if not isinstance(path, tuple):
                continue
            content = fn.content(path)
            if content == UNDEFINED:
                if instruction.number in self._used:
                    fn.write(path, value)
            elif content in fn.nonnull or fn.on_every_way(fn.content((fn.root(content), SHOWN))):
                fn.nonnull.add(value)
                fn.emit("nonnull", value)
                if content != fn.opaque:
                    fn.roots[value] = fn.root(content)
            else:
                fn.roots[value] = fn.root(content)
                if field in fn.tracked:
                    fn.emit("assign_null", value, content)

    def next_(self, instruction: Instruction) -> None:
        base, what = instruction.operands
        if (kind := self.semantics.needs.get("next")) is not None:
            self.use(base, instruction, kind)
        self.give(instruction, f"next {what}")

    def item(self, instruction: Instruction) -> None:
        base, number = instruction.operands
        value = self.give(instruction, "item")
        self._item_of[value] = (base, int(number.content))

    def address_of(self, instruction: Instruction) -> None:
        self.values[instruction.number] = self.address(instruction.operands[0])

    def interior(self, instruction: Instruction) -> None:
        if (kind := self.semantics.needs.get("interior")) is not None:
            self.use(instruction.operands[0], instruction, kind)
        self.fn.nonnull.add(self.give(instruction, "interior"))

    def allocate(self, instruction: Instruction) -> None:
        kind = instruction.operands[0]
        named = kind.kind == "class"
        container = self.semantics.containers.get(kind.kind, kind.kind)
        key = "allocate"
        if named and kind.module not in ("", "."):
            key, container = "allocate elsewhere", ""
            holder = self.type_holder(kind)
            value = self.give(instruction, key)
            self.fn.emit("typed", value, holder)
        else:
            value = self.give(instruction, key, **{"class": class_symbol(kind) if named else container})
        self.fn.nonnull.add(value)

    def tuple_(self, instruction: Instruction) -> None:
        value = self.give(instruction, "tuple", **{"class": self.semantics.containers["tuple"]})
        self.fn.nonnull.add(value)
        self.truths(value, instruction.operands[0])

    def truths(self, value: Value, operands: Sequence[Operand]) -> None:
        """Note which items of several values are constants that are true or false."""
        for number, operand in enumerate(operands):
            if isinstance(content := self.fn.constants.get(self.value(operand)), bool):
                self.fn.emit("tuple_truth", value, number, "true" if content else "false")

    def closure(self, instruction: Instruction) -> None:
        self.fn.nonnull.add(self.give(instruction, "closure", held=f"|{instruction.operands[0]}"))

    def class_(self, instruction: Instruction) -> None:
        self.fn.nonnull.add(self.give(instruction, "class", held=f"|{instruction.operands[0]}"))

    def import_(self, instruction: Instruction) -> None:
        self.fn.nonnull.add(self.give(instruction, "import member" if instruction.operands[1] else "import"))

    def call(self, instruction: Instruction) -> None:
        callee, arguments = instruction.operands
        live = self.live()
        if (kind := self.semantics.needs.get("call")) is not None:
            self.use(callee, instruction, kind)
        self._call(instruction, "call", live, arguments, [])

    def invoke(self, instruction: Instruction) -> None:
        base, _, arguments = instruction.operands
        live = self.live()
        kind = self.semantics.needs.get("invoke")
        site = self.use(base, instruction, kind) if kind is not None else UNDEFINED
        value = self._call(instruction, "invoke", live, arguments, [self.value(base)])
        if site != UNDEFINED:
            self.fn.emit("receiver_use", site, value)
        self._follow(instruction, value, "")

    def defer(self, instruction: Instruction) -> None:
        callee, name, arguments = instruction.operands
        live = self.live()
        receivers = [self.value(callee)] if name else []
        self._call(instruction, "defer method" if name else "defer", live, arguments, receivers)

    def _call(
        self, instruction: Instruction, key: str, live: Value, arguments: tuple[Argument, ...], receivers: list[Value]
    ) -> Value:
        fn = self.fn
        value = self.give(instruction, key, live=live)
        passed, position = list(receivers), 0
        exact = True
        for operand, name in arguments:
            argument = self.value(operand)
            if name == "*":
                fn.emit("actual_array", value, position, argument)
                exact = False
            elif name == "**":
                fn.emit("actual_rest_names", value, argument)
                exact = False
            elif name:
                fn.emit("actual_name", value, name, argument)
            else:
                fn.emit("actual", value, position, argument)
                position += 1
            passed.append(argument)
        if exact:
            fn.emit("arguments", value, len(arguments))
        fn.called(value, passed)
        if instruction.number not in self._used and fn.reachable():
            reached = fn.value(self.writer.name(self.function.name, "control"))
            fn.emit("control_call", reached, self.live(), value)
            fn.write(LIVE, reached)
        return value

    def arithmetic(self, instruction: Instruction) -> None:
        self.values[instruction.number] = self.fn.unnamed()

    def test(self, instruction: Instruction) -> None:
        value = self.fn.unnamed()
        self.fn.tests[value] = self.guards.shown(instruction.operands[0], self)
        self.values[instruction.number] = value

    def convert(self, instruction: Instruction) -> None:
        value, _, how = instruction.operands
        result = self.give(instruction, f"convert {how}" if how in ("asserted", "boxed") else "convert")
        if how in ("asserted", "boxed"):
            self.fn.nonnull.add(result)
        if how == "asserted":
            self.fn.roots[result] = self.fn.root(self.value(value))

    def store(self, instruction: Instruction) -> None:
        base, field, operand = instruction.operands
        fn = self.fn
        if (kind := self.semantics.needs.get("store")) is not None:
            self.use(base, instruction, "pointer" if field == "*" else kind)
        self.emit(instruction, "store", site=self.named(instruction, f".{field} ="))
        if field not in self._written_fields:
            self._written_fields.add(field)
            fn.emit("field_write", self.symbol, field)
        path = fn.path(self.value(base), field)
        if path is not None:
            value = self.value(operand)
            fn.write(path, value)
            self.guards.wrote(path, value)
            self._note_item(path, value)

    def put(self, instruction: Instruction) -> None:
        if (kind := self.semantics.needs.get("put")) is not None:
            self.use(instruction.operands[0], instruction, kind)
        self.emit(instruction, "put", site=self.named(instruction, "[] ="))

    def require(self, instruction: Instruction) -> None:
        operand, why, _ = instruction.operands
        self.use(operand, instruction, why)

    def yield_(self, instruction: Instruction) -> None:
        self.emit(instruction, "yield")


def _site(instruction: Instruction) -> str:
    """What is written where an instruction fails."""
    operands = instruction.operands
    match instruction.op:
        case "load":
            return "*" if operands[1] == "*" else f".{operands[1]}"
        case "store":
            return "* =" if operands[1] == "*" else f".{operands[1]} ="
        case "interior":
            return "[]" if operands[1] == "[]" else f".{operands[1]}"
        case "invoke":
            return f".{operands[1]}"
        case "put":
            return "[] ="
        case "element" | "slice":
            return "[]"
        case "call" | "defer":
            return "()"
        case "next":
            return "next"
    return str(operands[2]) if instruction.op == "require" else instruction.op


_HANDLERS: dict[str, Callable[[Steps, Instruction], None]] = {
    "address": Steps.address_of,
    "allocate": Steps.allocate,
    "arithmetic": Steps.arithmetic,
    "call": Steps.call,
    "class": Steps.class_,
    "closure": Steps.closure,
    "const": Steps.const,
    "convert": Steps.convert,
    "defer": Steps.defer,
    "element": Steps.element,
    "get": Steps.get,
    "import": Steps.import_,
    "interior": Steps.interior,
    "invoke": Steps.invoke,
    "item": Steps.item,
    "load": Steps.load,
    "next": Steps.next_,
    "put": Steps.put,
    "require": Steps.require,
    "set": Steps.set_,
    "store": Steps.store,
    "test": Steps.test,
    "tuple": Steps.tuple_,
    "yield": Steps.yield_,
    "zero": Steps.zero,
}
