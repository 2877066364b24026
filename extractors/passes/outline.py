"""The outline of a file, from the instructions of all of its functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pliant.extractors.ir.operands import Constant
from pliant.extractors.ir.outline import Outline, owner_of, short_name
from pliant.extractors.ir.unit import Unit
from pliant.extractors.passes.index import Index


def outline_of(unit: Unit, indices: Sequence[Index]) -> Outline:
    """indices: of the functions, in their order."""
    found = Outline(
        extents={each.name: each.extent for each in unit.functions},
        classes={each.type.name: (each.kind, each.fields) for each in unit.classes},
        rebound=_rebound(unit, indices),
        decorators=_decorators(indices),
        defaults=_defaults(unit, indices),
        volatile=frozenset(
            each.operands[1]
            for index in indices
            for each in index.of("annotate")
            if "volatile" in each.operands[3].split()
        ),
        annotated=_annotated(indices),
        pointed=frozenset(
            each.operands[0]
            for function, index in zip(unit.functions, indices, strict=True)
            for each in index.of("address")
            if function.variables[each.operands[0]].home != "local"
        ),
        incomplete=bool(unit.left_out),
        missing=frozenset(each.function for each in unit.left_out),
    )
    _used(unit, indices, found)
    return found


def _rebound(unit: Unit, indices: Sequence[Index]) -> frozenset[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    if unit.left_out:  # what is not there may set any
        for function in unit.functions:
            shared = (name for name, variable in function.variables.items() if variable.home != "local")
            found.update((owner_of(function, name), name) for name in shared)
        return frozenset(found)
    for function, index in zip(unit.functions, indices, strict=True):
        for name in {each.operands[0] for each in index.of("set")}:
            if name in function.variables and function.variables[name].home != "local":
                owner = owner_of(function, name)
                if owner != function.name:
                    found.add((owner, name))
    return frozenset(found)


def _decorators(indices: Sequence[Index]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for index in indices:
        if index.has("decorate"):
            made = {each.number: each.operands[0] for each in index.of("closure")}
            for each in index.of("decorate"):
                if each.operands[1] in made:
                    made[each.number] = made[each.operands[1]]
                    found[made[each.number]] += 1
    return dict(found)


def _defaults(unit: Unit, indices: Sequence[Index]) -> dict[str, dict[str, Constant]]:
    functions = {each.name: each for each in unit.functions}
    made: dict[str, list[dict[str, Constant]]] = {}
    for index in indices:
        closures = index.of("closure")
        constants = {each.number: each.operands[0] for each in index.of("const")} if closures else {}
        for each in closures:
            if each.operands[0] in functions:
                name, values = each.operands
                left_out = [formal.variable for formal in functions[name].formals if formal.default]
                of_each = zip(left_out, (constants.get(value, value) for value in values), strict=False)
                known = {variable: value for variable, value in of_each if isinstance(value, Constant)}
                made.setdefault(name, []).append(known if len(left_out) == len(values) else {})
    return {name: of_name[0] for name, of_name in made.items() if len(of_name) == 1 and of_name[0]}


def _annotated(indices: Sequence[Index]) -> dict[tuple[str, str], frozenset[str]]:
    found = {}
    for index in indices:
        classes = {each.number: each.operands[0] for each in index.of("class")}
        for each in index.of("annotate") if classes else ():
            if each.operands[0] in classes:
                found[classes[each.operands[0]], each.operands[1]] = frozenset(each.operands[3].split())
    return found


def _used(unit: Unit, indices: Sequence[Index], outline: Outline) -> None:
    """Which functions are used otherwise than by calling them."""
    names = {short_name(each.name) for each in unit.functions}
    passed: set[str] = set()
    kept: set[str] = set()
    read: set[str] = set()
    for index in indices:
        closures = {each.number: each.operands[0] for each in index.of("closure")}
        gets = {each.number: each.operands[0] for each in index.of("get") if each.operands[0] in names}
        if not closures and not gets:
            continue
        for (op, position), operands in index.taken().items():
            if op == "set" or (op == "call" and position == 0):
                continue
            read.update([gets[each] for each in gets.keys() & operands])
            (kept if op == "store" else passed).update([closures[each] for each in closures.keys() & operands])
    outline.passed, outline.kept, outline.read = frozenset(passed), frozenset(kept), frozenset(read)
