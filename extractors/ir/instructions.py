"""The table of the instructions: name, operands, whether they give a value, and a sentence on each.

docs/ir.md, the printer, the reader, the verifier and the passes go by this table; nothing else knows what operands an
instruction has.
"""

from __future__ import annotations

from dataclasses import dataclass

OPERAND_KINDS = {
    "value": "the number of an instruction that gives a value, or a constant",
    "values": "any number of values",
    "arguments": "arguments of a call: each a value, with a name if it is passed by one",
    "variable": "a variable of the function",
    "name": "a name: of a field, a method, an operator",
    "constant": "a constant",
    "type": "a type",
    "function": "the name of a function of the file",
    "class": "the name of a class of the file",
    "predicate": "a tree of `and`, `or`, `not` over questions",
    "block": "the number of a block",
    "cases": "pairs of a constant and a block",
}


@dataclass(frozen=True, slots=True)
class Opcode:
    """operands: (name, kind), kinds as in OPERAND_KINDS. gives: whether it gives a value. ends: whether it ends a
    block."""

    name: str
    operands: tuple[tuple[str, str], ...]
    gives: bool
    ends: bool
    languages: str
    doc: str


def _rows(gives: bool, ends: bool, *rows: tuple[str, str, str]) -> list[Opcode]:
    table = []
    for signature, languages, doc in rows:
        name, _, rest = signature.partition(" ")
        operands = tuple(
            (part.partition(":")[0].strip(), part.partition(":")[2].strip()) for part in rest.split(",") if part.strip()
        )
        table.append(Opcode(name, operands, gives, ends, languages, doc))
    return table


_ALL = "C, Go, Java, Python"
_OTHERS = "Go, Java, Python"  # functions are values of other kinds than addresses
_OBJECTS = "Java, Python"  # classes are made, modules are imported
_TABLE = [
    *_rows(
        True,
        False,
        (
            "const constant: constant",
            _ALL,
            "The constant. A null stands in no other instruction, so that each has a place.",
        ),
        ("get variable: variable", _ALL, "What the variable holds."),
        ("nothing", "Python", "The null that a function gives where control reaches its end."),
        (
            "zero type: type",
            "C, Go",
            "What a variable of the type holds that nothing was assigned to: of a structure in C, a new one.",
        ),
        ("copy value: value", "C, Go", "The same value; of a structure, a copy."),
        (
            "load base: value, field: name",
            _ALL,
            "A field of an object. The field `*` is what a pointer points to; `name()` is a method, as a function.",
        ),
        ("element base: value, key: value", _ALL, "The element of an array, a map or a string at a key."),
        ("slice base: value", "Go, Python", "A sequence of some elements of another one."),
        ("item base: value, number: constant", _OTHERS, "An item of a tuple or of several results, counted from 0."),
        (
            "next base: value, what: name",
            _ALL,
            "What iteration over the base gives next: a `key`, an `element`, a `value` of a mapping.",
        ),
        ("address variable: variable", "C, Go", "The address of a variable."),
        (
            "interior base: value, field: name",
            "C, Go",
            "The address of a field, or of an element if the field is `[]`.",
        ),
        (
            "offset base: value, by: value",
            "C",
            "The address of the element so many behind the one that the base is the address of.",
        ),
        ("allocate type: type, values: values", _ALL, "A new object, with these elements."),
        ("tuple values: values", "Go, Python", "Several values as one."),
        (
            "closure function: function, values: values",
            _OTHERS,
            "A function of the file, with its parameters' defaults.",
        ),
        ("class class: class, values: values", _OBJECTS, "A class of the file, made from these bases."),
        (
            "import module: name, member: name",
            _OBJECTS,
            "A module, or what it calls `member` if that is not empty. `^1 a.b`: module `a.b` in the folder of the "
            "file, `^2 a.b` in the one around that. `a|b`: the first of these that has it.",
        ),
        ("super class: class, receiver: value", _OBJECTS, "What finds the receiver's attributes in the class's bases."),
        (
            "decorate callee: value, value: value",
            "Python",
            "What a decorator makes of a function or a class: the result of calling it with that.",
        ),
        ("call callee: value, arguments: arguments", _ALL, "The result of calling what the callee holds."),
        (
            "invoke base: value, name: name, arguments: arguments",
            _OTHERS,
            "The result of calling a method of the base.",
        ),
        (
            "convert value: value, type: type, how: name",
            "C, Go, Java",
            "The value as one of a type. `asserted`: fails if it is none; `boxed`: a pointer as an interface; `cast`.",
        ),
        ("arithmetic operator: name, values: values", _ALL, "A number or a string, computed from the values."),
        ("test predicate: predicate", _ALL, "Whether the predicate holds, as a value."),
        ("await value: value", "Python", "What awaiting the value gives."),
        ("enter value: value", "Python", "What entering the context manager gives."),
        ("leave value: value", "Python", "Whether the context manager, left by an exception, ends that."),
        ("caught types: values", _OBJECTS, "The exception that led to a handler; of one of these classes."),
    ),
    *_rows(
        False,
        False,
        ("set variable: variable, value: value", _ALL, "The variable holds the value from here on."),
        (
            "store base: value, field: name, value: value",
            _ALL,
            "The field of the object holds the value from here on. The field `*` of a structure is all of it: the "
            "value is copied there.",
        ),
        ("put base: value, key: value, value: value", _ALL, "The element at the key is the value from here on."),
        (
            "require value: value, why: name, what: name",
            _ALL,
            "Fails if the value is null: an operation, written `what`.",
        ),
        (
            "fill base: value, key: value, value: value",
            "Python",
            "The new object gets an element where it is made.",
        ),
        (
            "compare operator: name, left: value, right: value",
            "Python",
            "Fails if an operand is null, unless the other one's class compares with it.",
        ),
        (
            "declare value: value, types: values",
            _OBJECTS,
            "The value is declared to be of one of these classes; null, if it may be null.",
        ),
        (
            "signature function: function, types: arguments",
            "C, Java, Python",
            "What parameters, by name, and results (`return`) of a function are declared to be, as in `declare`; of a "
            "class that is not known: not to be null.",
        ),
        (
            "annotate base: value, field: name, types: values, how: name",
            _OBJECTS,
            "What a field of an object, or of a class's instances, is declared to be, as in `declare`. `shared`: by "
            "the class and its instances; `final`, `private`, `volatile`: as it is declared.",
        ),
        ("yield value: value", "Python", "A generator gives the value."),
        ("defer callee: value, name: name, arguments: arguments", "Go", "A call that runs where the function is left."),
    ),
    *_rows(
        False,
        True,
        ("jump target: block", _ALL, "Control goes to the block."),
        ("branch predicate: predicate, yes: block, no: block", _ALL, "Control goes where the predicate says."),
        (
            "switch value: value, cases: cases, other: block",
            "C, Java, Python",
            "Control goes to the block of the constant.",
        ),
        ("choose targets: cases", _ALL, "Control goes to any of the blocks: what decides is not modelled."),
        ("exit values: values", _ALL, "The function is left with these results."),
        ("raise value: value", _ALL, "An exception is raised: control goes to the handler, or leaves the function."),
    ),
]

INSTRUCTIONS: dict[str, Opcode] = {opcode.name: opcode for opcode in _TABLE}


@dataclass(frozen=True, slots=True)
class Places:
    """Where operands stand that are read often. used: position and kind of those that hold values; targets: position of
    those that hold blocks, and whether they hold several; numbered: of all these."""

    used: tuple[tuple[int, str], ...]
    targets: tuple[tuple[int, bool], ...]
    numbered: tuple[tuple[int, str], ...]


def _places(opcode: Opcode) -> Places:
    kinds = [(position, kind) for position, (_, kind) in enumerate(opcode.operands)]
    used = tuple(each for each in kinds if each[1] in ("value", "values", "arguments", "predicate"))
    targets = tuple((position, kind == "cases") for position, kind in kinds if kind in ("block", "cases"))
    return Places(used, targets, tuple(each for each in kinds if each in used or each[1] in ("block", "cases")))


OPERANDS: dict[str, Places] = {opcode.name: _places(opcode) for opcode in _TABLE}


def markdown() -> str:
    """docs/ir.md."""
    lines = [
        "# The intermediate representation",
        "",
        "A language translates syntax trees into instructions; everything that has a meaning is computed from those,",
        "once for all languages. `pliant ir FILE [FUNCTION]` prints the instructions of a file, and",
        "`python -m pliant.extractors.ir` this page, from `extractors/ir/instructions.py`.",
        "",
        "```",
        "function Store.find(self, key) -> any",
        "b0:",
        "  %1 = get $self",
        '  %2 = load %1, "items"',
        "  %3 = get $key",
        "  %4 = element %2, %3",
        "  branch null(%4), b1, b2",
        "```",
        "",
        "A function is a list of blocks; `b0` is its entry. An instruction that gives a value is named by its",
        "number, which counts the instructions of the function in the order of the blocks. Only the last",
        "instruction of a block moves control. A block may have a handler (`b3: handler b7`): an exception that",
        "one of its instructions raises goes there. What is evaluated only in some cases has a block of its own,",
        "so that the operands of a predicate have been computed where it is asked.",
        "",
        "| instruction | operands | gives | made by | meaning |",
        "|---|---|---|---|---|",
    ]
    for opcode in _TABLE:
        operands = ", ".join(f"{name}: {kind}" if name != kind else name for name, kind in opcode.operands)
        gives = "a value" if opcode.gives else "-"
        lines.append(f"| `{opcode.name}` | {operands or '-'} | {gives} | {opcode.languages} | {opcode.doc} |")
    lines += ["", "| operand | |", "|---|---|"]
    lines += [f"| {kind} | {doc} |" for kind, doc in OPERAND_KINDS.items()]
    lines += [
        "",
        "| predicate | holds where |",
        "|---|---|",
        "| `and(p, q)`, `or(p, q)`, `not(p)` | both, one or none of the predicates holds |",
        "| `null(v)` | the value is null |",
        "| `truth(v)` | the value counts as true in its language |",
        "| `is(v, type)` | the value is an instance of the type |",
        "| `==(v, w)`, `<(v, w)`, `<=(v, w)` | the values compare so |",
        "| `in(v, w)` | the value is an element or a key of the container |",
        "| `always(true)`, `always(false)` | always, never |",
        "",
        "Spans stand beside the instructions, by number: no line or column is an input of a pass. The digest of a",
        "function is one of its text form.",
    ]
    return "\n".join(lines) + "\n"
