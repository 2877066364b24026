"""The intermediate representation: what a function does, in some thirty instructions that all languages share.

A language translates a syntax tree into a `Unit`: its classes, and its functions as graphs of basic blocks. In goes
syntax, out go instructions; nothing here knows of facts, rules or findings. `passes` turns units into facts.

`instructions` is the table of the instructions, `operands` what they take, `unit` what a file consists of. `builder`
makes functions, `verify` states what holds of each, `text` prints and `reading` reads the text form. `stored` is the
form in the cache, `outline` what that tells of a file without its functions.
"""

from pliant.extractors.ir.builder import Builder
from pliant.extractors.ir.operands import ANY, Argument, Constant, Predicate, Type
from pliant.extractors.ir.unit import Block, Class, Formal, Function, Instruction, Unit, Variable

__all__ = [
    "ANY",
    "Argument",
    "Block",
    "Builder",
    "Class",
    "Constant",
    "Formal",
    "Function",
    "Instruction",
    "Predicate",
    "Type",
    "Unit",
    "Variable",
]
