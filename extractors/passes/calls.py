"""Calls: what is passed, what the library's functions need and show, what is known once a call has come back."""

from __future__ import annotations

from collections.abc import Sequence

from pliant.extractors.ir.operands import Argument, Constant, Operand
from pliant.extractors.ir.unit import Instruction
from pliant.extractors.passes.guards import Shown
from pliant.extractors.passes.names import CONSTRUCTOR
from pliant.extractors.passes.objects import Objects
from pliant.extractors.ssa import UNDEFINED, Key, Refinement, Value

FALSE, TRUE = 0, 1  # results of calls, as facts hold them
TESTS = "$tests"  # the field under which the tests of an object are followed


class Calls(Objects):
    """results: what calls give. tokens: values that stand for the tests made so far."""

    def prepare(self) -> None:
        super().prepare()
        self.results: set[Value] = set()
        self._tokens: set[Value] = set()
        self._bound = {each.operands[1] for each in self.index.of("set")} if self.semantics.tests_tell else set()

    def call(self, instruction: Instruction) -> None:
        callee, arguments = instruction.operands
        live = self.live()
        if (kind := self.semantics.needs.get("call")) is not None:
            self.use(callee, instruction, kind)
        name = self.texts.dotted(callee) if self.op(callee) == "import" else ""
        value = self._call(
            instruction, "call", live, arguments, [], quiet=name.startswith(f"{self.semantics.builtins}.")
        )
        positional = [each.value for each in arguments if not each.name]
        for position in self.semantics.arguments.get(name, ()):
            if position >= len(positional):
                break
            operand = positional[position]
            site = self.use(operand, instruction, "argument", f"{name.rpartition('.')[2]}()")
            if site != UNDEFINED and operand in self.function.spans:
                self.fn.spans[site] = self.function.spans[operand]
        if name and name == self.semantics.setter and len(positional) == 3 and len(arguments) == 3:
            self._set_field(instruction, positional)
        self.came_back(instruction, value)

    def _set_field(self, instruction: Instruction, operands: Sequence[Operand]) -> None:
        """`setattr(base, "name", value)`, with a name that is written, is an assignment."""
        base, name, operand = operands
        if isinstance(name, Constant) and name.kind == "string" and str(name.content).isidentifier():
            field, fn = str(name.content), self.fn
            fn.emit("store", self.value(base), field, self.value(operand))
            fn.emit("write", self.named(instruction, f".{field} ="), self.value(base), "attribute")
            self.wrote_field(base, field, operand)

    def invoke(self, instruction: Instruction) -> None:
        base, name, arguments = instruction.operands
        live = self.live()
        kind = self.semantics.needs.get("invoke")
        site = (
            self.use(base, instruction, kind) if kind is not None and name not in self.semantics.of_null else UNDEFINED
        )
        value = self._call(instruction, "invoke", live, arguments, [self.value(base)])
        if site != UNDEFINED and not self.semantics.errors:
            self.fn.emit("receiver_use", site, value)
        self.follow(instruction, value, "")
        self.came_back(instruction, value)

    def defer(self, instruction: Instruction) -> None:
        callee, name, arguments = instruction.operands
        live = self.live()
        receivers = [self.value(callee)] if name else []
        self._call(instruction, "defer method" if name else "defer", live, arguments, receivers)

    def _call(
        self,
        instruction: Instruction,
        key: str,
        live: Value,
        arguments: tuple[Argument, ...],
        receivers: list[Value],
        *,
        quiet: bool = False,
    ) -> Value:
        """quiet: the call changes no field."""
        fn = self.fn
        told: dict[str, str] = {}
        if self.semantics.arity and key == "invoke":
            told["name"] = f"{instruction.operands[1]}/{len(arguments)}"
        value = self.give(instruction, key, live=live, **told)
        self.results.add(value)
        if self.semantics.constructors and key == "call" and self.op(instruction.operands[0]) != "closure":
            simple = self.texts.called(instruction.operands[0]).rpartition(".")[2]
            fn.emit("construction", value, f"{CONSTRUCTOR} {simple}/{len(arguments)}")
            fn.emit("made_in", value, self.symbol)
            fn.nonnull.add(value)
        passed, position = list(receivers), 0
        exact = True
        for operand, name in arguments:
            argument = self.value(operand)
            if name in ("*", "**") and self.semantics.rest:
                fn.emit("actual_rest" if name == "*" else "actual_rest_names", value, argument)
                exact = False
                continue
            if name == "*":
                fn.emit("actual_array", value, position, argument)
                exact = False
            elif name == "**":
                fn.emit("actual_rest_names", value, argument)
                exact = False
            elif name:
                fn.emit("actual_name", value, name, argument)
                if (truth := self._told(operand)) is not None:
                    fn.emit("actual_name_truth", value, name, truth)
            elif exact or not self.semantics.rest:
                fn.emit("actual", value, position, argument)
                if (truth := self._told(operand)) is not None:
                    fn.emit("actual_truth", value, position, truth)
                position += 1
            passed.append(argument)
        if exact:
            fn.emit("arguments", value, len(arguments))
        if not quiet:
            fn.called(value, passed)
        if instruction.number not in self._used and fn.reachable():
            self.live_from(value)
        if instruction.number in self._bound and self.semantics.objects:
            fn.emit("named", value)
        return value

    def _told(self, operand: Operand) -> str | None:
        """What an argument tells a flag, where no `actual` fact says that it is passed or what it is."""
        if not self.semantics.tests_tell:
            return None
        truth = self.truth(operand)
        if truth is not None:
            return "true" if truth else "false"
        if isinstance(operand, Constant) and operand.kind != "other":
            return None
        return "unknown" if not self.fn.names[self.fn.resolve(self.value(operand))] else None

    # What is known once a call has come back.

    def came_back(self, instruction: Instruction, call: Value) -> None:
        """A statement that is a call, or that gives its result to a variable, has come to its end."""
        if instruction.number not in self._used or instruction.number in self._bound:
            self.after_call(instruction, call, None)

    def after_call(self, instruction: Instruction, call: Value, outcome: bool | None) -> None:
        """Variables that were passed to a call are what they are once it has come back, with that outcome."""
        if not self.semantics.tests_tell:
            return
        fn = self.fn
        low, high = (FALSE, TRUE) if outcome is None else (int(outcome), int(outcome))
        for operand, name in instruction.operands[-1]:
            if name in ("*", "**") or self.op(operand) != "get":
                continue
            for key in self.keys(operand)[:1]:
                current = fn.resolve(fn.read(key))
                if current in (UNDEFINED, fn.unknown, fn.opaque) or current in fn.nonnull:
                    continue
                after = self.after(key, current)
                fn.define(after, "shown", after, call, current, low, high)
                fn.write(key, after)

    def after(self, key: Key, value: Value) -> Value:
        """What holds `value` before a call, which may show something of it."""
        fn = self.fn
        after = fn.value(self.writer.name(self.guards.place, f"{fn.key_name(key)} after calls"), root=fn.root(value))
        fn.define(after, "assign_object", after, value)
        fn.define(after, "assign_null", after, value)
        self.guards.guard_of[after] = value
        return after

    # What calls show of their arguments.

    def shown_by_value(self, operand: Operand) -> Shown:
        """What it shows that the result of a call counts as true."""
        if self.op(operand) not in ("call", "invoke"):
            return [], []
        instruction = self.instructions[operand]  # type: ignore[index]
        name = self._called(instruction)
        arguments = [each.value for each in instruction.operands[-1] if not each.name]
        if not name or not arguments:
            return [], []
        if name in self.semantics.checks or (
            name == self.semantics.getter and len(arguments) == 3 and self.is_null(arguments[2])
        ):
            return self.guards.tested(arguments[0], self, nonnull=True), []
        if name == self.semantics.all_of:
            elements = self.displays.get(self.value(arguments[0]), ())
            return [each for element in elements for each in self.guards.tested(element, self, nonnull=True)], []
        return [], []

    def shown_by_null(self, operand: Operand) -> Shown:
        """`getattr(x, name, None)` is null where x is."""
        return [], self.shown_by_value(operand)[0]

    def _called(self, instruction: Instruction) -> str:
        if instruction.op == "call":
            return self.texts.dotted(instruction.operands[0])
        return self.texts.member(*instruction.operands[:2])

    def shown_by_equality(self, one: Operand, other: Operand) -> Shown:
        """What it shows that the class of something is a known one."""
        yes: list[Refinement] = []
        no: list[Refinement] = []
        for asked, against in ((one, other), (other, one)):
            subject = self._class_of(asked)
            if subject is None:
                continue
            if self._is_null_class(against):
                yes += self.guards.tested(subject, self, nonnull=False)
                no += self.guards.tested(subject, self, nonnull=True)
                continue
            same = self._class_of(against)
            known = self.op(against) in ("get", "import", "load", "class") if same is None else self._known(same)
            if known:
                yes += self.guards.tested(subject, self, nonnull=True)
        return yes, no

    def _known(self, operand: Operand) -> bool:
        keys = self.keys(operand)
        return self.value(operand) in self.fn.nonnull or any(
            self.fn.resolve(self.fn.read(key)) in self.fn.nonnull for key in keys
        )

    def _class_of(self, operand: Operand) -> Operand | None:
        """The x of `type(x)` and of `x.__class__`."""
        function, field = self.semantics.class_of
        if isinstance(operand, Constant) or not function:
            return None
        instruction = self.instructions[operand]
        if instruction.op == "load" and instruction.operands[1] == field:
            base: Operand = instruction.operands[0]
            return base
        if instruction.op == "call" and self.texts.dotted(instruction.operands[0]) == function:
            arguments = instruction.operands[1]
            return arguments[0].value if len(arguments) == 1 else None
        return None

    def _is_null_class(self, operand: Operand) -> bool:
        """Whether an operand is the class of null."""
        of = self._class_of(operand)
        if of is not None:
            return self.is_null(of)
        return bool(self.semantics.null_class) and self.texts.called(operand) == self.semantics.null_class

    def shown_by_membership(self, element: Operand, container: Operand) -> Shown:
        """What it shows that an element is in a container, and that it is not."""
        yes: list[Refinement] = []
        no: list[Refinement] = []
        written = self.displays.get(self.value(container))
        if written is not None and self.is_null(element):
            no += [each for one in written for each in self.guards.tested(one, self, nonnull=True)]
        elif isinstance(container, Constant) or (
            written is not None and not any(self.is_null(one) or self._is_null_class(one) for one in written)
        ):
            subject = self._class_of(element)
            yes += self.guards.tested(subject if subject is not None else element, self, nonnull=True)
        for field in (self.called_field("get", [element]),):
            for key in self.keys(container):
                current = self.fn.content(key) if isinstance(key, tuple) else self.fn.read(key)
                path = self.fn.path(current, field) if current else None
                if path is not None:
                    yes.append((path, self.fn.root(self.fn.read(path)), True))
        return yes, no

    # Tests by helpers: `if x.ready: x.connection...`, where what `ready` looks at is in another function.

    def note_tests(self, value: Value, base: Value) -> None:
        path = self.fn.path(base, TESTS)
        token = self.fn.content(path) if path is not None else UNDEFINED
        if token in self._tokens:
            self.fn.emit("under_test", value, token)

    def asked(self, operand: Operand, outcome: bool) -> None:
        """A field of an object, or a call of a method of it, counts as true here, or does not."""
        if self.op(operand) not in ("load", "invoke") or not self.semantics.tests_tell:
            return
        fn = self.fn
        for key in self.keys(self.instructions[operand].operands[0])[:1]:  # type: ignore[index]
            current = fn.content(key) if isinstance(key, tuple) else fn.read(key)
            path = fn.path(current, TESTS) if current else None
            if path is None:
                return
            before = fn.content(path)
            token = fn.value(self.writer.name(self.guards.place, "test"))
            fn.emit("test", token, self.value(operand), "true" if outcome else "false")
            if before in self._tokens:
                fn.emit("test_after", token, before)
            self._tokens.add(token)
            fn.write(path, token)
