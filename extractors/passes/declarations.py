"""What a file declares: its module, its classes, its functions, and what its names hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set

from pliant.extractors.ir.operands import UNTYPED, Type
from pliant.extractors.ir.semantics import Semantics
from pliant.extractors.ir.unit import MODULE, Class, Formal, Function, Unit
from pliant.extractors.lowering.ranges import RESULTS
from pliant.extractors.passes import names
from pliant.extractors.passes.index import Index
from pliant.extractors.writer import FactWriter


def write(unit: Unit, indices: Sequence[Index], semantics: Semantics, writer: FactWriter) -> None:
    """Write the facts of all declarations. indices: of the functions, in their order."""
    own = writer.symbol("|")
    if unit.module:
        writer.row("module", own, writer.symbol(names.PACKAGE if unit.module == "." else unit.module))
    # What a `closure` makes is bound where it is made.
    made: set[str] = {each.operands[0] for index in indices for each in index.of("closure")}
    held: set[str] = {each.operands[0] for index in indices for each in index.of("class")}
    for function in unit.functions:
        _function(function, semantics, writer)
        if function.name not in made:
            _holder(function, semantics, writer)
    if semantics.kind_of is not None:
        _tell_apart(unit, semantics.kind_of, writer)
    if semantics.pointers:
        _structures(unit, writer)
    else:
        _classes(unit, held, semantics, writer)
    for name in unit.variables:
        writer.row("global_name", own, writer.symbol(name), writer.symbol(names.cell_symbol(MODULE, name)))
    for name in unit.private:
        relation = "renames" if name in unit.renames else "global_name"
        writer.row(
            relation, writer.symbol("|static"), writer.symbol(name), writer.symbol(names.cell_symbol(MODULE, name))
        )
    if semantics.constant is not None:
        _constants(unit, semantics.constant, writer)
    for name, span, reason in unit.left_out:
        if name:
            writer.function_left_out(names.function_symbol(name), span[0], reason)
        else:
            writer.lines_left_out(span[0], span[2], reason)
    for mention in unit.mentions:
        writer.library(mention)


def _function(function: Function, semantics: Semantics, writer: FactWriter) -> None:
    own, symbol = writer.symbol("|"), writer.symbol(names.function_symbol(function.name))
    writer.row("function", symbol, own)
    if function.span is not None:
        writer.place(symbol, function.span)
    if function.extent is not None:
        writer.extents[names.function_symbol(function.name)] = function.extent
    for flag, relation in _FLAGS.items():
        if flag in function.flags:
            writer.row(relation, symbol)
    if semantics.pointers and function.blocks and function.result == UNTYPED:
        writer.row("untyped_result", symbol)
    if semantics.pointers and "noreturn" in function.flags:
        writer.row("promise", writer.symbol(function.name.partition("#")[0]), writer.symbol("noreturn"), -1)
    if "refuses" in function.flags:  # a call of it comes back: those that override it do the work
        writer.row("ends", symbol, symbol)
    if semantics.kind_of is not None and (kind := semantics.kind_of(function.result)):
        writer.row("result_kind", symbol, writer.symbol(kind))
    if semantics.functional:
        writer.row("functional", symbol, len(function.formals))
    if function.owner is not None and function.flags.isdisjoint(("setter", "overload")):
        owner = writer.symbol(names.class_symbol(function.owner))
        writer.row("method", owner, writer.symbol(names.last_part(function)), symbol)


def _holder(function: Function, semantics: Semantics, writer: FactWriter) -> None:
    """What holds a function that the file or a class names."""
    symbol = writer.symbol(names.function_symbol(function.name))
    if "global" in function.flags:
        qualified = function.name.partition("#")[0]
        holder = writer.symbol(names.cell_symbol(MODULE, qualified))
        module = writer.symbol("|" if "private" not in function.flags else "|static")
        writer.row("global_name", module, writer.symbol(qualified), holder)
    elif function.owner is not None:
        holder = writer.symbol(f"|{MODULE}|method {function.name}|1")
    else:
        return
    writer.row("holds", holder, symbol)
    if function.owner is not None:
        owner = writer.symbol(names.class_symbol(function.owner))
        for key in names.keys(function) if semantics.arity else [names.last_part(function)]:
            writer.row("class_attribute", owner, writer.symbol(key), holder)


def _classes(unit: Unit, held: Set[str], semantics: Semantics, writer: FactWriter) -> None:
    """held: the classes of which it is said where they are made what holds them."""
    own = writer.symbol("|")
    abstract: dict[str, list[str]] = {}
    for function in unit.functions if semantics.functional else ():
        if function.owner is not None and "declared" in function.flags:
            abstract.setdefault(function.owner.name, []).append(function.name)
    for class_ in unit.classes:
        symbol = writer.symbol(names.class_symbol(class_.type))
        for base in class_.bases:
            holder = writer.symbol(names.type_symbol(base))
            writer.row("class_base", symbol, holder)
            if base.module in ("", "."):
                writer.row("holds", holder, writer.symbol(names.class_symbol(base)))
            else:
                writer.row("import_from", holder, writer.symbol(base.module), writer.symbol(base.name))
        writer.row("class_def", symbol, own)
        writer.row("instance", symbol, writer.symbol(f"|{class_.type.name}|instance"))
        if semantics.virtual:
            writer.row("virtual", symbol)
            if class_.kind == "interface":
                writer.row("interface", symbol)
        if semantics.functional and class_.kind == "interface" and len(abstract.get(class_.type.name, ())) == 1:
            writer.row("functional_class", symbol)
        if class_.span is not None:
            writer.place(symbol, class_.span)
        if class_.type.name not in held:
            cell = writer.symbol(names.cell_symbol(MODULE, class_.type.name))
            writer.row("global_name", own, writer.symbol(class_.type.name), cell)
            writer.row("holds", cell, symbol)


def _constants(unit: Unit, named: Callable[[str], int | None], writer: FactWriter) -> None:
    """The numbers that stand for the constants of a file in those of other files, and what they are."""
    for name, number in unit.numbers.items():
        known = named(name)
        if known is not None and abs(number) < RESULTS[1] - 1:
            for step in (-1, 0, 1):  # a range may end beside it
                writer.row("stands_for", known + step, number + step)


def _structures(unit: Unit, writer: FactWriter) -> None:
    for name in sorted({name for each in unit.classes for name, kind in each.fields.items() if kind == UNTYPED}):
        writer.row("untyped_field", writer.symbol(name))
    for class_ in unit.classes:
        _structure(class_, writer)


def _structure(structure: Class, writer: FactWriter) -> None:
    """What the fields of a structure hold, if it is other structures or arrays."""
    name = writer.symbol(structure.type.name)
    for base in structure.bases:
        writer.row("structure_name", name, writer.symbol(base.name))
    for field, kind in structure.fields.items():
        inner = kind.of[0] if kind.kind == "pointer" and kind.of else kind
        if kind.kind == "array":
            writer.row("array_member", name, writer.symbol(field))
        elif inner.kind == "class":
            writer.row("structure_member", name, writer.symbol(field), writer.symbol(inner.name))


def _tell_apart(unit: Unit, kind_of: Callable[[Type], str], writer: FactWriter) -> None:
    """What overloads take that a call with some number of arguments may run."""
    alike: dict[tuple[str, str], list[Function]] = {}
    for function in unit.functions:
        if function.owner is not None:
            for key in names.keys(function):
                alike.setdefault((function.owner.name, key), []).append(function)
    several = {function.name: function for found in alike.values() if len(found) > 1 for function in found}
    for function in several.values():
        symbol = writer.symbol(names.function_symbol(function.name))
        for number, formal in enumerate(names.taken(function)):
            kind = _kind_taken(formal, kind_of)
            for place in range(number, number + (names.MOST_OF_REST + 1 if formal.kind == "rest" else 1)):
                if kind:
                    writer.row("formal_kind", symbol, place, writer.symbol(kind))


def _kind_taken(formal: Formal, kind_of: Callable[[Type], str]) -> str:
    """Of `String... names`, it is `String...`."""
    if formal.kind != "rest":
        return kind_of(formal.type)
    kind = kind_of(formal.type.of[0]) if formal.type.of else ""
    return kind and f"{kind}..."


_FLAGS = {
    "static": "static_method",
    "class_method": "class_method",
    "property": "property",
    "overloaded": "overloaded",
    "generator": "generator",
    "asynchronous": "asynchronous",
    "null_receiver": "null_receiver",
    "macro": "macro",
}
