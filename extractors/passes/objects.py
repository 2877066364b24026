"""Instructions that make, fill and read objects: containers, tuples, classes, functions, modules, fields, elements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from pliant.extractors.budget import STORE_STEPS
from pliant.extractors.ir.operands import Constant, Operand
from pliant.extractors.ir.semantics import NO_CALLS
from pliant.extractors.ir.unit import MODULE, Instruction, Variable
from pliant.extractors.passes.guards import SHOWN
from pliant.extractors.passes.inheritance import Known, hidden, known
from pliant.extractors.passes.names import OUTER, class_symbol, formal_symbol, is_initialiser, module_symbol
from pliant.extractors.passes.uses import Uses
from pliant.extractors.ssa import LIVE, STATE, UNDEFINED, Path, Value

_OF_BASE = ("load", "element", "invoke", "store", "slice")
_MOST_TAKEN = 4  # arguments of a method that is passed as a function
_FOLLOWED_ITEMS = 8  # of a new array
_MOST = 1 << 30  # of the number of an item, as facts hold it


class Objects(Uses):
    """classes: values that hold a class of the file, and the name of that. displays: new containers, and the operands
    that they were written with."""

    def prepare(self) -> None:
        super().prepare()
        self.classes: dict[Value, str] = {}
        self._known_classes: dict[Value, Known] = {}
        self.displays: dict[Value, tuple[Operand, ...]] = {}
        self.lists: set[Value] = set()  # that are written
        self._written_fields: set[str] = set()
        self.functions: set[Value] = set()  # that are made here
        self._unset: dict[Path, Value] = {}
        self._is_left = False
        self._nulls_kept: dict[tuple[str, Value], Path | None] = {}  # by field, null or a parameter that it got
        self._field_reads: list[tuple[Value, Value]] = []  # what was read from fields, and what is known of that
        self.held_reads: list[tuple[Value, Value]] = []  # the same of those that are null where that is
        self._left: dict[Path, tuple[Value, str]] = {}  # places that were written, and the fields that they are
        self._passed = self._passed_on() if self.semantics.objects else set()
        # What a longer path begins with is followed even if nothing is known of it.
        self._bases = (
            {each.operands[0] for op in _OF_BASE for each in self.index.of(op)}
            if self.semantics.objects
            else self._used
        )
        if self.semantics.synonyms:
            self._bases = self._bases | {each.operands[1] for each in self.index.of("set")}
            self._bases |= {each.operands[0] for each in self.index.of("put")}
        self._filled: set[Operand] = set()
        self._shared: dict[str, list[Variable]] | None = None  # by their plain names, once that is asked

    def _passed_on(self) -> set[Operand]:
        """Objects that are written as arguments, or in one."""
        found: set[Operand] = set()
        if not self.index.has("allocate", "tuple"):
            return found
        holders: dict[Value, list[Operand]] = {}
        for each in self.index.of("call", "invoke"):
            found.update([value for value, _ in each.operands[-1]])
        for each in self.index.of("allocate", "tuple"):
            for inner in each.operands[-1]:
                if isinstance(inner, int):
                    holders.setdefault(inner, []).append(each.number)
        for each in self.index.of("fill"):
            base, _, inner = each.operands
            if isinstance(inner, int):
                holders.setdefault(inner, []).append(base)
        for number in sorted(holders, reverse=True):
            if not found.isdisjoint(holders[number]):
                found.add(number)
        return found

    # Fields.

    def load(self, instruction: Instruction) -> None:
        base, field = instruction.operands
        if (kind := self.semantics.needs.get("load")) is not None and field not in self.semantics.of_null:
            self.use(base, instruction, "pointer" if field == "*" else kind)
        if self.is_number_field(instruction.number):
            self.values[instruction.number] = self.read_state(instruction)
            return
        value = self.give(instruction, "load")
        if self.semantics.arity and field.endswith("()"):
            for count in range(_MOST_TAKEN):
                member = self.named(instruction, f"::{field[:-2]}")
                self.fn.emit("load", member, self.value(base), f"{field[:-2]}/{count}")
                self.fn.emit("assign_object", value, member)
            self.fn.nonnull.add(value)
            return
        if self.semantics.typed_members and field.endswith(OUTER):
            self.holds_receiver(value, self.type_of(instruction.number))
        if self.semantics.typed_members and self._is_sure_field(base, field):
            self.fn.nonnull.add(value)
            self._recognise(instruction, value)
            return
        self.reads[value] = instruction
        if self.semantics.versions:
            self.fn.read_version(value, self.value(base), field)
        self.follow(instruction, value, field)
        self.reread_field(instruction.number, value)
        self.note_tests(value, self.value(base))

    def _is_sure_field(self, base: Operand, field: str) -> bool:
        """Whether a field holds what its initialiser has made, for good."""
        kind = self.type_of(base)
        owner = self.class_named(base) or (kind.name if kind.kind == "class" and not kind.module else "")
        return (owner, field) in self.survey.made and "final" in self.survey.words.get((owner, field), ())

    def _recognise(self, instruction: Instruction, value: Value) -> None:
        """Make the object that a field always holds the same value wherever the field is read."""
        fn = self.fn
        for path in self.keys(instruction.number):
            if isinstance(path, tuple):
                content = fn.content(path)
                if content == UNDEFINED:
                    fn.write(path, value)
                else:
                    fn.roots[value] = fn.root(content)

    def reread_field(self, number: Value, value: Value) -> None:
        """A field is read that a test may have shown to be null."""
        raise NotImplementedError

    def is_number_field(self, number: Value) -> bool:
        """Whether an instruction reads a field that is declared to be a number or a truth."""
        raise NotImplementedError

    def read_state(self, instruction: Instruction) -> Value:
        """What such a field holds."""
        raise NotImplementedError

    def write_state(self, base: Operand, field: str, operand: Operand) -> bool:
        """A field is written. Returns whether it is such a field."""
        raise NotImplementedError

    def note_tests(self, value: Value, base: Value) -> None:
        """Note what was asked of an object of which a field is read."""

    def element(self, instruction: Instruction) -> None:
        base, key = instruction.operands
        if (kind := self.semantics.needs.get("element")) is not None:
            self.use(base, instruction, kind)
        constant = isinstance(key, Constant) and key.kind == "integer"
        if self.semantics.effects:
            value = self.give(instruction, "element of array")
            if constant:
                self.fn.read_version(value, self.value(base), f"[{key.content}]")
        elif self.semantics.objects and constant and int(key.content or 0) >= 0:
            value = self.give(instruction, "element item", number=min(int(key.content or 0), _MOST))
        else:
            value = self.give(instruction, "element")
        self.elements[value] = instruction
        self.follow(instruction, value, "")

    def follow(self, instruction: Instruction, value: Value, field: str) -> None:
        """Tell what was just read what is known of the path that it is."""
        fn = self.fn
        for path in self.keys(instruction.number):
            if not isinstance(path, tuple):
                continue
            content = fn.content(path)
            if instruction.op in ("load", "element") and self.semantics.effects:
                self._field_reads.append((value, content))
            if content == UNDEFINED:
                if instruction.number in self._bases:
                    fn.write(path, value)
            elif content in fn.nonnull or fn.on_every_way(fn.content((fn.root(content), SHOWN))):
                fn.nonnull.add(value)
                fn.emit("nonnull", value)
                if content != fn.opaque:
                    fn.roots[value] = fn.root(content)
                    if self.semantics.boxes and content not in fn.carried:
                        self.written[value] = content
            else:
                fn.roots[value] = fn.root(content)
                if field in fn.tracked:
                    fn.emit("assign_null", value, content)
                    self.held_reads.append((value, content))

    def store(self, instruction: Instruction) -> None:
        base, field, operand = instruction.operands
        fn = self.fn
        fn.spend(STORE_STEPS)
        if self.semantics.typed_members and (self.class_named(base), field) in self.survey.constants:
            fn.emit("constant_field", f"|{self.class_named(base)}", field, self.value(operand))
        held = self.classes.get(self.value(base))
        if held is not None and self.op(base) == "class":  # in the body of the class
            fn.emit("class_attribute", f"|{held}", field, self.value(operand))
            return
        if (kind := self.semantics.needs.get("store")) is not None:
            self.use(base, instruction, "pointer" if field == "*" else kind)
        if self.write_state(base, field, operand):
            if field not in self._written_fields:
                self._written_fields.add(field)
                fn.emit("state_write", self.symbol, field)
            return
        self.emit(instruction, "store", site=self.named(instruction, f".{field} ="))
        self.wrote_field(base, field, operand)

    def wrote_field(self, base: Operand, field: str, operand: Operand) -> None:
        """Note that a field holds a value from here on."""
        fn = self.fn
        holder, value = self.value(base), self.value(operand)
        if field not in self._written_fields:
            self._written_fields.add(field)
            fn.emit("field_write", self.symbol, field)
        if self.is_null(operand) and self.semantics.suspects:
            fn.emit("clears", self.symbol, holder, field, value)
        path = fn.path(holder, field)
        own = self.semantics.suspects and (path is None or path[0] in fn.formals)
        if own and (self.is_null(operand) or fn.root(value) in fn.formals):
            self._nulls_kept[field, value] = path
        if path is not None:
            fn.write(path, value)
            self.guards.wrote(path, value)
            self.note_item(path, value)
        if self.semantics.effects:
            root = fn.root(holder)
            self._tell_late(base, root, field)
            if root in fn.formals:
                fn.write((root, f"{STATE}{field} null"), fn.unnamed())
            fn.wrote(holder, field, value)
            self._tell_written(holder, field, value)
            if path is not None:
                self._left[path] = (holder, field)

    def _tell_late(self, base: Operand, root: Value, field: str) -> None:
        """That code other than constructors of its class (and what runs for these) writes a field. root: the base's."""
        owner, function = self.function.owner, self.function
        own = owner is not None and root == next(iter(self.fn.formals), UNDEFINED)
        if owner is not None and is_initialiser(function) and self.class_named(base) == owner.name:
            return
        if not own or not ("constructor" in function.flags or is_initialiser(function)):
            self.fn.emit("written_late", class_symbol(owner) if own and owner is not None else "?", field)

    def _tell_written(self, base: Value, field: str, value: Value, *left: Value) -> None:
        """That a field was written; left: the control value where the function is left with that."""
        fn = self.fn
        if base == UNDEFINED or not fn.names[base]:  # an object of which nothing is known is any
            base = fn.value(self.writer.name(self.function.name, "any object"))
        if value in (UNDEFINED, fn.opaque) or value in fn.nonnull or fn.names[value] == "":
            fn.emit("attribute_set", base, field)
        else:
            fn.emit("attribute_left" if left else "attribute_written", base, field, value, *left)

    def begin_unset(self) -> None:
        """Where a constructor begins, fields that have no initialiser are null."""
        fn, receiver = self.fn, next(iter(self.fn.formals), UNDEFINED)
        fields = self.survey.unset.get(self.function.name, [])
        fn.spend(8 * len(fields))
        for field in fields if receiver != UNDEFINED else ():
            path = fn.path(receiver, field)
            if path is not None:
                unset = fn.value(self.writer.name(self.function.name, f"{field} unset"), self.function.span)
                fn.emit("null", unset, "unset")
                self.guards.known_null.add(unset)
                fn.write(path, unset)
                self._unset[path] = unset

    def write_effects(self) -> None:
        """Tell of which fields that were read nothing is known, and what was written if the function is never left."""
        fn = self.fn
        for value, content in self._field_reads:
            if value in fn.nonnull:
                continue
            if content == UNDEFINED or fn.may_be(content, fn.unknown) or fn.is_entry(content):
                fn.emit("unknown_content", value)
                continue
            for call in fn.calls_since_unknown(content):
                fn.emit("unknown_before", value, call)
        for base, field in self._left.values() if not self._is_left else ():
            fn.emit("attribute_set", base, field)

    def write_partly_known(self) -> None:
        """Tell of which fields that were read something is known, but not on every way."""
        for value, content in self.held_reads:
            if value not in self.fn.nonnull and self.fn.may_be(content, self.fn.unknown):
                self.fn.emit("partly_known", value)

    def leave_stored(self) -> None:
        """Tell which nulls and parameters fields may still hold that they were stored in."""
        for (field, value), path in self._nulls_kept.items():
            content = UNDEFINED if path is None else self.fn.content(path)
            if content == UNDEFINED or self.fn.may_be(content, self.fn.resolve(value)):
                self.fn.emit("field_keeps", self.symbol, field, value)

    def leave_written(self) -> None:
        """Tell what the function leaves in the fields that it has written, or begins with as null."""
        for path, unset in self._unset.items():
            content = self.fn.content(path)
            if self.fn.root(content) == unset:
                owner = class_symbol(self.function.owner) if self.function.owner is not None else ""
                self.fn.emit("field_at_exit", self.symbol, owner, path[1], content, self.live())
        if is_initialiser(self.function):  # others may write the fields before anybody reads them
            return
        self._is_left = True
        for path, (base, field) in self._left.items():
            content = self.fn.content(path)
            if not self._is_from_entry(path, content):
                self._tell_written(base, field, content, self.live())

    def _is_from_entry(self, path: Path, content: Value) -> bool:
        """Whether a path holds what it held at the entry, but for what calls have changed since."""
        fn = self.fn
        while content in fn.carried_from:
            content, _ = fn.carried_from[content]
        return content == fn.entry_values.get(path)

    # Elements.

    def next_(self, instruction: Instruction) -> None:
        base, what = instruction.operands
        if (kind := self.semantics.needs.get("next")) is not None:
            self.use(base, instruction, kind)
        if self.semantics.iterator is None or what != "element":
            if self.semantics.iterators_fail and self.type_of(base).kind != "array":
                self.goes_over(instruction, base)
            value = self.give(
                instruction, "next iterate" if self.semantics.objects and what == "element" else f"next {what}"
            )
            self.elements[value] = instruction
            self.has_key(base, value)
            return
        fn = self.fn
        if self.semantics.iterators_fail:
            self.goes_over(instruction, base)
        value = self.give(instruction, "next iterate")
        self.elements[value] = instruction
        if self.op(base) not in ("get", "load", "element", "call", "invoke") or self.value(base) in self.displays:
            return
        if self.op(base) == "call" and self.op(self.instructions[base].operands[0]) == "import":  # of the library
            return
        first, following = self.semantics.iterator
        iterator, element = self.named(instruction, "iter"), self.named(instruction, "next")
        for call, source, method in ((iterator, self.value(base), first), (element, iterator, following)):
            fn.emit("call", call, self.symbol, self.live())
            fn.emit("call_method", call, source, method)
        fn.emit("assign_object", value, element)

    def item(self, instruction: Instruction) -> None:
        base, number = instruction.operands
        value = self.give(instruction, "item")
        self.elements[value] = instruction
        self._item_of[value] = (base, int(number.content))

    def goes_over(self, instruction: Instruction, base: Operand) -> None:
        """Note that a loop goes over the elements of something: it fails once that has changed."""

    def note_renamed(self, site: Value, operands: Iterable[Operand]) -> None:
        """Note that a write or a call gets a shared object from a local variable."""
        raise NotImplementedError

    def in_loops(self, instruction: Instruction, site: Value, operands: Iterable[Operand]) -> None:
        """Note the loops that go on after a call, or a write, and which operands are the same object in each round."""
        raise NotImplementedError

    def tell_function(self, number: Value, name: str) -> None:
        """What is known of the object of this code where a function is made is known in that."""
        raise NotImplementedError

    def has_key(self, source: Operand, key: Value) -> None:
        """That a map gives something for a key, where a loop goes over `source`, its keys."""

    def slice_(self, instruction: Instruction) -> None:
        if (kind := self.semantics.needs.get("slice")) is not None:
            self.use(instruction.operands[0], instruction, kind)
        if not self.semantics.objects:
            self.give(instruction, "slice")
            return
        item = self.named(instruction, "item")
        self._container(
            self.give(instruction, "slice copied", item=item, **{"class": self.semantics.containers["slice"]})
        )

    def put(self, instruction: Instruction) -> None:
        if (kind := self.semantics.needs.get("put")) is not None:
            self.use(instruction.operands[0], instruction, kind)
        site = self.named(instruction, "[] =")
        self.emit(instruction, "put", site=site)
        base, _, operand = instruction.operands
        if self.semantics.iterators_fail and self.fn.names[self.value(base)]:
            self.in_loops(instruction, site, (base, operand))
            self.note_renamed(site, (base,))
        if self.semantics.effects:
            base, key, operand = instruction.operands
            self._tell_written(self.value(base), "[]", self.value(operand))
            index = f"[{key.content}]" if isinstance(key, Constant) else f"[]#{self.fn.root(self.value(key))}"
            path = self.fn.path(self.value(base), index)
            if path is not None:
                self.fn.write(path, self.value(operand))
                self.guards.wrote(path, self.value(operand))
                self._left[path] = (self.value(base), "[]")
            if isinstance(key, Constant) and key.kind == "integer":
                self.fn.wrote(self.value(base), f"[{key.content}]", self.value(operand))
            else:
                self.fn.escaped(self.value(operand))
                self.fn.escaped(self.value(base))

    def fill(self, instruction: Instruction) -> None:
        base, key, _ = instruction.operands
        if self.op(base) == "import":
            self.emit(instruction, "fill member", field=key.content)
            return
        self.emit(instruction, "fill")
        computed = self.index.block_of(instruction.number) != self.index.block_of(base)  # in a loop
        if base not in self._filled and not computed:
            self._filled.add(base)
            self.fn.emit("filled", self.value(base))

    def delete(self, instruction: Instruction) -> None:
        base, key = instruction.operands
        self.use(base, instruction, self.semantics.needs["delete"])
        for field in (self.called_field("get", [key]), f"[]#{self.fn.root(self.value(key))}"):
            path = self.fn.path(self.value(base), field)
            if path is not None and self.fn.content(path):
                self.fn.write(path, self.fn.unknown)
        site = self.named(instruction, "[] =")
        self.emit(instruction, "delete", site=site)
        if self.fn.names[self.value(base)]:
            self.in_loops(instruction, site, (base,))
        self.note_renamed(site, (base,))

    # New objects.

    def _container(self, value: Value) -> None:
        self.fn.nonnull.add(value)

    def allocate(self, instruction: Instruction) -> None:
        kind, operands = instruction.operands
        named = kind.kind == "class"
        container = self.semantics.containers.get(kind.kind, kind.kind)
        own = named and (kind.module in ("", ".") or self._is_container(kind.module))
        if named and not own:
            holder = self.type_holder(kind)
            value = self.give(instruction, "allocate elsewhere", **{"class": ""})
            self.fn.emit("typed", value, holder)
        else:
            value = self._new(instruction, "allocate", "allocate shared", class_symbol(kind) if named else container)
        self.fn.nonnull.add(value)
        self.displays[value] = operands
        if self.semantics.versions:
            self.fn.made(value)
            for number, operand in enumerate(operands):
                if number < _FOLLOWED_ITEMS:
                    self.fn.wrote(value, f"[{number}]", self.value(operand))
                else:
                    self.fn.escaped(self.value(operand))
        if named and kind.name == "list":
            self.lists.add(value)
        if operands and self.semantics.objects:
            self.fn.emit("filled", value)

    def _is_container(self, module: str) -> bool:
        return bool(self.semantics.builtins) and module in (self.semantics.builtins, "typing")

    def _new(self, instruction: Instruction, key: str, shared: str, kind: str) -> Value:
        """A new object. Those that are written as arguments of calls have no name by which their maker could change
        them: the file has one object for them all."""
        if self.semantics.objects and instruction.number in self._passed:
            one = f"|{MODULE}|{kind.rpartition('.')[2]} argument|object"
            return self.give(instruction, shared, object=one, **{"class": kind})
        value = self.give(instruction, key, **{"class": kind})
        return value

    def tuple_(self, instruction: Instruction) -> None:
        kind = self.semantics.containers["tuple"]
        operands = instruction.operands[0]
        if self.semantics.objects:
            value = self.named(instruction, "tuple")
            self.values[instruction.number] = value
            shared = instruction.number in self._passed
            one: Value | str = f"|{MODULE}|{kind.rpartition('.')[2]} argument|object" if shared else value
            self.emit(instruction, "tuple object", result=value, object=one, **{"class": kind})
            if not shared:
                self.fn.emit("made_in", value, self.symbol)
        else:
            value = self.give(instruction, "tuple", **{"class": kind})
        self.fn.nonnull.add(value)
        self.displays[value] = operands
        self.truths(value, operands)

    def truths(self, value: Value, operands: Sequence[Operand]) -> None:
        """Note which items of several values are constants that are true or false."""
        for number, operand in enumerate(operands):
            if isinstance(content := self.fn.constants.get(self.value(operand)), bool):
                self.fn.emit("tuple_truth", value, number, "true" if content else "false")

    # Functions, classes, modules.

    def closure(self, instruction: Instruction) -> None:
        fn = self.fn
        name, defaults = instruction.operands
        self.capture(name)
        value = self.give(instruction, "closure", held=f"|{name}")
        if self.semantics.library is not NO_CALLS:
            self.tell_function(instruction.number, name)
        self.functions.add(value)
        self.fn.nonnull.add(value)
        made = self.survey.functions.get(name)
        formals = [each for each in made.formals if each.default] if made is not None else []
        named = self._named_to_decorators(instruction.number) if defaults else frozenset()
        for formal, default in zip(formals, defaults, strict=False):
            if (parameter := formal.variable.partition("#")[0]) in named:
                continue
            symbol = formal_symbol(name, parameter)
            fn.emit("default", symbol, self.value(default))
            if (truth := self.truth(default)) is not None:
                fn.emit("default_truth", symbol, "true" if truth else "false")

    def _named_to_decorators(self, number: int) -> frozenset[str]:
        """The parameters of a function that its decorators are told of by name (`@random_state("seed")`): they may pass
        something else where one is left out."""
        found: set[str] = set()
        while (decorated := self._decorations.get(number)) is not None:
            number, decorator = decorated.number, decorated.operands[0]
            made = self.index.numbered[decorator] if isinstance(decorator, int) else None
            for each in made.operands[-1] if made is not None and made.op in ("call", "invoke") else ():
                if isinstance(each.value, Constant) and each.value.kind == "string":
                    found.add(str(each.value.content))
        return frozenset(found)

    @cached_property
    def _decorations(self) -> dict[Operand, Instruction]:
        """By what they decorate, the decorations of the function."""
        return {each.operands[1]: each for each in self.index.of("decorate")}

    def truth(self, operand: Operand) -> bool | None:
        """The truth of null, of a boolean and of an integer, as it is written."""
        if self.is_null(operand):
            return False
        written = isinstance(operand, Constant) and operand.kind in ("boolean", "integer")
        return bool(operand.content) if written and isinstance(operand, Constant) else None

    def capture(self, function: str) -> None:
        """Give a function that is made here what the variables it uses hold now, if that is all they ever hold."""
        fn = self.fn
        for owner, name in self.survey.captured.get(function, ()):
            shared = (owner, name)
            if owner != self.function.name or self.survey.sets[shared] != 1 or (owner, name) in self.survey.rebound:
                continue
            for variable in self._shared_as(name):
                value = fn.read(variable.name)
                if value != UNDEFINED:
                    fn.emit("assign", self.cell(variable), value)
                    if self.semantics.versions:
                        fn.escaped(value)
                    if value in fn.nonnull:
                        self.survey.constant.add(shared)

    def _shared_as(self, name: str) -> list[Variable]:
        """The variables of this name that functions inside this one use."""
        if self._shared is None:
            self._shared = {}
            for variable in self.function.variables.values():
                if variable.home == "shared":
                    self._shared.setdefault(variable.name.partition("#")[0], []).append(variable)
        return self._shared.get(name, [])

    def class_(self, instruction: Instruction) -> None:
        name = instruction.operands[0]
        value = self.give(instruction, "class", held=f"|{name}")
        self.fn.nonnull.add(value)
        self.classes[value] = name
        if self.semantics.typed_members:
            self._typed_members(instruction, value, name)
        bases = [
            self._known_classes[base]
            for base in map(self.value, instruction.operands[1])
            if base in self._known_classes
        ]
        defined = {each.operands[1] for each in self.index.on("store", instruction.number)}
        if len(bases) == len(instruction.operands[1]) and (found := known(f"|{name}", defined, bases)) is not None:
            self._known_classes[value] = found
            for base, field in hidden(found, bases):
                self.fn.emit("hides_base", f"|{name}", base, field)

    def _typed_members(self, instruction: Instruction, value: Value, name: str) -> None:
        """Of what classes the fields of a class, and the results of its methods, are declared to be."""
        fn, class_, methods = self.fn, self.survey.classes.get(name), self.survey.methods.get(name, [])
        if class_ is None:
            return
        for method in methods:
            self.capture(method.name)
        fn.spend(len(class_.fields) + len(methods))
        of_class = {
            each.operands[1] for each in self.index.on("annotate", instruction.number) if "shared" in each.operands[3]
        }
        some = fn.fixed_value(f"|{name}|any|1")
        fn.nonnull.add(some)
        if len(of_class) < len(class_.fields):
            fn.emit("new", some, f"|{name}|instance", f"|{name}")
        for field, kind in class_.fields.items():
            if (
                kind.kind == "class"
                and not self.is_dull(kind)
                and not field.endswith(OUTER)
                and (name, field) not in self.survey.made
            ):
                declared = fn.fixed_value(f"|{name}|{field} declared|1")
                fn.nonnull.add(declared)
                fn.emit("typed", declared, self.type_holder(kind))
                fn.emit("store", value if field in of_class else some, field, declared)
                fn.emit("declared_field", f"|{name}", field, declared)
        for method in methods:
            if method.result.kind == "class" and not self.is_dull(method.result):
                declared = fn.fixed_value(f"|{method.name}|declared|1")
                fn.nonnull.add(declared)
                fn.emit("typed", declared, self.type_holder(method.result))
                fn.emit("returns", f"|{method.name}", declared, f"|{method.name}")

    def super_(self, instruction: Instruction) -> None:
        value = self.give(instruction, "super", held=f"|{instruction.operands[0]}")
        self.fn.nonnull.add(value)
        if self.semantics.versions:
            self.fn.same_object(value, self.value(instruction.operands[1]))

    def decorate(self, instruction: Instruction) -> None:
        callee, _ = instruction.operands
        self.use(callee, instruction, "call", "()")
        made = self.named(instruction, f"@{self.texts.called(callee)}")
        value = self.named(instruction, self.texts.what(instruction, self.semantics.null))
        self.values[instruction.number] = value
        self.emit(instruction, "decorate", result=value, made=made, first=0, one=1)
        self.fn.nonnull.add(value)

    def import_(self, instruction: Instruction) -> None:
        module, member = instruction.operands
        fn, semantics = self.fn, self.semantics
        if member == "*":
            fn.emit("star_import", "|", module_symbol(module))
            return
        if module == semantics.builtins and semantics.builtins:
            value = fn.fixed_value(f"|{MODULE}|builtin {member}|1")
            fn.nonnull.add(value)
            self.values[instruction.number] = value
            if member not in self.survey.declared:
                self.survey.declared.add(member)
                fn.emit("import_from", value, module, member)
                fn.spend(len(self.survey.stars))
                for star in self.survey.stars:
                    fn.emit("import_from", value, module_symbol(star), member)
            return
        if member and semantics.typed_members:
            self.values[instruction.number] = self.class_elsewhere(module, member)
            return
        module, *others = module.split("|")
        key = ("import any member" if semantics.members else "import member") if member else "import"
        symbol = module_symbol(module)
        whole = f"{symbol}{'' if symbol.endswith(' ') else '.'}{member}"
        value = self.give(instruction, key, module=symbol, whole=whole)
        fn.nonnull.add(value)
        for other in others:
            fn.emit("import_from", value, other, member)

    # What is declared.

    def declare(self, instruction: Instruction) -> None:
        operand, types = instruction.operands
        value = self.value(operand)
        if value not in self.fn.nonnull:
            for kind in types:
                if not isinstance(kind, Constant):
                    self.fn.emit("typed", value, self.value(kind))
                elif kind.kind == "null" and self.semantics.typed_members:
                    null = self.named(instruction, "type argument")
                    self.fn.emit("null", null, "annotation")
                    self.fn.emit("assign", value, null)

    def signature(self, instruction: Instruction) -> None:
        """Parameters, and what is returned."""
        fn = self.fn
        name, types = instruction.operands
        plain = name.partition("#")[0].rpartition(".")[2]
        result = UNDEFINED
        for kind, what in types:
            null = isinstance(kind, Constant) and kind.kind == "null"
            if isinstance(kind, Constant) and not null:
                if self.semantics.pointers:
                    self._promise(name, what)
                elif what != "return":
                    fn.emit("required_formal", formal_symbol(name, what))
                continue
            if what != "return":
                formal = formal_symbol(name, what)
                fn.emit(*(("nullable_formal", formal) if null else ("typed", formal, self.value(kind))))
            elif null:
                value = self.named(instruction, f"{plain} annotation")
                fn.emit("null", value, "annotation")
                fn.emit("returns", f"|{name}", value, f"|{name}")
            else:
                if result == UNDEFINED:
                    result = self.named(instruction, f"{plain} declared")
                    fn.emit("returns", f"|{name}", result, f"|{name}")
                fn.emit("typed", result, self.value(kind))

    def _promise(self, name: str, what: str) -> None:
        """A parameter of a function, or its result, is declared not to be null."""
        plain, function = name.partition("#")[0], self.survey.functions.get(name)
        listed = [formal.variable.partition("#")[0] for formal in function.formals] if function is not None else []
        if what == "return":
            self.fn.emit("promise", plain, "returns_nonnull", 0)
        elif what in listed:
            self.fn.emit("promise", plain, "nonnull", listed.index(what))

    def annotate(self, instruction: Instruction) -> None:
        base, field, types, how = instruction.operands
        fn = self.fn
        value = self.value(base)
        required = not any(isinstance(kind, Constant) for kind in types)
        optional = any(isinstance(kind, Constant) and kind.kind == "null" for kind in types)
        held = self.classes.get(value) if self.op(base) == "class" else None
        if held is not None and self.semantics.typed_members:
            if self.index.numbered[base].operands[1]:
                fn.emit("hides_field", f"|{held}", field)
            if optional:
                null = self.named(instruction, f"{field} annotation")
                fn.emit("null", null, "annotation")
                fn.emit("nullable_field", f"|{held}", field, null)
        elif held is not None:
            if "shared" in how:
                fn.emit("class_variable", f"|{held}", field)
            if "required" in how:
                fn.emit("required_field", f"|{held}", field)
            if types:
                declared = self.named(instruction, field)
                fn.nonnull.add(declared)
                for kind in types:
                    if not isinstance(kind, Constant):
                        fn.emit("typed", declared, self.value(kind))
                fn.emit("class_attribute", f"|{held}", field, declared)
                if required:
                    fn.emit("required_field", f"|{held}", field)
        elif self.function.owner is not None and fn.root(value) == next(iter(fn.formals), None):
            owner = class_symbol(self.function.owner)
            path = fn.path(value, field)
            if required:
                fn.emit("required_field", owner, field)
            elif optional and path is not None and fn.content(path) not in {UNDEFINED, *fn.nonnull}:
                null = self.named(instruction, f"{field} attribute annotation")
                fn.emit("null", null, "annotation")
                fn.emit("optional_field", owner, field, null)

    def live_from(self, call: Value) -> None:
        """What follows is reached once a call returns."""
        fn = self.fn
        reached = fn.value(self.writer.name(self.guards.place, "control"))
        fn.emit("control_call", reached, self.live(), call)
        fn.write(LIVE, reached)
