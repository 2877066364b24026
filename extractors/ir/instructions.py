"""The table of the instructions: name, operands, whether they give a value, and a sentence on each.

docs/ir.md, the printer, the reader, the verifier and the passes go by this table; nothing else knows what operands an
instruction has.
"""

from __future__ import annotations

from dataclasses import dataclass

OPERAND_KINDS = {
    "value": "the number of an instruction that returns a value, or a constant",
    "values": "any number of values",
    "arguments": "arguments of a call: each is a value, with a name if it is a keyword argument",
    "variable": "a variable of the function",
    "name": "a name: of a field, a method, an operator",
    "constant": "a constant",
    "type": "a type",
    "function": "the name of a function of the file",
    "class": "the name of a class of the file",
    "predicate": "a tree of `and`, `or` and `not` over tests",
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
            "The constant. A null occurs in no other instruction, so that each null has a location.",
        ),
        ("get variable: variable", _ALL, "The value of the variable."),
        ("nothing", "Python", "The null that a function returns when control reaches its end."),
        (
            "zero type: type",
            "C, Go",
            "The initial value of a variable of the type; for a structure in C, a new structure.",
        ),
        ("copy value: value", "C, Go", "The same value; for a structure, a copy."),
        (
            "load base: value, field: name",
            _ALL,
            "A field of an object. The field `*` is the target of a pointer; `name()` is a method, as a function.",
        ),
        ("element base: value, key: value", _ALL, "The element of an array, a map or a string at a key."),
        ("slice base: value", "Go, Python", "A sequence of some elements of another sequence."),
        ("item base: value, number: constant", _OTHERS, "An item of a tuple or of several results, counted from 0."),
        (
            "next base: value, what: name",
            _ALL,
            "The next item of the iteration over the base: a `key`, an `element`, or a `value` of a mapping.",
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
            "The address of an element: the base is the address of one element, and `by` counts elements from there.",
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
            "A module, or its member `member` if that is not empty. `^1 a.b`: module `a.b` in the folder of the "
            "file; `^2 a.b`: in the folder above. `a|b`: the first of these that has the member.",
        ),
        (
            "super class: class, receiver: value",
            _OBJECTS,
            "An object that looks up the receiver's attributes in the class's bases.",
        ),
        (
            "decorate callee: value, value: value",
            "Python",
            "The result of calling a decorator with a function or a class.",
        ),
        ("call callee: value, arguments: arguments", _ALL, "The result of calling the value of the callee."),
        (
            "invoke base: value, name: name, arguments: arguments",
            _OTHERS,
            "The result of calling a method of the base.",
        ),
        (
            "convert value: value, type: type, how: name",
            "C, Go, Java",
            "The value converted to a type. `asserted`: fails for another type; `boxed`: a pointer as an interface; "
            "`cast`.",
        ),
        ("arithmetic operator: name, values: values", _ALL, "A number or a string, computed from the values."),
        ("test predicate: predicate", _ALL, "Whether the predicate holds, as a value."),
        ("await value: value", "Python", "The result of awaiting the value."),
        ("enter value: value", "Python", "The result of entering the context manager."),
        ("leave value: value", "Python", "Whether the context manager, left by an exception, suppresses it."),
        ("caught types: values", _OBJECTS, "The exception that led to a handler; it is of one of these classes."),
    ),
    *_rows(
        False,
        False,
        ("set variable: variable, value: value", _ALL, "The variable holds the value from here on."),
        (
            "store base: value, field: name, value: value",
            _ALL,
            "The field of the object holds the value from here on. The field `*` of a structure is the whole "
            "structure: the value is copied there.",
        ),
        ("put base: value, key: value, value: value", _ALL, "The element at the key holds the value from here on."),
        ("delete base: value, key: value", "Python", "The element at the key is no longer there."),
        (
            "require value: value, why: name, what: name",
            _ALL,
            "Fails if the value is null. `what` is the text of the operation.",
        ),
        (
            "fill base: value, key: value, value: value",
            "Python",
            "The new object gets an element at its creation.",
        ),
        (
            "compare operator: name, left: value, right: value",
            "Python",
            "Fails if an operand is null, unless the class of the other operand can compare with null.",
        ),
        (
            "declare value: value, types: values",
            _OBJECTS,
            "The value is declared to be of one of these classes; null is listed if the value may be null.",
        ),
        (
            "signature function: function, types: arguments",
            "C, Java, Python",
            "The declared types of a function's parameters, by name, and of its result (`return`), as in `declare`. "
            "An unknown class means: not null.",
        ),
        (
            "annotate base: value, field: name, types: values, how: name",
            _OBJECTS,
            "The declared type of a field of an object, or of a class's instances, as in `declare`. `shared`: the "
            "class and its instances share it; `final`, `private`, `volatile`: the modifiers of the declaration; "
            "`processed`: it has an annotation, and something may set it for that; `required`: it is declared to be "
            "never null, although null is assigned there.",
        ),
        ("yield value: value", "Python", "A generator yields the value."),
        ("defer callee: value, name: name, arguments: arguments", "Go", "A call that runs when the function is left."),
    ),
    *_rows(
        False,
        True,
        ("jump target: block", _ALL, "Control goes to the block."),
        (
            "branch predicate: predicate, yes: block, no: block",
            _ALL,
            "Control goes to `yes` if the predicate holds, else to `no`.",
        ),
        (
            "switch value: value, cases: cases, other: block",
            "C, Java, Python",
            "Control goes to the block of the constant that equals the value, else to `other`.",
        ),
        ("choose targets: cases", _ALL, "Control goes to any of the blocks: the condition is not modelled."),
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
        "For authors of a language, of a pass or of the witness search. A language translates syntax trees into",
        "instructions. The passes compute facts from instructions, in the same way for all languages.",
        "`pliant ir FILE [FUNCTION]` prints the instructions of a file. `python -m pliant.extractors.ir` prints this",
        "page from `extractors/ir/instructions.py`.",
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
        "A function is a list of blocks; `b0` is its entry. An instruction that returns a value is named by its",
        "number, which counts the instructions of the function in the order of the blocks. Only the last",
        "instruction of a block moves control. A block may have a handler (`b3: handler b7`): an exception that",
        "one of its instructions raises goes there. Code that is evaluated only in some cases has its own block,",
        "so the operands of a predicate are always computed before it is tested.",
        "",
        "| instruction | operands | returns | made by | meaning |",
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
        "| predicate | holds if |",
        "|---|---|",
        "| `and(p, q)`, `or(p, q)`, `not(p)` | both, one or none of the predicates holds |",
        "| `null(v)` | the value is null |",
        "| `truth(v)` | the value counts as true in its language |",
        "| `is(v, type)` | the value is an instance of the type |",
        "| `==(v, w)`, `<(v, w)`, `<=(v, w)` | the comparison of the values holds |",
        "| `in(v, w)` | the value is an element or a key of the container |",
        "| `always(true)`, `always(false)` | always, never |",
        "",
        "Source spans are stored beside the instructions, by number: no line or column is an input of a pass.",
        "The digest of a function covers its instructions and what it declares, not its spans.",
        "",
        "The fact cache stores the instructions of a file by blob, beside its facts: JSON, compressed",
        "(`extractors/ir/stored.py`). The outline of a file holds what its functions say of each other",
        "(`extractors/ir/outline.py`) and the digest of each; it is read without the functions, and one function",
        "without the others. A function that is read must fit the table above and the invariants of",
        "`extractors/ir/verify.py`. A file without a sound entry is translated from its source, with the same result.",
    ]
    return "\n".join(lines) + "\n"
