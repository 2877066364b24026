"""Lifetimes: which objects a call may have freed, which of them are used, and which addresses outlive their variables.

The state of an object is followed like a variable, as a path of the pointer that stands for it: `alive` where its
function is entered, another one behind each call that gets it. What a call has freed is for the rules to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pliant.extractors.ir.operands import Constant, Operand, Type
from pliant.extractors.ir.unit import MODULE, Instruction, Span
from pliant.extractors.passes.guards import SHOWN, Shown
from pliant.extractors.passes.memory import Memory
from pliant.extractors.passes.names import site_of
from pliant.extractors.passes.variables import NEVER_NULL
from pliant.extractors.ssa import STATE, UNDEFINED, Key, Path, Value

_FREED = "$freed"  # the field under which it is followed whether an object was freed
_STEPS = ("$", "[", "*", STATE)
_END = Constant("integer", 0)  # of a string
_HELD = NEVER_NULL | {"class"}  # by value


class Lifetimes(Memory):
    """The objects of the function under construction."""

    def prepare(self) -> None:
        super().prepare()
        self._released: set[Value] = set()  # that calls have made
        self._touched: dict[Value, None] = {}  # objects that calls may have freed
        self._first_reads: dict[Value, Path] = {}
        self._moves: dict[Value, tuple[Value, Value]] = {}  # call -> the object that it moves, and its state before
        self._kept_at: dict[Key, None] = {}  # places that outlive the function and may hold the address of a variable
        self._found_null: dict[Value, None] = {}  # calls that may have given null
        self._used_at: dict[Value, Value] = {}  # values that were used without a test, and where
        self._stateless: dict[Value, set[Value]] = {}
        self._alive = self.fn.fixed_value(f"{self.symbol}|state|alive")
        self.fn.define(self._alive, "alive", self._alive)
        self.guards.told = self._told_of

    # What is known of a pointer.

    def _told_of(self, root: Value, nonnull: bool) -> None:
        """A pointer is not null here, or it is: then there is nothing that could be freed."""
        fn = self.fn
        if nonnull:
            fn.write((root, SHOWN), self._alive)
            return
        fn.write((root, _FREED), fn.opaque)
        if root in self._passed_to:
            self._found_null[root] = None
        moved = self._moves.get(root)
        if moved is not None:
            fn.write((moved[0], _FREED), moved[1])

    def _life_of(self, target: Value) -> Value:
        known = _FREED in self.fn.fields_of.get(target, ())
        return self.fn.content((target, _FREED)) if known else UNDEFINED

    def _comes_from(self, state: Value, source: Value = UNDEFINED) -> bool:
        """Whether a state may be one that a call has made, or `source`; it may where not all ways to here are known."""
        fn, sources = self.fn, self._released
        without = self._stateless.setdefault(source, set())
        seen: set[Value] = set()
        todo = [state]
        while todo:
            current = fn.resolve(todo.pop())
            operands = fn.operands(current)
            if current in sources or current == source or operands == []:
                return True
            if current not in seen and current not in without:
                seen.add(current)
                todo.extend(operands or ())
        without |= seen
        return False

    def begin_object(self, name: str, formal: Value, kind: Type) -> None:
        """A parameter, where its function is entered."""
        if kind.kind in NEVER_NULL:
            self.numbers_passed.add(formal)
        if (self.function.name, name) in self.survey.promised:
            self.fn.nonnull.add(formal)
        if kind.kind == "class":  # a structure is a variable of this function
            self.fn.nonnull.add(formal)
            self.fn.private.add(formal)
        if kind.kind == "pointer" and kind.of and kind.of[0].kind == "pointer":
            self.fn.lent.add(formal)  # it says where to write
        self.fn.write((formal, _FREED), self._alive)

    # Uses.

    def use(self, operand: Operand, instruction: Instruction, kind: str, what: str = "") -> Value:
        fn = self.fn
        value = self.value(operand)
        if value in (UNDEFINED, fn.opaque, fn.unknown) or not fn.reachable():
            return UNDEFINED
        self.use_object(value, instruction, kind, what or site_of(instruction, self.semantics))
        if self.is_nonnull(value):
            return UNDEFINED
        keys = self.keys(operand)
        site = super().use(operand, instruction, kind, what)
        for key in keys if site != UNDEFINED else ():
            if isinstance(key, str) and fn.root(holds := fn.resolve(fn.read(key))) == fn.root(value):
                self._used_at[holds] = site
        fn.write((fn.root(value), SHOWN), self._alive)
        if site != UNDEFINED and "macro" in self.function.flags:
            fn.emit("in_macro", site)
        return site

    def use_object(self, value: Value, instruction: Instruction, kind: str, what: str) -> None:
        """The object that a pointer leads to is used: it must not have been freed."""
        fn = self.fn
        target = self.object_of(value)
        state = self._life_of(target)
        if state not in (UNDEFINED, self._alive, fn.opaque) and fn.reachable() and self._comes_from(state):
            fn.emit("use_freed", self.named(instruction, what), state, kind, self.live())
            fn.write((target, _FREED), self._alive)

    def tested_late(self, branch: Instruction, shown: Shown, where: Span | None) -> None:
        """Note that a variable is compared with null that was used before, unless that is written in a macro."""
        if branch.number in self.function.within:
            return
        fn = self.fn
        for key in dict.fromkeys(key for side in shown for key, _, nonnull in side if not nonnull):
            site = self._used_at.get(fn.resolve(fn.read(key))) if isinstance(key, str) else None
            if site is not None:
                test = fn.value(self.writer.name(self.guards.place, "test for null"), where)
                fn.emit("null", test, "tested")
                fn.emit("tested_late", site, test)

    # Calls.

    def use_arguments(self, instruction: Instruction, name: str, operands: Sequence[Operand]) -> None:
        super().use_arguments(instruction, name, operands)
        for operand in operands:  # `&p->field` uses p
            member = None
            while not isinstance(operand, Constant) and self.op(operand) in ("interior", "convert"):
                made = self.instructions[operand]
                member = made if made.op == "interior" and made.operands[1] != "[]" else member
                operand = made.operands[0]
            if member is not None:
                self.use(operand, member, "member")

    def calling(self, instruction: Instruction, call: Value, passed: list[Value]) -> None:
        super().calling(instruction, call, passed)
        values, name, known = passed, self.library_name(instruction), self.semantics.memory
        if name not in known.names:
            for argument in passed:
                if argument not in (UNDEFINED, self.fn.opaque):
                    self._free_after(call, argument)
            return
        freed, moved = known.frees.get(name, -1), known.moves.get(name, -1)
        plain = name.rpartition(".")[2]
        if name in known.allocates:
            self.allocated.add(call)
        for position in (freed, moved):
            if not 0 <= position < len(values) or values[position] in (UNDEFINED, self.fn.opaque):
                continue
            self.use_object(values[position], instruction, "free", f"{plain}()")
            target = self.object_of(values[position])
            before = self._life_of(target)
            self._release(call, values[position], "", values[position])
            if position == moved:
                self._moves[call] = (target, before if before != UNDEFINED else self.fn.opaque)
        if name in known.finds_end and len(values) == 2 and instruction.operands[1][1].value == _END:
            self.fn.define(call, "nonnull", call)
            self.fn.nonnull.add(call)
        back = known.gives_back.get(name, -1)
        if 0 <= back < len(values) and values[back] not in (UNDEFINED, self.fn.opaque):
            self.origins[call] = values[back]
            if name not in known.may_give_null:
                self.fn.nonnull.add(call)
        runs = known.runs.get(name, ())
        if runs and runs[0] < len(values):
            self._run_argument(instruction, plain, [values[at] for at in runs if at < len(values)])
        for position, argument in enumerate(values):
            root = self.fn.root(argument)
            writes = position in known.writes.get(name, ())
            if writes and self.object_of(argument) not in self.fn.private:
                self.wrote_memory(instruction.operands[1][position].value)
            if (writes or (name not in self.semantics.arguments and root in self.fn.private)) and (
                "*" in self.fn.fields_of.get(root, ())
            ):
                self.fn.write((root, "*"), self.fn.unknown)

    def _run_argument(self, instruction: Instruction, name: str, values: list[Value]) -> None:
        """A function of the library calls one of its arguments, with others of them."""
        fn = self.fn
        callee, *passed = values
        call = self.named(instruction, f"{name}() call")
        fn.emit("call", call, self.symbol, self.live())
        fn.emit("call_value", call, callee)
        for number, value in enumerate(passed):
            fn.emit("actual", call, number, value)
            if value not in (UNDEFINED, fn.opaque):
                self._free_after(call, value)
        fn.called(call, passed)
        self.called_own(call)

    def _free_after(self, call: Value, argument: Value) -> None:
        """Note that a call may have freed what an argument points to, and what fields of that point to."""
        fn = self.fn
        self._release(call, argument, "", argument)
        root = fn.root(argument)
        fields = list(fn.fields_of.get(root, ()))
        fn.spend(len(fields))
        for field in fields:
            if not field.startswith(_STEPS):
                content = fn.content((root, field))
                if content not in (UNDEFINED, fn.opaque) and content not in fn.carried and content not in fn.private:
                    self._release(call, argument, field, content)

    def _release(self, call: Value, argument: Value, field: str, held: Value) -> None:
        """After a call, the state of the object that `held` points to is a new one."""
        fn = self.fn
        target = self.object_of(held)
        if target in (UNDEFINED, fn.opaque) or target in fn.private or fn.names[target] == "":
            return
        before = self._life_of(target)
        state = fn.value(self.writer.name(self.guards.place, "state"))
        fn.define(state, "released", state, call, argument, field)
        if before not in (UNDEFINED, fn.opaque) and (before == self._alive or self._comes_from(before, self._alive)):
            fn.define(state, "released_before", state, before)
            if self._comes_from(before):
                fn.emit("use_released", state)
        self._released.add(state)
        fn.write((target, _FREED), state)
        self._touched[target] = None

    # Ways out.

    def first_read(self, value: Value, path: Path) -> None:
        if path[0] in self.fn.formals and path[1] not in self._written_fields and path[1][:1] != "[":
            self._first_reads[value] = path
            self.fn.write((value, _FREED), self._alive)

    def _requirements(self, null: Value) -> None:
        super()._requirements(null)
        for call in self._found_null:
            if self.fn.content((call, _FREED)) == self.fn.opaque:
                self.fn.emit("behind_null", null, call)

    def write_exits(self) -> None:
        self._write_freed()
        for value in sorted(self.allocated):
            self.fn.define(value, "new", value, value, "heap")
        super().write_exits()

    def _write_freed(self) -> None:
        """Write, for each way out, the state of each parameter's object that a call on the way may have freed."""
        fn = self.fn
        reached = [(formal, (formal, "")) for formal in fn.formals]
        reached += self._first_reads.items()
        for value, (formal, field) in reached:
            if value not in self._touched:
                continue
            for left in self.left:
                state = fn.content((value, _FREED), left.blocks[0])
                if state == UNDEFINED and fn.content((formal, _FREED), left.blocks[0]) != fn.opaque:
                    state = self._alive
                if state not in (UNDEFINED, fn.opaque):
                    fn.emit("freed_exit", self.symbol, formal, field, state, left.live)

    def kept_address(self, what: str, value: Value, instruction: Instruction, key: Key) -> Value:
        """An address, as it is kept from here on in a place that may outlive the function."""
        fn = self.fn
        if self.object_of(value) not in fn.private:
            return value
        stored = self.named(instruction, f"{what} =")
        fn.define(stored, "assign", stored, value)
        self.origins[stored] = value
        fn.roots[stored] = fn.root(value)
        fn.nonnull.add(stored)
        self._kept_at[key] = None
        return stored

    def exit(self, last: Instruction) -> None:
        if self.fn.reachable():
            for operand in last.operands[0]:
                self.pointed(operand, self.function.result)
                value = self.fn.resolve(self.value(operand))
                if not isinstance(operand, Constant) and value not in self.guards.known_null:
                    self.use_object(value, last, "return", "exit")
            if self.function.name != MODULE:  # variables of the file do not end
                self._leave_kept(last)
        super().exit(last)

    def _leave_kept(self, last: Instruction) -> None:
        """Addresses of variables that end here and are still held by what does not."""
        fn = self.fn
        for key in self._kept_at:
            for stored in self._alternatives(fn.read(key)):
                target = self.object_of(stored)
                if target in fn.private and stored != target:
                    fn.emit("outlives", stored, target, self.live())
        for operand in last.operands[0]:
            if isinstance(operand, Constant) or self.type_of(operand).kind in _HELD:
                continue
            for returned in self._alternatives(self.value(operand)):
                target = self.object_of(returned)
                if target in fn.private:
                    fn.emit("outlives", self.named(last, "exit"), target, self.live())

    def _alternatives(self, value: Value) -> Iterable[Value]:
        """The values that a phi joins, or the value itself."""
        operands = self.fn.operands(value)
        return map(self.fn.resolve, operands if operands is not None else [value])
