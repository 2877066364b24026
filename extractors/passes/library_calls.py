"""What calls of the library show: checks that fail, tests of null, what maps hold. The names are the language's."""

from __future__ import annotations

from pliant.extractors.ir.operands import Constant, Operand, Predicate
from pliant.extractors.ir.unit import Instruction
from pliant.extractors.passes.guards import SHOWN, Shown
from pliant.extractors.passes.objects import Objects
from pliant.extractors.ssa import UNDEFINED, Refinement, Value

_CHAIN = 20  # calls of a chain of assertions that are looked through


class LibraryCalls(Objects):
    """Calls by the names in `Semantics.library`."""

    def tested(self, operand: Operand) -> list[Refinement]:
        """That an operand is not null."""
        raise NotImplementedError

    def checked(self, instruction: Instruction, call: Value) -> None:
        """What a call has checked that has come back, and what it has done to a map."""
        library, fn = self.semantics.library, self.fn
        base, name, arguments = instruction.operands
        given = [each.value for each in arguments]
        if given and name in library.requires:
            for operand in given:
                self._not_null(operand)
            first = self.value(given[0])
            if first in self.guards.literal_null:
                fn.stop()
            fn.emit("assign_object", call, first)
            fn.emit("nonnull", call)
            fn.nonnull.add(call)
            fn.roots[call] = fn.root(first)
        elif name in library.fails:
            for operand in given:
                self._not_null(operand)
        elif given and f"{self.texts.called(base)}.{name}" in library.fails_first:
            self._not_null(given[0])
        elif given and (name in library.holds or name in library.refuses):
            self.assume(Predicate("truth", (given[0],)), outcome=name in library.holds)
        elif name == library.subject and len(given) >= 2 and self._matches(given[-1]):
            self._not_null(given[-2])
        elif name in library.asserted and (subject := self._asserted(base)) is not None:
            self._not_null(subject)
        elif library.keyed and name in library.keyed.values():
            self._keep(name, self.value(base), given)
        if len(given) == 1 and isinstance(given[0], Constant) and given[0].content in library.present.get(name, ()):
            fn.define(call, "nonnull", call)

    def assume(self, predicate: Predicate, *, outcome: bool) -> None:
        """Go on where a predicate holds, or does not."""
        raise NotImplementedError

    def _not_null(self, operand: Operand) -> None:
        self.guards.refine(self.tested(operand))

    def _matches(self, operand: Operand) -> bool:
        """Whether a matcher says that what it matches is not null."""
        for _ in range(_CHAIN):
            if self.op(operand) != "invoke":
                return False
            _, name, arguments = self.instructions[operand].operands  # type: ignore[index]
            if name in self.semantics.library.matchers:
                return True
            if not arguments:
                return False
            operand = arguments[-1].value
            if name == "not":
                return self.op(operand) == "invoke" and self.instructions[operand].operands[1] == "nullValue"  # type: ignore[index]
        return False

    def _asserted(self, operand: Operand) -> Operand | None:
        """x of `assertThat(x).as(...)`, and the like."""
        for _ in range(_CHAIN):
            if self.op(operand) != "invoke":
                break
            operand, name, arguments = self.instructions[operand].operands  # type: ignore[index]
            if name == self.semantics.library.subject and len(arguments) == 1:
                subject: Operand = arguments[0].value
                return subject
        return None

    def _keep(self, name: str, receiver: Value, given: list[Operand]) -> None:
        """What a map gives for a key from here on."""
        fn, keyed = self.fn, self.semantics.library.keyed
        if name == keyed["clear"] and not given:
            root = fn.root(receiver)
            starts = tuple(f".{read}()#" for read in self.semantics.library.reads)
            for field in [each for each in fn.fields_of.get(root, ()) if each.startswith(starts)]:
                fn.write((root, field), fn.unknown)
        elif len(given) == 1 + (name == keyed["put"]) and name in (keyed["put"], keyed["remove"]):
            there = name == keyed["put"] and self.value(given[1]) not in self.guards.literal_null
            for read in self.semantics.library.reads:
                path = fn.path(receiver, self.called_field(read, given[:1]))
                if path is not None and (there or fn.content(path)):
                    fn.write(path, fn.opaque if there else fn.unknown)

    def has_key(self, source: Operand, key: Value) -> None:
        """That a map gives something for a key, where a loop goes over `source`, its keys."""
        if self.op(source) != "invoke" or not self.semantics.library.keyed:
            return
        base, name, arguments = self.instructions[source].operands  # type: ignore[index]
        if name == self.semantics.library.keyed["keys"] and not arguments:
            path = self.fn.path(self.value(base), f".{self.semantics.library.reads[0]}()#{self.fn.root(key)}")
            if path is not None:
                self.fn.write(path, self.fn.opaque)

    def shown_by_library(self, instruction: Instruction) -> Shown:
        """What it shows that the result of a call is true, and that it is false."""
        library = self.semantics.library
        base, name, arguments = instruction.operands
        given = [each.value for each in arguments]
        yes: list[Refinement] = []
        no: list[Refinement] = []
        for told in library.tells.get(name, ()):
            yes += self._gives(base, self.called_field(told, given) if given else f".{told}()")
        for told in library.tells_not.get(name, ()) if not given else ():
            no += self._gives(base, f".{told}()")
        if len(given) == 1:
            if name in library.equal:
                yes += self.tested(given[0])
            elif name in library.missing and self.own_or_class(base):
                no += self.tested(given[0])
            elif name in library.there and self.own_or_class(base):
                yes += self.tested(given[0])
        return yes, no

    def tell_function(self, number: Value, name: str) -> None:
        """What is known of the object of this code where a function is made is known in that: fields that are not null
        and that nothing in the file sets back; all of them where it runs at once."""
        fn, library = self.fn, self.semantics.library
        receiver = self.own_object()
        fields = fn.fields_of.get(fn.root(receiver), ()) if receiver != UNDEFINED else ()
        if not fields or self.function.owner is None:
            return
        fn.spend(len(fields))
        at_once = any(
            each.operands[1] in library.at_once and any(value == number for value, _ in each.operands[2])
            for each in self.index.of("invoke")
        )
        for field in fields:
            final = "final" in self.survey.words.get((self.function.owner.name, field), ())
            if field in self.survey.fields and (at_once or final or field not in fn.cleared):
                content = fn.content((fn.root(receiver), field))
                shown = content != UNDEFINED and fn.on_every_way(fn.content((fn.root(content), SHOWN)))
                if content in fn.nonnull or shown:
                    self.survey.known_in.setdefault(name, []).append(field)

    def own_object(self) -> Value:
        """The object that this code belongs to; UNDEFINED where there is none."""
        formals = self.function.formals
        if formals and formals[0].kind == "receiver":
            return next(iter(self.fn.formals))
        for variable in self.function.variables.values():
            owner = self.survey.functions.get(variable.owner) if variable.home == "captured" else None
            first = owner.formals[0] if owner is not None and owner.formals else None
            if first is not None and first.kind == "receiver" and first.variable == variable.name:
                return self.cell(variable)
        return UNDEFINED

    def enter_known(self) -> None:
        """What is known of the object of this code where this function is made."""
        for field in self.survey.known_in.get(self.function.name, ()):
            path = self.fn.path(self.own_object(), field)
            if path is not None:
                self.fn.write(path, self.fn.unnamed())

    def own_or_class(self, base: Operand) -> bool:
        """Whether a method is called on a class, or on the object that calls it."""
        if isinstance(base, Constant):
            return True
        return self.op(base) == "import" or bool(self.class_named(base)) or self.is_receiver(base)

    def is_receiver(self, operand: object) -> bool:
        """Whether an operand is the object that the function is called on."""
        formals = self.function.formals
        if not formals or formals[0].kind != "receiver" or not isinstance(operand, int):
            return False
        return self.fn.root(self.value(operand)) == next(iter(self.fn.formals))

    def _gives(self, base: Operand, field: str) -> list[Refinement]:
        """That a path is not null."""
        path = self.fn.path(self.value(base), field)
        if path is None:
            return []
        current = self.fn.read(path)
        return [(path, self.fn.root(current) if current != UNDEFINED else current, True)]
