"""What a language says of itself beyond its syntax: the one description that passes ask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Semantics:
    """What passes ask of a language. Functions of its library are written with their module: `builtins.len`.

    null: what a literal null is called. needs: instruction -> the kind of use (as in the relation `dereference`) by
    which it fails where its base, or what it calls, is null; an instruction that is not there takes null.
    truth_is_not_null: whether what counts as true is not null. containers: kind of type -> class of the objects of it.
    zero_is_null: kinds of type of which a variable is null that nothing was assigned to.

    of_null: fields that null has. arithmetic: operator -> how many of its operands must not be null. comparisons:
    operator -> the methods that its left and its right operand is asked for. arguments: function -> the positions of
    its arguments that must not be null. checks: functions whose first argument is not null where their result counts as
    true. all_of: the function that asks whether all elements count as
    true; class_of: the one that gives the class of its argument, and the field that has it; getter, setter: those that
    read and write a field by its name. null_class: the class of null.

    errors: kind of use -> the exception that it raises for null (`""`: of all others). everything: exceptions that all
    others are of. suppressing: context managers that end an exception. assertion: the exception of an assertion.

    builtins: the module that has the names which nothing binds. members: whether a module's member may be a module.
    rest: kind of formal that collects arguments -> class of the collection. objects: whether values are objects: a
    tuple has elements, a part of a sequence is a new one, a constant index names an item, and what a method is called
    on is an instance of its class. iterator: the methods that give an iterator, and its next element. tests_tell:
    whether that the program asks for null, or relies on there being none, is told to the rules.

    arity: whether a method is found by its name and the number of its arguments. constructors: whether calling a class
    runs one of several constructors. functional: whether what holds a function runs it when some method of it is
    called. virtual: whether what is declared to be of a class may be of one derived from it. typed_members: whether
    fields and results hold objects of the classes that they are declared to be of. fields_begin_null: whether a field
    without an initialiser is null. effects: whether what functions write to fields is told to the rules.
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
    checks: frozenset[str] = frozenset()
    all_of: str = ""
    class_of: tuple[str, str] = ("", "")
    getter: str = ""
    setter: str = ""
    null_class: str = ""
    errors: Mapping[str, str] = field(default_factory=dict)
    everything: frozenset[str] = frozenset()
    suppressing: frozenset[str] = frozenset()
    assertion: str = ""
    builtins: str = ""
    members: bool = False
    rest: Mapping[str, str] = field(default_factory=dict)
    objects: bool = False
    iterator: tuple[str, str] | None = None
    tests_tell: bool = False
    arity: bool = False
    constructors: bool = False
    functional: bool = False
    virtual: bool = False
    typed_members: bool = False
    fields_begin_null: bool = False
    effects: bool = False
