"""Memory that is known by its addresses: pointers into objects, structures by value, what is read and written there.

A pointer into an object (`p + 1`, `&p->field`) counts as one to the object. A field of a nested structure is followed
as one of the outermost, by a path; an element by its number, or by the variable that its index is. A number is known
until a call may have changed it, or until its field is written through another pointer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pliant.extractors.ir.operands import ANY, UNTYPED, Constant, Operand, Predicate, Type, asked
from pliant.extractors.ir.unit import MODULE, Instruction
from pliant.extractors.lowering.ranges import point
from pliant.extractors.passes.construction import Construction
from pliant.extractors.passes.names import site_of
from pliant.extractors.passes.steps import STEPS
from pliant.extractors.passes.sums import Sum
from pliant.extractors.ssa import STATE, UNDEFINED, Key, Path, Value

_NUMBERS = frozenset(("number", "boolean"))
_VALUES = frozenset(("copy", "zero", "allocate", "call"))  # what gives a structure
_FIELDS = 64  # of a structure, and
_NESTED = 2  # structures in it: whose zeros are known
_NESTING = 6  # pointers made from pointers that are looked through
_WRITTEN = "$written "  # before the name of a field: the variable that says by what it was written last


class Memory(Construction):
    """origins: pointers that were made from others. insides: pointers to parts of objects, and for each the pointer to
    the object and the path to the part. cells: addresses of variables of the file. held: addresses of variables of the
    function that memory holds."""

    def prepare(self) -> None:
        super().prepare()
        self.origins: dict[Value, Value] = {}
        self._first_origins: dict[Value, Value] = {}
        self.insides: dict[Value, tuple[Value, str]] = {}
        self.classes_made: set[str] = set()
        self.allocated: set[Value] = set()  # new objects of which no type is known
        self.cells: dict[Value, Value] = {}  # addresses of variables of the file
        self._renamed: set[Value] = set()  # what was read again, and may be another object
        self._elements: dict[Path, Value] = {}
        self._calls_made = 0
        self._read_at: dict[Path, int] = {}  # how many calls were made before
        self._read_from: dict[Value, Operand] = {}  # what is read from a field -> what holds it
        self._known_by: dict[Path, tuple[Value, Value]] = {}  # number at a path: what it is, and by what it is known
        self.effects = False  # whether memory was written that is no variable of the function
        self.held: dict[Value, None] = {}  # addresses of variables that memory holds
        self._written_states: set[str] = set()

    # Where something is.

    def object_of(
        self, value: Value, depth: int = _NESTING, known: dict[tuple[Value, int], Value] | None = None
    ) -> Value:
        """The pointer that stands for the object which `value` points into. known: what phis on the way stand for."""
        fn = self.fn
        value = fn.resolve(value)
        if value in self.origins or value in self.guards.guard_of:
            value = self._origin(value)
        if not depth or value in fn.carried or value in self._renamed:
            return value
        operands = fn.operands(value)
        if operands is None:
            root = fn.roots[value]
            return value if root in (value, UNDEFINED) else self.object_of(root, depth - 1, known)
        known = {} if known is None else known
        found = known.get((value, depth))
        if found is None:
            found = known[value, depth] = self._joined_object(value, operands, depth - 1, known)
        return found

    def _origin(self, value: Value) -> Value:
        """The pointer that `value`, one of `origins`, was made from, and that one, and so on."""
        resolve, passed = self.fn.resolve, set[Value]()
        guard_of, origins = self.guards.guard_of, self.origins
        while (value in origins or value in guard_of) and value not in passed:  # a phi may be what was made of it
            passed.add(value)
            value = resolve(self._first_origins.get(value) or origins.get(value) or guard_of[value])
        if value not in passed:
            for each in passed:  # so that it is found at once the next time
                self._first_origins[each] = value
        return value

    def _joined_object(
        self, phi: Value, operands: list[Value], depth: int, known: dict[tuple[Value, int], Value]
    ) -> Value:
        found = UNDEFINED
        for operand in operands:
            if operand not in (phi, UNDEFINED):
                target = self.object_of(operand, depth, known)
                if target == UNDEFINED or target != (found or target):
                    return phi
                found = target
        return found or phi

    def place(self, base: Value, step: str, homes: tuple[Value, ...] = ()) -> tuple[Path | None, str]:
        """The path under which what is at a step from a pointer is followed, and its name in facts."""
        fn = self.fn
        base = fn.resolve(base)
        outer, prefix = self.insides.get(base, (base, ""))
        root = fn.root(outer)
        if root in (UNDEFINED, fn.opaque, fn.unknown):
            return None, step
        path = step
        if prefix:
            path = prefix if step == "*" else f"{prefix}{step}" if step[:1] == "[" else f"{prefix}.{step}"
        if homes:  # an element: known until the index or the pointer changes
            number = self._elements.get((root, path))
            if number is None:
                number = self._elements[root, path] = fn.unnamed()
                fn.homes[number] = max(fn.homes[value] for value in (root, *homes))
                fn.names[number] = fn.names[root]
            root = number
        return (root, path), step

    def _element(self, key: Operand) -> tuple[str, tuple[Value, ...]]:
        """The step to an element, and the values that it depends on."""
        if isinstance(key, Constant):
            return f"[{key.content}]", ()
        root = self.fn.root(self.value(key))
        return f"[]#{root}", (root,)

    def _keys(self, operand: Value) -> list[Key]:
        instruction = self.instructions[operand]
        if instruction.op not in ("load", "element"):
            return super()._keys(operand)
        base, at = instruction.operands
        step, homes = (at, ()) if instruction.op == "load" else self._element(at)
        path, _ = self.place(self.value(base), step, homes)
        return [path] if path is not None else []

    def class_of(self, kind: Type) -> str:
        """The class of the objects that a pointer to a type leads to; empty of numbers and of what is not known."""
        if kind.kind == "class":
            return kind.name
        if kind.kind == "pointer":
            inner = kind.of[0] if kind.of else ANY
            return f"{inner.name} *" if inner.kind == "class" else "pointer"
        return self.class_of(kind.of[0]) if kind.kind == "array" and kind.of else ""

    def _instance(self, name: str) -> None:
        if name not in self.survey.instances:
            self.survey.instances.add(name)
            self.fn.emit("instance", name, f"{name} object")

    def _new_of(self, value: Value, kind: Type) -> None:
        """`value` is the address of a new object: of a structure, one stands for all."""
        fn, name = self.fn, self.class_of(kind)
        if kind.kind == "class" or (kind.kind == "array" and name and name[-1] != "*" and name != "pointer"):
            self._instance(name)
            fn.define(value, "new", value, f"{name} object", name)
        elif name:
            fn.define(value, "new", value, value, name)

    def address(self, name: str) -> Value:
        fn = self.fn
        address = self._addresses[name]
        if address == UNDEFINED:
            what, variable = name.partition("#")[0], self.function.variables[name]
            if variable.home in ("module", "import"):
                cell = self.cell(variable)
                address = self._addresses[name] = fn.fixed_value(f"{fn.names[cell]} address")
                self.cells[address] = cell
                fn.nonnull.add(address)
                return address
            address = self._addresses[name] = fn.value(self.writer.name(self.guards.place, f"&{what}"))
            fn.homes[address] = fn.entry
            fn.nonnull.add(address)
            if "macro" in self.function.flags and name in {each.variable for each in self.function.formals}:
                return address
            fn.private.add(address)
            self._new_of(address, Type("pointer", of=(self.function.variables[name].type,)))
        return address

    def _of(self, instruction: Instruction) -> Type:
        operands = instruction.operands
        match instruction.op:
            case "load":
                return self._of_part(self.type_of(operands[0]), operands[1])
            case "interior":
                part = self._of_part(self.type_of(operands[0]), operands[1])
                return part if part.kind in ("class", "array", "any") else Type("pointer", of=(part,))
            case "element":
                return self._of_part(self.type_of(operands[0]), "*")
            case "offset":
                return self.type_of(operands[0])
            case "address":
                return Type("pointer", of=(self.function.variables[operands[0]].type,))
            case "call":
                callee = self.type_of(operands[0])
                callee = callee.of[0] if callee.kind == "pointer" and callee.of else callee
                return callee.of[0] if callee.kind == "function" and callee.of else ANY
            case "arithmetic" if operands[0] in ("+", "-") and ANY in map(self.type_of, operands[1]):
                return ANY  # perhaps a pointer
            case "zero":
                kind: Type = operands[0]
                return kind
            case "copy":
                copied = self.type_of(operands[0])
                return copied.of[0] if copied.kind == "pointer" and copied.of else copied
        return super()._of(instruction)

    def _of_part(self, kind: Type, field: str) -> Type:
        """The type of a field of what a pointer leads to."""
        inner = kind.of[0] if kind.kind in ("pointer", "array") and kind.of else kind
        if field in ("*", "[]"):
            return inner if kind.kind in ("pointer", "array", "class") else ANY
        class_ = self.survey.classes.get(inner.name) if inner.kind == "class" else None
        return class_.fields.get(field, ANY) if class_ is not None else ANY

    def note_structure(self, read: Value) -> None:
        while (base := self._read_from.pop(read, None)) is not None:
            kind = self.type_of(base)
            inner = kind.of[0] if kind.kind == "pointer" and kind.of else kind
            if inner.kind == "class":
                self.fn.emit("member_of", read, inner.name)
                break
            read = self.fn.resolve(self.value(base))  # the fields of structures of other files say of which type it is

    # What points to objects of a type.

    def pointed(self, operand: Operand, kind: Type) -> None:
        """An operand is used as a pointer of a type: a new object gets that type, and what a call or a field gives
        points to objects of that type alone."""
        if kind.kind != "pointer" or not kind.of or isinstance(operand, Constant):
            return
        fn, value, name = self.fn, self.value(operand), self.class_of(kind.of[0])
        if value in self.allocated and name:
            self.allocated.discard(value)
            if kind.of[0].kind == "class":
                self._instance(name)
            fn.emit("new", value, f"{name} object" if kind.of[0].kind == "class" else value, name)
        elif (value in self.results or value in self.reads) and (name or kind.of[0].kind in _NUMBERS):
            if name:
                self._instance(name)
            fn.define(value, *(("used_for", value, name) if name else ("plain", value)))

    def _typed(self, instruction: Instruction, operand: Operand, kind: Type) -> None:
        """A pointer of no type becomes one of a type: it points to objects of that type alone."""
        self.pointed(operand, kind)
        if isinstance(operand, Constant) or self.type_of(operand) != UNTYPED or kind.kind != "pointer" or not kind.of:
            return
        fn, value, name = self.fn, self.value(operand), self.class_of(kind.of[0])
        if name and value not in self.results and value not in self.reads and value not in (UNDEFINED, fn.opaque):
            made = self.instructions[operand]
            what = made.operands[0].partition("#")[0] if made.op == "get" else f"({name} *)"
            pointer = self.values[operand] = self.named(instruction, what)
            fn.define(pointer, "converts", pointer, value, name)
            fn.roots[pointer] = fn.root(value)
            self.origins[pointer] = value
            if self.is_nonnull(value):
                fn.nonnull.add(pointer)
            else:
                fn.define(pointer, "assign_null", pointer, value)

    def cast(self, instruction: Instruction) -> None:
        self._typed(instruction, *instruction.operands[:2])
        self.convert(instruction)

    # Reading.

    def is_steady(self, operand: Value) -> bool:
        if self.op(operand) == "get":
            name = self.instructions[operand].operands[0]
            return name in self._addresses or self.is_own(operand)
        return super().is_steady(operand)

    def _is_number_in_memory(self, name: str) -> bool:
        return name in self._addresses and self.function.variables[name].type.kind in _NUMBERS

    def read(self, name: str, instruction: Instruction) -> Value:
        if not self._is_number_in_memory(name):
            if name in self._addresses and self.address(name) in self.cells:
                return self._read_cell(name, instruction)
            return super().read(name, instruction)
        path = (self.address(name), "*")
        known = self._number_at(path, "*")
        if known == UNDEFINED:
            known = self.fn.unnamed()
            self.set_number(path, "*", known)
        return known

    def _read_cell(self, name: str, instruction: Instruction) -> Value:
        """What a variable of the file holds whose address this function takes."""
        fn, path = self.fn, (self.address(name), "*")
        value = fn.content(path)
        if value == UNDEFINED:
            value = self.named(instruction, name.partition("#")[0])
            fn.emit("assign_object", value, self.cells[path[0]])
            fn.write(path, value)
        return value

    def write(self, name: str, value: Value) -> None:
        if self._is_number_in_memory(name):
            self.set_number((self.address(name), "*"), "*", value, writes=True)
        else:
            super().write(name, value)

    def load(self, instruction: Instruction) -> None:
        base, field = instruction.operands
        self._use_base(base, instruction, "pointer" if field == "*" else self.semantics.needs["load"])
        self._read(instruction, base, field, field)

    def element(self, instruction: Instruction) -> None:
        base, key = instruction.operands
        self._use_base(base, instruction, self.semantics.needs["element"])
        self._read(instruction, base, "*", *self._element(key))

    def _use_base(self, base: Operand, instruction: Instruction, kind: str) -> None:
        """A pointer is used; of one into an object, what that was made from has been asked to be no null."""
        value = self.fn.resolve(self.value(base))
        if value in self.insides:
            self.use_object(value, instruction, kind, site_of(instruction, self.semantics))
        else:
            self.use(base, instruction, kind)

    def use_object(self, value: Value, instruction: Instruction, kind: str, what: str) -> None:
        """The object that a pointer leads to is used."""
        raise NotImplementedError

    def _read(
        self, instruction: Instruction, base: Operand, field: str, step: str, homes: tuple[Value, ...] = ()
    ) -> None:
        fn, number = self.fn, instruction.number
        path, _ = self.place(self.value(base), step, homes)
        if self.type_of(number).kind in _NUMBERS:
            self._read_number(number, path, field)
            return
        content = fn.content(path) if path is not None else UNDEFINED
        plain = content != UNDEFINED and content not in fn.carried and fn.operands(content) is None
        if plain and path is not None and self._read_at.get(path) == self._calls_made:
            self.values[number] = content
            return
        value = self.named(instruction, self.texts.what(instruction, self.semantics.null))
        self.values[number] = value
        outer = self.insides.get(fn.resolve(self.value(base)), (self.value(base), ""))[0]
        if outer in self.cells and field == "*":
            fn.define(value, "assign_object", value, self.cells[outer])
        else:
            fn.define(value, "load", value, outer, field)
        self.reads[value] = instruction
        self._read_from[value] = base
        if path is None:
            return
        if content != UNDEFINED:
            fn.roots[value] = fn.root(content)
            if self.is_nonnull(content):
                fn.nonnull.add(value)
                fn.define(value, "nonnull", value)
            elif content != fn.opaque:
                fn.define(value, "assign_null", value, content)
                self.held_reads.append((value, content))
            if self._read_at.get(path) == self._calls_made:
                self.origins[value] = content
            else:
                self._renamed.add(value)
        if content == UNDEFINED or fn.carried.get(content) == UNDEFINED:
            self.first_read(value, path)
        fn.write(path, value)
        self._read_at[path] = self._calls_made

    def first_read(self, value: Value, path: Path) -> None:
        """`value` may be what a field of a parameter held when the function was entered."""

    def kept_address(self, what: str, value: Value, instruction: Instruction, key: Key) -> Value:
        """The address of a variable, as it is kept from here on in a place that may outlive the function."""
        raise NotImplementedError

    def decided(self, predicate: Predicate, depth: int = 0) -> bool | None:
        subject = predicate.operands[0]
        if predicate.operator == "null" and isinstance(subject, int):
            known = self.ranges.get(self.fn.root(self.value(subject)))  # of a call that always gives null
            return True if known == point(0) else None
        if predicate.operator == "==":
            one, other = (self.fn.root(self.value(each)) for each in asked(predicate))
            for a, b in ((one, other), (other, one)):  # a parameter is the address of none of this call's variables
                if a in self.fn.formals and a not in self.fn.private and b in self.fn.private:
                    return False
        return super().decided(predicate, depth)

    def told_of_pointer(self, operand: Operand) -> str | None:
        if isinstance(operand, Constant):
            if operand.kind == "other":
                return None
            return ("true" if operand.content else "false") if operand.kind in ("integer", "boolean") else "true"
        value = self.fn.resolve(self.value(operand))
        known = self.sum_of(operand)
        if known is not None and not known.terms:
            return "true" if known.constant else "false"
        pointer = self.type_of(operand).kind not in _NUMBERS and value != self.fn.opaque
        return "true" if pointer and self.fn.names[value] and self.is_nonnull(value) else None

    def _read_number(self, number: Value, path: Path | None, field: str) -> None:
        """A number that is read from memory."""
        fn = self.fn
        known = self._number_at(path, field)
        if known == UNDEFINED:
            known = fn.unnamed()
            if path is not None:
                self.set_number(path, field, known)
        self.values[number] = known

    def _number_at(self, path: Path | None, field: str) -> Value:
        if path is None:
            return UNDEFINED
        known = fn_content = self.fn.content((path[0], f"{STATE}{path[1]}"))
        if fn_content == UNDEFINED or self._is_apart(path[0]):
            return known
        made = self._known_by.get((known, path[1]), (UNDEFINED, UNDEFINED))
        return known if made == (path[0], self.fn.read(f"{_WRITTEN}{field}")) else UNDEFINED

    def set_number(self, path: Path, field: str, value: Value, *, writes: bool = False) -> None:
        fn = self.fn
        if writes and not self._is_apart(path[0]):
            fn.write(f"{_WRITTEN}{field}", fn.unnamed())
        self._known_by[value, path[1]] = path[0], fn.read(f"{_WRITTEN}{field}")
        fn.write((path[0], f"{STATE}{path[1]}"), value)

    def _is_apart(self, root: Value) -> bool:
        """Whether a pointer is to a variable of this function that no other pointer leads to."""
        return root in self.fn.private and root not in self.held

    def changed_by(self, call: Value, arguments: dict[Value, Value], path: Path, value: Value) -> bool:
        return path[0] in arguments or not self._is_apart(path[0])

    # Writing.

    def store(self, instruction: Instruction) -> None:
        base, field, operand = instruction.operands
        self._use_base(base, instruction, "pointer" if field == "*" else self.semantics.needs["store"])
        declared = self._of_part(self.type_of(base), field)
        by_value = self.op(operand) in _VALUES and declared.kind != "pointer"  # else it is an address
        copied = self.op(operand) == "copy"
        if copied or (by_value and self.type_of(operand).kind == "class"):  # a structure, or one in a structure
            path, _ = self.place(self.value(base), field)
            prefix = "" if field == "*" or path is None else path[1]
            inside = self.insides.get(self.fn.resolve(self.value(base)))
            if inside is not None and field == "*":
                prefix = inside[1]
            self._copy(inside[0] if inside is not None else self.value(base), self.value(operand), prefix)
            return
        self._write(instruction, base, field, operand, field)

    def put(self, instruction: Instruction) -> None:
        base, key, operand = instruction.operands
        self._use_base(base, instruction, self.semantics.needs["put"])
        step, homes = self._element(key)
        if self.op(operand) != "copy":
            self._write(instruction, base, "*", operand, step, homes)
            return
        pointer = self.value(base)
        path, _ = self.place(pointer, step, homes)
        self._copy(pointer, self.value(operand), step)
        if path is not None:
            self.forget_elements(path, pointer)

    def _write(
        self,
        instruction: Instruction,
        base: Operand,
        field: str,
        operand: Operand,
        step: str,
        homes: tuple[Value, ...] = (),
    ) -> None:
        fn = self.fn
        pointer, value = self.value(base), self.value(operand)
        path, _ = self.place(pointer, step, homes)
        self.effects = self.effects or self.object_of(pointer) not in fn.private
        number = self.type_of(operand).kind in _NUMBERS
        outer = self.insides.get(fn.resolve(pointer), (pointer, ""))[0]
        if not number:
            self.pointed(operand, self._of_part(self.type_of(base), field))
            fn.emit("store", outer, field, value)
            if self.function.name == MODULE and field != "*" and value in self.guards.literal_null:
                fn.emit("initial_null", outer, field, value)
            fn.lent.discard(value)
            target = self.object_of(value)
            if target in fn.private:
                self.held[target] = None
                if path is not None and self.object_of(pointer) not in fn.private:
                    value = self.kept_address(field, value, instruction, path)
        if field not in self._written_fields and not (number and field == "*"):
            self._written_fields.add(field)
            fn.emit("field_write", self.symbol, field)
        if number and field == "*":
            self._wrote_state(field)
        if path is None:
            return
        if number:
            if step[:1] == "[":
                self.forget_elements(path, pointer)
            known = fn.unnamed()
            if (found := self.sum_of(operand)) is not None:
                self.sums[known] = found._replace(asked=True)
            self.set_number(path, field, known, writes=True)
            return
        fn.write(path, value)
        self.guards.wrote(path, value)
        self._read_at[path] = self._calls_made

    def _wrote_state(self, field: str) -> None:
        """Note that the function writes numbers where a pointer leads, or with `=` all of a structure."""
        if field not in self._written_states:
            self._written_states.add(field)
            self.fn.emit("state_write", self.symbol, field)

    def wrote_memory(self, pointer: Operand) -> None:
        """Note that the function writes all that a pointer leads to."""
        of_numbers = self._of_part(self.type_of(pointer), "*").kind in _NUMBERS
        self._wrote_state("*" if of_numbers else "=")

    def forget_elements(self, path: Path, pointer: Value) -> None:
        """An element is written: which others it is, is not known if one of their indices is a variable."""
        fn, root = self.fn, self.fn.root(pointer)
        for (base, field), number in list(self._elements.items()):
            if base == root and (number, field) != path:
                fn.write((number, f"{STATE}{field}"), fn.unknown)
        for field in list(fn.fields_of.get(root, ())) if path[0] != root else ():
            if field.startswith(f"{STATE}["):
                fn.write((root, field), fn.unknown)

    def copy(self, instruction: Instruction) -> None:
        """The same value; of a structure, a copy."""
        [operand] = instruction.operands
        kind = self.type_of(instruction.number)
        value = self.named(instruction, "copy")
        self.values[instruction.number] = value
        self.fn.nonnull.add(value)
        self.fn.private.add(value)
        self._new_of(value, kind)
        self._copy(value, self.value(operand))

    def _copy(self, target: Value, source: Value, prefix: str = "") -> None:
        """A structure is assigned: what both are known by is their addresses. prefix: the path to where it is put."""
        fn, front = self.fn, f"{prefix}." if prefix else ""
        fn.emit("copies", target, source)
        if self.object_of(target) not in fn.private:
            self._wrote_state("=")
        self.effects = self.effects or self.object_of(target) not in fn.private
        into, origin = fn.root(target), fn.root(source)
        for known in list(fn.fields_of.get(into, ())):
            if known[:1] != "$" and known.removeprefix(STATE).startswith(front):
                fn.write((into, known), fn.unknown)
        for known in list(fn.fields_of.get(origin, ())):
            if known[:1] != "$":
                content = fn.read((origin, known))
                if known[:1] == STATE:
                    path, field = (origin, known[1:]), known.rpartition(".")[2].removeprefix(STATE)
                    if (number := self._number_at(path, field)) != UNDEFINED:
                        self.set_number((into, f"{front}{known[1:]}"), field, number, writes=True)
                else:
                    if self.function.name == MODULE and content in self.guards.literal_null and not front:
                        fn.emit("initial_null", target, known, content)
                    fn.write((into, f"{front}{known}"), content)
                    self._read_at[into, f"{front}{known}"] = self._calls_made

    def set_variable(self, instruction: Instruction) -> None:
        self.setting = instruction
        name, operand = instruction.operands
        self._typed(instruction, operand, self.function.variables[name].type)
        self.set_(instruction)

    # Pointers.

    def interior(self, instruction: Instruction) -> None:
        base, field = instruction.operands
        pointer = whole = self.value(base)
        if field != "[]" and pointer not in self.fn.nonnull:  # an offset from null is no null that anything tests for
            whole = self.named(instruction, f"&->{field} not null")
            self.fn.define(whole, "assign_object", whole, pointer)
            self.fn.roots[whole] = self.fn.root(pointer)
        value = self._made_from(instruction, whole, f"&->{field}" if field != "[]" else "&[]")
        self.fn.nonnull.add(value)
        path, _ = self.place(pointer, field)
        if path is not None and field != "[]":
            self.insides[value] = (self.insides.get(self.fn.resolve(pointer), (pointer, ""))[0], path[1])

    def offset(self, instruction: Instruction) -> None:
        pointer = self.value(instruction.operands[0])
        value = self._made_from(instruction, pointer, "+")
        if self.is_nonnull(pointer):
            self.fn.nonnull.add(value)

    def _is_given(self, value: Value) -> bool:
        """Whether a value was given by a call, or read from memory."""
        return value in self.results or value in self.reads

    def computed_number(self, instruction: Instruction) -> None:
        """What an operator gives; of something that is not declared, it may be a pointer into the same object."""
        self.arithmetic(instruction)
        operator, operands = instruction.operands
        if operator in ("+", "-"):
            pointers = [each for each in operands if self.type_of(each) == ANY and self._is_given(self.value(each))]
            if pointers and len(operands) == 2:
                known = self.sums.get(self.values[instruction.number])
                value = self._made_from(instruction, self.value(pointers[0]), operator)
                if known is not None:
                    self.sums[value] = known

    def _made_from(self, instruction: Instruction, pointer: Value, what: str) -> Value:
        """A pointer into the object that another one points to."""
        value = self.named(instruction, what)
        self.values[instruction.number] = value
        if pointer not in (UNDEFINED, self.fn.opaque):
            self.fn.define(value, "interior", value, pointer)
            self.origins[value] = pointer
        return value

    # New objects.

    def allocate(self, instruction: Instruction) -> None:
        kind, operands = instruction.operands
        value = self._variable(instruction, kind)
        for number, operand in enumerate(operands):
            content = self.value(operand)
            if self.type_of(operand).kind in _NUMBERS:
                self.set_number((value, f"[{number}]"), "*", content)
            else:
                if self.op(operand) in _VALUES and self.type_of(operand).kind in ("class", "array"):
                    self.fn.emit("copies", value, content)  # the structures of an array are parts of it
                else:
                    self.fn.emit("store", value, "*", content)
                self.fn.write((value, f"[{number}]"), content)

    def zero(self, instruction: Instruction) -> None:
        [kind] = instruction.operands
        if kind.kind in ("class", "array"):
            value = self._variable(instruction, kind)
            if self.function.name != MODULE:
                self._zeros(value, kind, "")
        elif kind.kind in _NUMBERS:
            self.values[instruction.number] = value = self.fn.unnamed()
            self.sums[value] = Sum((), 0, asked=True)
        else:
            super().zero(instruction)

    def _zeros(self, value: Value, kind: Type, prefix: str) -> None:
        """The numbers of a structure that is zero."""
        class_ = self.survey.classes.get(kind.name) if kind.kind == "class" else None
        if class_ is None or len(class_.fields) > _FIELDS or prefix.count(".") > _NESTED:
            return
        self.fn.spend(len(class_.fields))
        for field, inner in class_.fields.items():
            if inner.kind in _NUMBERS:
                zero = self.fn.unnamed()
                self.sums[zero] = Sum((), 0, asked=True)
                self.set_number((value, f"{prefix}{field}"), field, zero, writes=True)
            elif inner.kind == "class":
                self._zeros(value, inner, f"{prefix}{field}.")

    def _variable(self, instruction: Instruction, kind: Type) -> Value:
        """The address of a new variable."""
        value = self.named(instruction, "&")
        self.values[instruction.number] = value
        self.fn.nonnull.add(value)
        self.fn.private.add(value)
        if self.function.name == MODULE:
            self.fn.define(value, "new", value, value, self.class_of(kind) or "object")
        else:
            self._new_of(value, kind)
        return value

    # Calls.

    def called_own(self, call: Value) -> None:
        """A call was made of a function that is none of the library's."""
        raise NotImplementedError

    def called(self, call: Value, passed: list[tuple[Value, list[Key]]]) -> None:
        """A call may write the variables whose addresses memory holds; what it does to those that it gets is known by
        other means."""
        super().called(call, passed)
        fn = self.fn
        if self.library_name(self.results[call]) in self.semantics.memory.names:
            return
        self.called_own(call)
        got = {self.object_of(value) for value, _ in passed}
        self._calls_made += 1
        fn.spend(len(self.held))
        for address in self.held:
            for field in list(fn.fields_of.get(address, ())) if address not in got else ():
                if field[:1] not in "$=" and fn.content((address, field)) != UNDEFINED:
                    fn.write((address, field), fn.unknown)


MEMORY_STEPS: dict[str, Callable[[Any, Instruction], None]] = STEPS | {
    "allocate": Memory.allocate,
    "arithmetic": Memory.computed_number,
    "convert": Memory.cast,
    "copy": Memory.copy,
    "element": Memory.element,
    "interior": Memory.interior,
    "load": Memory.load,
    "offset": Memory.offset,
    "put": Memory.put,
    "set": lambda memory, instruction: memory.set_variable(instruction),
    "store": lambda memory, instruction: memory.store(instruction),
    "zero": Memory.zero,
}
