"""Kinds of objects: what a type of the source stands for among the classes of the program, which of them go together.

A kind is the symbol of a class, for its instances and those of classes derived from it; `new ` and that symbol, for its
own; `runs ` and the symbol of a method, for the objects of which a virtual call runs it; `function`, for what a lambda
expression gives; or a type that no class of the program has (an array, with the kind of its elements, a class of the
library by its full name). No class from outside of the program is derived from one of it: of two classes without a
common subclass no object is of both. What a lambda expression gives is of an interface alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from pliant.analyses.witness.derived import Callees, Derived
from pliant.analyses.witness.programs import Code, Programs
from pliant.analyses.witness.reads import Rests
from pliant.analyses.wording import file_of
from pliant.extractors.facts import OWN, escape_path
from pliant.extractors.ir.operands import Constant, Operand, Type
from pliant.extractors.ir.unit import Instruction
from pliant.extractors.passes.names import is_initialiser

RUNS = "runs "
EXACTLY = "new "
FUNCTION = "function"
_ARRAY = "array "
_PLAIN = frozenset(("array", "number", "boolean", "string"))
_MOST_CLASSES = 2_000  # of a kind that are looked at
_SEEN_THROUGH = frozenset(("copy", "enter"))
Typed = tuple[str, Type]  # the file that says it, and the type


class Kinds:
    """Those of one side."""

    def __init__(self, programs: Programs, derived: Derived) -> None:
        self._programs, self._derived = programs, derived
        self._members: dict[str, frozenset[int] | None] = {}
        self._above: dict[int, frozenset[int]] = {}
        self._typed: dict[tuple[str, Operand], tuple[Typed, Rests]] = {}
        self._implied: dict[tuple[str, str], bool] = {}
        self._settled: dict[tuple[str, str], tuple[str, Rests]] = {}

    def of(self, path: str, kind: Type) -> str:
        """The kind that a type of a file stands for; empty where nobody knows."""
        if kind.kind == "array":
            return f"{_ARRAY}{self.of(path, kind.of[0]) if kind.of else ''}"
        if kind.kind in _PLAIN:
            return kind.kind if kind.kind != "number" else f"number {kind.name}"
        if kind.kind != "class":
            return ""
        if not kind.module:
            return self._known(f"{escape_path(path)}{OWN}{kind.name}")
        modules = kind.module.split("|")
        for module in modules:
            known = self._of_module.get((module, kind.name), ())
            if known:
                return known[0] if len(known) == 1 else ""
        return f"{modules[0]}.{kind.name}" if len(modules) == 1 else ""

    def runs(self, function: str) -> str:
        """The kind of what runs a method."""
        return f"{RUNS}{function}"

    def has(self, kind: str) -> bool:
        """Whether the classes are known whose objects are of a kind."""
        return bool(self._classes_of(kind))

    def is_one(self, kind: str) -> bool:
        """Whether a kind is told apart from others: not arrays of elements of which nobody knows the kind."""
        return not kind.endswith(_ARRAY)

    def _known(self, symbol: str) -> str:
        entry = self._derived.entry(symbol)
        return symbol if entry >= 0 and self._derived.is_class(entry) else ""

    @cached_property
    def _of_module(self) -> dict[tuple[str, str], list[str]]:
        """The classes of a module that have a name, by both."""
        evaluation = self._derived.evaluation
        modules: dict[str, list[str]] = {}
        of_files = evaluation.strings(evaluation.rows("module").reshape(-1))
        for file, module in zip(of_files[::2], of_files[1::2], strict=True):
            modules.setdefault(file, []).append(module)
        found: dict[tuple[str, str], list[str]] = {}
        for symbol in dict.fromkeys(evaluation.strings(evaluation.rows("class_def")[:, 0])):
            file, own, name = symbol.partition(OWN)
            for module in modules.get(f"{file}{own}", ()):
                found.setdefault((module, name), []).append(symbol)
        return found

    # What goes together.

    def _classes_of(self, kind: str) -> frozenset[int] | None:
        """The classes of the program whose objects are of a kind; None where others are, too."""
        if kind not in self._members:
            self._members[kind] = self._found(kind)
        return self._members[kind]

    def _found(self, kind: str) -> frozenset[int] | None:
        derived = self._derived
        if kind.startswith(RUNS):
            return frozenset(derived.running(derived.entry(kind.removeprefix(RUNS))))
        if kind.startswith(EXACTLY):
            return frozenset((derived.entry(kind.removeprefix(EXACTLY)),))
        if OWN not in kind:
            return None
        entry = derived.entry(kind)
        found, todo = {entry}, [entry]
        while todo and len(found) < _MOST_CLASSES:
            below = [each for each in derived.below(todo.pop()) if each not in found]
            found.update(below)
            todo += below
        if todo or (len(found) == 1 and self._programs.kind_of_class(kind) != "class"):
            return None  # objects of it may be made by what is not there, like a function
        return frozenset(found)

    def implies(self, one: str, other: str) -> bool:
        """Whether what is of one kind is of the other, too."""
        key = (one, other)
        if key not in self._implied:
            self._implied[key] = self._implies(one, other)
        return self._implied[key]

    def _implies(self, one: str, other: str) -> bool:
        if other in (one, "java.lang.Object"):
            return self.is_one(other)
        if one.startswith(_ARRAY) or other.startswith(_ARRAY):
            return False
        first = self._classes_of(one)
        if first is None:
            return OWN in one and OWN in other and self._derived.entry(other) in self._supers(self._derived.entry(one))
        if OWN in other:
            second = self._classes_of(other)
            if second is not None:
                return first <= second
            return all(self._derived.entry(other) in self._supers(each) for each in first)
        return all(self._derived.entry(other) in self._derived.library_bases(each) for each in first)

    def apart(self, one: str, other: str) -> bool:
        """Whether nothing is of both kinds."""
        if FUNCTION in (one, other):
            return one != other and self._is_of_classes(other if one == FUNCTION else one)
        first, second = self._classes_of(one), self._classes_of(other)
        if first is not None and second is not None:
            return first.isdisjoint(second)
        if first is not None or second is not None:
            return self._is_final(other if first is not None else one)
        if all(each.startswith(_ARRAY) for each in (one, other)):  # those of classes, of classes derived from these
            return False
        return one != other and self._is_final(one) and self._is_final(other)

    def _is_of_classes(self, kind: str) -> bool:
        """Whether only objects of classes are of a kind, and nothing that a lambda expression gives."""
        if kind.startswith(RUNS):
            function = kind.removeprefix(RUNS)
            known = self._programs.declared(function)
            kind = "" if known is None or known.owner is None else self.of(file_of(function), known.owner)
        kind = kind.removeprefix(EXACTLY)
        return OWN in kind and self._programs.kind_of_class(kind) == "class"

    def _is_final(self, kind: str) -> bool:
        """Whether no class is derived from a kind that no class of the program has."""
        return kind.partition(" ")[0] in _PLAIN or kind in self._programs.final

    def _supers(self, entry: int) -> frozenset[int]:
        found = self._above.get(entry)
        if found is None:
            above, todo = {entry}, [entry]
            while todo:
                new = [each for each in self._derived.above(todo.pop()) if each not in above]
                above.update(new)
                todo += new
            found = self._above[entry] = frozenset(above)
        return found

    # What is declared.

    def type_of(self, code: Code, operand: Operand) -> Typed:
        """What an operand of a function is declared to be."""
        key = (code.symbol, operand)

        def find() -> Typed:
            self._typed[key] = ("", _ANY), Rests()  # of what is computed from itself
            return self._type_of(code, operand)

        return self._programs.reads.kept(self._typed, key, find)

    def kind_of(self, code: Code, operand: Operand) -> str:
        """The kind that an operand is declared to be, where it is not null."""
        return self.of(*self.type_of(code, operand))

    def _type_of(self, code: Code, operand: Operand) -> Typed:
        if isinstance(operand, Constant):
            return code.path, _CONSTANTS.get(operand.kind, _ANY)
        instruction = code.instruction(operand)
        operands = instruction.operands
        match instruction.op:
            case "get":
                variable = code.function.variables.get(operands[0])
                return code.path, variable.type if variable is not None else _ANY
            case "convert":
                return code.path, operands[1]
            case "allocate":
                return code.path, operands[0]
            case "element":
                path, kind = self.type_of(code, operands[0])
                return path, kind.of[0] if kind.kind == "array" and kind.of else _ANY
            case "load":
                return self._of_field(self.kind_of(code, operands[0]), operands[1])
            case "call" | "invoke":
                if instruction.op == "invoke" and self._gives_string(code, *operands[:2]):
                    return code.path, code.semantics.string or _ANY
                results = [self._of_result(each) for each in self._derived.callees(code.symbol_of(instruction)).bodies]
                return results[0] if len(set(results)) == 1 else ("", _ANY)
        return self.type_of(code, operands[0]) if instruction.op in _SEEN_THROUGH else ("", _ANY)

    def _gives_string(self, code: Code, base: Operand, name: str) -> bool:
        pure = code.semantics.pure
        return name in pure.strings and any(name in pure.of.get(each, ()) for each in self.of_library(code, base))

    def _of_field(self, owner: str, name: str) -> Typed:
        declaring, kind = self._declaring(owner, name)
        return file_of(declaring), kind

    def _declaring(self, owner: str, name: str) -> tuple[str, Type]:
        """The class that declares a field, of those that an object of a class is of, and how it does."""
        is_class = OWN in owner and not owner.startswith(_ARRAY)
        for entry in sorted(self._supers(self._derived.entry(owner))) if is_class else ():
            symbol = self._derived.name(entry)
            kind = self._programs.field_of_class(symbol, name) if OWN in symbol else None
            if kind is not None:
                return symbol, kind
        return "", _ANY

    def constant(self, code: Code, base: Operand, name: str) -> Constant | None:
        """The number or the truth value that a field of a class has for good."""
        written = self._class_written(code, base) if code.semantics.effects else None
        owner = "" if written is None else self.of(code.path, written)
        if OWN not in owner or not self._programs.annotated(owner, name) >= _FOR_GOOD:
            return None
        number, kind = self._derived.scalar(owner, name), self._programs.field_of_class(owner, name)
        if number is None or kind is None or kind.kind not in ("number", "boolean"):
            return None
        return Constant("integer", number) if kind.kind == "number" else Constant("boolean", bool(number))

    def _class_written(self, code: Code, operand: Operand) -> Type | None:
        """The class that an operand names; None for others."""
        if isinstance(operand, Constant):
            return None
        instruction = code.instruction(operand)
        operands = instruction.operands
        if instruction.op == "import":
            return Type("class", operands[1], operands[0])
        if instruction.op == "load":
            around = self._class_written(code, operands[0])
            return None if around is None else replace(around, name=f"{around.name}.{operands[1]}")
        variable = code.function.variables.get(operands[0]) if instruction.op == "get" else None
        return Type("class", variable.name) if variable is not None and variable.home == "module" else None

    def field(self, code: Code, base: Operand, name: str) -> tuple[object, ...]:
        """Where a field of an object is: apart, if nothing writes it once the object is made."""
        owner = self.settled(code, base, name) if code.semantics.effects else ""
        return ("kept", name, owner) if owner else ("field", name)

    def container(self, code: Code, operand: Operand) -> str:
        """The class of containers of the library that an operand is declared to be of, or derived from; empty for
        others."""
        path, kind = self.type_of(code, operand)
        known = code.semantics.containers_of
        if known is None:
            return ""
        of = self.of(path, kind)
        if OWN not in of:
            return kind.name if kind.name in known.all else ""
        above = {each for entry in self._supers(self._derived.entry(of)) for each in self._derived.library_bases(entry)}
        names = {self._derived.name(each).rpartition(".")[2] for each in above} & known.all
        return min(names, default="")

    def is_container(self, code: Code, operand: Operand) -> bool:
        """Whether an operand is declared to be a container of the library."""
        return bool(self.container(code, operand))

    def settled(self, code: Code, base: Operand, field: str) -> str:
        """The class that declares a field of an object, if nothing writes it once the object is made; else empty."""
        key = (self.kind_of(code, base), field)

        def find() -> str:
            owner, _ = self._declaring(*key)
            return owner if owner and self._is_settled(owner, field) else ""

        return self._programs.reads.kept(self._settled, key, find)

    def _is_settled(self, owner: str, field: str) -> bool:
        how = self._programs.annotated(owner, field)
        if "private" not in how or "volatile" in how:
            return "final" in how
        if any(map(self._is_late, self._derived.writes_state(field))):
            return False
        entry, late = self._derived.entry(owner), self._derived.written_late(field)
        return self._derived.entry("?") not in late and not any(entry in self._supers(each) for each in late)

    def _is_late(self, function: str) -> bool:
        """Whether a function may run when the object has been made."""
        known = self._programs.declared(function)
        return known is None or not ("constructor" in known.flags or is_initialiser(known))

    def _of_result(self, function: str) -> Typed:
        known = self._programs.declared(function)
        if known is None or "constructor" in known.flags:
            return "", _ANY
        return file_of(function), known.result

    def of_library(self, code: Code, operand: Operand) -> list[str]:
        """The class of the library that an operand is, or is an object of, by the names that it may have."""
        path, kind = self.type_of(code, operand)
        if kind.kind == "string" and code.semantics.string is not None:
            kind = code.semantics.string
        if kind.kind != "class":
            return self.imported(code, operand)
        if not kind.module or OWN in self.of(path, kind):
            return []
        return [f"{module}.{kind.name}" for module in kind.module.split("|")]

    def imported(self, code: Code, operand: Operand) -> list[str]:
        """What an operand is of a library, by the names that it may have."""
        if isinstance(operand, Constant):
            return []
        instruction = code.instruction(operand)
        if instruction.op == "import":
            modules, member = instruction.operands
            return [f"{module}.{member}" for module in modules.split("|")]
        variable = code.function.variables.get(instruction.operands[0]) if instruction.op == "get" else None
        return [f"{variable.owner}.{variable.name}"] if variable is not None and variable.home == "import" else []

    # Which of several functions a call may run.

    def are_all(self, code: Code, call: Instruction, callees: Callees) -> bool:
        """Whether a call runs one of the functions that the rules have of it: of what overrides a method of a class of
        the program, all is known."""
        if callees.known or not callees.bodies or not code.semantics.virtual or not is_virtual(code, call):
            return callees.known
        return OWN in self.kind_of(code, call.operands[0]) and all(self.has(self.runs(each)) for each in callees.bodies)

    def fitting(self, code: Code, arguments: Sequence[Operand], bodies: Sequence[str]) -> list[str]:
        """Those of several functions that a call with such arguments may run: they fit what these are declared to be,
        and no other one of the class fits better."""
        passed = [self.kind_of(code, each) for each in arguments]
        taken = {each: self._taken(each) for each in bodies}
        fits = [each for each in bodies if self._fits(passed, taken[each], code.semantics.library.implied)]
        return [each for each in fits if not any(self._beats(other, each, passed, taken) for other in fits)]

    def _taken(self, function: str) -> list[str] | None:
        """The kinds of a function's parameters; None where it takes any number of arguments."""
        known = self._programs.declared(function)
        if known is None or any(each.kind not in ("one", "receiver") for each in known.formals):
            return None
        path = file_of(function)
        return [self.of(path, each.type) for each in known.formals if each.kind == "one"]

    def _fits(self, passed: Sequence[str], taken: Sequence[str] | None, implied: frozenset[str]) -> bool:
        if taken is None or len(taken) != len(passed):
            return True
        return not any(self._refuses(*each, implied) for each in zip(passed, taken, strict=True))

    def _refuses(self, passed: str, taken: str, implied: frozenset[str]) -> bool:
        """Whether an argument that is declared to be of a kind is none for such a parameter. implied: classes from
        which a class may be derived although its source does not say so."""
        if not passed or not taken or self.implies(passed, taken):
            return False
        plain = [each.partition(" ")[0] in ("number", "boolean") for each in (passed, taken)]
        if all(each.startswith(_ARRAY) for each in (passed, taken)):
            return False
        if any(plain):  # which may be boxed
            return OWN in passed or OWN in taken
        return OWN in taken or self._is_final(taken) or (taken not in implied and self._is_of_program(passed))

    def _is_of_program(self, kind: str) -> bool:
        """Whether all classes from which one is derived are of the program, as far as its source says."""
        return OWN in kind and all(map(self._derived.is_of_program, self._supers(self._derived.entry(kind))))

    def _beats(self, one: str, other: str, passed: Sequence[str], taken: dict[str, list[str] | None]) -> bool:
        """Whether a call runs one of two functions of a class rather than the other."""
        first, second = taken[one], taken[other]
        if _class_of(one) != _class_of(other) or first is None or first == second or len(first) != len(passed):
            return False
        if not all(map(self.implies, passed, first)):
            return False
        return second is None or (len(first) == len(second) and all(second) and all(map(self.implies, first, second)))


def is_virtual(code: Code, call: Instruction) -> bool:
    """Whether the object decides which method a call runs."""
    return call.op == "invoke" and call.operands[0] not in code.supers


def _class_of(function: str) -> str:
    return function.partition("#")[0].rpartition(".")[0]


_ANY = Type("any")
_FOR_GOOD = frozenset(("shared", "final"))
_CONSTANTS = {"string": Type("class", "String", "java.lang")}
