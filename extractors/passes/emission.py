"""Which instruction gives which facts: one table, read once.

A row names relations of the schema; in their columns stand the operands of the instruction by name, `result`,
`function` (the symbol of the function), `live` (the control value) and constants in quotes. `*values` repeats a fact
for each of several values, `number` counts them. What has a condition is in `construct`, which writes nothing by itself
but guards, uses and the ways out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from operator import itemgetter

from pliant.extractors.ir.instructions import INSTRUCTIONS
from pliant.extractors.schema import RELATIONS

_TABLE: dict[str, tuple[str, ...]] = {
    "copy": ("assign(result, value)",),
    "convert": ("assign(result, value)",),
    "convert asserted": ("assign_object(result, value)",),
    "convert boxed": ("assign_object(result, value)", "boxes(result, value)"),
    "load": ("load(result, base, field)",),
    "element": ("subscript(result, base)",),
    "item": ("element(result, base, number)",),
    "next element": ("subscript(result, base)",),
    "next key": ('load(result, base, "{}")',),
    "element of array": ('load(result, base, "[]")',),
    "element item": ("element(result, base, number)",),
    "next value": ('load(result, base, "[]")',),
    "next iterate": ("iterate(result, base)",),
    "slice": ("assign(result, base)",),
    "slice copied": (
        "new(result, result, class)",
        "made_in(result, function)",
        "iterate(item, base)",
        'store(result, "[]", item)',
    ),
    "repeat": ("new(result, result, class)", "made_in(result, function)", "repeat(result, base)"),
    "in place": ('write(site, left, "augmented")', "assign_object(result, left)"),
    "interior": ("interior(result, base)",),
    "offset": ("interior(result, base)",),
    "allocate": ("new(result, result, class)", "made_in(result, function)", 'store(result, "[]", *values)'),
    "allocate shared": ("new(result, object, class)", 'store(result, "[]", *values)'),
    "fill": ('store(base, "{}", key)', 'store(base, "[]", value)'),
    "fill member": ("store(base, field, value)",),
    "tuple": ("new(result, result, class)", "tuple_item(result, number, *values)"),
    "tuple object": (
        "new(result, object, class)",
        "tuple_item(result, number, *values)",
        'store(result, "[]", *values)',
    ),
    "allocate elsewhere": ('store(result, "[]", *values)',),
    "closure": ("holds(result, held)",),
    "class": ("holds(result, held)", "class_base(held, *values)"),
    "super": ("super_of(result, held, receiver)",),
    "import": ("import_module(result, module)",),
    "import any member": ("import_from(result, module, member)", "import_module(result, whole)"),
    "import member": ("import_from(result, module, member)",),
    "await": ("await(result, value)",),
    "enter": ("enter(result, value)",),
    "caught": ("typed(result, *types)",),
    "decorate": (
        "call(made, function, live)",
        "call_value(made, callee)",
        "actual(made, first, value)",
        "arguments(made, one)",
        "assign(result, value)",
        "decorated(result, made)",
    ),
    "call": ("call(result, function, live)", "call_value(result, callee)"),
    "invoke": ("call(result, function, live)", "call_method(result, base, name)"),
    "defer": ("call(result, function, live)", "call_value(result, callee)"),
    "defer method": ("call(result, function, live)", "call_method(result, callee, name)"),
    "store": ("store(base, field, value)", 'write(site, base, "attribute")'),
    "put": ('store(base, "[]", value)', 'store(base, "{}", key)', 'write(site, base, "item")'),
    "delete": ('write(site, base, "item")', "deletes(site, base)"),
    "yield": ("yields(function, value)",),
    "exit": ("returns(function, value, live)",),
}

_FACT = re.compile(r"(\w+)\(([^)]*)\)")


Entry = int | str
Pick = Callable[[dict[str, Entry | list[int]]], tuple[Entry, ...]]


@dataclass(frozen=True, slots=True)
class Template:
    """relation; columns: names of what stands there, and constants in quotes. each: the name of the several values for
    each of which there is a fact; empty for one fact."""

    relation: str
    columns: tuple[str, ...]
    each: str


def _template(text: str) -> Template:
    match = _FACT.fullmatch(text)
    assert match is not None, text
    parts = [part.strip() for part in match[2].split(",")]
    assert len(parts) == RELATIONS[match[1]].arity > 1, text
    each = next((part[1:] for part in parts if part.startswith("*")), "")
    return Template(match[1], tuple(part.strip("*") for part in parts), each)


EMISSION: dict[str, tuple[Template, ...]] = {key: tuple(map(_template, rows)) for key, rows in _TABLE.items()}


@dataclass(frozen=True, slots=True)
class Plan:
    """The facts of an instruction with a key. constants: by how they are written. values, texts, numbers: the operands
    that facts take, by what their columns hold, each with name and position; function, live: whether they take these.
    facts: relation, and what picks its columns from the entries, by name. repeated: the same for facts of several
    values, with their name and the position of their operand; what picks finds the value under that name, and its
    number under `number`."""

    constants: dict[str, str]
    values: tuple[tuple[str, int], ...]
    texts: tuple[tuple[str, int], ...]
    numbers: tuple[tuple[str, int], ...]
    function: bool
    live: bool
    facts: tuple[tuple[str, Pick], ...]
    repeated: tuple[tuple[str, Pick, str, int], ...]


@cache
def plan(key: str, op: str) -> Plan:
    """What is written for instruction `op` with `key`; nothing where the table has no row."""
    operands = {name: (kind, position) for position, (name, kind) in enumerate(INSTRUCTIONS[op].operands)}
    templates = EMISSION.get(key, ())
    repeated = {name for each in templates if each.each for name in (each.each, "number")}
    columns = dict.fromkeys(column for template in templates for column in template.columns)
    taken = [(name, *operands[name]) for name in columns if name in operands and name not in repeated | {"function"}]
    return Plan(
        {column: column.strip('"') for column in columns if column.startswith('"')},
        tuple((name, position) for name, kind, position in taken if kind == "value"),
        tuple((name, position) for name, kind, position in taken if kind not in ("value", "constant")),
        tuple((name, position) for name, kind, position in taken if kind == "constant"),
        "function" in columns,
        "live" in columns,
        tuple((each.relation, itemgetter(*each.columns)) for each in templates if not each.each),
        tuple(
            (each.relation, itemgetter(*each.columns), each.each, operands.get(each.each, ("", -1))[1])
            for each in templates
            if each.each
        ),
    )
