"""What a language says of itself beyond its syntax: the one description that passes ask."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

from pliant.extractors.ir.operands import Type
from pliant.extractors.lowering.ranges import Range


@dataclass(frozen=True, slots=True)
class LibraryCalls:
    """What calls of a language's libraries show, by names; a model file says what each of these is
    (`models/java_calls.toml`). present: method -> constants for which, as its one argument, it gives something."""

    requires: frozenset[str] = frozenset()
    fails: frozenset[str] = frozenset()
    fails_first: frozenset[str] = frozenset()
    holds: frozenset[str] = frozenset()
    refuses: frozenset[str] = frozenset()
    there: frozenset[str] = frozenset()
    missing: frozenset[str] = frozenset()
    equal: frozenset[str] = frozenset()
    subject: str = ""
    asserted: frozenset[str] = frozenset()
    matchers: frozenset[str] = frozenset()
    at_once: frozenset[str] = frozenset()
    implied: frozenset[str] = frozenset()
    tells: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    tells_not: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    keyed: Mapping[str, str] = field(default_factory=dict)
    reads: tuple[str, ...] = ()
    present: Mapping[str, frozenset[str]] = field(default_factory=dict)


NO_CALLS = LibraryCalls()


@dataclass(frozen=True, slots=True)
class Containers:
    """Containers of a language's library, as in its model file. all: their classes; told: the methods that tell
    something; quiet: classes whose methods run no code of others."""

    empty: str
    size: str
    clear: str
    made: frozenset[str]
    others: frozenset[str]
    lists: frozenset[str]
    looks: frozenset[str]
    finds: frozenset[str]
    adds: frozenset[str]
    needs_one: frozenset[str]
    at: frozenset[str]
    plain: frozenset[str]
    harmless: frozenset[str]
    all: frozenset[str] = frozenset()
    told: frozenset[str] = frozenset()
    quiet: frozenset[str] = frozenset()

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> Containers:
        """Those of a table of a model file."""
        given: dict[str, Any] = {
            key: frozenset(value) if isinstance(value, list) else value for key, value in table.items()
        }
        every = given["made"] | given["others"]
        told = frozenset((given["clear"], *given["looks"], *given["adds"], *given["needs_one"], *given["at"]))
        return cls(**given, all=every, told=told, quiet=every | given["plain"])


@dataclass(frozen=True, slots=True)
class MemoryCalls:
    """What functions of the library do to memory, by their names and the numbers of their arguments. names: all that
    are known. frees: what they free; moves: what they free if they give a new object. gives_back: what they give, if
    that is not null; may_give_null: those that may; finds_end: of those, what gives no null where the second argument
    is 0. touches_none: the argument that, if it is 0, says that nothing is read or written, whatever the pointers are.
    reads: those that change nothing, and depend on their arguments and what these point to alone. writes: where
    they write. runs: which they call, and with which others. apart: those whose arguments must not
    overlap. sizes: the product of which an allocation asks for; largest: how large that may be. allocates: what makes a
    new object. results: why what they give matters; last_resort: streams of which no failure can be told; failures:
    types of what tells why a function has failed: it sets a pointer to one, whose address it takes, if it fails."""

    names: frozenset[str] = frozenset()
    frees: Mapping[str, int] = field(default_factory=dict)
    moves: Mapping[str, int] = field(default_factory=dict)
    gives_back: Mapping[str, int] = field(default_factory=dict)
    may_give_null: frozenset[str] = frozenset()
    finds_end: frozenset[str] = frozenset()
    touches_none: Mapping[str, int] = field(default_factory=dict)
    reads: frozenset[str] = frozenset()
    writes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    runs: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    apart: frozenset[str] = frozenset()
    sizes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    largest: int = 0
    allocates: frozenset[str] = frozenset()
    results: Mapping[str, str] = field(default_factory=dict)
    last_resort: frozenset[str] = frozenset()
    failures: frozenset[str] = frozenset()


NO_MEMORY = MemoryCalls()


@dataclass(frozen=True, slots=True)
class Pure:
    """Functions of libraries that change nothing (`models/pure.toml`). of: by class or module, those that always give
    the same; quiet: classes of which no method runs code of the program that writes; calls: functions that run none,
    whatever they belong to; strings: the names of those in `of` that give strings; maps: the names of classes of
    maps."""

    of: Mapping[str, frozenset[str]] = field(default_factory=dict)
    quiet: frozenset[str] = frozenset()
    calls: frozenset[str] = frozenset()
    strings: frozenset[str] = frozenset()
    maps: frozenset[str] = frozenset()


NOTHING_PURE = Pure()
# What `Semantics.kind_of` calls the types whose values contain nothing: numbers, truth values, strings.
SCALARS = frozenset(("number", "floating", "char", "boolean", "String"))


def pure(language: str) -> Pure:
    """Those of a language."""
    text = resources.files("pliant.extractors").joinpath("models", "pure.toml").read_text("utf-8")
    table = tomllib.loads(text)[language]
    of = {owner: frozenset(names) for owner, names in table["of"].items()}
    return Pure(of, *(frozenset(table.get(key, ())) for key in ("quiet", "calls", "strings", "maps")))


@dataclass(frozen=True, slots=True)
class Semantics:
    """What passes ask of a language. Functions of its library are written with their module: `builtins.len`.

    null: what a literal null is called. needs: instruction -> the kind of use (as in the relation `dereference`) by
    which it fails where its base, or what it calls, is null; an instruction that is not there takes null.
    truth_is_not_null: whether what counts as true is not null. containers: kind of type -> class of the objects of it.
    zero_is_null: kinds of type of which a variable is null that nothing was assigned to.

    of_null: fields that null has. arithmetic: operator -> how many of its operands must not be null. comparisons:
    operator -> the methods that its left and its right operand is asked for. arguments: function -> the positions of
    its arguments that must not be null; fails: the same, of functions of which that is not told to the rules. checks:
    functions whose first argument is not null where their result counts as true. all_of, any_of: the functions that ask
    whether all elements, or any, count as true; lookups: methods that give what a mapping has for a key, or a default;
    class_of: the one that gives the class of its argument, and the field that has it; getter, setter: those that read
    and write a field by its name. null_class: the class of null.

    errors: kind of use -> the exception that it raises for null (`""`: of all others). everything: exceptions that all
    others are of. suppressing: context managers that end an exception. stays_empty: methods that, without arguments,
    give something empty of an empty string or container. assertion: the exception of an assertion.

    false: the constants that count as false, besides null. integers: type of integers -> bits in which is computed with
    them, 0 where that does not overflow; "" is the type of a constant as it is written. boxed_once: the integers of
    which there is one object each, where `==` of two objects asks whether they are one. boxes: classes of such
    objects, first that of integers as they are written.

    builtins: the module that has the names which nothing binds. members: whether a module's member may be a module.
    rest: kind of formal that collects arguments -> class of the collection. objects: whether values are objects: a
    tuple has elements, a part of a sequence is a new one, a constant index names an item, and what a method is called
    on is an instance of its class. iterator: the methods that give an iterator, and its next element. tests_tell:
    whether that the program asks for null, or relies on there being none, is told to the rules. private: matches names
    of functions that only the program itself calls.
    states: whether it is told what the state was that an object was asked for before it gave something.
    suspects: whether it is told, too, that a field is set to null, or found to be null.

    kind_of: tells apart the types of arguments that overloads take. arrays_passed: whether an array may be passed for
    the arguments that a parameter collects, or null. iterators_fail: whether a loop fails once the container that it
    goes over has changed. classes_tell: whether a test of a class is decided by what the file shows of classes.
    all_classes: classes that all others are derived from. synonyms: whether a test of a variable is one of what else
    holds the same value. versions: whether objects are followed from write to write. containers_of: containers
    of the library; where there are some, it is followed what objects keep. string: the class of strings that are
    written. dull: classes, with their modules, of whose objects nothing is followed.

    arity: whether a method is found by its name and the number of its arguments. constructors: whether calling a class
    runs one of several constructors. functional: whether what holds a function runs it when some method of it is
    called. virtual: whether what is declared to be of a class may be of one derived from it. typed_members: whether
    fields and results hold objects of the classes that they are declared to be of; it is told, too, which of them give
    one number for good. fields_begin_null: whether a field without an initialiser is null. effects: whether what
    functions write to fields is told to the rules. library: what calls of libraries show. passed_conditions: whether it
    is told what conditions that are passed show. steady: matches the names of fields that always hold the same. final:
    classes of its library, with their modules, from which none is derived.

    linkage: the module of the names that all files have in common: its functions are called by these, and a pointer
    that is cast stays the one that it is. pointers: whether memory is known by its addresses (`passes/memory.py`).
    memory: what the library's functions do to it. formats: function -> the argument that says how others are printed.
    never_return: functions that do not come back. sums: whether numbers are sums of variables (`passes/sums.py`).
    limits: type of integers -> the numbers that it holds on every machine, where not all fit. fractions: types of
    numbers that are no integers. results_tell: whether callers tell ways out of a function by the numbers that it
    gives. constant: the number that stands for a name that may be a constant of another file, None for others.
    pure: what its libraries have of functions that change nothing.
    """

    null: str
    needs: Mapping[str, str]
    truth_is_not_null: bool
    containers: Mapping[str, str]
    zero_is_null: frozenset[str]
    of_null: frozenset[str] = frozenset()
    arithmetic: Mapping[str, int] = field(default_factory=dict)
    comparisons: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    arguments: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    fails: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    formats: Mapping[str, int] = field(default_factory=dict)
    never_return: frozenset[str] = frozenset()
    checks: frozenset[str] = frozenset()
    all_of: str = ""
    any_of: str = ""
    lookups: frozenset[str] = frozenset()
    class_of: tuple[str, str] = ("", "")
    getter: str = ""
    setter: str = ""
    null_class: str = ""
    errors: Mapping[str, str] = field(default_factory=dict)
    everything: frozenset[str] = frozenset()
    suppressing: frozenset[str] = frozenset()
    stays_empty: frozenset[str] = frozenset()
    assertion: str = ""
    false: frozenset[object] = frozenset((False,))
    integers: Mapping[str, int] = field(default_factory=dict)
    boxed_once: range | None = None
    boxes: tuple[str, ...] = ()
    builtins: str = ""
    members: bool = False
    rest: Mapping[str, str] = field(default_factory=dict)
    objects: bool = False
    iterator: tuple[str, str] | None = None
    tests_tell: bool = False
    private: str = ""
    states: bool = False
    suspects: bool = False
    kind_of: Callable[[Type], str] | None = None
    arrays_passed: bool = False
    iterators_fail: bool = False
    classes_tell: bool = False
    all_classes: tuple[str, ...] = ()
    synonyms: bool = False
    versions: bool = False
    containers_of: Containers | None = None
    string: Type | None = None
    dull: frozenset[str] = frozenset()
    arity: bool = False
    constructors: bool = False
    functional: bool = False
    virtual: bool = False
    typed_members: bool = False
    fields_begin_null: bool = False
    effects: bool = False
    library: LibraryCalls = NO_CALLS
    passed_conditions: bool = False
    steady: str = ""
    final: frozenset[str] = frozenset()
    linkage: str = ""
    pointers: bool = False
    memory: MemoryCalls = NO_MEMORY
    sums: bool = False
    results_tell: bool = False
    constant: Callable[[str], int | None] | None = None
    limits: Mapping[str, Range] = field(default_factory=dict)
    fractions: frozenset[str] = frozenset()
    pure: Pure = NOTHING_PURE
