"""What objects keep: numbers and truths in fields, and what containers say of themselves.

Each is followed as a path of its object, from where it is written or first read to the next call that may change it: a
test of it is known when it comes again, and a constant that was written decides it. A container that was just made is
empty.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from pliant.extractors.ir.operands import Constant, Operand
from pliant.extractors.ir.unit import Instruction, Span
from pliant.extractors.passes.scalars import Scalars
from pliant.extractors.ssa import STATE, UNDEFINED, Key, Path, Value

_FIXED, _PRIVATE, _OPEN = "fixed", "private", "open"  # changed by no call, by those of this class, by any
_WHOLE = frozenset(("int", "long", "short", "byte", "char"))


class States(Scalars):
    """The states of objects in the function under construction."""

    def prepare(self) -> None:
        super().prepare()
        self._states: dict[Path, str] = {}  # what may change them
        self._same_name: defaultdict[str, list[Path]] = defaultdict(list)  # those of a field
        self._state_of: dict[Operand, Path] = {}  # what reads them
        self._looks: set[Value] = set()  # calls that change nothing
        self._fresh: set[Value] = set()  # new objects that nothing else has a name for
        if self.semantics.containers_of is not None or self.semantics.pointers:
            self.fn.changed_by = self.changed_by

    def _keys(self, operand: Value) -> list[Key]:
        if operand in self._state_of:
            return [self._state_of[operand]]
        return super()._keys(operand)

    # Fields.

    def is_number_field(self, number: Value) -> bool:
        """Whether an instruction reads a field that is declared to be a number or a truth."""
        return self.semantics.containers_of is not None and self.type_of(number).kind in ("number", "boolean")

    def read_state(self, instruction: Instruction) -> Value:
        """What a field of a number or a truth holds."""
        base, field = instruction.operands
        path = self._path_of(base, field)
        known = self.fn.content(path) if path is not None else UNDEFINED
        if known == UNDEFINED:
            fixed = (self._owner(base), field) in self.survey.scalars or self.op(base) == "import"
            known = self.give(instruction, "load") if fixed else self.fn.unnamed()
            self.fn.nonnull.add(known)
        if path is not None:
            self._state_of[instruction.number] = path
            self.fn.write(path, known)
        return known

    def write_state(self, base: Operand, field: str, operand: Operand) -> bool:
        """A field is written. Returns whether it is a number or a truth: nothing else is told of it then."""
        if self.semantics.containers_of is None:
            return False
        kind = self._of_field(base, field)
        if kind.kind not in ("number", "boolean"):
            return False
        path = self._path_of(base, field)
        if path is None:
            return True
        fn = self.fn
        for other in self._same_name[path[1]]:
            if other[0] != path[0] and not self._distinct(other[0], path[0]):
                fn.write(other, fn.unknown)
        value = self.value(operand)
        fn.write(path, value if value not in (UNDEFINED, fn.opaque, fn.unknown) else fn.unnamed())
        return True

    def _distinct(self, one: Value, other: Value) -> bool:
        """Whether two objects cannot be one."""
        fn = self.fn
        fresh = one in self._fresh or (other in self._fresh and fn.operands(one) is None)
        return fresh and fn.operands(other) is None

    def _path_of(self, base: Operand, field: str) -> Path | None:
        kind = self._of_field(base, field)
        if kind.kind != "boolean" and kind.name not in _WHOLE:
            return None
        owner = self.class_named(base) or self.type_of(base).name
        words = self.survey.words.get((owner, field), frozenset())
        root = self.fn.root(self.value(base))
        if "volatile" in words or root in (UNDEFINED, self.fn.opaque, self.fn.unknown):
            return None
        path = (root, f"{STATE}{field}")
        if path not in self._states:
            private = "private" in words
            steady = "final" in words or (private and field not in self.fn.tracked)
            self._states[path] = _FIXED if steady else _PRIVATE if private else _OPEN
            self._same_name[path[1]].append(path)
        return path

    def _state(self, path: Path) -> Value:
        """What is there now: a constant, what was written, or a value that stands for it until it changes."""
        content = self.fn.content(path)
        if content == UNDEFINED:
            content = self.fn.unnamed()
            self.fn.write(path, content)
        return content

    def changed_by(self, call: Value, arguments: dict[Value, Value], path: Path, value: Value) -> bool:
        """Whether a call that gets `arguments` (by their roots) may change the `value` that is kept at `path`. Whoever
        is called may call this class: what is constant in a private field decides nothing behind that."""
        kind = self._states.get(path, _OPEN)
        if kind == _FIXED or call in self._looks:
            return False
        roots = {self.fn.root(root) for root in arguments}
        if path[0] in self._fresh and path[0] not in self.fn.leaked:
            return path[0] in roots
        return kind != _PRIVATE or path[0] in roots or self._may_run_file(call, roots, value in self.fn.constants)

    def _may_run_file(self, call: Value, roots: set[Value], anything: bool) -> bool:
        """Whether a call may run code of this file: its own methods, those of objects that it makes, or functions that
        are passed; what other code calls only if it may be `anything`."""
        instruction = self.results.get(call)
        if instruction is None or any(map(self._is_of_file, roots - {call})):
            return True
        callee = instruction.operands[0]
        if instruction.op == "call":
            return not isinstance(callee, Constant) and self.op(callee) != "import"
        if isinstance(callee, Constant):
            return callee.kind != "string"
        if self.class_named(callee) or self.is_receiver(callee) or self.op(callee) == "super":
            return True
        kind = self.type_of(callee)
        if anything:
            known = self.semantics.containers_of
            return known is None or kind.kind != "class" or not kind.module or kind.name not in known.quiet
        return kind.kind == "class" and not kind.module

    def _is_of_file(self, root: Value) -> bool:
        """Whether a value is the object of this code, a function, or an object of a class of the file."""
        formals, made = self.fn.formals, self.results.get(root)
        if self.function.formals and self.function.formals[0].kind == "receiver" and root == next(iter(formals)):
            return True
        return root in self.functions or (
            made is not None and made.op == "call" and self.op(made.operands[0]) != "import"
        )

    # Fields that are null by a test.

    def field_read(self, operand: Operand) -> str:
        """The field of the object that the function is called on that an operand reads, itself or by a method that does
        nothing else; empty where it is none."""
        if isinstance(operand, Constant) or self.semantics.containers_of is None:
            return ""
        op, operands = self.instructions[operand].op, self.instructions[operand].operands
        if op == "load":
            return str(operands[1]) if self.is_receiver(operands[0]) else ""
        if op != "invoke" or operands[2] or not self.is_receiver(operands[0]):
            return ""
        return self._getter(operands[0], operands[1])

    def _getter(self, base: Operand, name: str) -> str:
        """The field that methods of that name do nothing but give."""
        found = {self.survey.getters.get(each.name, "") for each in self.meant(base, name, 0)}
        return found.pop() if len(found) == 1 else ""

    def tested_field(self, operand: Operand, where: Span | None, *, null: bool) -> None:
        """A field of this object was compared with null: until a call, it is what that has shown."""
        field = self.field_read(operand)
        if not field:
            return
        fn = self.fn
        value = fn.unnamed()
        if null:
            value = fn.value(self.writer.name(self.guards.place, f".{field} null"))
            test = fn.value(self.writer.name(self.guards.place, "test for null"), where)
            fn.define(value, "null", test, "tested")
            fn.define(value, "tested_null", value, test)
            fn.define(value, "assign_null", value, test)
        fn.write((next(iter(fn.formals)), f"{STATE}{field} null"), value)

    def reread_field(self, number: Value, value: Value) -> None:
        """A field is read that a test, and no call since, may have shown to be null."""
        field = self.field_read(number)
        if field and value not in self.fn.nonnull:
            known = self.fn.content((next(iter(self.fn.formals)), f"{STATE}{field} null"))
            if known != UNDEFINED and known not in self.fn.nonnull:
                self.fn.emit("assign_null", value, known)

    # Containers.

    def _library_container(self, base: Operand) -> str:
        """The simple name of the class of a container of the library; empty of others."""
        known, kind = self.semantics.containers_of, self.type_of(base)
        return (
            kind.name if known is not None and kind.kind == "class" and kind.module and kind.name in known.all else ""
        )

    def is_empty(self, base: Operand) -> bool | None:
        """Whether a container is known to be empty, or not to be."""
        known = self.semantics.containers_of
        if known is None or not self._library_container(base):
            return None
        content = self.fn.constants.get(self.fn.content((self.fn.root(self.value(base)), f"{STATE}{known.empty}()")))
        return content if isinstance(content, bool) else None

    def kept_called(
        self, instruction: Instruction, call: Value, passed: Sequence[Value], *, empty: bool | None
    ) -> None:
        """What a call says of the container that it is of, which was `empty`; what it gets has other names now."""
        known, fn = self.semantics.containers_of, self.fn
        if known is None:
            return
        if instruction.op == "call":
            self._constructed(instruction, call, passed)
            return
        base, name, arguments = instruction.operands
        if name in known.harmless or (not arguments and self._getter(base, name)):
            self._looks.add(call)
        elif self._fresh and len(passed) > 1:
            self._hand_over(passed[1:])
        kind = self._library_container(base) if name in known.told else ""
        root = fn.root(self.value(base))
        if not kind or root in (UNDEFINED, fn.opaque, fn.unknown):
            if self._fresh:
                self._hand_over([root])
            return
        if fn.operands(root):
            self._fresh.clear()
        if name in known.looks:
            self._looks.add(call)
        self._tell_container(instruction, kind, root, empty=empty)

    def _tell_container(self, instruction: Instruction, kind: str, root: Value, *, empty: bool | None) -> None:
        known, fn = self.semantics.containers_of, self.fn
        assert known is not None
        _, name, arguments = instruction.operands
        given = [each.value for each in arguments]
        path = (root, f"{STATE}{known.empty}()")
        if not given and name in (known.empty, known.size):
            path = (root, f"{STATE}{name}()")
            self._state_of[instruction.number] = path
            zero = name == known.size and empty
            self.values[instruction.number] = self._literal(0) if zero else self._state(path)
        elif name in known.finds and empty:
            self.values[instruction.number] = self._literal(False)
        elif name in known.adds:
            fn.write(path, self._literal(False))
        elif name == known.clear and not given:
            fn.write(path, self._literal(True))
        elif empty and (
            name in known.needs_one or (name in known.at and kind in known.lists and self._is_position(given))
        ):
            fn.stop()

    def _is_position(self, given: list[Operand]) -> bool:
        return bool(given) and self.type_of(given[0]).kind == "number"

    def asked_empty(self, operand: Operand, outcome: bool) -> None:
        """Whether a container is empty was tested."""
        path, known = self._state_of.get(operand), self.semantics.containers_of
        if known is not None and path is not None and path[1] == f"{STATE}{known.empty}()":
            self.fn.write(path, self._literal(outcome))

    def _literal(self, content: bool | int) -> Value:
        value = self.fn.unnamed()
        self.fn.constants[value] = content
        return value

    def _constructed(self, instruction: Instruction, value: Value, passed: Sequence[Value]) -> None:
        """A new object that nothing else has a name for; of a container, it is empty."""
        known = self.semantics.containers_of
        callee, arguments = instruction.operands
        if self._fresh:
            self._hand_over([each for each in passed if each != value])
        if self.op(callee) in ("import", "get"):
            self._fresh.add(value)
        kind = self.type_of(instruction.number)
        numbers = all(self.type_of(each.value).kind == "number" for each in arguments)
        if known is not None and kind.kind == "class" and kind.module and kind.name in known.made and numbers:
            self.fn.write((value, f"{STATE}{known.empty}()"), self._literal(True))

    def _hand_over(self, values: Sequence[Value]) -> None:
        """Others have a name for these objects from here on; where one is of several, for each of them."""
        roots = [self.fn.root(each) for each in values]
        self._fresh.difference_update(roots)
        if any(self.fn.operands(root) for root in roots):
            self._fresh.clear()
