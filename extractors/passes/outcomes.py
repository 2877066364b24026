"""What calls of small functions of the file give, by what is passed: told as far as `small_functions` can say.

A method that may be overridden may do something else: then it is said for which method it holds (`evaluated_for`), and
rules look whether the call runs another one.
"""

from __future__ import annotations

from dataclasses import dataclass

from pliant.extractors.ir.operands import Argument, Constant, Operand, Type
from pliant.extractors.ir.unit import Function, Instruction
from pliant.extractors.passes.known_values import NOTHING, SOME, Null, Spec, Thing, Unknown
from pliant.extractors.passes.library_calls import LibraryCalls
from pliant.extractors.passes.names import class_symbol, function_symbol
from pliant.extractors.passes.small_functions import SMALL, Way, is_a, made, method_of, takes, ways
from pliant.extractors.passes.survey import identity
from pliant.extractors.ssa import Value

_OBJECTS = 8  # in each other, that are known
_NUMBERS = frozenset(("number", "boolean"))
_FIXED = frozenset(("private", "static", "final"))  # flags of methods that nothing overrides

Assumed = tuple[Value, str]  # a call and the function that it runs, if it runs no other one


@dataclass(frozen=True, slots=True)
class _Runs:
    """The function of the file that a call runs, and what is known of the object that it is called on."""

    function: Function
    this: Spec
    assumed: Assumed | None


class Outcomes(LibraryCalls):
    """evaluated: numbers that calls give, if they run what is assumed."""

    def prepare(self) -> None:
        super().prepare()
        self.evaluated: dict[Value, tuple[int, Assumed]] = {}
        self.evaluates = ("invoke" if self.semantics.arity else "call") if self.semantics.evaluates else ""

    def is_empty(self, base: Operand) -> bool | None:
        """Whether a container is known to be empty, or not to be."""
        raise NotImplementedError

    def is_own_object(self, root: Value) -> bool:
        """Whether it is a new object that nothing else has a name for."""
        raise NotImplementedError

    def note_outcome(self, instruction: Instruction, call: Value) -> None:
        """Tell what a call gives that was noted."""
        runs = self._runs(instruction, call)
        if runs is None or not self._is_small(runs.function):
            return
        specs = [self._spec(each.value) for each in instruction.operands[-1]]
        if runs.this == NOTHING and all(spec in (NOTHING, SOME) for spec in specs):
            return
        number = runs.function.result.kind in _NUMBERS
        untyped = runs.function.result.kind == "any"
        objects = any(spec[0] in ("new", "made") for spec in (runs.this, *specs))
        if not number and not untyped and not objects and not _nulls(runs.function):
            return
        results = [way.result for way in self._ways_through(runs.function, runs.this, specs) if way.result is not None]
        if not results:
            return
        numbers = {each for each in results if isinstance(each, int)} if number or untyped else set()
        if number or (numbers and all(isinstance(each, int) for each in results)):
            if len(numbers) == 1 and all(isinstance(each, int) for each in results):
                self._note_number(call, runs, numbers.pop())
        elif not any(isinstance(result, Null | Unknown) for result in results):
            self.fn.emit("evaluated_not_null", call)
            self._assume(call, runs.assumed)
        elif self.fn.names[call]:
            name, others = runs.function.name, any(isinstance(each, Unknown) for each in results)
            reached = {each.number for each in results if isinstance(each, Null) and each.function == name}
            self.fn.spend(self.survey.sizes[name])
            for null in _nulls(runs.function):
                if null not in reached and (not others or _is_direct(runs.function, null)):
                    self.survey.ruled_out.append((self.fn.names[call] or "", name, null))
            self._assume(call, runs.assumed)

    def _note_number(self, call: Value, runs: _Runs, number: int) -> None:
        if runs.assumed is None:
            self.fn.constants[call] = bool(number) if runs.function.result.kind == "boolean" else number
        else:
            self.evaluated[call] = number, runs.assumed

    def _assume(self, value: Value, assumed: Assumed | None) -> None:
        if assumed is not None:
            self.fn.emit("evaluated_for", value, *assumed)

    # Which function a call runs.

    def _runs(self, instruction: Instruction, call: Value) -> _Runs | None:
        if instruction.op == "call":
            callee, passed = instruction.operands
            return self._runs_function(callee, passed, call)
        base, name, arguments = instruction.operands
        if any(each.name for each in arguments):
            return None
        count = len(arguments)
        owner = self.class_named(base)
        if not owner and self.function.owner is not None and self.is_receiver(base):
            owner = self.function.owner.name
        if owner:
            found = self.meant(base, name, count)
            if len(found) != 1:
                return None
            fixed = not found[0].flags.isdisjoint(_FIXED)
            return _Runs(found[0], NOTHING, None if fixed else (call, function_symbol(found[0].name)))
        if not isinstance(base, int):
            return None
        exact = self._exact(self.value(base), name) or self._held(self.instructions[base], name)
        if exact is None or not exact[0].startswith("|"):
            return None
        function = method_of(self.survey, exact[0][1:], name, count)
        return _Runs(function, ("made", exact[0], self.fn.root(self.value(base))), exact[1]) if function else None

    def _runs_function(self, callee: Operand, arguments: tuple[Argument, ...], call: Value) -> _Runs | None:
        """A function of the file that is called by its name."""
        made = self.instructions[callee] if isinstance(callee, int) else None
        if made is None or made.op != "get" or any(each.name for each in arguments):
            return None
        name = made.operands[0]
        if name not in self.survey.named:
            return None
        variable, function = self.function.variables[name], self.survey.functions[name]
        if variable.home != "module" or self.survey.sets[identity(self.function, variable)] > 1:
            return None
        return _Runs(function, NOTHING, (call, function_symbol(name))) if takes(function, len(arguments)) else None

    def _exact(self, value: Value, member: str = "") -> tuple[str, Assumed | None] | None:
        """The class that an object is of, by what has made it, here or in a function that was called. member: only if
        several classes of the file have a method of that name."""
        root = self.fn.root(value)
        made_by = self.results.get(root)
        if made_by is None or (member and member not in self.survey.several):
            return None
        if made_by.op == "call":
            kind = self.type_of(made_by.number)
            return (class_symbol(kind), None) if kind.kind == "class" else None
        if made_by.op != "invoke":
            return None
        runs = self._runs(made_by, root)
        if runs is None or not self._is_small(runs.function):
            return None
        nothing = [NOTHING] * len(made_by.operands[2])
        results = [
            way.result for way in self._ways_through(runs.function, runs.this, nothing) if way.result is not None
        ]
        kinds = {each.kind if isinstance(each, Thing) and each.instance else "" for each in results}
        kind_of = kinds.pop() if len(kinds) == 1 else ""
        return (kind_of, runs.assumed) if kind_of else None

    def _held(self, read: Instruction, member: str) -> tuple[str, Assumed | None] | None:
        """The class of what a field of a new object holds, of which its constructor alone has done something."""
        if read.op != "load" or member not in self.survey.several or not isinstance(read.operands[0], int):
            return None
        base, field = read.operands
        root = self.fn.root(self.value(base))
        made_by = self.results.get(root)
        if made_by is None or made_by.op != "call" or not self.is_own_object(root):
            return None
        owner = self.class_named(made_by.operands[0])
        if not owner or any(each.operands[1] == field for each in self.index.of("store")):
            return None
        specs = (self._spec(each.value) for each in made_by.operands[1])
        found = made(self.survey, ("new", f"|{owner}", *specs, root), self.fn.spend)
        held = found.fields.get(field) if isinstance(found, Thing) else None
        return (held.kind, None) if isinstance(held, Thing) and held.kind and held.instance else None

    def _is_small(self, function: Function) -> bool:
        return bool(function.blocks) and self.survey.sizes.get(function.name, SMALL + 1) <= SMALL

    def _ways_through(self, function: Function, this: Spec, given: list[Spec]) -> list[Way]:
        key = (function.name, this, *given)
        if key not in self.survey.ways:
            self.survey.ways[key] = ways(self.survey, function, this, given, self.fn.spend)
        return self.survey.ways[key]

    # What is known of an argument.

    def _spec(self, operand: Operand, depth: int = _OBJECTS) -> Spec:
        """depth: of objects in objects that are told apart."""
        known = self.number(operand)
        if known is not None and not known.factor:
            return "is", known.constant
        if isinstance(operand, Constant):
            return ("is", operand.content) if operand.kind == "string" else SOME
        value, made = self.value(operand), self.instructions[operand]
        if value in self.guards.known_null or value in self.guards.literal_null:
            return ("null",)
        if isinstance(content := self.fn.constants.get(value), str):
            return "is", content
        plain = made.op == "call" and not any(each.name for each in made.operands[1])
        if plain and depth and (owner := self.class_named(made.operands[0])):
            self.fn.spend(1)
            return ("new", f"|{owner}", *(self._spec(each.value, depth - 1) for each in made.operands[1]), value)
        root = self.fn.root(value)
        if (empty := self.is_empty(operand)) is not None:
            return "empty", empty, root
        exact = self.results.get(root)
        if exact is not None and exact.op == "call" and (kind := self.type_of(exact.number)).kind == "class":
            return "made", class_symbol(kind), root
        return SOME if value in self.fn.nonnull else NOTHING

    # Tests.

    def evaluated_number(self, value: Value) -> Value | None:
        """What stands in facts for the number that a call gives, if that is known."""
        call = self.fn.resolve(value)
        known = self.evaluated.get(call)
        if known is None:
            return None
        self.fn.emit("evaluated_number", call, known[0])
        self._assume(call, known[1])
        return call

    def evaluated_instance(self, operand: Operand, kind: Type) -> Value | None:
        """What stands in facts for the test whether an operand is of a class, if the operand's own class is known."""
        if not self.semantics.evaluates or not isinstance(operand, int) or kind.kind != "class":
            return None
        exact = self._exact(self.value(operand))
        outcome = is_a(self.survey, Thing(exact[0]), class_symbol(kind)) if exact is not None else None
        if exact is None or outcome is None:
            return None
        value = self.fn.value(self.writer.name(self.guards.place, "instance"))
        self.fn.emit("evaluated_number", value, int(outcome))
        self._assume(value, exact[1])
        return value


def _nulls(function: Function) -> list[int]:
    """The instructions of a function that give null."""
    return [
        each.number
        for each in function.instructions()
        if each.op == "nothing" or (each.op == "const" and each.operands[0].kind == "null")
    ]


def _is_direct(function: Function, null: int) -> bool:
    """Whether a null goes nowhere but to where the function is left, by a variable at most."""
    held = {each.operands[0] for each in function.instructions() if each.op == "set" and each.operands[1] == null}
    read = {each.number for each in function.instructions() if each.op == "get" and each.operands[0] in held}
    used = [each for each in function.instructions() if not {null, *read}.isdisjoint(each.uses())]
    return all(each.op == "exit" or (each.op == "set" and each.operands[1] == null) for each in used)
