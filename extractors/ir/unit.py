"""What a file consists of: classes, and functions as graphs of basic blocks.

A function's instructions are numbered from 1 in the order of its blocks, and a value is the number of the instruction
that gives it. Variables are read and written by name (`get`, `set`): the pass that makes static single assignment of
them is shared. Spans stand beside, by number of the instruction: no pass looks at them but to place what it reports.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from pliant.extractors.ir.instructions import INSTRUCTIONS, OPERANDS
from pliant.extractors.ir.operands import ANY, Argument, Operand, Predicate, Type, Value, asked

Span = tuple[int, int, int, int]  # first line, first column, last line, last column; lines from 1, columns from 0

MODULE = "<module>"  # the function that holds what a file does when it is loaded


@dataclass(slots=True)
class Instruction:
    """op: a name of INSTRUCTIONS; operands: as its row there says."""

    number: int
    op: str
    operands: tuple[Any, ...]

    @property
    def gives(self) -> bool:
        """Whether it gives a value."""
        return INSTRUCTIONS[self.op].gives

    def uses(self) -> Iterator[Operand]:
        """The values and constants that it takes."""
        for position, kind in OPERANDS[self.op].used:
            operand = self.operands[position]
            if kind == "value":
                yield operand
            elif kind == "values":
                yield from operand
            elif kind == "arguments":
                yield from (argument.value for argument in operand)
            elif kind == "predicate":
                yield from asked(operand)


@dataclass(slots=True)
class Block:
    """A basic block: its last instruction, and no other, says where control goes. handler: the number of the block
    where an exception that an instruction of this one raises goes; None where it leaves the function."""

    instructions: list[Instruction] = field(default_factory=list)
    handler: int | None = None

    def successors(self) -> list[int]:
        """Where its last instruction leads, without the handler, each block once."""
        last = self.instructions[-1]
        places = OPERANDS[last.op].targets
        if not places:
            return []
        if len(places) == 1 and not places[0][1]:
            return [last.operands[places[0][0]]]
        found: dict[int, None] = {}
        for position, several in places:
            operand = last.operands[position]
            if several:
                found.update((target, None) for _, target in operand)
            else:
                found[operand] = None
        return list(found)


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of a function, by a name that is unique there (`x`, `x#2` for a second one of that name).

    home: `local`; `shared` if functions defined in this one use it, too; `captured` if it is one of the function
    `owner` around this one; `module` if it is one of the file; `import` if it is one of the module `owner` ("." for
    another file of the folder).
    """

    name: str
    type: Type = ANY
    home: Literal["local", "shared", "captured", "module", "import"] = "local"
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Formal:
    """A parameter. kind: `one`; `rest` for what collects positional arguments, `names` for what collects named ones;
    `named` for one that is passed by name alone; `receiver`. default: whether a call may leave it out."""

    variable: str
    type: Type = ANY
    kind: Literal["one", "rest", "names", "named", "receiver"] = "one"
    default: bool = False


@dataclass(slots=True)
class Function:
    """name: qualified, unique in its file. owner: the class that it is a method of, under the last part of its name.
    flags: `global` (the module has it under its name), `generator`, `asynchronous`, `static`, `declared` (it has no
    body), `null_receiver` (calling it on null does not fail), `constructor` (invoked as `<init> C`, where `C` is the
    last part of its name), `final`, `private`, `synchronized`, `noreturn` (a call of it never comes back), `kept` (what
    its first call gives is given by all that pass the same), `macro` (its body runs in its caller). within: of
    instructions that belong to a definition in the function (the body of a class, the parameters of a function), or
    that a macro stands for, its name, by number. spans: of instructions by number; span: of the function's name;
    extent: of all of it."""

    name: str
    formals: list[Formal] = field(default_factory=list)
    result: Type = ANY
    owner: Type | None = None
    flags: frozenset[str] = frozenset()
    variables: dict[str, Variable] = field(default_factory=dict)
    blocks: list[Block] = field(default_factory=list)
    within: dict[int, str] = field(default_factory=dict)
    spans: dict[int, Span] = field(default_factory=dict, compare=False)
    span: Span | None = field(default=None, compare=False)
    extent: Span | None = field(default=None, compare=False)

    def instructions(self) -> Iterator[Instruction]:
        for block in self.blocks:
            yield from block.instructions


@dataclass(slots=True)
class Class:
    """type: of its instances, with a name that is qualified and unique in its file (in its folder, if the module of the
    type is "."). kind: `class`, `interface`, `struct`, or `alias`: another name of its one base. Its methods are the
    functions whose owner is its type. span: of its name."""

    type: Type
    kind: Literal["class", "interface", "struct", "alias"] = "class"
    bases: list[Type] = field(default_factory=list)
    fields: dict[str, Type] = field(default_factory=dict)
    span: Span | None = field(default=None, compare=False)


class LeftOut(NamedTuple):
    """What could not be translated: a function, by its name, or something outside of functions if that is empty.
    reason: the end of a sentence."""

    function: str
    span: Span
    reason: str


@dataclass(slots=True)
class Unit:
    """A file. module: what it calls itself; `.` where all files of a folder are one module. functions: MODULE first.
    variables: those of the module, with their types; private: those of the file alone, and of what includes it.
    renames: those of them that stand for other names. numbers: constants of the file, by the names that others know.
    mentions: the modules that it names. left_out: what is missing."""

    language: str
    module: str = ""
    classes: list[Class] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    variables: dict[str, Type] = field(default_factory=dict)
    private: dict[str, Type] = field(default_factory=dict)
    renames: list[str] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    mentions: list[str] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list, compare=False)


__all__ = [
    "MODULE",
    "Argument",
    "Block",
    "Class",
    "Formal",
    "Function",
    "Instruction",
    "LeftOut",
    "Predicate",
    "Span",
    "Unit",
    "Value",
    "Variable",
]
