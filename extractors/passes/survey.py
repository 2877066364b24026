"""What is known of a file before its functions are constructed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pliant.extractors.ir.operands import OTHER, Constant
from pliant.extractors.ir.semantics import Semantics
from pliant.extractors.ir.unit import MODULE, Function, Instruction, Unit, Variable
from pliant.extractors.passes import fixed_numbers, names
from pliant.extractors.passes.assignment import null_in_class_bodies
from pliant.extractors.passes.index import Index

if TYPE_CHECKING:
    from pliant.extractors.passes.file_outcomes import Outcome

Shared = tuple[str, str]  # the function that a variable is of, and its plain name

_NEVER_NULL = frozenset(
    ("closure", "class", "import", "allocate", "tuple", "test", "arithmetic", "decorate", "super", "caught", "interior")
)


class FileSurvey:
    """stored: names of the fields that it writes; cleared: those of them that it sets to what may be null. rebound:
    (function, variable) of those that a function inside it sets. constant: of its functions, classes, and variables
    that are only set to what is never null. sets: how often a variable is set. imported: variables that an import sets
    where the file is loaded. captured: by name of a function, the variables around it that it reads. stars: modules of
    which all names are imported. classes: by name; methods: by the name of their class. unset: of a constructor that
    calls no other one of its class, the fields of its objects that begin as null. found: methods by their class and
    their name. null_in_bodies: attributes that a class body sets to null. known_in: by function that is made in another
    one, fields of the object around it that are not null then."""

    def __init__(self, unit: Unit, indices: Sequence[Index], semantics: Semantics) -> None:
        self.language = unit.language
        self.rebound: set[Shared] = set()
        self.sets: Counter[Shared] = Counter()
        self.imported: set[Shared] = set()
        self.captured: dict[str, list[Shared]] = {}
        self.stars: list[str] = []
        self.functions = {each.name: each for each in unit.functions}
        self.indices = {each.name: index for each, index in zip(unit.functions, indices, strict=True)}
        self.classes = {each.type.name: each for each in unit.classes}
        self.methods: dict[str, list[Function]] = {}
        for function in unit.functions:
            if function.owner is not None:
                self.methods.setdefault(function.owner.name, []).append(function)
        self.sure = _sure(indices)
        self.fields = {name for each in unit.classes for name in each.fields}
        self.holders: set[str] = set()  # symbols of classes of which a function before has said what holds them
        self.getters = _getters(unit, indices) if semantics.arity else {}
        self.known_in: dict[str, list[str]] = {}
        self.words = _words(indices) if semantics.typed_members else {}
        self.constants = _constants(indices) if semantics.typed_members else set()
        self.bases = _bases(indices) if semantics.classes_tell else {}
        self.made = _made(unit, indices) if semantics.typed_members else set()
        self.found = _found(self.methods) if semantics.arity else {}
        self.named = {each.name for each in unit.functions if "global" in each.flags}
        self.promised = _promised(indices)
        self.addressed = _addressed(unit, indices)
        self.outcomes: dict[str, list[Outcome]] = {}  # of functions that have been constructed, by their names
        self.numbers = _numbers(unit, indices) if semantics.sums else {}
        self.tables = _tables(unit, indices) if semantics.sums else {}
        self.instances: set[str] = set()  # classes of which one object stands for all
        self.declared: set[str] = set()  # symbols that a function before has declared
        self.opening: frozenset[str] | None = None  # names by which something may be opened, once that is asked
        written = _Written()
        for function, index in zip(unit.functions, indices, strict=True):
            if "setter" in function.flags:
                written.given.add(function.name.partition("#")[0].rpartition(".")[2])
            self.captured[function.name] = [
                identity(function, each) for each in function.variables.values() if each.home == "captured"
            ]
            for formal in function.formals:
                found = identity(function, function.variables[formal.variable])
                self.sets[found] += 1
                if formal.kind != "receiver":
                    written.doubtful.add(found)
            written.read_stores(function, index, semantics)
            self._read_sets(function, index, semantics, written.doubtful)
            self.stars += [each.operands[0] for each in index.of("import") if each.operands[1] == "*"]
        self.unset = _unset(unit, indices) if semantics.fields_begin_null else {}
        self.null_in_bodies = null_in_class_bodies(indices) if semantics.suspects else frozenset()
        self.stored = frozenset(written.stored - written.given)
        self.cleared = frozenset(written.cleared - written.given)
        self.scalars = fixed_numbers.fields(unit.functions, indices, self.stored) if semantics.typed_members else {}
        self.one_number = fixed_numbers.results(unit.functions) if semantics.typed_members else {}
        self.constant = {(MODULE, each.name) for each in unit.functions if "global" in each.flags}
        self.constant |= {(MODULE, class_.type.name) for class_ in unit.classes}
        if unit.module != ".":  # else another file may set them
            self.constant |= self.sets.keys() - written.doubtful

    def _read_sets(self, function: Function, index: Index, semantics: Semantics, doubtful: set[Shared]) -> None:
        """What a function sets variables to; those that may be null are added to `doubtful`."""
        for each in index.of("set"):
            variable = function.variables[each.operands[0]]
            found = identity(function, variable)
            self.sets[found] += 1
            if variable.home == "captured":
                self.rebound.add((variable.owner, variable.name))
            if isinstance(each.operands[1], Constant):
                continue
            source = index.numbered[each.operands[1]]
            if source.op == "closure" and variable.home == "module" and source.operands[0] == variable.name:
                self.named.add(variable.name)
            if function.name == MODULE and source.op == "import" and source.operands[0] != semantics.builtins:
                self.imported.add(found)
            if source.op not in _NEVER_NULL:
                doubtful.add(found)


@dataclass(slots=True)
class _Written:
    """stored: names of fields that are written; cleared: those of them that are set to what may be null; given: those
    that a function sets when they are written. doubtful: variables that are set to what may be null."""

    stored: set[str] = field(default_factory=set)
    cleared: set[str] = field(default_factory=set)
    given: set[str] = field(default_factory=set)
    doubtful: set[Shared] = field(default_factory=set)

    def read_stores(self, function: Function, index: Index, semantics: Semantics) -> None:
        """What a function writes to fields after their objects, or what they are of, have begun."""
        given_by = index.numbered
        begins = names.is_initialiser(function) or (semantics.pointers and function.name == MODULE)
        for each in () if begins else index.of("store"):
            base, name, value = each.operands
            if isinstance(base, Constant) or given_by[base].op != "class":
                self.stored.add(name)
                if isinstance(value, int) and (
                    makes_null(given_by[value], semantics) or _may_be_null(value, function, index, semantics)
                ):
                    self.cleared.add(name)
        if semantics.pointers or index.of("address"):  # another file may pass the address of what is null
            self.stored.add("*")
            self.cleared.add("*")


def _found(methods: Mapping[str, Sequence[Function]]) -> dict[tuple[str, str], list[Function]]:
    found: dict[tuple[str, str], list[Function]] = {}
    for owner, functions in methods.items():
        for function in functions:
            found.setdefault((owner, names.last_part(function)), []).append(function)
    return found


def _promised(indices: Sequence[Index]) -> set[tuple[str, str]]:
    return {
        (each.operands[0], what)
        for index in indices
        for each in index.of("signature")
        for kind, what in each.operands[1]
        if kind == OTHER
    }


def _addressed(unit: Unit, indices: Sequence[Index]) -> set[Shared]:
    """Variables whose address is taken."""
    return {
        identity(function, function.variables[each.operands[0]])
        for function, index in zip(unit.functions, indices, strict=True)
        for each in index.of("address")
    }


def identity(function: Function, variable: Variable) -> Shared:
    """What a variable is called in all functions that share it; one that none shares has a name of its own."""
    if variable.home == "local":
        return function.name, f"{variable.name}, local"
    owner = {"module": MODULE, "captured": variable.owner}.get(variable.home, function.name)
    return owner, variable.name.partition("#")[0]


def makes_null(instruction: Instruction, semantics: Semantics) -> bool:
    if instruction.op not in ("const", "zero"):
        return False
    return instruction.operands[0].kind in (semantics.zero_is_null if instruction.op == "zero" else ("null",))


def _may_be_null(value: int, function: Function, index: Index, semantics: Semantics) -> bool:
    """Whether a value is the result of a library function that may give null."""
    made = index.numbered[value]
    while made.op == "convert" and isinstance(made.operands[0], int):
        made = index.numbered[made.operands[0]]
    if made.op != "call" or not isinstance(made.operands[0], int):
        return False
    callee = index.numbered[made.operands[0]]
    return names.linked(function, callee, semantics.linkage) in semantics.memory.may_give_null


def _unset(unit: Unit, indices: Sequence[Index]) -> dict[str, list[str]]:
    """By constructor, the fields that are null until it, or somebody else, sets them. Of those that are declared to
    take null, or not to take it, and of those that what reads annotations sets, somebody else takes care."""
    others: dict[str, set[str]] = {}  # fields of a class that are not looked at
    for index in indices[:1]:
        for each in index.of("annotate"):
            made = index.numbered[each.operands[0]]
            how = each.operands[3].split()
            if made.op == "class" and (each.operands[2] or "shared" in how or "processed" in how):
                others.setdefault(made.operands[0], set()).add(each.operands[1])
    for function, index in zip(unit.functions, indices, strict=True):
        if function.owner is not None and names.is_initialiser(function):
            found = others.setdefault(function.owner.name, set())
            found.update(each.operands[1] for each in index.of("store"))
    fields = {
        class_.type.name: [
            name
            for name, kind in class_.fields.items()
            if kind.kind in ("class", "array", "any") and name not in others.get(class_.type.name, ())
        ]
        for class_ in unit.classes
    }
    return {
        function.name: fields.get(function.owner.name, [])
        for function, index in zip(unit.functions, indices, strict=True)
        if function.owner is not None
        and "constructor" in function.flags
        and not any(index.numbered[each.operands[0]].op == "get" for each in _constructions(index))
    }


def _constants(indices: Sequence[Index]) -> set[tuple[str, str]]:
    """(class, field) of the fields that are declared to be shared by all objects and never written again."""
    return {
        (index.numbered[each.operands[0]].operands[0], each.operands[1])
        for index in indices
        for each in index.of("annotate")
        if {"shared", "final"} <= set(each.operands[3].split()) and index.numbered[each.operands[0]].op == "class"
    }


def _words(indices: Sequence[Index]) -> dict[tuple[str, str], frozenset[str]]:
    """(class, field) -> how it is declared."""
    return {
        (index.numbered[each.operands[0]].operands[0], each.operands[1]): frozenset(each.operands[3].split())
        for index in indices
        for each in index.of("annotate")
        if index.numbered[each.operands[0]].op == "class"
    }


def _numbers(unit: Unit, indices: Sequence[Index]) -> dict[str, int]:
    """The numbers that variables of the file hold for good: those of this file alone, whose address nothing takes."""
    sets = Counter(
        each.operands[0].partition("#")[0]
        for function, index in zip(unit.functions, indices, strict=True)
        for each in index.of("set")
        if function.variables[each.operands[0]].home == "module"
    )
    found: dict[str, int] = {}
    for function, index in zip(unit.functions, indices, strict=True):
        for each in index.of("set") if function.name == MODULE else ():
            name, value = each.operands[0].partition("#")[0], each.operands[1]
            if name not in unit.private and name in unit.variables:
                continue
            if not isinstance(value, Constant):
                made = index.numbered[value]
                value = made.operands[0] if made.op == "const" else Constant("integer", 0) if _is_zero(made) else value
            if isinstance(value, Constant) and type(value.content) is int and sets[name] == 1:
                found[name] = value.content
    for function, index in zip(unit.functions, indices, strict=True):
        for each in index.of("address"):
            if function.variables[each.operands[0]].home == "module":
                found.pop(each.operands[0].partition("#")[0], None)
    return found


def _tables(unit: Unit, indices: Sequence[Index]) -> dict[str, list[object]]:
    """Arrays of constants that are never changed."""
    found = {}
    for function, index in zip(unit.functions, indices, strict=True):
        for each in index.of("set") if function.name == MODULE else ():
            name, value = each.operands
            made = index.numbered[value] if not isinstance(value, Constant) else each
            if made.op == "allocate" and function.variables[name].type.name == "const":
                listed = made.operands[1]
                if all(isinstance(element, Constant) for element in listed):
                    found[name] = [element.content for element in listed]
    return found


def _is_zero(made: Instruction) -> bool:
    return made.op == "zero" and made.operands[0].kind == "number"


def _getters(unit: Unit, indices: Sequence[Index]) -> dict[str, str]:
    """Methods that do nothing but give a field of their object, and the field."""
    found = {}
    for function, index in zip(unit.functions, indices, strict=True):
        receives = bool(function.formals) and function.formals[0].kind == "receiver"
        if receives and len(index) == 3 and [each.op for each in index.numbered[1:]] == ["get", "load", "exit"]:
            _, load, left = index.numbered[1:]
            if load.operands[0] == 1 and left.operands[0] == (2,):
                found[function.name] = load.operands[1]
    return found


def _sure(indices: Sequence[Index]) -> set[str]:
    """Functions whose results are declared not to be null."""
    return {
        each.operands[0]
        for index in indices
        for each in index.of("signature")
        if [value for value, what in each.operands[1] if what == "return"] == [OTHER]
    }


def _bases(indices: Sequence[Index]) -> dict[str, list[str]]:
    """The bases of each class of the file, as symbols."""
    found = {}
    for index in indices:
        for each in index.of("class"):
            bases = []
            for base in each.operands[1]:
                source = index.numbered[base] if not isinstance(base, Constant) else each
                if source.op == "get":
                    bases.append(f"|{source.operands[0].partition('#')[0]}")
                else:
                    bases.append(".".join(map(str, source.operands)) if source.op == "import" else "?")
            found[f"|{each.operands[0]}"] = bases
    return found


def _made(unit: Unit, indices: Sequence[Index]) -> set[tuple[str, str]]:
    """(class, field) of the fields whose initialisers make the object that they hold."""
    found = set()
    for function, index in zip(unit.functions, indices, strict=True):
        if function.owner is not None and names.is_initialiser(function):
            for each in index.of("store"):
                value = each.operands[2]
                if not isinstance(value, Constant) and index.numbered[value].op in ("call", "allocate"):
                    found.add((function.owner.name, each.operands[1]))
    return found


def _constructions(index: Index) -> list[Instruction]:
    """Calls of constructors on something."""
    return [
        each
        for each in index.of("invoke")
        if each.operands[1].startswith(f"{names.CONSTRUCTOR} ") and each.operands[1] != names.INITIALISERS
    ]
