"""Calls: what is passed, what the library's functions need and show, what is known once a call has come back."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pliant.extractors.budget import CALL_STEPS
from pliant.extractors.ir.operands import Argument, Constant, Operand
from pliant.extractors.ir.semantics import NO_CALLS
from pliant.extractors.ir.unit import MODULE, Instruction
from pliant.extractors.passes.guards import SHOWN, Shown
from pliant.extractors.passes.names import CONSTRUCTOR, linked
from pliant.extractors.passes.states import States
from pliant.extractors.passes.variables import NEVER_NULL
from pliant.extractors.ssa import UNDEFINED, Key, Refinement, Value

_CONVERSION = re.compile(r"%(?:%|[-+ #0'I]*+(?:\d+|\*)?(?:\.(?:\d+|\*)?)?(?:hh|h|ll|l|q|j|z|t|L)?[a-zA-Z])")
FALSE, TRUE = 0, 1  # results of calls, as facts hold them
TESTS = "$tests"  # the field under which the tests of an object are followed


class Calls(States):
    """results: what calls give, and the call. tokens: values that stand for the tests made so far."""

    def prepare(self) -> None:
        super().prepare()
        self._tokens: set[Value] = set()
        self._library_names: dict[int, str] = {}  # by the numbers of calls
        # Objects that get a name by which they can be changed, or are returned.
        self._kept: set[Operand] = set()
        if self.semantics.versions:
            self._kept = {each.operands[1] for each in self.index.of("set")}
            self._kept.update(each.operands[2] for each in self.index.of("store"))
            self._kept.update(value for each in self.index.of("exit") for value in each.operands[0])
        self._receivers: dict[Value, Value] = {}  # of calls without arguments
        self._bound = {each.operands[1] for each in self.index.of("set")} if self.semantics.tests_tell else set()

    def call(self, instruction: Instruction) -> None:
        callee, arguments = instruction.operands
        live = self.live()
        if (kind := self.semantics.needs.get("call")) is not None and not self.is_function(callee):
            self.use(callee, instruction, kind)
        name = self.library_name(instruction)
        positional = [each.value for each in arguments if not each.name]
        if self.semantics.pointers:
            self.use_arguments(instruction, name, positional)
        quiet = name.startswith(f"{self.semantics.builtins}.") or name in self.semantics.memory.names
        value = self._call(instruction, "call", live, arguments, [], quiet=quiet)
        if not self.semantics.pointers:
            self.use_arguments(instruction, name, positional)
        if name and name == self.semantics.setter and len(positional) == 3 and len(arguments) == 3:
            self._set_field(instruction, positional)
        if name in self.semantics.never_return:
            self.fn.stop()
        self.came_back(instruction, value)

    def is_function(self, callee: Operand) -> bool:
        """Whether what is called is the name of a function."""
        if not self.semantics.linkage or self.op(callee) != "get":
            return False
        variable = self.function.variables[self.instructions[callee].operands[0]]  # type: ignore[index]
        return variable.type.kind == "function" and variable.home in ("module", "import")

    def use_arguments(self, instruction: Instruction, name: str, operands: Sequence[Operand]) -> None:
        """What a function of the library needs of its arguments."""
        for position in self.needed(name, operands):
            if position >= len(operands):
                break
            operand = operands[position]
            site = self.use(operand, instruction, "argument", f"{name.rpartition('.')[2]}()")
            if site != UNDEFINED and operand in self.function.spans:
                self.fn.spans[site] = self.function.spans[operand]

    def needed(self, name: str, operands: Sequence[Operand]) -> Sequence[int]:
        """The positions of the arguments that a function of the library needs not to be null."""
        at = self.semantics.formats.get(name)
        needed = self.semantics.arguments.get(name, ())
        if at is None or at >= len(operands):
            return needed
        format_ = operands[at]
        if not isinstance(format_, Constant) or format_.kind != "string":
            return needed
        return [*needed, *_printed(str(format_.content), at)]

    def library_name(self, call: Instruction) -> str:
        """What a call calls, if it may be a function of the library."""
        name = self._library_names.get(call.number)
        if name is None:
            name = self._library_names[call.number] = self._library_name(call.operands[0])
        return name

    def _library_name(self, callee: Operand) -> str:
        if self.op(callee) == "import":
            return self.texts.dotted(callee)
        if isinstance(callee, Constant):
            return ""
        return linked(self.function, self.instructions[callee], self.semantics.linkage)

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
        value = self._call(instruction, "invoke", live, arguments, [self.receiver(base)])
        if site != UNDEFINED and not self.semantics.errors:
            self.fn.emit("receiver_use", site, value)
        self.follow(instruction, value, "")
        self.reread_field(instruction.number, value)
        if self.semantics.states and not arguments:
            self._receivers[value] = self.value(base)
            self.note_tests(value, self.value(base))
        self.came_back(instruction, value)
        if self.semantics.library is not NO_CALLS:
            self.checked(instruction, value)

    def receiver(self, base: Operand) -> Value:
        """What a method is called on: of strings that are written, one stands for all."""
        if self.semantics.string is None or not isinstance(base, Constant) or base.kind != "string":
            return self.value(base)
        value = self.fn.fixed_value(f"|{MODULE}|string literal|1")
        self.fn.nonnull.add(value)
        self.fn.emit("typed", value, self.type_holder(self.semantics.string))
        return value

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
        if self.semantics.arity and not fn.reachable():  # of what is not called nothing is told
            value = self.values[instruction.number] = fn.unnamed()
            return value
        fn.spend(CALL_STEPS)
        told: dict[str, Value | str] = {}
        if self.semantics.arity and key == "invoke":
            told["name"] = f"{instruction.operands[1]}/{len(arguments)}"
        if key == "invoke":
            told["base"] = receivers[0]
        value = self.give(instruction, key, live=live, **told)
        self.results[value] = instruction
        if self.semantics.constructors and key == "call" and self.op(instruction.operands[0]) != "closure":
            simple = self.texts.called(instruction.operands[0]).rpartition(".")[2]
            fn.emit("construction", value, f"{CONSTRUCTOR} {simple}/{len(arguments)}")
            fn.emit("made_in", value, self.symbol)
            fn.nonnull.add(value)
        passed, exact = self._pass(value, arguments)
        passed[:0] = receivers
        if exact and fn.reachable() and (not self.semantics.pointers or self._may_give_null(instruction)):
            fn.emit("arguments", value, len(arguments))
        if self.semantics.kind_of is not None:
            self._tell_kinds(value, arguments)
        if self.semantics.constructors and key == "call":
            passed.insert(0, value)
        empty = self.is_empty(instruction.operands[0]) if key == "invoke" else None
        self.calling(instruction, value, passed)
        if not quiet:
            fn.called(value, passed)
        if key in ("call", "invoke"):
            self.kept_called(instruction, value, passed, empty=empty)
        if self.semantics.versions:
            if instruction.number in self._kept and (key == "call" or self.own_or_class(instruction.operands[0])):
                fn.made(value)
            fn.passed(value, passed)
            if key == "invoke" and fn.is_made_here(receivers[0]):
                self._tell_literals(value, arguments)
        if self.semantics.iterators_fail:
            bases = instruction.operands[:1] if key == "invoke" else ()
            operands = [*bases, *(operand for operand, _ in arguments)]
            self.in_loops(instruction, value, operands)
            self.note_renamed(value, operands)
        if instruction.number not in self._used and fn.reachable() and not self.is_of_memory(instruction):
            self.live_from(value)
        if instruction.number in self._bound and self.semantics.objects and fn.reachable():
            fn.emit("named", value)
        return value

    def _pass(self, call: Value, arguments: tuple[Argument, ...]) -> tuple[list[Value], bool]:
        """Write what a call passes; returns it, and whether how many they are is known."""
        fn = self.fn
        passed: list[Value] = []
        position, exact = 0, True
        for operand, name in arguments:
            argument = self.value(operand)
            if self.semantics.pointers and self.type_of(operand).kind in NEVER_NULL:
                argument = fn.opaque
            if name in ("*", "**") and self.semantics.rest:
                fn.emit("actual_rest" if name == "*" else "actual_rest_names", call, argument)
                exact = False
                continue
            if name == "*":
                fn.emit("actual_array", call, position, argument)
                exact = False
            elif name == "**":
                fn.emit("actual_rest_names", call, argument)
                exact = False
            elif name:
                fn.emit("actual_name", call, name, argument)
                if (truth := self._told(operand)) is not None:
                    fn.emit("actual_name_truth", call, name, truth)
            elif exact or not self.semantics.rest:
                fn.emit("actual", call, position, argument)
                if (truth := self._told(operand)) is not None:
                    fn.emit("actual_truth", call, position, truth)
                position += 1
            passed.append(argument)
        return passed, exact

    def is_of_memory(self, instruction: Instruction) -> bool:
        """Whether a call is one of the library's, of which it is known what it does to memory: it comes back."""
        return self.semantics.pointers and self.library_name(instruction) in self.semantics.memory.names

    def _may_give_null(self, instruction: Instruction) -> bool:
        return self.library_name(instruction) in self.semantics.memory.may_give_null

    def calling(self, instruction: Instruction, call: Value, passed: list[Value]) -> None:
        """A call is made, of which nothing that it does has been noted."""

    def _tell_kinds(self, call: Value, arguments: Sequence[Argument]) -> None:
        """Tell the types of arguments, and that the last one is an array."""
        assert self.semantics.kind_of is not None
        for number, (operand, _) in enumerate(arguments):
            kind = "null" if self.is_null(operand) else self.semantics.kind_of(self.type_of(operand))
            if kind:
                self.fn.emit("actual_kind", call, number, kind)
        if arguments and self.type_of(arguments[-1].value).kind == "array":
            self.fn.emit("actual_array", call, len(arguments) - 1, self.value(arguments[-1].value))

    def _tell_literals(self, call: Value, arguments: Sequence[Argument]) -> None:
        """Write the arguments that are numbers or strings: by such a key, an object's content is followed."""
        for number, (operand, _) in enumerate(arguments):
            if isinstance(operand, Constant) and operand.kind in ("integer", "string"):
                text = str(operand.content)
                self.fn.emit("actual_literal", call, number, f'"{text}"' if operand.kind == "string" else text)

    def _told(self, operand: Operand) -> str | None:
        """What an argument tells a flag, where no `actual` fact says that it is passed or what it is."""
        if not self.semantics.tests_tell:
            return None
        if not self.semantics.truth_is_not_null:
            return self._told_of_null(operand)
        if self.semantics.pointers:
            return self.told_of_pointer(operand)
        truth = self.truth(operand)
        if truth is not None:
            return "true" if truth else "false"
        if isinstance(operand, Constant) and operand.kind != "other":
            return None
        return "unknown" if not self.fn.names[self.fn.resolve(self.value(operand))] else None

    def told_of_pointer(self, operand: Operand) -> str | None:
        """The same where what is passed is a number, or null, or something that is not null."""
        raise NotImplementedError

    def _told_of_null(self, operand: Operand) -> str | None:
        """The same where what is not null need not count as true: booleans tell that, others that they are there."""
        value = self.fn.resolve(self.value(operand))
        constant = operand.content if isinstance(operand, Constant) else self.fn.constants.get(value)
        if isinstance(constant, bool):
            return "true" if constant else "false"
        boolean = self.type_of(operand).kind == "boolean"
        if constant is not None or (value in self.fn.nonnull and self.fn.names[value] and not boolean):
            return "true"
        return "unknown" if not self.fn.names[value] else None

    # What is known once a call has come back.

    def came_back(self, instruction: Instruction, call: Value) -> None:
        """A statement that is a call, or that gives its result to a variable, has come to its end."""
        if instruction.number not in self._used or instruction.number in self._bound:
            self.after_call(instruction, call, None)

    def after_call(self, instruction: Instruction, call: Value, outcome: bool | None) -> None:
        """Variables that were passed to a call are what they are once it has come back, with that outcome."""
        if not self.semantics.tests_tell:
            return
        if self.semantics.passed_conditions and outcome is None:
            self.conditions_held(instruction, call)
        fn = self.fn
        low, high = (FALSE, TRUE) if outcome is None else (int(outcome), int(outcome))
        for operand, name in instruction.operands[-1]:
            if name in ("*", "**") or self.op(operand) != "get":
                continue
            for key in self.keys(operand)[:1]:
                current = fn.resolve(fn.read(key))
                if current in (UNDEFINED, fn.unknown, fn.opaque) or current in fn.nonnull:
                    continue
                if self.semantics.synonyms:
                    if fn.root(current) != fn.root(self.value(operand)):
                        continue
                    current = self.value(operand)
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

    def conditions_held(self, instruction: Instruction, call: Value) -> None:
        """What arguments test is known behind a call that only comes back where they are true, or false."""
        fn = self.fn
        for number, (operand, name) in enumerate(instruction.operands[-1]):
            for truth, shown in zip(("true", "false"), self.shown_by_condition(operand), strict=True):
                for key, root, nonnull in shown if not name else ():
                    current = fn.resolve(fn.read(key) if isinstance(key, str) else fn.content(key))
                    if not nonnull or current in (UNDEFINED, fn.unknown) or current in fn.nonnull:
                        continue
                    if fn.root(current) == root:
                        after = self.after(key, current)
                        fn.define(after, "shown_where", after, call, number, truth)
                        fn.write(key, after)

    def shown_by_condition(self, operand: Operand) -> Shown:
        """What the truth of a condition that has become a value shows, and what its being false does."""
        fn = self.fn
        value = self.value(operand)
        yes, no = fn.tests.get(fn.root(value), ([], []))
        sources = fn.sources(value)
        if sources is None or not all(isinstance(fn.constants.get(each), bool) for _, each in sources):
            return yes, no
        joined: Shown = ([], [])
        for key in sorted(each for each in fn.written_before(fn.homes[value]) if isinstance(each, str)):
            root = fn.root(fn.read(key))
            if SHOWN not in fn.fields_of.get(root, ()):
                continue
            for outcome, found in zip((True, False), joined, strict=True):
                ways = [block for block, each in sources if fn.constants[each] == outcome]
                if ways and all(fn.on_every_way(fn.content((root, SHOWN), block)) for block in ways):
                    found.append((key, root, True))
        return yes + joined[0], no + joined[1]

    # What calls show of their arguments.

    def tested(self, operand: Operand) -> list[Refinement]:
        return self.guards.tested(operand, self, nonnull=True)

    def shown_by_value(self, operand: Operand) -> Shown:
        """What it shows that the result of a call counts as true."""
        if self.op(operand) not in ("call", "invoke"):
            return [], []
        instruction = self.instructions[operand]  # type: ignore[index]
        if instruction.op == "invoke" and self.semantics.library is not NO_CALLS:
            return self.shown_by_library(instruction)
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
            self._note_test(self.value(operand), current, "true" if outcome else "false")

    def compared_state(self, *operands: Operand) -> None:
        """What is compared here, or switched on, says what state the objects are in whose methods gave it."""
        for operand in operands if self.semantics.states else ():
            value = self.value(operand)
            if (receiver := self._receivers.get(self.fn.root(value))) is not None:
                self._note_test(value, receiver, "asked")

    def _note_test(self, value: Value, base: Value, outcome: str) -> None:
        """From here on, `value`, which an object gave, is known, or was asked."""
        fn = self.fn
        path = fn.path(base, TESTS) if base else None
        if path is None or (fn.names[fn.resolve(value)] == "" and not self.semantics.suspects):
            return
        before = fn.content(path)
        token = fn.value(self.writer.name(self.guards.place, "test"))
        fn.emit("test", token, value, outcome)
        if before in self._tokens:
            fn.emit("test_after", token, before)
        self._tokens.add(token)
        fn.write(path, token)


def _printed(text: str, at: int) -> list[int]:
    """Which arguments a format, which is argument number `at`, prints as strings."""
    found, position = [], at + 1
    for conversion in _CONVERSION.findall(text):
        if conversion == "%%":
            continue
        position += conversion.count("*")
        if conversion[-1] == "s" and "." not in conversion:
            found.append(position)
        position += 1
    return found
